"""A finished game that the server wants analysed: in pieces by the workers, as good as time allows.

First everything is judged, with as many playouts as the budget is enough for; where that would be
too few to say something, only some moves are, spread evenly over what is left of the game: of those
that complete a plan, where plans are decided on. What then looks most like a turning point was
partly picked for its error: that is judged once more on other deals, by more playouts, and what
holds is told. Both together have a bound.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

from bluebear.clients.bots.analysis_report import POINTS, Told, told_of, weight_of
from bluebear.clients.bots.search.analysis import Entry
from bluebear.clients.bots.search.analysis_chunks import AnalysisChunk, Studied
from bluebear.clients.bots.search.jobs import NoRulesError, rules_of
from bluebear.clients.bots.search.worker import LostError
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.clients.bots.strategies import Games
from bluebear.clients.sdk import AnalysisWanted
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.record import RecordError, parse_record

SECONDS: Final = 40.0
"""So much processor time is for the first look at a whole game, and one move's more."""
AGAIN_SECONDS: Final = 20.0
"""So much is for what is judged once more, and one move's more."""
PIECE_SECONDS: Final = 0.5
"""After so much of it, others who want to think have their turn."""
PLAYOUTS_FIRST: Final = 8
PLAYOUTS_LEAST: Final = 6
PLAYOUTS_MOST: Final = 60
"""Of a comparison: with the first it is seen how long playouts take, and more find little more."""
AGAIN: Final = 2 * POINTS
"""So many entries are judged once more at most."""
AGAIN_LEAST: Final = 24
AGAIN_PLAYOUTS: Final = 60
"""Playouts of a comparison that is made once more: with fewer than the least fewer are made."""
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
        entries, of = await study.entries()
        told: Told | None = told_of(game, record, entries, of=of)
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

    async def entries(self) -> tuple[list[Entry], int]:
        """What was judged, in the order of the game, and how many entries the game has.

        Raises BusyError, LostError, RuntimeError.
        """
        made: dict[int, Entry] = {}
        left, playouts, of = SECONDS, PLAYOUTS_FIRST, 1
        which: tuple[int, ...] = (0,)
        each = 0.0
        while which:
            studied = await self._study(which, playouts, self._seed)
            if not studied.entries:
                break
            made.update(zip(which, studied.entries, strict=False))
            of, left = studied.of, left - studied.seconds
            each = studied.seconds / len(studied.entries) / playouts
            after = range(which[len(studied.entries) - 1] + 1, of)
            number = within(left, each * PLAYOUTS_LEAST)
            deciding = tuple(at for at in studied.completing if at in after)
            which = spread(deciding if deciding and number < len(after) else after, number)
            playouts = affordable(left, len(which), each)
        await self._again(made, each)
        return [made[at] for at in sorted(made)], of

    async def _again(self, made: dict[int, Entry], each: float) -> None:
        """What looks most like a turning point, judged on other deals by more playouts."""
        order = sorted(made, key=lambda at: (-weight_of(made[at]), at))
        left = AGAIN_SECONDS
        most = min(AGAIN, within(left, each * AGAIN_LEAST))
        which = tuple(at for at in order[:most] if weight_of(made[at]) > 0)
        playouts = affordable(left, len(which), each, low=AGAIN_LEAST, high=AGAIN_PLAYOUTS)
        while which and left > 0:
            studied = await self._study(which, playouts, self._seed + 1)
            if not studied.entries:
                break
            made.update(zip(which, studied.entries, strict=False))
            left -= studied.seconds
            which = which[len(studied.entries) :]

    async def _study(self, which: tuple[int, ...], playouts: int, seed: int) -> Studied:
        study = AnalysisChunk(self._record, which, playouts, PIECE_SECONDS, seed)
        for _ in range(BUSY_TRIES):
            try:
                return await self._workers.think(self._room, study)
            except BusyError:
                await self._sleep(BUSY_SECONDS)
        raise BusyError


def affordable(
    seconds: float,
    entries: int,
    each: float,
    *,
    low: int = PLAYOUTS_LEAST,
    high: int = PLAYOUTS_MOST,
) -> int:
    """How many playouts a comparison may take, where one takes `each` seconds for an entry."""
    wanted = seconds / max(1, entries) / max(each, 1e-9)
    return int(max(low, min(high, wanted)))


def within(seconds: float, each: float) -> int:
    """How many entries can be judged in the time that is left, where one takes `each` seconds."""
    return max(1, int(seconds / max(each, 1e-9))) if seconds > 0 else 0


def spread(entries: Sequence[int], most: int) -> tuple[int, ...]:
    """So many of some entries at most, spread evenly; one is that in the middle, so that there is
    something to go on with where its time was guessed too high.
    """
    number = min(len(entries), most)
    if number == 1:
        return (entries[len(entries) // 2],)
    return tuple(entries[(at + 1) * len(entries) // number - 1] for at in range(number))
