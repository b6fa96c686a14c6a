"""Whether what the fold says has changed is what comparing two rooms finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.type_codecs import Changes
from bluebear.server.room.fold_context import Folded
from bluebear.server.room.reducer import Played, fold, play_directly, takes_plain_moves
from bluebear.server.room.snapshot import dump_room
from bluebear.server.room.state import TABLE, Actor, Phase, Room, lines_of
from bluebear.server.store import Entry
from tests.rules.core.walked_changes import walk_changes

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own


def folded(entries: Iterable[Entry], games: Games) -> Room | None:
    """The room that entries make, every change on the way compared."""
    room: Room | None = None
    for entry in entries:
        step = fold(room, entry, games)
        check_changes(room, step, games)
        check_direct(room, entry, step, games)
        room = step.room
    return room


def check_changes(before: Room | None, step: Folded, games: Games) -> None:
    """The changes of one entry are the differences, and nothing in the room is a draft."""
    after = step.room
    hash(after.table)  # a draft has no hash
    if before is None:
        assert step.changes.table == step.changes.game == Changes(None, {}, secret=False)
        return
    assert step.changes.table == walk_changes(TABLE.plan, before.table, after.table)
    if before.game is None or after.game is None:
        assert step.changes.game == Changes(None, {}, secret=False)
    else:
        tree = games[after.table.game].tree
        assert step.changes.game == walk_changes(tree.plan, before.game, after.game)


def check_direct(before: Room | None, entry: Entry, step: Folded, games: Games) -> bool:
    """Who hands the move of an entry to the fold gets what reading its line gets.

    Returns whether the entry took the direct way.
    """
    played = None if before is None else played_by(before, entry, games)
    if before is None or played is None:
        return False
    game = games[before.table.game]
    is_plain = takes_plain_moves(before.table)
    direct = play_directly(before, entry, played, game) if is_plain else None
    given = fold(before, entry, games, played=played)
    check_changes(before, given, games)
    assert given.room == step.room
    assert given.events == step.events
    assert given.digest == step.digest
    assert given.changes.table == step.changes.table
    assert given.changes.game == step.changes.game
    assert lines_of(given.room.recorded) == lines_of(step.room.recorded)
    assert dump_room(given.room, games) == dump_room(step.room, games), game.info.key
    return direct is not None


def played_by(room: Room, entry: Entry, games: Games) -> Played | None:
    """The move that the engine may hand on with an entry; None where the line is none."""
    actor = Actor(entry.actor)
    seat = actor.house_seat or (room.seat_of(actor.person) if actor.person else None)
    if len(entry.lines) != 1 or seat is None or room.table.phase is not Phase.PLAYING:
        return None
    try:
        return Played(seat, games[room.table.game].grammar.parse(entry.lines[0]))
    except NotUnderstood:
        return None
