"""The worked examples K20 to K28: buildings, contracts, the end; by name."""

from __future__ import annotations

import pytest

from bluebear.rules.tokugawa.data.map_tables import PROVINCES
from bluebear.rules.tokugawa.data.terms import Building, Side, Town
from bluebear.rules.tokugawa.rules import scoring
from bluebear.rules.tokugawa.rules.events import Completed, Fulfilled, Opened, Won
from bluebear.rules.tokugawa.rules.state import Ending, Phase, Work
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import (
    SUN,
    A,
    B,
    after,
    done,
    happened,
    lines,
    position,
    why,
)

NARA = Town("nara")


@pytest.mark.rule("tokugawa 10.8", "tokugawa 4.2", "tokugawa 8.3")
def test_k20_castle() -> None:
    table = position("A nara archer", "A hagi archer", "A kano archer", "B osaka sword")
    table = done(table, A, "/build castle nara").state
    assert (table.actions, table.seats[A].koku) == (3, 11)
    assert table.sites[NARA].castle is Work.NEW
    assert why(table, A, "/build castle kyoto").code == "castle_in_province"
    theirs = done(table, A, "/pass").state
    chance = ScriptedChance(SUN, 5, 0, 0, 5, 5)
    fight = after(theirs, "/attack osaka nara road", chance=chance)
    # The capital could support the defender, who needs no help.
    outcome = done(fight, A, "/support done", chance)
    assert outcome.events[-1].against == 12  # type: ignore[attr-defined]  # Lost has totals
    begun_turn = done(outcome.state, B, "/pass")
    assert happened(begun_turn, Completed) == [Completed(A, NARA)]
    assert begun_turn.state.sites[NARA].castle is Work.DONE
    made = after(begun_turn.state, "/build castle hagi")
    rich = position(
        "A nara archer",
        "A hagi archer",
        "A kano archer",
        "A ueno archer",
        built=["A nara castle", "A hagi castle", "A kano new-castle"],
    )
    assert made.seats[A].pieces[Building.CASTLE] == 1
    assert why(rich, A, "/build castle ueno").code == "no_piece_left"


