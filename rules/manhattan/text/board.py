"""The table as text: cities, seats, the viewers' cards (Rule: manhattan 9.2, 9.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bluebear.rules.core.game import leaders
from bluebear.rules.core.text_layout import beside, boxed, fit, right, without_accents, wrapped
from bluebear.rules.core.texts import GameTexts, SummaryBlock, TextPage, TextSource, letter_of
from bluebear.rules.core.visibility import Eyes, Seat, require
from bluebear.rules.manhattan.rules import state
from bluebear.rules.manhattan.rules.block_choice import wrong_number
from bluebear.rules.manhattan.rules.cards import site_of
from bluebear.rules.manhattan.rules.scoring import points_of
from bluebear.rules.manhattan.text.commands import AREAS, EXPLAINED, LETTERS, format_moves

_CELL: Final = 5
"""An owner's letter, a height of up to three digits, a mark."""
_MARGIN: Final = len("1 2 3")
_GAP: Final = "  "
_IN_A_ROW: Final = 3
_INDENT: Final = 4
_EMPTY: Final = "."


def reach(builder: state.Builder) -> int:
    """The largest block that a seat has left, 0 if it has none."""
    in_stock = (size for size, count in zip(state.SIZES, builder.stock, strict=True) if count)
    return max((*builder.chosen, *in_stock), default=0)


