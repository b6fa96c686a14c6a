"""Chunks of an analysis: some entries of a finished game, judged by a worker in a short time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from bluebear.clients.bots.search.analysis import Entry, RecordEntry, judged, passages
from bluebear.clients.bots.search.budget import Playouts
from bluebear.clients.bots.search.jobs import rules_of
from bluebear.clients.bots.search.playouts import PlayoutCancelled
from bluebear.clients.bots.strategies import Games
from bluebear.rules.core.game import Game
from bluebear.rules.core.record import parse_record

SEARCH_TIMES: Final = 4
"""The search for the best move gets this multiple of the playouts of a comparison."""


@dataclass(frozen=True, slots=True)
class AnalysisChunk:
    """A job: judges entries of a record, `which` from 0, as many as `seconds` allow, and at least
    one.
    """

    record: str
    which: tuple[int, ...]
    playouts: int
    seconds: float
    seed: int

    def within(self, seconds: float) -> AnalysisChunk:
        """The chunk with another time limit."""
        return replace(self, seconds=seconds)

    def done(self, games: Games, stopped: Callable[[], bool]) -> Studied:
        """Judge the entries. Raises NoRulesError, RecordError."""
        head = parse_record(self.record).head
        game = rules_of(games, head.game, head.rules)
        passages = _passages(game, self.record)
        began = time.process_time()
        made: list[Entry] = []
        budget = Playouts(SEARCH_TIMES * self.playouts)
        for at in self.which:
            try:
                made.append(
                    judged(
                        game,
                        passages[at],
                        budget,
                        self.playouts,
                        seed=self.seed,
                        has_budget=lambda: not stopped(),
                    )
                )
            except PlayoutCancelled:
                break
            if time.process_time() - began > self.seconds:
                break
        completing = tuple(at for at, each in enumerate(passages) if each.plan is not None)
        return Studied(len(passages), tuple(made), time.process_time() - began, completing)


@dataclass(frozen=True, slots=True)
class Studied:
    """The judged entries, in the requested order; the record's length; the processor time.

    `completing` are all entries of the record that complete a plan, in games with plans.
    """

    of: int
    entries: tuple[Entry, ...]
    seconds: float
    completing: tuple[int, ...] = ()


@lru_cache(maxsize=1)
def _passages(game: Game[Any], record: str) -> tuple[RecordEntry, ...]:  # Any: any state
    """Replay a record; cached, since the next chunk is usually of the same game."""
    return tuple(passages(game, parse_record(record)))
