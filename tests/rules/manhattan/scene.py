"""Tables for scenes: drawn cities, cards and blocks in hands, and lines that seats type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from bluebear.rules.core.chance import Chance, FastChance, NoChance
from bluebear.rules.core.game import Outcome, TextPage
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Event, Eyes, Seat, but, require
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import Drew
from bluebear.rules.manhattan.rules.state import (
    CARDS,
    COPIES,
    SITES,
    STOCK,
    Builder,
    Building,
    Card,
    Cities,
    City,
    Phase,
    Points,
    Site,
    State,
    next_seat,
)

A, B, C, D = (Seat(number) for number in (1, 2, 3, 4))

WHATEVER: Final = (1, 2, 3, 4)
"""A hand where the cards do not matter."""

PLAIN: Final = TextPage(ascii=True)

_SHARE: Final = re.compile(r"([A-D])(\d+)")


def city(picture: str, seats: int = 2) -> Keyed[Site, Building]:
    """A city as drawn: `A1B3` is a building of one floor of A's and three of B's, B on top."""
    cells = picture.split()
    assert len(cells) == len(SITES), picture
    return Keyed(
        {
            site: building(cell, seats)
            for site, cell in zip(SITES, cells, strict=True)
            if cell != "."
        }
    )


def building(cell: str, seats: int = 2) -> Building:
    """A building as drawn in a cell of a city."""
    floors = [0] * seats
    owner = A
    for letter, count in _SHARE.findall(cell):
        owner = Seat("ABCD".index(letter) + 1)
        floors[owner - 1] += int(count)
    return Building(tuple(floors), owner)


def cities(pictures: Mapping[City, str], seats: int = 2) -> Cities:
    """All six cities; those that are not drawn are empty."""
    drawn = {each: city(picture, seats) for each, picture in pictures.items()}
    return Keyed({each: drawn.get(each, Keyed()) for each in City})


def choosing(seats: int = 2, *, stock: Sequence[int] = STOCK, sixrounds: bool = False) -> State:
    """The first round: all players have to choose, A begins."""
    return _table(seats, phase=Phase.CHOOSING, stock=tuple(stock), chosen=(), sixrounds=sixrounds)


def building_turn(
    pictures: Mapping[City, str] | None = None,
    *,
    hand: Sequence[int] = WHATEVER,
    other_hands: Sequence[int] = WHATEVER,
    chosen: Sequence[int] = (1,),
    rest_chosen: Sequence[int] | None = None,
    stock: Sequence[int] = STOCK,
    turn: Seat = A,
    start: Seat | None = None,
    seats: int = 2,
    turned_cards: bool = False,
) -> State:
    """A turn in the first round: one seat has this hand and these blocks, the others those.

    Without another start player the seat to move began the round; those between the two have
    built already.
    """
    table = _table(
        seats,
        phase=Phase.BUILDING,
        stock=tuple(stock),
        chosen=tuple(chosen if rest_chosen is None else rest_chosen),
        hand=other_hands,
        turned_cards=turned_cards,
    )
    seat_state = but(table.seats[turn], hand=cards(*hand), chosen=tuple(chosen))
    placed = table.seats.put(turn, seat_state)
    seat = first = turn if start is None else start
    while seat != turn and rest_chosen is None:
        placed = placed.put(seat, but(placed[seat], chosen=tuple(chosen[:-1])))
        seat = next_seat(seat, seats)
    table = but(table, start=first, cities=cities(pictures or {}, seats), seats=placed)
    assert table.turn == turn, "the blocks before the seats say whose turn it is"
    return but(table, deck=_rest(table))


def _table(
    seats: int,
    *,
    phase: Phase,
    stock: tuple[int, ...],
    chosen: tuple[int, ...],
    hand: Sequence[int] = WHATEVER,
    sixrounds: bool = False,
    turned_cards: bool = False,
) -> State:
    builder = Builder(
        hand=cards(*hand), stock=stock, chosen=chosen, lost=0, score=0, points=Points(0, 0, 0)
    )
    table = State(
        rules=1,
        sixrounds=sixrounds,
        turned_cards=turned_cards,
        phase=phase,
        round=1,
        start=A,
        cities=cities({}),
        seats=Keyed({Seat(number): builder for number in range(1, seats + 1)}),
        used=Keyed(dict.fromkeys(CARDS, 0)),
        deck=(COPIES,) * len(CARDS),
    )
    return but(table, deck=_rest(table))


def cards(*numbers: int) -> tuple[Card, ...]:
    """A hand of cards."""
    return tuple(map(Card, sorted(numbers)))


def _rest(table: State) -> tuple[int, ...]:
    """The cards that are neither in a hand nor discarded."""
    hands = [card for builder in table.seats.values() for card in require(builder.hand)]
    return tuple(COPIES - hands.count(card) - table.used[card] for card in CARDS)


def with_piles(table: State, *, deck: Sequence[int], discards: Sequence[int]) -> State:
    """The table with so many copies of card 1, 2, ... 9 in the deck and among the discards."""
    return but(table, deck=tuple(deck), used=Keyed(dict(zip(CARDS, discards, strict=True))))


def play(table: State, seat: Seat, line: str, chance: Chance | None = None) -> State:
    """The table after a line."""
    after: State = outcome(table, seat, line, chance).state
    return after


def outcome(table: State, seat: Seat, line: str, chance: Chance | None = None) -> Outcome[Any]:
    """What comes of a canonical line; draws do not matter unless a chance is given."""
    return GAME.play(table, seat, GAME.grammar.parse(line), chance or FastChance(1))


def play_all(table: State, *lines: str) -> tuple[State, list[Event]]:
    """The table after lines of the player on turn, and all events."""
    happened: list[Event] = []
    for line in lines:
        assert table.turn is not None
        made = outcome(table, table.turn, line)
        table = made.state
        happened += made.events
    return table, happened


def refusal(table: State, seat: Seat, line: str) -> NotAllowed:
    """Why a canonical line is not allowed; it must be refused before anything is drawn."""
    with pytest.raises(NotAllowed) as caught:
        outcome(table, seat, line, NoChance())
    return caught.value


def typed(table: State, seat: Seat, text: str) -> str:
    """The canonical line of what a seat types, as a server finds it."""
    grammar = GAME.grammar
    body = text.removeprefix("/")
    head, _, rest = (grammar.expand(body) or body).partition(" ")
    (name,) = grammar.heads.find(fold(head))
    move = grammar.understand(grammar.verbs[name], rest, lambda: GAME.legal(table, seat))
    return grammar.format(move)


def lines(table: State, seat: Seat) -> list[str]:
    """What a seat may do."""
    return [GAME.grammar.format(move) for move in GAME.legal(table, seat)]


def eyes(*seats: Seat) -> Eyes:
    """The eyes of some seats; of a spectator without any."""
    return frozenset(seats)


def board(table: State, *seats: Seat) -> str:
    """The board in plain English, for these eyes."""
    seen = eyes(*seats)
    return GAME.text(GAME.seen(table, seen), seen, PLAIN).board()


def kinds(made: Outcome[Any]) -> list[str]:
    """The events by name, without the cards that players draw."""
    return [type(event).__name__ for event in made.events if type(event) is not Drew]
