"""A line on its way through a room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Write
from bluebear.server.commands.needs import Found
from bluebear.server.engine.client import Client
from bluebear.server.room.actor import Actor
from bluebear.server.room.quiet import since_for
from bluebear.server.room.state import Room


@dataclass(slots=True)
class Job:
    """A line on its way: typed text, or something prepared. `make` is called when it is judged.

    `then` is called when its entry is written, `over` when it is answered, whatever the answer.
    `found` is what the line needs beyond the room, once that was looked up.
    """

    actor: Actor
    client: Client | None = None
    say: str = ""
    text: str = ""
    at: int | None = None
    make: Callable[[], Write] | None = None
    then: Callable[[], None] | None = None
    over: Callable[[], None] | None = None
    found: Found | None = None

    @property
    def of_house(self) -> bool:
        """Whether one of the house's bots has said it."""
        return self.client is not None and self.client.is_house


def refuse_stale(room: Room, seat: Seat | None, at: int) -> None:
    """NotAllowed (stale) for a line from before its seat's last change, as the seat counts."""
    if at < since_for(room, seat):
        raise NotAllowed("stale")
