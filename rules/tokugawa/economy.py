"""Tax, levy and dismissal (Rule: tokugawa 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
from rules.tokugawa.atlas import ARMS, PROVINCE_OF, TOWNS_OF
from rules.tokugawa.chips import discharged, enlisted, kind_of, occupied, pay, samurai_in
from rules.tokugawa.events import Dismissed, Levied, Taxed
from rules.tokugawa.ground import PROVINCE_MASK, Ground, towns_of
from rules.tokugawa.moves import Dismiss, Levy, Tax
from rules.tokugawa.refusals import own_samurai, too_dear
from rules.tokugawa.state import Table, other
from rules.tokugawa.tables import DISMISSALS, LEVIES, TAXES
from rules.tokugawa.terms import Province

GARDEN_TAX: Final = 1
"""What own gardens in a province add, however many they are (Rule: tokugawa 5.1)."""


def taxes(table: Table, ground: Ground) -> Iterator[Move]:
    """The provinces that may be taxed, sorted (Rule: tokugawa 5.2, 5.4)."""
    for province, tax in TAXES.items():
        area = PROVINCE_MASK[province]
        more = (ground.own & area).bit_count() > (ground.enemy & area).bit_count()
        if more and table.banks[province] and province not in table.taxed:
            yield tax


def income(table: Table, seat: Seat, province: Province) -> int:
    """What taxing a province would bring, allowed or not (Rule: tokugawa 5.1, 5.4)."""
    majority = samurai_in(table, seat, province) - samurai_in(table, other(seat), province)
    garden = GARDEN_TAX if _has_garden(table, seat, province) else 0
    return min(majority + garden, table.banks[province])


def _has_garden(table: Table, seat: Seat, province: Province) -> bool:
    for town in TOWNS_OF[province]:
        site = table.sites.get(town)
        if site is not None and site.garden and site.owner == seat:
            return True
    return False


def tax_checked(table: Table, seat: Seat, move: Tax) -> None:
    """NotAllowed if the province cannot be taxed now."""
    if move.province in table.taxed:
        raise NotAllowed("taxed_already", rule="5.4", province=move.province)
    own = samurai_in(table, seat, move.province)
    against = samurai_in(table, other(seat), move.province)
    if own <= against:
        raise NotAllowed(
            "no_majority", rule="5.2", province=move.province, count=own, against=against
        )
    if not table.banks[move.province]:
        raise NotAllowed("empty_bank", rule="5.4", province=move.province)


def tax(table: Table, seat: Seat, move: Tax, events: list[Event]) -> Table:
    """The table after a province was taxed."""
    koku = income(table, seat, move.province)
    events.append(Taxed(seat, move.province, koku))
    return but(pay(table, seat, -koku, move.province), taxed=(*table.taxed, move.province))


def levies(table: Table, seat: Seat, ground: Ground) -> list[Move]:
    """Who may be levied where, sorted (Rule: tokugawa 5.5)."""
    clan = table.seats[seat]
    towns = towns_of(ground.empty)
    made: list[Move] = []
    for weapon, moves in LEVIES.items():
        if clan.samurai[weapon] and clan.koku >= ARMS[weapon].cost:
            made += [moves[town] for town in towns]
    return made


def levy_checked(table: Table, seat: Seat, move: Levy) -> None:
    """NotAllowed if stock, koku or the town do not allow it."""
    clan = table.seats[seat]
    if not clan.samurai[move.weapon]:
        raise NotAllowed("none_in_stock", rule="5.5", weapon=move.weapon)
    if move.town in table.pieces:
        raise NotAllowed("occupied", rule="5.5", town=move.town)
    too_dear(clan, ARMS[move.weapon].cost, "5.5")


def levy(table: Table, seat: Seat, move: Levy, events: list[Event]) -> Table:
    """The table after a samurai was bought."""
    cost = ARMS[move.weapon].cost
    events.append(Levied(seat, kind_of(move.weapon), move.town, cost))
    table = pay(table, seat, cost, PROVINCE_OF[move.town])
    return occupied(enlisted(table, seat, move.weapon, move.town), seat, move.town, events)


def dismissals(ground: Ground) -> Iterator[Move]:
    """Who may be dismissed, sorted (Rule: tokugawa 5.6)."""
    return (DISMISSALS[town] for town in towns_of(ground.samurai))


def dismiss_checked(table: Table, seat: Seat, move: Dismiss) -> None:
    """NotAllowed if there is no own samurai."""
    own_samurai(table, seat, move.town, "5.6")


def dismiss(table: Table, seat: Seat, move: Dismiss, events: list[Event]) -> Table:
    """The table after a samurai went back to the stock; what is built there stays."""
    events.append(Dismissed(seat, table.pieces[move.town].kind, move.town))
    return discharged(table, move.town)
