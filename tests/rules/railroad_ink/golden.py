"""Whole games as records: what `records/*.record` were made with.

    python -m tests.rules.railroad_ink.golden

writes them anew. That is for a new version of the rules only: a record that no longer verifies
is a finished game that a change of the rules would have changed.
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
from rules.core.vision import Move, Seat, held
from rules.railroad_ink import GAME
from rules.railroad_ink.moves import Erase
from rules.railroad_ink.state import Table

RECORDS: Final = Path(__file__).with_name("records")
_ERASES_ONE_IN: Final = 6


def wavering(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    """Draws at random, and takes one of its drawings back now and then."""
    strokes = held(view.seats[seat].draft).strokes
    if strokes and chance.pick(_ERASES_ONE_IN) == 0:
        return Erase(strokes[chance.pick(len(strokes))].square)
    return moves[chance.pick(len(moves))]


@dataclass(frozen=True, slots=True)
class Script:
    """One game to write down."""

    case: str
    seed: int
    player: Player | None = None
    undoing: bool = False


SCRIPTS: Final = {
    "one_greedy": Script("seats=1", 1, player=GAME.bots["greedy"]),
    "two_greedy": Script("seats=2", 2, player=GAME.bots["greedy"]),
    "three_wavering": Script("seats=3", 3, player=wavering),
    "four_auto_done": Script("seats=4 auto_done=on", 4, undoing=True),
    "twelve_random": Script("seats=12", 5),
}


def write_down(script: Script) -> Record:
    """The record of a game that is played by its script; the same every time."""
    case = read_case(GAME, script.case.split())
    return recorded(case, script.seed, player=script.player, undoing=script.undoing)


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for name, script in SCRIPTS.items():
        text = format_record(write_down(script))
        (RECORDS / f"{name}.record").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
