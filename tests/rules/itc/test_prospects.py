"""What is told of landings, sales and attacks before one chooses, and that it comes so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.visibility import Event, Move, Seat
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import CARDS, ROUTE
from bluebear.rules.itc.rules.events import Sold, Stolen, TransportPaid
from bluebear.rules.itc.rules.moves import Attack, Land, Sell
from bluebear.rules.itc.rules.route_state import lying
from bluebear.rules.itc.rules.state import State
from bluebear.rules.itc.text.previews import pay_of


@cache
def course() -> tuple[tuple[State, Seat, Move, tuple[Event, ...]], ...]:
    """A game of three who play well: each position, the move in it, and what came of it."""
    return tuple(_played())


def _played() -> Iterator[tuple[State, Seat, Move, tuple[Event, ...]]]:
    case = read_case(GAME, ["seats=3"])
    state, chance = GAME.setup(case.options, 3, FastChance(1)).state, Random(4)
    for number in range(900):
        movers = GAME.to_move(state)
        if not movers:
            return
        seat = min(movers)
        view = GAME.seen(state, frozenset((seat,)))
        plain = GAME.plain(state, seat)
        lands = [move for move in plain if isinstance(move, Land)]
        move = (
            chance.choice(lands) if lands else GAME.bots["greedy"](view, seat, plain, FastChance(1))
        )
        made = GAME.play(state, seat, move, FastChance(number))
        yield state, seat, move, made.events
        state = made.state


@pytest.mark.rule("itc 12.4", "itc 12.5", "itc 12.6")
def test_a_landing_pays_what_was_reported() -> None:
    landed = 0
    for table, _, move, events in course():
        if not isinstance(move, Land):
            continue
        result = lying(table, move.card)
        if len(result.load.cards) > 1:
            continue
        robbed = any(isinstance(event, Stolen) for event in events)
        paid = [event.amount for event in events if isinstance(event, TransportPaid)]
        assert paid == [pay_of(table, result, move.place, robbed=robbed)]
        landed += 1
    assert landed > 10


@pytest.mark.rule("itc 14.2")
def test_a_sale_brings_what_was_reported() -> None:
    sold = 0
    for table, seat, move, events in course():
        if not isinstance(move, Sell):
            continue
        text = " ".join(GAME.text(table, frozenset((seat,)), TextPage(width=200)).move_info(seat))
        (sale,) = [event for event in events if isinstance(event, Sold)]
        assert f"{sale.count} for {sale.amount:,} euro" in text
        sold += 1
    assert sold


@pytest.mark.rule("itc 14.4")
def test_whoever_can_attack_is_reported_the_odds() -> None:
    for table, seat, _, _ in course():
        can = Attack() in GAME.legal(table, seat)
        reply = GAME.text(table, frozenset((seat,))).move_info(seat)
        assert any(line.startswith("An attack with 3 against") for line in reply) <= can
        assert any(line.startswith("An attack with") for line in reply) == can


@pytest.mark.parametrize("lang", LANGS)
def test_remarks_are_of_legal_moves_only(lang: str) -> None:
    page = TextPage("ja" if lang == "ja" else "en")
    for table, seat, _, _ in course():
        wanted = [m for m in GAME.legal(table, seat) if isinstance(m, Land | Sell | Attack)]
        assert bool(GAME.text(table, frozenset((seat,)), page).move_info(seat)) == bool(wanted)
        for other in table.seats:
            if other != seat:
                assert not GAME.text(table, frozenset((other,)), page).move_info(other)


@pytest.mark.rule("itc 4.1")
def test_the_board_shows_the_price_card_and_the_pay_of_every_load() -> None:
    table = next(table for table, *_ in course() if sum(map(len, table.routes.values())) > 3)
    no_seats: frozenset[Seat] = frozenset()
    board = " ".join(GAME.text(GAME.seen(table, no_seats), no_seats, TextPage()).board().split())
    assert "Value on the way / at a sale: black 2,000/1,000, white" in board
    for route, spaces in table.routes.items():
        assert route in ROUTE
        for load in spaces.values():
            for card in load.cards if load.owner else ():
                assert f"{card} {CARDS[card].full[route]:,} (" in board
