"""Is it seen within three seconds that the server is not well? In virtual time."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import BOUNDS, Bound, Cost
from bluebear.server.ops.health import (
    BEAT_SECONDS,
    DISK_LEAST,
    STALL_SECONDS,
    STALL_SHOWN_SECONDS,
    Problem,
)
from bluebear.server.ops.metrics import Report, free_share
from tests.server.fixtures import NO_HOUSE, Stage
from tests.support import faults
from tests.support.simulated_store import Latency, SimulatedStore

SEEN_SECONDS = 3.0


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    yield
    faults.disarm()


@pytest.fixture(autouse=True)
def every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the servers of scenes look at how they are as often as real ones."""
    monkeypatch.setattr("tests.server.fixtures.SELDOM_SECONDS", BEAT_SECONDS)


def troubles(stage: Stage) -> tuple[Problem, ...]:
    async def look() -> tuple[Problem, ...]:
        return stage.app.health.troubles()

    return stage.run(look())


def test_a_server_is_well_from_the_start(stage: Stage) -> None:
    assert troubles(stage) == ()
    stage.game("journey", "Ayu", "Ben")
    stage.wait(10)
    assert troubles(stage) == ()


# The journal.


@pytest.mark.expects_log("the disk fails on purpose")
def test_a_journal_that_fails_is_seen_at_once_and_so_is_its_end(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    faults.arm("store.before_commit", 1, "raise")
    assert stage.refused("Ayu", "/go mill") == "not_saved"
    assert troubles(stage) == (Problem.JOURNAL,)
    stage.play("Ayu", "/go mill")
    assert troubles(stage) == ()


def test_a_commit_that_does_not_end_is_seen() -> None:
    slow = [0.0]
    journal = SimulatedStore(lambda: Latency(slow[0], 0.0))
    with Stage(journal) as stage:
        stage.table("journey", "Ayu")
        slow[0] = 60.0
        stage.send("Ayu", "hello")
        stage.wait_only(SEEN_SECONDS)
        assert troubles(stage) == (Problem.JOURNAL,)
        slow[0] = 0.0
        stage.wait(60)
        assert troubles(stage) == ()


# The loop.


def hold(stage: Stage, seconds: float) -> None:
    """Something holds the loop for so long."""
    stage.during(lambda: stage.loop.pass_time(seconds))


def test_a_loop_that_stood_still_for_two_seconds_is_seen(stage: Stage) -> None:
    stage.wait(5)
    hold(stage, STALL_SECONDS + 1.1)
    assert troubles(stage) == (Problem.LOOP,)
    stage.wait(SEEN_SECONDS)
    assert troubles(stage) == (Problem.LOOP,)
    stage.wait(STALL_SHOWN_SECONDS + 1)
    assert troubles(stage) == ()
    assert stage.app.health.lag.seconds >= STALL_SECONDS


def test_a_loop_that_is_busy_is_not_ill(stage: Stage) -> None:
    for _ in range(20):
        hold(stage, 0.9)
        stage.wait(0.2)
    assert troubles(stage) == ()


# The disk.


@pytest.mark.parametrize("share", [DISK_LEAST - 0.001, 0.0])
def test_a_disk_that_is_nearly_full_is_seen(stage: Stage, share: float) -> None:
    free = [1.0]
    stage.app.health._free = lambda: free[0]
    stage.wait(5)
    assert troubles(stage) == ()
    free[0] = share
    stage.wait(SEEN_SECONDS)
    assert troubles(stage) == (Problem.DISK,)
    free[0] = DISK_LEAST
    stage.wait(SEEN_SECONDS)
    assert troubles(stage) == ()


def test_while_the_disk_is_nearly_full_who_is_here_plays_on_and_no_person_new_arrives(
    stage: Stage,
) -> None:
    stage.game("journey", "Ayu", "Ben")
    free = [DISK_LEAST - 0.001]
    stage.app.health._free = lambda: free[0]
    stage.wait(SEEN_SECONDS)
    assert stage.connect("Cem").received == ["! disk_low"]
    assert stage.refused("Ben", "/newroom journey", lobby=True) == "disk_low"
    stage.play(stage.to_move(), "/dig")
    free[0] = DISK_LEAST
    stage.wait(SEEN_SECONDS)
    assert "(snapshot)" in stage.say("Ben", "/newroom journey", lobby=True)["Ben"]


def test_a_disk_that_cannot_be_prompted_is_no_good_disk(stage: Stage) -> None:
    def fail() -> float:
        raise OSError("no such device")

    stage.app.health._free = fail
    stage.wait(SEEN_SECONDS)
    assert troubles(stage) == (Problem.DISK,)


def test_the_share_is_that_of_the_disk() -> None:
    assert 0.0 <= free_share(os.curdir) <= 1.0  # type: ignore[arg-type]


# No new person gets in.


def test_a_server_with_all_its_connections_taken_is_locked() -> None:
    with Stage(config=replace(NO_HOUSE, connections=2)) as stage:
        stage.come("Ayu")
        assert troubles(stage) == ()
        stage.come("Ben")
        assert troubles(stage) == (Problem.FULL,)
        stage.drop("Ben")
        assert troubles(stage) == ()


@pytest.mark.parametrize("cost", [Cost.CONNECTION, Cost.GUEST])
def test_a_server_whose_bound_on_newcomers_is_used_up_is_locked(cost: Cost) -> None:
    bounds = replace(BOUNDS, server={cost: Bound(3, 0.1, "for this test")})
    with Stage() as stage:
        stage.app.health._full = lambda: tight.is_used_up(stage.loop.time())
        tight = Budgets(bounds)
        for number in range(3):
            assert troubles(stage) == ()
            tight.consume(cost, stage.loop.time(), address=f"10.0.0.{number}")
        assert troubles(stage) == (Problem.FULL,)
        stage.wait(11)
        assert troubles(stage) == ()


def test_what_the_server_asks_is_its_bounds(stage: Stage) -> None:
    now = stage.loop.time()
    for number in range(int(BOUNDS.server[Cost.GUEST].burst)):
        stage.app.budgets.consume(Cost.GUEST, now, address=f"10.0.{number // 250}.{number % 250}")
    assert troubles(stage) == (Problem.FULL,)


# The public part of the health report.


def health_report(stage: Stage) -> dict[str, object]:
    async def look() -> dict[str, object]:
        return Report(stage.app, 0).report()

    return stage.run(look())


@pytest.mark.parametrize("seed", range(3))
def test_private_rooms_make_no_difference_to_what_strangers_are_reported(seed: int) -> None:
    """The same evening, once with private rooms in it and once without: one answer."""
    answers = []
    for kind in ("", "private", "unlisted"):
        chance = random.Random(seed)
        with Stage() as stage:
            stage.come("Ayu", "Ben")
            for _ in range(chance.randint(0, 2)):
                stage.say("Ayu", "/newroom journey public", lobby=True)
            for _ in range(chance.randint(1, 3) if kind else 0):
                stage.say("Ben", f"/newroom duel {kind}", lobby=True)
                stage.say("Ben", "/chess")
                stage.say("Ben", "hello?")
            answers.append(health_report(stage))
    assert answers[0] == answers[1] == answers[2]


def test_a_journal_that_was_behind_is_reported(stage: Stage) -> None:
    from bluebear.server.store import NotOpened

    stage.journal.settings, stage.journal.behind = (
        {"synchronous": 2},
        NotOpened("journal_behind", "", 7),
    )

    async def look() -> dict[str, object]:
        return Report(stage.app, 2).report()

    sent = stage.run(look())
    assert sent["journal"] == {"synchronous": 2, "missing": 7}
    assert sent["games"] == {"loaded": len(stage.games), "broken": 2}
