"""Groups the moves of a record into plans: all moves of a seat until it waits for the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from bluebear.rules.core.game import Game
from bluebear.rules.core.record import Moment, Moved
from bluebear.rules.core.search_model import SearchModel
from bluebear.rules.core.visibility import Move, Seat


@dataclass(frozen=True, slots=True)
class Plan:
    """One decision: a seat's moves since the start of a simultaneous stretch of the game.

    `begun` is the state at that start, before any move.
    """

    begun: Any  # Any: the game's own state class
    moves: tuple[Move, ...]


class _Stretch(NamedTuple):
    """The number of entries at its start, and the state then."""

    entries: int
    state: Any


class Drafts:
    """Follows a record entry by entry, including undone ones. Owned by the record's reader."""

    def __init__(self, game: Game[Any], thinker: SearchModel[Any]) -> None:
        self._game = game
        self._thinker = thinker
        self._stood: list[tuple[Seat, tuple[Move, ...]]] = []
        self._stretches: list[_Stretch] = []

    def completed(self, before: Moment, after: Moment, line: Moved) -> Plan | None:
        """The plan that an entry has completed; None while its seat may continue."""
        stretch = self._stretch_of(before)
        del self._stood[before.entries :]
        parsed = tuple(self._game.grammar.parse(each) for each in line.lines)
        self._stood.append((line.seat, parsed))
        if self._thinker.rests(after.state, before.state):
            self._stretches.append(_Stretch(after.entries, after.state))
        elif line.seat in self._game.to_move(after.state):
            return None
        made = (moves for seat, moves in self._stood[stretch.entries :] if seat == line.seat)
        return Plan(stretch.state, tuple(move for moves in made for move in moves))

    def _stretch_of(self, before: Moment) -> _Stretch:
        while self._stretches and self._stretches[-1].entries > before.entries:
            self._stretches.pop()
        if not self._stretches:
            self._stretches.append(_Stretch(before.entries, before.state))
        return self._stretches[-1]
