"""Analyses for whoever may have the record of a game: by the command, and as a question.

Making one takes minutes, so nobody's line or question is held up by it: what is not there yet is
told when it comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from bluebear.protocol import Answer, Ask, Branch, Code
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.past import Past
from bluebear.server.limits import ANALYSES_OF_ONE
from bluebear.server.net.rate_limits import Cost
from bluebear.server.rooms.analyses import Analysis, AnalysisService
from bluebear.server.tasks import Tasks


class Analysing:
    """Owned by the app."""

    def __init__(self, past: Past, analysts: AnalysisService) -> None:
        self._past = past
        self._analysts = analysts
        self._waiting: Counter[str] = Counter()
        self._waits = Tasks()

    async def ask(
        self,
        connection: Connection,
        room: str,
        game_id: str,
        told: Callable[[str, Analysis], None],
        failed: Callable[[Refusal], None],
    ) -> bool:
        """Ask for the analysis of a game: `told` hears its id and the analysis, now or later, or
        `failed` why there is none. Whether it was there.

        Raises NotAllowed: what `Past.finished` raises, no_replay, too_much, analysis_busy.
        """
        game_id = await self._past.meant(connection, room, game_id)
        await self._past.finished(connection, game_id)
        found = await self._analysts.known(game_id)
        if isinstance(found, Analysis):
            told(game_id, found)
            return True
        if self._waiting[connection.person] >= ANALYSES_OF_ONE:
            raise NotAllowed("analysis_busy")
        if not found:
            connection.spend(Cost.ANALYSIS)
        self._waiting[connection.person] += 1
        self._waits.start(self._wait(connection, game_id, told, failed))
        return False

    async def _wait(
        self,
        connection: Connection,
        game_id: str,
        told: Callable[[str, Analysis], None],
        failed: Callable[[Refusal], None],
    ) -> None:
        try:
            told(game_id, await self._analysts.analysis(game_id))
        except Refusal as refusal:
            if refusal.code == Code.ANALYSIS_BUSY:
                connection.refund(Cost.ANALYSIS)
            # The engine that made it is gone: nothing was to be saved.
            is_lost = refusal.code == Code.NOT_SAVED
            failed(NotAllowed("analysis_failed") if is_lost else refusal)
        finally:
            self._waiting -= Counter((connection.person,))

    async def answer(
        self,
        connection: Connection,
        room: str,
        asked: Ask,
        failed: Callable[[Refusal], None],
    ) -> None:
        """Answer a question for an analysis, now or later. Raises what `ask` raises."""

        def told(game_id: str, found: Analysis) -> None:
            body = _body(game_id, found, connection.lang)
            connection.send(Answer(id=asked.id, what=asked.what, body=body))

        await self.ask(connection, room, str(asked.args.get("id", "")), told, failed)

    async def close(self) -> None:
        """Nobody waits any more."""
        await self._waits.close()


def _body(game_id: str, found: Analysis, lang: Lang) -> Branch:
    """An analysis as data, with sentences in a language."""
    return {
        "id": game_id,
        "names": list(found.names),
        "decisions": found.decisions,
        "numbers": found.numbers,
        "steps": list(found.steps),
        "chances": [list(each) for each in found.chances],
        "sums": [list(each) for each in found.sums],
        "worse": list(found.worse),
        "points": [
            {"step": each.step, "text": each.ja if lang == "ja" else each.en}
            for each in found.points
        ],
    }
