"""Lines of spectators who see a game some moves late: they learn by them what they see, no more."""

from __future__ import annotations

from bluebear.rules.core.refusal import Refusal
from bluebear.server.commands.acts import Meant, Tell
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene


def resolve_late(shown: Scene, now: Scene, text: str) -> Meant:
    """What a line means to somebody who is shown an older room than the one that he acts on.

    What it tells, and why there is nothing to tell, comes from the room that he sees. What it does
    is done to the room as it is. Raises Refusal.
    """
    try:
        told = resolve(shown, text)
    except Refusal as refusal:
        return _done(now, text, refusal)
    if isinstance(told, Tell):
        return told
    meant = resolve(now, text)
    return told if isinstance(meant, Tell) else meant


def _done(now: Scene, text: str, refused: Refusal) -> Meant:
    """What a line does that is refused by what its speaker sees. Raises that refusal."""
    try:
        meant = resolve(now, text)
    except Refusal:
        raise refused from None
    if isinstance(meant, Tell):
        raise refused
    return meant
