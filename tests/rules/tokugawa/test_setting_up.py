"""Setting up and the start phase: section 3 of the rules, and what is open."""

from __future__ import annotations

from itertools import product

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.visibility import SPECTATOR, Seat
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import PROVINCE_OF, STACKS
from bluebear.rules.tokugawa.data.terms import Side, Town, Weapon
from bluebear.rules.tokugawa.rules.events import Began, Opened, Placed, TurnBegan
from bluebear.rules.tokugawa.rules.state import SEATS, Kind, Phase, Piece, State
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import A, B, after, done, lines, why

KYOTO, YEDO = Town("kyoto"), Town("edo")


def begun(*picks: int) -> Outcome[State]:
    """The set-up with these draws: who has Kyoto, who begins, a card of each stack."""
    return GAME.setup(GAME.info.complete({}), 2, ScriptedChance(*picks))


def placed_out(table: State, seed: int = 1) -> Outcome[State]:
    """What comes of the last of sixteen random placings."""
    chance = FastChance(seed)
    while True:
        assert table.decides is not None
        moves = lines(table, table.decides)
        made = done(table, table.decides, moves[chance.pick(len(moves))])
        if made.state.phase is not Phase.PLACING:
            return made
        table = made.state


@pytest.mark.rule("tokugawa 3.2")
def test_a_card_of_each_stack_lies_open_and_three_are_below() -> None:
    made = begun(0, 0, 2, 0, 3)
    assert dict(made.state.open) == {Side.WEST: "W3", Side.CENTRE: "C1", Side.EAST: "E4"}
    assert dict(made.state.stacks) == {
        Side.WEST: ("W1", "W2", "W4"),
        Side.CENTRE: ("C2", "C3", "C4"),
        Side.EAST: ("E1", "E2", "E3"),
    }
    opened = [event for event in made.events if isinstance(event, Opened)]
    assert [(each.side, each.deal, each.points) for each in opened] == [
        (Side.WEST, "W3", 5),
        (Side.CENTRE, "C1", 3),
        (Side.EAST, "E4", 6),
    ]


@pytest.mark.rule("tokugawa 3.2")
def test_every_card_of_a_stack_may_come_first() -> None:
    for side, at in product(Side, range(4)):
        picks = [at if each is side else 0 for each in Side]
        assert begun(0, 0, *picks).state.open[side] == STACKS[side][at]


@pytest.mark.rule("tokugawa 3.3")
@pytest.mark.parametrize(("first", "second"), list(product((0, 1), repeat=2)))
def test_chance_says_who_has_kyoto_and_who_begins(first: int, second: int) -> None:
    made = begun(first, second, 0, 0, 0)
    table = made.state
    kyoto, start = SEATS[first], SEATS[second]
    assert (table.seats[kyoto].capital, table.start, table.decides) == (KYOTO, start, start)
    assert table.seats[Seat(3 - kyoto)].capital == YEDO
    assert made.events[0] == Began(kyoto, Seat(3 - kyoto), start)


@pytest.mark.rule("tokugawa 3.4", "tokugawa 3.1")
def test_the_table_is_bare_but_for_two_fresh_capitals() -> None:
    table = begun(1, 0, 0, 0, 0).state
    assert dict(table.pieces) == {
        YEDO: Piece(A, Kind.CAPITAL, back=False, weak=False),
        KYOTO: Piece(B, Kind.CAPITAL, back=False, weak=False),
    }
    assert not len(table.sites)
    assert (table.number, table.actions, table.phase) == (0, 0, Phase.PLACING)


@pytest.mark.rule("tokugawa 3.5")
def test_samurai_are_placed_free_of_charge_and_front_up() -> None:
    table = begun(0, 0, 0, 0, 0).state
    made = done(table, A, "/place sword nara")
    assert made.events == (Placed(A, Kind.SWORD, Town("nara")),)
    assert made.state.pieces[Town("nara")] == Piece(A, Kind.SWORD, back=False, weak=False)
    assert made.state.seats[A].koku == 15
    assert made.state.seats[A].samurai[Weapon.SWORD] == 4


@pytest.mark.rule("tokugawa 3.5", "tokugawa 3.6")
@pytest.mark.parametrize("seed", range(5))
def test_each_ends_with_one_samurai_in_each_province_that_is_open_to_him(seed: int) -> None:
    table = begun(0, seed % 2, 0, 0, 0).state
    made = placed_out(table, seed)
    last = made.state
    for seat in SEATS:
        of_seat = [town for town, piece in last.pieces.items() if piece.owner == seat]
        theirs = last.seats[Seat(3 - seat)].capital
        where = [PROVINCE_OF[town] for town in of_seat if town not in (KYOTO, YEDO)]
        assert len(where) == len(dict.fromkeys(where)) == 8
        assert PROVINCE_OF[theirs] not in where
        kinds = [last.pieces[town].kind for town in of_seat]
        assert [kinds.count(kind) for kind in Kind] == [5, 2, 1, 1]
    assert made.events[-1] == TurnBegan(table.start, round=1, actions=1)


@pytest.mark.rule("tokugawa 3.5")
def test_an_occupied_town_is_refused() -> None:
    table = after(begun(0, 0, 0, 0, 0).state, "/place archer okayama")
    no = why(table, B, "/place archer okayama")
    assert (no.code, no.rule, no.params) == ("occupied", "3.5", {"town": "okayama"})


@pytest.mark.rule("tokugawa 3.6")
def test_nothing_else_is_done_in_the_start_phase() -> None:
    table = begun(0, 0, 0, 0, 0).state
    assert (why(table, A, "/pass").code, why(table, A, "/pass").rule) == ("place_now", "3.6")
    assert why(table, B, "/place archer okayama").params == {"other": A}


@pytest.mark.rule("tokugawa 12.1")
def test_everything_is_open_to_all_people() -> None:
    table = placed_out(begun(0, 0, 0, 0, 0).state).state
    views = [GAME.tree.view(table, eyes) for eyes in (SPECTATOR, frozenset({A}), frozenset({B}))]
    assert views[0] == views[1] == views[2]
    assert GAME.tree.load(views[0]) == table


@pytest.mark.rule("tokugawa 12.1")
def test_what_arrives_next_in_a_stack_is_drawn_when_it_is_opened() -> None:
    """So no player can know it before, and no view could show it."""
    table = begun(0, 0, 0, 0, 0).state
    assert [list(stack) for stack in table.stacks.values()] == [
        sorted(stack) for stack in table.stacks.values()
    ]
