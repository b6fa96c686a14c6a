"""Does some check miss every marker of every game when it is gone?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bluebear import rules


@pytest.mark.parametrize("key", list(rules.games()))
def test_no_marker_can_go_unnoticed(key: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.leak.marker_mutants", key],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in done.stdout.splitlines() if line.endswith("UNNOTICED")] == []
    assert done.returncode == 0, done.stderr
