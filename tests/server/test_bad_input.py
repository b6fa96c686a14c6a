"""What bad input gets: one sentence in the person's language, a stable code, and nothing changed.

The connection stays open unless a frame is unreadable or abusive; then it is closed with the right
code. That a refused line leaves room, version and journal alone is watched over by the stage.
"""

from __future__ import annotations

import json

import pytest

from bluebear.protocol import JSON, MSGPACK, Close, Codec, Error, Say, Sync
from bluebear.protocol.codes import Code
from bluebear.protocol.limits import LANGS_MAX
from bluebear.rules.core.phrases import Lang
from bluebear.server.limits import (
    BAD_MESSAGES_PER_MINUTE,
    EXCESS_SECONDS,
    FRAME_MAX_BYTES,
    LINE_BURST,
    LINE_MAX_CHARS,
)
from tests.server.fixtures import Stage

LANGUAGES = pytest.mark.parametrize("lang", ["en", "ja"])


def at_table(stage: Stage, *, lang: Lang = "en") -> None:
    """A game of Ayu and Ben; Ayu is to move. Eva watches, Fay is in the lobby."""
    for name in ("Ayu", "Ben", "Eva", "Fay"):
        stage.come(name, lang=lang)
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])


def wrong(stage: Stage, name: str, frame: bytes | str) -> Error:
    """A frame that is answered with an error and changes nothing."""
    before = stage.room
    received = stage.frame(name, frame)
    assert list(received) == [name]
    assert len(received[name]) == 1
    assert stage.room is before
    error = stage.people[name].last(Error)
    assert isinstance(error, Error)
    assert_sentence(error.text)
    return error


def assert_sentence(text: str) -> None:
    assert text.strip()
    assert "{" not in text
    assert "\n" not in text


def is_japanese(text: str) -> bool:
    return any("\u3040" <= sign <= "\u30ff" for sign in text)


# Lines.

LINES = [
    # Not understood.
    ("Ayu", "/nosuch", "unknown_command"),
    ("Ayu", "/", "empty_line"),
    ("Ayu", "", "empty_line"),
    ("Ayu", "   ", "empty_line"),
    ("Ayu", "/go", "ambiguous_move"),
    ("Ayu", "/go nowhere", "bad_argument"),
    ("Ayu", "/go mill 99999999999999999999", "bad_argument"),
    ("Ayu", "/dig dig dig", "extra_argument"),
    ("Ayu", "/rest now please", "extra_argument"),
    ("Ayu", "/lang tlh", "bad_word"),
    ("Ayu", "/lang", "command_missing"),
    ("Ayu", "/remove", "command_missing"),
    ("Ayu", "/accept many", "bad_word"),
    ("Ayu", "/accept -1", "bad_word"),
    ("Ayu", "/accept 99999999999999999999", "bad_word"),
    ("Ayu", "/host", "command_missing"),
    ("Ayu", "/resi", "whole_word"),
    ("Ayu", "/record ../../etc/passwd", "no_such_record"),
    ("Ayu", "/rules 99.99", "no_such_paragraph"),
    ("Ayu", "x" * (LINE_MAX_CHARS + 1), "too_long"),
    # Not allowed.
    ("Ayu", "/go castle", "not_next"),
    ("Ben", "/go mill", "not_your_turn"),
    ("Ben", "/dig", "not_your_turn"),
    ("Eva", "/go mill", "not_seated"),
    ("Eva", "/dig", "not_seated"),
    ("Ayu", "/rest", "rash"),
    ("Ayu", "/undo", "nothing_to_undo"),
    ("Ayu", "/accept", "no_vote"),
    ("Ayu", "/accept 7", "no_vote"),
    ("Ayu", "/start", "not_now"),
    ("Ayu", "/option days 2", "not_now"),
    ("Ayu", "/again", "not_now"),
    ("Ayu", "/join", "already_seated"),
    ("Eva", "/join", "game_running"),
    ("Eva", "/join 1", "seat_taken"),
    ("Eva", "/join 9", "no_such_seat"),
    ("Eva", "/resign", "not_permitted"),
    ("Ben", "/kick Ayu", "not_permitted"),
    ("Ayu", "/kick Nobody", "no_such_person"),
    ("Ayu", "/kick Ayu", "not_the_host"),
    ("Ayu", "/invite Nobody", "no_such_person"),
    ("Ayu", "/remove Nobody", "no_such_player"),
    ("Ayu", "/uninvite xyz", "no_such_invite"),
    ("Ayu", "/record g000", "no_such_record"),
    ("Ayu", "/nick server", "name_bad"),
    ("Ayu", "/nick a\u200bb", "name_bad"),
    ("Ayu", "/nick BEN", "name_taken"),
    ("Ayu", "/nick Вen", "name_bad"),
    ("Ayu", ";Nobody psst", "nobody_here"),
    ("Ayu", ";Ben", "empty_line"),
    ("Ayu", "/room 999999", "room_unknown"),
    ("Ayu", "/room 'drop table'", "room_unknown"),
    ("Ayu", "/newroom chess", "no_such_game"),
]


