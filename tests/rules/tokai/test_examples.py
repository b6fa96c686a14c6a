"""The worked examples of the rule text and of the specification: tables, dice, ways, payoffs.

Read from the texts themselves; those about money are in `test_examples_money.py`.
"""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance, NoChance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId, RegionId
from bluebear.rules.tokai.rules.events import (
    Arrived,
    DestinationSet,
    ExtraGranted,
    HalfLost,
    HomeRegion,
    RolledCity,
    RolledRegion,
    Started,
    StartTaken,
    Stranded,
)
from bluebear.rules.tokai.rules.moves import Prebuy
from bluebear.rules.tokai.rules.network import LINE_AT, POINT_AT, REGIONS, payoff, steps_to, ways
from bluebear.rules.tokai.rules.state import Phase, State, Traveller
from tests.rules.tokai.scene import (
    A,
    B,
    dice,
    events_of,
    lines,
    misunderstood,
    names,
    outcome,
    play,
    refusal,
    sound,
    table,
    traveller,
    turn_of_a,
)

LONG_ROUTE = (
    "johoku ajiyoshi meitetsu_komaki kami_iida subway_kamiiida heian_dori "
    "subway_meijo hisaya_odori subway_sakuradori nagoya"
)


def from_otai(roll: int, *passed: str) -> State:
    """A goes from Otai to Nagoya and has passed some stations in earlier turns."""
    return table(traveller("otai", *passed, to="nagoya"), roll=roll)


def dealt(*hand: str) -> Traveller:
    """A seat before the purchase."""
    waiting = but(traveller(cash=0), chosen=False)
    return but(waiting, hand=tuple(map(LineId, hand)))


def before_the_game(*hands: Traveller) -> State:
    return table(*hands, phase=Phase.PREBUY, seats=len(hands), turns=0)


@pytest.mark.rule("tokai 4.1.1", "tokai 4.1.2")
def test_x01_x02_coloured_5_whites_3_and_4_are_the_east_and_then_3_5_4_are_akaike() -> None:
    after, events = turn_of_a(traveller("nagoya"), 3, 4, 5, 5, 4, 3, 1, 1)
    assert events_of(events, RolledRegion, RolledCity) == [
        RolledRegion(A, 5, (3, 4), RegionId("east")),
        RolledCity(A, 3, (5, 4), RegionId("east"), PointId("akaike")),
    ]
    assert after.seats[A].destination == "akaike"


@pytest.mark.rule("tokai 4.3")
def test_x03_a_free_start_is_a_destination_that_no_person_has() -> None:
    before = table(traveller(), traveller("sakae"), phase=Phase.START, turns=0)
    stop = misunderstood(before, A, "/dest sako")
    assert (stop.code, stop.params["point"]) == ("no_destination", "sako")
    refused = refusal(before, A, "/dest sakae")
    assert (refused.code, refused.rule) == ("start_taken", "4.3")
    assert len(lines(before, A)) == 83
    after, events = play(before, A, "/dest 関ヶ原", FastChance(1))
    assert events_of(events, Started) == [Started(A, PointId("sekigahara"))]
    assert after.seats[A].trail[0] == "sekigahara"


@pytest.mark.rule("tokai 4.2")
def test_x04_a_start_city_that_is_taken_is_rolled_again_with_both_rolls() -> None:
    cheap = dealt("subway_higashiyama", "meitetsu_seto", "linimo", "johoku", "aonami")
    other = dealt("meitetsu_inuyama", "jr_taita", "jr_iida", "jr_takayama", "aichi_loop")
    before = before_the_game(cheap, other)
    before, _ = play(before, B, "/prebuy aichi_loop")
    # A: central, Nagoya. B: the same, then East and Akaike. Then A's first turn: East, Akaike.
    rolls = [1, 5, 1, 1, 5, 1, 1, 5, 1, 1, 5, 1, 3, 4, 5, 5, 4, 3, 3, 4, 5, 5, 4, 3, 2, 2]
    after, events = play(before, A, "/prebuy higashiyama", dice(*rolls))
    assert events_of(events, Started, StartTaken) == [
        Started(A, PointId("nagoya")),
        StartTaken(B, PointId("nagoya"), A),
        Started(B, PointId("akaike")),
    ]
    assert (after.phase, after.active, after.roll) == (Phase.MOVE, A, 4)


