"""Are the rules pure, fixture games and example included? Does the checker find what is not?"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.project import purity

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("rules", "tests/games", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if path.parent != ROOT / "examples" / "bots"  # programs of their own
)


@cache
def set_names() -> frozenset[str]:
    """The functions and fields of all rules that are declared to be sets."""
    return frozenset(
        name
        for module in MODULES
        for name in purity.set_functions((ROOT / module).read_text(encoding="utf-8"))
    )


# Where (a module or folder) -> kind -> why it is no fault there.
ALLOWED: Final[Mapping[str, Mapping[str, str]]] = {
    "examples/liars_dice/": {"liars_dice": "a package of its own imports itself"},
    "examples/sevens/": {"sevens": "a package of its own imports itself"},
    "rules/core/": {"msgspec": "nodes are its structs, canonical text is its JSON"},
    "rules/core/chance.py": {"/": "weights are Fractions"},
    "rules/core/conformance": {
        "print()": "the kit's command line prints digests",
        "argparse": "the kit's command line",
        "traceback": "the kit's command line, on request",
        "sys": "the kit's command line, and this interpreter's path",
        "subprocess": "another process must come to the same digests",
        "os": "that process gets another hash seed",
    },
    "rules/core/identity_cache.py": {
        "id()": "finds an answer about an object again, never a result"
    },
    "rules/discovery.py": {"importlib.metadata": "installed games are found by their entry points"},
    "rules/core/draft.py": {"exec()": "the text is written from declarations, never from input"},
    "rules/core/slots.py": {"float": "how near a candidate is: suggestions, never a result"},
}


def is_allowed(module: str, kind: str) -> bool:
    return any(module.startswith(where) and kind in kinds for where, kinds in ALLOWED.items())


def test_the_rules_are_pure() -> None:
    assert [fault for module in MODULES for fault in impure(module)] == []


def impure(module: str) -> list[tuple[str, object]]:
    """What a module of the rules does that it must not do."""
    source = (ROOT / module).read_text(encoding="utf-8")
    faults = purity.faults(source, set_names=set_names())
    return [(module, each) for each in faults if not is_allowed(module, each.kind)]


def test_a_game_imports_the_contract_and_itself() -> None:
    assert [pair for module in MODULES for pair in foreign_imports(module)] == []


def foreign_imports(module: str) -> list[tuple[str, str]]:
    """What a module of a game imports of another game, or of anything but the rules."""
    *package, game, _ = module.split("/") if module.count("/") > 1 else (*module.split("/"), "")
    inside = (ROOT / Path(*package, game, "game.toml")).is_file()
    owned_items = ".".join((*package, game))
    if package[:1] == ["rules"]:
        owned_items = f"bluebear.{owned_items}"
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    ours = [
        name for _, name in purity.imported(tree) if name.split(".")[0] in ("bluebear", "tests")
    ]
    homes = ("bluebear.rules.core", owned_items) if inside else ("bluebear.rules", "tests.games")
    return [(module, name) for name in ours if not name.startswith(homes)]


PURE = {
    "sorted": "def f(seats: frozenset[int]) -> list[int]:\n    return sorted(seats)",
    "any": "def f(seats: set[int]) -> bool:\n    return any(seat > 1 for seat in seats)",
    "set of set": "def f(seats: set[int]) -> set[int]:\n    return {seat + 1 for seat in seats}",
    "tuple": "def f(seats: tuple[int, ...]) -> list[int]:\n    return [seat for seat in seats]",
    "membership": "def f(seats: set[int], seat: int) -> bool:\n    return seat in seats",
    "floor": "def f(a: int) -> int:\n    return a // 2",
    "exact": "import math\n\ndef f(a: int) -> int:\n    return math.isqrt(a)",
    "own hash": "class A:\n    def __hash__(self) -> int:\n        return hash((1, 2))",
}
IMPURE = {
    "asyncio": "import asyncio",
    "clock": "from time import monotonic",
    "date": "import datetime",
    "random": "import random",
    "secrets": "from secrets import token_bytes",
    "environment": "import os",
    "socket": "import socket",
    "thread": "import threading",
    "process": "import subprocess",
    "foreign": "import msgpack",
    "open": "def f() -> str:\n    return open('x').read()",
    "float": "HALF = 0.5",
    "division": "def f(a: int) -> object:\n    return a / 2",
    "division in place": "def f(a: int) -> None:\n    a /= 2",
    "logarithm": "import math\n\ndef f(a: int) -> object:\n    return math.log(a)",
    "hash": "def f(a: str) -> int:\n    return hash(a)",
    "set literal": "for seat in {1, 2}:\n    seats = seat",
    "set call": "seats = [seat for seat in set((1, 2))]",
    "argument": "def f(seats: frozenset[int]) -> list[int]:\n    return [seat for seat in seats]",
    "variable": "def f(a: str) -> str:\n    letters = set(a)\n    return ''.join(letters)",
    "difference": "def f(a: set[int], b: set[int]) -> tuple[int, ...]:\n    return tuple(a - b)",
    "declared": "def g() -> set[int]: ...\n\ndef f() -> list[int]:\n    return list(g())",
    "alias": "def f(eyes: Eyes) -> list[int]:\n    return [*eyes]",
    "nearest": "def f(a: set[int]) -> int:\n    return min(a, key=abs)",
    "ties": "def f(a: set[int]) -> int:\n    return min((b for b in a), key=abs)",
}


@pytest.mark.parametrize("source", PURE.values(), ids=PURE)
def test_the_checker_leaves_the_pure_alone(source: str) -> None:
    assert purity.faults(source) == []


@pytest.mark.parametrize("source", IMPURE.values(), ids=IMPURE)
def test_the_checker_finds_the_impure(source: str) -> None:
    assert purity.faults(source) != []
