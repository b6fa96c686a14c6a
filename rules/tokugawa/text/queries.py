"""Replies to `/odds` and `/battle`, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import right
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.bot import odds
from bluebear.rules.tokugawa.data.pieces_loader import DIE
from bluebear.rules.tokugawa.data.terms import Terrain, Town, Weather
from bluebear.rules.tokugawa.rules import combat
from bluebear.rules.tokugawa.rules.movement import ways, why_not
from bluebear.rules.tokugawa.rules.moves import Way, march
from bluebear.rules.tokugawa.rules.pieces import BIT, by_ship, estate_of
from bluebear.rules.tokugawa.rules.state import Approach, Kind, Phase, State, other
from bluebear.rules.tokugawa.text.names import TownTexts

# The answer to `/odds`: the exact chances of an attack, with all supporters that there are.
#
# Rule: tokugawa 13.3.

_CELL: Final = 7
_TENTHS: Final = 1000
"""Chances are shown in tenths of a percent."""


def forecast(sheet: TownTexts, origin: Town, town: Town, *, by_sea: bool) -> str:
    """The chances of an attack, or of a move to an empty town; NotAllowed if there is neither."""
    if is_move(sheet.view, origin, town):
        texts = _march(sheet, origin, town, by_sea=by_sea)
    else:
        approach = approach_of(sheet.view, origin, town, by_sea=by_sea)
        texts = _attack(sheet, origin, town, approach)
    return "\n".join(line for each in texts for line in sheet.lines(each))


def is_move(table: State, origin: Town, town: Town) -> bool:
    """Whether the chances of a move are asked for: a samurai, and an empty town."""
    mover = table.pieces.get(origin)
    return mover is not None and mover.kind is not Kind.CAPITAL and town not in table.pieces


def ways_of(table: State, origin: Town, town: Town, *, by_sea: bool) -> tuple[Way, ...]:
    """In which ways the samurai of a town could move; NotAllowed if there is none."""
    seat = table.pieces[origin].owner
    found = ways(table, seat, origin, town)
    if by_sea:
        found = tuple(way for way in found if way is Way.SEA)
    if not found:
        move = march(origin, town, Way.SEA if by_sea else Way.PLAIN)
        raise why_not(table, seat, move) or NotAllowed("no_such_query", given=town)
    return found


def _march(sheet: TownTexts, origin: Town, town: Town, *, by_sea: bool) -> Iterator[str]:
    """How likely a move succeeds, over each terrain and in each weather."""
    say = sheet.phrase
    found = ways_of(sheet.view, origin, town, by_sea=by_sea)
    yield say("odds.march", piece=sheet.piece(sheet.view.pieces[origin]), origin=origin, town=town)
    for way in found:
        if way is Way.LAND:
            yield say("odds.surely")
            continue
        terrain = Terrain(way.value)
        chance, exact = percent(odds.moves(terrain)), str(odds.moves(terrain))
        cases = tuple(
            say("odds.case", weather=each, chance=percent(odds.moves_in(terrain, each)))
            for each in Weather
        )
        yield say("odds.way", terrain=terrain, chance=chance, exact=exact, cases=cases)


def approach_of(table: State, origin: Town, town: Town, *, by_sea: bool) -> Approach:
    """By road, or by sea where that is said or only that is possible; NotAllowed if neither is."""
    attacker, target = table.pieces.get(origin), table.pieces.get(town)
    if attacker is None or attacker.kind is Kind.CAPITAL:
        raise NotAllowed("odds_without_attacker", rule="13.3", town=origin)
    if target is None or target.owner == attacker.owner:
        raise NotAllowed("odds_without_enemy", rule="13.3", town=town, other=attacker.owner)
    sails = by_ship(estate_of(table, attacker.owner).fleet, origin) & BIT[town]
    if by_sea and not sails:
        raise NotAllowed("odds_without_ship", rule="7.1", origin=origin, town=town)
    if not by_sea and combat.attacked_by_road(table, attacker.owner, origin, town):
        return Approach.ROAD
    if not sails:
        raise combat.not_adjacent(table, origin, town)
    return Approach.SEA


def _attack(sheet: TownTexts, origin: Town, town: Town, approach: Approach) -> Iterator[str]:
    """Attacker and defender, the movement, the whole attack, what supporters change."""
    say, table = sheet.phrase, sheet.view
    bare = odds.odds(table, origin, town, approach)
    yield say(
        "odds.head",
        piece=sheet.fighter(origin),
        origin=origin,
        target=sheet.fighter(town),
        town=town,
        terrain=combat.terrain_of(table, origin, town, approach),
    )
    for case in bare.cases:
        yield say(
            "odds.weather",
            weather=case.weather,
            chance=percent(case.chance),
            arrives=percent(case.arrives),
            count=case.attack,
            against=case.defence,
            wins=percent(case.wins),
        )
    yield say("odds.moves", chance=percent(bare.arrives), exact=str(bare.arrives))
    yield say("odds.whole", chance=percent(bare.wins), exact=str(bare.wins))
    grid = helped(table, origin, town, approach)
    if len(grid) > 1 or len(grid[0]) > 1:
        yield say("odds.helped", letter=sheet.owner(table.pieces[origin].owner))
        yield "    " + "".join(right(str(count), _CELL) for count in range(len(grid[0])))
        for count, row in enumerate(grid):
            yield right(str(count), 4) + "".join(right(percent(each), _CELL) for each in row)


def helped(table: State, origin: Town, town: Town, approach: Approach) -> list[list[Fraction]]:
    """The chances of an attack: a row for each number of the attacker's supporters, a column for
    the defender's.
    """
    allies, guards = odds.support_possible(table, origin, town)
    return [
        [
            odds.odds(table, origin, town, approach, allies=ours, guards=theirs).wins
            for theirs in range(guards + 1)
        ]
        for ours in range(allies + 1)
    ]


def percent(chance: Fraction) -> str:
    """A chance in percent with one digit behind the point, rounded to the nearest.

    >>> percent(Fraction(23, 36))
    '63.9%'
    """
    tenths = permille(chance)
    return f"{tenths // 10}.{tenths % 10}%"


def permille(chance: Fraction) -> int:
    """A chance in thousandths, rounded to the nearest."""
    return (2 * _TENTHS * chance.numerator + chance.denominator) // (2 * chance.denominator)


# The answer to `/battle`: how the battle under way stands, in sums and chances.
#
# Rule: tokugawa 13.3.

_BATTLE_INDENT: Final = 2
_ROLLS: Final = (Phase.ATTACK_ROLL, Phase.DEFENCE_ROLL)
_SUPPORT: Final = (Phase.ATTACK_SUPPORT, Phase.DEFENCE_SUPPORT)


def battle_text(sheet: TownTexts) -> str:
    """Sums of both sides and the attacker's chance; NotAllowed where no battle is under way."""
    if sheet.view.battle is None:
        raise NotAllowed("no_battle", rule="13.3")
    return "\n".join(line for each in _battle(sheet) for line in sheet.lines(each, _BATTLE_INDENT))


