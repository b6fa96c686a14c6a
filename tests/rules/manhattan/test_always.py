"""What always holds, in random games: section 11 of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import Built, Captured, Got, Lost, Scored, Took
from bluebear.rules.manhattan.rules.moves import BUILDS
from bluebear.rules.manhattan.rules.state import (
    CARDS,
    COPIES,
    FLOORS,
    SIZES,
    Building,
    Card,
    City,
    Phase,
    Site,
    State,
)
from tests.rules.manhattan.scene import A, building_turn

games = given(
    seed=st.integers(0, 2**32),
    seats=st.integers(2, 4),
    options=st.fixed_dictionaries({"sixrounds": st.booleans(), "turned_cards": st.booleans()}),
)
few = settings(max_examples=6)


def outcomes(seed: int, seats: int, options: dict[str, bool]) -> Iterator[Outcome[Any]]:
    """A random game, from its set-up to its end."""
    chance = FastChance(seed)
    made = GAME.setup(GAME.info.complete(options), seats, chance)
    yield made
    while made.state.turn is not None:
        turn = made.state.turn
        legal = GAME.plain(made.state, turn)
        made = GAME.play(made.state, turn, legal[chance.pick(len(legal))], chance)
        yield made


@pytest.mark.rule("manhattan 11.1")
@few
@games
def test_no_floor_is_ever_lost_from_sight(seed: int, seats: int, options: dict[str, bool]) -> None:
    for made in outcomes(seed, seats, options):
        table: State = made.state
        for seat, builder in table.seats.items():
            stock = sum(size * count for size, count in zip(SIZES, builder.stock, strict=True))
            placed = [
                building.floors[seat - 1]
                for buildings in table.cities.values()
                for building in buildings.values()
            ]
            assert stock + sum(builder.chosen) + sum(placed) + builder.lost == FLOORS


@pytest.mark.rule("manhattan 11.2", "manhattan 11.4")
@few
@games
def test_every_card_is_somewhere_and_every_hand_has_four(
    seed: int, seats: int, options: dict[str, bool]
) -> None:
    for made in outcomes(seed, seats, options):
        table: State = made.state
        hands = [require(builder.hand) for builder in table.seats.values()]
        assert [len(hand) for hand in hands] == [4] * seats
        for card in CARDS:
            in_hands = sum(hand.count(card) for hand in hands)
            assert in_hands + require(table.deck)[card - 1] + table.used[card] == COPIES


@pytest.mark.rule("manhattan 11.3")
@few
@games
def test_an_owner_has_as_many_floors_as_he_needed(
    seed: int, seats: int, options: dict[str, bool]
) -> None:
    for made in outcomes(seed, seats, options):
        for buildings in made.state.cities.values():
            for building in buildings.values():
                assert building.floors[building.owner - 1] == max(building.floors)


@pytest.mark.rule("manhattan 11.5")
@few
@games
def test_a_round_is_worth_between_0_and_69_points(
    seed: int, seats: int, options: dict[str, bool]
) -> None:
    rounds = 0
    for made in outcomes(seed, seats, options):
        reported = [event.points for event in made.events if isinstance(event, Scored)]
        assert 0 <= sum(reported) <= 54 + 12 + 3
        rounds += bool(reported)
    assert rounds == made.state.rounds


@pytest.mark.rule("manhattan 11.6", "manhattan 6.2")
@few
@games
def test_a_game_has_a_fixed_length(seed: int, seats: int, options: dict[str, bool]) -> None:
    happened = [event for made in outcomes(seed, seats, options) for event in made.events]
    turns = [event for event in happened if isinstance(event, Built | Captured | Lost)]
    choices = [event for event in happened if isinstance(event, Took | Got)]
    assert len(turns) == 24 * seats
    assert len(choices) == (6 if options["sixrounds"] else 4) * seats


@pytest.mark.rule("manhattan 4.1", "manhattan 4.2", "manhattan 4.3")
@few
@games
def test_legal_builds_are_those_of_a_plain_reading_of_the_rules(
    seed: int, seats: int, options: dict[str, bool]
) -> None:
    options["turned_cards"] = False
    for made in outcomes(seed, seats, options):
        table: State = made.state
        if table.phase is Phase.BUILDING and table.turn is not None:
            expected = {
                build
                for sites in BUILDS.values()
                for builds in sites.values()
                for build in builds
                if _allowed(table, table.turn, build.block, build.city, build.site)
            }
            assert set(GAME.legal(table, table.turn)) == expected


def _allowed(table: State, seat: Seat, block: int, city: City, site: Site) -> bool:
    builder = table.seats[seat]
    if block not in builder.chosen or Card(site) not in require(builder.hand):
        return False
    placed = table.cities[city].get(site)
    if placed is None or placed.owner == seat:
        return True
    return placed.floors[seat - 1] + block >= placed.floors[placed.owner - 1]


@few
@games
def test_all_invariants_hold_in_every_position(
    seed: int, seats: int, options: dict[str, bool]
) -> None:
    for made in outcomes(seed, seats, options):
        assert list(GAME.invariants(made.state)) == []


@pytest.mark.rule("manhattan 11.1", "manhattan 11.2", "manhattan 11.3", "manhattan 11.4")
def test_what_is_broken_is_reported() -> None:
    complete: State = GAME.setup(GAME.info.complete({}), 2, FastChance(1)).state
    builder = complete.seats[A]
    groundless = complete.cities[City.CAIRO].put(Site(1), Building((0, 0), A))
    broken = {
        "has 46 floors in all": but(builder, stock=(10, 6, 4, 3)),
        "score 7": but(builder, score=7),
        "has 3 cards": but(builder, hand=require(builder.hand)[:3]),
        "has an order": but(builder, hand=tuple(sorted(require(builder.hand), reverse=True))),
    }
    for sentence, section in broken.items():
        table = but(complete, seats=complete.seats.put(A, section))
        assert any(sentence in each for each in GAME.invariants(table)), sentence
    for sentence, table in {
        "card 1: ": but(complete, deck=(9, *require(complete.deck)[1:])),
        "no floor in it": but(complete, cities=complete.cities.put(City.CAIRO, groundless)),
    }.items():
        assert any(sentence in each for each in GAME.invariants(table)), sentence


def test_a_seat_that_cannot_build_is_not_requested_to() -> None:
    walled = dict.fromkeys(City, "B9 B9 B9  B9 B9 B9  B9 B9 B9")
    reported = list(GAME.invariants(building_turn(walled)))
    assert "seat 1 is to build and cannot" in reported


def test_a_move_leaves_what_it_does_not_touch() -> None:
    table = building_turn({City.SYDNEY: "A1 . .  . . .  . . ."})
    made = GAME.play(table, A, GAME.grammar.parse("/build 1 cairo 2"), FastChance(1))
    assert made.state.cities[City.SYDNEY] is table.cities[City.SYDNEY]
    assert table.cities[City.CAIRO] == Keyed()
