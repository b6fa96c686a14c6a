"""The course of a game: setting up, whose turn it is, rounds, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.core.chance import Chance
from rules.core.game import RULES_OPTION, Options, Outcome
from rules.core.keyed import Keyed
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
from rules.manhattan import building, choosing
from rules.manhattan.cards import FULL_DECK, NO_DISCARDS, draw_hand
from rules.manhattan.events import (
    Began,
    Dealt,
    GameOver,
    Got,
    RoundBegan,
    Scored,
    Took,
)
from rules.manhattan.moves import Build, Take
from rules.manhattan.scoring import added, points_of
from rules.manhattan.state import STOCK, Builder, City, Phase, Points, Table, next_seat

_NO_POINTS: Final = Points(buildings=0, cities=0, tallest=0)
_TURN_RULE: Final[Mapping[Phase, str]] = {Phase.CHOOSING: "3.1", Phase.BUILDING: "4.1"}


def set_up(options: Options, seats: int, chance: Chance) -> Outcome:
    """The table before the first choice (Rule: manhattan 2.1, 2.2, 2.3)."""
    events: list[Event] = []
    start = Seat(chance.die(seats))
    deck, discards = FULL_DECK, NO_DISCARDS
    builders: dict[Seat, Builder] = {}
    for seat in map(Seat, range(1, seats + 1)):
        hand, deck, discards = draw_hand(deck, discards, chance, events)
        builders[seat] = Builder(
            hand=hand, stock=STOCK, chosen=(), lost=0, score=0, points=_NO_POINTS
        )
        events.append(Dealt(seat, hand))
    table = Table(
        rules=int(options[RULES_OPTION]),
        sixrounds=bool(options["sixrounds"]),
        turned_cards=bool(options["turned_cards"]),
        phase=Phase.CHOOSING,
        round=1,
        start=start,
        cities=Keyed({city: Keyed() for city in City}),
        seats=Keyed(builders),
        used=discards,
        deck=deck,
    )
    began = Began(start, rounds=table.rounds, blocks=table.per_round)
    return Outcome(table, (began, *events))


def legal(table: Table, seat: Seat) -> list[Move]:
    """Every legal move of a seat, sorted by line."""
    if seat != table.turn:
        return []
    if table.phase is Phase.CHOOSING:
        return [*choosing.choices(table, seat)]
    return [*building.builds(table, seat)]


def fallback(table: Table, seat: Seat) -> Move:
    """What is played for a seat whose time is up: an even choice, else the first build."""
    if table.phase is Phase.CHOOSING:
        return choosing.even_choice(table, seat)
    return building.builds(table, seat)[0]


def play(table: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
    """The outcome of a move, with everything that follows without a decision."""
    turn = table.turn
    if turn is None:
        raise NotAllowed("game_over", rule="6.2")
    if seat != turn:
        raise NotAllowed("not_your_turn", rule=_TURN_RULE[table.phase], other=turn)
    events: list[Event] = []
    if table.phase is Phase.CHOOSING:
        if not isinstance(move, Take):
            raise NotAllowed("choose_first", rule="3.1", count=table.per_round)
        move = choosing.checked(table, seat, move)
        events.append(Took(seat, move.blocks))
        table = choosing.take(table, seat, move)
    else:
        if not isinstance(move, Build):
            raise NotAllowed("build_now", rule="4.1")
        table = building.build(table, seat, move, chance, events)
    return _run_on(table, chance, events)


def _run_on(table: Table, chance: Chance, events: list[Event]) -> Outcome:
    """Everything that happens by itself up to the next decision, or to the end of the game."""
    while (seat := table.turn) is not None:
        builder = table.seats[seat]
        if table.phase is Phase.CHOOSING:
            if builder.chosen:  # The turn is back at the start player: all have chosen.
                table = but(table, phase=Phase.BUILDING)
                continue
            choices = choosing.choices(table, seat)
            if len(choices) > 1:
                break
            # Rule: manhattan 3.3.
            events.append(Got(seat, choices[0].blocks))
            table = choosing.take(table, seat, choices[0])
        elif not builder.chosen:  # All have as many blocks as the seat that is next: none.
            table = _scored(table, events)
        elif building.can_build(table, seat):
            break
        else:
            table = building.exchange(table, seat, chance, events)
    return Outcome(table, tuple(events))


def _scored(table: Table, events: list[Event]) -> Table:
    """The table after the scoring of a round (Rule: manhattan 4.8, 5, 6.1, 6.2)."""
    builders: dict[Seat, Builder] = {}
    for seat, points in points_of(table.cities, len(table.seats)).items():
        before = table.seats[seat]
        total = before.score + points.total
        builders[seat] = but(before, score=total, points=added(before.points, points))
        events.append(
            Scored(
                seat,
                round=table.round,
                buildings=points.buildings,
                cities=points.cities,
                tallest=points.tallest,
                points=points.total,
                score=total,
            )
        )
    if table.round == table.rounds:
        events.append(_won(builders))
        return but(table, phase=Phase.OVER, seats=Keyed(builders))
    start = next_seat(table.start, len(builders))
    events.append(RoundBegan(table.round + 1, start))
    return but(
        table,
        phase=Phase.CHOOSING,
        round=table.round + 1,
        start=start,
        seats=Keyed(builders),
    )


def _won(builders: Mapping[Seat, Builder]) -> GameOver:
    """Equal points share the win (Rule: manhattan 6.3)."""
    best = max(builder.score for builder in builders.values())
    winners = (seat for seat, builder in builders.items() if builder.score == best)
    return GameOver(tuple(winners), best)
