"""What always holds at the table (Rule: tokugawa 17)."""

from __future__ import annotations

from collections.abc import Iterator

from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.terms import Building, Province
from bluebear.rules.tokugawa.rules.pieces import buildings_on
from bluebear.rules.tokugawa.rules.state import SEATS, Kind, Phase, State, Work
from bluebear.rules.tokugawa.rules.turns import ACTIONS


def broken(table: State) -> Iterator[str]:
    """What does not hold in this table."""
    yield from _koku(table)
    yield from _samurai(table)
    yield from _buildings(table)
    yield from _sites(table)
    yield from _contracts(table)
    yield from _course(table)


def _koku(table: State) -> Iterator[str]:
    purses = [clan.koku for clan in table.seats.values()] + list(table.banks.values())
    if sum(purses) != map_tables.KOKU:
        yield f"{sum(purses)} koku in all"
    if min(purses) < 0:
        yield "somebody owes koku"


def _samurai(table: State) -> Iterator[str]:
    for seat, clan in table.seats.items():
        for weapon, arms in map_tables.ARMS.items():
            on_board = sum(
                (piece.owner, piece.kind.value) == (seat, weapon.value)
                for piece in table.pieces.values()
            )
            if on_board + clan.samurai[weapon] != arms.stock or clan.samurai[weapon] < 0:
                yield f"seat {seat}: {on_board} on the board, {clan.samurai[weapon]} {weapon} left"
        capital = table.pieces.get(clan.capital)
        if capital is None or (capital.owner, capital.kind) != (seat, Kind.CAPITAL):
            yield f"seat {seat} has no capital on {clan.capital}"
    for town, piece in table.pieces.items():
        if (piece.kind is Kind.CAPITAL) is not (town in map_tables.CAPITALS):
            yield f"{piece.kind} on {town}"


def _buildings(table: State) -> Iterator[str]:
    built = [
        (site.owner, building)
        for site in table.sites.values()
        for building in (*buildings_on(site), *[Building.SHIP] * site.ships)
    ]
    for building, plan in map_tables.PLANS.items():
        if plan.shared:
            count = sum(each == building for _, each in built)
            if count + table.supply[building] != plan.limit or table.supply[building] < 0:
                yield f"{count} {building} on the board, {table.supply[building]} in the supply"
            continue
        for seat, clan in table.seats.items():
            count, left = built.count((seat, building)), clan.pieces[building]
            if count + left != plan.limit or left < 0:
                yield f"seat {seat}: {count} {building} on the board, {left} in stock"


def _sites(table: State) -> Iterator[str]:
    castles: list[tuple[int, Province]] = []
    for town, site in table.sites.items():
        if site.is_empty:
            yield f"an empty site is kept on {town}"
        if site.ships and town not in map_tables.PORTS:
            yield f"a ship on {town}, which is no port"
        piece = table.pieces.get(town)
        if piece is not None and piece.owner != site.owner:
            yield f"on {town} stands one seat, and the other has built there"
        if site.castle is not Work.NONE:
            castles.append((site.owner, map_tables.PROVINCE_OF[town]))
        if site.owner != table.turn and site.shrine is Work.NEW:
            yield f"the shrine on {town} is still new"
    for owner, province in castles:
        if castles.count((owner, province)) > 1:
            yield f"seat {owner} has castles in {province}"


def _contracts(table: State) -> Iterator[str]:
    cards = [
        *(card for stack in table.stacks.values() for card in stack),
        *table.open.values(),
        *(card for clan in table.seats.values() for card in clan.contracts),
    ]
    if sorted(cards) != sorted(map_tables.DEALS):
        yield f"the contracts are {', '.join(sorted(cards))}"


def _course(table: State) -> Iterator[str]:
    if not 0 <= table.actions <= min(table.number, ACTIONS):
        yield f"{table.actions} actions left in turn {table.number}"
    if len(table.taxed) != len(dict.fromkeys(table.taxed)):
        yield "a province was taxed twice"
    if table.max_rounds and table.number > len(SEATS) * table.max_rounds:
        yield f"turn {table.number} after the last one"
    if not 0 <= table.decided <= table.number:
        yield f"something was decided in turn {table.decided}"
    if (table.ship_at is not None) is not (table.phase is Phase.SAILING):
        yield f"phase {table.phase}, but a ship in {table.ship_at}"
    fights = table.phase not in (Phase.PLACING, Phase.ACTING, Phase.SAILING, Phase.OVER)
    if (table.battle is not None) is not fights:
        yield f"phase {table.phase}, but battle {table.battle}"
    if (table.ending is not None) is not (table.phase is Phase.OVER):
        yield f"phase {table.phase}, but ending {table.ending}"