@LANGUAGES
@pytest.mark.parametrize(("name", "line", "code"), LINES, ids=[line[1][:30] for line in LINES])
def test_a_bad_line_gets_its_code_and_a_sentence(
    stage: Stage, name: str, line: str, code: str, lang: Lang
) -> None:
    at_table(stage, lang=lang)
    assert stage.refused(name, line) == code
    error = stage.people[name].last(Error)
    assert_sentence(error.text)
    assert is_japanese(error.text) == (lang == "ja")
    assert stage.people[name].closed is None


def test_every_code_that_a_line_gets_is_in_the_protocol() -> None:
    registered = {code.value for code in Code}
    assert {code for _, _, code in LINES} - registered == {"not_next"}, "but for the game's own"


@pytest.mark.parametrize(
    ("text", "shown_text"),
    [
        pytest.param("\x1b[2J\x1b[H gone", "[2J [H gone", id="escape sequences"),
        pytest.param("a\x00b\r\nc", "a b  c", id="control characters"),
        pytest.param("a\u202edrawkcab\u202c", "a drawkcab", id="turned round"),
        pytest.param("\u2066a\u2069\u200fb", "a b", id="isolated"),
        pytest.param("zero\u200bwidth\ufeff", "zerowidth", id="zero width"),
        pytest.param("a\u2028b", "a b", id="line separator"),
        pytest.param("Z" + "\u0300" * 200, "Z" + "\u0300" * 4, id="flood of marks"),
        pytest.param("<script>x</script>", "<script>x</script>", id="markup"),
        pytest.param("'; DROP TABLE x; --", "'; DROP TABLE x; --", id="SQL"),
        pytest.param("@freeze", "@freeze", id="an act of the server"),
        pytest.param("👩\u200d🚀 ok", "👩\u200d🚀 ok", id="emoji stay whole"),
    ],
)
def test_hostile_talk_does_no_harm(stage: Stage, text: str, shown_text: str) -> None:
    at_table(stage)
    assert stage.say("Ben", text)["Ayu"] == [f"Ben: {shown_text}"]


@pytest.mark.parametrize("text", ["\u200b\u200b", "\x00\x07", "\u202e"])
def test_talk_that_no_person_can_see_is_no_line(stage: Stage, text: str) -> None:
    at_table(stage)
    assert stage.refused("Ben", text) == "empty_line"


