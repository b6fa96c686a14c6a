"""Analyses of finished games: `/analyse`, and the query of the same name.

A game is analysed once, by the process of house bots, which is given the whole record; the result
is kept. It takes minutes, so no line or query waits for it: what is not there yet is sent later.
Among several processes with rooms one has the analyses of a game.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar, Final

import msgspec
from msgspec import Struct

from bluebear.protocol import Answer, Ask, Branch, Code, Error, Note, RoomNumber, Think
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Command, anywhere
from bluebear.server.features.feature import Context, Feature, Question, Services
from bluebear.server.net.rate_limits import Cost, put_recent
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.house_bots import NoReply
from bluebear.server.rooms.loading import read_record
from bluebear.server.runtime import Tasks, count, log_bug
from bluebear.server.sentences import refusal_text, say


class TurningPoint(Struct, frozen=True, forbid_unknown_fields=True):
    """A turning point: the step of the replay, the sentence in both languages, the lines that
    `seat` played, and those that would have been better: none where a draw has turned the game.
    """

    step: int
    en: str
    ja: str
    seat: int
    lines: tuple[str, ...]
    better: tuple[str, ...]


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


_DECODER: Final[msgspec.json.Decoder[Analysis | None]] = msgspec.json.Decoder(Analysis | None)


def read_analysis(text: str) -> Analysis | None:
    """The analysis of a JSON text; None where the child has none, or it is none."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None


class Analyses(Feature):
    """Makes the analyses of finished games, and sends them to connections."""

    name = "analysis"
    answers: ClassVar = {"analysis": Analysis}
    marks_refusals = False

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._bots = services.rooms.house
        self._stored: dict[str, Analysis] = {}
        self._making: dict[str, asyncio.Future[Analysis]] = {}
        """By the id of the game."""
        self._waiting: Counter[str] = Counter()
        """For how many analyses each person waits."""
        self._waits = Tasks()

    @Command("analyse game_id?", anywhere(), names=("分析",), short=("analyze",))
    async def analyse(self, ctx: Context, game_id: str = "") -> Tell:
        """`/analyse`: what is not there yet comes later, as a note of its own; without an id that
        of the game just played or replayed.
        """
        result = await self._request(ctx, game_id)
        begun = say("note.analysis_begun", ctx.lang)
        return Tell("analysis", begun if result is None else result.text[ctx.lang])

    @Question("analysis")
    async def answer(self, ctx: Context, query: Ask) -> Branch | None:
        """The query `analysis`: its reply comes now or later."""
        result = await self._request(ctx, str(query.args.get("id", "")), query)
        return None if result is None else msgspec.to_builtins(result)

    async def _request(
        self, ctx: Context, game_id: str, query: Ask | None = None
    ) -> Analysis | None:
        """The analysis of a game; None: it is sent later, or why there is none.

        Raises NotAllowed: what `LookUps.finished_game` raises, no_replay, too_much, analysis_busy.
        """
        look_ups, connection = self.services.look_ups, ctx.connection
        game_id = game_id or look_ups.game_shown(connection, ctx.room)
        await look_ups.finished_game(connection.person, game_id)
        if (stored := self._stored.get(game_id)) is not None:
            return stored
        if self._waiting[connection.person] >= limits.ANALYSES_OF_ONE:
            raise NotAllowed("analysis_busy")
        if game_id not in self._making:
            connection.spend(Cost.ANALYSIS)
        self._waiting[connection.person] += 1
        number = connection.number_of(ctx.room)
        self._waits.start(self._send_later(connection, number, query, game_id))
        return None

    async def _send_later(
        self, connection: Connection, number: RoomNumber | None, query: Ask | None, game_id: str
    ) -> None:
        """Reply to a query, else to a line of the room with this number in its frames."""
        result: Analysis | Refusal
        try:
            result = await self._analysis_of(game_id)
        except Refusal as refusal:
            if refusal.code == Code.ANALYSIS_BUSY:
                connection.refund(Cost.ANALYSIS)
            # The process that made it is gone: nothing was to be saved.
            is_lost = refusal.code == Code.NOT_SAVED
            result = NotAllowed("analysis_failed") if is_lost else refusal
        finally:
            self._waiting -= Counter((connection.person,))
        lang = connection.lang
        text = refusal_text(result, lang) if isinstance(result, Refusal) else result.text[lang]
        if query is None:
            connection.send(Note(room=number, code="analysis", text=text))
        elif isinstance(result, Refusal):
            connection.send(Error(id=query.id, code=result.code, text=text))
        else:
            body = msgspec.to_builtins(result)
            connection.send(Answer(id=query.id, what=query.what, body=body))

    # Where analyses are made.

    async def _analysis_of(self, game_id: str) -> Analysis:
        """The analysis of a game once it is made, for a sender who may have its record, and has
        paid. Raises NotAllowed: no_such_record, analysis_busy, analysis_failed, not_saved.
        """
        if (stored := self._stored.get(game_id)) is not None:
            return stored
        if (making := self._making.get(game_id)) is not None:
            # A connection that closes does not end what others wait for.
            return await asyncio.shield(making)
        if len(self._making) >= limits.ANALYSES_WAITING:
            raise NotAllowed("analysis_busy")
        making = self._making[game_id] = asyncio.get_running_loop().create_future()
        # Where no task waits any more, a failure is not looked at.
        making.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            making.set_result(await self._make(game_id))
        except NotAllowed as refusal:
            count("analyses.failed")
            making.set_exception(refusal)
        except Exception as bug:  # noqa: BLE001  # the boundary: a bug ends one analysis
            log_bug(bug, game=game_id)
            making.set_exception(NotAllowed("analysis_failed"))
        finally:
            del self._making[game_id]
            making.cancel()
        return await making

    async def _make(self, game_id: str) -> Analysis:
        entry = await read_record(self.services.store, game_id)
        if entry is None:
            raise NotAllowed("no_such_record", given=game_id)
        question = Think(number=0, record=entry.lines[0])
        try:
            text = await self._bots.think(question, limits.ANALYSIS_PATIENCE_SECONDS)
        except NoReply:
            raise NotAllowed("analysis_failed") from None
        if (result := read_analysis(text)) is None:
            raise NotAllowed("analysis_failed")
        count("analyses.made")
        put_recent(self._stored, game_id, result, limits.ANALYSES_STORED)
        return result

    def close(self) -> None:
        """Hook: the server stops."""
        self._waits.cancel()
