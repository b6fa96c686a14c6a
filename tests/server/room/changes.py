"""Whether what the fold says has changed is what comparing two rooms finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from rules.core.game import Game
from rules.core.plans import Changes
from rules.core.tree import StateTree
from server.journal import Entry
from server.room.reducer import Folded, fold
from server.room.state import TABLE, Room

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own
N = TypeVar("N")


def folded(entries: Iterable[Entry], games: Games) -> Room | None:
    """The room that entries make, every change on the way compared."""
    room: Room | None = None
    for entry in entries:
        step = fold(room, entry, games)
        check_changes(room, step, games)
        room = step.room
    return room


def check_changes(before: Room | None, step: Folded, games: Games) -> None:
    """The changes of one entry are the differences, and nothing in the room is a draft."""
    after = step.room
    hash(after.table)  # a draft has no hash
    if before is None:
        assert step.changes.table == step.changes.game == Changes(None, {}, secret=False)
        return
    seats = {**before.seats, **after.seats}
    assert step.changes.table == differences(TABLE, before.table, after.table, seats)
    if before.game is None or after.game is None:
        assert step.changes.game == Changes(None, {}, secret=False)
    else:
        tree = games[after.table.game].tree
        assert step.changes.game == differences(tree, before.game, after.game, seats)


def differences(tree: StateTree[N], old: N, new: N, seats: Iterable[Any]) -> Changes:
    """What comparing two nodes finds."""
    owns = {seat: tree.diff_own(old, new, seat) for seat in seats}
    own = {seat: part for seat, part in owns.items() if part is not None}
    return Changes(tree.diff_public(old, new), own, tree.secret_changed(old, new))
