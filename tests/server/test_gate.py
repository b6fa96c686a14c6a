"""The one gate of what connections send: what it costs, and when it is heard."""

from __future__ import annotations

import asyncio
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import pytest

from bluebear.protocol import Ask, Error, Room, Say, Sync
from bluebear.protocol.messages import QueryKind
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Write
from bluebear.server.limits import (
    ASIDES_LATE_SECONDS,
    ASIDES_SECONDS,
    CHARGED_SECONDS,
    QUERIES_LATE_SECONDS,
    QUERIES_RUNNING,
    QUERIES_WAITING,
    SYNC_SECONDS,
)
from bluebear.server.net import dispatch
from bluebear.server.net.budget import Budgets, ConnectionCosts
from bluebear.server.net.rate_limits import BOUNDS, UNLIMITED, Cost, TickBudget
from bluebear.server.room.state import SERVER_ACTOR
from bluebear.server.room.system_acts import Vacation
from bluebear.server.rooms.lines import PendingLine
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import COUNTERS, Tasks
from bluebear.server.store import pack
from tests.server.fixtures import Stage

ONE = "203.0.113.7"
OTHER = "203.0.113.8"
WIDE = "\ufdfa" * 490


@pytest.fixture
def table() -> Iterator[Stage]:
    """Ayu and Ben play, and come from addresses of their own."""
    with Stage() as stage:
        stage.come("Ayu", address=ONE)
        stage.come("Ben", address=OTHER)
        stage.game("journey", "Ayu", "Ben")
        yield stage


def put(
    stage: Stage, name: str, what: QueryKind, **args: Any
) -> None:  # Any: what a question takes
    """A client sends a query; do not wait for the reply."""
    listener = stage.people[name]
    ask = Ask(id=f"a{len(listener.messages)}", what=what, args=args, room=listener.room)
    stage.throw(name, listener.codec.encode(ask))


def request_snapshot(stage: Stage, name: str) -> None:
    """A client requests a snapshot; do not wait for it."""
    listener = stage.people[name]
    assert listener.room is not None
    stage.throw(name, listener.codec.encode(Sync(room=listener.room)))


def snapshots(stage: Stage, name: str) -> int:
    return sum(isinstance(each, Room) for each in stage.people[name].messages)


def left(stage: Stage, cost: Cost, address: str) -> float:
    """What an address can spend at once."""
    budgets, now = stage.app.budgets, stage.loop.time()
    most = BOUNDS.address[cost].burst
    return most - budgets.retry_after_ms(cost, now, address=address, amount=most) / 1000 * (
        BOUNDS.address[cost].per_second
    )


