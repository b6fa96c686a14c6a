"""Tables of worked examples: goods, stones and loads as an example tells them, and typed lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Event, Move, Seat, but, require
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import ACTIONS, CARDS
from bluebear.rules.itc.data.terms import GOODS, ACard, Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.state import Load, Phase, Space, State, Store, Turn, Under
from tests.rules.scripted_chance import ScriptedChance

A, B, C, D = (Seat(number) for number in (1, 2, 3, 4))

NA: Final = Place.NORTH_AMERICA

Loads = Mapping[int, str]
"""Loads of a route by space (ten times the row, plus the column): `A170`, `A195+205`, `n07`.

A `?` behind it covers smuggling, an `x` express.
"""


def table(
    seats: int = 2,
    *,
    goods: Mapping[Place, Mapping[Good, int]] | None = None,
    stones: Mapping[Place, Sequence[int]] | None = None,
    loads: Mapping[Route, Loads] | None = None,
    hands: Mapping[Seat, Sequence[int]] | None = None,
    kept: Mapping[Seat, Sequence[str]] | None = None,
    money: Mapping[Seat, int] | None = None,
    die: Die | None = Die.GREEN,
    points: int = 6,
    mover: Seat = A,
    **changes: Any,  # Any: fields of the table
) -> State:
    """A seat has so many points of a die left in round 1; the piles hold all other cards."""
    options = GAME.info.complete(changes.pop("options", {}))
    made: State = GAME.setup(options, seats, FastChance(1)).state
    routes, under = _routes(loads or {})
    placed = stones or {}
    positions = {
        position: Store(
            goods=_counts((goods or {}).get(position, {})),
            fresh=(0,) * len(GOODS),
            stones=tuple(placed.get(position, ())) + (0,) * (seats - len(placed.get(position, ()))),
        )
        for position in Place
    }
    turn = but(Turn(mover), used=die, points=points)
    made = but(
        made,
        phase=Phase.ACTING,
        round=1,
        start=_start(A, seats),
        turn=turn,
        routes=routes,
        places=Keyed(positions),
    )
    made = but(made, **changes)
    return _with_cards(made, hands or {}, kept or {}, under, money or {})


def _start(first: Seat, seats: int) -> Seat:
    """Who placed the first stone where this seat has the first turn (Rule: itc 6.6)."""
    return Seat((first - 1 - 6) % seats + 1)


def _counts(goods: Mapping[Good, int]) -> tuple[int, ...]:
    return tuple(goods.get(good, 0) for good in GOODS)


def _routes(
    loads: Mapping[Route, Loads],
) -> tuple[Keyed[Route, Keyed[Space, Load]], dict[Seat, dict[TCard, Under]]]:
    under: dict[Seat, dict[TCard, Under]] = {}
    made: dict[Route, Keyed[Space, Load]] = {}
    for route in Route:
        spaces: dict[Space, Load] = {}
        for at, text in loads.get(route, {}).items():
            spaces[Space(at)] = load = _load(text)
            if text[-1] in "?x":
                cover = Under.SMUGGLING if text[-1] == "?" else Under.EXPRESS
                under.setdefault(load.owner, {})[load.cards[0]] = cover
        made[route] = Keyed(spaces)
    return Keyed(made), under


def _load(text: str) -> Load:
    covered = text[-1] in "?x"
    numbers = text.rstrip("?x")[1:].split("+")
    owner = Seat(0) if text[0] == "n" else Seat("ABCDEF".index(text[0]) + 1)
    return Load(
        cards=tuple(TCard(int(number)) for number in numbers),
        owner=owner,
        under=Under.HIDDEN if covered else Under.NONE,
        fresh=False,
    )


def _with_cards(
    made: State,
    hands: Mapping[Seat, Sequence[int]],
    kept: Mapping[Seat, Sequence[str]],
    under: Mapping[Seat, Mapping[TCard, Under]],
    money: Mapping[Seat, int],
) -> State:
    """Hands as told, stones in stock, and piles of all cards that are nowhere else."""
    loads = [load for spaces in made.routes.values() for load in spaces.values()]
    out = {card for load in loads for card in load.cards}
    left = {code: card.copies for code, card in ACTIONS.items()}
    seats = dict(made.seats.items())
    for seat, trader in seats.items():
        hand = tuple(TCard(card) for card in sorted(hands.get(seat, ())))
        owned_items = tuple(sorted(map(ACard, kept.get(seat, ())), key=list(ACTIONS).index))
        covers = under.get(seat, {})
        out.update(hand)
        for code in (
            *owned_items,
            *(ACard("1" if u is Under.SMUGGLING else "10") for u in covers.values()),
        ):
            left[code] -= 1
        loaded = sum(len(load.cards) for load in loads if load.owner == seat)
        placed = sum(store.stones[seat - 1] for store in made.places.values())
        seats[seat] = but(
            trader,
            money=money.get(seat, 0),
            income=but(trader.income, transport=money.get(seat, 0)),
            hand=hand,
            transports=len(hand),
            kept=owned_items,
            actions=len(owned_items),
            under=Keyed(covers),
            stock=40 - loaded - placed,
        )
    return but(
        made,
        seats=Keyed(seats),
        transport_pile=tuple(card for card in sorted(CARDS) if card not in out),
        action_pile=tuple(left.values()),
    )


def say(state: State, *lines: str, seat: Seat = A, draws: Sequence[int] = ()) -> State:
    """The table after canonical lines; `draws` are all results of draws, from 0."""
    return play_lines(state, *lines, seat=seat, draws=draws)[0]


def play_lines(
    state: State, *lines: str, seat: Seat = A, draws: Sequence[int] = ()
) -> tuple[State, list[Event]]:
    """The table after canonical lines, and what happened."""
    chance = ScriptedChance(*draws)
    events: list[Event] = []
    for line in lines:
        move = GAME.grammar.parse(line)
        assert move in list(GAME.legal(state, seat)), f"{line} is not legal"
        made = GAME.play(state, seat, move, chance)
        state = made.state
        events += made.events
        assert list(GAME.invariants(state)) == []
    assert chance.left == ()
    return state, events


def refused(state: State, line: str, rule: str, seat: Seat = A) -> str:
    """The code of the refusal of a line, which cites a paragraph; it is not among the legal."""
    move = GAME.grammar.parse(line)
    assert move not in list(GAME.legal(state, seat))
    with pytest.raises(NotAllowed) as caught:
        GAME.play(state, seat, move, ScriptedChance())
    assert caught.value.rule == rule
    return caught.value.code


def lines(state: State, verb: str, seat: Seat = A) -> list[str]:
    """The legal lines of a verb, without the verb."""
    moves: list[Move] = list(GAME.legal(state, seat))
    written = [GAME.grammar.format(move).removeprefix("/") for move in moves]
    return [line.partition(" ")[2] for line in written if line.split()[0] == verb]


def goods_at(state: State, place: Place) -> dict[Good, int]:
    """The goods of a place by colour, without the colours that are not there."""
    counts = state.places[place].goods
    return {good: count for good, count in zip(GOODS, counts, strict=True) if count}


def stones_at(state: State, place: Place) -> tuple[int, ...]:
    """The stones of each seat at a place."""
    return state.places[place].stones


def cards_at(state: State, route: Route, at: int) -> tuple[TCard, ...]:
    """The cards of the load on a space."""
    return state.routes[route][Space(at)].cards


def pick_action(state: State, code: str) -> int:
    """The result of a draw that is this action card."""
    at = list(ACTIONS).index(ACard(code))
    assert require(state.action_pile)[at], code
    return sum(require(state.action_pile)[:at])


def pick_transports(state: State, *cards: int) -> list[int]:
    """The results of draws that are these transport cards."""
    pile = list(require(state.transport_pile))
    made = []
    for card in cards:
        made.append(pile.index(TCard(card)))
        pile.remove(TCard(card))
    return made


def rolled(state: State, **dice: int) -> State:
    """The table with dice lying open, one of which is to be used."""
    numbers = Keyed({Die(die): number for die, number in dice.items()})
    turn = but(state.turn, dice=numbers, used=None, points=0)
    return but(state, phase=Phase.ROLLED, turn=turn)


def next_turn(state: State, code: str = "1") -> State:
    """The table after the turn has ended and the next seat has drawn an action card."""
    mover = state.turn.seat
    return say(state, "/end", seat=mover, draws=[pick_action(state, code)])


def money(state: State, seat: Seat = A) -> int:
    return state.seats[seat].money


def with_dice(state: State, die: str, number: int) -> State:
    """The mover rolls blue and green and uses one of them."""
    numbers = (number - 1, 0) if die == "blue" else (0, number - 1)
    mover = state.turn.seat
    return say(state, "/dice blue green", f"/use {die}", seat=mover, draws=numbers)
