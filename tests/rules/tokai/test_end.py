"""How a game ends: sections 12 and 13."""

from __future__ import annotations

import pytest

from bluebear.rules.core.game import ScoreLine, Standing
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules.events import (
    GameOver,
    LastLineSold,
    LeftAlone,
    LimitReached,
    LinesReturned,
    Stranded,
)
from bluebear.rules.tokai.rules.state import Ending, Phase, State
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    C,
    D,
    E,
    all_but,
    dice,
    events_of,
    lines,
    names,
    play,
    refusal,
    sentence,
    sound,
    table,
    traveller,
    turn_of_a,
)

STRANDED = traveller("inazawa", "ichinomiya", "oku_cho", "tamanoi", to="sukaguchi", cash=30)
"""In the dead end of Tamanoi."""


def ranks(made: State) -> list[tuple[int, int]]:
    """Place and assets of each seat."""
    result = GAME.result(made)
    assert result is not None
    return [(each.place, each.score) for each in result.standings]


@pytest.mark.rule("tokai 12.1")
def test_the_purchase_of_the_last_line_ends_the_game_at_once() -> None:
    """X-37: no extra half, no fare; 12 in cash and lines of 30 and 8 make 50."""
    owners = {**all_but("linimo"), "subway_higashiyama": A}
    rider = traveller("nagoya", cash=20, express=True)
    made = table(rider, phase=Phase.BUY, owners=owners, dues=[(int(B), 5)], granted=True)
    made, events = play(made, A, "/buy linimo")
    assert events_of(events, LastLineSold) == [LastLineSold(A)]
    assert (made.phase, made.ending) == (Phase.OVER, Ending.LAST_LINE)
    assert made.seats[A].cash == 12
    assert ranks(made)[0] == (2, 50)
    assert GAME.to_move(made) == frozenset()
    assert lines(made, A) == []
    assert refusal(made, A, "/buy none").code == "game_over"


@pytest.mark.rule("tokai 12.2")
def test_assets_are_cash_and_lines_at_face_without_the_ticket() -> None:
    owners = {**all_but("linimo"), "jr_tokaido": A}
    made = table(traveller("nagoya", cash=10, express=True), phase=Phase.BUY, owners=owners)
    made, events = play(made, A, "/buy linimo")
    result = GAME.result(made)
    assert result is not None
    assert result.standings[0] == Standing(A, 2, 2 + 40 + 8)
    assert [line for line in result.breakdown if line.seat == A] == [
        ScoreLine(A, "cash", 2, "12.2"),
        ScoreLine(A, "lines", 48, "12.2"),
    ]
    (over,) = events_of(events, GameOver)
    assert over == GameOver((B,), 20 + 566 - 48)
    assert sentence(over) == "First place, with assets of 538,000 yen: Seat 2. Congratulations!"


@pytest.mark.rule("tokai 12.2")
def test_no_person_has_a_result_while_the_game_continues() -> None:
    assert GAME.result(table(traveller("nagoya"), phase=Phase.BUY)) is None


@pytest.mark.rule("tokai 12.3")
def test_equal_assets_share_a_position_and_those_who_are_out_come_last() -> None:
    """1, 1, 3; then the later out the higher."""
    out = traveller(cash=0)
    made = table(
        traveller("nagoya", cash=13),
        traveller("gifu", cash=5, to="nagoya"),
        out,
        traveller("tsu", cash=1, to="nagoya"),
        out,
        phase=Phase.BUY,
        fallen=(C, E),
        turnlimit=11,
    )
    made, events = play(made, A, "/buy linimo")
    assert ranks(made) == [(1, 13), (2, 5), (5, 0), (3, 1), (4, 0)]
    equal = table(
        traveller("nagoya", cash=20),
        traveller("gifu", cash=20, to="nagoya"),
        seats=3,
        phase=Phase.BUY,
        turnlimit=11,
    )
    equal, events = play(equal, A, "/buy none")
    assert ranks(equal) == [(1, 20), (1, 20), (1, 20)]
    assert events_of(events, GameOver) == [GameOver((A, B, C), 20)]


