"""Replies to `/odds` and `/battle`, as text and as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.tables import Entry
from bluebear.rules.core.text_layout import right
from bluebear.rules.core.texts import permille
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


class WayOdds(Entry):
    """A way of a move, and how likely it succeeds."""

    way: Way
    arrives: Fraction


class MoveOdds(Entry, tag="move"):
    """The chances of a move to an empty town."""

    origin: Town
    town: Town
    ways: tuple[WayOdds, ...]


class AttackOdds(odds.Odds, tag="attack"):
    """The chances of an attack: `helped` has a row for each number of the attacker's supporters and
    a column for each of the defender's.
    """

    origin: Town
    town: Town
    approach: Approach
    helped: tuple[tuple[Fraction, ...], ...]


def forecast(sheet: TownTexts, origin: Town, town: Town, *, sea: bool) -> str:
    """The chances of an attack, or of a move to an empty town; NotAllowed if there is neither."""
    found = of_attack(sheet, origin, town, sea=sea)
    texts = _march(sheet, found) if isinstance(found, MoveOdds) else _attack(sheet, found)
    return "\n".join(line for each in texts for line in sheet.lines(each))


def ways_of(table: State, origin: Town, town: Town, *, by_sea: bool) -> Iterator[WayOdds]:
    """In which ways the samurai of a town could move; NotAllowed if there is none."""
    seat = table.pieces[origin].owner
    found = ways(table, seat, origin, town)
    if by_sea:
        found = tuple(way for way in found if way is Way.SEA)
    if not found:
        move = march(origin, town, Way.SEA if by_sea else Way.PLAIN)
        raise why_not(table, seat, move) or NotAllowed("no_such_query", given=town)
    for way in found:
        surely = way is Way.LAND
        yield WayOdds(way, Fraction(1) if surely else odds.moves(Terrain(way.value)))


def _march(sheet: TownTexts, found: MoveOdds) -> Iterator[str]:
    """How likely a move succeeds, over each terrain and in each weather."""
    say, origin = sheet.phrase, found.origin
    piece = sheet.piece(sheet.view.pieces[origin])
    yield say("odds.march", piece=piece, origin=origin, town=found.town)
    for each in found.ways:
        if each.way is Way.LAND:
            yield say("odds.surely")
            continue
        terrain = Terrain(each.way.value)
        chance, exact = percent(each.arrives), str(each.arrives)
        cases = tuple(
            say("odds.case", weather=weather, chance=percent(odds.moves_in(terrain, weather)))
            for weather in Weather
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


def _attack(sheet: TownTexts, found: AttackOdds) -> Iterator[str]:
    """Attacker and defender, the movement, the whole attack, what supporters change."""
    say, table, origin, town = sheet.phrase, sheet.view, found.origin, found.town
    yield say(
        "odds.head",
        piece=sheet.fighter(origin),
        origin=origin,
        target=sheet.fighter(town),
        town=town,
        terrain=combat.terrain_of(table, origin, town, found.approach),
    )
    for case in found.cases:
        yield say(
            "odds.weather",
            weather=case.weather,
            chance=percent(case.chance),
            arrives=percent(case.arrives),
            count=case.attack,
            against=case.defence,
            wins=percent(case.wins),
        )
    yield say("odds.moves", chance=percent(found.arrives), exact=str(found.arrives))
    yield say("odds.whole", chance=percent(found.wins), exact=str(found.wins))
    grid = found.helped
    if len(grid) > 1 or len(grid[0]) > 1:
        yield say("odds.helped", letter=sheet.owner(table.pieces[origin].owner))
        yield "    " + "".join(right(str(count), _CELL) for count in range(len(grid[0])))
        for count, row in enumerate(grid):
            yield right(str(count), 4) + "".join(right(percent(each), _CELL) for each in row)


def helped(
    table: State, origin: Town, town: Town, approach: Approach
) -> tuple[tuple[Fraction, ...], ...]:
    """The chances of an attack by the supporters of both sides."""
    allies, guards = odds.support_possible(table, origin, town)
    return tuple(
        tuple(
            odds.odds(table, origin, town, approach, allies=ours, guards=theirs).wins
            for theirs in range(guards + 1)
        )
        for ours in range(allies + 1)
    )


def percent(chance: Fraction) -> str:
    """A chance in percent with one digit behind the point, rounded to the nearest.

    >>> percent(Fraction(23, 36))
    '63.9%'
    """
    tenths = permille(chance)
    return f"{tenths // 10}.{tenths % 10}%"


# The answer to `/battle`: how the battle under way stands, in sums and chances.
#
# Rule: tokugawa 13.3.

_BATTLE_INDENT: Final = 2
_ROLLS: Final = (Phase.ATTACK_ROLL, Phase.DEFENCE_ROLL)
_SUPPORT: Final = (Phase.ATTACK_SUPPORT, Phase.DEFENCE_SUPPORT)


class BattleSide(Entry):
    """A side of a battle: what it adds to its dice, the dice, and the total."""

    seat: Seat
    adds: int
    dice: tuple[int, ...]
    total: int


class BattleOdds(Entry, omit_defaults=True):
    """The attacker's side and the defender's, and the attacker's chance; where a seat may throw
    again, also with its dice as they are and with a new throw.
    """

    sides: tuple[BattleSide, ...]
    wins: Fraction | None = None
    stands: Fraction | None = None
    again: Fraction | None = None


def battle_text(sheet: TownTexts) -> str:
    """Sums of both sides and the attacker's chance; NotAllowed where no battle is under way."""
    if sheet.view.battle is None:
        raise NotAllowed("no_battle", rule="13.3")
    return "\n".join(line for each in _battle(sheet) for line in sheet.lines(each, _BATTLE_INDENT))


def _battle(sheet: TownTexts) -> Iterator[str]:
    say, table = sheet.phrase, sheet.view
    for side in sides_of(table):
        letter, adds = sheet.owner(side.seat), side.adds
        if side.dice:
            params = {"adds": adds, "count": sum(side.dice), "total": side.total}
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


def sides_of(table: State) -> Iterator[BattleSide]:
    """Attacker and defender."""
    battle = table.fight
    return map(
        BattleSide,
        (table.turn, other(table.turn)),
        combat.strengths(table, battle),
        (battle.dice, battle.reply),
        combat.totals(table, battle),
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
# Rule: tokugawa 13.3.


def of_attack(sheet: TownTexts, origin: Town, town: Town, *, sea: bool) -> AttackOdds | MoveOdds:
    """The chances of an attack, or of a move to an empty town; NotAllowed if there is neither."""
    table, mover = sheet.view, sheet.view.pieces.get(origin)
    if mover is not None and mover.kind is not Kind.CAPITAL and town not in table.pieces:
        return MoveOdds(origin, town, tuple(ways_of(table, origin, town, by_sea=sea)))
    approach = approach_of(table, origin, town, by_sea=sea)
    bare = odds.odds(table, origin, town, approach)
    grid = helped(table, origin, town, approach)
    return AttackOdds(bare.cases, bare.arrives, bare.wins, origin, town, approach, grid)


def of_battle(sheet: TownTexts) -> BattleOdds:
    """The battle under way; NotAllowed if there is none."""
    table = sheet.view
    sides = tuple(sides_of(table))
    if table.phase is Phase.RETREATING:
        return BattleOdds(sides)
    return BattleOdds(sides, odds.from_here(table), *(odds.still_open(table) or ()))


FIGURES: Final[Mapping[str, Callable[..., object]]] = {"odds": of_attack, "battle": of_battle}
