"""Journeys as people type them: sections 16.2, 16.3 and 16.5."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.refusal import Ambiguous, NotUnderstood, Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.fares import tally
from bluebear.rules.tokai.rules.network import LINE_AT, LINES
from bluebear.rules.tokai.rules.state import Phase, State
from bluebear.server.sentences import refusal_text
from tests.fuzz.slow_lines import MOST, counted
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    C,
    dice,
    lines,
    misunderstood,
    play,
    reason,
    refusal,
    table,
    traveller,
    typed,
)

OTAI = table(traveller("otai", to="nagoya"), roll=7)


@pytest.mark.rule("tokai 16.3")
@pytest.mark.parametrize(
    "text",
    [
        "/go subway_tsurumai marunouchi subway_sakuradori nagoya",
        "/go tsurumai_line marunouchi sakuradori nagoya",
        "/行く 鶴舞線 丸の内 桜通線 名古屋",
        "/go 鶴舞線、丸の内、桜通線、名古屋",
    ],
)
def test_lines_and_stations_are_typed_in_one_line(text: str) -> None:
    """X-10."""
    assert typed(OTAI, A, text) == [
        "/go subway_tsurumai marunouchi",
        "/go subway_sakuradori nagoya",
    ]


@pytest.mark.rule("tokai 16.3")
def test_stations_alone_find_their_lines() -> None:
    """X-12, by the stations where it changes; a roll of 10 ends at Hisaya-odori."""
    made = table(traveller("otai", to="nagoya"), roll=10)
    assert typed(made, A, "/go 味美 上飯田 平安通 久屋大通") == [
        "/go johoku ajiyoshi",
        "/go meitetsu_komaki kami_iida",
        "/go subway_kamiiida heian_dori",
        "/go subway_meijo hisaya_odori ccw",
    ]
    longer = table(traveller("otai", to="nagoya"), roll=12)
    refused = misunderstood(longer, A, "/go 味美 上飯田 平安通 久屋大通")
    assert (refused.code, refused.params["left"]) == ("steps_left", 2)


@pytest.mark.rule("tokai 16.3")
def test_a_journey_station_by_station_is_taken_as_typed() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=3)
    assert typed(made, A, "/go hatta haruta kanie") == [
        "/go jr_kansai hatta",
        "/go jr_kansai haruta",
        "/go jr_kansai kanie",
    ]


@pytest.mark.rule("tokai 16.3")
def test_the_end_alone_is_enough_to_arrive() -> None:
    assert typed(OTAI, A, "/go nagoya") == ["/go johoku biwajima", "/go jr_tokaido nagoya"]
    made, _ = play(OTAI, A, "/行く 名古屋")
    assert (made.phase, made.seats[A].at) == (Phase.BUY, "nagoya")


@pytest.mark.rule("tokai 16.3")
def test_the_end_of_an_exact_ride_is_reached_the_cheapest_route() -> None:
    """Two steps by the JR line of B's for 5,000 yen, two by Meitetsu for 1,000."""
    made = table(traveller("nagoya", to="toyohashi"), roll=2, owners={"jr_tokaido": B})
    made, _ = play(made, A, offered(made, "/go kanayama"), dice(1, 2))
    assert made.seats[A].trail == ("nagoya", "sanno", "kanayama")
    assert made.seats[A].cash == 19


@pytest.mark.rule("tokai 16.3")
@pytest.mark.parametrize("roll", [4, 7])
def test_a_route_longer_than_the_shortest_is_offered_and_not_taken(roll: int) -> None:
    """Sakae is 2 steps from Nagoya: a player who names it may want to ride on, or to end there."""
    far = table(traveller("nagoya", to="toyohashi"), roll=roll)
    after, _ = play(far, A, offered(far, "/go sakae"), dice(1, 2))
    assert after.seats[A].at == "sakae"
    text = reason(misunderstood(far, A, "/go sakae"))
    assert text.startswith(f"Sakae is only 2 steps away and you have {roll}:")
    exact = table(traveller("nagoya", to="toyohashi"), roll=2)
    after, _ = play(exact, A, "/go sakae", dice(1, 2))
    assert after.seats[A].at == "sakae"


def offered(at: State, text: str) -> str:
    """The longer way that is offered for a line."""
    refused = misunderstood(at, A, text)
    assert isinstance(refused, Ambiguous)
    assert (refused.code, refused.rule) == ("detour", "16.3")
    (line,) = refused.candidates
    return line


