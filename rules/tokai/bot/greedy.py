"""The house bot `greedy`: travels where a turn earns most, and buys what is ridden most.

It weighs steps against fares when it looks for a way, keeps a reserve when it buys, and ends the
game only when it is ahead. It never strands itself: every leg is the beginning of a way home.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from heapq import heappop, heappush
from typing import Any, Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.tokai.bot.expected_fares import THROWS, usefulness
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules import moves, network
from bluebear.rules.tokai.rules.fares import due_to, rate_of, tally
from bluebear.rules.tokai.rules.market import face_half
from bluebear.rules.tokai.rules.movement import go_of, stand, way_of
from bluebear.rules.tokai.rules.payment import assets
from bluebear.rules.tokai.rules.setup import price_of
from bluebear.rules.tokai.rules.state import BANK, Phase, State

_STEP: Final = 9
"""What a step is worth when ways are compared, in units of which `_THOUSAND` are 1000 yen."""
_THOUSAND: Final = 14
_BANK_FEES: Final = (1, 0)
_NO_WAY: Final = 10**9
_Stop = tuple[int, int]
"""A point, and the line that was ridden to it."""
_A_TURN: Final = 7
"""The steps of a usual roll."""
RESERVE: Final = 6
"""Thousands kept for the next fares."""
TICKET_BEFORE: Final = 10
"""The express ticket pays while at least so many lines are unowned."""
NO_ANSWER: Final = -(10**9)
_SURELY: Final = 10_000
"""The one answer where others are not compared: no beginner takes them for as good."""
_TICKET_USE: Final = 120
"""What the ticket counts for beside lines, whose use is in thousandths."""


def greedy(view: State, seat: Seat, offered: Sequence[Move], chance: Chance) -> Move:
    """The move that looks best right now; equals are decided by the order of lines.

    Moves that do not answer what the view asks are of another moment: lines and view reach a client
    one after the other. Then the first one will do, since a line of another moment is refused.
    """
    judged = worths(view, seat, offered)
    return offered[judged.index(max(judged))]


def worths(view: State, seat: Seat, offered: Sequence[Move], *, rivals: bool = True) -> list[int]:
    """What each move is worth right now; what does not answer the question is worth least.

    Without rivals the money and lines of other seats are not looked at.
    """
    kind, judge = (_JUDGES if rivals else _ALONE)[view.phase]
    answers = [move for move in offered if isinstance(move, kind)]
    judged = iter(judge(view, seat, answers))
    return [next(judged) if isinstance(move, kind) else NO_ANSWER for move in offered]


def _picks(table: State, seat: Seat, offered: Sequence[moves.Prebuy]) -> list[int]:
    """The lines that are ridden most, and the ticket; never all the money."""
    use = usefulness()

    def worth(move: moves.Prebuy) -> int:
        ticket = _TICKET_USE if require(move.express) else 0
        return sum(use[line] for line in require(move.lines)) + ticket

    return [worth(move) for move in offered]


def _regions(table: State, seat: Seat, offered: Sequence[moves.NameRegion]) -> list[int]:
    """The region whose cities earn most a turn."""
    here = table.mover.trail[-1]
    express = table.mover.express

    def worth(move: moves.NameRegion) -> int:
        cities = network.REGIONS[network.REGION_AT[move.region]].table
        return sum(
            throws * _earning(here, PointId(city), express=express)
            for column in cities.both
            for throws, city in zip(THROWS, column, strict=True)
            if city in network.POINT_AT and city != here
        )

    return [worth(move) for move in offered]


def _starts(table: State, seat: Seat, offered: Sequence[moves.NameDestination]) -> list[int]:
    """The city in the middle of most."""
    places = (network.POINT_AT[move.destination] for move in offered)
    return [-sum(network.steps_to(at, express=False)) for at in places]


def _destinations(table: State, seat: Seat, offered: Sequence[moves.NameDestination]) -> list[int]:
    """The destination that earns most a turn."""
    here, express = table.mover.trail[-1], table.mover.express
    return [_earning(here, move.destination, express=express) for move in offered]


def _earning(here: PointId, there: PointId, *, express: bool) -> int:
    """What a trip pays for each turn it takes, in yen; fares are left out."""
    steps = network.steps_to(network.POINT_AT[there], express=express)[network.POINT_AT[here]]
    # Half a turn is lost on arriving, one time with another.
    return network.payoff(here, there) * 1000 * 2 * _A_TURN // (2 * steps + _A_TURN)


def _rides(
    table: State, seat: Seat, offered: Sequence[moves.Go], *, rivals: bool = True
) -> list[int]:
    """The first leg of the way that is best for steps and fares together."""
    leg = leg_home(table, seat, rivals=rivals)
    return [_SURELY * (move == leg) for move in offered]


def leg_home(table: State, seat: Seat, *, rivals: bool) -> moves.Go | None:
    """The first leg of the best way to the destination of the active seat; None without a way.

    Without rivals fares are not looked at.
    """
    pawn, mover = stand(table), table.mover
    if mover.destination is None:
        return None
    way = _way(table, seat, network.POINT_AT[mover.destination], fares=rivals)
    if not way:
        return None
    line, end, steps = way[0][0], pawn.at, 0
    entered = pawn.visited
    for number, to in way[: pawn.left]:
        if number != line:
            break
        end, steps = to, steps + 1
    turns = [way_of(line, pawn.at, end, turn) for turn in ("cw", "ccw")]
    fitting = [
        each
        for each in turns
        if each.steps(express=mover.express) == steps and not each.entered & entered
    ]
    return go_of(line, end, fitting[0].turn) if fitting else None


def _way(table: State, seat: Seat, destination: int, *, fares: bool) -> list[tuple[int, int]]:
    """The best way to a destination as (line, point) for each step; empty if there is none.

    Without `fares` all lines cost what the bank's do.

    A* over (point, line ridden): a step costs `_STEP`, boarding a seat's line its rate unless this
    turn pays it already, and every step on it a part of the rate, for further turns. Of equally
    good ways it is the one whose points, from the last, come first on the map.
    """
    pawn, far = stand(table), network.steps_to(destination, express=table.rider.express)
    through = tally(table).through
    fee_of = cache(partial(_fees, table, seat, through)) if fares else lambda _line: _BANK_FEES
    steps = network.STEPS[table.rider.express]
    visited = pawn.visited | network.BIT[pawn.at]
    start = (pawn.at, network.LINE_AT[table.legs[-1].line] if table.legs else -1)
    best, least = {start: 0}, _NO_WAY
    previous: dict[_Stop, tuple[int, _Stop]] = {}
    ends = []
    queue = [(_STEP * far[pawn.at], start)]
    while queue:
        reckoned, stop = heappop(queue)
        if reckoned > least:
            break
        spent, (at, line) = best[stop], stop
        if at == destination:
            ends.append(stop)
            least = reckoned
            continue
        if reckoned > spent + _STEP * far[at]:
            continue  # a better way there was found since
        for number, to, entered in steps[at]:
            if entered & visited:
                continue
            board, each = fee_of(number)
            total = spent + _STEP + each + (0 if number == line else board)
            key = (to, number)
            before = best.get(key, _NO_WAY)
            if total < before:
                best[key] = total
                previous[key] = (spent, stop)
                heappush(queue, (total + _STEP * far[to], key))
            elif total == before:
                previous[key] = min(previous[key], (spent, stop))
    found: list[_Stop] = []
    stop = min(ends, default=start)
    while stop in previous:
        found.append((stop[1], stop[0]))
        stop = previous[stop][1]
    return found[::-1]


def _fees(table: State, seat: Seat, through: Sequence[LineId], line: int) -> tuple[int, int]:
    """What boarding a line and each step on it count; the bank's 1000 yen are paid anyway."""
    line_id = network.LINES[line].id
    through_fare = table.through if line_id in through else None
    rate = rate_of(table.owners, seat, line_id, through_fare=through_fare)
    if rate.payee == BANK and rate.amount == 1:
        return _BANK_FEES
    more = max(0, rate.amount - due_to(table.dues, rate.payee))
    return _THOUSAND * more + 1, _THOUSAND * rate.amount // _A_TURN // 2