@pytest.mark.rule("tokugawa 10.9", "tokugawa 8.2")
def test_k21_shrine() -> None:
    table = position("A nara spear", "B ueno spear", koku=(15, 15))
    built = done(table, A, "/build shrine nara").state
    assert (built.actions, built.seats[A].koku) == (2, 12)
    chance = ScriptedChance(SUN, 5, 2, 2, 2, 2)
    fight = done(built, A, "/attack nara ueno road", chance).state
    outcome = done(fight, A, "/support done", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert won.total == 6 + 1

    theirs = done(built, A, "/pass").state
    chance = ScriptedChance(SUN, 5, 2, 2, 2, 2)
    fight = done(theirs, B, "/attack ueno nara road", chance).state
    outcome = done(fight, A, "/support done", chance)
    assert outcome.events[-1].against == 6 + 1 + 1  # type: ignore[attr-defined]  # Lost has totals


@pytest.mark.rule("tokugawa 10.10", "tokugawa 4.4")
def test_k22_wall() -> None:
    table = position("A nara spear", "B ueno spear")
    walled = done(table, A, "/build wall nara").state
    assert (walled.actions, walled.seats[A].koku) == (3, 13)
    chance = ScriptedChance(SUN, 5, 2, 2, 2, 2)
    fight = done(walled, A, "/attack nara ueno road", chance).state
    (won,) = happened(done(fight, A, "/support done", chance), Won)
    assert isinstance(won, Won)
    assert (won.total, won.against) == (7, 7)


@pytest.mark.rule("tokugawa 10.7")
def test_k23_smithy() -> None:
    table = position("A nara spear", "A hagi archer weak")
    assert why(table, A, "/forge hagi").code == "no_smithy"
    built = done(table, A, "/build smithy nara").state
    assert (built.actions, built.seats[A].koku) == (2, 14)
    forged = done(built, A, "/forge hagi").state
    piece = forged.pieces[Town("hagi")]
    assert (piece.back, piece.weak, forged.actions, forged.seats[A].koku) == (True, True, 1, 14)
    assert why(forged, A, "/forge hagi").code == "forged_already"
    lost = position("A nara spear", "A hagi archer")
    assert why(lost, A, "/forge nara").code == "no_smithy"


@pytest.mark.rule("tokugawa 10.3", "tokugawa 10.2")
@pytest.mark.parametrize(
    ("ports", "taken"), [(("osaka", "hagi"), True), (("osaka", "osaka"), False)]
)
def test_k24_contract_of_three_ships(ports: tuple[str, str], taken: bool) -> None:
    first, second = ports
    built = [f"A {first} ship", f"A {second} ship"] if first != second else ["A osaka ship ship"]
    table = position("A tsuruga archer", built=built, cards={Side.CENTRE: "C1"})
    made = done(table, A, "/build ship tsuruga").state
    outcome = done(made, A, "/stay", ScriptedChance(0))
    assert bool(happened(outcome, Fulfilled)) is taken
    if taken:
        assert outcome.state.seats[A].contracts == ("C1",)
        assert happened(outcome, Opened) == [
            Opened(Side.CENTRE, outcome.state.open[Side.CENTRE], 4)
        ]


@pytest.mark.rule("tokugawa 11.2", "tokugawa 11.3")
def test_k25_the_third_contract_ends_the_game_and_may_lose_it() -> None:
    theirs = ["mito archer", "sendai archer", "kubota archer", "morioka archer", "hagi archer"]
    table = position(
        "A osaka archer",
        "A nara archer",
        *(f"B {each}" for each in theirs),
        built=["B mito garden", "B sendai garden"],
        koku=(20, 10),
        cards={Side.WEST: "W1"},
        taken={A: ["C2", "C3"], B: ["E2", "E3"]},
    )
    ended = done(table, A, "/levy archer himeji", ScriptedChance(0)).state
    assert (ended.phase, ended.ending, ended.winner) == (Phase.OVER, Ending.CONTRACTS, B)
    points = scoring.points_of(ended)
    assert (points[A].total, points[B].total) == (17, 19)
    assert (points[A].contracts, points[B].contracts) == (12, 9)


@pytest.mark.rule("tokugawa 11.3")
def test_k26_majorities() -> None:
    table = position("A nara archer", built=["A nara wall", "B edo garden"], koku=(15, 15))
    points = scoring.points_of(table)
    assert (points[A].koku, points[B].koku) == (0, 0)
    assert (points[A].samurai, points[B].samurai) == (5, 0)
    assert (points[A].buildings, points[B].buildings) == (0, 5)


@pytest.mark.rule("tokugawa 11.5")
@pytest.mark.parametrize("short", [True, False])
def test_k27_short_game(short: bool) -> None:
    table = position(
        "A nara archer",
        "A osaka archer",
        cards={Side.WEST: "W1"},
        taken={A: ["C4"]},
        short=short,
    )
    ended = done(table, A, "/levy archer himeji", ScriptedChance(0)).state
    assert ended.ending is (Ending.SHORT if short else None)


@pytest.mark.rule("tokugawa 11.7")
def test_k28_no_koku() -> None:
    banks = {str(province): 0 for province in PROVINCES}
    table = position("A nara archer", "B ueno archer", koku=(0, 75), banks=banks)
    assert why(table, A, "/levy archer osaka").code == "too_dear"
    assert why(table, A, "/build wall nara").code == "too_dear"
    assert why(table, A, "/attack nara ueno road").rule == "7.2"
    assert why(table, A, "/tax kinki").rule == "5.4"
    can = {line.split()[0] for line in lines(table, A)}
    assert can == {"/move", "/dismiss", "/pass"}
