"""Areas of the table in detail, what a single card says, and the routes as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.text_layout import boxed, fit, right
from bluebear.rules.core.texts import GameTexts, letter_of
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc.data.tables import ACTIONS, CARDS, ROUTE, SALE, VALUE
from bluebear.rules.itc.data.terms import GOODS, ROUTES, ACard, Kind, Route
from bluebear.rules.itc.rules import state
from bluebear.rules.itc.rules.route_state import ROWS, from_the_top
from bluebear.rules.itc.rules.turns import SOURCES
from bluebear.rules.itc.text.names import SHORT_PLACES, CardPhrases, card_text, label_of

# The four routes as a picture: frames side by side, standing on their first rows.

_CELL: Final = 5
"""An owner's letter, an index of three digits, a mark; or a neutral card and where it goes."""
_MARGIN: Final = 3
_GAP: Final = "  "
_MARKS: Final = {
    state.Under.NONE: "",
    state.Under.HIDDEN: "?",
    state.Under.SMUGGLING: "s",
    state.Under.EXPRESS: "x",
}


def cell(load: state.Load, seen: state.Under) -> str:
    """A load in five columns: `A170?`, in small letters when it came in this turn; `n15EU`.

    `seen` is what the eyes know to lie under it.
    """
    destination = CARDS[load.cards[0]].destination
    if load.owner == state.NEUTRAL and destination is not None:
        return f"{label_of(load.cards[0])}{SHORT_PLACES[destination]}"
    owner = letter_of(load.owner)
    mark = "+" if len(load.cards) > 1 else _MARKS[seen]
    return f"{owner.lower() if load.fresh else owner}{load.cards[0]}{mark}"


def picture(
    routes: Keyed[Route, state.Spaces],
    seen: Callable[[state.Load], state.Under],
    titles: Mapping[Route, str],
    width: int,
    *,
    ascii_only: bool,
) -> Iterator[str]:
    """The lines of the picture, with as many routes side by side as the width allows.

    `seen` says what the eyes know to lie under a load.
    """
    for band in _bands(width):
        height = max(ROUTE[route].rows for route in band)
        drawn = []
        for route in band:
            cells = _cells(route, routes[route], seen)
            above = [" " * _outer(route)] * (height - len(cells))
            title = fit(titles[route], _outer(route))
            drawn.append([*above, title, *boxed(cells, ascii_only=ascii_only)])
        margin = ["", "", *(str(row) for row in range(height, 0, -1)), ""]
        for number, parts in zip(margin, zip(*drawn, strict=True), strict=True):
            yield (right(number, _MARGIN - 1) + " " + _GAP.join(parts)).rstrip()


def _bands(width: int) -> Iterator[Sequence[Route]]:
    """The routes in groups that fit side by side."""
    band: list[Route] = []
    used = _MARGIN
    for route in ROUTES:
        more = _outer(route) + (len(_GAP) if band else 0)
        if band and used + more > width:
            yield band
            band, used, more = [], _MARGIN, _outer(route)
        band.append(route)
        used += more
    yield band


def _outer(route: Route) -> int:
    return ROUTE[route].columns * (_CELL + 1) + 1


def _cells(
    route: Route, spaces: state.Spaces, seen: Callable[[state.Load], state.Under]
) -> list[list[str]]:
    """The cells of a route from its top row down."""
    texts = {at: cell(load, seen(load)) for at, load in spaces.items()}
    return [[fit(texts.get(at, ""), _CELL) for at in row] for row in reversed(ROWS[route])]


# Areas of the table in detail, and what a single card says.


