"""The contract of the first edition, for the games that are not written over yet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.core.chance import Chance
from rules.core.game import NO_CHANGES, Game, Kind
from rules.core.info import Options
from rules.core.plans import Changes
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Eyes, Move, Seat


class Outcome(NamedTuple):
    """What `setup` and `play` return."""

    state: Any
    events: tuple[Event, ...]

    @property
    def changes(self) -> Changes:
        return NO_CHANGES


class OldGame(Game[Any]):
    """A game that lists, refuses and plays by itself, and whose views are plain trees."""

    over_rule = ""

    def turn_rule(self, state: Any) -> str:
        raise TypeError

    def set_up(self, *given: Any) -> Any:
        raise TypeError

    def why_not(self, *given: Any) -> NotAllowed | None:
        raise TypeError

    def after(self, *given: Any) -> None:
        raise TypeError

    def seen(self, state: Any, eyes: Eyes) -> Any:
        return self.tree.view(state, eyes)

    def read_view(self, view: Any) -> Any:
        return view

    @abstractmethod
    def setup(self, options: Options, seats: int, chance: Chance) -> Any: ...

    @abstractmethod
    def legal(self, state: Any, seat: Seat) -> Iterator[Move]: ...  # type: ignore[override]

    @abstractmethod
    def play(self, state: Any, seat: Seat, move: Move, chance: Chance) -> Any: ...

    def kind(self, state: Any, seat: Seat, move: Move) -> Kind:
        return Kind.PLAIN

    def plain(self, state: Any, seat: Seat) -> list[Move]:
        return [
            move for move in self.legal(state, seat) if self.kind(state, seat, move) is Kind.PLAIN
        ]
