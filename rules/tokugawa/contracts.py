"""Contracts: when one is fulfilled, and what comes after it (Rule: tokugawa 10.2, 10.3)."""

from __future__ import annotations

from typing import Final

from rules.core.chance import Chance
from rules.core.keyed import Keyed
from rules.core.vision import Event, Seat, but
from rules.tokugawa.atlas import DEALS, STACKS
from rules.tokugawa.events import Fulfilled, Opened
from rules.tokugawa.state import Clan, Ending, Table
from rules.tokugawa.terms import Contract, Side

LAST_CONTRACT: Final = 3
"""Rule: tokugawa 11.2."""
SHORT_POINTS: Final = 10
"""Rule: tokugawa 11.5."""

_SIDES: Final = tuple(Side)


def opened(
    stacks: Keyed[Side, tuple[Contract, ...]], side: Side, chance: Chance, events: list[Event]
) -> tuple[Keyed[Side, tuple[Contract, ...]], Contract | None]:
    """The stacks after the next card of one was opened, and this card; None if there is none.

    A stack has no order: chance says which of its cards is next. The last one needs no draw.
    """
    stack = stacks[side]
    if not stack:
        return stacks, None
    at = chance.pick(len(stack)) if len(stack) > 1 else 0
    card = stack[at]
    events.append(Opened(side, card, DEALS[card].points))
    return stacks.put(side, stack[:at] + stack[at + 1 :]), card


def first_cards(
    chance: Chance, events: list[Event]
) -> tuple[Keyed[Side, tuple[Contract, ...]], Keyed[Side, Contract]]:
    """The stacks and the open cards of the set-up (Rule: tokugawa 3.2)."""
    stacks = Keyed(STACKS)
    shown: dict[Side, Contract] = {}
    for side in Side:
        stacks, card = opened(stacks, side, chance, events)
        if card is not None:
            shown[side] = card
    return stacks, Keyed(shown)


def fulfilled(table: Table, seat: Seat, contract: Contract) -> bool:
    """Whether a seat has what a contract asks for (Rule: tokugawa 10.3)."""
    deal = DEALS[contract]
    for town in deal.towns:
        piece = table.pieces.get(town)
        if piece is None or piece.owner != seat:
            return False
    return not deal.ships or ports_with_ships(table, seat) >= deal.ships


def ports_with_ships(table: Table, seat: Seat) -> int:
    """In how many different ports a seat has ships (Rule: tokugawa 10.3)."""
    return sum(site.owner == seat and site.ships > 0 for site in table.sites.values())


def points(clan: Clan) -> int:
    """The points of the contracts that a seat has taken (Rule: tokugawa 10.4)."""
    return sum(DEALS[each].points for each in clan.contracts)


def checked(table: Table, seat: Seat, chance: Chance, events: list[Event]) -> Table:
    """The table after a seat took what it has fulfilled; with an ending, if that is one.

    Rule: tokugawa 10.2, 11.2, 11.5.
    """
    for side in _SIDES:
        while (card := table.open.get(side)) is not None and fulfilled(table, seat, card):
            table = _taken(table, seat, card, events)
            ending = _ending(table, table.seats[seat])
            if ending is not None:
                return but(table, open=table.open.drop(side), ending=ending)
            stacks, following = opened(table.stacks, side, chance, events)
            shown = table.open.drop(side)
            if following is not None:
                shown = shown.put(side, following)
            table = but(table, stacks=stacks, open=shown)
    return table


def _taken(table: Table, seat: Seat, card: Contract, events: list[Event]) -> Table:
    clan = table.seats[seat]
    clan = but(clan, contracts=(*clan.contracts, card))
    events.append(Fulfilled(seat, card, DEALS[card].points, points(clan)))
    return but(table, seats=table.seats.put(seat, clan), decided=table.number)


def _ending(table: Table, clan: Clan) -> Ending | None:
    if len(clan.contracts) >= LAST_CONTRACT:
        return Ending.CONTRACTS
    if table.short and points(clan) >= SHORT_POINTS:
        return Ending.SHORT
    return None