@pytest.mark.rule("tokai 12.3", "tokai 13.1")
def test_who_is_left_alone_wins_at_once() -> None:
    made, events = turn_of_a(STRANDED, 1, 2, other=traveller("tsu", cash=9))
    assert events_of(events, LeftAlone) == [LeftAlone(B)]
    assert made.ending is Ending.ALONE
    assert ranks(made) == [(2, 0), (1, 9)]


@pytest.mark.rule("tokai 12.4")
def test_the_turn_that_reaches_the_limit_is_the_last() -> None:
    made = table(traveller("nagoya"), phase=Phase.BUY, turnlimit=12, turns=10)
    made, events = play(made, A, "/buy none", dice(1, 2))
    assert made.phase is Phase.MOVE
    made, events = play(made, B, "/go jr_kansai kuwana")
    assert events_of(events, LimitReached) == [LimitReached(12)]
    assert (made.ending, made.turns) == (Ending.TURN_LIMIT, 12)
    assert "PaidBank" in names(events)


@pytest.mark.rule("tokai 12.4")
def test_the_turn_in_which_a_person_leaves_counts() -> None:
    made, events = turn_of_a(STRANDED, 1, 2, other=traveller("tsu", cash=9), seats=3, turnlimit=12)
    assert events_of(events, LimitReached) == [LimitReached(12)]
    assert ranks(made) == [(3, 0), (2, 9), (1, 20)]


@pytest.mark.rule("tokai 13.1")
def test_everything_of_a_stranded_seat_passes_to_the_bank() -> None:
    """X-38: cash, lines and ticket; through tickets for the lines end; no fare is paid."""
    riding_on = traveller("kozoji", to="nagoya", through=("aichi_loop",))
    made, events = turn_of_a(
        STRANDED,
        *(1, 2, 1, 2),
        other=traveller("tsu", cash=9, to="nagoya"),
        seats=3,
        owners={"aichi_loop": A, "linimo": B},
    )
    assert events_of(events, Stranded) == [Stranded(A, 3)]
    assert events_of(events, LinesReturned) == [LinesReturned(A, (LineId("aichi_loop"),))]
    assert dict(made.owners.items()) == {"linimo": B}
    assert made.seats[A].cash == 0
    assert "PaidBank" not in names(events)
    before = table(
        STRANDED,
        traveller("tsu", cash=50, to="nagoya"),
        riding_on,
        phase=Phase.BUY,
        active=C,
        owners={"aichi_loop": A},
    )
    after, _ = play(sound(before), C, "/buy none", dice(1, 2, 1, 2))
    assert after.seats[C].through == ()


@pytest.mark.rule("tokai 13.1", "tokai 11.1")
def test_a_seat_stranded_in_its_extra_half_pays_no_fare() -> None:
    made = table(
        traveller("inazawa", to="sukaguchi", cash=30),
        seats=3,
        roll=3,
        granted=True,
        owners={"jr_tokaido": B},
    )
    ride = "/go jr_tokaido ichinomiya meitetsu_tsushima tamanoi"
    made, events = play(made, A, ride, dice(1, 1, 2))
    assert names(events)[-4:] == ["RolledExtra", "Stranded", "TurnBegan", "RolledSteps"]
    assert made.seats[B].cash == 20
    assert made.dues == ()


@pytest.mark.rule("tokai 13.2")
def test_the_turns_of_a_seat_that_is_out_are_passed_over() -> None:
    made = table(
        traveller("nagoya", cash=0),
        traveller(cash=0),
        traveller("tsu", to="nagoya"),
        traveller("gifu", to="nagoya"),
        phase=Phase.BUY,
        fallen=(B,),
    )
    made, _ = play(made, A, "/buy none", dice(1, 2))
    assert made.active == C
    assert made.seats[B].trail == ()
    assert D in made.living


def test_the_end_is_reported_in_japanese_too() -> None:
    _, events = turn_of_a(STRANDED, 1, 2, other=traveller("tsu", cash=9))
    assert [sentence(event, JA) for event in events[-3:]] == [
        "席1は3駅進むと同じ地点を2度通ることになるため、ゲームから除外されます(13.1)。",
        "残ったのは席2だけなので、ゲーム終了です(12.3)。",
        "資産9,000円で席2の優勝です。おめでとうございます!",
    ]
