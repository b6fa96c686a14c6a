"""Long and short forms of lines: an attack by road without saying so, several supporters at once.

Rule: tokugawa 13.1.
"""

from __future__ import annotations

from rules.core.refusal import Refusal
from rules.core.slots import tokens_of
from rules.core.tree import Tree
from rules.core.vision import Move, Seat
from rules.tokugawa.atlas import ROAD
from rules.tokugawa.attacking import SUPPORT_FEE, supporters
from rules.tokugawa.commands import GOAL, ORIGIN, SUPPORTER
from rules.tokugawa.moves import DONE
from rules.tokugawa.state import Approach, Table
from rules.tokugawa.tables import NO_SUPPORT, SUPPORTS, attack
from rules.tokugawa.terms import Town
from rules.tokugawa.views import table_of


def expand(view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
    """The moves that a person means who leaves out or puts together; None if he does not."""
    words = tokens_of(text)
    if verb == "attack" and len(words) == 2:
        return _by_road(words)
    if verb == "support" and len(words) > 1:
        return _together(table_of(view), seat, words)
    return None


def _by_road(words: list[str]) -> tuple[Move, ...] | None:
    """An attack between two towns that a road joins goes by road."""
    try:
        origin, _ = ORIGIN.read(words, 0)
        town, _ = GOAL.read(words, 1)
    except Refusal:
        return None
    return (attack(origin, town, Approach.ROAD),) if (origin, town) in ROAD else None


def _together(table: Table, seat: Seat, words: list[str]) -> tuple[Move, ...] | None:
    """Several supporters in one line; a last `done` is left out where nothing is left to say."""
    named: list[str] = []
    for at in range(len(words)):
        value, _ = SUPPORTER.read(words, at)
        named.append(value)
    is_done = named[-1] == DONE
    towns = [Town(name) for name in (named[:-1] if is_done else named)]
    if DONE in towns:
        return None
    made: list[Move] = [SUPPORTS[town] for town in towns]
    if is_done and _more_to_say(table, seat, towns):
        made.append(NO_SUPPORT)
    return tuple(made)


def _more_to_say(table: Table, seat: Seat, towns: list[Town]) -> bool:
    """Whether the seat is still asked when these towns support."""
    if table.battle is None or table.decides != seat:
        return True
    left = [each for each in supporters(table, table.battle, seat) if each not in towns]
    return bool(left) and table.seats[seat].koku >= (len(towns) + 1) * SUPPORT_FEE


__all__ = ["expand"]
