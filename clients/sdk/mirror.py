"""The state that the server has sent: views of rooms, kept in step and checked, without I/O.

`Mirror.receive` takes the messages of a connection in order and returns the events. Versions must
be consecutive and checksums must match. If not, the room is marked as not `sound`, `NeedSync`
requests a snapshot, and updates are ignored until it arrives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, assert_never, cast

from bluebear.clients.sdk.client_events import (
    AnalysisWanted,
    Entered,
    Happening,
    HintWanted,
    Left,
    NeedSync,
    Noted,
    Present,
    Replied,
    Reply,
    RoomId,
    Seat,
    SeatWanted,
    Synced,
    Updated,
    Welcomed,
    YourMove,
    YourTurn,
)
from bluebear.protocol import (
    Answer,
    Branch,
    Bye,
    Done,
    Error,
    Game,
    Lobby,
    Moved,
    Moves,
    Note,
    Presence,
    Room,
    RoomNumber,
    ServerMessage,
    Think,
    Update,
    Version,
    Wanted,
    Welcome,
    apply,
    crc,
)

LEFT: Final = frozenset({"left", "kicked"})
"""Codes of the notes that end the membership of a room."""

SNAPSHOTS_IN_A_ROW_MAX: Final = 3
"""Maximum of wrong snapshots in a row: a snapshot's wrong checksum is a bug, not an accident."""


class MirrorError(Exception):
    """The server's snapshots do not match their checksums."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """A joined room as seen at a version."""

    id: RoomId
    game: str
    hash: str
    version: Version
    view: Branch
    eyes: frozenset[Seat]
    here: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    moves: Mapping[Seat, YourMove] = field(default_factory=dict)
    sound: bool = True
    rules: int | None = None
    """The version of the rules, if the server has sent the game's data; None means the newest."""

    @property
    def phase(self) -> str:
        """The room's phase: open, playing, paused, over or frozen."""
        return str(branch(self.view, "room").get("phase", ""))

    @property
    def turn(self) -> frozenset[Seat]:
        """The seats that have a decision to make."""
        seats = branch(self.view, "room").get("turn", ())
        return frozenset(Seat(seat) for seat in cast("list[int]", seats))

    @property
    def late(self) -> int:
        """The spectator delay in moves; 0 if the view is current."""
        options = cast("Mapping[str, str]", branch(self.view, "room").get("options", {}))
        moves = options.get("watchdelay", "")
        watched = not self.eyes and self.phase in ("playing", "paused")
        return int(moves) if watched and moves.isdigit() else 0

    @property
    def votes(self) -> frozenset[tuple[str, str]]:
        """The open votes: what each is about, and the name of the person who started it."""
        votes = cast("Mapping[str, Branch]", branch(self.view, "room").get("votes", {}))
        return frozenset((str(each["kind"]), str(each["by"])) for each in votes.values())

    @property
    def deciding_seats(self) -> frozenset[Seat]:
        """Seats of this client that have a decision to make."""
        return self.turn & self.eyes


def branch(tree: Branch, key: str) -> Branch:
    """A branch of a view; empty if the view omits it."""
    return cast(Branch, tree.get(key, {}))


