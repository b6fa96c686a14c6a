"""The way between two of our processes: bytes over a unix socket or TCP.

Frames are gathered for one turn of the loop and go out as one piece. Before anything else both
sides prove that they have the same secret; then each asks now and then whether the other is there.
What crosses is not encrypted: links belong on one machine or into a private network.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Final, Protocol, cast

import msgspec

from bluebear.server.link.frames import (
    VERSION,
    Farewell,
    Frame,
    Hello,
    Ping,
    Proof,
    Push,
    known_among,
    packed,
    unpacked,
)
from bluebear.server.observe import count

PENDING_MAX_BYTES: Final = 8 * 2**20
"""A link that has so much to send is cut; its members are attached again, one snapshot each."""
PIECE_MAX_BYTES: Final = 64 * 2**20
"""One piece of a link: all that was said in one turn of the loop."""
GREETING_MAX_BYTES: Final = 1024
"""A piece of somebody who has proven nothing yet."""
PING_SECONDS: Final = 0.5
SILENT_SECONDS: Final = 2.0
"""A link on which nothing was heard for so long is cut: a process that stands still keeps its
sockets open."""
_HEAD: Final = 4
_NONCE_BYTES: Final = 32


class Link(Protocol):
    """One end of a link, as its owner uses it."""

    @property
    def is_open(self) -> bool:
        """Whether the other one is there, as far as is known."""

    def send(self, frame: Frame) -> None:
        """Send a frame with what else is said in this turn of the loop."""

    def close(self) -> None:
        """Cut the link; `Ends.ended` is told."""


class Ends(Protocol):
    """Who has an end of a link."""

    def opened(self, link: Link, node: str) -> None:
        """The other one has proven that he belongs to us; `node` is who he is."""

    def heard(self, link: Link, frame: Frame) -> None:
        """A frame has come."""

    def ended(self, link: Link) -> None:
        """The link is no more. Told once, and only of links that were opened."""


class Gather:
    """Collects what is said in one turn of the loop; `send` gets it as one piece."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._frames: list[Frame] = []

    def put(self, frame: Frame) -> None:
        """A frame more. One that is for several members crosses once."""
        frames = self._frames
        if not frames:
            asyncio.get_running_loop().call_soon(self._flush)
        elif isinstance(frame, Push):
            last = frames[-1]
            if isinstance(last, Push) and last.frame is frame.frame:
                last.places.extend(frame.places)
                return
        frames.append(frame)

    @property
    def is_farewell(self) -> bool:
        """Whether the last thing that was said is a farewell."""
        return bool(self._frames) and isinstance(self._frames[-1], Farewell)

    def _flush(self) -> None:
        frames, self._frames = self._frames, []
        if frames:
            self._send(packed(frames))


class SocketLink(asyncio.Protocol):
    """One end of a link over a socket; `dials` says which of the two has called."""

    def __init__(self, ends: Ends, node: str, secret: bytes, *, dials: bool) -> None:
        self._ends = ends
        self._node = node
        self._secret = secret
        self._dials = dials
        self._nonce = secrets.token_bytes(_NONCE_BYTES)
        self._transport: asyncio.Transport | None = None
        self._gather = Gather(self._write)
        self._read = bytearray()
        self._theirs: Hello | None = None
        self._open = False
        self._has_ended = False
        """Whether a farewell was the last that it says."""
        self._heard_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.lost = asyncio.Event()
        """Set when there is no socket any more."""

    # What the owner does.

    @property
    def is_open(self) -> bool:
        """See `Link.is_open`."""
        return self._open

    def send(self, frame: Frame) -> None:
        """See `Link.send`."""
        if self._transport is not None and not self._has_ended:
            self._gather.put(frame)

    def close(self) -> None:
        """See `Link.close`. What was said up to a farewell still goes out."""
        if self._transport is None:
            return
        if self._gather.is_farewell:
            self._has_ended = True
            # After what this turn of the loop has gathered.
            asyncio.get_running_loop().call_soon(self._transport.close)
        else:
            self._transport.abort()

    # What the loop does.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol."""
        # uvloop's transports are not of asyncio's classes.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=PENDING_MAX_BYTES)
        self._heard_at = asyncio.get_running_loop().time()
        self.send(Hello(VERSION, self._node, self._nonce))
        self._look()

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        self._heard_at = asyncio.get_running_loop().time()
        self._read += data
        while len(self._read) >= _HEAD and self._transport is not None:
            size = int.from_bytes(self._read[:_HEAD], "big")
            if size > (PIECE_MAX_BYTES if self._open else GREETING_MAX_BYTES):
                self._cut("links.hostile")
                return
            if len(self._read) < _HEAD + size:
                return
            piece = bytes(self._read[_HEAD : _HEAD + size])
            del self._read[: _HEAD + size]
            try:
                frames, unknown = _frames_of(piece)
            except msgspec.DecodeError:
                self._cut("links.hostile")
                return
            for frame in frames:
                self._heard(frame)
            if unknown and self._open:
                count("links.unknown", unknown)
            elif unknown:
                self._cut("links.hostile")
                return

    def pause_writing(self) -> None:
        """See asyncio.Protocol: more waits than may."""
        self._cut("links.clogged")

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._transport = None
        self.lost.set()
        if self._timer is not None:
            self._timer.cancel()
        if self._open:
            self._open = False
            self._ends.ended(self)

    # Inside.

    def _write(self, piece: bytes) -> None:
        if self._transport is not None:
            self._transport.write(len(piece).to_bytes(_HEAD, "big") + piece)

    def _cut(self, why: str) -> None:
        count(why)
        self.close()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() - self._heard_at > SILENT_SECONDS:
            self._cut("links.silent")
            return
        if self._open:
            self.send(Ping())
        self._timer = loop.call_later(PING_SECONDS, self._look)

    def _heard(self, frame: Frame) -> None:
        if self._transport is None or isinstance(frame, Ping):
            return
        if self._open:
            self._ends.heard(self, frame)
        elif isinstance(frame, Hello) and self._theirs is None:
            self._greeted(frame)
        elif isinstance(frame, Proof) and self._theirs is not None:
            self._proven(frame, self._theirs)
        else:
            self._cut("links.hostile")

    def _greeted(self, hello: Hello) -> None:
        if hello.version != VERSION:
            self._cut("links.other_version")
            return
        self._theirs = hello
        self.send(Proof(self._mac(hello.nonce, self._nonce, dials=self._dials)))

    def _proven(self, proof: Proof, theirs: Hello) -> None:
        if not hmac.compare_digest(
            proof.mac, self._mac(self._nonce, theirs.nonce, dials=not self._dials)
        ):
            self._cut("links.hostile")
            return
        self._open = True
        self._ends.opened(self, theirs.node)

    def _mac(self, asked: bytes, own: bytes, *, dials: bool) -> bytes:
        """What proves the secret to who has asked by these bytes. The two sides' proofs differ, so
        that neither is any good to who only sends back what he hears.
        """
        said = (b"dials" if dials else b"listens") + asked + own
        return hmac.new(self._secret, said, hashlib.sha256).digest()


def _frames_of(piece: bytes) -> tuple[list[Frame], int]:
    """The frames of a piece, and how many more there are that only a later version knows."""
    try:
        return unpacked(piece), 0
    except msgspec.ValidationError:
        return known_among(piece)