@pytest.mark.rule("tokai 3.1.2", "tokai 3.1.3")
@pytest.mark.parametrize(
    ("picked", "cash"),
    [
        ("subway_higashiyama", 20),
        ("subway_higashiyama express", 15),
        ("aichi_loop meitetsu_seto", 13),
        ("meitetsu_seto express", 28),
    ],
)
def test_x05_what_may_be_picked_for_20_000_to_40_000_yen(picked: str, cash: int) -> None:
    other = dealt("jr_taita", "jr_iida", "jr_takayama", "johoku", "aonami")
    before = before_the_game(_hand_of_x05(), other)
    before, _ = play(before, B, "/prebuy jr_takayama aonami")
    after, _ = play(before, A, f"/prebuy {picked}")
    assert after.seats[A].cash == cash
    assert after.seats[A].express == ("express" in picked)


def _hand_of_x05() -> Traveller:
    """Faces 30, 28, 26, 20 and 17."""
    return dealt(
        "meitetsu_inuyama", "meitetsu_seto", "kintetsu_nagoya", "subway_higashiyama", "aichi_loop"
    )


@pytest.mark.rule("tokai 3.1.2")
@pytest.mark.parametrize("picked", ["meitetsu_seto", "meitetsu_inuyama kintetsu_nagoya", ""])
def test_x05_too_little_or_too_much_is_refused(picked: str) -> None:
    before = before_the_game(_hand_of_x05(), dealt("jr_taita", "jr_iida", "johoku", "aonami"))
    with pytest.raises(NotAllowed) as caught:
        GAME.play(before, A, Prebuy(tuple(map(LineId, picked.split())), express=False), NoChance())
    assert (caught.value.code, caught.value.rule) == ("cost_does_not_fit", "3.1.2")
    assert f"/prebuy {picked}" not in lines(before, A)


@pytest.mark.rule("tokai 6.2", "tokai 6.6")
def test_x06_at_inuyama_the_north_lets_a_player_choose_among_all_nine() -> None:
    # Odd 8 is the North, where Inuyama lies.
    after, events = turn_of_a(traveller("inuyama"), 4, 4, 1)
    assert events_of(events, HomeRegion) == [HomeRegion(A, RegionId("north"))]
    assert after.phase is Phase.REGION
    assert lines(after, A) == sorted(f"/region {region.id}" for region in REGIONS)


@pytest.mark.rule("tokai 6.4")
def test_x07_inuyama_again_loses_the_half() -> None:
    choosing, _ = turn_of_a(traveller("inuyama", cash=9), 4, 4, 1)
    # Odd 8 in the North is Inuyama: B is next, with a destination, and rolls.
    at_b = but(choosing, seats=choosing.seats.put(B, traveller("tsu", to="nagoya")))
    after, events = play(at_b, A, "/region 北", dice(4, 4, 1, 3, 3))
    assert events_of(events, HalfLost) == [HalfLost(A, PointId("inuyama"))]
    assert (after.active, after.seats[A].destination, after.seats[A].cash) == (B, None, 9)
    # A's next turn begins with a region again: B rides, then dice for A.
    _, later = play(after, B, "/go kintetsu_nagoya shiohama", dice(3, 4, 5, 5, 4, 3, 1, 1))
    assert names(later).count("RolledRegion") == 1


@pytest.mark.rule("tokai 7.1.2", "tokai 7.1.3")
@pytest.mark.parametrize(
    ("express", "faces", "granted"),
    [
        (False, (6, 6), True),
        (False, (5, 5), False),
        (True, (6, 6), True),
        (True, (1, 1), True),
        (True, (1, 2), False),
    ],
)
def test_x08_which_rolls_grant_an_extra_half(
    express: bool, faces: tuple[int, int], granted: bool
) -> None:
    rider = traveller("nagoya", to="toyohashi", express=express)
    after, events = turn_of_a(rider, *faces)
    assert (after.granted, names(events).count("ExtraGranted")) == (granted, int(granted))


