"""What server and clients say to each other: messages, codecs, patches, codes.

`messages` defines every message, `codec` writes and reads them (`MSGPACK`, `JSON`),
`patch` has merge patches and the check sum, `codes` the stable codes, `limits` the
bounds. `python -m bluebear.protocol.schema` writes `docs/protocol.md` and the JSON Schema.

Imports only the standard library, pydantic, msgspec and msgpack; nothing of ours.

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
    Asked,
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
    Moves,
    Note,
    Presence,
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
from bluebear.protocol.short_keys import Keys, KeysHeard
from bluebear.protocol.validation import BadMessage, Hostile, Unreadable
from bluebear.rules.core.merge_patch import Branch, Tree, apply, canonical, diff

__all__ = [
    "JSON",
    "MSGPACK",
    "Answer",
    "Ask",
    "Asked",
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
    "KeysHeard",
    "Lang",
    "Lobby",
    "Logged",
    "Message",
    "Moves",
    "Note",
    "Presence",
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
