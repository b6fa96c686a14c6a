"""Do the suite's own guards bark? Each scene runs a small suite under `tests/conftest.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SETTINGS = """
[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
filterwarnings = error
markers =
    slow_loop
    expects_log
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An empty suite under the real guards, outside CI."""
    monkeypatch.delenv("BLUEBEAR_CI", raising=False)
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makeini(SETTINGS)
    return pytester


def run(suite: pytest.Pytester, **files: str) -> tuple[pytest.RunResult, set[str]]:
    """Run files in a process of its own: profiles, markers and loops of this run stay out of it.

    Returns what it prints, and how its tests end, as `PASSED test_file.py::test_name`.
    """
    suite.makepyfile(**files)
    result = suite.runpytest_subprocess(
        *("-p", "no:cacheprovider", "-rA", "--continue-on-collection-errors")
    )
    return result, {line.partition(" - ")[0] for line in result.outlines}


TASKS = """
    import asyncio
    import pytest_asyncio

    async def test_forgets_a_task():
        globals()["forgotten"] = asyncio.create_task(asyncio.Event().wait(), name="clerk")

    @pytest_asyncio.fixture
    async def clerk():
        task = asyncio.create_task(asyncio.Event().wait())
        yield task
        task.cancel()

    async def test_uses_a_task(clerk):
        assert not clerk.done()
"""
LOOPS = """
    import asyncio
    import pytest

    async def test_plain():
        assert asyncio.get_running_loop().get_debug()

    @pytest.mark.slow_loop
    async def test_measured():
        assert not asyncio.get_running_loop().get_debug()

    async def test_forgets_to_await():
        asyncio.sleep(0)
"""
LOGS = """
    import logging
    import pytest

    def test_complains():
        logging.getLogger("bluebear.server.store").warning("disk is slow")

    @pytest.mark.expects_log("slow disk")
    def test_expects_it():
        logging.getLogger("bluebear.server.store").warning("disk is slow")

    def test_tells():
        logging.getLogger("bluebear.server.store").info("opened")
"""
SKIPS = """
    import pytest

    @pytest.mark.skip(reason="no second user")
    def test_marked():
        pass

    def test_prompted():
        pytest.skip("no such tool")
"""
ABSENT = """
    import pytest
    pytest.importorskip("no_such_module")
"""
EXPECTED = """
    import pytest

    @pytest.mark.xfail(strict=True)
    def test_recognized():
        assert False
"""


def test_tasks_coroutines_and_complaints_fail_their_tests_and_skips_do_not(
    suite: pytest.Pytester,
) -> None:
    files = {"test_tasks": TASKS, "test_loops": LOOPS, "test_logs": LOGS, "test_skips": SKIPS}
    result, ends = run(suite, **files)
    result.assert_outcomes(passed=7, errors=2, failed=1, skipped=2)
    assert ends >= {
        "ERROR test_tasks.py::test_forgets_a_task",
        "FAILED test_loops.py::test_forgets_to_await",
        "ERROR test_logs.py::test_complains",
    }
    result.stdout.fnmatch_lines_random(
        [
            "*the test left tasks running*",
            "*clerk*",
            "*WARNING bluebear.server.store: disk is slow*",
            "SKIPPED*no second user",
            "SKIPPED*no such tool",
        ]
    )


def test_skips_fail_under_ci_and_expected_failures_stay_such(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLUEBEAR_CI", "1")
    files = {"test_skips": SKIPS, "test_absent": ABSENT, "test_expected": EXPECTED}
    result, ends = run(suite, **files)
    result.assert_outcomes(failed=1, errors=2, xfailed=1)
    assert ends >= {
        "ERROR test_skips.py::test_marked",
        "FAILED test_skips.py::test_prompted",
        "ERROR test_absent.py",
        "XFAIL test_expected.py::test_recognized",
    }
    result.stdout.fnmatch_lines_random(
        [
            "*BLUEBEAR_CI is set, and this was not run*no such tool*",
            "*BLUEBEAR_CI is set, and this was not run*no_such_module*",
        ]
    )
