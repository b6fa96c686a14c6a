"""`python -m tests.fuzz TARGET --seconds N`: look for inputs that break a target.

    python -m tests.fuzz                        the targets
    python -m tests.fuzz http --seconds 600     one of them, led by coverage
    python -m tests.fuzz all --seconds 60       each of them, so long
    python -m tests.fuzz http --keep            also keep what reached something new
    python -m tests.fuzz http --input "b'GET'"  one input, with its traceback

What it finds it prints as a line for `tests/fuzz/corpus/TARGET.txt`: put it there under `# found`,
see the suite fail, and mend it.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.fuzz import corpus_files
from tests.fuzz.coverage_engine import thinned
from tests.fuzz.engine import HAS_ATHERIS
from tests.fuzz.seeded_bug import PLANTED
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

_ROOT: Final = Path(__file__).parents[2]
_ALL: Final = {**TARGETS, PLANTED.name: PLANTED}


def hunt(
    target: Target, *, engine: str, seed: int, seconds: float, runs: int, keep: bool
) -> tuple[list[bytes], int, str]:
    """One run in a process of its own: what broke the target, how many runs, what was said."""
    with tempfile.TemporaryDirectory() as position:
        folder = Path(position) / "pool"
        folder.mkdir()
        pool = [*target.seeds(), *corpus_files.stored(target.name)]
        for number, data in enumerate(pool):
            (folder / f"{number:05}").write_bytes(data)
        arguments = (engine, target.name, folder, seed, seconds, runs)
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.engine", *map(str, arguments)],
            cwd=_ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        artifacts = folder.with_suffix(".found")
        results = [each.read_bytes() for each in sorted(artifacts.glob("*"))]
        if keep and not results:
            reached = (each.read_bytes() for each in folder.iterdir())
            room = max(0, corpus_files.STORED_MAX - len(corpus_files.stored(target.name)))
            corpus_files.add(target.name, thinned(target, reached, pool)[:room])
    counted = re.search(r"number_of_executed_units: *(\d+)", done.stderr)
    if done.returncode and not results:
        raise SystemExit(f"the engine itself has failed:\n{done.stderr[-4000:]}")
    return results, int(counted[1]) if counted else 0, done.stderr


def main(argv: Sequence[str]) -> int:
    """Fuzz what is asked for; 1 if something was found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", nargs="?", choices=["all", *_ALL], metavar="TARGET")
    parser.add_argument("--seconds", type=float, default=0.0, help="of each target")
    parser.add_argument("--runs", type=int, default=0, help="inputs tried, in place of seconds")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--keep", action="store_true", help="add to the kept inputs")
    parser.add_argument("--input", help="feed this one alone, as Python writes bytes")
    parser.add_argument(
        "--engine",
        choices=("atheris", "own"),
        default="atheris" if HAS_ATHERIS else "own",
        help="the second one needs nothing, and is slower",
    )
    given = parser.parse_args(argv)
    if given.target is None:
        for target in TARGETS.values():
            print(f"{target.name:18} {target.about}")
        return 0
    if given.input is not None:
        print(_ALL[given.target].judge(ast.literal_eval(given.input)) or "accepted")
        return 0
    seconds = given.seconds or (0.0 if given.runs else 60.0)
    bad = 0
    for target in TARGETS.values() if given.target == "all" else [_ALL[given.target]]:
        result, runs, sent = hunt(
            target,
            engine=given.engine,
            seed=given.seed,
            seconds=seconds,
            runs=given.runs,
            keep=given.keep,
        )
        print(f"{target.name:18} {runs} inputs, {len(result)} found", flush=True)
        for data in result:
            print(data)
        if result:
            print(sent[-4000:])
        bad += len(result)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
