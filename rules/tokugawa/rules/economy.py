"""Tax, levy and dismissal (Rule: tokugawa 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Rash
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.data.map_tables import ARMS, PROVINCE_OF
from bluebear.rules.tokugawa.data.terms import Building, Province
from bluebear.rules.tokugawa.rules import moves, pieces
from bluebear.rules.tokugawa.rules.events import Dismissed, Levied, Taxed
from bluebear.rules.tokugawa.rules.state import Kind, State

GARDEN_TAX: Final = 1
"""What own gardens in a province add, however many they are (Rule: tokugawa 5.1)."""
_LEVIES: Final = [(weapon, ARMS[weapon].cost, by_town) for weapon, by_town in moves.LEVIES.items()]
_LEAST_LEVY: Final = min(arms.cost for arms in ARMS.values())


def taxes(table: State, seat: Seat) -> list[Move]:
    """The provinces that may be taxed, sorted (Rule: tokugawa 5.2, 5.4)."""
    led = led_by(table, seat)
    return [moves.TAXES[each] for each in led if _untaxable(table, led, each) is None]


def why_not_tax(table: State, seat: Seat, move: moves.Tax) -> NotAllowed | None:
    """What forbids taxing a province."""
    province = move.province
    code = _untaxable(table, led_by(table, seat), province)
    if code is None:
        return None
    if code != "no_majority":
        return NotAllowed(code, rule="5.4", province=province)
    friendly, against = samurai_in(table, seat, province)
    return NotAllowed(code, rule="5.2", province=province, count=friendly, against=against)


def _untaxable(table: State, led: Collection[Province], province: Province) -> str | None:
    """The code of what forbids taxing a province."""
    if province in table.taxed:
        return "taxed_already"
    if province not in led:
        return "no_majority"
    return None if table.banks[province] else "empty_bank"


def led_by(table: State, seat: Seat) -> tuple[Province, ...]:
    """The provinces where a seat has the most samurai, sorted (Rule: tokugawa 5.2)."""
    ground = pieces.ground_of(table, seat)
    return _led(ground.friendly, ground.enemy)


@lru_cache(maxsize=512)
def _led(friendly: int, enemy: int) -> tuple[Province, ...]:
    return tuple(
        each
        for each in moves.TAXES
        if (friendly & pieces.PROVINCE_MASK[each]).bit_count()
        > (enemy & pieces.PROVINCE_MASK[each]).bit_count()
    )


def samurai_in(table: State, seat: Seat, province: Province) -> tuple[int, int]:
    """A seat's samurai and capitals in a province, and the other's (Rule: tokugawa 5.3)."""
    ground, area = pieces.ground_of(table, seat), pieces.PROVINCE_MASK[province]
    return (ground.friendly & area).bit_count(), (ground.enemy & area).bit_count()


def income(table: State, seat: Seat, province: Province) -> int:
    """What taxing a province would bring, allowed or not (Rule: tokugawa 5.1, 5.4)."""
    friendly, against = samurai_in(table, seat, province)
    gardens = pieces.estate_of(table, seat).stands[Building.GARDEN] & pieces.PROVINCE_MASK[province]
    return min(friendly - against + (GARDEN_TAX if gardens else 0), table.banks[province])


def tax(table: State, seat: Seat, move: moves.Tax, chance: Chance, emit: Emit) -> None:
    """A province is taxed."""
    koku = income(table, seat, move.province)
    emit(Taxed(seat, move.province, koku))
    pieces.pay(table, seat, -koku, move.province)
    table.taxed = (*table.taxed, move.province)


def levies(table: State, seat: Seat) -> list[Move]:
    """Who may be levied where, sorted (Rule: tokugawa 5.5)."""
    clan = table.seats[seat]
    towns = pieces.towns_of(pieces.ground_of(table, seat).empty)
    made: list[Move] = []
    for weapon, cost, by_town in _LEVIES:
        if clan.koku >= cost and clan.samurai[weapon]:
            made += [by_town[town] for town in towns]
    return made


def why_not_levy(table: State, seat: Seat, move: moves.Levy) -> NotAllowed | None:
    """What forbids a levy: stock, town or koku."""
    clan = table.seats[seat]
    if not clan.samurai[move.weapon]:
        return NotAllowed("none_in_stock", rule="5.5", weapon=move.weapon)
    if not pieces.BIT[move.town] & pieces.ground_of(table, seat).empty:
        return NotAllowed("occupied", rule="5.5", town=move.town)
    return pieces.too_dear(clan, ARMS[move.weapon].cost, "5.5")


def levy(table: State, seat: Seat, move: moves.Levy, chance: Chance, emit: Emit) -> None:
    """A samurai is bought."""
    cost = ARMS[move.weapon].cost
    emit(Levied(seat, Kind(move.weapon), move.town, cost))
    pieces.pay(table, seat, cost, PROVINCE_OF[move.town])
    pieces.enlist(table, seat, move.weapon, move.town)
    pieces.occupy(table, seat, move.town, emit)


def dismissals(table: State, seat: Seat) -> Sequence[Move | Rash]:
    """Who may be dismissed, sorted (Rule: tokugawa 5.6).

    It is rash while no other can be levied instead: it costs nothing, so it can wait.
    """
    towns = pieces.towns_of(pieces.ground_of(table, seat).samurai)
    if table.actions and table.seats[seat].koku >= _LEAST_LEVY:
        return [moves.DISMISSALS[town] for town in towns]
    return [moves.RASH_DISMISSALS[town] for town in towns]


def why_not_dismiss(table: State, seat: Seat, move: moves.Dismiss) -> NotAllowed | None:
    """What forbids a dismissal: no own samurai is there."""
    return pieces.why_no_samurai(table, seat, move.town, "5.6")


def dismiss(table: State, seat: Seat, move: moves.Dismiss, chance: Chance, emit: Emit) -> None:
    """A samurai goes back to the stock; what is built there stays."""
    emit(Dismissed(seat, table.pieces[move.town].kind, move.town))
    pieces.discharge(table, move.town)
