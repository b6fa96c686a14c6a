"""Every line that a seat may play at its turn of Tokugawa (Rule: tokugawa 4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tests.oracle.tokugawa.board import (
    BUILDINGS,
    PORTS,
    PROVINCES,
    SAMURAI,
    SHIPYARDS,
    TERRAINS,
    TOWNS,
)
from tests.oracle.tokugawa.table import Table, towns_to_fill


def placing_lines(table: Table, seat: int) -> set[str]:
    """Rule: tokugawa 3.5."""
    of_seat = [table.men[town].kind for town in table.samurai(seat)]
    return {
        f"/place {kind} {town}"
        for kind in SAMURAI
        if of_seat.count(kind) < SAMURAI[kind].placed
        for town in towns_to_fill(table, seat)
    }


def turn_lines(table: Table, seat: int, actions: int, taxed: Collection[str]) -> set[str]:
    """All that may be done with so many actions left. Rule: tokugawa 4.3, 4.4."""
    lines = {"/pass", *free_lines(table, seat)}
    if actions:
        lines.update(_tax_lines(table, seat, taxed))
        lines.update(_levy_lines(table, seat))
        lines.update(_move_lines(table, seat))
        lines.update(_attack_lines(table, seat))
        lines.update(_build_lines(table, seat, is_action=True))
        lines.update(_forge_lines(table, seat))
    return lines


def free_lines(table: Table, seat: int) -> set[str]:
    """What takes no action: castle, wall, dismissal. Rule: tokugawa 4.4, 5.6."""
    return {
        *_build_lines(table, seat, is_action=False),
        *(f"/dismiss {town}" for town in table.samurai(seat)),
    }


def sailing_lines(table: Table, town: str) -> set[str]:
    """Where a ship of this port may go, without any enemy. Rule: tokugawa 6.6."""
    return {f"/move {town} {port} sea" for port in table.empty(PORTS)}


def _tax_lines(table: Table, seat: int, taxed: Collection[str]) -> Iterator[str]:
    """Rule: tokugawa 5.2, 5.4."""
    for province in PROVINCES:
        if table.tax(seat, province) and table.banks[province] and province not in taxed:
            yield f"/tax {province}"


def _levy_lines(table: Table, seat: int) -> Iterator[str]:
    """Rule: tokugawa 5.5."""
    for kind in SAMURAI:
        if table.can_levy(seat, kind):
            for town in table.empty(TOWNS):
                yield f"/levy {kind} {town}"


def _move_lines(table: Table, seat: int) -> Iterator[str]:
    """Rule: tokugawa 6.2, 6.6, 6.7."""
    for start in table.samurai(seat):
        for terrain in TERRAINS:
            transport = "land" if table.men[start].kind == "archer" else terrain
            for end in table.reached(seat, start, terrain):
                yield f"/move {start} {end} {transport}"
        if table.has(seat, "ship", start):
            yield from sailing_lines(table, start)


def _attack_lines(table: Table, seat: int) -> Iterator[str]:
    """Rule: tokugawa 7.1, 7.2, 7.6."""
    if not table.koku[seat]:
        return
    enemies = {town for town, man in table.men.items() if man.seat != seat}
    for start in table.samurai(seat):
        for town in enemies:
            if table.terrain_to(seat, start, town) is not None:
                yield f"/attack {start} {town} road"
        if table.has(seat, "ship", start):
            for town in enemies & PORTS:
                yield f"/attack {start} {town} sea"


def _build_lines(table: Table, seat: int, *, is_action: bool) -> Iterator[str]:
    """Rule: tokugawa 10.1."""
    for kind, building in BUILDINGS.items():
        if building.action != is_action or table.koku[seat] < building.cost:
            continue
        for town, man in table.men.items():
            is_site = kind != "ship" or town in SHIPYARDS
            if man.seat == seat and is_site and not table.has_built_limit(seat, kind, town):
                yield f"/build {kind} {town}"


def _forge_lines(table: Table, seat: int) -> Iterator[str]:
    """Rule: tokugawa 10.1, smithy."""
    if table.count("smithy", seat):
        for town in table.samurai(seat):
            if not table.men[town].forged:
                yield f"/forge {town}"
