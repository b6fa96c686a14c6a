"""The protocol between server and clients: messages, codecs, error codes.

`messages` defines every message, `codec` encodes and decodes them (`MSGPACK`, `JSON`), `checksum`
has the check sum of a view, `codes` the stable codes, `limits` the bounds.
`python -m bluebear.protocol.schema` writes `docs/protocol.md` and the JSON Schema.

Imports the standard library, pydantic, msgspec, msgpack and `bluebear.rules.core.merge_patch`.

Start with `messages.py`, then `docs/protocol.md`.

>>> frame = JSON.encode(Say(id="a1", text="/roll"))
>>> frame
b'{"type":"say","id":"a1","text":"/roll"}'
>>> JSON.decode_client(frame).text
'/roll'
"""

from bluebear.protocol.checksum import crc, crc_of_members
from bluebear.protocol.codec import JSON, MSGPACK, Codec, codec_for
from bluebear.protocol.codes import Close, Code
from bluebear.protocol.messages import (
    Answer,
    Ask,
    Bye,
    ClientMessage,
    Done,
    Error,
    Game,
    Hello,
    Lang,
    Lobby,
    Logged,
    Message,
    Moved,
    Moves,
    Note,
    Presence,
    QueryKind,
    Room,
    RoomNumber,
    Say,
    ServerMessage,
    Sync,
    Think,
    Update,
    Version,
    Want,
    Wanted,
    Welcome,
)
from bluebear.protocol.short_keys import Keys, ReceivedKeys
from bluebear.protocol.validation import BadMessage, Hostile, Unreadable
from bluebear.rules.core.merge_patch import Branch, Tree, apply, canonical, diff

__all__ = [
    "JSON",
    "MSGPACK",
    "Answer",
    "Ask",
    "BadMessage",
    "Branch",
    "Bye",
    "ClientMessage",
    "Close",
    "Code",
    "Codec",
    "Done",
    "Error",
    "Game",
    "Hello",
    "Hostile",
    "Keys",
    "Lang",
    "Lobby",
    "Logged",
    "Message",
    "Moved",
    "Moves",
    "Note",
    "Presence",
    "QueryKind",
    "ReceivedKeys",
    "Room",
    "RoomNumber",
    "Say",
    "ServerMessage",
    "Sync",
    "Think",
    "Tree",
    "Unreadable",
    "Update",
    "Version",
    "Want",
    "Wanted",
    "Welcome",
    "apply",
    "canonical",
    "codec_for",
    "crc",
    "crc_of_members",
    "diff",
]
