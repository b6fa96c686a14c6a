"""What must hold after a simulation, whatever has happened in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import dropwhile
from typing import Any, Final, Protocol

import msgpack

from bluebear.clients.sdk.client_events import Reply, RoomId
from bluebear.protocol import Branch, Code, Version
from bluebear.rules.core.grammar import Verb
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.record import RecordError, parse_record, verify
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.rules.core.visibility import Visibility as Visible
from bluebear.server.app import App
from bluebear.server.features.room_list import RoomList
from bluebear.server.room.fold_context import Folded
from bluebear.server.room.reducer import fold
from bluebear.server.room.state import Actor, Phase, Room
from bluebear.server.rooms.loading import read_record, read_room
from bluebear.server.rooms.views import AnyGame, VersionViews
from bluebear.server.sentences import event_lines, say
from bluebear.server.store import Entry, StreamId, Window, person_stream, streams
from tests.sim.background_actions import HEADS
from tests.sim.server_process import Games
from tests.sim.simulated_clients import REFUSED, Person, Sight
from tests.sim.simulation import World
from tests.support import stored_rows
from tests.support.simulated_store import SimulatedStore
from tests.support.views import view_of

Entries = Mapping[StreamId, list[Entry]]
Folds = Mapping[StreamId, list[Folded]]
"""What each entry of a room has made of it."""

SENT_AWAY: Final = f"{REFUSED} unauthorized"
"""The error that a client with an invalid token receives."""
PASSING: Final = frozenset({"busy", "not_saved"})

OF_ONESELF: Final = ("/myrooms", "/vacation", "/notify")
"""Lines that are answered, and no entries of a room."""


def room_list_of(app: App) -> RoomList:
    """The list of rooms of a server."""
    return next(each for each in app.features.features if isinstance(each, RoomList))


def wired(view: Any) -> Any:  # Any: a plain tree
    """A view as it comes off the wire."""
    return msgpack.unpackb(msgpack.packb(view))


async def read_journal(journal: SimulatedStore) -> Entries:
    """The entries of every room."""
    rows = await journal.read(stored_rows.all_rooms)
    return {row.stream: await journal.read(streams.load, row.stream) for row in rows}


async def faults_of(world: World) -> list[str]:
    """Everything that does not hold; the server runs, and all wires are quiet."""
    stored = await read_journal(world.journal)
    faults: list[str] = []
    lobby = await room_list_of(world.app)._tree(Window())
    folds = folds_of(stored, world.games)
    versions = counted(stored, folds, world.games)
    for person in world.all_people:
        faults += [f"{person.name}: {fault}" for fault in await troubles(person, world.journal)]
        faults += [f"{person.name}: {fault}" for fault in answers(person, stored, versions)]
        faults += [f"{person.name}: {fault}" for fault in mirrors(person, world, lobby)]
    faults += doubles(stored)
    faults += sights(world, folds)
    faults += await replays(world, folds)
    faults += await records(world, stored)
    return faults


def folds_of(stored: Entries, games: Games) -> Folds:
    """The journal from its first entries, without snapshots."""
    return {stream: list(_folds(entries, games)) for stream, entries in stored.items()}


def _folds(entries: Iterable[Entry], games: Games) -> Iterator[Folded]:
    room: Room | None = None
    for entry in entries:
        folded = fold(room, entry, games)
        room = folded.room
        yield folded


async def troubles(person: Person, journal: SimulatedStore) -> list[str]:
    """Faults of a person's sessions, unless other holders of their password have closed these.

    A client that registered again, under a name that several clients use, stays alone.
    """
    if SENT_AWAY not in person.faults:
        return person.faults
    entries = await journal.read(streams.load, person_stream(person.person))
    alone = sum(entry.lines[0] == "@register" for entry in entries) > 1
    return [fault for fault in person.faults if not (alone and fault == SENT_AWAY)]


def doubles(stored: Entries) -> Iterator[str]:
    """Ids that were stored twice, and numbers that do not follow each other."""
    ids = Counter(
        (entry.actor, entry.client_id)
        for entries in stored.values()
        for entry in entries
        if entry.client_id
    )
    for (actor, line), count in ids.items():
        if count > 1:
            yield f"{actor} {line}: stored {count} times"
    for stream, entries in stored.items():
        if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
            yield f"{stream}: numbers do not follow each other"


def counted(stored: Entries, folds: Folds, games: Games) -> Mapping[tuple[StreamId, int], int]:
    """The versions that entries are for those who made them, where these count otherwise."""
    made = {}
    for stream, entries in stored.items():
        key = entries[0].lines[0].split(" ")[1] if entries else ""
        if not any(verb.move.sight is Visible.OWNER for verb in _verbs(games, key)):
            continue
        for entry, folded in zip(entries, folds[stream], strict=True):
            actor = Actor(entry.actor)
            seat = actor.house_seat or folded.room.seat_of(actor.person)
            eyes = frozenset((seat,) if seat else ())
            made[stream, entry.seq] = folded.room.version_for(eyes)
    return made


def _verbs(games: Games, key: str) -> Iterable[Verb]:
    return games[key].grammar.verbs.values() if key in games else ()


def answers(
    person: Person,
    stored: Entries,
    counted: Mapping[tuple[StreamId, int], int],
    *,
    far: bool = False,
) -> Iterator[str]:
    """Answers that contradict the journal or each other.

    `far`: an edge that has looked a line up does not know at which version its room was then.
    """
    of_seat = {
        entry.client_id: (stream, entry.seq)
        for stream, entries in stored.items()
        for entry in entries
        if entry.client_id in person.sent_lines
    }
    for line, replies in person.replies.items():
        text = person.sent_lines[line].text if line in person.sent_lines else "(entering)"
        position = of_seat.get(line)
        if position is not None:
            # What could not be saved just then may be said again under its id, and is judged anew:
            # also by a copy that was on its way already.
            settled = list(dropwhile(lambda reply: reply.code in PASSING, replies))
            registered = [reply for reply in settled if not _locked_out(reply)]
            versions = {(reply.ok, reply.version) for reply in registered}
            version = counted.get(position, position[1])
            if far and (True, None) in versions:
                versions = versions - {(True, None)} | {(True, Version(version))}
            reported = bool(versions) or (line not in person.doubled and registered == settled)
            if (
                reported
                and versions != {(True, version)}
                and not text.startswith(("/newroom ", "/room "))
            ):
                yield f"{line} {text!r} is stored as {position}, answered {replies}"
        elif any(reply.ok for reply in replies) and _writes(text):
            yield f"{line} {text!r} was done, and is not stored"


def _locked_out(reply: Reply) -> bool:
    """Whether a refusal comes from the client: it could not rejoin the room of its line, and the
    server has sent no reply to that line.
    """
    server = {say("refusal.not_in_room", lang) for lang in LANGS}
    return reply.code == Code.NOT_IN_ROOM and reply.text not in server


def _writes(text: str) -> bool:
    """Whether a line that is done must be in the journal."""
    queries = (
        "/who",
        "/info",
        "/board",
        "/votes",
        "/help",
        "/tell",
        "/room",
        "/lobby",
        "/lang",
        *OF_ONESELF,
    )
    return text != "(entering)" and not text.startswith((*queries, *OF_ONESELF, *HEADS))


def mirrors(person: Person, world: World, there: Branch | None) -> Iterator[str]:
    """Rooms whose view at a client differs from the server's."""
    if person.wire is None:
        return
    lobby = person.session.mirror.lobby
    if lobby and not person.session.mirror.rooms and lobby != wired(there):
        yield f"sees another lobby than there is: {lobby}"
    for room_id, mirrored in person.session.mirror.rooms.items():
        live = world.app.engine.room(room_id)
        if live is None or person.session.mirror.number(room_id) is None:
            yield f"is in room {room_id}, of which the server knows nothing"
            continue
        eyes = frozenset(Seat(seat) for seat in mirrored.eyes)
        seat = live.room.seat_of(person.person)
        if person.person != "house" and eyes != ({seat} if seat else set()):
            yield f"{room_id}: has the eyes {set(eyes)} and sits at {seat}"
        version = live.room.version_for(eyes)
        if mirrored.version != version or not mirrored.sound:
            yield f"{room_id}: is at {mirrored.version}, the room at {version}"
        elif mirrored.view != wired(view_of(live.room, live.game, eyes)):
            yield f"{room_id}: sees another room at version {mirrored.version}"


