"""`python -m tests.mutants --games manhattan,tokai --count 25 --seed 1 --out FILE`.

Makes so many small mistakes in the modules of each game, one at a time, and says which of them the
game's tests notice. README.md beside this file says how to read the result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.mutants.mutations import KINDS, Site, choose
from tests.mutants.runner import Copy, NoBaseline, copied

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = "manhattan,railroad_ink,itc,tokai,tokugawa"
TESTS: Final = (
    "tests/rules/{key}",
    "tests/rules/test_conformance.py",
    "tests/rules/test_goldens.py",
    "tests/rules/test_pages.py",
    "tests/rules/test_records.py",
    "tests/leak/test_two_worlds.py",
    "-k",
    "{key}",
)
"""The game's own tests, and what the generic ones say of it."""

Table = dict[str, Any]  # Any: plain JSON


def main(argv: Sequence[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument(
        "--games", default=GAMES, help="folders below rules/, or paths of others, with commas"
    )
    parser.add_argument("--count", type=int, default=25, help="mistakes in each game")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="for pytest; {key} is the game")
    parser.add_argument("--out", type=Path, help="keep the result in this file, and go on from it")
    parser.add_argument(
        "--list", action="store_true", help="only say which mistakes there would be"
    )
    given = parser.parse_args(argv)
    keys: list[str] = given.games.split(",")
    with copied(ROOT) as copy:
        chosen = {
            key: choose(copy.sites_of(key), given.count, f"{given.seed} {key}") for key in keys
        }
        if given.list:
            for site in (site for listed in chosen.values() for site in listed):
                print(f"{site.file}:{site.line} {site.function} {site.kind}: {site.text}")
            return 0
        result = _stored(given.out, seed=given.seed, count=given.count, tests=list(given.tests))
        # The games in turn: a run that is ended early has something of each.
        for key in keys:
            _begin(result, copy, key, given.tests)
        for number in range(given.count):
            for key in keys:
                if number < len(chosen[key]):
                    _judge(result, copy, key, chosen[key][number], given.tests)
                    _keep(result, given.out)
    print(summary(result))
    return 0


def _stored(out: Path | None, **settings: Any) -> Table:  # Any: plain JSON
    """The result so far, if it was begun with the same settings."""
    if out is not None and out.exists():
        outcome: Table = json.loads(out.read_text(encoding="utf-8"))
        if {name: outcome[name] for name in settings} == settings:
            return outcome
        raise SystemExit(f"{out} is the result of another run")
    return {**settings, "games": {}}


def _keep(result: Table, out: Path | None) -> None:
    if out is not None:
        text = json.dumps(result, ensure_ascii=False, indent=1)
        out.write_text(text + "\n", encoding="utf-8")


def _begin(result: Table, copy: Copy, key: str, tests: Sequence[str]) -> None:
    if key in result["games"]:
        return
    sites = copy.sites_of(key)
    try:
        seconds = copy.baseline(_for_game(tests, key))
    except NoBaseline as problem:
        raise SystemExit(f"{key}: the tests do not pass as it is: {problem}") from problem
    result["games"][key] = {
        "baseline_seconds": round(seconds, 1),
        "sites": dict(Counter(site.kind for site in sites)),
        "mutants": [],
    }
    print(f"{key}: {len(sites)} possible mistakes, {seconds:.0f} s without any", flush=True)


def _judge(result: Table, copy: Copy, key: str, site: Site, tests: Sequence[str]) -> None:
    game = result["games"][key]
    about = {
        "file": site.file,
        "line": site.line,
        "function": site.function,
        "kind": site.kind,
        "text": site.text,
    }
    if any({name: registered[name] for name in about} == about for registered in game["mutants"]):
        return
    verdict = copy.judge(site, _for_game(tests, key), game["baseline_seconds"])
    game["mutants"].append(
        {
            **about,
            "caught": verdict.caught,
            "test": verdict.test,
            "seconds": round(verdict.seconds, 1),
        }
    )
    term = "caught" if verdict.caught else "SURVIVED"
    line = f"{term:8} {site.file}:{site.line} {site.function} {site.kind}: {site.text}"
    print(line, verdict.test, sep="  ", flush=True)


def _for_game(tests: Sequence[str], key: str) -> list[str]:
    return [each.replace("{key}", key) for each in tests]


def summary(result: Table) -> str:
    """The result as a table: a row for each game, a column for each kind."""
    rows = ["| game | caught | " + " | ".join(KINDS) + " |", "|---|---|" + "---|" * len(KINDS)]
    for key, game in result["games"].items():
        mutants = game["mutants"]
        groups = (mutants, *([each for each in mutants if each["kind"] == k] for k in KINDS))
        rows.append(f"| {key} | " + " | ".join(map(_rate, groups)) + " |")
    return "\n".join(rows)


def _rate(mutants: Sequence[Table]) -> str:
    return f"{sum(each['caught'] for each in mutants)}/{len(mutants)}" if mutants else "-"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
