"""Does a test notice a mistake? Each one is made alone, in a copy of the tree."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutants.mutations import Site, sites

_LEFT_OUT: Final = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "var", "build"
)
_PASSED: Final = 0
_FAILED: Final = (1, 2)
"""Failed tests, and modules that cannot even be imported."""
_LEAST_SECONDS: Final = 60.0
_SLOWER: Final = 4
"""A mistake that makes a suite so much slower than it was is one that was noticed."""


class NoBaseline(Exception):
    """The tests do not pass without any mistake, so they cannot tell one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mistake; `test` is the first that failed."""

    caught: bool
    test: str
    seconds: float


class Copy:
    """A copy of the tree in which one mistake at a time is made; see `copied`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def sites_of(self, key: str) -> list[Site]:
        """Every mistake that can be made in the modules of `rules/KEY`, of a folder (`a/b`), or in
        one module (`a/b.py`).
        """
        results: list[Site] = []
        folder = self.root / key if "/" in key else self.root / "rules" / key
        for path in [folder] if folder.suffix == ".py" else sorted(folder.rglob("*.py")):
            results += sites(
                path.read_text(encoding="utf-8"), path.relative_to(self.root).as_posix()
            )
        return results

    def baseline(self, tests: Sequence[str]) -> float:
        """The seconds that the tests take when nothing is wrong. Raises NoBaseline."""
        verdict = self._run(tests, seconds=None, caches=True)
        if verdict.caught:
            raise NoBaseline(verdict.test)
        return verdict.seconds

    def judge(self, site: Site, tests: Sequence[str], baseline: float) -> Verdict:
        """Make a mistake, run the tests, and take it back."""
        path = self.root / site.file
        source = path.read_text(encoding="utf-8")
        made = site.made_in(source)
        compile(made, site.file, "exec")
        path.write_text(made, encoding="utf-8")
        _forget_compiled(path)
        try:
            return self._run(tests, seconds=max(_LEAST_SECONDS, baseline * _SLOWER), caches=False)
        finally:
            path.write_text(source, encoding="utf-8")
            _forget_compiled(path)

    def _run(self, tests: Sequence[str], *, seconds: float | None, caches: bool) -> Verdict:
        # No caches while a mistake is in: a compiled file is told from an older one by seconds.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "" if caches else "1"}
        environment.pop("PYTEST_CURRENT_TEST", None)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:randomly"]
        command += ["-p", "no:cacheprovider", *tests]
        began = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=self.root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Verdict(caught=True, test="(out of time)", seconds=time.monotonic() - began)
        took = time.monotonic() - began
        if process.returncode == _PASSED:
            return Verdict(caught=False, test="", seconds=took)
        if process.returncode not in _FAILED:
            raise NoBaseline(f"pytest ended with {process.returncode}:\n{output[-2000:]}")
        return Verdict(caught=True, test=first_failed(output), seconds=took)


def first_failed(output: str) -> str:
    """The first test that pytest's summary says has failed; or the module it could not collect."""
    for line in output.splitlines():
        term, _, rest = line.partition(" ")
        if term in ("FAILED", "ERROR") and rest:
            return rest.split(" - ")[0]
    return "(before any test)"


def _forget_compiled(path: Path) -> None:
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


@contextmanager
def copied(root: Path) -> Iterator[Copy]:
    """A copy of the tree at `root`, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(root, copy, symlinks=True, ignore=_LEFT_OUT)
        yield Copy(copy)


__all__ = ["Copy", "NoBaseline", "Verdict", "copied", "first_failed"]
