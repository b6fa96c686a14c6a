"""The grey market: attacks, control, stones and sales beyond the worked examples."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Event, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Good, Place
from bluebear.rules.itc.rules.continents import fight
from bluebear.rules.itc.rules.events import Attacked, Clashed, MarketHeld, MarketLeft, MarketTaken
from bluebear.rules.itc.rules.state import State
from bluebear.rules.itc.rules.turn_context import Desk
from tests.rules.itc.example import (
    A,
    B,
    lines,
    next_turn,
    play_lines,
    refused,
    say,
    stones_at,
    table,
)
from tests.rules.scripted_chance import every_outcome

MARKET = Place.MARKET


@pytest.mark.rule("itc 14.4")
def test_the_higher_number_removes_a_stone_and_equal_ones_are_rolled_again() -> None:
    start = table(points=2, stones={MARKET: (0, 2)})
    # Red 3 against green 3 is rolled again; 4 to 1 and 6 to 5 win, 1 to 8 between them loses.
    after, events = play_lines(start, "/attack", draws=[2, 2, 3, 0, 0, 7, 5, 4])
    assert events == [
        Attacked(A, B, 3),
        Clashed(A, B, 3, 3, 3, 2),
        Clashed(A, B, 4, 1, 3, 1),
        Clashed(A, B, 1, 8, 2, 1),
        Clashed(A, B, 6, 5, 2, 0),
        MarketTaken(A, 2),
    ]
    assert stones_at(after, MARKET) == (2, 0)
    assert (after.seats[A].stock, after.seats[B].stock) == (38, 40)
    assert (after.turn.points, after.controller) == (1, A)


@pytest.mark.rule("itc 14.4")
def test_an_attack_that_fails_leaves_the_defender_what_he_has_left() -> None:
    start = table(stones={MARKET: (0, 3)})
    after, events = play_lines(start, "/attack", draws=[5, 0, 0, 1, 0, 1, 0, 1])
    assert events[-1] == MarketHeld(B, 2)
    assert stones_at(after, MARKET) == (0, 2)
    assert (after.seats[A].stock, after.seats[B].stock) == (40, 38)


@pytest.mark.rule("itc 14.4")
def test_one_attack_in_a_turn_costs_a_point_and_the_controller_makes_none() -> None:
    start = table(stones={MARKET: (0, 1)})
    lost = say(start, "/attack", draws=[0, 1] * 3)
    assert refused(lost, "/attack", "14.4") == "attacked_already"
    rest = but(next_turn(lost), phase=start.phase)
    later = next_turn(rest)
    again = but(later, phase=start.phase, turn=but(later.turn, used=Die.GREEN, points=1))
    assert lines(again, "attack") == [""]
    controls = table(stones={MARKET: (1, 0)})
    assert refused(controls, "/attack", "14.4") == "controls_already"


@pytest.mark.rule("itc 15.2")
def test_the_house_rule_lifts_the_limit_of_one_attack() -> None:
    start = table(stones={MARKET: (0, 1)}, options={"attack_limit": False})
    assert not start.attack_limit
    lost = say(start, "/attack", draws=[0, 1] * 3)
    assert stones_at(say(lost, "/attack", draws=[5, 0]), MARKET) == (3, 0)


@pytest.mark.rule("itc 14.4", "itc 1.6")
def test_who_has_fewer_than_three_stones_attacks_with_these() -> None:
    start = table(stones={Place.ASIA: (38, 0), MARKET: (0, 1)})
    _, events = play_lines(start, "/attack", draws=[5, 0])
    assert events[0] == Attacked(A, B, 2)
    assert events[-1] == MarketTaken(A, 2)


@pytest.mark.rule("itc 14.5")
def test_an_empty_grey_market_is_taken_without_dice() -> None:
    after, events = play_lines(table(), "/attack")
    assert events == [MarketTaken(A, 3)]
    assert stones_at(after, MARKET) == (3, 0)


@pytest.mark.rule("itc 14.6", "itc 14.1")
def test_only_the_controller_puts_and_sells_there() -> None:
    start = table(goods={MARKET: {Good.BLACK: 2}}, stones={MARKET: (0, 1)})
    assert refused(start, "/stone market", "14.6") == "not_controller"
    assert refused(start, "/sell market black", "14.6") == "not_controller"
    assert "market" not in lines(start, "stone")
    controls = table(goods={MARKET: {Good.BLACK: 2}}, stones={MARKET: (1, 0)})
    assert stones_at(say(controls, "/stone market"), MARKET) == (2, 0)


@pytest.mark.rule("itc 14.3", "itc 2.8")
def test_the_last_stone_that_sells_leaves_the_market_to_no_person() -> None:
    start = table(goods={MARKET: {Good.WHITE: 3, Good.BLUE: 1}}, stones={MARKET: (1, 0)})
    assert refused(start, "/sell market blue", "14.2") == "cheapest_first"
    after, events = play_lines(start, "/sell market white")
    assert events[-1] == MarketLeft(A)
    assert after.seats[A].money == 4_500
    assert after.controller is None
    assert refused(after, "/sell market blue", "14.6") == "not_controller"


@pytest.mark.rule("itc 14.2")
def test_where_nothing_lies_nothing_is_sold() -> None:
    start = table(stones={Place.ASIA: (2, 0)})
    assert refused(start, "/sell asia black", "14.2") == "nothing_to_sell"
    bare = table(goods={Place.ASIA: {Good.BLACK: 1}})
    assert refused(bare, "/sell asia black", "14.2") == "too_few_stones"


@pytest.mark.rule("itc 2.7", "itc 14.1")
def test_a_stone_is_placed_on_any_continent_for_a_point() -> None:
    start = table(points=1, stones={MARKET: (0, 1)})
    assert len(lines(start, "stone")) == 6
    after = say(start, "/stone europe")
    assert stones_at(after, Place.EUROPE) == (1, 0)
    assert (after.seats[A].stock, after.turn.points) == (39, 0)


def chance_of_taking(defenders: int, green_die: int = 8) -> Fraction:
    """The exact probability that three stones beat so many; a tie is no outcome."""
    win, lose = odds(green_die)
    table_of: dict[tuple[int, int], Fraction] = {}
    for owned_items in range(4):
        for theirs in range(defenders + 1):
            if not owned_items or not theirs:
                table_of[owned_items, theirs] = Fraction(int(not theirs))
            else:
                table_of[owned_items, theirs] = (
                    win * table_of[owned_items, theirs - 1]
                    + lose * table_of[owned_items - 1, theirs]
                )
    return table_of[3, defenders]


def odds(green_die: int) -> tuple[Fraction, Fraction]:
    """How one decided roll goes, by every outcome of the engine's own fight of one against one."""
    start: State = table(
        stones={Place.ASIA: (39, 0), MARKET: (0, 1)}, options={"green_die": str(green_die)}
    )

    def attack(chance: Chance) -> bool | None:
        draft = GAME.tree.draft(start)
        try:
            fight(Desk(draft, _Once(chance), list[Event]().append))
        except _Tie:
            return None
        return draft.controller == A

    counts = {True: Fraction(0), False: Fraction(0), None: Fraction(0)}
    for weight, won in every_outcome(attack):
        counts[won] += weight
    decided = counts[True] + counts[False]
    return counts[True] * Fraction(1) / decided, counts[False] / decided


class _Tie(Exception):
    """The two first dice were equal."""


class _Once(Chance):
    """Hands draws on, and stops at a second roll."""

    def __init__(self, chance: Chance) -> None:
        super().__init__()
        self._chance = chance

    def _below(self, bound: int, index: int) -> int:
        if self.counter > 2:
            raise _Tie
        return self._chance.pick(bound)


@pytest.mark.rule("itc 14.4", "itc 1.5")
def test_the_odds_of_one_roll_are_15_to_27() -> None:
    assert odds(8) == (Fraction(15, 42), Fraction(27, 42))


@pytest.mark.rule("itc 15.4")
def test_with_a_green_die_of_six_sides_a_roll_is_even() -> None:
    assert odds(6) == (Fraction(1, 2), Fraction(1, 2))
    assert GAME.info.options["green_die"].choices == ("8", "6")


@pytest.mark.rule("itc 14.4")
@pytest.mark.parametrize(("defenders", "thousandths"), [(1, 734), (2, 450), (3, 246)])
def test_the_odds_of_three_attackers(defenders: int, thousandths: int) -> None:
    assert round(chance_of_taking(defenders) * 1000) == thousandths
