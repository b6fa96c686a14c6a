"""What a connection answers lines with, and what it remembers of that."""

from __future__ import annotations

from bluebear.protocol import JSON, Code, Done, Error, Message, RoomNumber, Version
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import NO_BOUNDS
from bluebear.server.net.session import Session


class RecordingLink:
    """A link that keeps what comes."""

    address = ""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def push(self, frame: bytes) -> None:
        self.messages.append(JSON.decode_server(frame.decode()))

    def close(self, code: int, reason: str) -> None:
        raise AssertionError("nothing is wrong")


def test_a_copy_of_a_line_that_is_refused_is_answered_as_the_line_was() -> None:
    received = RecordingLink()
    connection = Session(received, JSON, Budgets(NO_BOUNDS), 0.0)
    done = Done(id="a", room=None, version=Version(7))
    connection.answer(done)
    for code in (Code.NOT_SAVED, Code.BUSY):
        connection.answer(Error(id="a", code=code, text="no"))
    assert received.messages == [done] * 3
    assert connection.reply_to("a") == done


def test_what_was_refused_may_be_done_by_a_copy() -> None:
    received = RecordingLink()
    connection = Session(received, JSON, Budgets(NO_BOUNDS), 0.0)
    refusal = Error(id="a", code=Code.VOTE_OPEN, text="no")
    done = Done(id="a", room=None, version=Version(7))
    connection.answer(refusal)
    connection.answer(done)
    assert received.messages == [refusal, done]
    assert connection.reply_to("a") == done


def test_a_line_of_a_room_is_answered_again_with_its_room_and_version() -> None:
    received = RecordingLink()
    connection = Session(received, JSON, Budgets(NO_BOUNDS), 0.0)
    done = Done(id="a", room=RoomNumber(3), version=Version(2**33 + 7))
    connection.remember(done)
    assert connection.reply_to("a") == done
    assert "b" not in connection.replies
    assert received.messages == []
