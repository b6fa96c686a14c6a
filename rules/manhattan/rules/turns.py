"""The course of a game: setting up, whose turn it is, rounds, the end."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, leaders
from bluebear.rules.core.game_info import RULES_OPTION, Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules import block_choice, building, state
from bluebear.rules.manhattan.rules.cards import FULL_DECK, NO_DISCARDS, dealt
from bluebear.rules.manhattan.rules.events import Began, Dealt, GameOver, Got, RoundBegan, Scored
from bluebear.rules.manhattan.rules.scoring import added, points_of


def set_up(options: Options, seats: int, chance: Chance, emit: Emit) -> state.State:
    """The table before the first choice (Rule: manhattan 2.1, 2.2, 2.3)."""
    start = Seat(chance.die(seats))
    rounds = state.rounds_of(sixrounds=bool(options["sixrounds"]))
    emit(Began(start, rounds=rounds, blocks=state.per_round_of(rounds)))
    deck = FULL_DECK
    builders: dict[Seat, state.Builder] = {}
    for seat in map(Seat, range(1, seats + 1)):
        hand, deck = dealt(deck, chance)
        emit(Dealt(seat, hand))
        builders[seat] = state.Builder(hand)
    return state.State(
        rules=int(options[RULES_OPTION]),
        sixrounds=bool(options["sixrounds"]),
        turned_cards=bool(options["turned_cards"]),
        phase=state.Phase.CHOOSING,
        round=1,
        start=start,
        cities=Keyed({city: Keyed() for city in state.City}),
        seats=Keyed(builders),
        used=NO_DISCARDS,
        deck=deck,
    )


def run_forced_moves(table: state.State, chance: Chance, emit: Emit) -> None:
    """Everything that happens by itself up to the next decision, or to the end of the game."""
    while (seat := table.turn) is not None:
        builder = table.seats.peek(seat)
        if table.phase is state.Phase.CHOOSING:
            if builder.chosen:  # The turn is back at the start player: all have chosen.
                table.phase = state.Phase.BUILDING
                continue
            choices = block_choice.choices(table, seat)
            if len(choices) > 1:
                return
            # Rule: manhattan 3.3.
            emit(Got(seat, choices[0].blocks))
            block_choice.take(table, seat, choices[0])
        elif not builder.chosen:  # All have as many blocks as the seat that is next: none.
            _score(table, emit)
        elif building.can_build(table, seat):
            return
        else:
            building.exchange(table, seat, chance, emit)


def _score(table: state.State, emit: Emit) -> None:
    """The scoring of a round, and what follows (Rule: manhattan 4.8, 5, 6.1, 6.2, 6.3)."""
    for seat, points in points_of(table.cities, len(table.seats)).items():
        builder = table.seats[seat]
        builder.score += points.total
        builder.points = added(builder.points, points)
        emit(
            Scored(
                seat,
                round=table.round,
                buildings=points.buildings,
                cities=points.cities,
                tallest=points.tallest,
                points=points.total,
                score=builder.score,
            )
        )
    if table.round == table.rounds:
        table.phase = state.Phase.OVER
        winners = leaders({seat: builder.score for seat, builder in table.seats.items()})
        emit(GameOver(winners, table.seats[winners[0]].score))
        return
    table.phase = state.Phase.CHOOSING
    table.round += 1
    table.start = state.next_seat(table.start, len(table.seats))
    emit(RoundBegan(table.round, table.start))
