"""What the project costs those who run and read it, as numbers that only fall.

    python -m tests.project.budgets            the numbers now beside the stored ones
    python -m tests.project.budgets --lower    stores the numbers that have fallen

The numbers and the reason for each table are in `budgets.toml`.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import grimp

from tests.project import ratchet, tree

FILE: Final = Path(__file__).with_name("budgets.toml")
MOST_FUNCTION_LINES: Final = 60
MOST_MODULE_LINES: Final = 500
SIZED: Final = (
    "bluebear",
    "clients/bots",
    "clients/sdk",
    "clients/terminal",
    "clients/transport",
    "protocol",
    "rules/core",
    "rules/itc",
    "rules/manhattan",
    "rules/railroad_ink",
    "rules/tokai",
    "rules/tokugawa",
    "server",
)


def size() -> ratchet.Counts:
    """Python modules and lines below each package."""
    counted: dict[str, dict[str, int]] = {}
    for package in SIZED:
        texts = [tree.text(path) for path in tree.files(".py", below=package)]
        lines = sum(text.count("\n") for text in texts)
        counted[package] = {"modules": len(texts), "lines": lines}
    above = [tree.text(path) for path in (tree.ROOT / "rules").glob("*.py")]
    counted["rules/*.py"] = {"modules": len(above), "lines": sum(t.count("\n") for t in above)}
    return counted


def imports() -> ratchet.Counts:
    """How many imports of modules lead from one top-level package to another."""
    graph = grimp.build_graph("bluebear", cache_dir=None)
    counted: Counter[str] = Counter()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            ours, theirs = _top(module), _top(imported)
            if ours != theirs:
                counted[f"{ours} -> {theirs}"] += 1
    return {pair: {"imports": number} for pair, number in sorted(counted.items())}


def _top(module: str) -> str:
    return [*module.split("."), "itself"][1]


def long() -> ratchet.Counts:
    """The functions and modules that are longer than their bounds, by package."""
    counted: dict[str, Counter[str]] = {}
    for path in tree.files(".py"):
        package = tree.name(path).split("/")[0]
        text = tree.text(path)
        row = counted.setdefault(package, Counter())
        row["modules"] += text.count("\n") > MOST_MODULE_LINES
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                row["functions"] += lines > MOST_FUNCTION_LINES
    return {
        package: {kind: number for kind, number in row.items() if number}
        for package, row in sorted(counted.items())
    }


def composition() -> ratchet.Counts:
    """How the server is put together: lines of `app`, callbacks, the most parameters anywhere."""
    most = callbacks = 0
    for path in tree.files(".py", below="server"):
        text = tree.text(path)
        callbacks += text.count("Callable[")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                most = max(most, sum(each.arg not in ("self", "cls") for each in names))
    (app,) = (path for path in tree.files(".py", below="server") if path.name == "app.py")
    lines = tree.text(app).count("\n")
    return {"server": {"app_lines": lines, "callbacks": callbacks, "parameters": most}}


def call_path() -> ratchet.Counts:
    """Files and calls of one line of each kind."""
    from tests.tools import call_trace

    return call_trace.counts()


TABLES: Final[Mapping[str, Callable[[], ratchet.Counts]]] = {
    "way": call_path,
    "size": size,
    "imports": imports,
    "long": long,
    "composition": composition,
}


def stored(table: str) -> ratchet.Counts:
    """The numbers of a table in the file."""
    numbers: ratchet.Counts = tomllib.loads(FILE.read_text("utf-8"))[table]
    return numbers


def main(argv: Sequence[str]) -> int:
    """Print the numbers, or lower the stored ones; 1 where a number has risen."""
    parser = argparse.ArgumentParser(prog="python -m tests.project.budgets", description=__doc__)
    parser.add_argument("--lower", action="store_true", help="store the numbers that have fallen")
    wanted = parser.parse_args(argv)
    worse = False
    for table, count in TABLES.items():
        now = count()
        if wanted.lower:
            text = FILE.read_text("utf-8")
            FILE.write_text(ratchet.lowered(text, table, now), encoding="utf-8")
        bounds = stored(table)
        worse |= bool(ratchet.risen(now, bounds))
        for key, numbers in now.items():
            had = bounds.get(key, {})
            row = ", ".join(
                f"{kind} {number}/{had.get(kind, 0)}" for kind, number in numbers.items()
            )
            print(f"{table:<8} {key:<24} {row}")
    return int(worse)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
