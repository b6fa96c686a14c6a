"""20,000 broken frames: only the three listed errors leave the codecs.

Seeds are the examples of the documentation and the files in `corpus/frames/`, which hold
what once was, or well could be, a trap. Another run: `FRAMES_SEED=7 FRAMES=1000000 pytest
tests/fuzz/test_frames.py`. A frame that breaks something becomes a file of the corpus.
"""

import os
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgpack
import pytest
from pydantic_core import from_json, to_json

from bluebear.protocol.codec import JSON, MSGPACK, Codec
from bluebear.protocol.examples import EXAMPLES
from bluebear.protocol.messages import ClientMessage, Message, Say, ServerMessage
from bluebear.protocol.validation import BadMessage, Hostile, Unreadable

SEED = int(os.environ.get("FRAMES_SEED", "20261121"))
FRAMES = int(os.environ.get("FRAMES", "100000"))
CODECS = (MSGPACK, JSON)
CORPUS = {
    codec: [
        path.read_bytes()
        for path in sorted(Path(__file__).parent.glob(f"corpus/frames/*.{codec.name[12:]}"))
    ]
    for codec in CODECS
}

# What stands where something else is expected. Any of it may be a key's value or a root.
STRANGE: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**53, -(2**53), 2**63, 0.5, float("nan"), float("inf"),
    "", "x", "say", "\x00", "\u202e", "東京", "x" * 9000, [], {}, [[[]]], {"type": "say"},
    [1, "a", "b"], b"", b"\xff",
)  # fmt: skip


def flip(frame: bytes, chance: random.Random) -> bytes:
    broken = bytearray(frame)
    for _ in range(chance.randint(1, 4)):
        broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
    return bytes(broken)


def cut(frame: bytes, chance: random.Random) -> bytes:
    return frame[: chance.randrange(len(frame))]


def remove(frame: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(frame))
    return frame[:start] + frame[start + chance.randint(1, 8) :]


def repeat(frame: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(frame))
    piece = frame[start : start + chance.randint(1, 16)]
    return frame[:start] + piece * chance.randint(2, 40) + frame[start:]


def insert(frame: bytes, chance: random.Random) -> bytes:
    index = chance.randrange(len(frame) + 1)
    return frame[:index] + chance.randbytes(chance.randint(1, 8)) + frame[index:]


def noise(frame: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.randint(0, len(frame)))


BYTES = (flip, cut, remove, repeat, insert, noise)


def swap(tree: object, chance: random.Random) -> object:
    """The same tree with something strange in one place."""
    if isinstance(tree, dict) and tree and chance.random() < 0.8:
        key = chance.choice(list(tree))
        if chance.random() < 0.2:
            return {chance.choice(["x", "", "type", key]): tree[key], **tree}
        return {**tree, key: swap(tree[key], chance)}
    if isinstance(tree, list) and tree and chance.random() < 0.8:
        index = chance.randrange(len(tree))
        return [*tree[:index], swap(tree[index], chance), *tree[index + 1 :]]
    return chance.choice(STRANGE)


def rebuilt(codec: Codec, frame: bytes, chance: random.Random) -> bytes:
    """The frame with other types, well-formed again."""
    if codec is MSGPACK:
        tree = swap(msgpack.unpackb(frame), chance)
        return bytes(msgpack.packb(tree))
    tree = swap(from_json(frame), chance)
    return to_json(tree, bytes_mode="hex", inf_nan_mode="constants")


def broken(codec: Codec, messages: list[bytes], chance: random.Random) -> bytes:
    if chance.random() < 0.3:
        return rebuilt(codec, chance.choice(messages), chance)
    frame = chance.choice(messages + CORPUS[codec])
    for _ in range(chance.randint(1, 2)):
        frame = chance.choice(BYTES)(frame or b"\x00", chance)
    return frame


def judge(read: Callable[[bytes], Message], codec: Codec, frame: bytes) -> str:
    """The name of the verdict; a message that was accepted must survive a round trip."""
    try:
        message = read(frame)
    except (Unreadable, Hostile, BadMessage) as error:
        return type(error).__name__
    assert read(codec.encode(message)) == message
    return "accepted"


def attack(codec: Codec, read: Callable[[bytes], Message], messages: list[bytes]) -> set[str]:
    """Feeds a quarter of all frames, and returns the verdicts that came."""
    chance = random.Random(SEED)
    verdicts = set()
    for number in range(FRAMES // 4):
        frame = broken(codec, messages, chance)
        try:
            verdicts.add(judge(read, codec, frame))
        except Exception as error:
            error.add_note(f"FRAMES_SEED={SEED}, frame {number}: {frame.hex()}")
            raise
    return verdicts


def examples(codec: Codec, union: object) -> list[bytes]:
    kinds = get_args(union)
    return [codec.encode(example) for example in EXAMPLES if isinstance(example, kinds)]


ALL = {"accepted", "Unreadable", "Hostile", "BadMessage"}
BOTH = pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.name)


@BOTH
def test_broken_frames_of_clients_meet_listed_errors_only(codec: Codec) -> None:
    assert attack(codec, codec.decode_client, examples(codec, ClientMessage)) == ALL


@BOTH
def test_broken_frames_of_servers_meet_listed_errors_only(codec: Codec) -> None:
    assert attack(codec, codec.decode_server, examples(codec, ServerMessage)) == ALL


@BOTH
def test_the_corpus_meets_listed_errors_only(codec: Codec) -> None:
    verdicts = [judge(codec.decode_client, codec, frame) for frame in CORPUS[codec]]
    assert set(verdicts) <= {"Unreadable", "Hostile", "BadMessage"}


def test_each_beginning_of_a_frame_is_cut_short() -> None:
    frame = MSGPACK.encode(Say(id="a1", text="/build 4 cairo 8"))
    beginnings = [frame[:length] for length in range(len(frame))]
    assert {judge(MSGPACK.decode_client, MSGPACK, fragment) for fragment in beginnings} == {
        "Unreadable"
    }


def test_two_frames_glued_are_unreadable() -> None:
    pairs = pairwise(examples(MSGPACK, ClientMessage))
    verdicts = {judge(MSGPACK.decode_client, MSGPACK, one + two) for one, two in pairs}
    assert verdicts == {"Unreadable"}
