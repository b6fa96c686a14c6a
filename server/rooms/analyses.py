"""Analyses of finished games: made by the house's child, kept for whoever asks next.

A game is analysed once, whoever asks and how many; nobody's leaving ends it. The child is given
the whole record, which only those may have who ask: whoever calls has seen to that.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from bluebear.protocol import Think
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.journal import JournalError, Store
from bluebear.server.limits import (
    ANALYSES_KEPT,
    ANALYSES_WAITING,
    ANALYSIS_MAX_CHARACTERS,
    ANALYSIS_PATIENCE_SECONDS,
)
from bluebear.server.observe import count, log
from bluebear.server.rooms.house_bots import BotDispatcher
from bluebear.server.rooms.loading import read_record

ANALYSED: Final = "/analysed "
"""What the child's lines begin with: then come the number, `+` or `.`, and a part of the answer."""


class TurningPoint(Struct, frozen=True, forbid_unknown_fields=True):
    """A turning point: the step of the replay, and the sentence in both languages."""

    step: int
    en: str
    ja: str


class Analysis(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a game was won and lost.

    `names` by seat; `steps` of the replay, after each of which `chances` has the chance of each
    seat to be first, of 100, or nothing in a stage of the game in which chances are not shown as
    numbers; without `numbers` all stages are such. `sums` have for each seat, of 100: what its
    decisions gave away, what draws brought, the error of that, in the stages with numbers; `worse`
    how many decisions more of each were worse than another, in the stages without. Without
    `decisions` none of them could be judged. `text` is all of it for a terminal.
    """

    names: tuple[str, ...]
    decisions: bool
    numbers: bool
    steps: tuple[int, ...]
    chances: tuple[tuple[int, ...], ...]
    sums: tuple[tuple[int, int, int], ...]
    worse: tuple[int, ...]
    points: tuple[TurningPoint, ...]
    text: dict[Lang, str]


class AnalysisService(Protocol):
    """Who has games analysed. Whoever asks may have the record of the game, and has paid."""

    async def known(self, game_id: str) -> Analysis | bool:
        """An analysis that is there; else whether it is just being made."""

    async def analysis(self, game_id: str) -> Analysis:
        """The analysis of a finished game, when it is there.

        Raises NotAllowed: no_such_record, analysis_busy, analysis_failed, not_saved.
        """


_DECODER: Final[msgspec.json.Decoder[Analysis | None]] = msgspec.json.Decoder(Analysis | None)


def read_analysis(text: str) -> Analysis | None:
    """The analysis of a JSON text; None where the child has none, or it is none."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None


@dataclass(slots=True)
class _Asked:
    """One question to the child. Owner: the analyses."""

    number: int
    game_id: str
    patience: asyncio.TimerHandle
    answer: asyncio.Future[Analysis]
    parts: list[str] = field(default_factory=list)
    size: int = 0


class Analyses:
    """All analyses of one engine; owned by it."""

    def __init__(self, desk: BotDispatcher, store: Store) -> None:
        self._desk = desk
        self._store = store
        self._kept: dict[str, Analysis] = {}
        self._asked: dict[int, _Asked] = {}
        desk.answers(ANALYSED, self)

    async def known(self, game_id: str) -> Analysis | bool:
        """See `AnalysisService`."""
        return self._kept.get(game_id) or self._making(game_id) is not None

    async def analysis(self, game_id: str) -> Analysis:
        """See `AnalysisService`."""
        found = self._kept.get(game_id)
        if found is not None:
            return found
        asked = self._making(game_id)
        if asked is None:
            asked = self._begin(game_id)
            try:
                record = await self._record(game_id)
            except NotAllowed as refusal:
                self._fail(asked, refusal)
            else:
                self._ask(asked, record)
        # Others may wait for the same one: who leaves does not end it.
        return await asyncio.shield(asked.answer)

    def _making(self, game_id: str) -> _Asked | None:
        return next((each for each in self._asked.values() if each.game_id == game_id), None)

    def _begin(self, game_id: str) -> _Asked:
        if len(self._asked) >= ANALYSES_WAITING:
            raise NotAllowed("analysis_busy")
        loop, number = asyncio.get_running_loop(), self._desk.number()
        patience = loop.call_later(ANALYSIS_PATIENCE_SECONDS, self._out_of_patience, number)
        asked = self._asked[number] = _Asked(number, game_id, patience, loop.create_future())
        # Where nobody waits any more, a failure is nobody's.
        asked.answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        return asked

    async def _record(self, game_id: str) -> str:
        try:
            entry = await read_record(self._store, game_id)
        except JournalError as problem:
            log(logging.ERROR, "record not loaded", why=str(problem))
            raise NotAllowed("not_saved") from problem
        if entry is None:
            raise NotAllowed("no_such_record", given=game_id)
        return entry.lines[0]

    def _ask(self, asked: _Asked, record: str) -> None:
        if asked.number in self._asked and not self._desk.ask(
            Think(number=asked.number, record=record)
        ):
            self._fail(asked, NotAllowed("analysis_failed"))

    def heard(self, told: str) -> None:
        """See `BotRequester`. An answer that nobody waits for any more is passed over."""
        number, _, told = told.partition(" ")
        sign, _, part = told.partition(" ")
        asked = self._asked.get(int(number)) if number.isdecimal() else None
        if asked is None:
            return
        asked.parts.append(part)
        asked.size += len(part)
        if asked.size > ANALYSIS_MAX_CHARACTERS:
            self._fail(asked, NotAllowed("analysis_failed"))
        elif sign != "+":
            self._whole(asked)

    def _whole(self, asked: _Asked) -> None:
        found = read_analysis("".join(asked.parts))
        if found is None:
            self._fail(asked, NotAllowed("analysis_failed"))
            return
        self._forget(asked)
        count("analyses.made")
        self._kept[asked.game_id] = found
        if len(self._kept) > ANALYSES_KEPT:
            del self._kept[next(iter(self._kept))]
        asked.answer.set_result(found)

    def _out_of_patience(self, number: int) -> None:
        asked = self._asked.get(number)
        if asked is not None:
            self._desk.ask(Think(number=number))
            self._fail(asked, NotAllowed("analysis_failed"))

    def lost(self) -> None:
        """See `BotRequester`."""
        for asked in list(self._asked.values()):
            self._fail(asked, NotAllowed("analysis_failed"))

    def _fail(self, asked: _Asked, refusal: NotAllowed) -> None:
        """There will be no analysis; those who wait are told."""
        self._forget(asked)
        count("analyses.failed")
        if not asked.answer.done():
            asked.answer.set_exception(refusal)

    def _forget(self, asked: _Asked) -> None:
        asked.patience.cancel()
        self._asked.pop(asked.number, None)

    def close(self) -> None:
        """Nothing is made any more."""
        self.lost()
