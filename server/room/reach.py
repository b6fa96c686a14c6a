"""How far back an undo leads, so that those who are asked know what they agree to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.core.game import Game
from rules.core.vision import Seat
from server.room.events import UndoReach
from server.room.state import Past, Quiet, Recorded, links_of


def undo_reach(
    game: Game[Any],  # Any: each game has a state class of its own
    past: Sequence[Past],
    steps: int,
    recorded: Recorded | None,
) -> UndoReach:
    """What it means to go back to before the first entry of `past`, `steps` moves being played."""
    first = past[0]
    ends = [*(each.steps for each in past[1:]), steps]
    movers = [
        int(each.seat)
        for each, end in zip(past, ends, strict=True)
        for _ in range(end - each.steps)
    ]
    standing = _standing(recorded)[first.steps :]
    # How many moves somebody has made that nobody else knows of is told to nobody.
    known = tuple(mover for mover, (_, hides) in zip(movers, standing, strict=True) if not hides)
    known = known or (int(first.seat),)
    return UndoReach(Seat(first.seat), _shown(game, standing[0][0]), len(known), known)


def _standing(recorded: Recorded | None) -> list[tuple[str, bool]]:
    """The moves of a record that have not been taken back, and whether each was quiet."""
    made: list[tuple[str, bool]] = []
    quiet: Quiet = ()
    for link in links_of(recorded):
        head, _, rest = link.line.partition(" ")
        hides, quiet = link.quiet != quiet, link.quiet
        if head == "@undo":
            del made[len(made) - int(rest) :]
        elif head.isdecimal():
            made.append((rest, hides))
        elif head == "@clock":
            made.append((rest.partition(" ")[2], hides))
    return made


def _shown(game: Game[Any], lines: str) -> str:  # Any: as above
    """The first of some moves, as everybody may see it."""
    move = game.grammar.parse(lines.split(" ; ", 1)[0])
    return game.grammar.format(move, sees_owner=False)
