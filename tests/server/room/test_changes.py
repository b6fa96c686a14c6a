"""What an entry says it has changed. The stage compares it after every scene of this folder; here
are the cases that no scene ends with.
"""

from __future__ import annotations

from rules.core.chance import Sealed
from rules.core.vision import Seat, but
from server.room.reducer import fold
from tests.server.room.changes import check_changes
from tests.server.scene import GAMES, Stage


def test_several_moves_in_one_entry_change_what_they_change_together(stage: Stage) -> None:
    stage.game("railroad_ink", "Ayu")
    game, room, seat = GAMES["railroad_ink"], stage.room, Seat(1)
    first = next(iter(game.legal(room.game, seat)))
    between = game.play(room.game, seat, first, Sealed(room.counter)).state
    second = next(move for move in game.legal(between, seat) if not move.takes_back)
    lines = tuple(map(game.grammar.format, (first, second)))
    entry = but(stage.entries()[-1], seq=room.version + 1, lines=lines)
    step = fold(room, entry, GAMES)
    check_changes(room, step, GAMES)
    alone = game.play(between, seat, second, Sealed(room.counter)).changes
    assert step.changes.game != alone


def test_an_entry_that_does_not_touch_the_table_shares_it(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = stage.room.table
    stage.play("Ben", "hello")
    assert stage.room.table is before
    stage.play("Ayu", "/go mill")
    assert stage.room.table is before


def test_changes_are_worked_out_once(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    entries = stage.entries()
    room = fold(None, entries[0], GAMES).room
    changes = fold(room, entries[1], GAMES).changes
    assert changes.table is changes.table
    assert changes.game.public is None
