"""What a town looks like in a line of text: who stands there, what is built, where roads lead.

A seat is marked by the first letter of its capital, K or Y (京 or 江). Rule: tokugawa 13.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.atlas import BY_TERRAIN, IS_PORT, IS_SHIPYARD, LAND
from bluebear.rules.tokugawa.chips import power
from bluebear.rules.tokugawa.state import Kind, Piece, Site, Table, Work
from bluebear.rules.tokugawa.terms import Terrain, Town

_WORKS: Final = {Work.NEW: "_new", Work.DONE: ""}
"""What stands behind the key of a building's letter: a new one has another letter."""


class Marks:
    """The words for what stands on the board, on one page."""

    def __init__(self, table: Table, page: TextPage, phrases: Phrases) -> None:
        self._table = table
        self._page = page
        self._phrases = phrases

    def say(self, key: str, **params: Any) -> str:  # Any: whatever the phrase names
        """A sentence of the board."""
        return self._page.say(self._phrases, f"board.{key}", **params)

    def word(self, slot: str, value: object) -> str:
        """The word for a value."""
        return self._phrases.word(slot, value, self._page.lang)

    def owner(self, seat: Seat) -> str:
        """The letter of a seat, which is that of its capital."""
        return self.word("owner", self._table.seats[seat].capital)

    def piece(self, piece: Piece) -> str:
        """`K sword+ 3`, `Y archer weak -1`: kind, strength as it counts in a battle."""
        told = [self.owner(piece.owner), self._kind(piece)]
        if piece.weak:
            told.append(self.say("weak"))
        return " ".join((*told, str(power(piece))))

    def _kind(self, piece: Piece) -> str:
        """The kind with `+` for a forged samurai, `-` for a capital that was hit."""
        side = self.say("hit" if piece.kind is Kind.CAPITAL else "forged") if piece.back else ""
        return self.word("short", piece.kind) + side

    def site(self, site: Site) -> str:
        """`WCTGFS2`: what is built on a town."""
        return "".join(self._things(site))

    def _things(self, site: Site) -> Iterator[str]:
        # The wall stands first, since in Japanese castle and wall together read as a wall.
        if site.wall:
            yield self.say("wall")
        if site.castle:
            yield self.say("castle" + _WORKS[site.castle])
        if site.shrine:
            yield self.say("shrine" + _WORKS[site.shrine])
        if site.garden:
            yield self.say("garden")
        if site.smithy:
            yield self.say("smithy")
        if site.ships:
            yield self.say("ships", count=site.ships)

    def stands(self, town: Town) -> str:
        """Who stands on a town, or whose things are left there."""
        piece, site = self._table.pieces.get(town), self._table.sites.get(town)
        if piece is not None:
            return self.piece(piece)
        return "-" if site is None else self.say("left_by", letter=self.owner(site.owner))

    def built(self, town: Town) -> str:
        """What is built on a town."""
        site = self._table.sites.get(town)
        return "" if site is None else self.site(site)

    def port(self, town: Town) -> str:
        """Whether a town is a port, and whether it has a shipyard."""
        if town in IS_SHIPYARD:
            return self.say("yard")
        return self.say("port") if town in IS_PORT else ""

    def roads(self, town: Town) -> Iterator[str]:
        """The towns next to a town, each with the mark of its road's terrain."""
        for terrain in LAND:
            for other in BY_TERRAIN[terrain][town]:
                yield self.road(terrain, other)

    def road(self, terrain: Terrain, town: Town) -> str:
        """A town with the mark of the road that leads there."""
        return self.word("road", terrain) + self.word("town", town)
