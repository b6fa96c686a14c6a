"""What holds in every position of every game (spec 21), on random games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.rules.core.chance import FastChance, NoChance, WouldDraw
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.conformance.random_play import any_move, start
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Event, Seat, but, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import ACTIONS, CARDS, LIMITS, PLACE, ROUTE, SALE, VALUE
from bluebear.rules.itc.data.terms import GOODS, ROUTES, Place, Route
from bluebear.rules.itc.rules.events import Caught, SmugglingPaid, Sold, TheftPaid, TransportPaid
from bluebear.rules.itc.rules.loading import spaces_of, way_out
from bluebear.rules.itc.rules.state import (
    NEUTRAL,
    Phase,
    Space,
    Spaces,
    State,
    column_of,
    row_of,
    space,
)

OPTIONS = st.fixed_dictionaries(
    {
        "goal": st.sampled_from([20_000, 60_000, 200_000]),
        "attack_limit": st.booleans(),
        "transport_pay": st.booleans(),
        "green_die": st.sampled_from(["8", "6"]),
        "max_rounds": st.sampled_from([3, 6, 10]),
    }
)
games = given(seed=st.integers(0, 2**32), seats=st.integers(2, 6), options=OPTIONS)
few = settings(max_examples=6)

Chosen = dict[str, Any]  # Any: values of options


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, the one before, and what led to it."""

    before: State
    after: State
    events: tuple[Event, ...]


def moments(seed: int, seats: int, options: Chosen) -> Iterator[Moment]:
    """A random game of plain moves, from its set-up to its end."""
    chance = FastChance(seed)
    made = GAME.setup(GAME.info.complete(options), seats, chance)
    state = made.state
    yield Moment(state, state, made.events)
    while (mover := state.mover) is not None:
        plain = GAME.plain(state, mover)
        made = GAME.play(state, mover, plain[chance.pick(len(plain))], chance)
        yield Moment(state, made.state, made.events)
        state = made.state


@pytest.mark.rule("itc 1.6", "itc 2.8")
@few
@games
def test_stones_are_conserved_and_one_player_has_the_grey_market(
    seed: int, seats: int, options: Chosen
) -> None:
    for made in moments(seed, seats, options):
        table = made.after
        loads = [load for spaces in table.routes.values() for load in spaces.values()]
        for seat, trader in table.seats.items():
            placed = sum(store.stones[seat - 1] for store in table.places.values())
            transported = sum(len(load.cards) for load in loads if load.owner == seat)
            assert trader.stock >= 0
            assert trader.stock + placed + transported == 40
        assert sum(count > 0 for count in table.places[Place.MARKET].stones) <= 1


@pytest.mark.rule("itc 1.3", "itc 1.4", "itc 5.3")
@few
@games
def test_every_card_is_in_exactly_one_position(seed: int, seats: int, options: Chosen) -> None:
    for made in moments(seed, seats, options):
        table = made.after
        results = [*require(table.transport_pile), *table.used_transports, *table.turn.stranded]
        actions = sum(require(table.action_pile)) + sum(table.used_actions.values())
        for trader in table.seats.values():
            results.extend(require(trader.hand))
            actions += len(require(trader.kept)) + len(require(trader.under))
            assert not any(CARDS[card].neutral for card in require(trader.hand))
        for spaces in table.routes.values():
            for load in spaces.values():
                results.extend(load.cards)
        assert sorted(results) == sorted(CARDS)
        assert actions == 80 == sum(card.copies for card in ACTIONS.values())


@pytest.mark.rule("itc 2.5", "itc 2.6", "itc 12.9")
@few
@games
def test_no_group_overflows_and_no_refused_good_lies_anywhere(
    seed: int, seats: int, options: Chosen
) -> None:
    for made in moments(seed, seats, options):
        for position, store in made.after.places.items():
            for good, count in zip(GOODS, store.goods, strict=True):
                room = PLACE[position].spaces if good in PLACE[position].accepts else 0
                assert 0 <= count <= room


@pytest.mark.rule("itc 12.6", "itc 12.7", "itc 12.10", "itc 14.2", "itc 14.3", "itc 11.5")
@few
@games
def test_money_is_from_the_named_sources_only(seed: int, seats: int, options: Chosen) -> None:
    for made in moments(seed, seats, options):
        change = dict.fromkeys(made.after.seats, 0)
        for event in made.events:
            match event:
                case TransportPaid() | SmugglingPaid() | TheftPaid() | Sold():
                    assert event.amount >= 0
                    change[event.seat] += event.amount
                case Caught():
                    change[event.seat] -= event.amount
                case _:
                    pass
            if isinstance(event, Sold):
                assert event.amount == event.count * SALE[event.good]
            if isinstance(event, TheftPaid):
                assert event.amount in VALUE.values()
            if isinstance(event, TransportPaid):
                assert event.amount <= max(CARDS[event.card].full.values())
        for seat, trader in made.after.seats.items():
            before = made.before.seats[seat].money if made.before is not made.after else 0
            assert trader.money - before == change[seat]
            assert trader.money == trader.income.total


@pytest.mark.rule("itc 4.7", "itc 9.9", "itc 2.3", "itc 11.7")
@few
@games
def test_loads_lie_where_they_may(seed: int, seats: int, options: Chosen) -> None:
    for made in moments(seed, seats, options):
        for route, spaces in made.after.routes.items():
            counts = dict.fromkeys(made.after.seats, 0)
            for at, load in spaces.items():
                assert 1 <= row_of(at) <= ROUTE[route].rows
                assert 1 <= column_of(at) <= ROUTE[route].columns
                assert all(route in CARDS[card].routes for card in load.cards)
                if load.owner != NEUTRAL:
                    counts[load.owner] += len(load.cards)
                if len(load.cards) == 2:
                    assert sum(load.cards) <= 400
            assert max(counts.values()) <= 2