@pytest.mark.rule("tokai 7.2.3", "tokai 16.3")
def test_a_stop_already_visited_is_refused_with_and_without_its_line() -> None:
    """Nothing is ridden elsewhere instead, not even as far as the roll reaches that way."""
    made = table(traveller("otai", "nishiharu", to="inuyama"), roll=3)
    for text in ("/go otai", "/go meitetsu_inuyama otai", "/go johoku 小田井", "/go 愛環線 otai"):
        refused = misunderstood(made, A, text)
        assert (refused.code, refused.rule, refused.params) == (
            "visited",
            "7.2.3",
            {"point": "otai"},
        )
    loop = table(traveller("sakae", "kamimaezu", to="nagoya"), roll=4)
    assert misunderstood(loop, A, "/go subway_meijo sakae").code == "visited"
    assert misunderstood(loop, A, "/go subway_meijo sakae cw").code == "visited"
    assert misunderstood(loop, A, "/go subway_meijo kamimaezu").code == "stands_there"


@pytest.mark.rule("tokai 16.3")
def test_a_route_that_keeps_a_through_ticket_is_preferred() -> None:
    owners = {"meitetsu_inuyama": B}
    rider = traveller("nagoya", to="gifu", through=("meitetsu_inuyama",))
    made = table(rider, roll=2, owners=owners)
    assert offered(made, "/go biwajima") == "/go meitetsu_inuyama biwajima"
    plain = table(traveller("nagoya", to="gifu"), roll=2, owners=owners)
    assert offered(plain, "/go biwajima") == "/go meitetsu_main biwajima"


@pytest.mark.rule("tokai 16.3")
def test_what_has_been_paid_this_turn_costs_nothing_more() -> None:
    made = table(
        traveller("nagoya", to="toyohashi"),
        roll=2,
        owners={"jr_tokaido": B},
        dues=[(int(B), 5)],
    )
    assert offered(made, "/go kanayama") == "/go jr_tokaido kanayama"


@pytest.mark.rule("tokai 16.3")
def test_what_lies_beyond_the_roll_is_cut_off() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=3)
    assert typed(made, A, "/go 関西本線 桑名 近鉄 津") == ["/go jr_kansai kanie"]
    (line,) = typed(made, A, "/go tsu")
    after, _ = play(made, A, "/go tsu", dice(1, 2))
    assert line.startswith("/go ")
    assert after.active == B


@pytest.mark.rule("tokai 16.3")
def test_what_lies_beyond_the_destination_is_cut_off() -> None:
    made = table(traveller("otai", "shimo_otai", "biwajima", to="nagoya"), roll=9)
    assert typed(made, A, "/go 東海道線 金山 中央線 千種") == ["/go jr_tokaido nagoya"]


@pytest.mark.rule("tokai 16.3", "tokai 7.2.4")
def test_what_ends_early_is_refused_with_the_steps_left() -> None:
    """X-13."""
    made = table(traveller("nagoya", to="tsu"), roll=3)
    refused = misunderstood(made, A, "/go hatta haruta")
    assert (refused.code, refused.params["left"]) == ("steps_left", 1)
    refused = misunderstood(made, A, "/go jr_kansai hatta jr_kansai haruta")
    assert reason(refused) == (
        "That ends at Haruta with 1 step left: the whole roll must be used, "
        "or the destination reached."
    )
    assert refused.rule == "7.2.4"
    assert len(typed(made, A, "/go hatta haruta kanie")) == 3


@pytest.mark.rule("tokai 16.1")
def test_one_leg_may_leave_steps_for_the_next() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=3)
    assert typed(made, A, "/go 関西本線 八田") == ["/go jr_kansai hatta"]


@pytest.mark.rule("tokai 16.3")
def test_the_cheapest_route_that_arrives_is_taken_without_asking() -> None:
    """What is left of the roll is lost on arrival, so that the longer way costs nothing more."""
    owners = {"jr_chuo": B, "meitetsu_main": B, "jr_tokaido": B}
    made = table(traveller("nagoya", to="kanayama"), roll=12, owners=owners)
    cheap, short = typed(made, A, "/go 金山"), ["/go jr_chuo kanayama"]
    assert cheap != short
    paid = []
    for route in (cheap, short):
        after = made
        for line in route:
            after, _ = play(after, A, line)
        assert after.phase is Phase.BUY
        paid.append(sum(due.amount for due in tally(after).dues))
    assert paid == [1, 5]


@pytest.mark.rule("tokai 16.3")
def test_beyond_the_roll_the_cheapest_and_the_shortest_are_offered() -> None:
    made = table(traveller("nagoya", to="toyohashi"), roll=3, owners={"jr_tokaido": B})
    refused = misunderstood(made, A, "/go 岡崎")
    assert isinstance(refused, Ambiguous)
    assert (refused.code, len(refused.candidates)) == ("two_ways", 2)
    assert "the cheapest costs" in reason(refused)
    assert "最短の経路は" in reason(refused, JA)
    for line in refused.candidates:
        after, _ = play(made, A, line, dice(1, 2))
        assert after.active == B