def _purchases(
    table: State, seat: Seat, offered: Sequence[moves.Buy], *, rivals: bool = True
) -> list[int]:
    """The line that is ridden most of those that leave a reserve; the ticket while it pays."""
    cash = table.mover.cash - table.owed - RESERVE
    free = len(network.LINES) - len(table.owners)
    use = usefulness()

    def worth(move: moves.Buy) -> int:
        if move.item == moves.NOTHING:
            return 0
        if move.item == moves.EXPRESS:
            return _TICKET_USE if free >= TICKET_BEFORE and cash >= 5 else -1
        line = LineId(move.item)
        if free == 1:
            rival_assets = (assets(table, other) for other in table.living if other != seat)
            return 1 if not rivals or assets(table, seat) > max(rival_assets, default=0) else -1
        return use[line] + 1 if price_of(line) <= cash else -1

    return [worth(move) for move in offered]


def _sales(table: State, seat: Seat, offered: Sequence[moves.Sell]) -> list[int]:
    """By auction the cheapest line whose half covers what is missing, else the dearest."""
    missing = table.owed - table.mover.cash

    def worth(move: moves.Sell) -> int:
        if move.sale is not moves.Sale.AUCTION:
            return -1
        face = price_of(move.line)
        return 1000 - face if face_half(move.line) >= missing else face

    return [worth(move) for move in offered]


