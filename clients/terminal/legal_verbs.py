"""The verbs of the game that have a legal move at the person's turn."""

from __future__ import annotations

from typing import Any, Final, cast

from bluebear.clients.sdk import AskRefused, ClientClosed, NotInRoomError, RoomId
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.sanitize import printable
from bluebear.protocol import Lang

LISTED: Final = 8
"""Maximum number of verbs listed; `/moves` lists all of them."""


async def verbs_of_now(conversation: Conversation, room: RoomId) -> str:
    """The legal verbs in one line: `/build BLOCK CITY SITE`, or `/buy ..., /go ...`."""
    try:
        catalogue = await conversation.client.ask("catalogue", room=room)
    except (AskRefused, ClientClosed, NotInRoomError):
        return ""
    items = cast(
        "list[dict[str, Any]]", catalogue.get("commands", ())
    )  # Any: texts and lists of them
    moves = [item for item in items if item.get("kind") == "move"]
    lang = conversation.lang
    if len(moves) == 1:
        _, space, slots = str(moves[0].get("usage", "")).partition(" ")
        return printable(f"/{name_of(moves[0], lang)}{space}{slots}")
    named = [f"/{name_of(item, lang)}" for item in moves[:LISTED]]
    return printable(", ".join(named + (["..."] if len(moves) > LISTED else [])))


def name_of(item: dict[str, Any], lang: Lang) -> str:
    """The name of a verb in a language: the Japanese name if there is one."""
    names = [str(name) for name in item.get("names", ())]
    japanese = [name for name in names if not name.isascii()] if lang == "ja" else []
    return japanese[0] if japanese else str(item.get("name", ""))
