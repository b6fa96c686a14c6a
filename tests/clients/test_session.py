"""What does a session do with what was unanswered when the connection broke?"""

from __future__ import annotations

from unittest.mock import Mock

from bluebear.clients.sdk.client_events import Left, Replied, RoomId, Slowed
from bluebear.clients.sdk.connection import Connection
from bluebear.clients.sdk.session import ClientSession, SessionOutput, line_ids
from bluebear.clients.transport.heartbeat import USUAL
from bluebear.protocol import (
    Branch,
    Code,
    Done,
    Error,
    Hello,
    RoomNumber,
    Say,
    Sync,
    Update,
    Version,
    Welcome,
    crc,
)
from bluebear.protocol import Room as Snapshot

ROOM = RoomId("12")
WELCOME = Welcome(
    protocol=1, person="p1", name="Ayu", token="t1", lang="en", server="bluebear", now=1
)


def snapshot() -> Snapshot:
    view: Branch = {"room": {"phase": "playing", "turn": [2]}, "game": {"count": 0}}
    return Snapshot(
        room=RoomNumber(1),
        id=ROOM,
        game="g",
        hash="h",
        version=Version(5),
        view=view,
        sum=crc(view),
    )


def away() -> tuple[ClientSession, str, str]:
    """A session that resumes with an unanswered line: the ids of the line and of the join."""
    session = ClientSession(Hello(name="Ayu", langs=("en",)), line_ids(bytes(12)))
    session.connect()
    session.receive(WELCOME)
    session.receive(snapshot())
    line, _ = session.say("/dig", room=ROOM)
    session.connect()
    (entering,) = session.receive(WELCOME).send
    assert isinstance(entering, Say)
    assert entering.text == f"/room {ROOM}"
    return session, line, entering.id


def test_a_room_that_cannot_be_read_just_now_is_retried_and_its_lines_wait() -> None:
    session, line, entering = away()
    for code in (Code.NOT_SAVED, Code.BUSY):
        refused = session.receive(Error(id=entering, code=code, text="not just now"))
        assert refused.happened == (Slowed(),)
        assert [each.id for each in session.go_on().send if isinstance(each, Say)] == [entering]
    session.receive(snapshot())
    entered = session.receive(Done(id=entering, room=RoomNumber(1)))
    assert [each.id for each in entered.send if isinstance(each, Say)] == [line]


def test_a_room_that_is_removed_is_left_and_its_lines_are_refused() -> None:
    session, line, entering = away()
    removed = session.receive(Error(id=entering, code=Code.ROOM_UNKNOWN, text="no such room"))
    assert Left(ROOM, "no such room") in removed.happened
    (reply,) = (each for each in removed.happened if isinstance(each, Replied))
    assert (reply.reply.id, reply.reply.code) == (line, Code.NOT_IN_ROOM)


def inside() -> tuple[ClientSession, str]:
    """A session in a room that has sent a line, and the id of the line."""
    session = ClientSession(Hello(name="Ayu", langs=("en",)), line_ids(bytes(12)))
    session.connect()
    session.receive(WELCOME)
    session.receive(snapshot())
    return session, session.say("/dig", room=ROOM)[0]


def test_a_snapshot_wanted_too_fast_is_wanted_again_and_so_is_what_was_passed_over() -> None:
    session, line = inside()
    assert session.receive(Update(room=RoomNumber(1), version=Version(7))).send == (
        Sync(room=RoomNumber(1)),
    )
    slowed = session.receive(Error(code=Code.TOO_FAST, text="too fast"))
    assert slowed == SessionOutput(happened=(Slowed(),))
    wanted, again = session.go_on().send
    assert wanted == Sync(room=RoomNumber(1))
    assert isinstance(again, Say)
    assert again.id == line


def test_who_keeps_silent_wants_a_snapshot_when_he_continues() -> None:
    session, line = inside()
    session.receive(Error(id=line, code=Code.TOO_FAST, text="too fast"))
    assert session.receive(Update(room=RoomNumber(1), version=Version(7))).send == ()
    assert session.go_on().send[0] == Sync(room=RoomNumber(1))


def test_a_session_is_silent_until_the_last_pause_is_over() -> None:
    session, line = inside()
    for _ in range(2):
        session.receive(Error(id=line, code=Code.TOO_FAST, text="too fast"))
    assert session.go_on() == SessionOutput()
    (again,) = session.go_on().send
    assert isinstance(again, Say)
    assert again.id == line


def test_a_reply_is_due_until_a_room_is_entered_again() -> None:
    session, line = inside()
    session.receive(Done(id=line, room=RoomNumber(1)))
    before = session.expects_reply
    session.connect()
    (entering,) = session.receive(WELCOME).send
    assert isinstance(entering, Say)
    assert (before, session.expects_reply) == (False, True)
    assert not session.is_waiting, "for what a person has requested"
    pulse = Mock()
    connection = Connection(session, Mock(silence=USUAL), Mock())
    connection.pulse = pulse
    connection.settle_if_idle()
    assert not pulse.settle.called, "a dead connection is noticed in 3 s, not in 23"
    session.receive(snapshot())
    session.receive(Done(id=entering.id, room=RoomNumber(1)))
    connection.settle_if_idle()
    assert pulse.settle.called
