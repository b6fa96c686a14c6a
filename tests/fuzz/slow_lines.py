"""Looks for typed lines that cost much: what the server does for one is counted in steps.

    python -m tests.fuzz.slow_lines [--examples 2000] [--game tokai]

lets hypothesis climb towards lines that take more and more steps, in every game, at its beginning
and in the middle, for lines that are said and for lines that are completed. A step is one executed
line of Python, which is the same on every machine; some 15,000 take a millisecond. What takes more
than `KEPT_FROM` goes into `corpus/slow_lines.jsonl`, and `test_slow_lines.py` holds it to `MOST`.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from hypothesis import HealthCheck, given, seed, settings, target
from hypothesis import strategies as st

from bluebear.rules.core.grammar import Query, Verb
from bluebear.server.commands.catalogue import complete
from bluebear.server.features import COMMANDS
from bluebear.server.limits import LINE_MAX_CHARS
from tests.server.commands.fixtures import GAMES, House, playing

MOST: Final = 50_000
"""Steps for one line: some 3.5 ms, which leaves a slow machine below 5."""
STORED_FROM: Final = 15_000
"""A line of so many steps is worth keeping."""
CORPUS: Final = Path(__file__).parent / "corpus" / "slow_lines.jsonl"
STAGES: Final = (0, 40)
"""Moves after which lines are tried."""

HOSTILE: Final = (
    "\ufdfa", "\u3316", "\u0149", "\u0390", "\u0f77", "\uff71\uff9e", "e\u0301", "\u0315\u0300",
    "a", "9", "=", "a=", '"', "(", "x1", "1x9 ", "a ", "1 ", "a,", "、", "/", "!", "\u30fb", "-",
    "ー", "万", "{", "\u200d", "\U0001f43b", "a1 ", "n ", "の", "駅",
)  # fmt: skip
"""Signs that grow when they are folded, and pieces that are a word, an end or a mark each time."""


class Case(NamedTuple):
    """One line somewhere: what is done with it, in which game, after how many moves."""

    what: str
    game: str
    stage: int
    line: str


@cache
def world(key: str, stage: int) -> tuple[House, str]:
    """A game after some random moves, and the name of a player who is to move in it."""
    game = GAMES[key]
    house = playing(key, seats=min(3, game.info.seats.max))
    chance = random.Random(f"{key} {stage}")
    for _ in range(stage):
        legal = game.plain(waiting_game(house), mover(house))
        before = house.room
        # Random moves are meant, also those that a person would be asked about.
        house.script(f"{name_of(house)}: {game.grammar.format(chance.choice(legal))} !")
        if not waiting_turn(house):
            house.room = before
            break
    return house, name_of(house)


def waiting_turn(house: House) -> Sequence[int]:
    return () if house.room is None else sorted(house.room.table.turn)


def waiting_game(house: House) -> Any:  # Any: the game's own state class
    assert house.room is not None
    return house.room.game


def mover(house: House) -> Any:  # Any: a seat
    return waiting_turn(house)[0]


def name_of(house: House) -> str:
    return ("Ayu", "Ben", "Cho")[mover(house) - 1]


def judge(case: Case) -> None:
    """What the server does for a line; nothing of the world is changed."""
    house, name = world(case.game, case.stage)
    if case.what == "complete":
        complete(house.scene(name), case.line)
        return
    room, stored_count = house.room, len(house.entries)
    try:
        house.say(name, case.line)
    finally:
        house.room = room
        del house.entries[stored_count:]


def steps_of(case: Case) -> int:
    """How many lines of Python judging a line executes."""
    judge(case)  # Once before, so that what is remembered is remembered.
    return counted(lambda: judge(case))


def counted(work: Callable[[], object]) -> int:
    """How many lines of Python some work executes.

    No garbage is collected meanwhile: what runs at a collection (hypothesis counts its time there)
    is not the work's.
    """
    steps = 0

    def step(frame: FrameType, event: str, arg: object) -> Any:  # Any: a tracer returns itself
        nonlocal steps
        steps += event == "line"
        return step

    before = sys.gettrace()
    collecting = gc.isenabled()
    gc.disable()
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    return steps


@cache
def terms(key: str) -> tuple[str, ...]:
    """Every word that lines of a game are made of, in every language."""
    items: list[Verb | Query] = [
        *GAMES[key].grammar.verbs.values(),
        *GAMES[key].grammar.queries.values(),
    ]
    results = [value for item in items for slot in item.slots for value in slot.values()]
    areas = [name for area in GAMES[key].texts.areas for name in (area.value, *area.names)]
    return tuple(dict.fromkeys([*results, *areas])) or ("1",)


def heads(key: str) -> list[str]:
    """What lines of a game begin with; not what ends something."""
    grammar = GAMES[key].grammar
    commands = [command.name for command in COMMANDS.values() if not command.needs_full_name]
    return [*grammar.verbs, *grammar.queries, *commands, "nosuch", ""]


def lines(key: str) -> st.SearchStrategy[str]:
    """Lines of a game that were built to cost much."""
    term = st.sampled_from(terms(key))
    hostile = st.sampled_from(HOSTILE)
    repeated = st.builds(lambda piece, count: piece * count, hostile, st.integers(1, 500))
    row = st.builds(lambda piece, count: " ".join([piece] * count), term, st.integers(1, 100))
    mixed = st.lists(term, min_size=1, max_size=60).map(" ".join)
    anagram = st.builds(lambda text, cut: text[cut:] + text[:cut], term, st.integers(1, 6))
    loose = st.text(max_size=40)
    section = st.one_of(term, repeated, row, mixed, anagram, loose)
    tail = st.lists(section, max_size=4).map(" ".join)
    head = st.sampled_from(heads(key))
    return st.builds(lambda head, tail: f"/{head} {tail}"[:LINE_MAX_CHARS], head, tail)


def cases(key: str) -> st.SearchStrategy[Case]:
    """Lines with what is done with them."""
    what, stage = st.sampled_from(("say", "complete")), st.sampled_from(STAGES)
    return st.builds(Case, what, st.just(key), stage, lines(key))


def search(key: str, examples: int, number: int) -> dict[Case, int]:
    """Lines of a game that take many steps, found by climbing towards more of them."""
    results: dict[Case, int] = {}

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(key))
    def climb(case: Case) -> None:
        steps = steps_of(case)
        target(float(steps))
        if steps >= STORED_FROM:
            results[case] = steps

    climb()
    return results


def stored() -> Iterator[Case]:
    """The lines of the corpus."""
    for row in CORPUS.read_text(encoding="utf-8").splitlines():
        yield Case(*json.loads(row))


def keep(slowest: dict[Case, int], each: int = 3) -> None:
    """Adds the worst lines of each kind to the corpus: by game, deed and head."""
    cached = list(stored()) if CORPUS.exists() else []
    by_kind: dict[tuple[str, str, str], list[Case]] = {}
    for case in sorted(
        {*cached, *slowest}, key=lambda case: -(slowest.get(case) or steps_of(case))
    ):
        kind = case.game, case.what, case.line.split(" ")[0]
        by_kind.setdefault(kind, []).append(case)
    chosen = sorted(case for of_kind in by_kind.values() for case in of_kind[:each])
    rows = [json.dumps(case, ensure_ascii=True) for case in chosen]
    CORPUS.write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """The command: searches, tells the worst of each game, and keeps what it found."""
    parser = argparse.ArgumentParser(description="Looks for typed lines that cost much.")
    parser.add_argument("--examples", type=int, default=2000, help="lines for each game")
    parser.add_argument("--game", action="append", choices=list(GAMES), help="only these games")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other lines")
    given = parser.parse_args()
    all_results: dict[Case, int] = {}
    for key in given.game or GAMES:
        result = search(key, given.examples, given.seed)
        all_results |= result
        worst = sorted(result.items(), key=lambda each: -each[1])[:3]
        reported = [f"{key}: {len(result)} lines of {STORED_FROM} steps or more"]
        for case, steps in worst:
            sign = "TOO MANY " if steps > MOST else ""
            reported.append(f"  {sign}{steps} {case.what} after {case.stage}: {case.line[:100]!a}")
        sys.stdout.write("\n".join(reported) + "\n")
    keep(all_results)


if __name__ == "__main__":
    main()
