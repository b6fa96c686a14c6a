"""What the present code makes of a kept journal: the only place here that touches that code.

Everything else in this folder knows plain trees, texts and numbers. When an interface moves, this
file is what has to follow; what it returns has to stay the same, to the last digit.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from bluebear.rules import games
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.record import format_record, parse_record, verify
from bluebear.rules.core.visibility import Event, Eyes, Seat
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.features.ratings.queries import compare_ratings
from bluebear.server.people.account import account_of
from bluebear.server.people.account import folded as person_of
from bluebear.server.room.creation import MakeRoom
from bluebear.server.room.game_flow import fallback_lines
from bluebear.server.room.reducer import fold
from bluebear.server.room.snapshot import dump_room, follow, load_room, record_of
from bluebear.server.room.state import TABLE, Room
from bluebear.server.rooms.loading import room_line, summary_of
from bluebear.server.runtime import SystemClock
from bluebear.server.sentences import event_views
from bluebear.server.store import (
    Append,
    Entry,
    SqliteStore,
    Store,
    StreamId,
    Written,
    people,
    person_stream,
    ratings,
    streams,
)
from tests.journals import stored_journal
from tests.server.room.changes import check_changes, check_direct
from tests.support import stored_rows
from tests.support.views import view_of

Plain = dict[str, Any]  # Any: plain JSON
GAMES: Final[Mapping[str, Game[Any]]] = games()  # Any: each game has a state class of its own

MOVES: Final = 30
"""How far a running game is played on."""
UNDOS: Final = 5
MOVES_AFTER_UNDO: Final = 3
STRIDE: Final = 31
"""Of n plain lines number (STRIDE * version) modulo n is played."""
SECOND: Final = 1000


@dataclass(frozen=True, slots=True)
class Stored:
    """One room as it lies in the file."""

    id: str
    entries: Sequence[Entry]
    snapshot_at: int
    """The version of its newest snapshot; 0: there is none."""
    snapshot: bytes


async def unpacked(packed: Path, folder: Path) -> Path:
    """A journal file of today that has what a kept journal has, with the rows that it makes."""
    path = folder / f"{stored_journal.name_of(packed)}.sqlite"
    result = stored_journal.read(packed)
    journal = SqliteStore(path)
    for stream, entries in result.entries.items():
        appends = [*map(Append, entries[:-1]), _with_row(stream, entries)]
        written = [Written(entry.seq) for entry in entries]
        assert await journal.append(appends) == written, stream
    for snapshot in result.snapshots:
        await journal.write(streams.save_snapshot, snapshot)
    await journal.write(ratings.replace_all, list((await compare_ratings(journal)).rows.values()))
    await journal.close()
    return path


def _with_row(stream: StreamId, entries: Sequence[Entry]) -> Append:
    """The newest entry of a stream, with the row that all of them make."""
    if stream.startswith(person_stream("")):
        row = None
        for entry in entries:
            row = person_of(row, entry)
        return Append(entries[-1], person=row)
    if not entries[0].lines[0].startswith(f"{MakeRoom.head} "):
        return Append(entries[-1])
    loaded = follow(None, entries, GAMES)
    assert loaded is not None
    return Append(entries[-1], summary_of(loaded.room, room_line(loaded.room, GAMES)))


# Reading.


async def stored(path: Path) -> list[Stored]:
    """The rooms of a journal, entry by entry."""
    journal = SqliteStore(path)
    made = []
    for summary in await journal.read(stored_rows.all_rooms):
        newest = await journal.read(streams.snapshot, summary.stream)
        made.append(
            Stored(
                id=summary.stream,
                entries=await journal.read(streams.load, summary.stream),
                snapshot_at=0 if newest is None else newest.seq,
                snapshot=b"" if newest is None else newest.body,
            )
        )
    await journal.close()
    return made


async def stored_record(path: Path, game_id: str) -> str:
    """The record that the journal keeps of a finished game; empty if there is none."""
    journal = SqliteStore(path)
    result = await journal.read(streams.load, StreamId(f"record:{game_id}"))
    await journal.close()
    return result[0].lines[0] if result else ""


@asynccontextmanager
async def serving(path: Path) -> AsyncIterator[App]:
    """A server on a journal, without a socket. In the end it closes as a server does."""
    app = App(Config(house=False), SqliteStore(path), GAMES, SystemClock())
    await app.open()
    try:
        yield app
    finally:
        await app.close()


async def rooms_of_server(app: App, ids: Iterable[str]) -> dict[str, Room]:
    """Rooms as a server loads them when a person enters: newest snapshot, then later entries."""
    return {each: (await app.engine.load(each)).room for each in ids}


async def people_of_server(app: App) -> str:
    """A digest of all persons in the store, with their accounts and ratings."""
    return await people_of_store(app.store)


async def people_of_store(store: Store) -> str:
    """A digest of all persons in a store, with their accounts and ratings."""
    listed: list[object] = []
    for stream in await store.read(
        streams.names, person_stream(""), "", stored_journal.STREAMS_MAX
    ):
        row = await store.read(people.person, stream.removeprefix(person_stream("")))
        assert row is not None, stream
        rated = [
            [each.game, each.seats, each.seq, each.score, _rating_body(each.body)]
            for each in await store.read(ratings.read_of, row.id, stored_journal.STREAMS_MAX)
        ]
        account = msgspec.to_builtins(account_of(row))
        listed.append([row.id, row.seq, row.name, row.human, row.used, row.kept, account, rated])
    return digest(listed)


def _rating_body(body: bytes) -> str:
    """What a rating row says, in the form of `set1`: five fields of each of five games."""
    rating = msgspec.msgpack.decode(body)
    if "recent" in rating:
        rating["recent"] = [game[:5] for game in rating["recent"][:5]]
    return bytes(msgspec.msgpack.encode(rating)).hex()


def room_of_snapshot(stored: Stored) -> Room:
    """The room that the newest snapshot says."""
    return load_room(stored.snapshot, GAMES)


def through_a_snapshot(room: Room) -> Room:
    """The room, written into a snapshot of today and read from it."""
    return load_room(dump_room(room, GAMES), GAMES)


def folded(entries: Iterable[Entry]) -> tuple[Room, list[str]]:
    """The room that entries make from nothing, and a digest of all there was at each of them."""
    room: Room | None = None
    seen = []
    for entry in entries:
        step = fold(room, entry, GAMES)
        check_changes(room, step, GAMES)
        check_direct(room, entry, step, GAMES)
        room = step.room
        seen.append(digest([look(room), events_text(room, step.events), entry.digest])[:16])
        assert entry.digest in ("", step.digest), f"{entry.stream} {entry.seq}: another digest"
    assert room is not None
    return room, seen


# Describing.


def digest(tree: object) -> str:
    """128 bits of the canonical JSON of a plain tree."""
    return hashlib.sha256(canonical(tree)).hexdigest()[:32]


def _game(room: Room) -> Game[Any]:
    return GAMES[room.table.game]


def _viewers(room: Room) -> list[Eyes]:
    return [frozenset(), *(frozenset((seat,)) for seat in sorted(room.seats))]


def look(room: Room) -> Plain:
    """The digests of a room: the complete state, the public view, and the view of each seat."""
    game = _game(room)
    views = [digest(view_of(room, game, eyes)) for eyes in _viewers(room)]
    state = "" if room.game is None else game.tree.digest(room.game)
    return {
        "version": room.version,
        "state": state,
        "public": views[0],
        "seats": views[1:],
        "counter": room.counter,
    }


def events_text(room: Room, events: Sequence[Event]) -> str:
    """A digest of the public events as data, without their sentences, which may be reworded."""
    return digest([event_views(events, eyes) for eyes in _viewers(room)])


def describe(room: Room) -> Plain:
    """All that is compared of a room."""
    game = _game(room)
    past = [
        [each.version, each.seat, game.tree.digest(each.game), each.drew, each.steps]
        for each in room.past
    ]
    return {
        **look(room),
        "game": room.table.game,
        "phase": room.table.phase.value,
        "turn": list(room.table.turn),
        "at": room.at,
        "table": digest(TABLE.dump(room.table)),
        "key": digest(room.key.hex()),
        "since": list(room.since),
        "steps": room.steps,
        "past": past,
        "log": [[each.version, each.at, events_text(room, each.events)[:8]] for each in room.log],
        "legal": {str(seat): legal_lines(room, seat) for seat in room.table.turn},
        "records": _records(room),
    }


def _records(room: Room) -> list[str]:
    if room.head is None:
        return []
    texts = [record_of(room, _game(room), eyes) for eyes in _viewers(room)]
    return [hashlib.sha256(text.encode()).hexdigest()[:32] for text in texts]


def legal_lines(room: Room, seat: int) -> list[str]:
    """The legal lines of a seat; those that are not plain with what they are."""
    game = _game(room)
    made = []
    for move in game.legal(room.game, Seat(seat)):
        rash = game.is_rash(room.game, Seat(seat), move)
        kind = "take_back" if move.takes_back else "rash" if rash else "plain"
        line = game.grammar.format(move)
        made.append(line if kind == "plain" else f"{line} ({kind})")
    return made


def finished_record(room: Room) -> str:
    """The record of a game that is over, with its seed."""
    return record_of(room, _game(room), frozenset())


def check_record(text: str) -> str:
    """Replay a record draw by draw and return it written anew. Raises RecordError."""
    record = parse_record(text)
    verify(GAMES[record.head.game], record)
    return format_record(record)


# Going on.


def go_on(room: Room) -> Plain:
    """Continue a running game by a fixed rule that any server can repeat: see README.md."""
    return {"moves": _moves(room, MOVES), "undo": _undo(room), "clock": _clock(room)}


def _moves(room: Room, count: int) -> list[Plain]:
    made: list[Plain] = []
    while len(made) < count and room.table.phase == "playing":
        seat = min(room.table.turn)
        game = _game(room)
        plain = game.plain(room.game, Seat(seat))
        line = game.grammar.format(plain[STRIDE * room.version % len(plain)])
        room, step = _fold(room, _actor(room, seat), (line,))
        made.append(step)
    return made


def _undo(room: Room) -> list[Plain]:
    """Take moves back while there are any, with no member present to object; then play a little."""
    made: list[Plain] = []
    while len(made) < UNDOS and room.past and room.table.phase == "playing":
        actor = _actor(room, room.past[-1].seat)
        room, step = _fold(room, actor, ("/undo",))
        made.append(step)
    return made + _moves(room, MOVES_AFTER_UNDO)


def _clock(room: Room) -> list[Plain]:
    if room.table.phase != "playing":
        return []
    seat = min(room.table.turn)
    lines = (f"@clock {seat}", *fallback_lines(room, _game(room), Seat(seat)))
    return [_fold(room, "clock", lines)[1]]


def _actor(room: Room, seat: int) -> str:
    chair = room.seats[Seat(seat)]
    return f"h:{seat}" if chair.bot is not None else f"p:{chair.person}"


def _fold(room: Room, actor: str, lines: tuple[str, ...]) -> tuple[Room, Plain]:
    entry = Entry(
        stream=StreamId(room.table.id),
        seq=room.version + 1,
        actor=actor,
        client_id="",
        lines=lines,
        facts={},
        at=room.at + SECOND,
    )
    step = fold(room, entry, GAMES)
    after = step.room
    return after, {
        "actor": actor if not actor.startswith("p:") else "p",
        "lines": list(lines),
        **look(after),
        "told": events_text(after, step.events),
    }