@pytest.mark.rule("tokai 7.1.1", "tokai 7.1.3")
def test_x08_in_an_extra_half_no_roll_grants_anything() -> None:
    rider = traveller("nagoya", cash=30, express=True)
    before = table(rider, phase=Phase.BUY, granted=True)
    after, events = play(before, A, "/buy none", dice(3, 4, 5, 5, 4, 3, 6))
    assert events_of(events, ExtraGranted) == []
    assert (after.extra, after.roll) == (True, 6)


@pytest.mark.rule("tokai 7.2.1", "tokai 7.2.4", "tokai 8.1")
@pytest.mark.parametrize("roll", [3, 8])
def test_x09_from_otai_by_biwajima_to_nagoya_are_three_steps(roll: int) -> None:
    before, _ = play(from_otai(roll), A, "/go johoku biwajima")
    after, events = play(before, A, "/go jr_tokaido nagoya")
    assert events_of(events, Arrived) == [Arrived(A, PointId("nagoya"), 4, 24)]
    assert (after.roll, after.seats[A].trail) == (0, ("nagoya",))
    for express in (False, True):
        assert (
            steps_to(POINT_AT[PointId("nagoya")], express=express)[POINT_AT[PointId("otai")]] == 3
        )


@pytest.mark.rule("tokai 7.2.5")
def test_x10_the_detour_over_marunouchi_is_legal() -> None:
    before, _ = play(from_otai(7), A, "/go subway_tsurumai marunouchi")
    _, events = play(before, A, "/go subway_sakuradori nagoya")
    assert events_of(events, Arrived) == [Arrived(A, PointId("nagoya"), 4, 24)]


@pytest.mark.rule("tokai 7.2.3")
def test_x11_the_round_over_ichinomiya_and_sukaguchi_meets_biwajima_again() -> None:
    riding, _ = play(from_otai(12), A, "/go johoku biwajima")
    riding, _ = play(riding, A, "/go jr_tokaido ichinomiya")
    refused = refusal(riding, A, "/go meitetsu_main biwajima")
    assert (refused.code, refused.rule) == ("visited", "7.2.3")
    assert refused.params["point"] == "biwajima"


@pytest.mark.rule("tokai 7.2.3")
def test_x11_over_several_turns_it_is_just_the_same() -> None:
    passed = "owari_hoshinomiya biwajima kiyosu inazawa ichinomiya shima_ujinaga konomiya osato"
    before = from_otai(6, *passed.split(), "shin_kiyosu", "sukaguchi")
    refused = refusal(before, A, "/go meitetsu_main biwajima")
    assert (refused.code, refused.rule) == ("visited", "7.2.3")


@pytest.mark.rule("tokai 7.2.5", "tokai 16.3")
def test_x12_the_long_route_over_ajiyoshi_and_heian_dori_is_legal() -> None:
    first, _ = play(from_otai(7), A, f"/go {LONG_ROUTE}")
    # Seven steps end two behind Heian-dori; the journey is cut there.
    assert first.seats[A].trail[-1] == "kurokawa"
    assert len(first.seats[A].trail) == 1 + 7
    second = but(first, active=A, phase=Phase.MOVE, roll=6)
    _, events = play(second, A, "/go subway_meijo hisaya_odori subway_sakuradori nagoya")
    assert events_of(events, Arrived) == [Arrived(A, PointId("nagoya"), 4, 23)]


@pytest.mark.rule("tokai 7.2.4", "tokai 16.3")
def test_x13_a_ride_that_ends_too_early_is_shown_how_many_steps_are_left() -> None:
    before = table(traveller("nagoya", to="ichinomiya"), roll=3)
    refused = misunderstood(before, A, "/go jr_tokaido biwajima jr_tokaido kiyosu")
    assert (refused.code, refused.rule, refused.params["left"]) == ("steps_left", "7.2.4", 1)
    after, _ = play(before, A, "/go jr_tokaido biwajima jr_tokaido kiyosu jr_tokaido inazawa")
    assert after.seats[A].trail[-1] == "inazawa"


