"""What an entry says it has changed. The stage compares it after every scene of this folder; here
are the cases that no scene ends with.
"""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import NoChance
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat, but
from bluebear.server.room.reducer import Played, fold, play_directly
from bluebear.server.room.state import Phase, Room
from tests.server.fixtures import GAMES, Stage
from tests.server.room.changes import check_changes, check_direct


def test_several_moves_in_one_entry_change_what_they_change_together(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu")
    game, room, seat = GAMES["railroad_ink"], stage.room, Seat(1)
    first = next(iter(game.legal(room.game, seat)))
    between = game.play(room.game, seat, first, NoChance(room.counter)).state
    second = next(move for move in game.legal(between, seat) if not move.takes_back)
    lines = tuple(map(game.grammar.format, (first, second)))
    entry = but(stage.entries()[-1], seq=room.version + 1, lines=lines)
    step = fold(room, entry, GAMES)
    check_changes(room, step, GAMES)
    chance = NoChance(room.counter)
    alone = game.play(between, seat, second, chance, patches=True).changes
    assert step.changes.game != alone


def test_an_entry_that_does_not_touch_the_table_shares_it(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = stage.room.table
    stage.play("Ben", "hello")
    assert stage.room.table is before
    stage.play("Ayu", "/go mill")
    assert stage.room.table is before


def test_a_plain_move_takes_the_direct_path(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = stage.room
    stage.play("Ayu", "/go mill")
    assert takes_fast_path(stage, before)


@pytest.mark.parametrize("option", ["clock 60+5", "clock 600+0"])
def test_a_move_against_the_clock_does(stage: Stage, option: str) -> None:
    stage.game("journey", "Ayu", "Ben", options=[option])
    before = stage.room
    while stage.room.table.turn == before.table.turn:
        before, seat = stage.room, Seat(stage.room.table.turn[0])
        move = next(iter(GAMES["journey"].plain(before.game, seat)))
        stage.play(before.name_of(seat), GAMES["journey"].grammar.format(move))
    assert takes_fast_path(stage, before)
    assert stage.room.seats != before.seats


def test_a_move_during_a_vote_does_not(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ben", "/pause")
    assert stage.room.table.votes
    before = stage.room
    stage.play("Ayu", "/go mill")
    assert not takes_fast_path(stage, before)


def test_a_move_of_a_person_who_was_slow_does_not(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    table = stage.room.table
    slow = but(table.seats[Seat(1)], timeouts=1)
    before = but(stage.room, table=but(table, seats=table.seats.put(Seat(1), slow)))
    move = GAMES["journey"].grammar.parse("/go mill")
    stage.play("Ayu", "/go mill")
    entry = stage.entries()[-1]
    assert play_directly(before, entry, Played(Seat(1), move), GAMES["journey"]) is None
    assert fold(before, entry, GAMES).room.seats[Seat(1)].timeouts == 0


def test_the_move_that_ends_the_game_does_not(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", options=["rounds 1"])
    stage.play("Ayu", "/seal 1")
    before = stage.room
    stage.play("Ben", "/seal 2")
    assert stage.room.table.phase is Phase.OVER
    assert not takes_fast_path(stage, before)


def test_a_move_that_is_not_allowed_is_refused_equally(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    move = GAMES["journey"].grammar.parse("/go mill")
    entry = but(
        stage.entries()[-1],
        seq=stage.room.version + 1,
        lines=("/go mill",),
        actor=f"p:{stage.people['Ben'].id}",
    )
    refused = []
    for played in (None, Played(Seat(2), move)):
        with pytest.raises(Refusal) as caught:
            fold(stage.room, entry, GAMES, played=played)
        refused.append((caught.value.code, caught.value.params, caught.value.rule))
    assert refused[0] == refused[1]


def takes_fast_path(stage: Stage, before: Room) -> bool:
    """Whether the newest entry takes the direct way, and the same is made of it both ways."""
    entry = stage.entries()[-1]
    return check_direct(before, entry, fold(before, entry, GAMES), GAMES)


def test_changes_are_worked_out_once(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    entries = stage.entries()
    room = fold(None, entries[0], GAMES).room
    changes = fold(room, entries[1], GAMES).changes
    assert changes.table is changes.table
    assert changes.game.public is None
