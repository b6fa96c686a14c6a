"""Untrusted frames become messages or one of the three errors."""

from pathlib import Path

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.protocol.codec import JSON, MSGPACK, Codec
from bluebear.protocol.codes import Close
from bluebear.protocol.limits import (
    CLIENT_ITEMS_MAX,
    CLIENT_STRING_MAX_BYTES,
    SAY_ID_MAX,
    SAY_TEXT_MAX,
    SERVER_NESTING_MAX,
)
from bluebear.protocol.messages import Game, Message, Say
from bluebear.protocol.validation import CLIENTS, SAY, BadMessage, Hostile, Unreadable
from bluebear.rules.core.merge_patch import Tree
from tests.protocol.strategies import trees

LINES = Path(__file__).with_name("frames.txt").read_text("utf-8").splitlines()
CODECS: dict[str, Codec] = {"json": JSON, "msgpack": MSGPACK}
BOTH = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.name)


def frame_in(column: str, codec: str) -> bytes:
    if codec == "msgpack":
        return bytes.fromhex(column)
    return bytes.fromhex(column[4:]) if column.startswith("hex ") else column.encode()


def vector(line: str) -> tuple[Codec, bytes, str]:
    codec, frame, verdict, _ = (column.strip() for column in f" {line}".split(" |"))
    return CODECS[codec], frame_in(frame, codec), verdict


VECTORS = [
    pytest.param(*vector(line), id=" ".join(line.split(" |")[::3]))
    for line in LINES
    if line and not line.startswith("#")
]


def judge(codec: Codec, frame: bytes) -> str:
    try:
        codec.decode_client(frame)
    except Unreadable:
        return "unreadable"
    except Hostile:
        return "hostile"
    except BadMessage as bad:
        return f"bad {bad.where or '-'} {bad.reason}"
    return "ok"


@pytest.mark.parametrize(("codec", "frame", "verdict"), VECTORS)
def test_a_vector(codec: Codec, frame: bytes, verdict: str) -> None:
    assert judge(codec, frame) == verdict


def test_a_bad_message_names_the_id_that_it_had() -> None:
    with pytest.raises(BadMessage) as caught:
        JSON.decode_client(b'{"type":"say","id":"a7","text":1}')
    assert caught.value.id == "a7"


def test_a_bad_id_is_not_repeated() -> None:
    with pytest.raises(BadMessage) as caught:
        JSON.decode_client(b'{"type":"say","id":"a\\u001b[2J","text":"x"}')
    assert caught.value.id is None


def test_a_bad_message_does_not_quote_what_was_typed() -> None:
    with pytest.raises(BadMessage) as caught:
        JSON.decode_client(b'{"type":"say","id":"a","room":0,"text":"/login hunter2"}')
    assert caught.value.__suppress_context__
    assert "hunter2" not in str(caught.value)


def test_a_text_frame_is_not_msgpack() -> None:
    with pytest.raises(Unreadable):
        MSGPACK.decode_client("\x93\x01\xa1")


def test_a_text_with_half_a_surrogate_pair_is_not_utf8() -> None:
    with pytest.raises(Unreadable):
        JSON.decode_client('{"type":"\ud800"}')


def test_the_errors_know_their_close_codes() -> None:
    assert (Unreadable.close, Hostile.close) == (Close.UNREADABLE, Close.POLICY)


@BOTH
def test_the_longest_line_is_read(codec: Codec) -> None:
    longest = Say(id="a" * SAY_ID_MAX, text="\U0001f600" * SAY_TEXT_MAX)
    assert codec.decode_client(codec.encode(longest)) == longest


@BOTH
def test_a_longer_line_is_answered(codec: Codec) -> None:
    frame = codec.encode(Say(id="a", text="x" * (SAY_TEXT_MAX + 1)))
    assert judge(codec, frame) == "bad text string_too_long"


@BOTH
def test_a_longer_id_is_answered(codec: Codec) -> None:
    frame = codec.encode(Say(id="a" * (SAY_ID_MAX + 1), text="x"))
    assert judge(codec, frame) == "bad id string_pattern_mismatch"


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_ten_thousand_openings_in_json_are_hostile(opening: str) -> None:
    assert judge(JSON, opening.encode() * 10_000) == "hostile"


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1a"])
def test_ten_thousand_openings_in_msgpack_are_hostile(opening: bytes) -> None:
    assert judge(MSGPACK, opening * 10_000) == "hostile"


def test_ten_thousand_digits_are_hostile() -> None:
    assert judge(JSON, b'{"type":"sync","room":' + b"1" * 10_000 + b"}") == "hostile"


def test_more_items_than_any_message_has_are_hostile() -> None:
    assert judge(MSGPACK, msgpack.packb([1] * (CLIENT_ITEMS_MAX + 1))) == "hostile"


def test_a_string_longer_than_any_message_has_is_hostile() -> None:
    assert judge(MSGPACK, msgpack.packb("x" * (CLIENT_STRING_MAX_BYTES + 1))) == "hostile"


@BOTH
def test_a_server_may_nest_deeper_but_not_without_end(codec: Codec) -> None:
    body: dict[str, Tree] = {}
    for _ in range(SERVER_NESTING_MAX):
        body = {"a": body}
    with pytest.raises(Hostile):
        codec.decode_server(codec.encode(Game(key="k", hash="h", body=body)))


# The short way for `say` gives the verdict of the long way, whatever stands in the fields.

anything: st.SearchStrategy[object] = (
    trees
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.binary(max_size=2)
    | st.sampled_from(["a", "x" * 33, "a b", "\n", 0, 1, True, "x" * 2001])
)


def verdict_of(read: object, frame: bytes) -> Message | str:
    assert callable(read)
    try:
        message: Message = read(frame)
    except (Unreadable, Hostile, BadMessage) as error:
        return f"{type(error).__name__}: {error}"
    return message


@given(st.lists(anything, max_size=6))
def test_the_short_route_for_say_judges_like_the_long_one(values: list[object]) -> None:
    frame = msgpack.packb([1, *values])
    assert verdict_of(MSGPACK.decode_client, frame) == verdict_of(CLIENTS.msgpack, frame)


@pytest.mark.parametrize(("codec", "frame", "verdict"), VECTORS)
def test_the_short_route_agrees_on_the_vectors(codec: Codec, frame: bytes, verdict: str) -> None:
    assert verdict_of(MSGPACK.decode_client, frame) == verdict_of(CLIENTS.msgpack, frame)


def test_an_ordinary_say_takes_the_short_route() -> None:
    assert SAY(MSGPACK.encode(Say(id="a", text="x"))).text == "x"


@given(text=trees, room=trees, at=trees)
def test_both_codecs_judge_a_say_equally(text: Tree, room: Tree, at: Tree) -> None:
    members = {"text": text, "room": room, "at": at}
    present = {name: value for name, value in members.items() if value is not None}
    json = JSON.value({"type": "say", "id": "a", **present})
    assert verdict_of(JSON.decode_client, json) == verdict_of(
        MSGPACK.decode_client, MSGPACK.value([1, "a", text, room, at])
    )