class BoardText(GameTexts[state.State]):
    """The texts about one view, for given eyes and a page."""

    areas = AREAS
    explained = EXPLAINED

    def __init__(self, game: TextSource, view: state.State, eyes: Eyes, page: TextPage) -> None:
        super().__init__(game, view, eyes, page)
        self._reach = {seat: reach(builder) for seat, builder in view.seats.items()}

    def board(self) -> str:
        """Everything that one has to see in order to play."""
        lines = [*self.status(), "", *self._map(), "", *self._seats()]
        lines += [*self._hands(), *self._piles(), self.say("legend")]
        return "\n".join(lines)

    def summary_blocks(self) -> Iterator[SummaryBlock]:
        """The table in parts; the cities without frames where there is no room for these."""
        status, seats, hands = self.status(), list(self._seats()), self._hands()
        framed = list(self._map())
        room = self.page.lines - len(status) - len(seats) - len(hands) - 1  # the last: the rest
        yield SummaryBlock(0, status)
        yield SummaryBlock(0, framed if len(framed) <= room else list(self._map(flat=True)))
        yield SummaryBlock(2, seats)
        yield SummaryBlock(1, hands)
        yield SummaryBlock(3, self._piles())
        yield SummaryBlock(4, [self.say("legend")])

    def linear_board(self) -> str:
        """The table in sentences: the cities by their buildings, a line for each seat."""
        lines = self.status()
        for line in self.floors(None).splitlines():
            lines += self.lines(line)
        lines += self._seat_by_seat()
        return "\n".join([*lines, *self._hands(), *self._piles()])

    def status(self) -> list[str]:
        """Where the game stands, and who has to do what."""
        view = self.view
        head = self.say("head", round=view.round, rounds=view.rounds, seat=view.start)
        turn = view.turn
        if turn is None:
            return [head, self.say("over", winner=leaders(self.points_now()))]
        doing = self.say(view.phase.value, seat=turn, letter=letter_of(turn), count=view.per_round)
        return [head, doing]

    def look(self, area: str) -> str:
        if area != "hand":
            return self.floors(state.City(area))
        return "\n".join(self._hands()) if self.eyes else self.say("no_hand")

    def answer(self, query: str, arguments: Mapping[str, Any]) -> str:  # Any: values of slots
        """`/show CITY`: every floor of a city; of all cities without an argument."""
        if query != "show":
            return super().answer(query, arguments)
        return self.floors(arguments.get("city"))

    show_moves = format_moves

    def points_now(self) -> Mapping[Seat, int]:
        return {seat: builder.score for seat, builder in self.view.seats.items()}

    def chapter_figures(self) -> Mapping[str, tuple[str, ...]]:
        """Blocks in stock, buildings that may still be taken over, points of a round ending now."""
        view = self.view
        if view.phase is state.Phase.OVER:
            return {}
        built = [each for city in view.cities.values() for each in city.values()]
        owners = [building.owner for building in built if not self._safe(building)]
        worth = points_of(view.cities, len(view.seats))
        return {
            "3": self.by_seat({seat: sum(one.stock) for seat, one in view.seats.items()}),
            "4": self.by_seat({seat: owners.count(seat) for seat in view.seats}),
            "5": self.by_seat({seat: points.total for seat, points in worth.items()}),
            "6": self.by_seat(self.points_now()),
        }

    def expand(self, seat: Seat, verb: str, text: str) -> None:
        """No form is longer. Raises NotAllowed: a choice of too few or too many blocks."""
        if verb == "take" and self.view.phase is state.Phase.CHOOSING and seat == self.view.turn:
            if (no := wrong_number(self.view, text)) is not None:
                raise no

    def floors(self, city: state.City | None) -> str:
        """Each player's floors in the buildings of a city, or of all."""
        listed = LETTERS if city is None else (city,)
        return "\n".join(line for each in listed for line in self._city_floors(each))

    def _map(self, *, flat: bool = False) -> Iterator[str]:
        city_width = 3 * (_CELL + 1) + 1 + len(_GAP)
        fitting = (self.page.width - _MARGIN + len(_GAP)) // city_width
        number = max(1, min(_IN_A_ROW, fitting))
        margin = [" " * _MARGIN, *([] if flat else [""]), "1 2 3", "4 5 6", "7 8 9"]
        for at in range(0, len(LETTERS), number):
            drawn = [self._drawn(city, flat=flat) for city in [*LETTERS][at : at + number]]
            yield from beside([margin, *drawn], _GAP)

    def _drawn(self, city: state.City, *, flat: bool) -> list[str]:
        title = f"{self._city(city)} ({LETTERS[city]})"
        empty = _EMPTY if flat else ""
        cells = [self._cell(city, site, empty) for site in state.SITES]
        rows = [cells[at : at + 3] for at in (0, 3, 6)]
        if flat:
            return [fit(title, 3 * (_CELL + 1) + 1), *map(" ".join, rows)]
        lines = boxed(rows, ascii_only=self.page.ascii)
        return [fit(title, len(lines[0])), *lines]

    def _cell(self, city: state.City, site: state.Site, empty: str) -> str:
        building = self.view.cities[city].get(site)
        if building is None:
            return empty.ljust(_CELL)
        mark = "*" if self._safe(building) else ""
        letter = letter_of(building.owner)
        return f"{letter}{building.height}{mark}".ljust(_CELL)

    def _safe(self, building: state.Building) -> bool:
        """Whether no other seat has a block with which it could take a building over."""
        return self.view.phase is not state.Phase.OVER and all(
            self._reach[seat] < max(1, building.needs(seat))
            for seat in self.view.seats
            if seat != building.owner
        )

    def _seats(self) -> Iterator[str]:
        name_width = max(6, min(20, self.page.width - 46))

        def row(mark: str, name: str, score: str, chosen: str, stock: str) -> str:
            cells = f"{fit(name, name_width - 1)} {right(score, 6)}   {fit(chosen, 17)}{stock}"
            return f"{mark} {cells}".rstrip()

        yield row("   ", *map(self.say, ("seat", "score", "chosen", "stock")))
        for seat, builder in self.view.seats.items():
            mark = f"{'>' if seat == self.view.turn else ' '} {letter_of(seat)}"
            chosen = " ".join(map(str, builder.chosen)) or "-"
            name, score = self.page.seat(seat), str(builder.score)
            yield row(mark, name, score, chosen, _stock(builder))

    def _seat_by_seat(self) -> Iterator[str]:
        for seat, builder in self.view.seats.items():
            shown = self.say(
                "builder",
                seat=seat,
                letter=letter_of(seat),
                score=builder.score,
                chosen=" ".join(map(str, builder.chosen)) or "-",
                stock=_stock(builder),
            )
            yield from self.lines(shown)

    def _hands(self) -> list[str]:
        return [line for seat in sorted(self.eyes) for line in self._hand(seat)]

    def _hand(self, seat: Seat) -> Iterator[str]:
        quarter = self.view.quarter(seat)
        key = "card_turned" if quarter else "card"
        shown = [self.say("hand", letter=letter_of(seat))]
        for card in require(self.view.seats[seat].hand):
            site = site_of(card, quarter)
            shown.append(self.say(key, card=card, site=site, place=site))
        yield from wrapped(shown, self.page.width, _INDENT)

    def _piles(self) -> list[str]:
        used = {card: count for card, count in self.view.used.items() if count}
        out = state.HAND * len(self.view.seats) + sum(used.values())
        left = state.COPIES * len(state.CARDS) - out
        items = [self.say("deck", count=left)]
        if used:
            items += [self.say("discards"), *(f"{card}x{count}" for card, count in used.items())]
        return wrapped(items, self.page.width, _INDENT)

    def _city_floors(self, city: state.City) -> Iterator[str]:
        yield f"{self._city(city)} ({LETTERS[city]})"
        buildings = self.view.cities[city]
        if not buildings:
            yield "  " + self.say("no_buildings")
        for site, building in buildings.items():
            parts = " / ".join(self._share(building, seat) for seat in self.view.seats)
            shown = self.say("stands", site=site, place=site, count=building.height)
            yield f"  {shown} {parts}"

    def _share(self, building: state.Building, seat: Seat) -> str:
        letter, floors = letter_of(seat), building.floors[seat - 1]
        if seat == building.owner:
            return self.say("on_top", letter=letter, count=floors)
        needs = max(1, building.needs(seat))
        return self.say("share", letter=letter, count=floors, needs=needs)

    def _city(self, city: state.City) -> str:
        name = self.label("city", city)
        return without_accents(name) if self.page.ascii else name


def _stock(builder: state.Builder) -> str:
    """The blocks that a seat has in stock, by size: `1x3 4x1`."""
    counts = zip(state.SIZES, builder.stock, strict=True)
    return " ".join(f"{size}x{count}" for size, count in counts if count) or "-"
