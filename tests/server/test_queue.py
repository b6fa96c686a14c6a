"""Lines that wait in a room: in order, bounded, and the same one only once."""

from __future__ import annotations

from bluebear.server.limits import ROOM_QUEUE_PER_PERSON
from bluebear.server.room.state import Actor
from bluebear.server.rooms.lines import LineQueue, PendingLine
from tests.server.fixtures import Stage

AYU, BEN = Actor.of_person("ayu"), Actor.of_person("ben")


def test_a_line_in_transit_has_its_twin_and_so_has_one_that_waits() -> None:
    queue = LineQueue()
    flying, waiting = PendingLine(AYU, say="one", text="x"), PendingLine(AYU, say="two", text="y")
    queue.put(waiting)
    assert queue.twin_of(PendingLine(AYU, say="one", text="x"), flying) is flying
    assert queue.twin_of(PendingLine(AYU, say="two", text="y"), flying) is waiting
    assert queue.twin_of(PendingLine(AYU, say="two", text="y"), None) is waiting
    assert queue.twin_of(PendingLine(BEN, say="one", text="x"), flying) is None
    assert LineQueue().twin_of(PendingLine(AYU, say="one", text="x"), None) is None
    assert LineQueue().twin_of(PendingLine(AYU, say="one", text="x"), flying) is flying


def test_whoever_has_been_received_may_speak_again(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    client = stage.people["Ayu"].connection
    queue = LineQueue()
    lines = [PendingLine(AYU, client, str(number)) for number in range(ROOM_QUEUE_PER_PERSON + 1)]
    assert [queue.put(line) for line in lines] == [True] * ROOM_QUEUE_PER_PERSON + [False]
    assert queue.put(PendingLine(BEN, client, "other"))
    assert queue.pop() is lines[0]
    assert queue.put(lines[-1])
    assert len(queue.pop_all()) == ROOM_QUEUE_PER_PERSON + 1
    assert queue.put(lines[0])
