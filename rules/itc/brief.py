"""The table in few lines, for small windows, and in sentences, for those who hear it.

Rule: itc 16.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.text_layout import flowed, listed, packed
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc import looking
from bluebear.rules.itc.board import INDENT, NONE, REFUSED, Sheet, group
from bluebear.rules.itc.data import PLACE
from bluebear.rules.itc.drawing import cell, letter
from bluebear.rules.itc.state import Load, Under, column_of, row_of
from bluebear.rules.itc.terms import GOODS, ROUTES, Place
from bluebear.rules.itc.tracks import from_the_top

_APART: Final = "   "


class Brief(Sheet):
    """The same texts about one view, shorter or without a picture."""

    def glance(self) -> Iterator[SummaryBlock]:
        """The table in parts; the loads as a list where there is no room for their picture."""
        state, places = list(self._state()), list(self._places())
        traders = (f"{each}{_APART}" for each in self._traders())
        seats = packed(traders, self._page.width, 0)
        drawn, hands = list(self._routes()), list(self._hands())
        room = self._page.lines - len(state) - len(places) - len(seats) - 1  # the last: the rest
        yield SummaryBlock(0, state)
        yield SummaryBlock(1, drawn if len(drawn) <= room else self._loads())
        yield SummaryBlock(1, places)
        yield SummaryBlock(1, seats)
        yield SummaryBlock(2, hands)
        yield SummaryBlock(4, [self._piles()])
        yield SummaryBlock(5, flowed(self._say("legend"), self._page.width, 0))

    def reading(self) -> str:
        """The table in sentences: every load, what each continent has, a line for each seat."""
        looks = looking.Looks(self._table, self._eyes, self._page, self._words)
        lines = [*self._state(), *(looks.route(route) for route in ROUTES)]
        for place in Place:
            lines += flowed(self._place_told(place), self._page.width, INDENT)
        lines += [*self._traders(), *self._hands(), self._piles()]
        return "\n".join(lines)

    def _loads(self) -> list[str]:
        """The loads of each route in a list, the foremost first: `6.2 A225`, by row and column."""
        lines = []
        for route in ROUTES:
            spaces = self._table.routes[route]
            told = [
                f"{row_of(at)}.{column_of(at)} {cell(spaces[at], self._known(spaces[at]))}"
                for at in from_the_top(spaces)
            ]
            title = self._words.word("route", route, self._page.lang).capitalize()
            told = listed(told, self._page.lang) or [NONE]
            lines += packed([f"{title}: ", *told], self._page.width, INDENT)
        return lines

    def _known(self, load: Load) -> Under:
        """What these eyes know to lie under a load."""
        if load.under is Under.HIDDEN and load.owner in self._eyes:
            return require(self._table.seats[load.owner].under).get(load.cards[0], load.under)
        return load.under

    def _traders(self) -> list[str]:
        """What each seat has, a sentence for each."""
        told = []
        for seat, trader in self._table.seats.items():
            mafia = " " + self._say("mafia") if seat == self._table.controller else ""
            told.append(
                self._say(
                    "trader",
                    letter=letter(seat),
                    seat=seat,
                    money=trader.money,
                    stones=trader.stock,
                    kept=trader.actions,
                    loads=trader.transports,
                )
                + mafia
            )
        return told

    def _place_told(self, place: Place) -> str:
        """What a continent has and does not take, and whose stones stand there."""
        store, accepts = self._table.places[place], PLACE[place].accepts
        name = self._words.word("spot", place, self._page.lang)
        goods = [
            f"{self._words.word('good', good, self._page.lang)} "
            + (group(store.goods[at], store.fresh[at]) if good in accepts else REFUSED)
            for at, good in enumerate(GOODS)
            if good not in accepts or store.goods[at]
        ]
        stones = [
            f"{letter(Seat(at))}{count}" for at, count in enumerate(store.stones, start=1) if count
        ]
        return self._say(
            "spot", name=name, taken=tuple(goods) or NONE, stones=tuple(stones) or NONE
        )
