"""Whole games as records: what `records/*.record` were made with.

    python -m tests.rules.tokai.golden

writes them anew. That is for a new version of the rules only (or of the bot, for the games that it
plays): a record that no longer verifies is a finished game that a change would have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.core.chance import Chance
from rules.core.conformance import read_case, recorded
from rules.core.game import Player
from rules.core.record import Record, format_record
from rules.core.vision import Move, Seat
from rules.tokai import GAME
from rules.tokai.state import Table

RECORDS: Final = Path(__file__).with_name("records")
_GREEDY: Final = GAME.bots["greedy"]


def mixed(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    """Odd seats play greedy, even ones at random."""
    if seat % 2:
        return _GREEDY(view, seat, moves, chance)
    return moves[chance.pick(len(moves))]


@dataclass(frozen=True, slots=True)
class Script:
    """One game to write down."""

    words: str
    seed: int
    player: Player | None = None
    undoing: bool = False


SCRIPTS: Final = {
    "two_random": Script("seats=2", 1),
    "three_undoing": Script("seats=3 strict=on turnlimit=60", 2, undoing=True),
    "four_mixed": Script("seats=4 settlelast=on", 3, player=mixed),
    "five_open": Script("seats=5 openchoices=on through=6 turnlimit=80", 4),
    "six_greedy": Script("seats=6", 5, player=_GREEDY),
}


def write_down(script: Script) -> Record:
    """The record of a game that is played by its script; the same every time."""
    case = read_case(GAME, script.words.split())
    return recorded(case, script.seed, player=script.player, undoing=script.undoing)


def main() -> None:
    for name, script in SCRIPTS.items():
        path = RECORDS / f"{name}.record"
        path.write_text(format_record(write_down(script)), encoding="utf-8")


if __name__ == "__main__":
    main()
