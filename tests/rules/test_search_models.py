"""Is what a game knows about thinking honest and complete, in every game that knows something?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.search_model import SearchModel
from bluebear.rules.core.visibility import Move, Seat
from tests.rules.game_files import GAMES

THINKING: Final = [
    pytest.param(game, game.thinker, id=key) for key, game in GAMES.items() if game.thinker
]
EVERY: Final = 7
"""Of the positions of a game one in so many is looked at."""


class Decision(NamedTuple):
    """A player is to move."""

    state: Any  # Any: each game has a state class of its own
    seat: Seat
    moves: list[Move]


def decisions(game: Game[Any], seats: int, seed: int) -> Iterator[Decision]:
    """Some positions of a game that is played half greedily, half at random."""
    chance = FastChance(seed)
    outcome = game.setup(game.info.complete({}), seats, chance)
    for number in range(280):
        if not outcome.to_move:
            return
        seat = min(outcome.to_move)
        moves = game.plain(outcome.state, seat)
        if number % EVERY == seed % EVERY:
            yield Decision(outcome.state, seat, moves)
        move = moves[chance.pick(len(moves))]
        if chance.pick(2) and "greedy" in game.bots:
            view = game.seen(outcome.state, frozenset({seat}))
            move = game.bots["greedy"](view, seat, moves, chance)
        outcome = game.play(outcome.state, seat, move, chance)


@pytest.mark.parametrize(("game", "thinker"), THINKING)
def test_every_term_is_a_phrase(game: Game[Any], thinker: SearchModel[Any]) -> None:
    for name in thinker.named:
        phrase = game.phrases.find(f"term.{name}")
        assert phrase is not None, name
        assert all(phrase.text(lang) and not phrase.params(lang) for lang in LANGS)
    amount = game.phrases.find("amount.term")
    assert amount is None or all(amount.params(lang) == {"points"} for lang in LANGS)


@pytest.mark.parametrize(("game", "thinker"), THINKING)
def test_the_stage_of_a_game_is_what_all_see_and_grows(
    game: Game[Any], thinker: SearchModel[Any]
) -> None:
    seats = max(2, game.info.seats.min)
    percents = []
    for at in decisions(game, seats, 1):
        stage = thinker.stage(at.state)
        assert stage is not None
        assert stage.seats == seats
        assert thinker.stage(game.seen(at.state, frozenset({at.seat}))) == stage
        percents.append(stage.percent)
    assert all(0 <= each < 100 for each in percents)
    assert percents[0] < 10
    assert percents[-1] > percents[0]


@pytest.mark.parametrize(("game", "thinker"), THINKING)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_policy_reads_only_what_its_mover_may_see(
    game: Game[Any], thinker: SearchModel[Any], seed: int
) -> None:
    """On the state, on the view, and on two deals of it: one judgement."""
    chance = FastChance(seed)
    for at in decisions(game, max(2, game.info.seats.min), seed):
        eyes = frozenset({at.seat})
        view = game.seen(at.state, eyes)
        worlds = [view, *(game.determinize(view, eyes, chance) for _ in range(2))]
        patient, hasty = (partial(thinker.insights, patience=each) for each in (100, 0))
        for judge in (thinker.worths, thinker.beginner_worths, patient, hasty):
            worths = list(judge(at.state, at.seat, at.moves))
            assert len(worths) == len(at.moves)
            assert all(list(judge(each, at.seat, at.moves)) == worths for each in worlds)
        number = thinker.candidates(at.state, at.seat)
        assert all(thinker.candidates(each, at.seat) == number for each in worlds)


@pytest.mark.parametrize(("game", "thinker"), THINKING)
def test_a_position_promises_every_seat_every_term(
    game: Game[Any], thinker: SearchModel[Any]
) -> None:
    for seats in {max(2, game.info.seats.min), min(4, game.info.seats.max)}:
        for at in decisions(game, seats, seats):
            terms = thinker.terms(at.state)
            assert [len(each) for each in terms] == [len(thinker.named)] * seats
            assert thinker.spread(at.state) >= 1
            assert not thinker.rests(at.state, at.state)
