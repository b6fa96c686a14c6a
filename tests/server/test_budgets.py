"""What strangers may cost: by address, by person, and for the whole server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import count
from typing import Any

import pytest

from bluebear.protocol import Bye, Error
from bluebear.server import limits
from bluebear.server.limits import (
    CONNECTIONS_PER_ADDRESS,
    HASHES_IN_THE_AIR,
    PASSWORD_TRIES,
    ROOMS_OPEN_PER_PERSON,
)
from bluebear.server.net.budget import Budgets, ConnectionCosts, FairQueue, TokenBuckets, too_much
from bluebear.server.net.rate_limits import (
    BOUNDS,
    NO_BOUNDS,
    NUDGES,
    REQUESTS,
    YELLS,
    Bound,
    Bounds,
    Cost,
    network_of,
)
from bluebear.server.people import passwords
from bluebear.server.runtime import CpuMeter, CpuMeteredTask
from bluebear.server.store import pack
from tests.server.fixtures import Stage
from tests.server.test_questions import ask
from tests.sim.virtual_loop import virtual

ONE = "203.0.113.7"
OTHER = "203.0.113.8"
GUESTS = int(BOUNDS.address[Cost.GUEST].burst)
ROOMS = int(BOUNDS.address[Cost.ROOM].burst)
WRONG = int(BOUNDS.address[Cost.WRONG].burst)


def budgets(**address: Bound) -> Budgets:
    by_address = {Cost(name): bound for name, bound in address.items()}
    return Budgets(Bounds(address=by_address, person={}, server={}))


# The accounts.


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("unix", "unix", True),
    ],
)
def test_a_household_is_one_account(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) is same


def test_so_much_at_once_and_then_as_time_passes() -> None:
    made = budgets(guest=Bound(2, 0.5, ""))
    taken = [made.consume(Cost.GUEST, 0, address=ONE) for _ in range(3)]
    assert taken == [0, 0, 2001]
    assert made.consume(Cost.GUEST, 1.9, address=ONE)
    assert made.consume(Cost.GUEST, 2.1, address=ONE) == 0


def test_what_led_to_nothing_is_given_back() -> None:
    made = budgets(guest=Bound(1, 0.5, ""))
    assert made.consume(Cost.GUEST, 0, address=ONE) == 0
    made.charge(Cost.GUEST, 0, -1.0, address=ONE)
    assert made.consume(Cost.GUEST, 0, address=ONE) == 0


def test_an_address_that_spends_leaves_the_rest_alone() -> None:
    made = budgets(guest=Bound(1, 0.5, ""))
    assert made.consume(Cost.GUEST, 0, address=ONE) == 0
    assert made.consume(Cost.GUEST, 0, address=OTHER) == 0


def test_many_addresses_together_are_bounded_too() -> None:
    made = Budgets(Bounds(address={}, person={}, server={Cost.GUEST: Bound(10, 1, "")}))
    taken = [made.consume(Cost.GUEST, 0, address=f"192.0.2.{number}") for number in range(12)]
    assert [bool(wait) for wait in taken] == [False] * 10 + [True] * 2


def test_a_debt_is_waited_for() -> None:
    made = budgets(loop=Bound(1, 0.1, ""))
    made.charge(Cost.LOOP, 0, 3.0, address=ONE)
    assert made.retry_after_ms(Cost.LOOP, 0, address=ONE, amount=0.0) == 20_001
    assert made.retry_after_ms(Cost.LOOP, 20, address=ONE, amount=0.0) == 0


def test_a_bucket_in_use_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SPENDERS_MAX", 2)
    made = budgets(lines=Bound(1, 0.5, ""))

    def evict() -> None:
        for number in range(9):
            made.consume(Cost.LINES, 0, address=f"192.0.2.{number}")

    one, same = ConnectionCosts(made, ONE), ConnectionCosts(made, ONE)
    assert one.consume(0) == 0
    evict()
    assert same.consume(0) == 2001
    evict()
    for each in (one, same):
        each.end(0)
    del one, same, each
    assert ConnectionCosts(made, ONE).consume(0) == 2001


def test_the_house_itself_is_not_bounded() -> None:
    made = budgets(guest=Bound(1, 0.5, ""))
    assert [made.consume(Cost.GUEST, 0, address="") for _ in range(9)] == [0] * 9


def test_every_bound_has_a_reason() -> None:
    for bounds in (BOUNDS.address, BOUNDS.person, BOUNDS.server, YELLS, NUDGES, REQUESTS):
        assert all(len(bound.why) > 20 for bound in bounds.values())


# At a server.


def errors(stage: Stage, name: str) -> list[Error]:
    return [each for each in stage.people[name].messages if isinstance(each, Error)]


def test_so_many_guests_come_from_one_address_and_no_more(stage: Stage) -> None:
    for number in range(GUESTS):
        stage.come(f"Guest{number:02}x", address=ONE)
        stage.drop(f"Guest{number:02}x")
    late = stage.connect("Late", address=ONE)
    assert late.received == ["! too_much"]
    wait = errors(stage, "Late")[0].retry_ms
    assert wait is not None
    stage.come("Other", address=OTHER)
    stage.wait(wait / 1000)
    assert stage.connect("Late", client_name="again", address=ONE).name == "Late"


def test_many_who_guess_at_many_addresses_lock_no_person_out(stage: Stage) -> None:
    """A bound on all wrong tries together would be a switch in the hands of strangers."""
    stage.table("journey", "Ayu")
    token = stage.people["Ayu"].token
    for number in range(3_000):
        stage.connect(
            "", client_name="x", token=f"{number:032x}", address=f"2001:db8:{number:x}::1"
        )
        stage.drop("x")
        if number % 100 == 0:
            stage.wait(1)
    assert stage.connect("", client_name="again", token=token, address=OTHER).name == "Ayu"


def test_a_line_that_was_too_much_may_be_sent_again_under_its_id(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    while not errors(stage, "Ayu"):
        stage.say("Ayu", "あ" * 480, say_id=f"talk{len(stage.people['Ayu'].messages)}")
    refused = errors(stage, "Ayu")[0]
    assert refused.retry_ms is not None
    stage.wait(refused.retry_ms / 1000)
    received = stage.say("Ayu", "あ" * 480, say_id=str(refused.id))
    assert received["Ben"] == ["Ayu: " + "あ" * 480]


def test_a_name_that_is_taken_costs_nothing(stage: Stage) -> None:
    stage.come("Ayu", address=OTHER)
    for number in range(GUESTS + 5):
        listener = stage.connect("Ayu", client_name=f"try{number}", address=ONE)
        assert listener.received == ["! name_taken"]
        stage.drop(f"try{number}")
    assert stage.connect("Ben", address=ONE).name == "Ben"


def test_tokens_are_guessed_slowly_from_one_address(stage: Stage) -> None:
    stage.come("Ayu", address=OTHER)
    token = stage.people["Ayu"].token
    received = []
    for number in range(WRONG + 1):
        received += stage.connect("", client_name="x", token=f"{number:032x}", address=ONE).received
        stage.drop("x")
    assert received == ["! unauthorized"] * WRONG + ["! too_much"]
    assert stage.connect("", client_name="y", token=token, address=ONE).received == ["! too_much"]
    assert stage.connect("", client_name="z", token=token, address=OTHER).name == "Ayu"


def test_rooms_are_guessed_slowly_however_many_guests_do_it(stage: Stage) -> None:
    attempts = 0
    answers = set()
    for number in range(GUESTS):
        name = f"Guess{number:02}x"
        stage.come(name, address=ONE)
        for _ in range(10):
            answers.add(stage.refused(name, f"/room {100_000 + attempts}", lobby=True))
            attempts += "guessed_too_often" not in answers
        stage.drop(name)
    assert attempts == WRONG
    assert answers == {"room_unknown", "guessed_too_often"}


def test_a_person_at_another_address_still_gets_in(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    for number in range(WRONG + 5):
        stage.connect("", client_name="x", token=f"{number:032x}", address=ONE)
        stage.drop("x")
    stage.come("Ben", address=OTHER)
    stage.enter("Ben")


def test_so_many_rooms_come_from_one_address_and_no_more(stage: Stage) -> None:
    received = []
    for number in range(ROOMS // ROOMS_OPEN_PER_PERSON + 1):
        name = f"Host{number:02}x"
        stage.come(name, address=ONE if number < GUESTS else OTHER)
        for _ in range(ROOMS_OPEN_PER_PERSON):
            received += stage.say(name, "/newroom journey", lobby=True)[name]
            stage.say(name, "/lobby")
    assert received.count("(snapshot)") == ROOMS
    assert set(received[ROOMS:]) == {"! too_much"}


def test_rooms_requested_at_once_are_counted_before_they_are_made(stage: Stage) -> None:
    stage.come("Ayu")
    for _ in range(20):
        stage.send("Ayu", "/newroom journey", lobby=True)
    stage.settle()
    assert len(stage.live_ids()) == ROOMS_OPEN_PER_PERSON
    assert stage.people["Ayu"].received.count("! too_many_rooms") == 20 - ROOMS_OPEN_PER_PERSON


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A hash takes a second of the scene's time; the passwords that were compared."""
    made: list[str] = []
    fits = passwords._fits

    def note(hashed: str, password: str) -> bool:
        made.append(password)
        return fits(hashed, password)

    async def slowly(work: Callable[..., bool], *given: str) -> bool:
        done = asyncio.Event()
        asyncio.get_running_loop().call_later(1, done.set)
        await done.wait()
        return work(*given)

    monkeypatch.setattr(passwords, "_fits", note)
    monkeypatch.setattr(passwords, "_in_a_thread", slowly)
    return made


