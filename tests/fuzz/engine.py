"""What makes inputs: atheris where it installs, else our own engine. One run, one process.

    python -m tests.fuzz.engine NAME FOLDER SEED SECONDS RUNS

Inputs are read from FOLDER, and those that reached something new are written there. An input that
broke the target is in `FOLDER.found`, and the process ends with another code than 0.
"""

from __future__ import annotations

import importlib
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.fuzz.target import Target

HAS_ATHERIS: Final = find_spec("atheris") is not None
_OURS: Final = (
    "bluebear.protocol",
    "bluebear.rules",
    "bluebear.server",
    "websockets.http11",
    "websockets.server",
    "tests.fuzz.seeded_bug",
)


def run_atheris(name: str, folder: Path, seed: int, seconds: float, runs: int) -> None:
    """Fuzz with libFuzzer's coverage; ends the process."""
    import atheris

    with atheris.instrument_imports(include=list(_OURS), enable_loader_override=False):
        target = _target(name)
    # The one word of a target that has none: an empty dictionary is refused.
    terms = "".join(f'"{_escaped(term)}"\n' for term in tuple(target.terms()) or (b"\n",))
    dictionary = folder.with_suffix(".words")
    dictionary.write_text(terms, encoding="ascii")
    options = [
        f"-seed={seed}",
        f"-runs={runs or -1}",
        f"-max_total_time={int(seconds)}",
        f"-dict={dictionary}",
        f"-artifact_prefix={_findings_folder(folder)}/",
        "-max_len=4096",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder)], target.judge)
    atheris.Fuzz()


def run_mutator(name: str, folder: Path, seed: int, seconds: float, runs: int) -> int:
    """Fuzz with our own engine; how many runs there were. Raises what the target must not raise."""
    from tests.fuzz.coverage_engine import Guided

    target = _target(name)
    guided = Guided(target, str(seed), [each.read_bytes() for each in sorted(folder.iterdir())])
    done, ends = 0, time.monotonic() + seconds if seconds else float("inf")
    try:
        while time.monotonic() < ends and (not runs or done < runs):
            guided.go_on(1)
            done += 1
    except Exception:
        (_findings_folder(folder) / "crash").write_bytes(guided.current)
        raise
    for data in guided.pool:
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)
    return done


def _target(name: str) -> Target:
    """Imported late: what is imported before is not instrumented."""
    module = "tests.fuzz.seeded_bug" if name == "planted" else "tests.fuzz.targets"
    result: Mapping[str, Target] = importlib.import_module(module).TARGETS
    return result[name]


def _findings_folder(folder: Path) -> Path:
    made = folder.with_suffix(".found")
    made.mkdir(exist_ok=True)
    return made


def _escaped(term: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in term)


def main(argv: Sequence[str]) -> int:
    """Run one engine on one target."""
    engine, name, folder, seed, seconds, runs = argv
    given = (name, Path(folder), int(seed), float(seconds), int(runs))
    if engine == "atheris":
        run_atheris(*given)
        return 0
    try:
        print(f"stat::number_of_executed_units: {run_mutator(*given)}", file=sys.stderr)
    except Exception:  # noqa: BLE001 - the boundary: whatever comes out is what was looked for
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
