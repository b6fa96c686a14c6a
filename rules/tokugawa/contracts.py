"""Contracts: when one is fulfilled, and what comes after it (Rule: tokugawa 10.2, 10.3)."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Tell
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.atlas import DEALS
from bluebear.rules.tokugawa.events import Fulfilled, Opened
from bluebear.rules.tokugawa.ground import estate_of
from bluebear.rules.tokugawa.state import Clan, Ending, Table
from bluebear.rules.tokugawa.terms import Contract, Side

LAST_CONTRACT: Final = 3
"""Rule: tokugawa 11.2."""
SHORT_POINTS: Final = 10
"""Rule: tokugawa 11.5."""

OPENED_AT_THE_END: Final = 2
"""By the rules of this version the next card lies open behind the last contract, too.

Rule: tokugawa 10.2.
"""

_SIDES: Final = tuple(Side)


def open_next(table: Table, side: Side, chance: Chance, tell: Tell) -> None:
    """The next card of a stack lies open instead of the last one, if there is any.

    A stack has no order: chance says which of its cards is next. The last one needs no draw.
    Rule: tokugawa 3.2, 10.2.
    """
    stack = table.stacks[side]
    if not stack:
        return
    at = chance.pick(len(stack)) if len(stack) > 1 else 0
    card = stack[at]
    tell(Opened(side, card, DEALS[card].points))
    table.stacks[side] = stack[:at] + stack[at + 1 :]
    table.open[side] = card


def fulfilled(table: Table, seat: Seat, contract: Contract) -> bool:
    """Whether a seat has what a contract asks for (Rule: tokugawa 10.3)."""
    deal, pieces = DEALS[contract], table.pieces
    for town in deal.towns:
        piece = pieces.get(town)
        if piece is None or piece.owner != seat:
            return False
    return not deal.ships or estate_of(table, seat).fleet.bit_count() >= deal.ships


def points(clan: Clan) -> int:
    """The points of the contracts that a seat has taken (Rule: tokugawa 10.4)."""
    return sum(DEALS[each].points for each in clan.contracts)


def take_fulfilled(table: Table, seat: Seat, chance: Chance, tell: Tell) -> Ending | None:
    """A seat takes what it has fulfilled; how the game ends, if that ends it.

    Rule: tokugawa 10.2, 11.2, 11.5.
    """
    shown = table.open
    for side in _SIDES:
        while (card := shown.get(side)) is not None and fulfilled(table, seat, card):
            del shown[side]
            _take(table, seat, card, tell)
            ending = _ending(table, seat)
            if ending is None or table.rules >= OPENED_AT_THE_END:
                open_next(table, side, chance, tell)
            if ending is not None:
                return ending
    return None


def _take(table: Table, seat: Seat, card: Contract, tell: Tell) -> None:
    clan = table.seats[seat]
    clan.contracts = (*clan.contracts, card)
    table.decided = table.number
    tell(Fulfilled(seat, card, DEALS[card].points, points(clan)))


def _ending(table: Table, seat: Seat) -> Ending | None:
    clan = table.seats[seat]
    if len(clan.contracts) >= LAST_CONTRACT:
        return Ending.CONTRACTS
    if table.short and points(clan) >= SHORT_POINTS:
        return Ending.SHORT
    return None
