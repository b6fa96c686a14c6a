"""The table as text: six cities, what each seat has, the cards of those who look.

Rule: manhattan 9.2, 9.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.text_layout import beside, fit, flowed, right, without_accents, wrapped
from bluebear.rules.core.visibility import Eyes, Seat, require
from bluebear.rules.manhattan.rules.cards import site_of
from bluebear.rules.manhattan.rules.state import (
    CARDS,
    COPIES,
    HAND,
    SITES,
    SIZES,
    Builder,
    Building,
    City,
    Phase,
    Site,
    State,
)
from bluebear.rules.manhattan.text.commands import LETTERS

SEAT_LETTERS: Final = "ABCD"

_CELL: Final = 5
"""An owner's letter, a height of up to three digits, a mark."""
_MARGIN: Final = len("1 2 3")
_GAP: Final = "  "
_IN_A_ROW: Final = 3
_INDENT: Final = 4
_EMPTY: Final = "."


class _Frame(NamedTuple):
    """The characters of a city's frame: the upper rule, a row, the lower rule."""

    top: str
    row: str
    bottom: str
    rule: str


_LINES: Final = _Frame("┌┬┐", "│││", "└┴┘", "─")
_ASCII: Final = _Frame("+++", "|||", "+++", "-")


def reach(builder: Builder) -> int:
    """The largest block that a seat has left, 0 if it has none."""
    in_stock = (size for size, count in zip(SIZES, builder.stock, strict=True) if count)
    return max((*builder.chosen, *in_stock), default=0)


