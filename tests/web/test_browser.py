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
CHROMIUM: Final = shutil.which("chromium") or "/usr/bin/chromium"
SUITES: Final = [path.name for path in sorted((WEB / "tests" / "e2e").glob("*.e2e.ts"))]
SECONDS: Final = 900


@pytest.mark.slow_loop
@pytest.mark.parametrize("suite", [name for name in SUITES if not name.startswith("shots")])
def test_in_a_browser(suite: str) -> None:
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium; on Debian: apt-get install chromium")
    if not (WEB / "node_modules" / "vitest").exists():
        pytest.skip("the tools of the page are not installed: make .venv/page-dev")
    environment = {**os.environ, "CHROMIUM": CHROMIUM, "BLUEBEAR_PYTHON": sys.executable}
    ran = subprocess.run(
        [WEB / "with-node", "npm", "run", "--silent", "e2e", "--", suite],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
