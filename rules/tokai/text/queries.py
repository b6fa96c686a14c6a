"""Replies to `/fares`, `/route` and `/look`, as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import tokens_of
from bluebear.rules.core.tables import Entry
from bluebear.rules.core.text_layout import aligned, columns, listed, packed
from bluebear.rules.core.texts import letter_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai.bot.expected_fares import THROWS
from bluebear.rules.tokai.bot.route_search import Route, routes
from bluebear.rules.tokai.data.map_data import Columns, LineId, PointId, Region, RegionId
from bluebear.rules.tokai.rules import network, turns
from bluebear.rules.tokai.rules.fares import charged, rate_of, tally
from bluebear.rules.tokai.rules.movement import Stand, stand, visited
from bluebear.rules.tokai.rules.moves import Go
from bluebear.rules.tokai.rules.payment import assets
from bluebear.rules.tokai.rules.state import BANK, Due, Phase, State
from bluebear.rules.tokai.text import journeys
from bluebear.rules.tokai.text.board import BoardText, drawn
from bluebear.rules.tokai.text.move_list import format_moves
from bluebear.rules.tokai.text.names import AREAS, EXPLAINED, HERE, TABLES, YEN

# What lies along the lines from a point: the stops that may still be visited, one by one.


class Branch(NamedTuple):
    """One way out of a point along a line: its stops in order.

    `cut` says that the line goes on, but to a point that was visited on this trip.
    """

    line: int
    stops: tuple[int, ...]
    cut: bool


def branches(at: int, visited: int, *, express: bool) -> list[Branch]:
    """All ways out of a point along each of its lines, in the order of the map.

    Where a line forks, each arm is a branch of its own.
    """
    found: list[Branch] = []
    for line in network.LINES_AT[at]:
        waiting: list[tuple[int, tuple[int, ...], int]] = [(at, (), visited | network.BIT[at])]
        while waiting:
            here, stops, seen = waiting.pop()
            ahead = [step for step in network.STEPS[express][here] if step.line == line]
            if not (open_steps := [step for step in ahead if not step.entered & seen]) and stops:
                before = stops[-2] if len(stops) > 1 else at
                found.append(Branch(line, stops, cut=any(step.to != before for step in ahead)))
            waiting.extend(
                (step.to, (*stops, step.to), seen | step.entered) for step in reversed(open_steps)
            )
    return found


# Answers to `/fares`, `/route` and `/look`: what riding costs, ways, lines, tables.
#
# Rule: tokai 11.12, 16.3.

_CELLS: Final = 2 * sum(THROWS)
"""All throws of a table: both parities of the coloured die."""


class LineFare(Entry):
    """What riding a line from here costs, who gets it, and what it would add to the turn's fare."""

    line: LineId
    payee: int
    fare: int
    adds: int


class Fares(Entry, omit_defaults=True):
    """What the turn of a seat costs so far, and the lines from its pawn; without a turn nothing."""

    dues: tuple[Due, ...]
    lines: tuple[LineFare, ...]
    seat: Seat | None = None
    cash: int | None = None


def fares(sheet: BoardText) -> str:
    """What the turn costs so far, who is paid, and what each line from here would cost more."""
    table, found = sheet.view, of_fares(sheet)
    if found.seat is None:
        return sheet.say("no_turn")
    if so_far := found.dues:
        total = sum(due.amount for due in so_far)
        items = [sheet.say("fares", seat=found.seat, payees=sheet.payees(so_far), yen=total)]
    else:
        items = [sheet.say("no_fares", seat=found.seat)]
    items.append(sheet.say("purse", cash=found.cash))
    riding = table.phase is Phase.MOVE
    if riding:
        items.append(sheet.say("from_here", point=network.POINTS[stand(table).at].id))
    lines = [line for each in items for line in sheet.lines(each)]
    return "\n".join([*lines, *(_from_here(sheet, found.lines) if riding else ())])


def _from_here(sheet: BoardText, found: Iterable[LineFare]) -> list[str]:
    """What riding each line from where the active pawn is would add to the fare: a table, or
    sentences for who hears it and where it is too wide.
    """
    cells, items = [], list[str]()
    for each in found:
        to_bank = each.payee == BANK
        rest = {"letter": "" if to_bank else letter_of(Seat(each.payee)), "fare": each.fare}
        key = "adds_bank" if to_bank else "adds_owner"
        items += sheet.lines(sheet.say(key, line=each.line, yen=each.adds, **rest))
        name = sheet.say("line_named", line=each.line)
        added = sheet.say("fare_added", yen=each.adds)
        cells.append((name, added, sheet.say("rate_bank" if to_bank else "rate_owner", **rest)))
    rows = aligned(cells, left=(0, 2))
    wide = max(map(columns, rows), default=0) > sheet.page.width
    return items if sheet.page.linear or wide else rows


