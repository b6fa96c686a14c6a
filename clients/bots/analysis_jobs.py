"""Analyses a finished game for the server: in chunks by the workers, within a time limit.

First all entries are judged, with as many playouts as the budget allows. If that would be too few,
only some entries are judged, evenly spread: of those that complete a plan, in games with plans. The
apparent turning points were partly selected for their error. So these are judged again on other
deals, with more playouts, and the confirmed ones are reported. Both passes have a time limit.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

from bluebear.clients.bots.analysis_report import POINTS, Json, json_of, weight_of
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
"""Processor time of the first pass over a game; one move may exceed it."""
AGAIN_SECONDS: Final = 20.0
"""Processor time of the second pass; one move may exceed it."""
PIECE_SECONDS: Final = 0.5
"""Time of one chunk, after which other jobs get their turn."""
PLAYOUTS_FIRST: Final = 8
PLAYOUTS_LEAST: Final = 6
PLAYOUTS_MOST: Final = 60
"""For each comparison: the first one measures the time of a playout, and more improve little."""
AGAIN: Final = 2 * POINTS
"""Maximum number of entries in the second pass."""
AGAIN_LEAST: Final = 24
AGAIN_PLAYOUTS: Final = 60
"""Playouts of a comparison in the second pass; with less time fewer, down to the minimum."""
BUSY_SECONDS: Final = 2.0
BUSY_TRIES: Final = 30
"""An analysis retries while the pool is overloaded; players do not wait."""
FRAGMENT_MAX: Final = 1500
"""Maximum number of characters of one line of a reply."""


async def analysed_lines(
    wanted: AnalysisWanted,
    workers: Workers,
    games: Games,
    chance: Chance,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> list[str]:
    """The lines of the reply to the server. Always replies."""
    try:
        record = parse_record(wanted.record)
        game = rules_of(games, record.head.game, record.head.rules)
        study = _Studying(wanted, workers, chance.pick(2**32), sleep)
        entries, of = await study.entries()
        analysis: Json | None = json_of(game, record, entries, of=of)
    except (BusyError, LostError, NoRulesError, RecordError, RuntimeError):
        analysis = None
    return list(fragments(wanted.number, analysis))


def fragments(number: int, analysis: Json | None) -> Iterator[str]:
    """A reply in lines of limited length: `+` precedes each fragment but the last."""
    text = json.dumps(analysis, separators=(",", ":"), ensure_ascii=False)
    for at in range(0, len(text), FRAGMENT_MAX):
        sign = "+" if at + FRAGMENT_MAX < len(text) else "."
        yield f"/analysed {number} {sign} {text[at : at + FRAGMENT_MAX]}"


class _Studying:
    """One analysis. Owned by `analysed_lines`."""

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
        """The judged entries in the order of the game, and the number of entries of the game.

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
        """Judge the apparent turning points again, on other deals with more playouts."""
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
    """The number of playouts of a comparison, if one takes `each` seconds for an entry."""
    wanted = seconds / max(1, entries) / max(each, 1e-9)
    return int(max(low, min(high, wanted)))


def within(seconds: float, each: float) -> int:
    """The number of entries that can be judged in `seconds`, if one takes `each` seconds."""
    return max(1, int(seconds / max(each, 1e-9))) if seconds > 0 else 0


def spread(entries: Sequence[int], most: int) -> tuple[int, ...]:
    """At most `most` of some entries, evenly spread; if only one, the middle one, which is still a
    result if the time was estimated too high.
    """
    number = min(len(entries), most)
    if number == 1:
        return (entries[len(entries) // 2],)
    return tuple(entries[(at + 1) * len(entries) // number - 1] for at in range(number))
