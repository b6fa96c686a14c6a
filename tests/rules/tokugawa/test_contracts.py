"""Contracts and the end of the game: sections 10.2, 10.3 and 11 of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from bluebear.rules.core.game import ScoreLine, Standing
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.terms import Contract, Side
from bluebear.rules.tokugawa.rules.events import (
    Counted,
    Fulfilled,
    GameDrawn,
    GameWon,
    Opened,
    TurnBegan,
)
from bluebear.rules.tokugawa.rules.scoring import buildings_of, points_of, samurai_of
from bluebear.rules.tokugawa.rules.state import Ending, Phase, State
from bluebear.rules.tokugawa.rules.turns import UNDECIDED
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import A, B, after, done, happened, lines, position, why

HOME = ("A osaka archer", "A nara spear weak")
"""All of W1 but Himeji."""


@pytest.mark.rule("tokugawa 10.2")
def test_a_contract_is_taken_after_the_action_that_fulfils_it() -> None:
    table = position(*HOME, cards={Side.WEST: "W1"})
    made = done(table, A, "/levy sword himeji", ScriptedChance(1))
    assert happened(made, Fulfilled) == [Fulfilled(A, Contract("W1"), points=3, total=3)]
    assert [(each.side, each.deal) for each in happened(made, Opened)] == [("west", "W3")]
    assert made.state.seats[A].contracts == ("W1",)
    assert dict(made.state.stacks)[Side.WEST] == ("W2", "W4")
    assert made.state.decided == made.state.number


@pytest.mark.rule("tokugawa 10.2")
def test_a_free_thing_is_followed_by_a_check_too() -> None:
    """Nothing free fulfils a contract; but whatever was fulfilled is taken then at the latest."""
    table = position(*HOME, "A himeji archer", cards={Side.WEST: "W1"})
    made = done(table, A, "/build wall kyoto", ScriptedChance(0))
    assert happened(made, Fulfilled)


@pytest.mark.rule("tokugawa 10.2", "tokugawa 4.2")
def test_a_contract_is_taken_when_the_turn_begins() -> None:
    """The enemy had it fulfilled all the time, but it lay below."""
    theirs = ("B uraga archer", "B kamakura archer", "B utsunomiya archer")
    table = position("A nara archer", *theirs, cards={Side.EAST: "E1"})
    before = done(table, A, "/levy archer osaka")
    assert not happened(before, Fulfilled)
    made = done(before.state, A, "/pass", ScriptedChance(0))
    kinds = [type(event) for event in made.events]
    assert kinds[-3:] == [TurnBegan, Fulfilled, Opened]
    assert made.state.seats[B].contracts == ("E1",)


THEIRS = ("B uraga archer", "B kamakura archer", "B utsunomiya archer")
"""All of E1."""


@pytest.mark.rule("tokugawa 10.11")
@pytest.mark.parametrize(("at_once", "taken"), [(False, []), (True, [B])])
def test_the_other_player_takes_a_contract_at_once_only_by_the_option(
    *, at_once: bool, taken: list[Seat]
) -> None:
    cards = {Side.EAST: "E1"}
    table = position("A nara archer", *THEIRS, cards=cards, contracts_at_once=at_once)
    made = done(table, A, "/levy archer osaka", ScriptedChance(0))
    assert [event.seat for event in happened(made, Fulfilled)] == taken
    assert made.state.decides == A, "the turn goes on"


@pytest.mark.rule("tokugawa 10.11")
def test_at_once_the_seat_on_turn_takes_first_and_what_opens_is_checked_for_both() -> None:
    table = position(
        *HOME,
        *THEIRS,
        cards={Side.WEST: "W1", Side.EAST: "E1"},
        contracts_at_once=True,
    )
    made = done(table, A, "/levy archer himeji", ScriptedChance(0, 0))
    assert [event.seat for event in happened(made, Fulfilled)] == [A, B]


@pytest.mark.rule("tokugawa 10.11", "tokugawa 11.2")
def test_a_third_contract_in_the_other_turn_ends_the_game() -> None:
    cards, taken = {Side.EAST: "E1"}, {B: ["C1", "W4"]}
    table = position("A nara archer", *THEIRS, cards=cards, taken=taken, contracts_at_once=True)
    made = done(table, A, "/levy archer osaka", ScriptedChance(0))
    assert made.state.ending is Ending.CONTRACTS


@pytest.mark.rule("tokugawa 10.11")
def test_contracts_at_once_are_off_unless_chosen() -> None:
    begun = GAME.setup(GAME.info.complete({}), 2, ScriptedChance(*[0] * 9)).state
    assert "contracts_at_once" not in GAME.tree.dump(begun), "as games from before the option"


@pytest.mark.rule("tokugawa 10.2")
def test_a_newly_opened_card_is_checked_before_the_next_stack() -> None:
    towns = ["osaka", "nara", "himeji", "okayama", "hiroshima", "kokura", "nagasaki"]
    table = position(
        *[f"A {town} archer" for town in towns],
        built=["A osaka ship", "A hagi ship", "A uraga ship"],
        cards={Side.WEST: "W1", Side.CENTRE: "C1"},
    )
    made = done(table, A, "/build wall kyoto", ScriptedChance(0, 0, 1))
    assert [event.contract for event in happened(made, Fulfilled)] == ["W1", "W2", "C1"]
    # The third card ends the game; the next one is opened behind it, and no player takes it.
    assert dict(made.state.open) == {Side.WEST: "W3", Side.CENTRE: "C3", Side.EAST: "E2"}
    assert made.state.ending is Ending.CONTRACTS
    # By the first version of the rules no card was opened behind the last contract.
    before = but(table, rules=1)
    old = done(before, A, "/build wall kyoto", ScriptedChance(0, 0))
    assert dict(old.state.open) == {Side.WEST: "W3", Side.EAST: "E2"}
    assert old.state.ending is Ending.CONTRACTS


@pytest.mark.rule("tokugawa 10.2")
def test_a_stack_may_run_out_and_its_last_card_needs_no_draw() -> None:
    table = position(
        *HOME,
        cards={Side.WEST: "W1"},
        taken={B: ["W2"], A: ["W3"]},
    )
    made = done(table, A, "/levy archer himeji")
    assert dict(made.state.open)[Side.WEST] == "W4"
    assert made.state.stacks[Side.WEST] == ()
    last = position(*HOME, cards={Side.WEST: "W1"}, taken={B: ["W2", "W3"], A: ["W4"]})
    made = done(last, A, "/levy archer himeji")
    assert Side.WEST not in made.state.open
    assert not happened(made, Opened)


@pytest.mark.rule("tokugawa 10.2", "tokugawa 10.5")
def test_no_check_between_building_a_ship_and_its_sailing() -> None:
    table = position(
        "A osaka archer", built=["A hagi ship", "A uraga ship"], cards={Side.CENTRE: "C1"}
    )
    built = done(table, A, "/build ship osaka")
    assert not happened(built, Fulfilled)
    made = done(built.state, A, "/stay", ScriptedChance(0))
    assert happened(made, Fulfilled)


@pytest.mark.rule("tokugawa 10.3")
@pytest.mark.parametrize(
    ("himeji", "ships", "taken"),
    [
        ("A himeji archer forged weak", "A osaka ship", True),
        ("B himeji archer", "A osaka ship", False),
    ],
)
def test_the_players_samurai_of_any_kind_on_every_town(
    himeji: str, ships: str, taken: bool
) -> None:
    table = position(*HOME, himeji, built=[ships], cards={Side.WEST: "W1"})
    made = done(table, A, "/build wall kyoto", ScriptedChance(0))
    assert bool(happened(made, Fulfilled)) is taken


@pytest.mark.rule("tokugawa 10.3")
@pytest.mark.parametrize(
    ("built", "taken"),
    [
        (["A osaka ship", "A hagi ship"], True),
        (["A osaka ship ship"], False),
        (["A osaka ship", "B hagi ship"], False),
        (["A hagi ship", "A sendai ship"], True),
    ],
)
def test_ships_in_different_ports_beside_the_towns(built: list[str], taken: bool) -> None:
    towns = ("osaka", "tokushima", "matsuyama", "hiroshima")
    table = position(*[f"A {town} archer" for town in towns], built=built, cards={Side.WEST: "W4"})
    made = done(table, A, "/build wall kyoto", ScriptedChance(0))
    assert bool(happened(made, Fulfilled)) is taken


@pytest.mark.rule("tokugawa 10.3")
def test_what_is_lost_later_does_not_matter() -> None:
    table = position(*HOME, "A himeji archer", taken={A: ["W1"]})
    assert after(table, "/dismiss himeji").seats[A].contracts == ("W1",)


@pytest.mark.rule("tokugawa 11.1")
def test_who_takes_the_capital_wins_whatever_the_points() -> None:
    table = position("A uraga archer", "B nara archer", "B osaka archer", hit=[B], koku=(1, 30))
    chance = ScriptedChance(0, 5, 5, 0, 0)
    made = done(table, A, "/attack uraga edo road", chance)
    assert made.events[-1] == GameWon(A, Ending.CAPITAL)
    result = GAME.result(made.state)
    assert result is not None
    assert result.standings == (Standing(A, 1, 0), Standing(B, 2, 10))


@pytest.mark.rule("tokugawa 11.2")
def test_the_third_contract_ends_the_game_before_anything_else() -> None:
    table = position(*HOME, cards={Side.WEST: "W1"}, taken={A: ["C1", "E4"]}, koku=(15, 30))
    made = done(table, A, "/levy archer himeji", ScriptedChance(0))
    assert (made.state.phase, made.state.ending) == (Phase.OVER, Ending.CONTRACTS)
    kinds = [type(event) for event in made.events[-5:]]
    assert kinds == [Fulfilled, Opened, Counted, Counted, GameWon]
    # 12 of contracts and 5 of samurai against 5 of koku.
    assert made.events[-1] == GameWon(A, Ending.CONTRACTS)
    assert (why(made.state, A, "/pass").code, lines(made.state, A)) == ("game_over", [])


@pytest.mark.rule("tokugawa 11.2", "tokugawa 11.3")
def test_the_third_contract_may_be_the_defeat_of_its_taker() -> None:
    theirs = [f"B {town} archer" for town in ("mito", "sendai", "kubota", "morioka")]
    table = position(
        *HOME,
        *theirs,
        built=["B mito garden"],
        cards={Side.WEST: "W1"},
        taken={A: ["C1", "E1"], B: ["C2", "E2"]},
        koku=(5, 20),
    )
    made = done(table, A, "/levy archer himeji", ScriptedChance(0))
    assert made.state.winner == B
    points = points_of(made.state)
    assert (points[A].total, points[B].total) == (9, 8 + 15)


@pytest.mark.rule("tokugawa 11.3")
def test_what_counts_as_a_building() -> None:
    table = position(
        "A nara archer",
        built=["A kyoto castle wall shrine smithy", "A osaka ship ship wall", "A nara garden wall"],
    )
    assert buildings_of(table, A) == 6
    assert buildings_of(position(built=["A kyoto new-castle new-shrine"]), A) == 2
    assert buildings_of(table, B) == 0


@pytest.mark.rule("tokugawa 11.3", "tokugawa 3.4")
def test_capitals_are_no_samurai_for_the_majority() -> None:
    table = position("A nara archer", "A osaka spear", "B uraga sword")
    assert (samurai_of(table, A), samurai_of(table, B)) == (2, 1)
    assert (buildings_of(table, A), points_of(table)[A].total) == (0, 5)


@pytest.mark.rule("tokugawa 11.3")
def test_who_is_equal_gets_none_of_the_five() -> None:
    table = position("A nara archer", "B uraga archer", taken={A: ["W1"]})
    assert [points_of(table)[seat].total for seat in (A, B)] == [3, 0]


def last_turn(
    taken: Mapping[Seat, Sequence[str]] | None = None, koku: tuple[int, int] = (15, 15)
) -> State:
    """The last turn of a game of three rounds."""
    placed = ("A nara archer", "B uraga archer")
    return position(*placed, taken=taken, koku=koku, max_rounds=3, number=6, turn=B)


@pytest.mark.rule("tokugawa 11.4")
def test_a_tie_passes_to_more_contract_points_or_to_no_person() -> None:
    tied = last_turn(taken={A: ["W3"]}, koku=(10, 20))
    made = done(tied, B, "/pass")
    assert [event.points for event in happened(made, Counted)] == [5, 5]
    assert made.events[-1] == GameWon(A, Ending.ROUNDS)
    equal = done(last_turn(), B, "/pass")
    assert equal.events[-1] == GameDrawn(Ending.ROUNDS)
    result = GAME.result(equal.state)
    assert result is not None
    assert result.standings == (Standing(A, 1, 0), Standing(B, 1, 0))


@pytest.mark.rule("tokugawa 11.5")
@pytest.mark.parametrize(
    ("contracts", "short", "ending"),
    [(["C4"], True, Ending.SHORT), (["C4"], False, None), (["C2"], True, None)],
)
def test_ten_points_end_the_short_game(
    contracts: list[str], short: bool, ending: Ending | None
) -> None:
    table = position(
        *HOME,
        cards={Side.WEST: "W1", Side.CENTRE: "C1"},
        taken={A: contracts},
        short=short,
    )
    made = done(table, A, "/levy archer himeji", ScriptedChance(0))
    assert made.state.ending is ending


@pytest.mark.rule("tokugawa 11.5")
def test_three_small_contracts_end_the_short_game_too() -> None:
    table = position(*HOME, cards={Side.WEST: "W1"}, taken={A: ["C1", "E1"]}, short=True)
    made = done(table, A, "/levy archer himeji", ScriptedChance(0))
    assert made.state.ending is Ending.CONTRACTS


@pytest.mark.rule("tokugawa 11.6")
def test_after_the_last_round_victory_points_decide() -> None:
    first = position("A nara archer", "B uraga archer", max_rounds=3, number=5)
    assert after(first, "/pass").decides == B
    made = done(last_turn(koku=(16, 14)), B, "/pass")
    assert (made.state.phase, made.state.ending) == (Phase.OVER, Ending.ROUNDS)
    assert made.events[-1] == GameWon(A, Ending.ROUNDS)


@pytest.mark.rule("tokugawa 11.6", "tokugawa 17.7")
def test_without_a_limit_only_a_long_time_without_any_decision_ends_a_game() -> None:
    number = 2 * UNDECIDED
    going = position("A nara archer", max_rounds=0, number=number, decided=1)
    assert after(going, "/pass").decides == B
    stuck = position("A nara archer", max_rounds=0, number=number, decided=0)
    assert done(stuck, A, "/pass").state.ending is Ending.ROUNDS


@pytest.mark.rule("tokugawa 11.3", "tokugawa 10.4")
def test_the_breakdown_of_the_score() -> None:
    made = done(last_turn(taken={A: ["W3"]}, koku=(10, 20)), B, "/pass")
    result = GAME.result(made.state)
    assert result is not None
    assert result.breakdown[:4] == (
        ScoreLine(A, "koku", 0, "11.3"),
        ScoreLine(A, "samurai", 0, "11.3"),
        ScoreLine(A, "buildings", 0, "11.3"),
        ScoreLine(A, "contracts", 5, "10.4"),
    )
    assert GAME.result(last_turn()) is None