def _battle(sheet: TownTexts) -> Iterator[str]:
    say, table = sheet.phrase, sheet.view
    for seat, adds, dice, total in _sides(table):
        letter = sheet.owner(seat)
        if dice:
            params = {"adds": adds, "count": sum(dice), "total": total}
            yield say("battle.thrown", letter=letter, **params)
        else:
            yield say("battle.adds", letter=letter, adds=adds)
    attacker = sheet.owner(table.turn)
    if table.phase is not Phase.RETREATING:
        chance = odds.from_here(table)
        key = "so_far" if table.phase in _SUPPORT else "chance"
        yield say(f"battle.{key}", letter=attacker, chance=percent(chance), exact=str(chance))
    decider = table.decides
    if table.phase in _SUPPORT and decider and len(combat.supports(table, decider)) > 1:
        yield say("battle.one_more", letter=attacker, chance=percent(odds.with_one_more(table)))
    yield from throws(sheet)


def _sides(table: State) -> Iterator[tuple[Seat, int, tuple[int, ...], int]]:
    """Attacker and defender: the seat, what it adds to its dice, the dice, their total."""
    battle = table.fight
    return zip(
        (table.turn, other(table.turn)),
        combat.strengths(table, battle),
        (battle.dice, battle.reply),
        combat.totals(table, battle),
        strict=True,
    )


def throws(sheet: TownTexts) -> Iterator[str]:
    """While dice may be thrown again: what is needed, and what either decision leads to."""
    say, table = sheet.phrase, sheet.view
    if table.battle is None or table.phase not in _ROLLS:
        return
    attacker, defender = sheet.owner(table.turn), sheet.owner(other(table.turn))
    attack, defence = combat.totals(table, table.battle)
    adds = combat.strengths(table, table.battle)[1]
    needs = attack - adds + 1
    texts = {"letter": attacker, "total": attack, "against": defender, "adds": adds}
    if needs > 2 * DIE:
        yield say("battle.never_holds", **texts)
    elif needs <= 2:
        yield say("battle.always_holds", **texts)
    else:
        yield say("battle.needs", **texts, needs=needs)
    if table.battle.reply:
        key = "holds" if defence > attack else "falls"
        yield say(f"battle.{key}", letter=defender, total=defence, against=attack)
    if (found := odds.still_open(table)) is not None:
        stands, again = map(percent, found)
        yield say("battle.open", letter=attacker, stands=stands, again=again)


# The answers to `/odds` and `/battle` as data: the figures of the words, for clients that draw.
#
# Rule: tokugawa 13.3. A chance is `permille`, rounded to the nearest, and `exact` as a fraction.


def of_attack(table: State, origin: Town, town: Town, *, by_sea: bool) -> Shaped:
    """Movement, battle and the whole of an attack; `helped` has a row for each number of the
    attacker's supporters and a column for the defender's, in permille. Of a move to an empty town
    the `ways`.
    """
    if is_move(table, origin, town):
        found = ways_of(table, origin, town, by_sea=by_sea)
        return {"origin": origin, "town": town, "ways": [*map(_way, found)]}
    approach = approach_of(table, origin, town, by_sea=by_sea)
    bare = odds.odds(table, origin, town, approach)
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
        "helped": [[*map(permille, row)] for row in helped(table, origin, town, approach)],
    }


def of_battle(table: State) -> Shaped:
    """Both sides of the battle under way, the attacker first, and its chance while it is open."""
    made: Shaped = {
        "sides": [
            {
                "seat": int(seat),
                "adds": adds,
                **({"dice": list(dice), "total": total} if dice else {}),
            }
            for seat, adds, dice, total in _sides(table)
        ]
    }
    if table.phase is not Phase.RETREATING:
        made["wins"] = _chance(odds.from_here(table))
        if (found := odds.still_open(table)) is not None:
            made["stands"], made["again"] = map(_chance, found)
    return made


def _way(way: Way) -> Shaped:
    arrives = Fraction(1) if way is Way.LAND else odds.moves(Terrain(way.value))
    return {"way": way.value, "arrives": _chance(arrives)}


def _chance(chance: Fraction) -> Shaped:
    return {"permille": permille(chance), "exact": str(chance)}