def test_a_game_that_is_full_takes_no_person(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben", "Cem", watching=["Eva"])
    assert stage.refused("Eva", "/join") == "room_full"


# Frames that are readable and wrong.

WRONG_FRAMES = [
    {},
    {"type": "dance"},
    {"type": "say"},
    {"type": "say", "id": "a"},
    {"type": "say", "id": "a", "text": 7},
    {"type": "say", "id": "a", "text": "x", "room": "one"},
    {"type": "say", "id": "a", "text": "x", "room": -1},
    {"type": "say", "id": "a", "text": "x", "at": 1.5},
    {"type": "say", "id": "a", "text": "x", "more": 1},
    {"type": "say", "id": "", "text": "x"},
    {"type": "say", "id": "a" * 33, "text": "x"},
    {"type": "say", "id": "あ", "text": "x"},
    {"type": "ask", "id": "a", "what": "everything"},
    {"type": "sync"},
    {"type": "sync", "room": None},
    {"type": "hello", "langs": ["en"]},
    {"type": "hello", "langs": ["en"] * (LANGS_MAX + 1)},
    {"type": "welcome"},
    [],
    7,
    "say",
    None,
]


@LANGUAGES
@pytest.mark.parametrize("frame", WRONG_FRAMES, ids=[json.dumps(f)[:40] for f in WRONG_FRAMES])
def test_a_wrong_message_is_answered_and_borne(stage: Stage, frame: object, lang: Lang) -> None:
    at_table(stage, lang=lang)
    token = stage.people["Ben"].token
    stage.drop("Ben")
    again = stage.dial("Ben", codec=JSON)
    stage.hello("Ben", token, lang=lang)
    error = wrong(stage, "Ben", json.dumps(frame))
    assert error.code == "bad_message"
    assert is_japanese(error.text) == (lang == "ja")
    assert again.closed is None


def test_before_hello_nothing_else_is_received(stage: Stage) -> None:
    at_table(stage)
    stage.dial("stranger", codec=JSON)
    error = wrong(stage, "stranger", JSON.encode(Say(id="a", text="hello")))
    assert error.code == "hello_first"


def test_a_room_that_one_is_not_in_is_not_synced(stage: Stage) -> None:
    at_table(stage)
    fay = stage.people["Fay"]
    assert stage.frame("Fay", fay.codec.encode(Sync(room=stage.number(1)))) == {}


def test_a_broken_client_may_try_a_few_times(stage: Stage) -> None:
    at_table(stage)
    ben = stage.people["Ben"]
    for _ in range(BAD_MESSAGES_PER_MINUTE):
        stage.frame("Ben", wrong_message(ben.codec))
        assert ben.closed is None
    stage.frame("Ben", wrong_message(ben.codec))
    assert ben.closed == Close.POLICY


def wrong_message(codec: Codec) -> bytes:
    return b'{"type":"dance"}' if codec is JSON else b"\x81\xa4type\xa5dance"


# Frames that are unreadable or abusive.

CUT = [
    pytest.param(JSON, b"\xff\xfe\x00", Close.UNREADABLE, id="json: no UTF-8"),
    pytest.param(JSON, b"{'a': 1}", Close.UNREADABLE, id="json: none"),
    pytest.param(JSON, b"", Close.UNREADABLE, id="json: nothing"),
    pytest.param(JSON, b"[" * 2000, Close.POLICY, id="json: deep"),
    pytest.param(JSON, b'{"type":"say","type":"say"}', Close.POLICY, id="json: a key twice"),
    pytest.param(JSON, b" " * (FRAME_MAX_BYTES + 1), Close.TOO_BIG, id="json: too big"),
    pytest.param(MSGPACK, b"\xc1", Close.UNREADABLE, id="msgpack: none"),
    pytest.param(MSGPACK, b"", Close.UNREADABLE, id="msgpack: nothing"),
    pytest.param(MSGPACK, b"\xd4\x01\x00", Close.POLICY, id="msgpack: extension"),
    pytest.param(MSGPACK, b"\xdd\xff\xff\xff\xff", Close.POLICY, id="msgpack: huge promise"),
    pytest.param(MSGPACK, b"\x91" * 2000, Close.POLICY, id="msgpack: deep"),
    pytest.param(MSGPACK, b"\xc0" * (FRAME_MAX_BYTES + 1), Close.TOO_BIG, id="msgpack: too big"),
]


@pytest.mark.parametrize(("codec", "frame", "close"), CUT)
def test_an_unreadable_or_abusive_frame_ends_its_connection_only(
    stage: Stage, codec: Codec, frame: bytes, close: Close
) -> None:
    at_table(stage)
    token, before = stage.people["Ben"].token, stage.room
    stage.drop("Ben")
    ben = stage.dial("Ben", codec=codec)
    stage.hello("Ben", token)
    stage.frame("Ben", frame)
    assert ben.closed == close
    assert stage.room is before
    stage.drop("Ben")
    stage.play("Ayu", "/go mill")


# Floods.


def test_a_flood_is_reported_once_and_ended(stage: Stage) -> None:
    stage.table("journey", "Ayu", watching=["Eva"])
    stage.come("Ben", hasty=True)
    stage.enter("Ben")
    ben = stage.people["Ben"]
    for number in range(LINE_BURST + 5):
        stage.send("Ben", f"line {number}")
    stage.settle()
    assert [each.code for each in ben.messages if isinstance(each, Error)].count("too_fast") == 1
    for _ in range(int(EXCESS_SECONDS * 10) + 10):
        stage.wait(0.1)
        stage.send("Ben", "more")
        if ben.closed is not None:
            break
    assert ben.closed == Close.POLICY


def test_no_entry_beyond_the_budget_is_in_the_journal(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.come("Ben", hasty=True)
    stage.enter("Ben")
    before = len(stage.entries())
    for number in range(500):
        stage.send("Ben", f"line {number}")
        stage.settle()
    assert len(stage.entries()) - before < LINE_BURST


def test_a_flood_of_hellos_makes_few_guests(stage: Stage) -> None:
    stage.dial("flood", codec=JSON)
    for _ in range(500):
        stage.throw("flood", b'{"type":"hello","langs":["en"],"protocol":[7,7]}')
    stage.settle()
    codes = [each.code for each in stage.people["flood"].messages if isinstance(each, Error)]
    assert codes.count("wrong_protocol") == LINE_BURST
    assert codes.count("too_fast") == 1
    assert stage.entries("people") == []