@pytest.mark.rule("itc 7.5", "itc 11.3")
@few
@games
def test_between_turns_nothing_is_left_open(seed: int, seats: int, options: Chosen) -> None:
    for made in moments(seed, seats, options):
        table = made.after
        if table.phase is Phase.DICE and made.before.phase in (Phase.ACTING, Phase.DISCARDING):
            assert all(trader.cards <= LIMITS.hand + 1 for trader in table.seats.values())
            assert table.seats[made.before.turn.seat].cards <= LIMITS.hand
            assert not any(any(store.fresh) for store in table.places.values())
            assert (table.turn.busy, table.turn.points, table.turn.stranded) == (None, 0, ())
            assert not any(
                load.fresh for spaces in table.routes.values() for load in spaces.values()
            )


@pytest.mark.rule("itc 13.3", "itc 13.1", "itc 7.3")
@few
@games
def test_every_game_ends_in_time(seed: int, seats: int, options: Chosen) -> None:
    last = list(moments(seed, seats, options))[-1].after
    assert last.phase is Phase.OVER
    assert last.round <= options["max_rounds"]
    assert last.last or last.round == options["max_rounds"]
    assert GAME.result(last) is not None


@few
@games
def test_all_invariants_hold_in_every_position(seed: int, seats: int, options: Chosen) -> None:
    for made in moments(seed, seats, options):
        assert list(GAME.invariants(made.after)) == []


@pytest.mark.rule("itc 9.4")
@few
@games
def test_who_can_leave_a_row_is_who_can_by_a_search_of_all_routes(
    seed: int, seats: int, options: Chosen
) -> None:
    for made in moments(seed, seats, options):
        table = made.after
        for route in ROUTES:
            spaces = table.routes[route]
            for seat in table.seats:
                for row in range(1, ROUTE[route].rows + 1):
                    for at in spaces_of(spaces, route, row, seat):
                        result = bool(way_out(spaces, route, at))
                        assert result == _leaves(spaces, route, at, seat)


def _leaves(spaces: Spaces, route: Route, at: Space, seat: Seat) -> bool:
    """Every position that a seat's own loads can come to; whether the load leaves its row."""
    rest = frozenset(each for each, load in spaces.items() if load.owner != seat)
    first: tuple[Space | None, ...] = tuple(
        each for each, load in spaces.items() if load.owner == seat
    )
    of_seat = first.index(at)
    waiting, reached = [first], {first}
    while waiting:
        here = waiting.pop()
        if here[of_seat] is None or here[of_seat] != at:
            return True
        for number, one in enumerate(here):
            if one is None:
                continue
            taken = rest | frozenset(each for each in here if each is not None)
            for to in _targets(route, one, taken):
                following = (*here[:number], to, *here[number + 1 :])
                if following not in reached:
                    reached.add(following)
                    waiting.append(following)
    return False


def _targets(route: Route, one: Space, taken: frozenset[Space]) -> list[Space | None]:
    row, column = row_of(one), column_of(one)
    if row == ROUTE[route].rows:
        return [None]
    straight = space(row + 1, column)
    if straight not in taken:
        return [straight]
    sides = (each for each in (column - 1, column + 1) if 1 <= each <= ROUTE[route].columns)
    return [at for at in (space(row + 1, each) for each in sides) if at not in taken]


@few
@games
def test_what_is_not_legal_is_refused_and_what_is_legal_is_not(
    seed: int, seats: int, options: Chosen
) -> None:
    case = read_case(GAME, [f"seats={seats}"])
    at = start(case, seed % 1000)
    choice = FastChance(seed)
    for number, made in enumerate(moments(seed, seats, options)):
        mover = made.after.mover
        if mover is None or number % 7:
            continue
        legal = set(GAME.legal(made.after, mover))
        for _ in range(60):
            move = any_move(GAME.grammar.verbs, at, choice)
            if move is None:
                continue
            try:
                GAME.play(made.after, mover, move, NoChance())
            except NotAllowed:
                assert move not in legal
            except WouldDraw:
                assert move in legal
            else:
                assert move in legal


def test_what_is_broken_is_reported() -> None:
    complete: State = GAME.setup(GAME.info.complete({}), 2, FastChance(1)).state
    trader = complete.seats[Seat(1)]
    market = complete.places[Place.MARKET]
    asia = complete.places[Place.ASIA]
    broken = {
        "39 + 0 + 0 stones": but(trader, stock=39),
        "counted wrongly": but(trader, transports=3),
        "has an order": but(trader, hand=tuple(reversed(require(trader.hand)))),
        "and earned 0": but(trader, money=500),
    }
    for sentence, section in broken.items():
        table = but(complete, seats=complete.seats.put(Seat(1), section))
        assert any(sentence in each for each in GAME.invariants(table)), sentence
    for sentence, table in {
        "two seats": but(
            complete, places=complete.places.put(Place.MARKET, but(market, stones=(1, 1)))
        ),
        "refuses red": but(
            complete, places=complete.places.put(Place.ASIA, but(asia, goods=(0, 0, 1, 0, 0, 0)))
        ),
        "9 black": but(
            complete, places=complete.places.put(Place.ASIA, but(asia, goods=(9, 0, 0, 0, 0, 0)))
        ),
        "is in 0 places": but(complete, transport_pile=require(complete.transport_pile)[1:]),
        "copies": but(complete, action_pile=(0, *require(complete.action_pile)[1:])),
    }.items():
        assert any(sentence in each for each in GAME.invariants(table)), sentence