Seen = dict[int, list[tuple[str, Sight]]]
"""What was seen of a room, with the names of those who saw it, by version as their eyes count."""


class Watched(Protocol):
    """A world whose people have seen something."""

    @property
    def games(self) -> Games:
        """What is played there."""

    @property
    def all_people(self) -> list[Person]:
        """All who ever had a wire."""


def sights(world: Watched, folds: Folds) -> Iterator[str]:
    """What a client has received of a room that the journal does not contain."""
    seen: dict[RoomId, dict[frozenset[int], Seen]] = {}
    for person in world.all_people:
        for room_id, sighted in person.sights.items():
            for sight in sighted:
                versions = seen.setdefault(room_id, {}).setdefault(sight.eyes, {})
                versions.setdefault(int(sight.version), []).append((person.name, sight))
    for room_id, by_eyes in seen.items():
        folded = folds.get(StreamId(room_id), [])
        newest = max(map(max, by_eyes.values()))
        if newest > len(folded):
            yield f"{room_id}: version {newest} was seen, {len(folded)} are stored"
        yield from _compare(room_id, folded, by_eyes, world.games)


def _compare(
    room_id: str, folds: Iterable[Folded], seen: Mapping[frozenset[int], Seen], games: Games
) -> Iterator[str]:
    registered = dict.fromkeys(seen, 0)
    for folded in folds:
        room = folded.room
        shown = _Shown(folded, games.get(room.table.game))
        for numbers, versions in seen.items():
            eyes = frozenset(map(Seat, numbers))
            before, registered[numbers] = registered[numbers], room.version_for(eyes)
            if before >= registered[numbers]:
                continue  # it is no version for them
            for name, sight in versions.get(registered[numbers], ()):
                if sight.view != shown.view(eyes):
                    yield f"{room_id}: {name} saw another version {room.version} than there is"
                if sight.text and not any(
                    list(sight.text) == shown.text(eyes, lang) for lang in LANGS
                ):
                    yield f"{room_id}: {name} was shown {sight.text} of version {room.version}"


