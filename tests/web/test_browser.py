"""The page in a real browser: the tests of `clients/web/tests/e2e`, run by Vitest.

They need Chromium and what `make .venv/page-dev` installs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

WEB: Final = Path(__file__).parents[2] / "clients" / "web"
CHROMIUM: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium")
SUITES: Final = WEB / "tests" / "e2e"
SECONDS: Final = 900
MEMORY: Final = "memory.e2e.ts"
"""It plays four hundred moves, and runs with the suites that play none."""
RUNS: Final = 2
"""So many runs has the rest: what a run starts takes four seconds of a processor."""


def _runs() -> list[list[str]]:
    """The suites by run; runs may be under way beside each other."""
    paths = [path for path in sorted(SUITES.glob("*.e2e.ts")) if not path.name.startswith("shots")]
    still = {path.name for path in paths if "buildGallery" in path.read_text(encoding="utf-8")}
    rest = [path.name for path in paths if path.name not in still | {MEMORY}]
    return [*(rest[first::RUNS] for first in range(RUNS)), [MEMORY, *sorted(still)]]


@pytest.mark.slow_loop
@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.parametrize("suites", _runs(), ids=" ".join)
def test_in_a_browser(suites: list[str]) -> None:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium; on Debian: apt-get install chromium-headless-shell")
    if not (WEB / "node_modules" / "vitest").exists():
        pytest.skip("the tools of the page are not installed: make .venv/page-dev")
    environment = {**os.environ, "CHROMIUM": CHROMIUM, "BLUEBEAR_PYTHON": sys.executable}
    ran = subprocess.run(
        [WEB / "with-node", "npm", "run", "--silent", "e2e", "--", *suites],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