@pytest.mark.rule("tokai 7.2.4")
def test_x14_no_person_passes_through_his_destination() -> None:
    before = table(traveller("ichinomiya", to="inazawa"), roll=3)
    refused = refusal(before, A, "/go jr_tokaido biwajima")
    assert (refused.code, refused.params["point"]) == ("beyond", "inazawa")
    _, events = play(before, A, "/go jr_tokaido inazawa")
    assert events_of(events, Arrived) == [
        Arrived(A, PointId("inazawa"), payoff(PointId("ichinomiya"), PointId("inazawa")), 23)
    ]


@pytest.mark.rule("tokai 7.2.2.1")
def test_x15_eight_steps_from_nagoya_with_and_without_an_express_ticket() -> None:
    with_ticket = table(traveller("nagoya", to="toyohashi", express=True), roll=8)
    without = table(traveller("nagoya", to="toyohashi"), roll=8)
    after, _ = play(with_ticket, A, "/go meitetsu_main naka_okazaki")
    assert after.seats[A].trail[-1] == "naka_okazaki"
    after, _ = play(without, A, "/go meitetsu_main chukyo_keibajo_mae")
    assert len(after.seats[A].trail) == 1 + 8
    assert refusal(without, A, "/go meitetsu_main naka_okazaki").code == "too_far"
    refused = refusal(with_ticket, A, "/go meitetsu_main arimatsu")
    assert (refused.code, refused.rule) == ("passed_by", "7.2.2.1")


@pytest.mark.rule("tokai 8.1", "tokai 6.5")
@pytest.mark.parametrize("ends", [("fujigaoka", "okazaki"), ("okazaki", "fujigaoka")])
def test_x16_fujigaoka_to_okazaki_pays_17_000_yen_both_routes(ends: tuple[str, str]) -> None:
    origin, end = map(PointId, ends)
    before = table(traveller(ends[0]), phase=Phase.DEST)
    after, events = play(before, A, f"/dest {ends[1]}", dice(1, 2))
    assert events_of(events, DestinationSet) == [DestinationSet(A, origin, end, 17)]
    assert after.seats[A].payoff == 17


@pytest.mark.rule("tokai 8.1")
def test_x16_it_pays_17_000_yen_whatever_route_was_taken() -> None:
    """Round by Tajimi instead of along the Aichi Loop from Yakusa."""
    passed = ["kozoji", "jokoji", "kokokei", "tajimi", "koda"]
    before = table(traveller("fujigaoka", *passed, to="okazaki"), roll=5)
    _, events = play(before, A, "/go jr_tokaido okazaki")
    assert events_of(events, Arrived) == [Arrived(A, PointId("okazaki"), 17, 37)]


@pytest.mark.rule("tokai 7.2.6", "tokai 7.2.7", "tokai 13.1", "tokai 17.2")
def test_x38_a_ride_to_tamanoi_strands_and_is_warned_of() -> None:
    rider = traveller("inazawa", to="sukaguchi")
    before = table(rider, roll=3, owners={"linimo": A})
    before, _ = play(before, A, "/go jr_tokaido ichinomiya")
    leg = GAME.grammar.parse("/go meitetsu_tsushima tamanoi")
    assert GAME.is_rash(before, A, leg)
    assert refusal(but(before, strict=True), A, "/go meitetsu_tsushima tamanoi").rule == "17.2"
    after = outcome(before, A, "/go meitetsu_tsushima tamanoi", dice(2, 2)).state
    # B rides, and A's next roll, whatever it is, leaves no way.
    ended, events = play(sound(after), B, "/go kintetsu_nagoya masuo", dice(1, 2))
    assert events_of(events, Stranded) == [Stranded(A, 3)]
    assert (ended.phase, ended.owners, ended.seats[A].cash) == (Phase.OVER, Keyed(), 0)


def test_the_route_from_kozoji_to_owari_seto_is_four_steps_and_two_lead_back_to_the_loop() -> None:
    kozoji, seto = POINT_AT[PointId("kozoji")], POINT_AT[PointId("owari_seto")]
    (loop,) = ways(LINE_AT[LineId("aichi_loop")], kozoji, POINT_AT[PointId("seto_shi")])
    (line,) = ways(LINE_AT[LineId("meitetsu_seto")], seto, POINT_AT[PointId("seto_shi")])
    for express in (False, True):
        assert loop.steps(express=express) + line.steps(express=express) == 4
        assert line.steps(express=express) == 2
