"""Whole games as records: what `records/*.record` were made with.

    python -m tests.rules.tokugawa.golden

writes them anew. That is for a new version of the rules only: a record that no longer verifies
is a finished game that a change of the rules would have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.core.chance import Chance, Fast, Hmac, chance_key, commitment, seat_order
from rules.core.game import OptionValue
from rules.core.record import (
    DIGEST_EVERY,
    Digested,
    End,
    Head,
    Hex,
    How,
    Moved,
    Record,
    RecordLine,
    Undone,
    chance_header,
    format_record,
    sealed,
    seat_header,
)
from rules.core.vision import Move, Seat
from rules.tokugawa import GAME
from rules.tokugawa.state import Table

SEATS: Final = 2

RECORDS: Final = Path(__file__).with_name("records")


@dataclass(frozen=True, slots=True)
class Script:
    """One game to write down; entries are numbered from 1 as they are made."""

    options: Mapping[str, OptionValue]
    choices: int
    """The seed of what players at random choose."""
    greedy: frozenset[int] = frozenset()
    """Who joined as this number plays greedy, the other at random."""
    undone: frozenset[int] = frozenset()
    by_clock: frozenset[int] = frozenset()


SCRIPTS: Final[Mapping[str, Script]] = {
    "greedy_capital": Script({}, 3, greedy=frozenset({1, 2})),
    "greedy_contracts": Script({}, 12, greedy=frozenset({1, 2})),
    "greedy_and_random": Script(
        {"short": True}, 2, greedy=frozenset({2}), undone=frozenset({3, 20})
    ),
    "random_rounds": Script(
        {"max_rounds": 12}, 3, undone=frozenset({17}), by_clock=frozenset({5, 30, 31})
    ),
    "random_without_limit": Script({"max_rounds": 0}, 6),
}


def write_down(name: str, script: Script) -> Record:
    """The record of a game that is played by its script; the same every time."""
    joined = range(1, SEATS + 1)
    secret = commitment(name.encode())
    seeds = {number: f"{number:032x}" for number in joined}
    options = GAME.info.complete(dict(script.options))
    common = (name, GAME.info.key, GAME.info.rules, options)
    key = bytes.fromhex(secret)
    order = seat_order(key, seat_header(*common, SEATS, seeds), tuple(joined))
    head = Head(
        game=GAME.info.key,
        rules=GAME.info.rules,
        id=name,
        options=tuple(
            (each.name, each.write(options[each.name])) for each in GAME.info.options.values()
        ),
        joined=tuple("greedy" if number in script.greedy else "random" for number in joined),
        order=order,
        commit=Hex(commitment(key)),
        seeds=tuple((number, Hex(seed)) for number, seed in seeds.items()),
    )
    chance = Hmac(chance_key(key, chance_header(*common, order, seeds)))
    start: Table = GAME.setup(options, SEATS, chance).state
    lines, last = _played(script, start, order, chance)
    result = GAME.result(last)
    assert result is not None
    scores = tuple((each.seat, each.score) for each in result.standings)
    return sealed(Record(head, tuple(lines), End(How.SCORE, Hex(secret), scores)))


def _played(
    script: Script, start: Table, order: tuple[int, ...], chance: Chance
) -> tuple[list[RecordLine], Table]:
    choice = Fast(script.choices)
    states = [start]
    lines: list[RecordLine] = []
    made = 0
    while (turn := states[-1].decides) is not None:
        made += 1
        by_clock = made in script.by_clock
        if by_clock:
            move = GAME.fallback(states[-1], turn)
        else:
            move = _chosen(states[-1], turn, choice, is_greedy=order[turn - 1] in script.greedy)
        states.append(GAME.play(states[-1], turn, move, chance).state)
        lines.append(Moved(turn, (GAME.grammar.format(move),), by_clock=by_clock))
        if (len(states) - 1) % DIGEST_EVERY == 0 or states[-1].decides is None:
            lines.append(Digested(Hex(GAME.tree.digest(states[-1]))))
        if made in script.undone:
            states.pop()
            lines.append(Undone(1))
    return lines, states[-1]


def _chosen(table: Table, seat: Seat, choice: Chance, *, is_greedy: bool) -> Move:
    legal = GAME.plain(table, seat)
    if is_greedy:
        return GAME.bots["greedy"](GAME.tree.view(table, frozenset((seat,))), seat, legal, choice)
    return legal[choice.pick(len(legal))]


def main() -> None:
    for name, script in SCRIPTS.items():
        path = RECORDS / f"{name}.record"
        path.write_text(format_record(write_down(name, script)), encoding="utf-8")


if __name__ == "__main__":
    main()
