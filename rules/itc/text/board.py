"""The table as text: complete, in few lines, and in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bluebear.rules.core.game import leaders
from bluebear.rules.core.refusal import Confirmation
from bluebear.rules.core.text_layout import columns, fit, packed, right, wrapped
from bluebear.rules.core.texts import SummaryBlock, letter_of
from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.itc.data import tables
from bluebear.rules.itc.data.terms import GOODS, ROUTES, Place, Route
from bluebear.rules.itc.rules import state
from bluebear.rules.itc.rules.route_state import from_the_top, loads
from bluebear.rules.itc.rules.turn_context import listed
from bluebear.rules.itc.text import details, previews, typed_moves
from bluebear.rules.itc.text.details import cell, picture
from bluebear.rules.itc.text.move_list import format_moves
from bluebear.rules.itc.text.names import CHOICES, EXPLAINED, SHORT_PLACES

# The table as text: routes, continents with the grey market, seats, the cards of those who look.
#
# Rule: itc 16.1.

_NAME: Final = 16
_GOOD: Final = 7
_APART: Final = "   "
REFUSED: Final = "x"
NONE: Final = "."


class Texts(details.DetailTexts):
    """The texts about one view, for given eyes and a page."""

    areas = CHOICES["area"]
    explained = EXPLAINED

    def board(self) -> str:
        """Everything that one has to see in order to play."""
        lines = [*self._state(), *self._routes(), *self._pays(), *self._prices()]
        lines += [*self._places(), *self._seats()]
        lines += [*self._hands(), self._piles()]
        lines += self.lines(self.say("legend"), 0)
        return "\n".join(lines)

    def status(self) -> list[str]:
        """Where the game stands, who has to do what, and the money of all seats."""
        money = [
            self.say("money", seat=seat, money=trader.money)
            for seat, trader in self.view.seats.items()
        ]
        return [*self._state(), *wrapped(money, self.page.width, self.indent)]

    def chapter_figures(self) -> Mapping[str, tuple[str, ...]]:
        """Loads under way, money, who has the grey market."""
        table = self.view
        owners = [load.owner for _, _, load in loads(table)]
        return {
            "9": self.by_seat({seat: owners.count(seat) for seat in table.seats}),
            "10": (str(owners.count(state.NEUTRAL)),),
            "13": self.by_seat({seat: f"{one.money:,}" for seat, one in table.seats.items()}),
            "14": () if table.controller is None else (self.page.seat(table.controller),),
        }

    def look(self, area: str) -> str:
        """One area in detail."""
        shown = {
            "hand": self.hand,
            "prices": self.prices,
            "discards": self.discards,
            "actions": self.actions,
            "income": self.income,
        }
        return shown[area]() if area in shown else self.route(Route(area))

    def _state(self) -> Iterator[str]:
        table = self.view
        if table.phase is state.Phase.PLACING:
            yield self.say("setting_up", goal=table.goal)
        else:
            yield self.say("head", round=table.round, goal=table.goal)
        if table.phase is state.Phase.OVER:
            money = {seat: trader.money for seat, trader in table.seats.items()}
            yield self.say("over", winner=leaders(money))
            return
        if table.last:
            yield self.say("last")
        turn, seat = table.turn, table.turn.seat
        dice = tuple(self.say("die", die=die, number=number) for die, number in turn.dice.items())
        over = table.seats[seat].cards - tables.LIMITS.hand
        params = {"rolled": dice, "die": turn.used, "points": turn.points, "count": over}
        yield self.say(table.phase.value, seat=seat, letter=letter_of(seat), **params)
        yield from self._details()

    def _details(self) -> Iterator[str]:
        """What else of the running turn matters: points for sales, rows to open, half-done acts."""
        turn = self.view.turn
        if turn.extra:
            yield self.say("extra", points=turn.extra)
        for route, rows in turn.duties.items():
            yield self.say("duty", route=route, rows=rows)
        if turn.landed:
            yield self.say("landed", places=turn.landed)
        busy = turn.busy
        if isinstance(busy, state.Selling):
            yield self.say("selling", place=busy.place, used=busy.used)
        elif isinstance(busy, state.Dropping):
            yield self.say("dropping", card=busy.card, goods=listed(busy.goods))
        elif isinstance(busy, state.Resettling):
            yield self.say("resettling", place=busy.place, left=busy.left)
        elif isinstance(busy, state.Organizing):
            yield self.say("organizing", place=busy.place, taken=len(busy.taken))

    def _routes(self) -> Iterator[str]:
        titles = {route: self.label("route", route).capitalize() for route in ROUTES}
        yield from picture(
            self.view.routes, self.seen_under, titles, self.page.width, ascii_only=self.page.ascii
        )
        for route in ROUTES:
            for load in self.view.routes[route].values():
                if len(load.cards) > 1:
                    yield self.say("mega", cards=load.cards, letter=letter_of(load.owner))

    def _pays(self) -> Iterator[str]:
        """What the loads of players are paid, by the route on which they are (Rule: itc 4.1)."""
        offers = tuple(
            self.say(
                "pay_of",
                letter=letter_of(load.owner),
                card=number,
                full=tables.CARDS[number].full[route],
                robbed=tables.CARDS[number].robbed[route],
            )
            for route, _, load in loads(self.view)
            for number in load.cards
            if load.owner
        )
        if offers and self.view.transport_pay:
            yield from self.lines(self.say("pays", offers=offers))

    def _prices(self) -> Iterator[str]:
        """The price card (Rule: itc 3.2)."""
        goods = tuple(
            self.say("price_of", good=good, amount=tables.VALUE[good], price=tables.SALE[good])
            for good in GOODS
        )
        yield from self.lines(self.say("price_card", offers=goods))

    def _places(self) -> Iterator[str]:
        goods = (right(self.label("good", good), _GOOD) for good in GOODS)
        yield " " * (_NAME + 3) + "".join(goods) + "   " + self.say("stones")
        for place in Place:
            yield self._place(place, self.view.places[place])

    def _place(self, place: Place, store: state.Store) -> str:
        groups = (
            right(group(store.goods[at], store.fresh[at]), _GOOD)
            if good in tables.PLACE[place].accepts
            else right(REFUSED, _GOOD)
            for at, good in enumerate(GOODS)
        )
        stones = _stones(store)
        name = fit(self.label("spot", place), _NAME)
        before = f"{name} {SHORT_PLACES[place]}{''.join(groups)}   "
        apart = before + (" ".join(stones) or NONE)
        return apart if columns(apart) <= self.page.width else before + "".join(stones)

    def _seats(self) -> Iterator[str]:
        width = max(10, min(20, self.page.width - 46))

        def row(head: str, name: str, *cells: str) -> str:
            sizes = zip(cells, (10, 9, 5, 5), strict=True)
            return head + fit(name, width) + "".join(right(cell, size) for cell, size in sizes)

        titles = self.say("euro"), self.say("stock"), "A", "T"
        yield row(" " * self.indent, self.say("seat"), *titles)
        for seat, one in self.view.seats.items():
            head = f"{'>' if seat == self.view.mover else ' '} {letter_of(seat)} "
            cells = f"{one.money:,}", str(one.stock), str(one.actions), str(one.transports)
            yield row(head, self.page.seat(seat), *cells) + self._mafia(seat, "  ")

    def _mafia(self, seat: Seat, gap: str) -> str:
        return gap + self.say("mafia") if seat == self.view.controller else ""

    def _hands(self) -> Iterator[str]:
        """The cards of those who look: transport cards one a line, action cards together."""
        for seat in sorted(self.eyes):
            actions = require(self.view.seats[seat].kept)
            texts = [self.phrase("look.actions", actions=actions)] if actions else []
            yield from self.hand_of(seat, texts)

    def _piles(self) -> str:
        table = self.view
        loaded = [load for _, _, load in loads(table)]
        transports = (
            len(tables.PLAYER_CARDS)
            + len(tables.NEUTRAL_CARDS)
            - sum(len(load.cards) for load in loaded)
            - sum(trader.transports for trader in table.seats.values())
            - len({*table.used_transports, *table.turn.stranded})
        )
        actions = (
            sum(card.copies for card in tables.ACTIONS.values())
            - sum(load.under is not state.Under.NONE for load in loaded)
            - sum(trader.actions for trader in table.seats.values())
            - sum(table.used_actions.values())
        )
        return self.say(
            "piles",
            transports=transports,
            used=len(table.used_transports),
            actions=actions,
            thrown=sum(table.used_actions.values()),
        )

    def summary_blocks(self) -> Iterator[SummaryBlock]:
        """The table in parts; the loads as a list where there is no room for their picture."""
        head, places = list(self._state()), list(self._places())
        traders = [f"{each}{_APART}" for each in self._traders()]
        seats = packed(traders, self.page.width, 0)
        drawn, hands = list(self._routes()), list(self._hands())
        room = self.page.lines - len(head) - len(places) - len(seats) - 1  # the last: the rest
        yield SummaryBlock(0, head)
        yield SummaryBlock(1, drawn if len(drawn) <= room else self._loads())
        yield SummaryBlock(1, places)
        yield SummaryBlock(1, seats)
        yield SummaryBlock(2, hands)
        yield SummaryBlock(4, [self._piles()])
        yield SummaryBlock(5, self.lines(self.say("legend"), 0))

    def linear_board(self) -> str:
        """The table in sentences: every load, what each continent has, a line for each seat."""
        lines = [*self._state(), *(self.route(route) for route in ROUTES)]
        for place in Place:
            lines += self.lines(self._place_told(place))
        lines += [*self._traders(), *self._hands(), self._piles()]
        return "\n".join(lines)

    show_moves = format_moves
    move_info = previews.remarks

    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return typed_moves.expand(self.view, seat, verb, text)

    def confirmation(self, seat: Seat, move: Move) -> Confirmation | None:
        return previews.doubt(self.view, seat, move)

    def _loads(self) -> list[str]:
        """The loads of each route in a list, the foremost first: `6.2 A225`, by row and column."""
        lines = []
        for route in ROUTES:
            spaces = self.view.routes[route]
            entries = [
                f"{state.row_of(at)}.{state.column_of(at)} {cell(load, self.seen_under(load))}"
                for at, load in ((at, spaces[at]) for at in from_the_top(spaces))
            ]
            title = self.label("route", route).capitalize()
            lines += self.listed(f"{title}: ", entries or [NONE])
        return lines

    def _traders(self) -> list[str]:
        """What each seat has, a sentence for each."""
        entries = []
        for seat, trader in self.view.seats.items():
            entries.append(
                self.say(
                    "trader",
                    letter=letter_of(seat),
                    seat=seat,
                    money=trader.money,
                    stones=trader.stock,
                    kept=trader.actions,
                    loads=trader.transports,
                )
                + self._mafia(seat, " ")
            )
        return entries

    def _place_told(self, place: Place) -> str:
        """What a continent has and does not take, and whose stones stand there."""
        store, accepts = self.view.places[place], tables.PLACE[place].accepts
        name = self.label("spot", place)
        goods = [
            f"{self.label('good', good)} "
            + (group(store.goods[at], store.fresh[at]) if good in accepts else REFUSED)
            for at, good in enumerate(GOODS)
            if good not in accepts or store.goods[at]
        ]
        return self.say(
            "spot", name=name, taken=tuple(goods) or NONE, stones=_stones(store) or NONE
        )


def _stones(store: state.Store) -> tuple[str, ...]:
    """Whose stones stand at a place: `A2`, `B1`."""
    seats = enumerate(store.stones, start=1)
    return tuple(f"{letter_of(Seat(at))}{count}" for at, count in seats if count)


def group(count: int, fresh: int) -> str:
    """A group of goods: `5(2)`, where two of the five came in this turn."""
    if fresh:
        return f"{count}({fresh})"
    return str(count) if count else NONE
