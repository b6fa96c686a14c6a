"""A finished game that the server wants analysed: in pieces by the workers, as good as time allows.

First everything is judged, with as many playouts as the budget is enough for. What then looks most
like a turning point was partly picked for its error: that is judged once more on other deals, by
many playouts, and what holds is told.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from clients.bots.retelling import POINTS, Told, told_of, weight_of
from clients.bots.search.analysis import Entry
from clients.bots.search.jobs import NoRulesError, rules_of
from clients.bots.search.studies import Studied, Study
from clients.bots.search.worker import LostError
from clients.bots.search.workers import BusyError, Workers
from clients.bots.strategies import Games
from clients.sdk import AnalysisWanted
from rules.core.chance import Chance
from rules.core.record import RecordError, parse_record

SECONDS: Final = 40.0
"""So much processor time is for the first look at a whole game."""
PIECE_SECONDS: Final = 0.5
"""After so much of it, others who want to think have their turn."""
PLAYOUTS_FIRST: Final = 8
PLAYOUTS_LEAST: Final = 6
PLAYOUTS_MOST: Final = 60
"""Of a comparison: with the first it is seen how long playouts take, and more find little more."""
AGAIN: Final = 2 * POINTS
"""So many entries are judged once more."""
AGAIN_PLAYOUTS: Final = 60
BUSY_SECONDS: Final = 2.0
BUSY_TRIES: Final = 30
"""Where too much is being thought, an analysis waits; players do not."""
PART_MAX: Final = 1500
"""Characters of one line of an answer."""


async def analysed_lines(
    wanted: AnalysisWanted,
    workers: Workers,
    games: Games,
    chance: Chance,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> list[str]:
    """The lines that answer the server. It always answers."""
    try:
        record = parse_record(wanted.record)
        game = rules_of(games, record.head.game, record.head.rules)
        study = _Studying(wanted, workers, chance.pick(2**32), sleep)
        told: Told | None = told_of(game, record, await study.entries())
    except (BusyError, LostError, NoRulesError, RecordError, RuntimeError):
        told = None
    return list(parts(wanted.number, told))


def parts(number: int, told: Told | None) -> Iterator[str]:
    """An answer as lines that are short enough: `+` before a part that is not the last one."""
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    for at in range(0, len(text), PART_MAX):
        sign = "+" if at + PART_MAX < len(text) else "."
        yield f"/analysed {number} {sign} {text[at : at + PART_MAX]}"


class _Studying:
    """One analysis. Owner: `analysed_lines`."""

    def __init__(
        self,
        wanted: AnalysisWanted,
        workers: Workers,
        seed: int,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._record = wanted.record
        self._room = f"analysis {wanted.number}"
        self._workers = workers
        self._seed = seed
        self._sleep = sleep

    async def entries(self) -> list[Entry]:
        """All entries of the game. Raises BusyError, LostError, RuntimeError."""
        made: list[Entry] = []
        left, playouts, of = SECONDS, PLAYOUTS_FIRST, 1
        while len(made) < of:
            which = tuple(range(len(made), max(of, 1))) if made else (0,)
            studied = await self._study(which, playouts, self._seed)
            made += studied.entries
            of, left = studied.of, left - studied.seconds
            if not studied.entries:
                break
            each = studied.seconds / len(studied.entries) / playouts
            playouts = affordable(left, of - len(made), each)
        return await self._again(made)

    async def _again(self, made: list[Entry]) -> list[Entry]:
        """What looks most like a turning point, judged on other deals by many playouts."""
        order = sorted(range(len(made)), key=lambda at: -weight_of(made[at]))
        which = tuple(at for at in order[:AGAIN] if weight_of(made[at]) > 0)
        while which:
            studied = await self._study(which, AGAIN_PLAYOUTS, self._seed + 1)
            if not studied.entries:
                break
            for at, entry in zip(which, studied.entries, strict=False):
                made[at] = entry
            which = which[len(studied.entries) :]
        return made

    async def _study(self, which: tuple[int, ...], playouts: int, seed: int) -> Studied:
        study = Study(self._record, which, playouts, PIECE_SECONDS, seed)
        for _ in range(BUSY_TRIES):
            try:
                return await self._workers.think(self._room, study)
            except BusyError:
                await self._sleep(BUSY_SECONDS)
        raise BusyError


def affordable(seconds: float, entries: int, each: float) -> int:
    """How many playouts a comparison may take, where one takes `each` seconds for an entry."""
    wanted = seconds / max(1, entries) / max(each, 1e-9)
    return int(max(PLAYOUTS_LEAST, min(PLAYOUTS_MOST, wanted)))
