"""Building: one card, one block, one site (Rule: manhattan 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from rules.core.chance import Chance
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Seat, but, held
from rules.manhattan.cards import (
    Discards,
    card_of,
    discard,
    draw,
    draw_hand,
    site_of,
    sites_of,
    without,
)
from rules.manhattan.events import Dealt, Exchanged, Lost, built, captured, drew
from rules.manhattan.moves import BUILDS, Build
from rules.manhattan.state import CARDS, Building, Card, Cities, Site, Table

_NO_FLOORS: Final = {seats: (0,) * seats for seats in (2, 3, 4)}


@cache  # bounded: hands of at most six blocks
def sizes_of(chosen: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes among some blocks, each once, smallest first."""
    return tuple(sorted(set(chosen)))


def builds(table: Table, seat: Seat) -> list[Build]:
    """What a seat may build now, sorted by line (Rule: manhattan 4.1, 4.2, 4.3)."""
    builder = table.seats[seat]
    sites = sites_of(held(builder.hand), table.quarter(seat))
    spots: list[tuple[int, tuple[Build, ...]]] = []
    for city, buildings in table.cities.items():
        moves = BUILDS[city]
        for site in sites:
            building = buildings.get(site)
            needs = 0 if building is None else building.needs(seat)
            spots.append((needs, moves[site]))
    return [
        moves[block - 1]
        for block in sizes_of(builder.chosen)
        for needs, moves in spots
        if needs <= block
    ]


def can_build(table: Table, seat: Seat) -> bool:
    """Whether a seat has any legal build with the cards in its hand."""
    builder = table.seats[seat]
    sites = sites_of(held(builder.hand), table.quarter(seat))
    return _opens(table.cities, sites, seat, builder.chosen[0])


def _opens(cities: Cities, sites: Iterable[Site], seat: Seat, block: int) -> bool:
    """Whether a block of a seat may stand on one of these sites of any city."""
    for site in sites:
        for buildings in cities.values():
            building = buildings.get(site)
            if building is None or building.needs(seat) <= block:
                return True
    return False


def checked(table: Table, seat: Seat, move: Build) -> Card:
    """The card that a build takes; NotAllowed if block, card or height forbid it."""
    builder = table.seats[seat]
    if move.block not in builder.chosen:
        raise NotAllowed("no_block", rule="4.1", block=move.block, left=sizes_of(builder.chosen))
    quarter = table.quarter(seat)
    sites = sites_of(held(builder.hand), quarter)
    if move.site not in sites:
        raise NotAllowed("no_card", rule="4.1", site=move.site, sites=sites)
    building = table.cities[move.city].get(move.site)
    if building is not None:
        needs = building.needs(seat)
        if needs > move.block:
            raise NotAllowed(
                "too_low",
                rule="4.3",
                city=move.city,
                site=move.site,
                other=building.owner,
                block=move.block,
                needs=needs,
                missing=needs - move.block,
            )
    return card_of(move.site, quarter)


def raised(cities: Cities, seat: Seat, move: Build, seats: int) -> Cities:
    """The cities after a build; its seat owns the building then (Rule: manhattan 4.4)."""
    buildings = cities[move.city]
    before = buildings.get(move.site)
    floors = list(_NO_FLOORS[seats] if before is None else before.floors)
    floors[seat - 1] += move.block
    return cities.put(move.city, buildings.put(move.site, Building(tuple(floors), seat)))


def build(table: Table, seat: Seat, move: Build, chance: Chance, events: list[Event]) -> Table:
    """The table after a build and the new card; raises NotAllowed before it draws."""
    card = checked(table, seat, move)
    events.append(_told(table.cities, seat, move))
    # The played card is discarded first, so it may come back at once (Rule: manhattan 4.5, 4.6).
    used = discard(table.used, card)
    drawn, deck, discards = draw(held(table.deck), used, chance, events)
    events.append(drew(seat, drawn))
    builder = table.seats[seat]
    after = but(
        builder,
        hand=tuple(sorted((*without(held(builder.hand), card), drawn))),
        chosen=_minus(builder.chosen, move.block),
    )
    seats = len(table.seats)
    return but(
        table,
        cities=raised(table.cities, seat, move, seats),
        seats=table.seats.put(seat, after),
        used=discards,
        deck=deck,
    )


def _told(cities: Cities, seat: Seat, move: Build) -> Event:
    before = cities[move.city].get(move.site)
    if before is None or before.owner == seat:
        return built(seat, move.block, move.city, move.site)
    return captured(seat, move.block, move.city, move.site, before.owner)


def _minus(chosen: tuple[int, ...], block: int) -> tuple[int, ...]:
    at = chosen.index(block)
    return chosen[:at] + chosen[at + 1 :]


def exchange(table: Table, seat: Seat, chance: Chance, events: list[Event]) -> Table:
    """The table after a seat that cannot build changed its hand or lost a block.

    Rule: manhattan 4.7. The new hand may be as hopeless as the old one; whoever calls asks again.
    """
    builder = table.seats[seat]
    before, discards = held(builder.hand), table.used
    for card in before:
        discards = discard(discards, card)
    if not _any_helps(table, seat, discards):
        block = builder.chosen[-1]
        events.append(Lost(seat, block))
        poorer = but(builder, chosen=builder.chosen[:-1], lost=builder.lost + block)
        return but(table, seats=table.seats.put(seat, poorer))
    events.append(Exchanged(seat, before))
    hand, deck, discards = draw_hand(held(table.deck), discards, chance, events)
    events.append(Dealt(seat, hand))
    return but(
        table,
        seats=table.seats.put(seat, but(builder, hand=hand)),
        used=discards,
        deck=deck,
    )


def _any_helps(table: Table, seat: Seat, discards: Discards) -> bool:
    """Whether a card of deck or discards would make a legal turn."""
    quarter, deck = table.quarter(seat), held(table.deck)
    sites = (site_of(card, quarter) for card in CARDS if deck[card - 1] or discards[card])
    return _opens(table.cities, sites, seat, table.seats[seat].chosen[0])
