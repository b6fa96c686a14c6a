"""Does the mirror see in recorded sessions what it saw when they were recorded?

`tests/corpus/frames/README.md` says what a recording is. The mirrors of other languages are held to
the same files.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.clients.sdk.mirror import Mirror
from bluebear.protocol import JSON, MSGPACK, Moved, ServerMessage, Think, Update, Wanted, crc

FRAMES: Final = Path(__file__).parents[1] / "corpus" / "frames"
SESSIONS: Final = sorted(FRAMES.glob("*.jsonl.gz"))
GAMES: Final = ("itc", "manhattan", "railroad_ink", "tokai", "tokugawa")

Plain = Mapping[str, Any]  # Any: plain JSON

sessions = pytest.mark.parametrize(
    "path", SESSIONS, ids=[path.name.removesuffix(".jsonl.gz") for path in SESSIONS]
)


@dataclass(frozen=True, slots=True)
class Session:
    """One recording: its first line, those of its frames, and its last one."""

    head: Plain
    lines: Sequence[Plain]
    end: Plain


@functools.cache
def read(path: Path) -> Session:
    text = gzip.decompress(path.read_bytes()).decode()
    head, *lines, last = (json.loads(line) for line in text.splitlines())
    return Session(head, lines, last["end"])


def frames(session: Session) -> Iterator[tuple[str, bytes]]:
    for line in session.lines:
        if "json" in line:
            yield line["json"], base64.b64decode(line["msgpack"])


def digest(tree: object) -> str:
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


RENAMED: Final = {"Answered": "Answer", "Farewell": "Bye"}
RETIRED: Final = ("LobbyChanged", "GameKnown")
"""Events of the recordings that are the messages themselves now, or are not announced."""


def shown(mirror: Mirror, line: Plain) -> Plain:
    """What a line of a recording speaks of, as the mirror has it."""
    made: dict[str, Any] = {}  # Any: plain JSON
    room = mirror.rooms[RoomId(line["room"])] if "room" in line else None
    if room is not None:
        made = {"room": room.id}
        if "view" in line:
            made |= {"version": room.version, "view": digest(room.view), "sum": crc(room.view)}
        else:
            made |= {"here": list(room.here), "away": list(room.away)}
    if "lobby" in line:
        made["lobby"] = digest(mirror.lobby)
    return made


@sessions
def test_both_codecs_read_the_same_and_write_what_the_server_has_written(path: Path) -> None:
    for text, packed in frames(read(path)):
        message = MSGPACK.decode_server(packed)
        assert JSON.decode_server(text) == message
        assert MSGPACK.encode(message) == packed
        assert JSON.encode(message).decode() == text


@sessions
def test_the_mirror_shows_after_each_frame_what_it_showed_then(path: Path) -> None:
    session = read(path)
    mirror = Mirror()
    for number, line in enumerate(session.lines, 2):
        if "lost" in line:
            mirror.disconnect()
            continue
        happened = mirror.receive(JSON.decode_server(line["json"]))
        names = [type(each).__name__ for each in happened]
        recorded = [RENAMED.get(each, each) for each in line["happened"] if each not in RETIRED]
        about = {k: v for k, v in line.items() if k not in ("json", "msgpack", "happened")}
        assert (shown(mirror, line), names) == (about, recorded), f"line {number}"


@sessions
def test_on_the_other_codec_it_reaches_the_same_end(path: Path) -> None:
    session = read(path)
    mirror = Mirror()
    for line in session.lines:
        if "lost" in line:
            mirror.disconnect()
        else:
            mirror.receive(MSGPACK.decode_server(base64.b64decode(line["msgpack"])))
    assert plain(mirror) == session.end


def plain(mirror: Mirror) -> Plain:
    rooms = {
        room.id: {
            "game": room.game,
            "version": room.version,
            "eyes": sorted(room.eyes),
            "here": list(room.here),
            "away": list(room.away),
            "moves": {str(seat): list(each.lines) for seat, each in room.moves.items()},
            "sound": room.sound,
            "view": room.view,
        }
        for room in mirror.rooms.values()
    }
    games = {key: each.hash for key, each in mirror.games.items()}
    made: Plain = json.loads(json.dumps({"rooms": rooms, "lobby": mirror.lobby, "games": games}))
    return made


@sessions
def test_a_frame_that_is_missing_is_noticed_at_once(path: Path) -> None:
    session = read(path)
    messages = [JSON.decode_server(text) for text, _ in frames(session)]
    numbers = [n for n, message in enumerate(messages) if isinstance(message, Update)]
    dropped = next(n for n in numbers if n + 1 in numbers)
    mirror = Mirror()
    for message in messages[:dropped]:
        mirror.receive(message)
    [need] = [each for each in mirror.receive(messages[dropped + 1]) if not _is_reply(each)]
    assert type(need).__name__ == "NeedSync"


def _is_reply(happening: object) -> bool:
    return type(happening).__name__ == "Replied"


def test_every_message_to_players_is_among_them() -> None:
    """But `moved`: the mirror of a room does not change by it."""
    kinds = Counter(
        type(JSON.decode_server(text)) for path in SESSIONS for text, _ in frames(read(path))
    )
    assert set(kinds) == set(get_args(ServerMessage)) - {Moved, Wanted, Think}


def test_every_field_of_an_update_is_among_them_with_and_without_a_value() -> None:
    updates = [
        message
        for path in SESSIONS
        for text, _ in frames(read(path))
        if isinstance(message := JSON.decode_server(text), Update)
    ]
    optional = ("patch", "own", "done", "sum", "events", "text")
    assert {field.name for field in fields(Update)} == {"type", "room", "version", *optional}
    for name in optional:
        assert {getattr(update, name) is None for update in updates} == {True, False}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_seen_by_players_and_by_those_who_watch(game: str) -> None:
    heads = [read(path) for path in SESSIONS if path.name.startswith(f"{game}-")]
    eyes = [room["eyes"] for session in heads for room in session.end["rooms"].values()]
    assert [] in eyes
    assert any(eyes)
    assert {session.head["codec"] for session in heads} == {MSGPACK.name, JSON.name}
