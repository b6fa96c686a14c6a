"""The two codecs: messages to frames, and frames to messages.

Received frames are checked here, once: `decode_client` and `decode_server` return a message or
raise `Unreadable`, `Hostile` or `BadMessage`, and nothing else. Messages to encode are not checked.
Frames are bytes; `Codec.text` says whether they are sent as WebSocket text frames.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, replace
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar, Final, get_args, get_origin

import msgspec
from msgspec import Raw
from pydantic_core import to_json

from bluebear.protocol.messages import (
    POSITIONAL,
    ClientMessage,
    Logged,
    Message,
    Room,
    RoomNumber,
    Say,
    ServerMessage,
    Update,
    Version,
)
from bluebear.protocol.short_keys import Keys, ReceivedKeys
from bluebear.protocol.validation import CLIENTS, FIELDS, SAY, SERVERS
from bluebear.rules.core.merge_patch import Branch, Tree


class Codec(ABC):
    """An encoding of messages. There are two: `MSGPACK` and `JSON`."""

    name: ClassVar[str]
    """The WebSocket subprotocol."""
    text: ClassVar[bool]
    """Whether frames are sent as text frames."""

    @abstractmethod
    def decode_client(self, frame: bytes | str) -> ClientMessage:
        """Decode a client's frame. Raises Unreadable, Hostile or BadMessage."""

    @abstractmethod
    def decode_server(self, frame: bytes | str, keys: ReceivedKeys | None = None) -> ServerMessage:
        """Decode a server's frame. Raises Unreadable, Hostile or BadMessage.

        `keys`, one object for all frames of a connection, resolves short keys.
        """

    @abstractmethod
    def encode(self, message: Message) -> bytes:
        """The message as a frame. Fields that have their default are left out."""

    @abstractmethod
    def value(self, tree: Tree) -> bytes:
        """Encode a field of an update, once for all frames that contain it."""

    def patch(self, patch: Branch) -> bytes:
        """Encode a field of an update that is a patch of a view."""
        return self.value(patch)

    def keyed(self, keys: Keys) -> Codec:
        """The codec that also writes short keys in views and patches, if it supports them."""
        return self

    @abstractmethod
    def update(
        self,
        room: RoomNumber,
        version: Version,
        *,
        patch: bytes | None = None,
        own: bytes | None = None,
        done: str | None = None,
        sum: int | None = None,  # noqa: A002 - the name of the field
        events: bytes | None = None,
        text: bytes | None = None,
    ) -> bytes:
        """Equals `encode(Update(...))`, joined from fields encoded by `value` and `patch`."""


class _Msgpack(Codec):
    name = "bluebear.v1.msgpack"
    text = False

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        try:
            # Nearly every client frame is one; `CLIENTS` decodes the others.
            say = SAY(frame)
        except (msgspec.MsgspecError, UnicodeError, TypeError):
            return CLIENTS.msgpack(frame)
        return Say(id=say.id, text=say.text, room=say.room, at=say.at)

    def decode_server(self, frame: bytes | str, keys: ReceivedKeys | None = None) -> ServerMessage:
        return SERVERS.msgpack(frame, keys)

    def keyed(self, keys: Keys) -> Codec:
        return _short(keys)

    def encode(self, message: Message) -> bytes:
        tag = _TAGS.get(type(message))
        if tag is None:
            return _pack(_plain(message))
        values = [tag, *map(partial(getattr, message), FIELDS[tag])]
        while values[-1] is None:
            values.pop()
        return _pack(values)

    def value(self, tree: Tree) -> bytes:
        return _pack(tree)

    def patch(self, patch: Branch) -> bytes:
        return _pack(patch)

    def update(
        self,
        room: RoomNumber,
        version: Version,
        *,
        patch: bytes | None = None,
        own: bytes | None = None,
        done: str | None = None,
        sum: int | None = None,  # noqa: A002 - the name of the field
        events: bytes | None = None,
        text: bytes | None = None,
    ) -> bytes:
        values = [_TAGS[Update], room, version, patch and Raw(patch), own and Raw(own), done, sum]
        values += events and Raw(events), text and Raw(text)
        while values[-1] is None:
            values.pop()
        return _pack(values)


