"""Legal moves as text, grouped so that they are found quickly (Rule: tokai 16.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from bluebear.rules.core.text_layout import listed, packed
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Move, require
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules import moves
from bluebear.rules.tokai.rules.network import CONSTANTS, LINE_AT, LINES
from bluebear.rules.tokai.rules.setup import cost_of, price_of
from bluebear.rules.tokai.rules.state import State
from bluebear.rules.tokai.text.commands import GRAMMAR

M = TypeVar("M", bound=Move)

_INDENT: Final = 2


def format_moves(sheet: GameTexts[State], moves: Sequence[Move]) -> str:
    """What a seat may do, kind by kind."""
    return "\n".join(_Listing(sheet, moves).lines())


class _Listing:
    def __init__(self, sheet: GameTexts[State], offered: Sequence[Move]) -> None:
        self._sheet = sheet
        self._offered = offered

    def _of(self, kind: type[M]) -> list[M]:
        return [move for move in self._offered if isinstance(move, kind)]

    def lines(self) -> Iterator[str]:
        """All parts, in the order of the game."""
        yield from self._prebuys(self._of(moves.Prebuy))
        regions = self._of(moves.NameRegion)
        yield from self._named("regions", regions, [move.region for move in regions], "region")
        places = self._of(moves.NameDestination)
        points = [move.destination for move in places]
        yield from self._named("destinations", places, points, "point")
        yield from self._rides(self._of(moves.Go))
        for move in self._of(moves.Back):
            yield from self._head("back", command=self._command(move))
        yield from self._purchases(self._of(moves.Buy))
        yield from self._sales(self._of(moves.Sell))
        yield from self._bids(self._of(moves.Bid))
        if self._of(moves.Deal):
            yield from self._pair(
                "deals", moves.Deal(moves.Choice.BID), moves.Deal(moves.Choice.BANK)
            )

    def _prebuys(self, offered: Sequence[moves.Prebuy]) -> Iterator[str]:
        """Every choice with its price, one a line, the dearest first."""
        if not offered:
            return
        yield from self._head(
            "prebuy",
            lowest=CONSTANTS.prepurchase_min,
            highest=CONSTANTS.prepurchase_max,
            command=min(map(self._command, offered), key=len),
        )
        totals = {move: cost_of(move) for move in offered}
        for move in sorted(offered, key=lambda move: -totals[move]):
            names = [self._priced(line) for line in require(move.lines)]
            if require(move.express):
                ticket = self._say("prebuy_ticket")
                names.append(f"{ticket} {CONSTANTS.express_ticket_price}")
            plus = [name + " + " for name in names[:-1]]
            yield from self._under([f"{totals[move]} = ", *plus, names[-1]])

    def _named(
        self, key: str, offered: Sequence[Move], values: Sequence[str], slot: str
    ) -> Iterator[str]:
        if offered:
            yield from self._head(key, command=self._command(offered[0]))
            items = [self._sheet.label(slot, value) for value in values]
            yield from self._under(listed(items, self._sheet.page.lang))

    def _rides(self, offered: Sequence[moves.Go]) -> Iterator[str]:
        """The stations that may be ridden to, line by line as it runs, on the loop by direction."""
        if not offered:
            return
        yield from self._head("rides", command=self._command(offered[-1]))
        groups: dict[tuple[LineId, bool, bool], list[PointId]] = {}
        for move in offered:
            key = (move.line, move.cw, move.ccw)
            groups.setdefault(key, []).append(move.point)
        for (line, clockwise, counter), stops in groups.items():
            points = [
                self._sheet.label("point", stop) for stop in _along(line, stops, turned=clockwise)
            ]
            head = self._sheet.label("line", line)
            if clockwise or counter:
                head += " " + self._say("clockwise" if clockwise else "counter")
            yield from self._under([head + ": ", *listed(points, self._sheet.page.lang)])

    def _purchases(self, offered: Sequence[moves.Buy]) -> Iterator[str]:
        nothing = self._command(moves.Buy(moves.NOTHING))
        if not (buys := [move for move in offered if move.item != moves.NOTHING]):
            if offered:
                yield from self._head("nothing", command=nothing)
            return
        yield from self._head("purchases", command=self._command(buys[0]), other_command=nothing)
        names = [
            f"{self._say('prebuy_ticket')} {CONSTANTS.express_ticket_price}"
            if move.item == moves.EXPRESS
            else self._priced(LineId(move.item))
            for move in buys
        ]
        yield from self._under(listed(names, self._sheet.page.lang))

    def _sales(self, offered: Sequence[moves.Sell]) -> Iterator[str]:
        if not offered:
            return
        line = offered[0].line
        yield from self._pair(
            "sales", moves.Sell(line, moves.Sale.BANK), moves.Sell(line, moves.Sale.AUCTION)
        )
        lines = dict.fromkeys(move.line for move in offered)
        names = [f"{self._sheet.label('line', line)} {price_of(line) // 2}" for line in lines]
        yield from self._under(listed(names, self._sheet.page.lang))

    def _bids(self, offered: Sequence[moves.Bid]) -> Iterator[str]:
        if amounts := [move.bid for move in offered if move.bid != moves.PASS]:
            yield from self._head(
                "bids",
                lowest=min(amounts),
                highest=max(amounts),
                command=self._command(moves.Bid(min(amounts))),
                other_command=self._command(moves.Bid(moves.PASS)),
            )

    def _pair(self, key: str, one: Move, other: Move) -> list[str]:
        return self._head(key, command=self._command(one), other_command=self._command(other))

    def _command(self, move: Move) -> str:
        """A line that makes a move, in the words of the page's language."""
        line = GRAMMAR.format(move)
        if self._sheet.page.lang == "en":
            return line
        head, *items = line.removeprefix("/").split(" ")
        verb = GRAMMAR.verbs[head].names[0]
        return " ".join((f"/{verb}", *map(self._typed, items)))

    def _typed(self, given: str) -> str:
        """A word of a canonical line as it may be typed."""
        for slot in ("line", "point", "region"):
            label = self._sheet.label(slot, given)
            if label != given:
                return label
        return self._sheet.label("typed", given)

    def _priced(self, line: LineId) -> str:
        return f"{self._sheet.label('line', line)} {LINES[LINE_AT[line]].price}"

    def _under(self, items: Sequence[str]) -> list[str]:
        return packed([" " * _INDENT, *items], self._sheet.page.width, 2 * _INDENT)

    def _head(self, key: str, **params: Any) -> list[str]:  # Any: whatever the phrase names
        return self._sheet.lines(self._say(key, **params), _INDENT)

    def _say(self, key: str, **params: Any) -> str:  # Any: whatever the phrase names
        return self._sheet.phrase(f"moves.{key}", **params)


def _along(name: LineId, stops: Sequence[PointId], *, turned: bool) -> list[PointId]:
    """Stops of a line in its order, or `turned` round; on a loop those of an arc.

    The map has its loop counterclockwise. No roll goes half the way round, so an arc begins behind
    the widest gap.
    """
    line = LINES[LINE_AT[name]]
    places = {point: at for at, point in enumerate(line.points)}
    found = sorted(stops, key=places.__getitem__)
    if line.loop:
        gaps = [
            (places[stop] - places[before]) % len(places) or len(places)
            for before, stop in zip([found[-1], *found], found, strict=False)
        ]
        start = gaps.index(max(gaps))
        found = found[start:] + found[:start]
    return found[::-1] if turned else found