class _Shown:
    """What an entry shows to eyes, made once for all who have them."""

    def __init__(self, folded: Folded, game: AnyGame) -> None:
        self._folded, self._game = folded, game
        self._views = VersionViews(folded.room, game)
        self._wired: dict[int, object] = {}
        self._by_eyes: dict[Eyes, Branch] = {}
        self._texts: dict[tuple[Eyes, Lang], list[str]] = {}

    def view(self, eyes: Eyes) -> Branch:
        """The view as it comes off the wire. What several eyes have in common is wired once."""
        if eyes not in self._by_eyes:
            self._by_eyes[eyes] = {
                name: {key: self._wire(each) for key, each in below.items()}
                for name, below in self._views.view(eyes).items()
            }
        return self._by_eyes[eyes]

    def _wire(self, tree: object) -> Any:  # Any: a plain tree
        if id(tree) not in self._wired:
            self._wired[id(tree)] = wired(tree)
        return self._wired[id(tree)]

    def text(self, eyes: Eyes, lang: Lang) -> list[str]:
        """The sentences of the entry's events."""
        key, folded = (eyes, lang), self._folded
        if key not in self._texts:
            self._texts[key] = event_lines(
                folded.events, eyes, lang, self._game, folded.room.name_of
            )
        return self._texts[key]


async def replays(world: World, folds: Folds) -> list[str]:
    """Rooms that come back from the journal otherwise than they are."""
    faults: list[str] = []
    for stream, folded in folds.items():
        live = world.app.engine.room(stream)
        if live is None:
            continue
        loaded = await read_room(world.journal, world.games, stream)
        if loaded is None or loaded.problem or loaded.room != live.room:
            faults.append(f"{stream}: loaded from its newest snapshot it is another room")
        if not folded or folded[-1].room != live.room:
            faults.append(f"{stream}: folded from its first entry it is another room")
    return faults


async def records(world: World, stored: Entries) -> list[str]:
    """Finished games whose record is not there, or proves something else."""
    faults: list[str] = []
    for stream in stored:
        live = world.app.engine.room(stream)
        if live is None or live.room.table.phase is not Phase.OVER:
            continue
        stored_data = await read_record(world.journal, live.room.table.game_id)
        if stored_data is None:
            faults.append(f"{stream}: the record of its game is not there")
            continue
        game = world.games[live.room.table.game]
        try:
            verify(game, parse_record(stored_data.lines[0]))
        except RecordError as error:
            faults.append(f"{stream}: the record of its game is wrong: {error}")
    return faults