class DetailTexts(GameTexts[state.State]):
    """The texts about parts of one table."""

    phrases: CardPhrases

    def hand(self) -> str:
        """The cards of those who look, with what each does."""
        if not self.eyes:
            return self.phrase("look.no_hand")
        return "\n".join(
            line
            for seat in sorted(self.eyes)
            for line in self.hand_of(seat, map(self._effect, require(self.view.seats[seat].kept)))
        )

    def route(self, route: Route) -> str:
        """Every load of a route, the foremost first, with its goods and prices."""
        spaces = self.view.routes[route]
        lines = [self.phrase("look.route", route=route)]
        for at in from_the_top(spaces):
            for sentence in self._load(route, at, spaces[at]):
                lines += self.lines("  " + sentence)
        if not len(spaces):
            lines.append("  " + self.phrase("look.no_loads"))
        return "\n".join(lines)

    def prices(self) -> str:
        """What goods are worth, and what smuggling pays."""
        goods = (self.phrase("look.good", good=g, amount=VALUE[g], price=SALE[g]) for g in GOODS)
        bonuses = (self.phrase("look.bonus", route=r, amount=ROUTE[r].smuggling) for r in ROUTES)
        parts = (("prices", goods), ("bonuses", bonuses))
        return "\n".join(
            line
            for title, lines in parts
            for line in (self.phrase(f"look.{title}"), *("  " + each for each in lines))
        )

    def discards(self) -> str:
        table = self.view
        neutral = tuple(card for card in table.used_transports if CARDS[card].neutral)
        players = tuple(card for card in table.used_transports if not CARDS[card].neutral)
        used = [
            self._counted(self.label("action", code), count)
            for code in ACTIONS
            if (count := table.used_actions.get(code))
        ]
        none = self.phrase("look.none")
        lines = [
            self.phrase("look.used_transports", listed=tuple(map(str, players)) or none),
            self.phrase("look.used_neutrals", listed=tuple(map(label_of, neutral)) or none),
            self.phrase("look.used_actions", listed=tuple(used) or none),
        ]
        return "\n".join(line for each in lines for line in self.lines(each, 2))

    def actions(self) -> str:
        """What each kind of action card does."""
        texts = (self.phrase(f"about.{int(kind)}") for kind in Kind)
        return "\n".join(line for each in texts for line in self.lines(each))

    def income(self) -> str:
        """Where the money of each seat comes from."""
        lines = [
            self.phrase(
                "look.income",
                seat=seat,
                money=trader.money,
                **{source: f"{getattr(trader.income, source):,}" for source in SOURCES},
            )
            for seat, trader in self.view.seats.items()
        ]
        return "\n".join(line for each in lines for line in self.lines(each, 2))

    def hand_of(self, seat: Seat, actions: Iterable[str]) -> Iterator[str]:
        """The transport cards of a seat, then what is said of its action cards."""
        yield self.phrase("look.hand", letter=letter_of(seat))
        hand = (CARDS[card] for card in require(self.view.seats[seat].hand))
        texts = [*(card_text(card, self.phrases, self.page.lang) for card in hand), *actions]
        for text in texts or [self.phrase("look.empty_hand")]:
            yield from self.lines("  " + text)

    def _effect(self, code: ACard) -> str:
        return f"{self.label('action', code)}: {self.phrase(f'effect.{int(ACTIONS[code].kind)}')}"

    def _load(self, route: Route, at: state.Space, load: state.Load) -> Iterator[str]:
        where = self.phrase("look.space", row=state.row_of(at), column=state.column_of(at))
        for number in load.cards:
            card = CARDS[number]
            if card.destination is not None:
                sentence = self.phrase("look.neutral", card=number, goods=card.goods)
            else:
                sentence = self.phrase(
                    "look.load",
                    letter=letter_of(load.owner),
                    card=number,
                    goods=card.goods,
                    full=card.full[route],
                    robbed=card.robbed[route],
                )
            yield f"{where} {sentence}{self._notes(load)}"

    def _notes(self, load: state.Load) -> str:
        """What else there is to know about a load: what lies under it, whether it is new."""
        under = self.seen_under(load)
        notes = [] if under is state.Under.NONE else [self.phrase("look.under", under=under)]
        if load.fresh:
            notes.append(self.phrase("look.new"))
        return "".join(" " + note for note in notes)

    def seen_under(self, load: state.Load) -> state.Under:
        """What these eyes know to lie under a load."""
        if load.under is state.Under.HIDDEN and load.owner in self.eyes:
            return require(self.view.seats[load.owner].under).get(load.cards[0], load.under)
        return load.under

    def _counted(self, name: str, count: int) -> str:
        return name if count == 1 else self.phrase("look.copies", name=name, count=count)
