"""What the measurements of crowds and of secrets rest on."""

from __future__ import annotations

from bluebear.server.limits import PRESENCE_SECONDS
from bluebear.server.runtime import COUNTERS
from tests.server.fixtures import Stage
from tests.tools.load.timing_leaks import P_LEAST, Timed, mann_whitney, verdict


def test_two_samples_of_one_kind_are_not_distinguished() -> None:
    one, other = [float(n) for n in range(0, 2000, 2)], [float(n) for n in range(1, 2000, 2)]
    assert mann_whitney(one, other) > 0.5
    assert verdict(Timed(one, other))[1]


def test_a_small_shift_of_all_is_reported() -> None:
    one = [float(n % 100) for n in range(2000)]
    assert mann_whitney(one, [each + 10 for each in one]) < P_LEAST
    assert not verdict(Timed(one, [each + 10 for each in one]))[1]


def packed_for(watchers: int) -> tuple[int, int]:
    """The frames that are made and sent while three people join and two of them play some moves."""
    with Stage() as stage:
        stage.game("journey", "Ayu", "Ben", watching=[f"Wen{n}" for n in "abcdefghij"[:watchers]])
        stage.wait(PRESENCE_SECONDS)
        before = COUNTERS["publish.packed"], COUNTERS["publish.frames"]
        stage.play("Ayu", "/go mill", "hello")
        stage.come("Cem")
        stage.enter("Cem")
        stage.wait(PRESENCE_SECONDS)
        return COUNTERS["publish.packed"] - before[0], COUNTERS["publish.frames"] - before[1]


def test_a_new_board_is_encoded_for_once() -> None:
    with Stage() as stage:
        stage.table("journey", "Ayu", "Ben", watching=[f"Wen{n}" for n in "abcdefgh"])
        before = COUNTERS["publish.snapshots_packed"], COUNTERS["publish.snapshots"]
        stage.play("Ayu", "/start")
        assert COUNTERS["publish.snapshots"] - before[1] == 10
        # Two codecs, for watchers and for each of two players.
        assert COUNTERS["publish.snapshots_packed"] - before[0] <= 4


def test_a_large_group_is_encoded_for_once() -> None:
    few, many = packed_for(4), packed_for(10)
    assert many[1] - few[1] == 3 * 6, "two updates and who is here, for six more"
    assert many[0] == few[0]
