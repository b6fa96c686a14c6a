"""Short keys are numbers on the wire and names for the client."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.protocol import (
    JSON,
    MSGPACK,
    BadMessage,
    Game,
    Hostile,
    ReceivedKeys,
    Room,
    RoomNumber,
    Unreadable,
    Update,
    Version,
    apply,
    crc,
)
from bluebear.protocol.short_keys import KEYS_MAX, NUMBER_MAX, Keys
from bluebear.rules.core.merge_patch import Branch
from tests.protocol.strategies import trees

NAMES = ("room", "game", "turn", "seats", "hand")
KEYS = Keys(NAMES)
SHORT = MSGPACK.keyed(KEYS)
VIEW: Branch = {"room": {"turn": [1]}, "game": {"seats": {"1": {"hand": [{"turn": 3}]}}}}

keys = st.sampled_from(NAMES) | st.text(max_size=3) | st.integers(-3, NUMBER_MAX + 3).map(str)
views: st.SearchStrategy[Any] = st.dictionaries(
    keys,
    st.recursive(
        trees, lambda inner: st.dictionaries(keys, inner, max_size=3) | st.lists(inner, max_size=3)
    ),
    max_size=4,
)


def packed_game(body: Branch) -> bytes:
    return SHORT.encode(Game(key="g", hash="h", body=body))


def shown(view: Branch = VIEW, number: int = 1) -> bytes:
    return SHORT.encode(
        Room(
            room=RoomNumber(number),
            id="1",
            game="g",
            hash="h",
            version=Version(1),
            view=view,
            sum=crc(view),
        )
    )


def listening() -> ReceivedKeys:
    """The keys of a client that has received the table and the view of room 1."""
    received = ReceivedKeys()
    MSGPACK.decode_server(packed_game({"keys": list(NAMES)}), received)
    MSGPACK.decode_server(shown(), received)
    return received


@given(views)
def test_a_view_returns_as_it_was(view: Branch) -> None:
    assert KEYS.readable(msgpack.unpackb(SHORT.patch(view), strict_map_key=False)) == view


@given(views, views)
def test_views_and_patches_are_readable_for_who_has_the_table(view: Branch, patch: Branch) -> None:
    received = listening()
    room = MSGPACK.decode_server(shown(view), received)
    assert isinstance(room, Room)
    assert (room.view, room.sum) == (view, crc(room.view))
    update = Update(room=RoomNumber(1), version=Version(2), patch=patch, own=view)
    assert MSGPACK.decode_server(SHORT.encode(update), received) == update
    joined = SHORT.update(
        update.room, update.version, patch=SHORT.patch(patch), own=SHORT.patch(view)
    )
    assert joined == SHORT.encode(update)


def test_names_and_numbers_take_one_byte() -> None:
    assert SHORT.patch({"room": {"turn": [2]}}) == b"\x81\x00\x81\x02\x91\x02"
    assert SHORT.patch({"seats": {"1": None}}) == b"\x81\x03\x81\xfe\xc0"


def test_what_is_no_name_stays_text() -> None:
    assert SHORT.patch({"01": 1}) == MSGPACK.patch({"01": 1})
    assert SHORT.patch({str(NUMBER_MAX + 1): 1}) == MSGPACK.patch({str(NUMBER_MAX + 1): 1})


def test_a_table_is_bounded() -> None:
    many = Keys([f"k{number}" for number in range(KEYS_MAX + 1)])
    assert len(many.names) == KEYS_MAX
    assert many.shortened({f"k{KEYS_MAX}": 1}) == {f"k{KEYS_MAX}": 1}


def test_events_keep_their_names() -> None:
    update = Update(room=RoomNumber(1), version=Version(2), events=({"event": "x", "turn": 1},))
    assert b"turn" in SHORT.encode(update)


def test_json_stays_as_it_is() -> None:
    assert JSON.keyed(KEYS) is JSON


def test_the_same_table_makes_the_same_codec() -> None:
    assert MSGPACK.keyed(KEYS) is SHORT


def test_a_patch_merges_as_the_long_one_does() -> None:
    received = listening()
    patch: Branch = {"game": {"seats": {"1": {"hand": None}, "2": {}}}}
    frame = SHORT.update(RoomNumber(1), Version(2), patch=SHORT.patch(patch))
    update = MSGPACK.decode_server(frame, received)
    assert isinstance(update, Update)
    assert apply(update.patch, VIEW) == apply(patch, VIEW)


@pytest.mark.parametrize(
    "tree",
    [
        [2, 1, 2, {99: 1}],
        [2, 1, 2, {-129: 1}],
        [2, 1, 2, {0: 1, "room": 2}],
        [2, 1, 2, {"a": [{99: 1}]}],
        [2, 7, 2, {0: 1}],
        [2, 1, 2, None, None, None, None, [{0: 1}]],
        [2, 1, 2, {1.5: 1}],
        [2, 1, 2, {True: 1}],
        {"type": "note", "code": "c", "text": "t", 0: 1},
        {"type": "lobby", "version": 1, "patch": {0: 1}},
        {"type": "game", "key": "g", "hash": "x", "body": {0: 1}},
    ],
    ids=repr,
)
def test_a_number_that_stands_for_no_name_is_hostile(tree: object) -> None:
    with pytest.raises(Hostile):
        MSGPACK.decode_server(msgpack.packb(tree), listening())


def test_who_was_shown_nothing_reads_no_numbers() -> None:
    for received in (None, ReceivedKeys()):
        with pytest.raises(Hostile):
            MSGPACK.decode_server(shown(), received)


def test_a_number_of_a_room_denotes_the_newest_view_of_that_number() -> None:
    received = listening()
    other = Room(
        room=RoomNumber(1), id="2", game="o", hash="o", version=Version(1), view={}, sum=crc({})
    )
    MSGPACK.decode_server(MSGPACK.encode(other), received)
    with pytest.raises(Hostile):
        MSGPACK.decode_server(msgpack.packb([2, 1, 2, {0: 1}]), received)


def test_no_client_may_send_numbers() -> None:
    with pytest.raises(Hostile):
        MSGPACK.decode_client(msgpack.packb({"type": "sync", 0: 1}))


def test_broken_frames_meet_listed_errors_only() -> None:
    chance = random.Random(12)
    patch = SHORT.update(RoomNumber(1), Version(2), patch=SHORT.patch(VIEW), own=SHORT.patch(VIEW))
    frames = [packed_game({"keys": list(NAMES)}), shown(), patch]
    verdicts = set()
    for _ in range(20_000):
        frame = bytearray(chance.choice(frames))
        for _ in range(chance.randint(1, 3)):
            frame[chance.randrange(len(frame))] = chance.randrange(256)
        try:
            MSGPACK.decode_server(
                bytes(frame), listening() if chance.random() < 0.1 else RECEIVED_KEYS
            )
            verdicts.add("accepted")
        except (Unreadable, Hostile, BadMessage) as error:
            verdicts.add(type(error).__name__)
    assert verdicts == {"accepted", "Unreadable", "Hostile", "BadMessage"}


RECEIVED_KEYS = listening()