@pytest.mark.rule("tokai 16.3")
def test_what_is_offered_is_offered_in_the_readers_language() -> None:
    made = table(traveller("sakae", to="toyohashi"), roll=2)
    refused = refusal(made, A, "/go subway_meijo heian_dori cw")
    assert refused.candidates == ("/go subway_meijo shiyakusho cw",)
    assert refusal_text(refused, "en", GAME).endswith(
        "Perhaps: /go subway_meijo shiyakusho cw (7.2.4)"
    )
    japanese = "/行く 地下鉄名城線 市役所 右回り"
    assert japanese in refusal_text(refused, "ja", GAME)
    assert typed(made, A, japanese) == ["/go subway_meijo shiyakusho cw"]


@pytest.mark.rule("tokai 16.3")
def test_a_station_that_cannot_be_the_end_is_refused_with_the_numbers() -> None:
    made = table(traveller("kozoji", to="okazaki"), roll=3)
    refused = misunderstood(made, A, "/go naka_mizuno")
    assert refused.code == "no_such_length"
    assert refused.params["left"] == 3
    visited = table(traveller("otai", "nishiharu", to="inuyama"), roll=3)
    assert misunderstood(visited, A, "/go otai").code == "visited"
    assert misunderstood(visited, A, "/go nishiharu").code == "stands_there"


@pytest.mark.rule("tokai 16.3", "tokai 7.2.2.1")
def test_a_ticket_holder_is_reported_that_the_train_passes() -> None:
    made = table(traveller("nagoya", to="toyohashi", express=True), roll=3)
    assert misunderstood(made, A, "/go sanno").code == "passed_by"


@pytest.mark.rule("tokai 16.3")
def test_no_route_is_left_to_a_cut_off_station() -> None:
    cut = table(traveller("inazawa", "ichinomiya", "oku_cho", to="sukaguchi"), roll=1)
    refused = misunderstood(cut, A, "/go nagoya")
    assert (refused.code, refused.rule) == ("no_way_there", "7.2.3")


@pytest.mark.rule("tokai 16.2")
def test_the_loop_moves_the_shorter_route_unless_one_is_named() -> None:
    made = table(traveller("sakae", to="toyohashi"), roll=12)
    (north,) = typed(made, A, "/go 名城線 平安通")
    assert north == "/go subway_meijo heian_dori cw"
    (other,) = typed(made, A, "/go 名城線 新瑞橋")
    assert other.endswith(" ccw")
    assert typed(made, A, "/go meijo shiyakusho clockwise") == ["/go subway_meijo shiyakusho cw"]
    assert typed(made, A, "/go 名城線 右回り 市役所") == ["/go subway_meijo shiyakusho cw"]


@pytest.mark.rule("tokai 16.2")
def test_the_named_route_round_is_cut_at_the_roll_too() -> None:
    made = table(traveller("sakae", to="toyohashi"), roll=2)
    assert typed(made, A, "/go 名城線 平安通 左回り") == ["/go subway_meijo kamimaezu ccw"]


@pytest.mark.rule("tokai 16.3")
def test_terms_between_names_are_passed_over() -> None:
    made = table(traveller("nagoya", to="toyohashi"), roll=4)
    legs = ["/go jr_chuo tsurumai", "/go subway_tsurumai arahata", "/go subway_tsurumai gokiso"]
    assert typed(made, A, "/go chuo line to tsurumai station then gokiso") == [legs[0], legs[2]]
    assert typed(made, A, "/行く 中央本線 鶴舞駅 御器所駅まで") == [legs[0], legs[2]]


@pytest.mark.rule("tokai 16.2")
def test_a_direction_without_a_line_denotes_the_loop() -> None:
    """What was typed is never ridden the other way round."""
    made = table(traveller("kanayama", to="toyohashi"), roll=14)
    assert typed(made, A, "/go ozone cw") == ["/go subway_meijo ozone cw"]
    assert typed(made, A, "/go 左 大曽根") == ["/go subway_meijo chayagasaka ccw"]
    both = misunderstood(made, A, "/go meijo ozone cw ccw")
    assert (both.code, both.rule) == ("both_ways", "16.2")
    assert misunderstood(made, A, "/go cw ccw ozone").code == "both_ways"
    off_loop = misunderstood(made, A, "/go nagoya cw")
    assert (off_loop.code, off_loop.rule) == ("not_on_loop", "16.2")
    assert reason(off_loop) == "Nagoya is not on a loop line: leave cw and ccw out."


@pytest.mark.rule("tokai 16.2")
def test_half_route_round_the_route_must_be_named() -> None:
    """With 14 steps each way; no roll is that long, so the ride is begun with a longer one."""
    made = table(traveller("sakae", to="toyohashi"), roll=14)
    ring = LINES[LINE_AT[LineId("subway_meijo")]].paths[0][:-1]
    opposite = ring[(ring.index(PointId("sakae")) + 14) % len(ring)]
    refused = misunderstood(made, A, f"/go subway_meijo {opposite}")
    assert refused.code == "which_way"
    assert typed(made, A, f"/go subway_meijo {opposite} cw")


