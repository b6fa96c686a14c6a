"""Building: one card, one block, one site (Rule: manhattan 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.manhattan.rules.cards import card_of, draw, site_of, sites_of, without
from bluebear.rules.manhattan.rules.events import Built, Captured, Dealt, Drew, Exchanged, Lost
from bluebear.rules.manhattan.rules.moves import BUILDS, Build
from bluebear.rules.manhattan.rules.state import CARDS, HAND, Building, Cities, City, Site, State

_NO_FLOORS: Final = {seats: (0,) * seats for seats in (2, 3, 4)}


@cache  # bounded: hands of at most six blocks
def sizes_of(chosen: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes among some blocks, each once, smallest first."""
    return tuple(sorted(set(chosen)))


def needed(buildings: Keyed[Site, Building], site: Site, seat: Seat) -> int:
    """The least block that a seat may put on a site, 0 for any (Rule: manhattan 4.2, 4.3)."""
    building = buildings.get(site)
    return 0 if building is None else building.needs(seat)


@cache  # bounded: 255 sets of sites, 4 sizes
def _everywhere(sites: tuple[Site, ...], block: int) -> tuple[Build, ...]:
    """The builds of a block on some sites of all cities, sorted by line."""
    return tuple(BUILDS[city][site][block - 1] for city in City for site in sites)


def builds(table: State, seat: Seat) -> list[Build]:
    """What a seat may build now, sorted by line (Rule: manhattan 4.1)."""
    builder = table.seats[seat]
    sites = sites_of(require(builder.hand), table.quarter(seat))
    least = [
        0 if (building := buildings.get(site)) is None else building.needs(seat)
        for buildings in table.cities.values()
        for site in sites
    ]
    most = max(least)
    made: list[Build] = []
    for block in sizes_of(builder.chosen):
        moves = _everywhere(sites, block)
        made += (
            moves
            if block >= most
            else [move for move, needs in zip(moves, least, strict=True) if needs <= block]
        )
    return made


def why_not(table: State, seat: Seat, move: Build) -> NotAllowed | None:
    """What forbids a build: the block, the card, or the height of what stands there."""
    builder = table.seats[seat]
    if move.block not in builder.chosen:
        left = sizes_of(builder.chosen)
        return NotAllowed("no_block", rule="4.1", block=move.block, left=left)
    sites = sites_of(require(builder.hand), table.quarter(seat))
    if move.site not in sites:
        return NotAllowed("no_card", rule="4.1", site=move.site, sites=sites)
    buildings = table.cities[move.city]
    least = needed(buildings, move.site, seat)
    if least <= move.block:
        return None
    return NotAllowed(
        "too_low",
        rule="4.3",
        city=move.city,
        site=move.site,
        other=buildings[move.site].owner,
        block=move.block,
        needs=least,
        missing=least - move.block,
    )


def can_build(table: State, seat: Seat) -> bool:
    """Whether a seat has any legal build with the cards in its hand."""
    builder = table.seats.peek(seat)
    sites = sites_of(require(builder.hand), table.quarter(seat))
    return _opens(table.cities, sites, seat, builder.chosen[0])


def _opens(cities: Cities, sites: Iterable[Site], seat: Seat, block: int) -> bool:
    """Whether a block of a seat may stand on one of these sites of any city."""
    for buildings in cities.values():
        for site in sites:
            if needed(buildings, site, seat) <= block:
                return True
    return False


def raised(before: Building | None, seat: Seat, block: int, seats: int) -> Building:
    """A building with one block more; the seat owns it then (Rule: manhattan 4.4)."""
    floors = list(_NO_FLOORS[seats] if before is None else before.floors)
    floors[seat - 1] += block
    return Building(tuple(floors), seat)


def build(table: State, seat: Seat, move: Build, chance: Chance, emit: Emit) -> None:
    """Put a block on its site and draw a new card."""
    buildings, seats = table.cities[move.city], table.seats
    before = buildings.get(move.site)
    if before is None or before.owner == seat:
        emit(Built(seat, move.block, move.city, move.site))
    else:
        emit(Captured(seat, move.block, move.city, move.site, before.owner))
    buildings[move.site] = raised(before, seat, move.block, len(seats))
    # The played card is discarded first, so it may come back at once (Rule: manhattan 4.5, 4.6).
    card = card_of(move.site, table.quarter(seat))
    table.used[card] += 1
    drawn = draw(table, chance, emit)
    emit(Drew(seat, drawn))
    builder = seats[seat]
    builder.hand = tuple(sorted((*without(require(builder.hand), card), drawn)))
    at = builder.chosen.index(move.block)
    builder.chosen = builder.chosen[:at] + builder.chosen[at + 1 :]


def exchange(table: State, seat: Seat, chance: Chance, emit: Emit) -> None:
    """Change the hand of a seat that cannot build, or take a block from it.

    Rule: manhattan 4.7. The new hand may be as hopeless as the old one; the caller asks again.
    """
    builder = table.seats[seat]
    hand = require(builder.hand)
    if not _any_helps(table, seat):
        *left, block = builder.chosen
        emit(Lost(seat, block))
        builder.chosen, builder.lost = tuple(left), builder.lost + block
        return
    emit(Exchanged(seat, hand))
    for card in hand:
        table.used[card] += 1
    builder.hand = tuple(sorted(draw(table, chance, emit) for _ in range(HAND)))
    emit(Dealt(seat, builder.hand))


def _any_helps(table: State, seat: Seat) -> bool:
    """Whether a card of deck, discards or the seat's own hand would make a legal turn."""
    builder, deck, quarter = table.seats[seat], require(table.deck), table.quarter(seat)
    hand = require(builder.hand)
    there = (card for card in CARDS if deck[card - 1] or table.used[card] or card in hand)
    sites = [site_of(card, quarter) for card in there]
    return _opens(table.cities, sites, seat, builder.chosen[0])