class _Short(_Msgpack):
    """msgpack that encodes views and patches with the short keys of one game."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def encode(self, message: Message) -> bytes:
        if type(message) is Room:
            return _pack({**_plain(message), "view": self._keys.shortened(message.view)})
        if type(message) is Update:
            patch, own = (
                None if each is None else self._keys.shortened(each)
                for each in (message.patch, message.own)
            )
            message = replace(message, patch=patch, own=own)
        return super().encode(message)

    def patch(self, patch: Branch) -> bytes:
        return _pack(self._keys.shortened(patch))


@lru_cache
def _short(keys: Keys) -> Codec:
    return _Short(keys)


class _Json(Codec):
    name = "bluebear.v1.json"
    text = True

    def decode_client(self, frame: bytes | str) -> ClientMessage:
        return CLIENTS.json(frame)

    def decode_server(self, frame: bytes | str, keys: ReceivedKeys | None = None) -> ServerMessage:
        return SERVERS.json(frame)

    def encode(self, message: Message) -> bytes:
        return to_json(_plain(message))

    def value(self, tree: Tree) -> bytes:
        return to_json(tree)

    def update(
        self,
        room: RoomNumber,
        version: Version,
        *,
        patch: bytes | None = None,
        own: bytes | None = None,
        done: str | None = None,
        sum: int | None = None,  # noqa: A002 - the name of the field
        events: bytes | None = None,
        text: bytes | None = None,
    ) -> bytes:
        encoded = {
            "patch": patch,
            "own": own,
            "done": None if done is None else to_json(done),
            "sum": None if sum is None else to_json(sum),
            "events": events,
            "text": text,
        }
        members = [
            b'"%s":%s' % (name.encode(), each) for name, each in encoded.items() if each is not None
        ]
        head = b'{"type":"update","room":%d,"version":%d' % (room, version)
        return b",".join([head, *members]) + b"}"


MSGPACK: Final[Codec] = _Msgpack()
JSON: Final[Codec] = _Json()


def codec_for(subprotocol: str) -> Codec | None:
    """The codec of a WebSocket subprotocol; None for an unknown one.

    >>> codec_for("bluebear.v1.json") is JSON, codec_for("chat")
    (True, None)
    """
    return _CODECS.get(subprotocol)


_CODECS: Final = {codec.name: codec for codec in (MSGPACK, JSON)}
_TAGS: Final[Mapping[type, int]] = {kind: tag for tag, kind in POSITIONAL.items()}
_pack: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode


def _default(field: Field[Any]) -> object:  # Any: a field of whatever type
    if field.name == "type":
        return MISSING  # no message is without it
    return field.default if field.default_factory is MISSING else field.default_factory()


def _shape(kind: type) -> list[tuple[str, object, Callable[[Any], Any] | None]]:
    """The fields of a message: name, default, function to a plain tree (None: not needed)."""
    return [(field.name, _default(field), _maker(field.type)) for field in fields(kind)]


def _maker(hint: object) -> Callable[[Any], Any] | None:  # Any: values of whatever field
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) is frozenset:
        return sorted
    if get_origin(hint) is tuple and Logged in get_args(hint):
        return lambda items: [_plain(item) for item in items]
    return None


def _plain(message: object) -> dict[str, Any]:  # Any: what both encoders take
    """A message as a dict; its fields that have their default are left out."""
    made = {}
    for name, default, make in _SHAPES[type(message)]:
        value = getattr(message, name)
        if value is not default and value != default:
            made[name] = value if make is None else make(value)
    return made


_SHAPES: Final = {
    kind: _shape(kind) for kind in (*get_args(ClientMessage), *get_args(ServerMessage), Logged)
}
