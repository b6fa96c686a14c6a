"""Checks that apply to every test of the suite, besides its own assertions.

- asyncio runs in debug mode, except where a test is marked `slow_loop`.
- No test leaves an asyncio task running, and none logs above INFO unless marked `expects_log`.
- Under BLUEBEAR_CI a skipped test is a failed one.
- Tests that mostly wait for browsers and processes run first on half of the workers, those that
  compute for long on the other half; at the end the whole run would wait for them.
- Warnings are errors (see `filterwarnings` in pyproject.toml).
"""

from __future__ import annotations

import asyncio
import asyncio.constants
import asyncio.format_helpers
import gc
import logging
import os
import shutil
import tempfile
import traceback
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Final

import hypothesis
import pytest
import pytest_asyncio

CI: Final = bool(os.environ.get("BLUEBEAR_CI"))

# In CI the same examples on every run: a red run must be red again when one looks at it. No
# deadline anywhere: on a shared processor it measures the neighbours.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("dev", deadline=None, print_blob=True)
hypothesis.settings.load_profile("ci" if CI else "dev")

# Games are trees of small values, and few of them are garbage: by Python's own numbers, looking for
# it takes 7 % of their tests.
gc.set_threshold(100_000, 20, 100)

# In debug mode asyncio notes where each callback was scheduled and each coroutine made, for four
# fifths of the time of a loop. PYTHONASYNCIODEBUG=1 brings the notes back, where a message should
# show them.
if not os.environ.get("PYTHONASYNCIODEBUG"):
    asyncio.format_helpers.extract_stack = lambda *_: traceback.StackSummary()
    vars(asyncio.constants)["DEBUG_STACK_DEPTH"] = 0  # for type checkers it is final

# Each commit is synced, which takes milliseconds on a disk and none in memory. What a process has
# written outlives its kill there, too; a loss of power is tried on disks that tests/crash makes.
_MEMORY: Final = Path("/dev/shm")
_MEMORY_BYTES_MIN: Final = 2 * 1024**3
if "TMPDIR" not in os.environ and _MEMORY.is_dir():
    if shutil.disk_usage(_MEMORY).free >= _MEMORY_BYTES_MIN:
        os.environ["TMPDIR"] = str(_MEMORY)
        tempfile.tempdir = None  # as if it was not asked for yet

# asyncio's debug mode logs callbacks over 0.1 s. That would be a timed assertion in disguise.
_NEVER_SLOW_SECONDS: Final = 3600.0


def _is_no_timing(record: logging.LogRecord) -> bool:
    """prompt_toolkit sets a bound of its own for callbacks while it asks."""
    return not str(record.msg).startswith("Executing %s took")


logging.getLogger("asyncio").addFilter(_is_no_timing)

# A cancelled task needs a pass of the loop to end, its owner another one to notice.
_CLOSING_PASSES: Final = 10

_WAITING: Final = (
    "tests/web/test_browser.py",
    "tests/cluster/",
    "tests/crash/",
    "tests/clients/test_real_server.py",
    "tests/clients/test_play.py",
    "tests/clients/test_bots.py",
    "tests/clients/test_process_bot.py",
    "tests/clients/terminal/full/test_played.py",
    "tests/load/",
    "tests/server/test_drain.py",
    "tests/server/test_operator_cli.py",
    "tests/server/test_serve.py",
    "tests/server/test_serve_postgres.py",
)
"""The longest first."""

_LONG: Final = (
    "tests/sim/",
    "tests/leak/",
    "tests/oracle/",
    "tests/rules/test_conformance.py",
    "tests/server/test_feature_deletion.py",
    "tests/journals/",
)
"""Each of these computes for seconds; where one began last, the other workers would wait for it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin the shares of half of the workers with tests that wait, of the others with long ones.

    Workers begin with equal shares of the list (`--dist worksteal`) and later take what other
    workers have not begun, but never the next two tests of another one.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    waiters = max(1, workers // 2)
    waiting, long = _taken(items, _WAITING), _taken(items, _LONG)
    share = (len(items) + len(waiting) + len(long)) // workers
    shares = [waiting[worker::waiters] for worker in range(waiters)]
    shares += [long[worker :: workers - waiters] for worker in range(workers - waiters)] or [long]
    for first in shares:
        room = max(0, share - len(first))
        first.extend(items[:room])
        del items[:room]
    items[:0] = [item for each in shares for item in each]


def _taken(items: list[pytest.Item], starts: tuple[str, ...]) -> list[pytest.Item]:
    """Take the tests out of the list whose names start so, in the order of the starts."""
    taken = [item for start in starts for item in items if item.nodeid.startswith(start)]
    items[:] = [item for item in items if not item.nodeid.startswith(starts)]
    return taken


def pytest_collection_finish() -> None:
    """Modules and collected tests are there to the end: no search for garbage goes through them."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under BLUEBEAR_CI, fail what was skipped when it ran."""
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        _fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Under BLUEBEAR_CI, fail what was skipped when it was collected."""
    report = yield
    if CI and report.skipped:
        _fail(report)
    return report


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"BLUEBEAR_CI is set, and this was not run: {reason}"


@pytest.fixture(autouse=True)
def loop_guard(request: pytest.FixtureRequest) -> None:
    """Put `watched_loop` around every test that runs in an event loop."""
    if request.node.get_closest_marker("asyncio") is not None:
        # First of all fixtures, so that it looks when the others have closed what they opened.
        request.getfixturevalue("watched_loop")


@pytest_asyncio.fixture
async def watched_loop(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """Run the loop in debug mode, and fail the test that leaves a task in it."""
    loop = asyncio.get_running_loop()
    loop.set_debug(request.node.get_closest_marker("slow_loop") is None)
    loop.slow_callback_duration = _NEVER_SLOW_SECONDS
    before = asyncio.all_tasks()
    yield
    before |= {task for task in [asyncio.current_task()] if task}  # not always the one above
    for _ in range(_CLOSING_PASSES):
        if asyncio.all_tasks() <= before:
            return
        await asyncio.sleep(0)
    left = "\n".join(sorted(f"  {task!r}" for task in asyncio.all_tasks() - before))
    pytest.fail(f"the test left tasks running:\n{left}", pytrace=False)


class _Loud(logging.Handler):
    """Keeps records above INFO. Owned by the fixture of one test."""

    def __init__(self) -> None:
        super().__init__(level=logging.INFO + 1)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"  {record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def log_guard(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail the test that makes the program complain without having said so."""
    loud = _Loud()
    logging.getLogger().addHandler(loud)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(loud)
    if loud.lines and request.node.get_closest_marker("expects_log") is None:
        pytest.fail("logged above INFO:\n" + "\n".join(loud.lines), pytrace=False)