def works(stage: Stage, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From now on the loop works so long between two looks at its meter."""
    looks = count()
    monkeypatch.setattr(stage.app.watch, "meter", lambda: next(looks) * seconds)


# Who pays.


@pytest.mark.parametrize("what", ["ask", "sync"])
def test_questions_and_snapshots_cost_a_line_each(table: Stage, what: str) -> None:
    before = left(table, Cost.LINES, ONE)
    for _ in range(10):
        if what == "ask":
            put(table, "Ayu", "query", text="/board")
        else:
            request_snapshot(table, "Ayu")
            table.wait_only(SYNC_SECONDS / 1000)
            table.people["Ayu"].connection.snapshots_at.clear()  # type: ignore[union-attr]
    table.settle()
    assert before - left(table, Cost.LINES, ONE) == pytest.approx(10, abs=1.5)


def test_a_query_behind_too_many_of_its_network_gets_the_wait(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.app.budgets.queries, "is_over", lambda network: network == ONE)
    put(table, "Ayu", "query", text="/board")
    table.settle()
    [error] = [each for each in table.people["Ayu"].messages if isinstance(each, Error)]
    assert (error.code, error.retry_ms) == ("too_much", 1000 * QUERIES_LATE_SECONDS + 1)


def test_time_below_any_bound_is_charged_to_the_address(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = left(table, Cost.LOOP, ONE)
    works(table, monkeypatch, CHARGED_SECONDS)
    for _ in range(20):
        table.say("Ayu", "/who")
    assert before - left(table, Cost.LOOP, ONE) >= 20 * CHARGED_SECONDS * 0.9
    assert left(table, Cost.LOOP, OTHER) == pytest.approx(BOUNDS.address[Cost.LOOP].burst, abs=0.01)


@pytest.mark.parametrize("lines", [("hello",), ("/lobby", "/learn manhattan", "/learn next")])
def test_work_after_a_commit_is_charged_to_its_sender(
    table: Stage, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...]
) -> None:
    for line in lines[:-1]:
        table.say("Ayu", line)
    connection = table.people["Ayu"].connection
    assert connection is not None
    works(table, monkeypatch, CHARGED_SECONDS / 10)
    table.send("Ayu", lines[-1])
    at_once = connection.unpaid
    table.settle()
    assert connection.unpaid > at_once
    assert table.people["Ben"].connection.unpaid == 0  # type: ignore[union-attr]


def test_entries_of_the_server_are_charged_to_no_sender(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    payers: list[tuple[bool, object]] = []
    live, decide = table.live, RoomActor._decide

    def decided(actor: RoomActor, line: PendingLine) -> None:
        payers.append((line.client is None, table.app.watch.payer))
        decide(actor, line)

    monkeypatch.setattr(RoomActor, "_decide", decided)
    table.send("Ayu", "hello")
    # It waits behind what Ayu has said, and is judged as soon as that is stored.
    live.act(SERVER_ACTOR, Write.of(Vacation(Seat(1), 0)))
    table.settle()
    assert (True, None) in payers
    assert all(payer is None for is_of_server, payer in payers if is_of_server)


def test_an_address_out_of_time_gets_the_wait(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    works(table, monkeypatch, 0.05)
    wrong: list[Error] = []
    for _ in range(20):
        put(table, "Ayu", "query", text="/board")
        table.settle()
        table.wait_only(0.3)
        wrong = [each for each in table.people["Ayu"].messages if isinstance(each, Error)]
        if wrong:
            break
    assert wrong[-1].code == "too_much"
    assert wrong[-1].retry_ms


# Snapshots.


def test_a_room_is_shown_once_a_second_to_who_asks_for_it(table: Stage) -> None:
    before = snapshots(table, "Ayu")
    for _ in range(8):
        request_snapshot(table, "Ayu")
    table.settle()
    assert snapshots(table, "Ayu") == before + 1
    request_snapshot(table, "Ayu")
    request_snapshot(table, "Ayu")
    table.wait(SYNC_SECONDS * 0.9)
    assert snapshots(table, "Ayu") == before + 1
    table.wait(SYNC_SECONDS * 0.2)
    assert snapshots(table, "Ayu") == before + 2
    table.wait(5 * SYNC_SECONDS)
    assert snapshots(table, "Ayu") == before + 2


def test_a_snapshot_that_cannot_be_paid_is_late_and_no_busy_loop(table: Stage) -> None:
    connection = table.people["Ayu"].connection
    assert connection is not None
    connection.owes_until = table.loop.time() + 10
    before = snapshots(table, "Ayu")
    request_snapshot(table, "Ayu")
    table.wait(9)
    assert snapshots(table, "Ayu") == before
    table.wait(2)
    assert snapshots(table, "Ayu") == before + 1


def test_who_leaves_while_a_snapshot_is_due_gets_none(table: Stage) -> None:
    table.come("Cai", address=OTHER)
    table.enter("Cai")
    request_snapshot(table, "Cai")
    table.settle()
    request_snapshot(table, "Cai")
    table.say("Cai", "/lobby")
    before = snapshots(table, "Cai")
    table.wait(3)
    assert snapshots(table, "Cai") == before


# Ticks.


def test_of_questions_a_turn_begins_one(table: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks take turns, however many queries one of them has sent."""
    begun: list[str] = []
    query = table.app.requests.query

    def note(connection: Any, requested: Ask) -> Any:  # Any: as it is handed on
        begun.append(connection.name)
        return query(connection, requested)

    monkeypatch.setattr(table.app.requests, "query", note)

    async def at_once() -> int:
        for name in ("Ayu",) * 6 + ("Ben",):
            listener = table.people[name]
            assert listener.connection is not None
            requested = Ask(id=f"x{len(begun)}", what="catalogue", args={}, room=listener.room)
            table.app.dispatcher.received(listener.connection, listener.codec.encode(requested))
        return len(begun)

    assert table.run(at_once()) == 1
    table.settle()
    assert len(begun) == 7
    assert begun.index("Ben") <= 2


async def test_two_queries_of_a_network_run_at_a_time_and_delay_no_other_network() -> None:
    """Each one that continues in a task has a step in each turn of the loop."""
    budgets, tasks = Budgets(BOUNDS), Tasks()
    ends = asyncio.Event()
    begun: list[str] = []

    def query(payer: ConnectionCosts) -> bool:
        begun.append(payer.network)

        async def later() -> None:
            await ends.wait()

        budgets.queries.follow(payer, tasks.start(later()))
        return True

    one, other = ConnectionCosts(budgets, ONE), ConnectionCosts(budgets, OTHER)
    for payer in (*[one] * QUERIES_WAITING, other):
        budgets.queries.run(payer, partial(query, payer))
    assert not budgets.queries.is_over(OTHER)
    for _ in range(10):
        await asyncio.sleep(0)
    assert Counter(begun) == {ONE: QUERIES_RUNNING, OTHER: 1}
    for _ in range(QUERIES_RUNNING):
        assert not budgets.queries.is_over(ONE)
        budgets.queries.run(one, partial(query, one))
    assert budgets.queries.is_over(ONE)
    ends.set()
    for _ in range(4 * QUERIES_WAITING):
        await asyncio.sleep(0)
    assert Counter(begun) == {ONE: QUERIES_WAITING + QUERIES_RUNNING, OTHER: 1}
    assert not budgets.queries.is_over(ONE)


def test_snapshots_of_all_together_have_their_time_of_a_turn(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    works(table, monkeypatch, 2 * ASIDES_SECONDS)
    for number in range(4):
        table.connect("", client_name=f"tab{number}", token=table.people["Ayu"].token, address=ONE)
        table.enter(f"tab{number}")
    shown = [snapshots(table, f"tab{number}") for number in range(4)]

    async def at_once() -> int:
        for number in range(4):
            listener = table.people[f"tab{number}"]
            assert listener.connection is not None
            assert listener.room is not None
            wanted = listener.codec.encode(Sync(room=listener.room))
            table.app.dispatcher.received(listener.connection, wanted)
        return sum(snapshots(table, f"tab{number}") for number in range(4)) - sum(shown)

    assert table.run(at_once()) == 1
    table.settle()
    assert [snapshots(table, f"tab{number}") for number in range(4)] == [n + 1 for n in shown]


def test_snapshots_wait_for_a_commit_but_not_for_long(
    table: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    committing = True
    monkeypatch.setattr(table.app.budgets.queries, "_is_committing", lambda: committing)
    before = snapshots(table, "Ayu")

    def sent_within(seconds: float) -> int:
        table.wait_only(seconds)
        return snapshots(table, "Ayu") - before

    request_snapshot(table, "Ayu")
    assert sent_within(ASIDES_LATE_SECONDS / 2) == 0
    assert sent_within(ASIDES_LATE_SECONDS) == 1
    table.wait_only(SYNC_SECONDS)
    request_snapshot(table, "Ayu")
    committing = False
    assert sent_within(ASIDES_LATE_SECONDS / 2) == 2


def test_a_snapshot_of_one_version_is_made_once(table: Stage) -> None:
    made = COUNTERS["publish.snapshots_packed"]
    request_snapshot(table, "Ben")
    table.wait_only(SYNC_SECONDS)
    first = COUNTERS["publish.snapshots_packed"]
    request_snapshot(table, "Ben")
    table.wait_only(SYNC_SECONDS)
    assert (first - made, COUNTERS["publish.snapshots_packed"] - first) == (1, 0)
    table.say("Ayu", "hello")
    request_snapshot(table, "Ben")
    table.wait_only(SYNC_SECONDS)
    assert COUNTERS["publish.snapshots_packed"] - first == 1


async def test_a_turn_that_is_over_begins_anew() -> None:
    tick = TickBudget(0.01, 0.002)
    one, same = tick.share("a"), tick.share("a")
    assert one is same
    tick.spend(one, 0.003)
    assert (one.over, tick.over) == (True, False)
    for name in "bcd":
        tick.spend(tick.share(name), 0.003)
    assert tick.over
    await asyncio.sleep(0)
    assert (one.over, tick.over, one.used) == (False, False, 0.0)


async def test_who_has_no_bound_uses_the_turn_up_and_is_never_stopped_alone() -> None:
    tick = TickBudget(0.01, 0.002)
    tick.spend(UNLIMITED, 0.009)
    assert (UNLIMITED.over, tick.over) == (False, False)
    tick.spend(UNLIMITED, 0.009)
    assert (UNLIMITED.over, tick.over) == (False, True)
    await asyncio.sleep(0)


# Texts.


@pytest.mark.parametrize("line", [f"/dest {WIDE}", f"/{WIDE}", f";{WIDE} x", f"/rules {WIDE}"])
def test_a_text_is_refused_by_length_before_it_is_normalised(
    table: Stage, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    sizes: list[int] = []
    normalize = unicodedata.normalize

    def note(form: Any, text: str) -> str:  # Any: one of four names
        sizes.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", note)
    assert table.refused("Ayu", line) == "too_long"
    put(table, "Ayu", "query", text=line)
    put(table, "Ayu", "complete", text=line)
    table.settle()
    assert max(sizes, default=0) <= len("tokugawa")


# What is stored.


def test_free_commands_cost_their_bytes_of_the_journal() -> None:
    """Ten hosts of one address set an option and set it again: 4 KiB a second in the long run."""
    with Stage() as stage:
        names = [f"Host{chr(65 + number)}x" for number in range(10)]
        stage.come(*names, address=ONE)
        rooms = []
        for name in names:
            stage.say(name, "/newroom journey", lobby=True)
            rooms.append(stage.live_ids()[-1])

        def stored() -> int:
            return sum(len(pack(each)) for room in rooms for each in stage.entries(room))

        def toggle(seconds: int) -> int:
            before = stored()
            for second in range(seconds):
                for name in names:
                    for turn in range(10):
                        stage.send(name, f"/option hints {1 + (second + turn) % 2}")
                    stage.settle()
                stage.wait_only(1)
            return stored() - before

        burst, now = BOUNDS.address[Cost.BYTES].burst, stage.loop.time()
        stage.app.budgets.charge(Cost.BYTES, now, burst, address=ONE)
        per_second = BOUNDS.address[Cost.BYTES].per_second
        assert 5 * per_second <= toggle(10) <= 10 * per_second
        wrong = [each for each in stage.people[names[0]].messages if isinstance(each, Error)]
        assert "too_much" in {each.code for each in wrong}
        assert wrong[-1].retry_ms


def test_moves_and_the_house_pay_no_bytes(table: Stage) -> None:
    before = left(table, Cost.BYTES, ONE)
    table.play("Ayu", "/who")
    for _ in range(4):
        name = table.to_move()
        game, room = table.live.game, table.room
        assert game is not None
        seat = table.seat_of(name)
        assert seat is not None
        table.play(name, game.grammar.format(game.plain(room.game, seat)[0]))
    assert left(table, Cost.BYTES, ONE) == pytest.approx(before, abs=10)
    table.play("Ayu", "hello")
    assert left(table, Cost.BYTES, ONE) < before - 30


@pytest.mark.parametrize(
    ("text", "size"), [("/" + "x" * 79, 0), ("/" + "x" * 80, 81), ("hello", 5), ("こ", 3)]
)
def test_a_long_command_of_the_lobby_costs_as_many_bytes_as_talk(text: str, size: int) -> None:
    assert dispatch._bytes_of_talk(Say(id="one", text=text)) == size