class BoardText:
    """The texts about one view, for given eyes and a page."""

    def __init__(self, view: State, eyes: Eyes, page: TextPage, phrases: Phrases) -> None:
        self._view = view
        self._eyes = eyes
        self._page = page
        self._phrases = phrases
        self._reach = {seat: reach(builder) for seat, builder in view.seats.items()}

    def table(self) -> str:
        """Everything that one has to see in order to play."""
        lines = [*self.status(), "", *self._map(), "", *self._seats()]
        lines += [*self._hands(), *self._piles(), self._say("legend")]
        return "\n".join(lines)

    def glance(self) -> Iterator[SummaryBlock]:
        """The table in parts; the cities without frames where there is no room for these."""
        status, seats, hands = self.status(), list(self._seats()), self._hands()
        framed = list(self._map())
        room = self._page.lines - len(status) - len(seats) - len(hands) - 1  # the last: the rest
        yield SummaryBlock(0, status)
        yield SummaryBlock(0, framed if len(framed) <= room else list(self._map(flat=True)))
        yield SummaryBlock(2, seats)
        yield SummaryBlock(1, hands)
        yield SummaryBlock(3, self._piles())
        yield SummaryBlock(4, [self._say("legend")])

    def reading(self) -> str:
        """The table in sentences: the cities by their buildings, a line for each seat."""
        lines = self.status()
        for line in self.floors(None).splitlines():
            lines += flowed(line, self._page.width, _INDENT)
        lines += self._seat_by_seat()
        return "\n".join([*lines, *self._hands(), *self._piles()])

    def status(self) -> list[str]:
        """Where the game stands, and who has to do what."""
        view = self._view
        head = self._say("head", round=view.round, rounds=view.rounds, seat=view.start)
        turn = view.turn
        if turn is None:
            return [head, self._say("over", winner=self._winners())]
        doing = self._say(
            view.phase.value, seat=turn, letter=SEAT_LETTERS[turn - 1], count=view.per_round
        )
        return [head, doing]

    def hands(self) -> str:
        """The cards of those who look."""
        return "\n".join(self._hands()) if self._eyes else self._say("no_hand")

    def floors(self, city: City | None) -> str:
        """Each player's floors in the buildings of a city, or of all."""
        listed = LETTERS if city is None else (city,)
        return "\n".join(line for each in listed for line in self._city_floors(each))

    def _winners(self) -> tuple[int, ...]:
        seats = self._view.seats
        best = max(builder.score for builder in seats.values())
        return tuple(seat for seat, builder in seats.items() if builder.score == best)

    def _map(self, *, flat: bool = False) -> Iterator[str]:
        city_width = 3 * (_CELL + 1) + 1 + len(_GAP)
        fitting = (self._page.width - _MARGIN + len(_GAP)) // city_width
        number = max(1, min(_IN_A_ROW, fitting))
        margin = [" " * _MARGIN, *([] if flat else [""]), "1 2 3", "4 5 6", "7 8 9"]
        listed = list(LETTERS)
        for at in range(0, len(listed), number):
            drawn = [self._drawn(city, flat=flat) for city in listed[at : at + number]]
            yield from beside([margin, *drawn], _GAP)

    def _drawn(self, city: City, *, flat: bool) -> list[str]:
        frame = _ASCII if self._page.ascii else _LINES
        title = f"{self._city(city)} ({LETTERS[city]})"
        if flat:
            bare = [
                " ".join(self._cell(city, site, empty=_EMPTY) for site in SITES[at : at + 3])
                for at in (0, 3, 6)
            ]
            return [fit(title, 3 * (_CELL + 1) + 1), *bare]
        rows = [
            _row(frame.row, [self._cell(city, site) for site in SITES[at : at + 3]])
            for at in (0, 3, 6)
        ]
        rule = [frame.rule * _CELL] * 3
        lines = [_row(frame.top, rule), *rows, _row(frame.bottom, rule)]
        return [fit(title, len(lines[0])), *lines]

    def _cell(self, city: City, site: Site, *, empty: str = "") -> str:
        building = self._view.cities[city].get(site)
        if building is None:
            return empty.ljust(_CELL)
        mark = "*" if self._safe(building) else ""
        letter = SEAT_LETTERS[building.owner - 1]
        return f"{letter}{building.height}{mark}".ljust(_CELL)

    def _safe(self, building: Building) -> bool:
        """Whether no other seat has a block with which it could take a building over."""
        return self._view.phase is not Phase.OVER and all(
            self._reach[seat] < max(1, building.needs(seat))
            for seat in self._view.seats
            if seat != building.owner
        )

    def _seats(self) -> Iterator[str]:
        name_width = max(6, min(20, self._page.width - 46))
        yield (
            " " * 4
            + fit(self._say("seat"), name_width)
            + right(self._say("score"), 6)
            + "   "
            + fit(self._say("chosen"), 17)
            + self._say("stock")
        ).rstrip()
        turn = self._view.turn
        for seat, builder in self._view.seats.items():
            mark = ">" if seat == turn else " "
            stock = (f"{n}x{count}" for n, count in zip(SIZES, builder.stock, strict=True) if count)
            yield (
                f"{mark} {SEAT_LETTERS[seat - 1]} "
                + fit(self._page.seat(seat), name_width - 1)
                + " "
                + right(str(builder.score), 6)
                + "   "
                + fit(" ".join(map(str, builder.chosen)) or "-", 17)
                + (" ".join(stock) or "-")
            ).rstrip()

    def _seat_by_seat(self) -> Iterator[str]:
        for seat, builder in self._view.seats.items():
            stock = (f"{n}x{count}" for n, count in zip(SIZES, builder.stock, strict=True) if count)
            told = self._say(
                "builder",
                seat=seat,
                letter=SEAT_LETTERS[seat - 1],
                score=builder.score,
                chosen=" ".join(map(str, builder.chosen)) or "-",
                stock=" ".join(stock) or "-",
            )
            yield from flowed(told, self._page.width, _INDENT)

    def _hands(self) -> list[str]:
        return [line for seat in sorted(self._eyes) for line in self._hand(seat)]

    def _hand(self, seat: Seat) -> Iterator[str]:
        quarter = self._view.quarter(seat)
        key = "card_turned" if quarter else "card"
        told = [self._say("hand", letter=SEAT_LETTERS[seat - 1])]
        for card in require(self._view.seats[seat].hand):
            site = site_of(card, quarter)
            told.append(self._say(key, card=card, site=site, place=site))
        yield from wrapped(told, self._page.width, _INDENT)

    def _piles(self) -> list[str]:
        gone = {card: count for card, count in self._view.used.items() if count}
        left = COPIES * len(CARDS) - HAND * len(self._view.seats) - sum(gone.values())
        words = [self._say("deck", count=left)]
        if gone:
            words += [self._say("discards"), *(f"{card}x{count}" for card, count in gone.items())]
        return wrapped(words, self._page.width, _INDENT)

    def _city_floors(self, city: City) -> Iterator[str]:
        yield f"{self._city(city)} ({LETTERS[city]})"
        buildings = self._view.cities[city]
        if not buildings:
            yield "  " + self._say("no_buildings")
        for site, building in buildings.items():
            parts = " / ".join(self._share(building, seat) for seat in self._view.seats)
            told = self._say("stands", site=site, place=site, count=building.height)
            yield f"  {told} {parts}"

    def _share(self, building: Building, seat: Seat) -> str:
        letter, floors = SEAT_LETTERS[seat - 1], building.floors[seat - 1]
        if seat == building.owner:
            return self._say("on_top", letter=letter, count=floors)
        needs = max(1, building.needs(seat))
        return self._say("share", letter=letter, count=floors, needs=needs)

    def _city(self, city: City) -> str:
        word = self._phrases.word("city", city, self._page.lang)
        return without_accents(word) if self._page.ascii else word

    def _say(self, key: str, **params: Any) -> str:  # Any: whatever the phrase names
        return self._page.say(self._phrases, f"board.{key}", **params)


def _row(bars: str, cells: list[str]) -> str:
    return bars[0] + bars[1].join(cells) + bars[2]
