"""Long and short forms of lines: moves and attacks without their way, several supporters at once.

Rule: tokugawa 13.1.
"""

from __future__ import annotations

from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import tokens_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.atlas import ROAD
from bluebear.rules.tokugawa.attacking import SUPPORT_FEE, supporters
from bluebear.rules.tokugawa.commands import GOAL, ORIGIN, SUPPORTER
from bluebear.rules.tokugawa.ground import BIT, by_ship, estate_of
from bluebear.rules.tokugawa.marching import ways
from bluebear.rules.tokugawa.moves import DONE, Way
from bluebear.rules.tokugawa.refusals import too_dear
from bluebear.rules.tokugawa.state import Approach, Phase, Table
from bluebear.rules.tokugawa.tables import NO_SUPPORT, SUPPORTS, attack, march
from bluebear.rules.tokugawa.terms import Town


def expand(table: Table, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
    """The moves that a person means who leaves out or puts together; None if he does not."""
    words = tokens_of(text)
    if verb in ("move", "attack") and len(words) == 2:
        return _between(table, seat, verb, words)
    if verb == "support" and len(words) > 1:
        return _together(table, seat, words)
    return None


def _between(table: Table, seat: Seat, verb: str, words: list[str]) -> tuple[Move, ...] | None:
    """A move or an attack between two towns; None if either is no town, or several ways fit.

    Where nothing leads there it is a line that is refused for just that.
    """
    try:
        origin, _ = ORIGIN.read(words, 0)
        town, _ = GOAL.read(words, 1)
    except Refusal:
        return None
    if verb == "attack":
        return (attack(origin, town, _approach(table, seat, origin, town)),)
    if table.phase is Phase.SAILING:
        return (march(origin, town, Way.SEA),)
    found = ways(table, seat, origin, town)
    if len(found) > 1 and table.phase is Phase.ACTING and table.actions:
        return None
    return (march(origin, town, found[0] if found else Way.PLAIN),)


def _approach(table: Table, seat: Seat, origin: Town, town: Town) -> Approach:
    """By road, unless only an own ship leads there."""
    sails = by_ship(estate_of(table, seat).fleet, origin) & BIT[town]
    return Approach.SEA if sails and (origin, town) not in ROAD else Approach.ROAD


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
    if table.battle is not None and table.decides == seat:
        # Said for all of them: the last koku ends the asking, and the next one would be too late.
        no = too_dear(table.seats[seat], len(towns) * SUPPORT_FEE, "7.4")
        if no is not None and set(towns) <= set(supporters(table, table.battle, seat)):
            raise no
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
