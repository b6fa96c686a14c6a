"""Sessions: what a frame says, how many may come, and when a connection is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.protocol import JSON, MSGPACK, Ask, Close, Codec, Hello, Say, Sync
from bluebear.protocol.codes import Code
from bluebear.protocol.messages import RoomNumber
from bluebear.server.limits import (
    ASK_BURST,
    BAD_MESSAGES_PER_MINUTE,
    EXCESS_ENDS_SECONDS,
    EXCESS_SECONDS,
    FRAME_MAX_BYTES,
    HELLO_MAX_BYTES,
    LINE_BURST,
    LINES_PER_SECOND,
)
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import NO_BOUNDS, TokenBucket
from bluebear.server.net.session import SendError, Session
from tests.server.listener import Listener

BOTH = pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
HELLO = Hello(name="Ayu", langs=("en",))


def line(number: int = 0) -> bytes:
    return JSON.encode(Say(id=f"line{number}", text="hello"))


def new(codec: Codec = JSON) -> Session:
    return Session(Listener("", codec, ""), codec, Budgets(NO_BOUNDS), 0.0)


def greeted(codec: Codec = JSON) -> Session:
    session = new(codec)
    session.greet(0.0, burst=LINE_BURST, per_second=LINES_PER_SECOND)
    return session


# Hello first.


@BOTH
def test_hello_is_first(codec: Codec) -> None:
    assert new(codec).receive(codec.encode(HELLO), 0.0) == HELLO


@BOTH
@pytest.mark.parametrize(
    "message",
    [Say(id="a", text="x"), Ask(id="a", what="game"), Sync(room=RoomNumber(1))],
    ids=["say", "ask", "sync"],
)
def test_nothing_else_precedes_hello(codec: Codec, message: Say | Ask | Sync) -> None:
    assert new(codec).receive(codec.encode(message), 0.0) == SendError(Code.HELLO_FIRST, None)


def test_hello_is_reported_once() -> None:
    assert greeted().receive(JSON.encode(HELLO), 0.0) == SendError(Code.BAD_MESSAGE, None)


def test_who_says_hello_again_and_again_is_instructed_to_slow_down() -> None:
    """Each accepted hello is an entry in the journal."""
    session = new()
    for _ in range(LINE_BURST):
        assert session.receive(JSON.encode(HELLO), 0.0) == HELLO
    assert session.receive(JSON.encode(HELLO), 0.0) == SendError(Code.TOO_FAST, None)
    assert session.receive(JSON.encode(HELLO), 0.0) is None


# Sizes.


def padded(size: int) -> bytes:
    frame = JSON.encode(HELLO)
    return frame + b" " * (size - len(frame))


def test_a_hello_of_the_greatest_size_is_read() -> None:
    assert new().receive(padded(HELLO_MAX_BYTES), 0.0) == HELLO


def test_before_hello_frames_are_short() -> None:
    verdict = new().receive(padded(HELLO_MAX_BYTES + 1), 0.0)
    assert verdict == Close.TOO_BIG


def test_after_hello_frames_may_be_longer() -> None:
    frame = line() + b" " * (FRAME_MAX_BYTES - len(line()))
    assert isinstance(greeted().receive(frame, 0.0), Say)
    assert greeted().receive(frame + b" ", 0.0) == Close.TOO_BIG


def test_the_size_is_in_bytes_whatever_the_letters() -> None:
    frame = '{"type":"hello","langs":["ja"],"agent":"' + "あ" * 1000 + '"}'
    assert len(frame) < HELLO_MAX_BYTES < len(frame.encode())
    assert new().receive(frame, 0.0) == Close.TOO_BIG


# Frames that are wrong.


@pytest.mark.parametrize(
    ("frame", "close"),
    [
        pytest.param(b"\xff\xfe", Close.UNREADABLE, id="no UTF-8"),
        pytest.param(b"{", Close.UNREADABLE, id="no JSON"),
        pytest.param(b"[" * 1500, Close.POLICY, id="deep"),
        pytest.param(b'{"type":"hello","type":"hello"}', Close.POLICY, id="a key twice"),
    ],
)
def test_an_unreadable_or_hostile_frame_ends_the_connection(frame: bytes, close: Close) -> None:
    assert new().receive(frame, 0.0) == close


@pytest.mark.parametrize(
    "frame",
    [b"{}", b'{"type":"dance"}', b'{"type":"say","id":"a"}', b'{"type":"say","id":"a","text":7}'],
    ids=["empty", "unknown type", "missing field", "wrong field"],
)
def test_a_readable_frame_that_says_nothing_is_answered(frame: bytes) -> None:
    verdict = greeted().receive(frame, 0.0)
    assert isinstance(verdict, SendError)
    assert verdict.code is Code.BAD_MESSAGE


def test_the_answer_names_the_line_that_was_wrong() -> None:
    frame = b'{"type":"say","id":"a7","text":7}'
    assert greeted().receive(frame, 0.0) == SendError(Code.BAD_MESSAGE, "a7")


def test_five_bad_messages_a_minute_are_borne() -> None:
    session = greeted()
    for _ in range(BAD_MESSAGES_PER_MINUTE):
        assert isinstance(session.receive(b"{}", 0.0), SendError)
    assert session.receive(b"{}", 0.0) == Close.POLICY


def test_a_minute_later_they_are_borne_again() -> None:
    session = greeted()
    for minute in range(3):
        for _ in range(BAD_MESSAGES_PER_MINUTE):
            assert isinstance(session.receive(b"{}", minute * 60.0), SendError)


# Rates.


def test_so_many_lines_come_at_once() -> None:
    session = greeted()
    for number in range(LINE_BURST):
        assert isinstance(session.receive(line(number), 0.0), Say)
    assert session.receive(line(99), 0.0) == SendError(Code.TOO_FAST, "line99")


def test_who_is_too_fast_is_reported_once() -> None:
    session = greeted()
    verdicts = [session.receive(line(number), 0.0) for number in range(LINE_BURST + 50)]
    assert verdicts[LINE_BURST] == SendError(Code.TOO_FAST, f"line{LINE_BURST}")
    assert verdicts[LINE_BURST + 1 :] == [None] * 49


def test_so_many_lines_a_second_go_on_for_ever() -> None:
    session = greeted()
    for number in range(1000):
        assert isinstance(session.receive(line(number), number / LINES_PER_SECOND), Say)


@pytest.mark.parametrize("per_second", [5, 20, 1000])
def test_a_flood_is_cut_off_after_ten_seconds(per_second: int) -> None:
    """Also when a line gets through now and then, as it does at any rate."""
    session = greeted()
    reply = 0
    for number in range(20 * per_second):
        now = number / per_second
        verdict = session.receive(line(number), now)
        reply += isinstance(verdict, SendError)
        if isinstance(verdict, Close):
            assert verdict == Close.POLICY
            assert now > EXCESS_SECONDS
            break
    else:
        pytest.fail("the flood was never cut off")
    assert reply <= 1 + EXCESS_SECONDS / EXCESS_ENDS_SECONDS


@given(st.lists(st.integers(0, 400), min_size=LINE_BURST, max_size=80))
def test_whatever_is_passed_over_was_reported_shortly_before(gaps_ms: list[int]) -> None:
    """So who waits for longer, and then says what is unanswered once more, misses nothing."""
    session = greeted()
    now, reply = 0.0, -1.0
    for number, gap in enumerate(gaps_ms):
        now += gap / 1000
        verdict = session.receive(line(number), now)
        if isinstance(verdict, SendError):
            reply = now
        elif verdict is None:
            assert now - reply < EXCESS_ENDS_SECONDS


def test_who_was_notified_and_slows_down_is_not_cut_off() -> None:
    session = greeted()
    for number in range(LINE_BURST + 1):
        session.receive(line(number), 0.0)
    for number in range(100):
        assert isinstance(session.receive(line(number), 5.0 + number), Say)


def test_who_is_too_fast_again_much_later_is_reported_again() -> None:
    session = greeted()
    for began in (0.0, 100.0, 200.0):
        verdicts = [session.receive(line(number), began) for number in range(LINE_BURST + 1)]
        assert isinstance(verdicts[-1], SendError)


def test_questions_have_a_separate_budget() -> None:
    session = greeted()
    for number in range(LINE_BURST):
        session.receive(line(number), 0.0)
    request = Ask(id="q", what="game")
    for _ in range(ASK_BURST):
        assert session.receive(JSON.encode(request), 0.0) == request
    assert session.receive(JSON.encode(request), 0.0) == SendError(Code.TOO_FAST, "q")


def test_a_budget_refills_up_to_its_burst() -> None:
    budget = TokenBucket(2, 1.0, 0.0)
    assert [budget.consume(0.0) for _ in range(3)] == [True, True, False]
    assert [budget.consume(100.0) for _ in range(3)] == [True, True, False]
