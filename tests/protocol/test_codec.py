"""Messages to frames and back, in both codecs."""

from typing import get_args

import pytest
from hypothesis import given

from bluebear.protocol.codec import JSON, MSGPACK, Codec, codec_for
from bluebear.protocol.codes import Code
from bluebear.protocol.examples import EXAMPLES
from bluebear.protocol.messages import (
    ClientMessage,
    Done,
    Error,
    Hello,
    Message,
    RoomNumber,
    Say,
    ServerMessage,
    Update,
    Version,
    Want,
)
from bluebear.rules.core.merge_patch import Tree
from tests.protocol.strategies import client_messages, server_messages, updates

BOTH = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=lambda codec: codec.name)


def decode(codec: Codec, message: Message) -> Message:
    frame = codec.encode(message)
    if isinstance(message, get_args(ClientMessage)):
        return codec.decode_client(frame)
    return codec.decode_server(frame)


@BOTH
@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: message.type)
def test_an_example_returns_equal(codec: Codec, message: Message) -> None:
    assert decode(codec, message) == message


def test_there_is_an_example_of_every_message() -> None:
    kinds = {*get_args(ClientMessage), *get_args(ServerMessage)}
    assert {type(example) for example in EXAMPLES} == kinds


@BOTH
@given(message=client_messages)
def test_what_a_client_says_returns_equal(codec: Codec, message: ClientMessage) -> None:
    assert codec.decode_client(codec.encode(message)) == message


@BOTH
@given(message=server_messages)
def test_what_a_server_says_returns_equal(codec: Codec, message: ServerMessage) -> None:
    assert codec.decode_server(codec.encode(message)) == message


@BOTH
@given(update=updates)
def test_an_update_joined_from_parts_is_the_encoded_update(codec: Codec, update: Update) -> None:
    def encoded(tree: Tree) -> bytes | None:
        return None if tree is None else codec.value(tree)

    assert codec.encode(update) == codec.update(
        update.room,
        update.version,
        patch=encoded(update.patch),
        own=encoded(update.own),
        done=update.done,
        sum=update.sum,
        events=encoded(update.events),
        text=encoded(update.text),
    )


def test_a_say_in_msgpack_is_an_array_without_its_absent_end() -> None:
    frame = MSGPACK.encode(Say(id="a1", text="/roll", room=RoomNumber(3)))
    assert frame == b"\x94\x01\xa2a1\xa5/roll\x03"


def test_an_absent_field_in_the_middle_is_nil() -> None:
    frame = MSGPACK.encode(Done(id="a1", version=Version(7)))
    assert frame == b"\x94\x03\xa2a1\xc0\x07"


def test_other_messages_in_msgpack_are_maps_without_their_defaults() -> None:
    assert MSGPACK.encode(Hello(langs=("ja",))) == b"\x82\xa4type\xa5hello\xa5langs\x91\xa2ja"


def test_json_has_readable_keys_and_leaves_out_what_is_absent() -> None:
    frame = JSON.encode(Update(room=RoomNumber(1), version=Version(2), patch={"a": None}))
    assert frame == b'{"type":"update","room":1,"version":2,"patch":{"a":null}}'


def test_json_is_utf8_and_not_escaped() -> None:
    assert "東京".encode() in JSON.encode(Say(id="a1", text="東京"))


@BOTH
def test_a_set_is_written_in_order(codec: Codec) -> None:
    wants = frozenset[Want]({"text", "moves", "events"})
    frame = codec.encode(Hello(langs=("en",), wants=wants))
    assert frame.index(b"events") < frame.index(b"moves") < frame.index(b"text")


@BOTH
def test_a_code_is_written_as_its_text(codec: Codec) -> None:
    error = codec.decode_server(codec.encode(Error(code=Code.STALE, text="?")))
    assert error == Error(code="stale", text="?")


@BOTH
def test_a_codec_is_matched_by_its_subprotocol(codec: Codec) -> None:
    assert codec_for(codec.name) is codec


def test_an_unknown_subprotocol_has_no_codec() -> None:
    assert codec_for("bluebear.v2.json") is None


def test_only_json_travels_as_text() -> None:
    assert (JSON.text, MSGPACK.text) == (True, False)


def test_json_reads_a_text_frame_however_the_transport_hands_it_over() -> None:
    frame = JSON.encode(Say(id="a1", text="東京"))
    assert JSON.decode_client(frame.decode()) == JSON.decode_client(frame)
