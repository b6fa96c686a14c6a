"""Lines that wait in a room: in order, bounded, and the same one only once."""

from __future__ import annotations

from bluebear.server.limits import ROOM_QUEUE, ROOM_QUEUE_PER_PERSON
from bluebear.server.room.state import Actor
from bluebear.server.rooms.lines import PendingLine, may_wait, twin_of
from tests.server.fixtures import Stage

AYU, BEN = Actor.of_person("ayu"), Actor.of_person("ben")


def test_a_line_in_transit_has_its_twin_and_so_has_one_that_waits() -> None:
    flying, waiting = PendingLine(AYU, say="one", text="x"), PendingLine(AYU, say="two", text="y")
    assert twin_of(PendingLine(AYU, say="one", text="x"), (flying, waiting)) is flying
    assert twin_of(PendingLine(AYU, say="two", text="y"), (flying, waiting)) is waiting
    assert twin_of(PendingLine(AYU, say="two", text="y"), (None, waiting)) is waiting
    assert twin_of(PendingLine(BEN, say="one", text="x"), (flying, waiting)) is None
    assert twin_of(PendingLine(AYU, say="one", text="x"), (None,)) is None


def test_so_many_lines_of_a_person_wait_and_so_many_of_all(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    client = stage.people["Ayu"].connection
    queue = [PendingLine(AYU, client, str(number)) for number in range(ROOM_QUEUE_PER_PERSON)]
    line, other = PendingLine(AYU, client, "line"), PendingLine(BEN, client, "other")
    assert (may_wait(queue, line), may_wait(queue[1:], line)) == (False, True)
    assert may_wait(queue, other)
    many = [PendingLine(Actor.of_person(str(each)), client) for each in range(ROOM_QUEUE)]
    assert (may_wait(many, other), may_wait(many[1:], other)) == (False, True)
    assert may_wait([*queue, *many], PendingLine(AYU))
