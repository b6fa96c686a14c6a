"""How far back an undo leads, so that those who are asked know what they agree to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Seat
from bluebear.server.room.events import UndoReach
from bluebear.server.room.state import Past, Quiet, Recorded, links_of


def undo_reach(
    game: Game[Any],  # Any: each game has a state class of its own
    past: Sequence[Past],
    recorded: Recorded | None,
) -> UndoReach:
    """What it means to go back to before the first entry of `past`."""
    first = past[0]
    standing = _standing(recorded)[first.steps :]
    # How many moves somebody has made that nobody else knows of is told to nobody.
    known = tuple(each.mover for each in standing if not each.hides) or (int(first.seat),)
    return UndoReach(Seat(first.seat), _shown(game, standing[0].lines), len(known), known)


class _Made(NamedTuple):
    """Lines of the record that are one entry's: whose, and whether nobody else knows of them."""

    mover: int
    lines: str
    hides: bool


def _standing(recorded: Recorded | None) -> list[_Made]:
    """The moves of a record that have not been taken back."""
    made: list[_Made] = []
    quiet: Quiet = ()
    for link in links_of(recorded):
        head, _, rest = link.line.partition(" ")
        hides, quiet = link.quiet != quiet, link.quiet
        if head == "@undo":
            del made[len(made) - int(rest) :]
        elif head.isdecimal():
            made.append(_Made(int(head), rest, hides))
        elif head == "@clock":
            mover, _, lines = rest.partition(" ")
            made.append(_Made(int(mover), lines, hides))
    return made


def _shown(game: Game[Any], lines: str) -> str:  # Any: as above
    """The first of some moves, as everybody may see it."""
    move = game.grammar.parse(lines.split(" ; ", 1)[0])
    return game.grammar.format(move, sees_owner=False)
