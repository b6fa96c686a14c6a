"""What may be said in a room whose game does not go on by the rules of this server."""

from __future__ import annotations

from collections.abc import Callable

from bluebear.protocol import Code, Note, RoomNumber
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import Meant, Write
from bluebear.server.engine.client import Client
from bluebear.server.engine.job import Job
from bluebear.server.engine.vigil import SERVER_ACTOR
from bluebear.server.room.held import ends_it, is_taken
from bluebear.server.room.keeping import Freeze
from bluebear.server.room.preparing import Reset
from bluebear.server.sentences import refusal_text

_CHANGED = NotAllowed("rules_changed")


class Holding:
    """Whether one live room is held, and why; owned by it. `why` is empty where it is not."""

    def __init__(
        self, why: str, submit: Callable[[Job], None], refuse: Callable[[Job, NotAllowed], None]
    ) -> None:
        self.why = why
        self._submit = submit
        self._refuse = refuse

    def meant(self, job: Job, act_of: Callable[[Job], Meant]) -> Meant | None:
        """What a line means; None: not yet, it is judged again.

        Whoever clears the board ends the game void before, so that its record is kept. Raises
        NotAllowed (rules_changed) for whatever belongs to the game.
        """
        if not self.why:
            return act_of(job)
        try:
            act = act_of(job)
        except NotAllowed as refusal:
            if refusal.code in (Code.NOT_PLAYING, Code.NOT_NOW):
                raise _CHANGED from refusal
            raise
        if not isinstance(act, Write):
            return act
        if not is_taken(job.actor.text, act.lines[0], act.act):
            raise _CHANGED
        if not isinstance(act.act, Reset):
            return act
        freeze = Job(SERVER_ACTOR, make=lambda: Write.of(Freeze()), over=lambda: self._again(job))
        self._submit(freeze)
        return None

    def _again(self, job: Job) -> None:
        if self.why:
            self._refuse(job, NotAllowed("not_saved"))
        else:
            self._submit(job)

    def committed(self, act: Write) -> None:
        """An entry is written: the game may have ended by it."""
        if ends_it(act.act):
            self.why = ""

    def tell(self, client: Client, number: RoomNumber) -> None:
        """Say so to somebody who comes in."""
        if self.why:
            text = refusal_text(_CHANGED, client.lang)
            client.send(Note(room=number, code=_CHANGED.code, text=text))
