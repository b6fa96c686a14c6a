"""The lines of the game: `/place archer nara`, `/move nara osaka forest`, `/odds ueno kyoto`."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.grammar import Grammar, Query, Verb
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import Choice, FlagSlot, WordSlot, read_choices, tokens_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.data.terms import Building, Province, Town, Weapon
from bluebear.rules.tokugawa.rules import moves
from bluebear.rules.tokugawa.rules.combat import SUPPORT_FEE, attacked_by_road, supporters
from bluebear.rules.tokugawa.rules.movement import ways
from bluebear.rules.tokugawa.rules.pieces import BIT, by_ship, estate_of, too_dear
from bluebear.rules.tokugawa.rules.state import Approach, Phase, State
from bluebear.rules.tokugawa.text import names

# Rule: tokugawa 13.1, 13.2.

_TOWN: Final = WordSlot("town", names.TOWN_CHOICES, kind=Town)
ORIGIN: Final = WordSlot("origin", names.TOWN_CHOICES, kind=Town)
GOAL: Final = _TOWN
_WEAPON: Final = WordSlot("weapon", names.WEAPON_CHOICES, kind=Weapon)
_PROVINCE: Final = WordSlot("province", names.PROVINCE_CHOICES, kind=Province)
_BUILDING: Final = WordSlot("building", names.BUILDING_CHOICES, kind=Building)
_CHOICES: Final = read_choices("bluebear.rules.tokugawa", approach=Approach)
_ROAD, _SHIP = _CHOICES["approach"]
_SEA: Final = names.TERRAIN_CHOICES[-1]
_BY_SHIP: Final = Choice(_SEA.value, tuple(dict.fromkeys((*_SEA.names, *_SHIP.names))), _SEA.short)
_BY_LAND: Final = Choice("land", _ROAD.names, ("road",))
_WAY: Final = WordSlot("way", (*names.TERRAIN_CHOICES[:-1], _BY_SHIP, _BY_LAND), kind=moves.Way)
_APPROACH: Final = WordSlot("approach", _CHOICES["approach"], kind=Approach)
SUPPORTER: Final = WordSlot("supporter", (*names.TOWN_CHOICES, *_CHOICES["supporter"]))

GRAMMAR: Final = Grammar(
    verbs=[
        Verb("place", moves.Place, (_WEAPON, _TOWN)),
        Verb("tax", moves.Tax, (_PROVINCE,)),
        Verb("levy", moves.Levy, (_WEAPON, _TOWN)),
        Verb("move", moves.March, (ORIGIN, GOAL, _WAY)),
        Verb("attack", moves.Attack, (ORIGIN, GOAL, _APPROACH)),
        Verb("support", moves.Support, (SUPPORTER,)),
        Verb("reroll", moves.Reroll),
        Verb("stand", moves.Stand),
        Verb("retreat", moves.Retreat, (_TOWN,)),
        Verb("build", moves.Build, (_BUILDING, _TOWN)),
        Verb("stay", moves.Stay),
        Verb("forge", moves.Forge, (_TOWN,)),
        Verb("dismiss", moves.Dismiss, (_TOWN,)),
        Verb("pass", moves.Pass),
    ],
    queries=[
        Query("odds", (ORIGIN, GOAL, FlagSlot("sea", names=_SHIP.names))),
        Query("battle", optional=True),
        Query("contracts", optional=True),
    ],
    names=_CHOICES["verb"],
)


# Long and short forms of lines: moves and attacks without their way, several supporters at once.
#
# Rule: tokugawa 13.1.


def expand(table: State, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
    """The moves of a line that leaves out or combines arguments; None for any other line."""
    tokens = tokens_of(text)
    if verb in ("move", "attack") and len(tokens) == 2:
        return _between(table, seat, verb, tokens)
    if verb == "support" and len(tokens) > 1:
        return _together(table, seat, tokens)
    return None


def _between(table: State, seat: Seat, verb: str, tokens: list[str]) -> tuple[Move, ...] | None:
    """A move or an attack between two towns; None if either is no town, or several ways fit.

    Where nothing leads there it is a line that is refused for just that.
    """
    try:
        origin, _ = ORIGIN.read(tokens, 0)
        town, _ = GOAL.read(tokens, 1)
    except Refusal:
        return None
    if verb == "attack":
        return (moves.attack(origin, town, _approach(table, seat, origin, town)),)
    if table.phase is Phase.SAILING:
        return (moves.march(origin, town, moves.Way.SEA),)
    found = ways(table, seat, origin, town)
    if len(found) > 1 and table.phase is Phase.ACTING and table.actions:
        return None
    return (moves.march(origin, town, found[0] if found else moves.Way.PLAIN),)


def _approach(table: State, seat: Seat, origin: Town, town: Town) -> Approach:
    """By road, unless only an own ship leads there."""
    sails = by_ship(estate_of(table, seat).fleet, origin) & BIT[town]
    marches = not sails or attacked_by_road(table, seat, origin, town)
    return Approach.ROAD if marches else Approach.SEA


def _together(table: State, seat: Seat, tokens: list[str]) -> tuple[Move, ...] | None:
    """Several supporters in one line; a last `done` is left out where nothing is left to say."""
    named = [SUPPORTER.read(tokens, at)[0] for at in range(len(tokens))]
    is_done = named[-1] == moves.DONE
    towns = [Town(name) for name in (named[:-1] if is_done else named)]
    if moves.DONE in towns:
        return None
    is_support = table.phase in (Phase.ATTACK_SUPPORT, Phase.DEFENCE_SUPPORT)
    if is_support and table.battle is not None and table.decides == seat:
        # Said for all of them: the last koku ends the asking, and the next one would be too late.
        no = too_dear(table.seats[seat], len(towns) * SUPPORT_FEE, "7.4")
        if no is not None and set(towns) <= set(supporters(table, table.battle, seat)):
            raise no
    made: list[Move] = [moves.SUPPORTS[town] for town in towns]
    if is_done and _more_to_say(table, seat, towns):
        made.append(moves.NO_SUPPORT)
    return tuple(made)


def _more_to_say(table: State, seat: Seat, towns: list[Town]) -> bool:
    """Whether the seat is still asked when these towns support."""
    if table.battle is None or table.decides != seat:
        return True
    left = [each for each in supporters(table, table.battle, seat) if each not in towns]
    return bool(left) and table.seats[seat].koku >= (len(towns) + 1) * SUPPORT_FEE