@pytest.mark.rule("tokai 16.5")
def test_a_term_that_names_a_station_and_a_line_is_what_makes_sense() -> None:
    """Toyota is a prefix of Toyota-shi and a name of the line that goes there."""
    made = table(traveller("akaike", to="toyota_shi"), roll=12)
    assert typed(made, A, "/go toyota umetsubo") == ["/go meitetsu_toyota umetsubo"]
    assert typed(made, A, "/go toyota") == ["/go meitetsu_toyota toyota_shi"]
    north = table(traveller("iwakura", to="gifu"), roll=6)
    assert typed(north, A, "/go 犬山線 江南") == ["/go meitetsu_inuyama konan"]


@pytest.mark.rule("tokai 16.5")
def test_the_full_name_of_a_station_is_not_the_beginning_of_a_line() -> None:
    """名古屋本線 begins with 名古屋, and 近鉄 with a line that goes on from there."""
    made = table(traveller("jingu_mae", to="yatomi"), roll=11, owners={"jr_kansai": B})
    legs = typed(made, A, "/go 金山 名古屋 近鉄 弥富")
    assert legs[-1] == "/go kintetsu_nagoya yatomi"


@pytest.mark.rule("tokai 16.5")
def test_unknown_and_ambiguous_stations_are_answered_with_names() -> None:
    made = table(traveller("nagoya", to="tsu"), roll=3)
    refused = misunderstood(made, A, "/go kanayma")
    assert isinstance(refused, NotUnderstood)
    assert refused.candidates[0] == "kanayama"
    refused = misunderstood(made, A, "/go nakam")
    assert isinstance(refused, Ambiguous)
    assert misunderstood(made, A, "/go jr_kansai").code == "missing_argument"


@pytest.mark.rule("tokai 16.3")
def test_out_of_turn_a_journey_is_refused_as_any_other_line() -> None:
    assert misunderstood(OTAI, B, "/go nagoya").code == "not_your_turn"
    arrived = table(traveller("nagoya"), phase=Phase.BUY)
    assert misunderstood(arrived, A, "/go sakae").code == "now_buy"


@pytest.mark.rule("tokai 16.3")
def test_earlier_legs_count() -> None:
    made = table(traveller("nagoya", to="toyohashi"), roll=6)
    made, _ = play(made, A, "/go jr_tokaido kanayama")
    parsed = typed(made, A, "/go 新瑞橋")
    assert len(made.legs) == 1
    assert parsed


def test_every_leg_that_may_be_ridden_is_understood_as_itself() -> None:
    owners = {"jr_kansai": B, "kintetsu_nagoya": C}
    made = table(traveller("nagoya", to="tsu"), seats=3, roll=9, owners=owners)
    view = GAME.seen(made, frozenset((A,)))
    for line in lines(made, A):
        text = line.removeprefix("/go ")
        assert GAME.text(view, frozenset((A,))).expand(A, "go", text) == (GAME.grammar.parse(line),)


def test_long_forms_take_a_bounded_number_of_steps() -> None:
    """The worst of all journeys from the middle of the map, counted in executed lines."""
    owners = {"jr_kansai": B, "kintetsu_nagoya": C, "subway_meijo": B, "subway_higashiyama": C}
    requests = [
        ("sakae", "aratama_bashi", 12),
        ("nagoya", "motoyama", 12),
        ("nagoya", "tsu", 12),
        ("nagoya", "kusu", 12),
        ("sakae", "kitano_masuzuka", 8),
        ("sakae", "shimoji", 12),
        ("imaike", "toyokawa", 8),
    ]
    for start, end, roll in requests:
        made = table(traveller(start, to="toyohashi"), seats=3, roll=roll, owners=owners)
        assert counted(partial(_check_prompt, made, end)) < MOST


def test_a_route_over_the_complete_map_costs_little_though_six_the_players_its_lines() -> None:
    """Many payees are many budgets; so far the worst of 8,000 had 81,000 steps, some 4 ms."""
    chance = FastChance(5)
    for start in ("inuyama", "nakatsugawa", "yokkaichi"):
        owners = {str(line.id): Seat(1 + chance.pick(6)) for line in LINES if chance.pick(8)}
        made = table(traveller(start, to="nagoya"), seats=6, roll=9, owners=owners)
        for end in ("shinshiro", "tsu", "sekigahara", "hon_nagashino", "gifu"):
            assert counted(partial(_check_prompt, made, end)) < 2 * MOST


def _check_prompt(made: State, end: str) -> None:
    with suppress(Refusal):
        typed(made, A, f"/go {end}")