def locked_room(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.send("Ayu", "/password sesame")
    stage.wait(2)


def test_passwords_attempted_at_once_are_counted_before_they_are_compared(
    stage: Stage, compared: list[str]
) -> None:
    locked_room(stage)
    stage.come("Ben")
    for number in range(40):
        stage.send("Ben", f"/room {stage.room_id} guess{number}", lobby=True)
    stage.wait(30)
    assert len(compared) == PASSWORD_TRIES
    codes = [each.code for each in errors(stage, "Ben")]
    assert (len(codes), codes.count("wrong_password")) == (40, PASSWORD_TRIES)


def test_so_many_hashes_are_in_the_air_and_no_more(stage: Stage, compared: list[str]) -> None:
    locked_room(stage)
    names = [f"Ben{number:02}x" for number in range(HASHES_IN_THE_AIR + 8)]
    stage.come(*names)
    for name in names:
        stage.send(name, f"/room {stage.room_id} guess", lobby=True)
    stage.wait(HASHES_IN_THE_AIR)
    answers = [errors(stage, name)[0] for name in names]
    busy = [each for each in answers if each.code == "busy"]
    assert len(busy) == 8
    assert all(each.retry_ms for each in busy)
    assert len(compared) == HASHES_IN_THE_AIR


def test_who_talks_without_end_has_to_wait(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    sent = 0
    while not errors(stage, "Ayu"):
        stage.say("Ayu", "あ" * 480)
        sent += 1
        assert sent < 100
    stored_count = sum(len(pack(entry)) + 32 for entry in stage.entries() if entry.facts)
    assert stored_count <= BOUNDS.person[Cost.BYTES].burst < stored_count + 480 * 3 + 200
    assert sent - 1 > 40
    assert errors(stage, "Ayu")[0].code == "too_much"
    stage.play("Ayu", "/start")


def test_lines_that_hold_the_loop_are_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with Stage() as stage:
        stage.table("journey", "Ayu", "Ben")
        clock = iter(range(1000))
        monkeypatch.setattr(stage.app.watch, "meter", lambda: float(next(clock)))
        stage.say("Ayu", "/board")
        monkeypatch.setattr(stage.app.watch, "meter", lambda: 0.0)
        assert stage.refused("Ayu", "/board") == "too_much"
        wait = errors(stage, "Ayu")[-1].retry_ms
        assert wait is not None
        stage.say("Ben", "/board")
        stage.wait(wait / 1000)
        stage.play("Ayu", "/who")


def only_in_tasks() -> Callable[[], float]:
    """A clock that goes on by a second at each look from a task that answers a question."""
    clock = count()

    def look() -> float:
        task = asyncio.current_task()
        works = task is not None and isinstance(task.get_coro(), CpuMeteredTask)
        return float(next(clock)) if works else 0.0

    return look


def test_questions_that_hold_the_loop_are_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are judged in tasks of their own, some after a look into the store."""
    for requested in ({"text": "/board"}, {"text": "/top journey"}):
        with Stage() as stage:
            stage.table("journey", "Ayu", "Ben")
            stage.play("Ayu", "/start")
            monkeypatch.setattr(stage.app.watch, "meter", only_in_tasks())
            ask(stage, "Ayu", "query", **requested)
            monkeypatch.setattr(stage.app.watch, "meter", lambda: 0.0)
            assert ask(stage, "Ayu", "query", **requested) == "too_much"
            assert stage.refused("Ayu", "/board") == "too_much"
            assert ask(stage, "Ben", "query", text="/board")["code"] == "board"


class Ear:
    """Who pays for something."""

    unpaid = 0.0


def test_a_metered_task_is_cancelled_and_fails_as_any_other() -> None:
    async def scene() -> list[str]:
        reported: list[str] = []
        watch, payer = CpuMeter(partial(next, count(0.0))), Ear()

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                reported.append("cancelled")
                raise

        async def fails() -> None:
            await asyncio.sleep(0)
            raise ValueError("this")

        async def metered(each: Coroutine[Any, Any, None]) -> None:  # Any: what it waits for
            await asyncio.create_task(CpuMeteredTask(each, watch, payer))

        early = asyncio.create_task(CpuMeteredTask(work(), watch, payer))
        early.cancel()
        await asyncio.gather(early, return_exceptions=True)
        assert reported == []
        task = asyncio.create_task(CpuMeteredTask(work(), watch, payer))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(ValueError, match="this"):
            await metered(fails())
        assert payer.unpaid == 5.0
        return reported

    assert asyncio.run(scene()) == ["cancelled"]


def test_so_many_connections_of_one_household_and_no_more(stage: Stage) -> None:
    for number in range(CONNECTIONS_PER_ADDRESS + 1):
        stage.dial(f"tab{number}", address=f"2001:db8::{number + 1:x}")
    last = stage.people[f"tab{CONNECTIONS_PER_ADDRESS}"]
    assert last.connection is None
    [bye] = [each for each in last.messages if isinstance(each, Bye)]
    assert (bye.why, bool(bye.retry_ms)) == ("full_server", True)
    assert stage.dial("other", address="2001:db8:0:1::1").connection is not None


def test_a_charge_leaves_a_debt() -> None:
    buckets = TokenBuckets({Cost.CALL: Bound(1, 1, "")})
    buckets.charge(Cost.CALL, "ayu", 0.0, 3.0)
    assert buckets.wait(Cost.CALL, "ayu", 0.0) == 3.0
    assert buckets.wait(Cost.CALL, "ben", 0.0) == 0.0


@pytest.mark.parametrize(("wait_ms", "seconds"), [(1, 1), (999, 1), (1000, 1), (1001, 2)])
def test_a_refusal_names_seconds_that_are_long_enough(wait_ms: int, seconds: int) -> None:
    assert too_much(wait_ms).params == {"seconds": seconds, "retry_ms": wait_ms}


class Disk:
    """Whether an entry is on its way to it, as the writer of the store says."""

    busy = True

    def is_committing(self) -> bool:
        return self.busy


@virtual
async def test_a_query_waits_until_an_entry_is_on_the_disk() -> None:
    disk, done = Disk(), asyncio.Event()

    def reply() -> bool:
        done.set()
        return False

    queue = FairQueue(CpuMeter(), 1.0, disk)
    queue.run(ConnectionCosts(Budgets(NO_BOUNDS), ONE), reply)
    await asyncio.sleep(0)
    assert not done.is_set()
    disk.busy = False
    await done.wait()
