"""Frames of both codecs: a message that survives a round trip, or one of three errors."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, get_args

from bluebear.protocol import ReceivedKeys
from bluebear.protocol.codec import JSON, MSGPACK, Codec
from bluebear.protocol.examples import EXAMPLES
from bluebear.protocol.messages import ClientMessage, ServerMessage
from bluebear.protocol.validation import BadMessage, Hostile, Unreadable
from tests.fuzz.target import Target

CORPUS: Final = Path(__file__).parent / "corpus" / "frames"
ALLOWED: Final = (Unreadable, Hostile, BadMessage)
_TERMS: Final = (
    b'"type":', b'"say"', b'"hello"', b'"id":', b'"room":', b'"text":', b"null", b"true", b"1e9",
    b"NaN", b'"\\ud800"', b'"\\u0000"', b"\x93\x01", b"\xd9\x05", b"\xdc\xff\xff", b"\xdf\xff\xff",
    b"\xc7\x01\x01", b"\xcb\x7f\xf8\0\0\0\0\0\0", b"\xcf" + b"\xff" * 8, b"\xc4\x01x",
)  # fmt: skip


def files_of(codec: Codec) -> list[bytes]:
    """The kept frames of a codec that have a name of their own."""
    ending = codec.name.rpartition(".")[2]
    return [path.read_bytes() for path in sorted(CORPUS.glob(f"*.{ending}"))]


def frame_targets() -> Iterable[Target]:
    """What clients say and what servers say, in both codecs."""
    for codec in (JSON, MSGPACK):
        short = codec.name.rpartition(".")[2]
        for side, union in (("client", ClientMessage), ("server", ServerMessage)):
            yield _frames(codec, f"{side}-{short}", union, clients=side == "client")


def _frames(codec: Codec, name: str, union: object, *, clients: bool) -> Target:
    def feed(data: bytes) -> None:
        frame = data.decode() if codec.text else data
        read = codec.decode_client if clients else codec.decode_server
        message = read(frame)
        again = codec.encode(message)
        assert read(again.decode() if codec.text else again) == message
        if not clients and not codec.text:
            codec.decode_server(data, ReceivedKeys())

    def seeds() -> list[bytes]:
        kinds = get_args(union)
        sent = [codec.encode(each) for each in EXAMPLES if isinstance(each, kinds)]
        return [*sent, *files_of(codec)]

    return Target(
        name,
        f"frames that {name.partition('-')[0]}s send, in {name.partition('-')[2]}",
        feed,
        (*ALLOWED, UnicodeDecodeError) if codec.text else ALLOWED,
        seeds,
        lambda: _TERMS,
        runs=1500,
    )