def lines_from_here(table: State) -> Iterator[LineFare]:
    """The lines that the active pawn could ride on."""
    so_far, pawn = tally(table), stand(table)
    before = sum(due.amount for due in so_far.dues)
    steps = network.STEPS[table.mover.express][pawn.at]
    for number in dict.fromkeys(s.line for s in steps if not s.entered & pawn.visited):
        line = network.LINES[number].id
        through_fare = table.through if line in so_far.through else None
        rate = rate_of(table.owners, table.active, line, through_fare=through_fare)
        more = sum(due.amount for due in charged(so_far.dues, rate)) - before
        yield LineFare(line, rate.payee, rate.amount, more)


class Leg(Entry):
    """A part of a way on one line: where it ends, and how many steps it has."""

    line: LineId
    to: PointId
    steps: int


class Way(Entry):
    """A way to a station, in how many turns it is ridden, what it costs, and who gets that."""

    steps: int
    turns: int
    cost: int
    dues: tuple[Due, ...]
    legs: tuple[Leg, ...]


class Ways(Entry):
    """The shortest way to a station, and the cheapest if that is another; none if none is left."""

    to: PointId
    routes: tuple[Way, ...]


def route(sheet: BoardText, to: PointId) -> str:
    """The shortest and the cheapest way to a station, over as many turns as it takes."""
    table = sheet.view
    seat = looker(table, sheet.eyes)
    if (pawn := _pawn(table, seat)) is None:
        return sheet.say("no_pawn")
    if network.POINT_AT[to] == pawn.at:
        raise NotAllowed("stands_there", rule="7.2.3", point=to)
    if not (found := of_route(sheet, to).routes):
        return sheet.say("unreachable", point=to)
    lines = sheet.lines(sheet.say("route", seat=seat, here=network.POINTS[pawn.at].id, point=to))
    keys = ("best",) if len(found) == 1 else ("shortest", "cheapest")
    lines += [line for pair in zip(keys, found, strict=True) for line in _way(sheet, *pair)]
    return "\n".join(lines)


def _way(sheet: BoardText, key: str, way: Way) -> Iterator[str]:
    payees = sheet.payees(way.dues) or sheet.say("nobody")
    yield from sheet.lines(
        sheet.say(key, count=way.steps, turns=way.turns, yen=way.cost, payees=payees)
    )
    legs = [sheet.say("stretch", line=leg.line, point=leg.to, count=leg.steps) for leg in way.legs]
    yield from _under(sheet, legs)


def _under(sheet: BoardText, items: list[str]) -> list[str]:
    return packed(["  ", *listed(items, sheet.page.lang)], sheet.page.width, 4)


def looker(table: State, eyes: Iterable[Seat]) -> Seat:
    """Whose pawn is meant: that of who looks, else that of the active seat."""
    seats = sorted(eyes)
    return seats[0] if len(seats) == 1 else table.active


def _pawn(table: State, seat: Seat) -> Stand | None:
    """Where a seat's pawn is, the legs of a ride included; None if it has none on the map."""
    traveller = table.seats[seat]
    if not traveller.trail:
        return None
    if table.phase is Phase.MOVE and seat == table.active:
        return stand(table)
    return Stand(network.POINT_AT[traveller.trail[-1]], visited(traveller.trail), 0)


def _look(sheet: BoardText, area: str) -> str:
    """One area of the map in detail."""
    if area == HERE:
        return "\n".join(_here(sheet))
    if area == TABLES:
        return "\n".join(_tables(sheet))
    if area in network.REGION_AT:
        return "\n".join(_region(sheet, network.REGIONS[network.REGION_AT[RegionId(area)]]))
    return "\n".join(_line(sheet, LineId(area)))


def _here(sheet: BoardText) -> Iterator[str]:
    """The next stations along each line from the seat's pawn, with the steps they are away."""
    seat = looker(sheet.view, sheet.eyes)
    if (pawn := _pawn(sheet.view, seat)) is None:
        yield sheet.say("no_pawn")
        return
    yield from sheet.lines(sheet.say("around", seat=seat, point=network.POINTS[pawn.at].id))
    express = sheet.view.seats[seat].express
    for branch in branches(pawn.at, pawn.visited, express=express):
        items = [f"{number} {sheet.marked(stop)}" for number, stop in _counted(branch)]
        if branch.cut:
            items.append(sheet.say("cut"))
        head = sheet.say("along", line=sheet.owned(network.LINES[branch.line].id))
        yield from sheet.listed(head, items)


def _counted(branch: Branch) -> Iterator[tuple[int, int]]:
    """The stops of a branch that matter, with their steps: interchanges, destinations, the last."""
    last = len(branch.stops)
    for number, stop in enumerate(branch.stops, start=1):
        point = network.POINTS[stop]
        if number in (1, last) or len(point.lines) > 1 or point.region is not None:
            yield number, stop


