"""What is played for a seat that does not decide in time: harmless, cheap and towards its goal."""

from __future__ import annotations

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai.bot.greedy import leg_home
from bluebear.rules.tokai.rules import market, movement, moves, setup, trips
from bluebear.rules.tokai.rules.network import DESTINATIONS, REGIONS
from bluebear.rules.tokai.rules.state import Phase, State


def stand_in(table: State, seat: Seat) -> Move:
    """A plain legal move of a seat that is to move."""
    match table.phase:
        case Phase.PREBUY:
            return min(setup.choices(table.seats[seat].hand), key=setup.cost_of)
        case Phase.START | Phase.DEST:
            why_not = setup.no_start if table.phase is Phase.START else trips.no_destination
            free = (point for point in DESTINATIONS if why_not(table, point) is None)
            return moves.NameDestination(next(free))
        case Phase.REGION:
            return moves.NameRegion(REGIONS[0].id)
        case Phase.MOVE:
            return leg_home(table, seat, rivals=False) or next(iter(movement.legs(table)))
        case Phase.BUY:
            return moves.Buy(moves.NOTHING)
        case Phase.SELL:
            return _sale(table)
        case Phase.AUCTION:
            return moves.Bid(moves.PASS)
        case _:
            return moves.Deal(moves.Choice.BID)


def _sale(table: State) -> moves.Sell:
    """The cheapest line that covers the dues, else the dearest, to the bank."""
    missing = table.owed - table.mover.cash
    lines = sorted(table.lines_of(table.active), key=setup.price_of)
    enough = (line for line in lines if market.face_half(line) >= missing)
    return moves.Sell(next(enough, lines[-1]), moves.Sale.BANK)