def _bids(table: State, seat: Seat, offered: Sequence[moves.Bid]) -> list[int]:
    """The least bid while the line stays below its face and leaves a reserve; else a pass."""
    auction = table.auction
    offers = [move.bid for move in offered if move.bid != moves.PASS]
    if auction is None or not offers:
        return [_SURELY * (move.bid == moves.PASS) for move in offered]
    least = min(offers)
    owed = due_to(table.dues, seat)
    money = table.seats[seat].cash + owed - RESERVE
    worthwhile = least < price_of(auction.line) and (least <= money or least <= owed)
    chosen = least if worthwhile else moves.PASS
    return [_SURELY * (move.bid == chosen) for move in offered]


def _deals(table: State, seat: Seat, offered: Sequence[moves.Deal]) -> list[int]:
    """The bid, unless it makes the buyer a present worth more than the bank takes.

    What the buyer saves below the face counts against the seller once more among few players.
    """
    auction = table.auction
    if auction is None:
        return [0] * len(offered)
    face, half = price_of(auction.line), face_half(auction.line)
    opponents = len(table.living) - 1
    present = (face - auction.best) * (opponents + 1)
    needs = table.owed - table.mover.cash > half
    chosen = (
        moves.Choice.BID if needs or present <= (face - half) * opponents else moves.Choice.BANK
    )
    return [_SURELY * (move.deal == chosen) for move in offered]


_Judge = Callable[[State, Seat, Any], list[int]]  # Any: the moves of one kind

_JUDGES: Final[Mapping[Phase, tuple[type[Move], _Judge]]] = {
    Phase.PREBUY: (moves.Prebuy, _picks),
    Phase.START: (moves.NameDestination, _starts),
    Phase.REGION: (moves.NameRegion, _regions),
    Phase.DEST: (moves.NameDestination, _destinations),
    Phase.MOVE: (moves.Go, _rides),
    Phase.BUY: (moves.Buy, _purchases),
    Phase.SELL: (moves.Sell, _sales),
    Phase.AUCTION: (moves.Bid, _bids),
    Phase.DEAL: (moves.Deal, _deals),
}
"""By phase the kind of move that answers, and how it is judged."""

_ALONE: Final[Mapping[Phase, tuple[type[Move], _Judge]]] = {
    **_JUDGES,
    Phase.MOVE: (moves.Go, partial(_rides, rivals=False)),
    Phase.BUY: (moves.Buy, partial(_purchases, rivals=False)),
}
"""The same for who does not look at others."""
