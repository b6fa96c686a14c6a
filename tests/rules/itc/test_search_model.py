"""What the thinker of I.T.C. says: where playouts stop, what is promised there, what it sees."""

from __future__ import annotations

from bluebear.rules.core.search_model import POINT
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.bot import search_model
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.moves import Attack, Stone
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.itc.example import NA, A, B, table

MARKET = Place.MARKET
TERMS = ("loads", "cards", "stones")


def promised(state: State, seat: Seat) -> dict[str, int]:
    """In euro, by the names of the terms."""
    thinker = GAME.thinker
    terms = thinker.terms(state)[seat - 1]
    return {name: each // POINT for name, each in zip(thinker.named, terms, strict=True)}


def test_a_playout_rests_at_the_next_turn_of_who_thinks() -> None:
    since = but(table(), round=3)
    turn = but(since.turn, seat=A)
    later = but(since, phase=Phase.DICE, round=4, turn=turn)
    rests = GAME.thinker.rests
    assert rests(later, since)
    assert not rests(but(later, turn=but(turn, seat=B)), since)
    assert not rests(but(later, round=3), since)
    assert not rests(but(later, phase=Phase.ACTING), since)
    assert not rests(but(later, last=True), since)


def test_a_load_promises_more_the_further_it_is() -> None:
    worths = [
        search_model.loads(table(loads={Route.BLUE: {at: "A170"}}, die=Die.BLUE), A)
        for at in (11, 31, 51)
    ]
    assert 0 < worths[0] < worths[1] < worths[2]
    assert search_model.loads(table(loads={Route.BLUE: {51: "A170"}}), B) == 0


def test_stones_promise_what_they_can_sell_and_less_where_another_could_sell_it() -> None:
    goods = {NA: {Good.BLUE: 3}}
    alone = search_model.stones(table(goods=goods, stones={NA: (3, 0)}), A)
    shared = search_model.stones(table(goods=goods, stones={NA: (3, 3)}), A)
    few = search_model.stones(table(goods=goods, stones={NA: (2, 0)}), A)
    assert alone > shared > few > 0
    assert search_model.stones(table(stones={MARKET: (1, 0)}), A) > 0


def test_what_is_promised_stands_beside_the_money_until_the_game_is_over() -> None:
    state = table(goods={NA: {Good.BLUE: 3}}, stones={NA: (3, 0)}, loads={Route.BLUE: {51: "A170"}})
    assert all(promised(state, A)[name] >= 0 for name in TERMS)
    assert promised(state, A)["stones"] > 0
    over = but(state, phase=Phase.OVER)
    assert all(promised(over, A)[name] == 0 for name in TERMS)


def test_who_thinks_attacks_a_full_grey_market_before_greedy_does() -> None:
    state = table(
        goods={MARKET: {Good.BLACK: 2, Good.RED: 3}},
        stones={MARKET: (0, 3)},
        die=Die.GREEN,
        points=3,
    )
    moves = [move for move in GAME.plain(state, A) if isinstance(move, Attack | Stone)]
    attack = next(at for at, move in enumerate(moves) if isinstance(move, Attack))
    keen = GAME.thinker.insights(state, A, moves, patience=100)
    plain = GAME.thinker.worths(state, A, moves)
    assert keen[attack] > plain[attack]
    rest = [at for at in range(len(moves)) if at != attack]
    assert [keen[at] for at in rest] == [plain[at] for at in rest]