def _line(sheet: BoardText, name: LineId) -> Iterator[str]:
    """The stations of a line in their order."""
    line = network.LINES[network.LINE_AT[name]]
    owner = sheet.view.owners.get(name)
    key = "line_free" if owner is None else "line_of"
    yield from sheet.lines(sheet.say(key, line=name, price=line.price, owner=owner))
    if line.loop:
        yield from sheet.lines(sheet.say("is_loop"))
    for path in line.paths:
        yield from _under(sheet, [sheet.marked(network.POINT_AT[point]) for point in path])
    yield from sheet.lines(sheet.say("stars"))


def _tables(sheet: BoardText) -> Iterator[str]:
    """All regions with their chances."""
    for region in network.REGIONS:
        count = _chance(network.ATLAS.region_table, region.id)
        sentence = sheet.say("region_chance", region=region.id, count=count, total=_CELLS)
        yield from sheet.lines(sentence)
        yield from _cities(sheet, region)


def _region(sheet: BoardText, region: Region) -> Iterator[str]:
    """The map of a region, its destinations with their chances, what they pay from here."""
    yield from drawn(region, sheet)
    yield from sheet.lines(sheet.say("region_head", region=region.id, total=_CELLS))
    yield from _cities(sheet, region)


def _cities(sheet: BoardText, region: Region) -> list[str]:
    entries = dict.fromkeys((*region.destinations, *region.table.odd, *region.table.even))
    items = []
    for entry in entries:
        count = _chance(region.table, entry)
        at = network.POINT_AT.get(PointId(entry))
        name, pay = (sheet.say("free"), "") if at is None else (sheet.point(at), _pay(sheet, entry))
        items.append(f"{name} {count}{pay}")
    return _under(sheet, items)


def _pay(sheet: BoardText, entry: str) -> str:
    """` (17,000 yen)` if the looker stands at another destination, else nothing."""
    traveller = sheet.view.seats[looker(sheet.view, sheet.eyes)]
    origin, end = traveller.origin, PointId(entry)
    if origin is None or origin == end:
        return ""
    return sheet.say("pays", yen=network.payoff(origin, end))


def _chance(table: Columns, entry: str) -> int:
    """How many of the 72 throws, 36 of the white dice in either column, give an entry."""
    return sum(
        ways
        for column in table.both
        for ways, each in zip(THROWS, column, strict=True)
        if each == entry
    )


# The answers to `/fares` and `/route` as data: thousands of yen, as everywhere in the view.
#
# Rule: tokai 11.12. A payee is a seat, or 0 for the bank.


def of_fares(sheet: BoardText) -> Fares:
    """What the active seat's turn costs so far, and what each line from its pawn would add."""
    table = sheet.view
    if table.phase in (Phase.PREBUY, Phase.START, Phase.OVER):
        return Fares((), ())
    lines = lines_from_here(table) if table.phase is Phase.MOVE else ()
    return Fares(tally(table).dues, tuple(lines), table.active, table.mover.cash)


def of_route(sheet: BoardText, station: PointId) -> Ways:
    """The ways of the looker's pawn to a station."""
    seat = looker(sheet.view, sheet.eyes)
    pawn = _pawn(sheet.view, seat)
    found = pawn and routes(sheet.view, seat, pawn, network.POINT_AT[station])
    return Ways(station, tuple(map(_way_of, dict.fromkeys(found or ()))))


def _way_of(found: Route) -> Way:
    legs = tuple(
        Leg(network.LINES[line].id, network.POINTS[points[-1]].id, len(points))
        for line, points in found.stretches
    )
    return Way(found.steps, found.turns, found.cost, found.dues, legs)


class Texts(BoardText):
    """The texts about one view, replies to queries included."""

    areas = AREAS
    explained = EXPLAINED
    figures: ClassVar = {"fares": of_fares, "route": of_route}

    def answer(self, query: str, arguments: Mapping[str, Any]) -> str:  # Any: values of slots
        """`/fares`, `/route STATION` (Rule: tokai 11.12)."""
        return fares(self) if query == "fares" else route(self, arguments["station"])

    look = _look
    show_moves = format_moves

    def points_now(self) -> Mapping[Seat, int]:
        return {seat: assets(self.view, seat) * YEN for seat in self.view.seats}

    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """`/go` by stations, or by its end alone (Rule: tokai 16.3)."""
        tokens = tokens_of(text)
        if verb != "go" or not tokens:
            return None
        if seat not in self.view.deciding:
            raise self.game.out_of_turn(self.view, seat)
        if (refusal := turns.why_not_now(self.view, Go)) is not None:
            raise refusal
        return journeys.expand(self.view, tokens)
