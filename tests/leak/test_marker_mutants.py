"""Does `check` notice each marker of an event that is taken away or widened, and the others too?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.rules.game_files import GAMES

ONLY_LISTED: Final = {
    "itc event Caught.reveals=none secrets",
    "itc event DrewAction.reveals=public secrets",
    "itc event ExpressShown.reveals=none secrets",
    "itc event SmugglingPaid.reveals=none secrets",
    "liars_dice event DieLost.reveals=none secrets",
    "railroad_ink event NothingRevealed.reveals=none secrets",
    "tokai event TicketPrebought.reveals=none secrets",
}
"""Markers of events that `check` alone misses, mostly as other events of the step reveal too."""


def test_no_marker_can_go_unnoticed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.leak.marker_mutants", *GAMES],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    output = done.stdout.splitlines()
    assert [line for line in output if line.endswith("UNNOTICED")] == []
    assert {line.split()[1] for line in output if line.startswith("# ")} == {
        f"{key}:" for key in GAMES
    }
    assert {
        line for line in output if " event " in line and line.endswith(" secrets")
    } == ONLY_LISTED
    assert done.returncode == 0, done.stderr
