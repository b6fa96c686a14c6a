"""Makes the server fail on purpose at its named fail points.

The server passes `fail_point("store.before_commit")` at the places where a failure would hurt most.
A test arms a point in its own process with `arm`. A server that is to fail is started with this
module in place of `bluebear`; it arms what the environment variable `BLUEBEAR_FAULTS` says.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import Final, Literal

from bluebear.__main__ import run
from bluebear.server.runtime import FAIL_POINTS

ENVIRONMENT: Final = "BLUEBEAR_FAULTS"
"""The variable that a process entry hands to `arm_from`."""

Action = Literal["raise", "kill"]
"""What an armed point does: raise an `InjectedFault`, or end the process with SIGKILL."""


class InjectedFault(OSError):
    """The failure that an armed point raises: what a broken disk would raise."""


@dataclass(slots=True)
class _Fault:
    """One armed failure; owned by `_armed`."""

    hits_left: int
    action: Action


_armed: dict[str, list[_Fault]] = {}


def arm(name: str, nth: int, action: Action) -> None:
    """Make the `nth` next pass of the point `name` fail, once. Several may wait at one point."""
    if nth < 1:
        raise ValueError(f"a fail point is armed for its 1st pass or a later one, not for {nth}")
    _armed.setdefault(name, []).append(_Fault(nth, action))
    FAIL_POINTS[:] = [_count]


def arm_from(text: str) -> None:
    """Arm what `text` lists, as in "store.before_commit:3:kill,store.after_commit:1:raise".

    An empty text arms nothing. Raises ValueError for anything else that is not such a list, and
    arms nothing then: a fault that is silently not injected would make a test lie.
    """
    faults: list[tuple[str, int, Action]] = []
    for each in filter(None, text.split(",")):
        fields = each.split(":")
        if len(fields) != 3 or not fields[0] or not fields[1].isdecimal() or int(fields[1]) < 1:
            raise ValueError(f"not NAME:NTH:ACTION: {each!r}")
        faults.append((fields[0], int(fields[1]), _action(fields[2])))
    for name, nth, action in faults:
        arm(name, nth, action)


def disarm() -> None:
    """Forget every armed point."""
    _armed.clear()
    FAIL_POINTS.clear()


def waiting() -> tuple[str, ...]:
    """The points that are armed and have not failed yet, sorted: empty when all have happened."""
    return tuple(sorted(_armed))


def _action(name: str) -> Action:
    match name:
        case "raise" | "kill":
            return name
        case _:
            raise ValueError(f"not an action of a fail point: {name!r}")


def _count(name: str) -> None:
    due: Action | None = None
    for fault in _armed.get(name, ()):
        fault.hits_left -= 1
        if fault.hits_left == 0:
            due = fault.action
    if due is None:
        return
    # Forgotten before it acts, so that the same point can be passed again while recovering.
    _armed[name] = [fault for fault in _armed[name] if fault.hits_left > 0]
    if not _armed[name]:
        del _armed[name]
    if due == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    raise InjectedFault(f"injected at {name}")


if __name__ == "__main__":
    arm_from(os.environ[ENVIRONMENT])
    run()
