"""Sequential halving: who stays, who is chosen, when it stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bluebear.clients.bots.search.budget import Playouts, SearchBudget, Seconds
from bluebear.clients.bots.search.halving import LEAST_BATCHES, race
from bluebear.rules.core.chance import FastChance


def purse(number: int) -> SearchBudget:
    return SearchBudget(Playouts(number), clock=lambda: 0.0, stopped=lambda: False)


def noisy(
    averages: Sequence[float], money: SearchBudget, noise: float = 0.0
) -> Callable[[int, Sequence[int]], list[float]]:
    """Trials of candidates with these means."""
    chance = FastChance(1)

    def play(batch: int, left: Sequence[int]) -> list[float]:
        money.playouts += len(left)
        return [averages[each] + noise * (chance.pick(1000) / 500 - 1) for each in left]

    return play


def test_the_best_is_detected_and_the_worse_half_gets_less_time() -> None:
    averages = [0.50, 0.45, 0.61, 0.55, 0.30, 0.40, 0.52, 0.35]
    money = purse(1200)
    ran = race(8, noisy(averages, money, noise=0.3), money)
    assert ran.chosen(sure=1.0) == 2
    attempts = [len(each) for each in ran.values]
    assert attempts[2] == attempts[0] > attempts[6] > attempts[4]


def test_the_greedy_candidate_never_moves_though_it_is_worst() -> None:
    money = purse(400)
    ran = race(8, noisy([0.1, *[0.5] * 7], money, noise=0.2), money)
    assert 0 in ran.left
    assert ran.chosen(sure=1.0) != 0


def test_a_lead_that_may_be_luck_leaves_the_greedy_move() -> None:
    money = purse(40)
    ran = race(2, noisy([0.500, 0.501], money, noise=0.5), money)
    assert ran.mean(1) != ran.mean(0)
    assert ran.chosen(sure=3.0) == 0


def test_it_stops_when_the_leader_cannot_be_caught() -> None:
    money = purse(100_000)
    ran = race(2, noisy([0.2, 0.9], money, noise=0.1), money)
    assert ran.chosen(sure=0.7) == 1
    assert len(ran.values[1]) == LEAST_BATCHES


def test_what_was_detected_is_answered_when_it_is_stopped() -> None:
    money = purse(1000)
    play = noisy([0.2, 0.9], money)

    def until_the_fifth(batch: int, left: Sequence[int]) -> list[float] | None:
        return None if batch == 5 else play(batch, left)

    ran = race(2, until_the_fifth, money)
    assert [len(each) for each in ran.values] == [5, 5]
    assert ran.chosen(sure=0.0) == 1


def test_without_any_trial_the_greedy_move_stays() -> None:
    ran = race(4, lambda batch, left: None, purse(10))
    assert ran.chosen(sure=0.0) == 0


def test_seconds_are_those_of_the_clock_that_is_given() -> None:
    now = [0.0]
    money = SearchBudget(Seconds(2.0), clock=lambda: now[0], stopped=lambda: False)

    def play(batch: int, left: Sequence[int]) -> list[float] | None:
        now[0] += 0.1 * len(left)
        return [0.5] * len(left) if money.has_budget() else None

    ran = race(4, play, money)
    assert now[0] >= 2.0
    assert sum(map(len, ran.values)) <= 20
