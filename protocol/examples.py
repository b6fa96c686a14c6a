"""One frame's worth of everything: real messages for the documentation and the tests."""

from typing import Final

from protocol.messages import (
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
    Moves,
    Note,
    Presence,
    Room,
    RoomNumber,
    Say,
    Sync,
    Update,
    Version,
    Wanted,
    Welcome,
)
from protocol.patch import Branch, Tree, apply, crc

_ROOM: Final = RoomNumber(1)
_BEFORE: Final[Branch] = {
    "room": {"phase": "playing", "seats": ["Ayu", "Ken"]},
    "game": {"to_move": [1], "sites": {"cairo 3": [1, 2]}, "hand": [2, 5, 9]},
}
_PATCH: Final[Branch] = {"game": {"to_move": [2], "sites": {"cairo 8": [1, 4]}}}
_OWN: Final[Branch] = {"game": {"hand": [2, 5]}}


def _after(*patches: Tree) -> Tree:
    view: Tree = _BEFORE
    for patch in patches:
        view = apply(patch, view)
    return view


_HELLO: Final = Hello(
    name="Ayu",
    langs=("ja", "en"),
    wants=frozenset({"events", "text"}),
    agent="example 1.0",
)
_ENTER: Final = Say(id="c7f3.1", text="/join otter-42")
_BUILD: Final = Say(id="c7f3.2", room=_ROOM, text="/build 4 cairo 8", at=Version(41))
_WELCOME: Final = Welcome(
    protocol=1,
    person="p-81c2",
    name="Ayu",
    token="t-3kQ9",
    lang="ja",
    server="bluebear 0.1",
    now=1795255200000,
)
_SNAPSHOT: Final = Room(
    room=_ROOM,
    id="otter-42",
    game="manhattan",
    hash="5d1f",
    version=Version(41),
    view=_BEFORE,
    sum=crc(_BEFORE),
    eyes=(1,),
    log=(Logged(version=Version(41), at=1795255200000, text="Ayuの番です。"),),
)
_BUILT: Final = Update(
    room=_ROOM,
    version=Version(42),
    patch=_PATCH,
    own=_OWN,
    done="c7f3.2",
    sum=crc(_after(_PATCH, _OWN)),
    events=({"type": "built", "seat": 1, "city": "cairo", "site": 8, "height": 4},),
    text=("Ayuがカイロの8に4階を建てました。",),
)

EXAMPLES: Final[tuple[Message, ...]] = (
    _HELLO,
    Hello(token="t-3kQ9", langs=("en",), wants=frozenset({"moves"}), bot=True),
    _ENTER,
    _BUILD,
    Ask(id="c7f3.3", room=_ROOM, what="complete", args={"text": "/bu", "at": 3}),
    Sync(room=_ROOM),
    _WELCOME,
    _SNAPSHOT,
    _BUILT,
    Update(room=_ROOM, version=Version(42), patch=_PATCH),
    Presence(room=_ROOM, here=("Ayu",), away=("Ken",)),
    Moves(room=_ROOM, version=Version(42), seat=1, lines=("/build 1 cairo 8", "/build 2 cairo 8")),
    Game(key="manhattan", hash="5d1f", body={"cities": ["cairo", "frankfurt"], "options": {}}),
    Answer(id="c7f3.3", what="complete", body={"candidates": ["/build"]}),
    Note(room=_ROOM, code="whisper", text="Ken: おはよう"),
    Done(id="c7f3.2", room=_ROOM, version=Version(42)),
    Error(
        code="illegal",
        text="このブロックでは足りません。",
        id="c7f3.2",
        rule="manhattan 5.3",
        candidates=("/build 6 cairo 8",),
    ),
    Lobby(
        version=Version(7),
        patch={"otter-42": {"game": "manhattan", "seats": 2}, "heron-7": None},
    ),
    Bye(why="restart", text="サーバーを再起動します。", retry_ms=5000),
    Wanted(room="otter-42", seat=2, strategy="greedy", ticket="w-19ac"),
)
"""In the order of the documentation; the first of a type is the one that it shows."""

CONVERSATION: Final[tuple[Message, ...]] = (_HELLO, _WELCOME, _ENTER, _SNAPSHOT, _BUILD, _BUILT)
"""A beginning: hello, into a room, a move."""
