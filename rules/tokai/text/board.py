"""The table as text: positions, destinations, money, lines by owner; maps of regions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Final

from bluebear.rules.core.ascii_map import Road, Spot, sketch
from bluebear.rules.core.text_layout import columns, fit, flowed, listed, packed, right
from bluebear.rules.core.texts import GameTexts, SummaryBlock, letter_of
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.data.map_data import LineId, Point, PointId, Region
from bluebear.rules.tokai.rules.fares import tally
from bluebear.rules.tokai.rules.movement import stand, visited
from bluebear.rules.tokai.rules.network import (
    CONSTANTS,
    LINES,
    NOWHERE,
    POINT_AT,
    POINTS,
    distances,
)
from bluebear.rules.tokai.rules.payment import assets, result
from bluebear.rules.tokai.rules.setup import price_of
from bluebear.rules.tokai.rules.state import BANK, Auction, Due, Ending, Phase, State, Traveller
from bluebear.rules.tokai.text.names import YEN

# The table as text: positions, destinations, money, lines by owner.
#
# Rule: tokai 11.12, 15.1.

INDENT: Final = 4
_MARGIN: Final = " " * INDENT
_HANGING: Final = INDENT + 2
_MONEY: Final = 10
_NAME_LEAST: Final = 10
_NAME_MOST: Final = 24


class BoardText(GameTexts[State]):
    """The texts about one view, for given eyes and a page."""

    def board(self) -> str:
        """Everything that one has to see in order to play."""
        head, *players, unowned = (block.lines for block in self.summary_blocks())
        return "\n".join([*head, "", *chain.from_iterable(players), "", *unowned])

    def summary_blocks(self) -> Iterator[SummaryBlock]:
        """The table in parts: who has what and goes where; lines by owner where they fit."""
        width = self._name_width()
        yield SummaryBlock(0, self.status())
        yield SummaryBlock(0, [self._columns(width)])
        detailed = self.eyes | set(self.deciding())
        for seat, one in self.view.seats.items():
            yield SummaryBlock(0, self._worth(seat, one, width))
            if seat not in self.view.fallen:
                yield SummaryBlock(1, self._place(one))
                yield SummaryBlock(2 if seat in detailed else 3, list(self._properties(seat, one)))
        yield SummaryBlock(4, self._unowned())

    def linear_board(self) -> str:
        """The table in sentences."""
        lines = self.status()
        for seat, one in self.view.seats.items():
            if seat in self.view.fallen:
                lines.append(f"{letter_of(seat)} {self.page.seat(seat)}: {self.say('out')}")
                continue
            texts = self.say(
                "wallet",
                seat=seat,
                letter=letter_of(seat),
                cash=one.cash,
                assets=assets(self.view, seat),
            )
            ticket = [self.say("ticket")] if one.express else []
            lines += [*self.lines(self.joined([texts, *ticket])), *self._place(one)]
            lines += self._properties(seat, one)
        return "\n".join([*lines, *self._unowned()])

    def chapter_figures(self) -> Mapping[str, tuple[str, ...]]:
        """Trips, lines, the fare of this turn so far, and assets."""
        table = self.view
        seats = {seat: one for seat, one in table.seats.items() if seat not in table.fallen}
        trips = {
            seat: self.say("bound", point=one.destination, payoff=one.payoff)
            for seat, one in seats.items()
            if one.destination is not None
        }
        dues = tally(table).dues if table.phase is not Phase.OVER else ()
        worth = seats if table.phase is not Phase.PREBUY else ()
        return {
            "6": self.by_seat(trips),
            "9": self.by_seat({seat: len(table.lines_of(seat)) for seat in seats}),
            "11": tuple(map(self._payee, dues)),
            "12": self.by_seat(
                {seat: self.say("amount", assets=assets(table, seat)) for seat in worth}
            ),
        }

    def status(self) -> list[str]:
        """Where the game stands, who has to do what, and what the turn costs so far."""
        table = self.view
        texts = [self._head(), *self._doing()]
        if table.granted and not table.extra and not table.closing:
            texts.append(self.say("granted"))
        lines = [line for each in texts for line in self.lines(each)]
        if table.legs:
            legs = [self.say("leg", line=leg.line, point=leg.point) for leg in table.legs]
            lines += self.listed(self.say("legs"), legs)
        dues = tally(table).dues
        if dues and table.phase is not Phase.OVER:
            lines += self.lines(self.say("dues", payees=self.payees(dues)))
        return lines

    def _head(self) -> str:
        table = self.view
        if table.phase in (Phase.PREBUY, Phase.START):
            return self.say("head_before", seat=table.first)
        cut_short = table.ending is Ending.LAST_LINE and not table.settlelast
        turn = table.turns + (table.phase is not Phase.OVER or cut_short)
        if table.turnlimit:
            return self.say("head", turn=turn, limit=table.turnlimit)
        return self.say("head_open", turn=turn)

    def _doing(self) -> Iterator[str]:
        table = self.view
        phase, seat = table.phase, table.active
        match phase:
            case Phase.PREBUY:
                low, high = CONSTANTS.prepurchase_min, CONSTANTS.prepurchase_max
                yield self.say("prebuy", seats=self.deciding(), lowest=low, highest=high)
                yield from self._picked()
            case Phase.MOVE:
                key, left = "ride_extra" if table.extra else "ride", stand(table).left
                yield self.say(
                    key, seat=seat, left=left, steps=table.roll, point=table.mover.destination
                )
            case Phase.SELL:
                yield self.say("sell", seat=seat, owed=table.owed, cash=table.mover.cash)
            case Phase.AUCTION | Phase.DEAL if table.auction is not None:
                yield self._auction(phase, table.auction)
            case Phase.OVER:
                yield self._over()
            case _:
                yield self.say(phase.value, seat=seat)

    def _picked(self) -> Iterator[str]:
        """What those who look have picked themselves, while others still choose."""
        for seat in sorted(self.eyes):
            if (basket := self.view.seats[seat].basket) is not None:
                ticket = [self.say("ticket")] if basket.express else []
                texts = self.joined([*map(self.priced, basket.lines), *ticket])
                yield self.say("picked", seat=seat, told=texts)

    def _auction(self, phase: Phase, auction: Auction) -> str:
        """The line that is up for auction, the best bid, and who is asked."""
        params = {"line": auction.line, "owner": self.view.active}
        if auction.by is not None:
            params |= {"best": auction.best, "by": auction.by}
        if phase is Phase.DEAL:
            return self.say("deal", **params)
        key = "auction_open" if auction.by is None else "auction"
        return self.say(key, seat=self.deciding()[0], **params)

    def _over(self) -> str:
        found = result(self.view)
        standings = found.standings if found is not None else ()
        winners = tuple(each.seat for each in standings if each.place == 1)
        ending = self.view.ending
        return self.say(f"over_{ending.value}" if ending else "over", winner=winners)

    def deciding(self) -> tuple[Seat, ...]:
        """Who has a decision to make."""
        return tuple(sorted(self.view.deciding))

    def _name_width(self) -> int:
        longest = max(columns(self.page.seat(seat)) for seat in self.view.seats)
        return max(_NAME_LEAST, min(_NAME_MOST, longest))

    def _columns(self, width: int) -> str:
        return (
            _MARGIN
            + fit(self.say("player"), width)
            + right(self.say("cash"), _MONEY)
            + right(self.say("assets"), _MONEY)
        )

    def _worth(self, seat: Seat, one: Traveller, width: int) -> list[str]:
        """What a seat has in money, and its ticket."""
        mark = ">" if seat in self.deciding() else " "
        head = f"{mark} {letter_of(seat)} {fit(self.page.seat(seat), width)}"
        if seat in self.view.fallen:
            return [f"{head}  {self.say('out')}"]
        amounts = (f"{each * YEN:,}" for each in (one.cash, assets(self.view, seat)))
        worth = "".join(right(amount, _MONEY) for amount in amounts)
        ticket = self.say("ticket") if one.express else ""
        beside = columns(f"{head}{worth}  {ticket}") <= self.page.width
        return [f"{head}{worth}  {ticket}".rstrip()] if beside else [head + worth, _MARGIN + ticket]

    def _properties(self, seat: Seat, one: Traveller) -> Iterator[str]:
        """The lines of a seat: in hand, owned, ridden through."""
        for key, lines in (
            ("hand", one.hand),
            ("owns", self.view.lines_of(seat)),
            ("through", one.through),
        ):
            if lines:
                tell = self.owned if key == "through" else self.priced
                texts = listed(list(map(tell, lines)), self.page.lang)
                items = [_MARGIN, self.say(key), *texts]
                yield from packed(items, self.page.width, _HANGING)

    def _place(self, one: Traveller) -> list[str]:
        """Where a pawn stands, and where it goes."""
        if one.at is None:
            return []
        if one.destination is None:
            texts = self.say("at", point=one.at)
        else:
            texts = self.say(
                "trip",
                point=one.at,
                origin=one.origin,
                destination=one.destination,
                payoff=one.payoff,
                left=self._to_go(one, one.destination),
            )
        return flowed(_MARGIN + texts, self.page.width, _HANGING)

    def _to_go(self, one: Traveller, destination: PointId) -> str:
        at = POINT_AT[one.trail[-1]]
        far = distances(at, visited(one.trail), express=one.express)[POINT_AT[destination]]
        return self.say("no_way") if far == NOWHERE else self.say("to_go", count=far)

    def _unowned(self) -> list[str]:
        owners = self.view.owners
        dealt = {line for one in self.view.seats.values() for line in one.hand}
        free = [line.id for line in LINES if line.id not in owners and line.id not in dealt]
        texts = list(map(self.priced, free)) or [self.say("none")]
        return self.listed(self.say("unowned", count=len(free)), texts)

    def payees(self, dues: Sequence[Due]) -> str:
        """Dues as words: `bank 1,000 yen, B 5,000 yen`."""
        return self.joined([self._payee(due) for due in dues])

    def _payee(self, due: Due) -> str:
        if due.payee == BANK:
            return self.say("to_bank", yen=due.amount)
        return self.say("to_owner", letter=letter_of(Seat(due.payee)), yen=due.amount)

    def point(self, at: int) -> str:
        """The name of a station by its index."""
        return self.phrases.label("point", POINTS[at].id, self.page.lang)

    def marked(self, at: int) -> str:
        """A station with the pawns on it, `*` where one may change, `()` where a ticket passes."""
        point, name = POINTS[at], self.point(at)
        if point.skip:
            return f"({name})"
        star = "*" if len(point.lines) > 1 else ""
        there = (seat for seat, one in self.view.seats.items() if one.at == point.id)
        pawns = "".join(map(letter_of, there))
        return name + star + (f"[{pawns}]" if pawns else "")

    def priced(self, line: LineId) -> str:
        """A line with its face in thousands: `Linimo 8`."""
        return f"{self.label('line', line)} {price_of(line)}"

    def owned(self, line: LineId) -> str:
        """A line with the letter of its owner: `Linimo (B)`."""
        name, owner = self.label("line", line), self.view.owners.get(line)
        return name if owner is None else f"{name} ({letter_of(owner)})"

    def joined(self, items: Sequence[str]) -> str:
        """A list in one text."""
        return "".join(listed(items, self.page.lang))


# The map of a region as text: its destinations, where one may change, the lines between them.

_ROWS: Final = 18
"""A map with its head and its foot fits into a window of 24 rows."""
_MOST: Final = 26
"""More names than this leave no room for the lines between them."""
_MAP_MARGIN: Final = 12
"""So far around its destinations a region shows where one may change, on the canvas of the map."""


def drawn(region: Region, sheet: BoardText) -> list[str]:
    """The map of a region: pawns by their letters, `*` where one may change.

    Nothing where the page is heard and not seen.
    """
    if sheet.page.linear:
        return []
    shown = list(_shown(region))
    spots = {
        str(point.id): Spot(sheet.marked(POINT_AT[point.id]), point.x, point.y) for point in shown
    }
    return sketch(spots, _roads(set(spots)), width=sheet.page.width, height=_ROWS)


def _shown(region: Region) -> Iterator[Point]:
    """Destinations first, then changes within their bounds, those of most lines first."""
    wanted = [POINTS[POINT_AT[each]] for each in region.destinations]
    yield from wanted
    low_x, high_x = min(p.x for p in wanted) - _MAP_MARGIN, max(p.x for p in wanted) + _MAP_MARGIN
    low_y, high_y = min(p.y for p in wanted) - _MAP_MARGIN, max(p.y for p in wanted) + _MAP_MARGIN
    changes = [
        point
        for point in POINTS
        if len(point.lines) > 1
        and point not in wanted
        and low_x <= point.x <= high_x
        and low_y <= point.y <= high_y
    ]
    changes.sort(key=lambda point: -len(point.lines))
    yield from changes[: _MOST - len(wanted)]


def _roads(shown: set[str]) -> Iterator[Road]:
    """Every line between two of the stations shown that follow each other on it."""
    for line in LINES:
        for path in line.paths:
            stops = [point for point in path if point in shown]
            if line.loop and len(stops) > 2:
                stops.append(stops[0])
            for one, other in pairwise(stops):
                yield Road(one, other, "=" if line.shinkansen else "-")
