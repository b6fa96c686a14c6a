"""One connection of a scene: the link that the server pushes to, and what a client makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bluebear.protocol import (
    Bye,
    Codec,
    Done,
    Error,
    Note,
    Presence,
    ReceivedKeys,
    RoomNumber,
    ServerMessage,
    Update,
    Welcome,
    crc,
)
from bluebear.protocol import Room as Snapshot
from bluebear.rules.core.merge_patch import apply
from bluebear.server.rooms.connection import Connection


class Listener:
    """One connection: the link that the server pushes to, and what a client makes of it."""

    def __init__(self, name: str, codec: Codec, address: str) -> None:
        self.name = name
        self.codec = codec
        self.keys = ReceivedKeys()
        self.address = address
        self.token = ""
        self.id = ""
        self.connection: Connection | None = None
        self.messages: list[ServerMessage] = []
        self.received: list[str] = []
        self.closed: int | None = None
        self.room: RoomNumber | None = None
        self.version = 0
        self.view: Any = None  # Any: a plain tree
        self.here: tuple[str, ...] = ()
        self.away: tuple[str, ...] = ()
        self.answers: Counter[str] = Counter()

    def push(self, frame: bytes) -> None:
        """A frame has come."""
        message = self.codec.decode_server(frame, self.keys)
        self.messages.append(message)
        self.received += self._hear(message)

    def close(self, code: int, reason: str) -> None:
        """The server closes the connection."""
        if self.closed is None:
            self.closed = int(code)
            self.received.append(f"closed {int(code)}")

    def _hear(self, message: ServerMessage) -> Sequence[str]:
        match message:
            case Welcome():
                self.token, self.id, self.name = message.token, message.person, message.name
            case Snapshot():
                return self._snapshot(message)
            case Update():
                return self._update(message)
            case Error():
                self._answered(message.id)
                return [f"! {message.code}"]
            case Done():
                self._answered(message.id)
            case Note():
                if message.code in ("left", "kicked"):
                    self.room = None
                return [f"({message.code}) {message.text}"]
            case Presence():
                self.here, self.away = message.here, message.away
            case Bye():
                return [f"bye {message.why}"]
            case _:
                pass
        return []

    def _snapshot(self, shot: Snapshot) -> Sequence[str]:
        """What is new in a snapshot that stands where an update would; else that it came."""
        assert shot.sum == crc(shot.view), "the check sum fits the snapshot"
        step = shot.room == self.room and shot.version == self.version + 1
        self.room, self.version, self.view = shot.room, shot.version, shot.view
        if not step:
            return ["(snapshot)"]
        return [logged.text for logged in shot.log if logged.version == shot.version]

    def _update(self, update: Update) -> Sequence[str]:
        assert update.room == self.room
        assert update.version == self.version + 1, "versions are consecutive"
        self.version = update.version
        for patch in (update.patch, update.own):
            if patch is not None:
                self.view = apply(patch, self.view)
        assert update.sum in (None, crc(self.view)), "the check sum fits the mirror"
        self._answered(update.done)
        return update.text or ()

    def _answered(self, say: str | None) -> None:
        if say is not None:
            self.answers[say] += 1

    def last(self, kind: type[Any]) -> Any:  # Any: a message of the kind
        """The newest message of a kind."""
        return next(each for each in reversed(self.messages) if isinstance(each, kind))
