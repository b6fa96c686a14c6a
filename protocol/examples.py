"""Example messages of every type, for the documentation and the tests."""

from typing import Final

from bluebear.protocol.checksum import crc
from bluebear.protocol.messages import (
    Answer,
    Ask,
    Bye,
    Done,
    Error,
    Game,
    Hello,
    Lobby,
    Logged,
    Message,
    Moved,
    Moves,
    Note,
    Presence,
    Room,
    RoomNumber,
    Say,
    Sync,
    Think,
    Update,
    Version,
    Wanted,
    Welcome,
)
from bluebear.rules.core.merge_patch import Branch, Tree, apply

_ROOM: Final = RoomNumber(1)
_BEFORE: Final[Branch] = {
    "room": {
        "id": "426817",
        "phase": "playing",
        "seats": {"1": {"name": "Ayu", "human": True}, "2": {"name": "Ken", "human": True}},
        "turn": [1],
    },
    "game": {
        "turn": 1,
        "cities": {"cairo": {"3": {"floors": [0, 2], "owner": 2}}},
        "seats": {"1": {"chosen": [4, 2, 1], "hand": [2, 5, 8, 9]}, "2": {"chosen": [4, 1]}},
    },
}
_PATCH: Final[Branch] = {
    "room": {"turn": [2]},
    "game": {
        "turn": 2,
        "cities": {"cairo": {"8": {"floors": [4, 0], "owner": 1}}},
        "seats": {"1": {"chosen": [2, 1]}},
    },
}
_SEAT_PATCH: Final[Branch] = {"game": {"seats": {"1": {"hand": [2, 5, 6, 9]}}}}


def _after(*patches: Tree) -> Tree:
    view: Tree = _BEFORE
    for patch in patches:
        view = apply(patch, view)
    return view


_HELLO: Final = Hello(
    name="Ayu", langs=("ja", "en"), wants=frozenset({"events", "text"}), agent="example 1.0"
)
_ENTER: Final = Say(id="c7f3.1", text="/room 426817")
_BUILD: Final = Say(id="c7f3.2", room=_ROOM, text="/build 4 cairo 8", at=Version(41))
_WELCOME: Final = Welcome(
    protocol=1,
    person="p81c2d0f3a6b7e49",
    name="Ayu",
    token="9f86d081884c7d65",
    lang="ja",
    server="bluebear 0.1",
    now=1795255200000,
)
_SNAPSHOT: Final = Room(
    room=_ROOM,
    id="426817",
    game="manhattan",
    hash="5d1f",
    version=Version(41),
    view=_BEFORE,
    sum=crc(_BEFORE),
    eyes=(1,),
    log=(Logged(version=Version(41), at=1795255200000, text="Ayuの手番です。"),),
)
_BUILT: Final = Update(
    room=_ROOM,
    version=Version(42),
    patch=_PATCH,
    own=_SEAT_PATCH,
    done="c7f3.2",
    sum=crc(_after(_PATCH, _SEAT_PATCH)),
    events=({"event": "built", "seat": 1, "block": 4, "city": "cairo", "site": 8},),
    text=("Ayuがカイロのエリア8に4階分を建てました。",),
)

EXAMPLES: Final[tuple[Message, ...]] = (
    _HELLO,
    Hello(token="9f86d081884c7d65", langs=("en",), wants=frozenset({"moves"}), bot=True),
    _ENTER,
    _BUILD,
    Ask(id="c7f3.3", room=_ROOM, what="complete", args={"text": "/bu"}),
    Sync(room=_ROOM),
    _WELCOME,
    _SNAPSHOT,
    _BUILT,
    Update(room=_ROOM, version=Version(42), patch=_PATCH),
    Presence(room=_ROOM, here=("Ayu",), away=("Ken",)),
    Moves(room=_ROOM, version=Version(42), seat=1, lines=("/build 1 cairo 8", "/build 2 cairo 8")),
    Game(key="manhattan", hash="5d1f", body={"cities": ["cairo", "frankfurt"], "options": {}}),
    Moved(name="426817", url="/n/b/ws", id="c7f3.1"),
    Answer(id="c7f3.3", what="complete", body={"start": 0, "candidates": ["/build"]}),
    Note(room=_ROOM, code="whisper", text="Ken: おはよう"),
    Done(id="c7f3.2", room=_ROOM, version=Version(42)),
    Error(code="too_low", text="カイロ8には、あと2階分足りません。", id="c7f3.2", rule="4.3"),
    Lobby(
        version=Version(7),
        patch={"rooms": {"426817": {"free": 1, "seats": ["Ayu", "Ken"]}, "118024": None}},
    ),
    Bye(why="restart", text="サーバーを再起動します。", retry_ms=5000),
    Wanted(room="426817", seat=2, strategy="greedy", ticket="60303ae22b998861"),
    Think(number=3, room="426817", game="manhattan", seat=2, lines=("/build 1 cairo 8",)),
)
"""In the order of the documentation, which shows the first of each type."""

CONVERSATION: Final[tuple[Message, ...]] = (_HELLO, _WELCOME, _ENTER, _SNAPSHOT, _BUILD, _BUILT)
"""The start of a session: hello, entering a room, a move."""
