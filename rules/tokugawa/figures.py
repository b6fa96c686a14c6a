"""The answers to `/odds` and `/battle` as data: the figures of the words, for clients that draw.

Rule: tokugawa 13.3. A chance is `permille`, rounded to the nearest, and `exact` as a fraction.
"""

from __future__ import annotations

from fractions import Fraction

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.tokugawa.fighting import strengths, totals
from bluebear.rules.tokugawa.forecast import approach_of, is_move, permille, ways_of
from bluebear.rules.tokugawa.moves import Way
from bluebear.rules.tokugawa.odds import from_here, moves, odds, still_open, support_possible
from bluebear.rules.tokugawa.state import Phase, Table, other
from bluebear.rules.tokugawa.terms import Terrain, Town


def of_attack(table: Table, origin: Town, town: Town, *, by_sea: bool) -> Shaped:
    """Movement, battle and the whole of an attack; `helped` has a row for each number of the
    attacker's supporters and a column for the defender's, in permille. Of a move to an empty town
    the `ways`.
    """
    if is_move(table, origin, town):
        found = ways_of(table, origin, town, by_sea=by_sea)
        return {"origin": origin, "town": town, "ways": [_way(way) for way in found]}
    approach = approach_of(table, origin, town, by_sea=by_sea)
    bare = odds(table, origin, town, approach)
    allies, guards = support_possible(table, origin, town)
    return {
        "origin": origin,
        "town": town,
        "approach": approach.value,
        "arrives": _chance(bare.arrives),
        "wins": _chance(bare.wins),
        "cases": [
            {
                "weather": case.weather.value,
                "chance": permille(case.chance),
                "arrives": permille(case.arrives),
                "attack": case.attack,
                "defence": case.defence,
                "wins": permille(case.wins),
            }
            for case in bare.cases
        ],
        "helped": [
            [
                permille(odds(table, origin, town, approach, allies=mine, guards=theirs).wins)
                for theirs in range(guards + 1)
            ]
            for mine in range(allies + 1)
        ],
    }


def of_battle(table: Table) -> Shaped:
    """Both sides of the battle under way, the attacker first, and his chance while it is open."""
    battle = table.fight
    sides = zip(
        (table.turn, other(table.turn)),
        strengths(table, battle),
        (battle.dice, battle.reply),
        totals(table, battle),
        strict=True,
    )
    made: Shaped = {
        "sides": [
            {
                "seat": int(seat),
                "adds": adds,
                **({"dice": list(dice), "total": total} if dice else {}),
            }
            for seat, adds, dice, total in sides
        ]
    }
    if table.phase is not Phase.RETREATING:
        made["wins"] = _chance(from_here(table))
        found = still_open(table)
        if found is not None:
            made["stands"], made["again"] = map(_chance, found)
    return made


def _way(way: Way) -> Shaped:
    arrives = Fraction(1) if way is Way.LAND else moves(Terrain(way.value))
    return {"way": way.value, "arrives": _chance(arrives)}


def _chance(chance: Fraction) -> Shaped:
    return {"permille": permille(chance), "exact": str(chance)}
