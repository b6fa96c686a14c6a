"""Fail points: nothing unless armed, then exactly the pass that was asked for."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from bluebear.server.runtime import fail_point
from tests.support import faults


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    faults.disarm()
    yield
    faults.disarm()


def passes_until_fault(name: str, *, most: int) -> int | None:
    for number in range(1, most + 1):
        try:
            fail_point(name)
        except faults.InjectedFault:
            return number
    return None


def test_an_unarmed_point_lets_all_people_pass() -> None:
    assert passes_until_fault("here", most=5) is None


def test_an_armed_point_fails_at_the_nth_pass_and_once() -> None:
    faults.arm("here", 3, "raise")
    assert passes_until_fault("here", most=5) == 3
    assert passes_until_fault("here", most=5) is None


def test_another_point_is_not_counted() -> None:
    faults.arm("here", 1, "raise")
    assert passes_until_fault("there", most=5) is None
    assert faults.waiting() == ("here",)


def test_several_faults_wait_at_one_point() -> None:
    faults.arm_from("here:1:raise,here:3:raise")
    assert [passes_until_fault("here", most=5) for _ in range(3)] == [1, 2, None]
    assert faults.waiting() == ()


def test_an_injected_fault_looks_like_a_broken_disk() -> None:
    faults.arm("here", 1, "raise")
    with pytest.raises(OSError, match="injected at here"):
        fail_point("here")


@pytest.mark.parametrize(
    "text",
    ["here", "here:1", "here:0:raise", "here:x:raise", "here:1:faint", ":1:raise", "a:1:b:c"],
)
def test_a_list_that_makes_no_sense_arms_nothing(text: str) -> None:
    with pytest.raises(ValueError, match="not"):
        faults.arm_from(f"there:1:raise,{text}")
    assert faults.waiting() == ()


def test_an_empty_list_arms_nothing() -> None:
    faults.arm_from("")
    assert faults.waiting() == ()


def test_a_pass_before_the_first_cannot_be_armed() -> None:
    with pytest.raises(ValueError, match="1st pass"):
        faults.arm("here", 0, "raise")


def test_kill_ends_the_process_at_once() -> None:
    program = (
        "from bluebear.server.runtime import fail_point; from tests.support import faults;"
        " faults.arm('a', 1, 'kill'); fail_point('a')"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -9
