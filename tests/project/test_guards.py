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


def run(suite: pytest.Pytester, source: str) -> pytest.RunResult:
    """A process of its own: profiles, markers and loops of this run stay out of it."""
    suite.makepyfile(source)
    return suite.runpytest_subprocess("-p", "no:cacheprovider")


def test_a_task_left_running_fails_its_test(suite: pytest.Pytester) -> None:
    result = run(
        suite,
        """
        import asyncio

        async def test_forgets_a_task():
            globals()["forgotten"] = asyncio.create_task(asyncio.Event().wait(), name="clerk")
        """,
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*the test left tasks running*", "*clerk*"])


def test_a_task_that_a_fixture_ends_is_no_fault(suite: pytest.Pytester) -> None:
    result = run(
        suite,
        """
        import asyncio
        import pytest_asyncio

        @pytest_asyncio.fixture
        async def clerk():
            task = asyncio.create_task(asyncio.Event().wait())
            yield task
            task.cancel()

        async def test_uses_a_task(clerk):
            assert not clerk.done()
        """,
    )
    result.assert_outcomes(passed=1)


def test_the_loop_is_in_debug_mode_unless_marked(suite: pytest.Pytester) -> None:
    result = run(
        suite,
        """
        import asyncio
        import pytest

        async def test_plain():
            assert asyncio.get_running_loop().get_debug()

        @pytest.mark.slow_loop
        async def test_measured():
            assert not asyncio.get_running_loop().get_debug()
        """,
    )
    result.assert_outcomes(passed=2)


def test_a_coroutine_that_is_never_awaited_fails_its_test(suite: pytest.Pytester) -> None:
    result = run(
        suite,
        """
        import asyncio

        async def test_forgets_to_await():
            asyncio.sleep(0)
        """,
    )
    result.assert_outcomes(failed=1)


def test_a_complaint_in_the_log_fails_its_test_unless_expected(suite: pytest.Pytester) -> None:
    result = run(
        suite,
        """
        import logging
        import pytest

        def test_complains():
            logging.getLogger("bluebear.server.store").warning("disk is slow")

        @pytest.mark.expects_log("slow disk")
        def test_expects_it():
            logging.getLogger("bluebear.server.store").warning("disk is slow")

        def test_tells():
            logging.getLogger("bluebear.server.store").info("opened")
        """,
    )
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["*WARNING bluebear.server.store: disk is slow*"])


SKIPS = """
    import pytest

    @pytest.mark.skip(reason="no second user")
    def test_marked():
        pass

    def test_prompted():
        pytest.skip("no such tool")
"""


def test_a_skip_is_named_at_home(suite: pytest.Pytester) -> None:
    result = run(suite, SKIPS)
    result.assert_outcomes(skipped=2)


def test_a_skip_fails_under_ci(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUEBEAR_CI", "1")
    result = run(suite, SKIPS)
    result.assert_outcomes(failed=1, errors=1)
    result.stdout.fnmatch_lines(["*BLUEBEAR_CI is set, and this was not run*no such tool*"])


def test_a_module_that_skips_itself_fails_under_ci(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLUEBEAR_CI", "1")
    result = run(suite, 'import pytest\npytest.importorskip("no_such_module")\n')
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*BLUEBEAR_CI is set, and this was not run*"])


def test_an_expected_failure_stays_one_under_ci(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLUEBEAR_CI", "1")
    result = run(
        suite,
        """
        import pytest

        @pytest.mark.xfail(strict=True)
        def test_recognized():
            assert False
        """,
    )
    result.assert_outcomes(xfailed=1)