class Mirror:
    """All state of a client. Owned by one session, which alone calls `receive`.

    The mirrors of sessions `beside` each other share rooms and games.
    """

    def __init__(self, beside: Mirror | None = None) -> None:
        self.welcome: Welcome | None = beside.welcome if beside else None
        self.lobby: Branch = beside.lobby if beside else {}
        self.rooms: dict[RoomId, RoomView] = beside.rooms if beside else {}
        self.games: dict[str, Game] = beside.games if beside else {}
        self._ids: dict[RoomNumber, RoomId] = {}
        self._wrong_snapshots = 0

    def number(self, room: RoomId) -> RoomNumber | None:
        """A room's number on this connection; None if it is not joined."""
        return next((number for number, each in self._ids.items() if each == room), None)

    def unsound(self) -> list[RoomNumber]:
        """The numbers of the rooms that wait for a snapshot."""
        return [number for number in self._ids if (view := self._room(number)) and not view.sound]

    def disconnect(self) -> None:
        """Drop the state of the connection. The views stay, for display."""
        for room in list(self._ids.values()):
            self.detach(room)

    def detach(self, room: RoomId) -> None:
        """A room is not on this connection any more. Its view stays, for display."""
        number = self.number(room)
        # Another connection of the same client may have left it.
        if number is not None and self._ids.pop(number) in self.rooms:
            self.rooms[room] = replace(self.rooms[room], sound=False)

    def forget(self, room: RoomId) -> None:
        """Drop a room that was left."""
        self.detach(room)
        self.rooms.pop(room, None)

    def receive(self, message: ServerMessage) -> list[Happening]:
        """Apply a message and return its events in order. Raises MirrorError for a server bug."""
        match message:
            case Update():
                return self._update(message)
            case Done():
                room = None if message.room is None else self._ids.get(message.room)
                return [_done(message.id, room, message.version)]
            case Moves():
                return self._moves(message)
            case Room():
                return self._snapshot(message)
            case Presence():
                return self._presence(message)
            case Note():
                return self._note(message)
            case Error():
                return [] if message.id is None else [_refused(message)]
            case _:
                return self._outside_rooms(message)

    def _outside_rooms(
        self, message: Welcome | Lobby | Game | Answer | Bye | Wanted | Think | Moved
    ) -> list[Happening]:
        match message:
            case Welcome():
                again, self.welcome = self.welcome is not None, message
                return [Welcomed(message.name, again)]
            case Lobby():
                base: Branch = {} if message.full else self.lobby
                self.lobby = cast(Branch, apply(message.patch, base))
                return []
            case Game():
                self.games[message.key] = message
                return []
            case Answer() | Bye():
                return [message]
            case Moved():
                return []  # the session follows it
            case Wanted():
                seat = Seat(message.seat)
                room, pace = RoomId(message.room), message.pace_ms or 0
                return [SeatWanted(room, seat, message.strategy, message.ticket, pace)]
            case Think(number=number, record=str(record)):
                return [AnalysisWanted(number, record)]
            case Think(number=number, game=game, rules=rules, view=view, lines=lines):
                seat, room = Seat(message.seat), RoomId(message.room)
                return [HintWanted(number, room, game, rules, seat, view, lines)]
            case _:
                assert_never(message)

    def _snapshot(self, message: Room) -> list[Happening]:
        room_id = RoomId(message.id)
        before = self.rooms.get(room_id)
        data = self.games.get(message.game)
        rules = data.body.get("rules") if data is not None and data.hash == message.hash else None
        room = RoomView(
            id=room_id,
            game=message.game,
            hash=message.hash,
            version=message.version,
            view=message.view,
            eyes=frozenset(Seat(seat) for seat in message.eyes),
            here=before.here if before else (),
            away=before.away if before else (),
            sound=crc(message.view) == message.sum,
            rules=rules if isinstance(rules, int) else None,
        )
        self.forget(room_id)
        self._ids[message.room] = room_id
        self.rooms[room_id] = room
        if not room.sound:
            self._wrong_snapshots += 1
            if self._wrong_snapshots >= SNAPSHOTS_IN_A_ROW_MAX:
                raise MirrorError(f"room {room_id}, version {room.version}: wrong sum")
            return [NeedSync(message.room, room_id)]
        self._wrong_snapshots = 0
        kind = Entered if before is None else Synced
        # At a different position of the game it may be a different turn than the one seen before.
        same = before if before and before.view.get("game") == room.view.get("game") else None
        return [kind(room_id, room.version, message.log), *_turned(same, room)]

    def _update(self, message: Update) -> list[Happening]:
        room = self._room(message.room)
        if room is None:
            return [] if message.done is None else [_done(message.done, None, message.version)]
        happened = self._step(room, message)
        if message.done is not None:
            happened.append(_done(message.done, room.id, message.version))
        return happened

    def _step(self, room: RoomView, message: Update) -> list[Happening]:
        if not room.sound or message.version <= room.version:
            return []  # A snapshot is on its way, or it was newer: its log has the sentences.
        if message.version != room.version + 1:
            return self._unsound(room, message.room)
        view = room.view
        if message.patch is not None:
            view = cast(Branch, apply(message.patch, view))
        if message.own is not None:
            view = cast(Branch, apply(message.own, view))
        if message.sum is not None and crc(view) != message.sum:
            return self._unsound(room, message.room)
        after = replace(room, version=message.version, view=view)
        if room.moves:
            # If the game has moved on, the legal lines arrive next.
            same = view.get("game") is room.view.get("game")
            still = after.turn if same else frozenset()
            moves = {seat: moves for seat, moves in room.moves.items() if seat in still}
            after = replace(after, moves=moves)
        self.rooms[room.id] = after
        updated = Updated(
            room.id, after.version, message.text or (), message.events or (), message.done
        )
        # After a move of this client a further decision is new; after talk it is not.
        ours = message.done is not None and view.get("game") is not room.view.get("game")
        return [updated, *_turned(None if ours else room, after)]

    def _unsound(self, room: RoomView, number: RoomNumber) -> list[Happening]:
        self.rooms[room.id] = replace(room, sound=False)
        return [NeedSync(number, room.id)]

    def _moves(self, message: Moves) -> list[Happening]:
        room = self._room(message.room)
        if room is None:
            return []
        moves = YourMove(room.id, message.version, Seat(message.seat), message.lines)
        self.rooms[room.id] = replace(room, moves={**room.moves, moves.seat: moves})
        return [moves]

    def _presence(self, message: Presence) -> list[Happening]:
        room = self._room(message.room)
        if room is None:
            return []
        self.rooms[room.id] = replace(room, here=message.here, away=message.away)
        return [Present(room.id, message.here, message.away)]

    def _note(self, message: Note) -> list[Happening]:
        room = None if message.room is None else self._ids.get(message.room)
        if room is not None and message.code in LEFT:
            self.forget(room)
            return [Left(room, message.text)]
        return [Noted(room, message.code, message.text, message.name, message.said)]

    def _room(self, number: RoomNumber) -> RoomView | None:
        room_id = self._ids.get(number)
        return None if room_id is None else self.rooms.get(room_id)


def _done(line: str, room: RoomId | None, version: Version | None) -> Replied:
    return Replied(Reply(id=line, ok=True, room=room, version=version))


def _refused(error: Error) -> Replied:
    return Replied(
        Reply(
            id=error.id or "",
            ok=False,
            code=error.code,
            text=error.text,
            rule=error.rule,
            candidates=error.candidates,
            place=None if error.start is None or error.end is None else (error.start, error.end),
            offers=error.offers,
        )
    )


def _turned(before: RoomView | None, after: RoomView) -> list[Happening]:
    """`YourTurn` if seats of this client came to move since `before`."""
    new = after.deciding_seats - (before.deciding_seats if before else frozenset())
    return [YourTurn(after.id, after.version, new)] if new else []
