"""The answer to `/odds`: the exact chances of an attack, with all supporters that there are.

Rule: tokugawa 13.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import flowed, right
from bluebear.rules.tokugawa.atlas import NEIGHBOURS, ROAD
from bluebear.rules.tokugawa.attacking import terrain_of
from bluebear.rules.tokugawa.ground import BIT, by_ship, estate_of
from bluebear.rules.tokugawa.marching import ways, why_not
from bluebear.rules.tokugawa.marks import Marks
from bluebear.rules.tokugawa.moves import Way
from bluebear.rules.tokugawa.odds import moves, moves_in, odds, support_possible
from bluebear.rules.tokugawa.state import Approach, Kind, Table
from bluebear.rules.tokugawa.tables import march
from bluebear.rules.tokugawa.terms import Terrain, Town, Weather

_CELL: Final = 7
_INDENT: Final = 4
_TENTHS: Final = 1000
"""Chances are shown in tenths of a percent."""


def forecast(
    table: Table, origin: Town, town: Town, page: TextPage, phrases: Phrases, *, by_sea: bool
) -> str:
    """The chances of an attack, or of a move to an empty town; NotAllowed if there is neither."""
    if is_move(table, origin, town):
        lines = _march(table, origin, town, page, phrases, by_sea=by_sea)
        return "\n".join(line for each in lines for line in flowed(each, page.width, _INDENT))
    approach = approach_of(table, origin, town, by_sea=by_sea)
    told = _Forecast(table, origin, town, approach, page, phrases).lines()
    return "\n".join(line for each in told for line in flowed(each, page.width, _INDENT))


def is_move(table: Table, origin: Town, town: Town) -> bool:
    """Whether the chances of a move are asked for: a samurai, and a town where nobody stands."""
    mover = table.pieces.get(origin)
    return mover is not None and mover.kind is not Kind.CAPITAL and town not in table.pieces


def ways_of(table: Table, origin: Town, town: Town, *, by_sea: bool) -> tuple[Way, ...]:
    """In which ways the samurai of a town could move; NotAllowed if there is none."""
    seat = table.pieces[origin].owner
    found = ways(table, seat, origin, town)
    if by_sea:
        found = tuple(way for way in found if way is Way.SEA)
    if not found:
        move = march(origin, town, Way.SEA if by_sea else Way.PLAIN)
        raise why_not(table, seat, move) or NotAllowed("no_such_query", given=town)
    return found


def _march(
    table: Table, origin: Town, town: Town, page: TextPage, phrases: Phrases, *, by_sea: bool
) -> Iterator[str]:
    """How likely a move succeeds, over each terrain and in each weather."""

    def say(key: str, **params: Any) -> str:  # Any: whatever the phrase names
        return page.say(phrases, f"odds.{key}", **params)

    found = ways_of(table, origin, town, by_sea=by_sea)
    piece = Marks(table, page, phrases).piece(table.pieces[origin])
    yield say("march", piece=piece, origin=origin, town=town)
    for way in found:
        if way is Way.LAND:
            yield say("surely")
            continue
        terrain = Terrain(way.value)
        chance = moves(terrain)
        cases = tuple(
            say("case", weather=each, chance=percent(moves_in(terrain, each))) for each in Weather
        )
        yield say("way", terrain=terrain, chance=percent(chance), exact=str(chance), cases=cases)


def approach_of(table: Table, origin: Town, town: Town, *, by_sea: bool) -> Approach:
    """By road, or by sea where that is said or only that is possible; NotAllowed if neither is."""
    attacker, target = table.pieces.get(origin), table.pieces.get(town)
    if attacker is None or attacker.kind is Kind.CAPITAL:
        raise NotAllowed("odds_without_attacker", rule="13.3", town=origin)
    if target is None or target.owner == attacker.owner:
        raise NotAllowed("odds_without_enemy", rule="13.3", town=town, other=attacker.owner)
    sails = by_ship(estate_of(table, attacker.owner).fleet, origin) & BIT[town]
    if by_sea and not sails:
        raise NotAllowed("odds_without_ship", rule="7.1", origin=origin, town=town)
    if (origin, town) in ROAD and not by_sea:
        return Approach.ROAD
    if not sails:
        raise NotAllowed(
            "not_adjacent", rule="7.1", origin=origin, town=town, towns=NEIGHBOURS[origin]
        )
    return Approach.SEA


class _Forecast:
    """The lines about one attack."""

    def __init__(
        self,
        table: Table,
        origin: Town,
        town: Town,
        approach: Approach,
        page: TextPage,
        phrases: Phrases,
    ) -> None:
        self._table = table
        self._attack = (origin, town, approach)
        self._page = page
        self._phrases = phrases
        self._marks = Marks(table, page, phrases)

    def lines(self) -> Iterator[str]:
        """Who attacks whom, the movement, the whole attack, what supporters change."""
        table, marks = self._table, self._marks
        origin, town, approach = self._attack
        bare = odds(table, origin, town, approach)
        yield self._say(
            "head",
            piece=self._told(origin),
            origin=origin,
            target=self._told(town),
            town=town,
            terrain=terrain_of(origin, town, approach),
        )
        for case in bare.cases:
            yield self._say(
                "weather",
                weather=case.weather,
                chance=percent(case.chance),
                arrives=percent(case.arrives),
                count=case.attack,
                against=case.defence,
                wins=percent(case.wins),
            )
        yield self._say("moves", chance=percent(bare.arrives), exact=str(bare.arrives))
        yield self._say("whole", chance=percent(bare.wins), exact=str(bare.wins))
        allies, guards = support_possible(table, origin, town)
        if allies or guards:
            yield from self._grid(marks.owner(table.pieces[origin].owner), allies, guards)

    def _told(self, town: Town) -> str:
        marks = self._marks
        return " ".join(filter(None, (marks.piece(self._table.pieces[town]), marks.built(town))))

    def _grid(self, letter: str, allies: int, guards: int) -> Iterator[str]:
        """A row for each number of the attacker's supporters, a column for the defender's."""
        origin, town, approach = self._attack
        yield self._say("helped", letter=letter)
        head = "".join(right(str(count), _CELL) for count in range(guards + 1))
        yield "    " + head
        for count in range(allies + 1):
            made = [
                odds(self._table, origin, town, approach, allies=count, guards=against).wins
                for against in range(guards + 1)
            ]
            yield right(str(count), 4) + "".join(right(percent(each), _CELL) for each in made)

    def _say(self, key: str, **params: Any) -> str:  # Any: whatever the phrase names
        return self._page.say(self._phrases, f"odds.{key}", **params)


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
