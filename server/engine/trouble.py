"""What becomes of a line that comes to nothing: its refusal, or a bug that it has met."""

from __future__ import annotations

from typing import Protocol

from bluebear.protocol import Code, Error
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import Write
from bluebear.server.commands.places import place_of
from bluebear.server.commands.refusing import error_of
from bluebear.server.commands.resolve import loggable
from bluebear.server.engine.client import Client
from bluebear.server.engine.job import Job
from bluebear.server.engine.repeats import Repeats
from bluebear.server.engine.vigil import SERVER_ACTOR, Vigil, Watched
from bluebear.server.limits import BUGS_IN_A_ROW
from bluebear.server.observe import LOG, count
from bluebear.server.room.keeping import Freeze


class Troubled(Watched, Protocol):
    """A live room, as far as its trouble looks at it."""

    @property
    def vigil(self) -> Vigil: ...


class Trouble:
    """Answers the lines of one live room that come to nothing; owned by it."""

    def __init__(self, live: Troubled, repeats: Repeats) -> None:
        self._live = live
        self._repeats = repeats
        self._bugs = 0

    def refuse(self, job: Job, refusal: Refusal) -> None:
        """Say why a line was not accepted; one that may repeat an older one is looked up first."""
        if job.over is not None:
            job.over()
        client = job.client
        if client is None:
            self._tend_again()
            return
        if refusal.code == Code.ROOM_UNKNOWN:
            # Whoever guesses is counted, wherever he stands.
            client.refuse(job.say, refusal)
            return
        error = self.error(job, client, refusal)
        if client.resumed and job.say and not job.make:
            self._repeats.look_up(client, job.say, error, go_in=False)
        else:
            client.answer(error)

    def error(self, job: Job, client: Client, refusal: Refusal) -> Error:
        """A refusal as the sayer of a line is told it."""
        count(f"refused.{refusal.code}")
        live = self._live
        name_of = live.room.name_of if live.exists else None
        if refusal.place is None:
            refusal.place = place_of(refusal, job.text)
        return error_of(refusal, job.say, client.lang, live.game, name_of)

    def _tend_again(self) -> None:
        """An act of the clock or the server came to nothing."""
        if not self._live.closed:
            self._live.vigil.tend_again()

    def bug(self, job: Job, bug: Exception) -> None:
        """A bug of the game or of ours: it stops this line; several in a row freeze the room."""
        self._bugs += 1
        live = self._live
        version = live.room.version if live.exists else 0
        fields = {"room": live.id, "version": version, "line": loggable(job.text)[:80]}
        LOG.error("bug", exc_info=bug, extra={"fields": fields})
        count("bugs")
        if self._bugs >= BUGS_IN_A_ROW and live.exists:
            self._bugs = 0
            live.act(SERVER_ACTOR, lambda: Write.of(Freeze()))
        if job.client is not None:
            refusal = NotAllowed("internal", reference=f"{live.id}-{version}")
            job.client.answer(error_of(refusal, job.say, job.client.lang))
        else:
            self._tend_again()

    def over(self) -> None:
        """A line was accepted: the next bug is the first in a row."""
        self._bugs = 0
