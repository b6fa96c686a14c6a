"""Search: honest, repeatable, and stopped when no caller waits for it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from bluebear.clients.bots.search import Playouts, SearchResult, Seconds, think
from bluebear.clients.bots.search.playouts import RulePlayouts, UniformModel
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Move, Seat
from tests.rules.game_files import GAMES
from tests.rules.test_search_models import Decision, decisions

THINKING: Final = [pytest.param(game, id=key) for key, game in GAMES.items() if game.thinker]
PLAYOUTS: Final = 12


def some(game: Game[Any], number: int) -> list[Decision]:
    """Decisions early and late in a game of two, or of as few as can play."""
    results = [at for at in decisions(game, max(2, game.info.seats.min), 3) if len(at.moves) > 1]
    return results[:: max(1, len(results) // number)][:number]


def thought(game: Game[Any], state: Any, at: Decision, seed: int = 5) -> SearchResult[Move]:
    view = game.seen(state, frozenset({at.seat}))
    budget = Playouts(PLAYOUTS)
    made = think(
        game, view, at.seat, at.moves, budget=budget, chance=FastChance(seed), clock=lambda: 0.0
    )
    assert made.best in at.moves
    return made


@pytest.mark.parametrize("game", THINKING)
def test_in_two_worlds_that_look_the_same_it_thinks_the_same(game: Game[Any]) -> None:
    for at in some(game, 3):
        eyes = frozenset({at.seat})
        other = game.determinize(game.seen(at.state, eyes), eyes, FastChance(9))
        assert thought(game, at.state, at) == thought(game, other, at)


def manhattan() -> tuple[Game[Any], Decision]:
    game = GAMES["manhattan"]
    return game, some(game, 4)[2]


def test_another_seed_deals_the_rest() -> None:
    game, at = manhattan()
    made = [thought(game, at.state, at, seed) for seed in (1, 2)]
    assert made[0] != made[1]


def test_the_candidates_are_judged_on_as_many_deals() -> None:
    game, at = manhattan()
    view = game.seen(at.state, frozenset({at.seat}))
    made = think(game, view, at.seat, at.moves, budget=Playouts(60), chance=FastChance(1))
    assert sum(each.playouts for each in made.judged) == made.playouts >= 60
    assert made.judged[0].playouts >= made.judged[-1].playouts
    best = next((each for each in made.judged if each.move == made.best), None)
    assert best is not None
    assert 0 <= best.chance <= 1
    assert [name for name, _ in best.terms] == list(game.thinker.named if game.thinker else ())
    assert best.reply is not None


def test_one_legal_move_is_not_thought_about() -> None:
    game, at = manhattan()
    view = game.seen(at.state, frozenset({at.seat}))
    made = think(game, view, at.seat, at.moves[:1], budget=Playouts(60), chance=FastChance(1))
    assert (made.best, made.playouts) == (at.moves[0], 0)


def test_no_more_candidates_than_are_requested() -> None:
    game, at = manhattan()
    view = game.seen(at.state, frozenset({at.seat}))
    made = think(game, view, at.seat, at.moves, budget=Playouts(90), chance=FastChance(1), most=2)
    assert len(made.judged) == 2


def test_who_is_stopped_answers_what_he_has() -> None:
    game, at = manhattan()
    view = game.seen(at.state, frozenset({at.seat}))
    requests: list[None] = []

    def stopped() -> bool:
        requests.append(None)
        return len(requests) > 200

    budget = Playouts(100_000)
    made = think(
        game, view, at.seat, at.moves, budget=budget, chance=FastChance(1), stopped=stopped
    )
    assert made.best in at.moves
    assert len(requests) < 210


def test_no_time_is_enough_for_the_greedy_move() -> None:
    game, at = manhattan()
    view = game.seen(at.state, frozenset({at.seat}))
    ticks = iter(range(10**6))
    made = think(
        game,
        view,
        at.seat,
        at.moves,
        budget=Seconds(0.5),
        chance=FastChance(1),
        clock=lambda: float(next(ticks)),
    )
    assert made.best == made.greedy


def test_a_game_without_a_thinker_is_played_out_at_random() -> None:
    game = GAMES["duel"]
    assert game.thinker is None
    [at] = some(game, 1)
    made = thought(game, at.state, at)
    assert made.playouts == PLAYOUTS
    walk = RulePlayouts(
        game, UniformModel(game), game.seen(at.state, frozenset({at.seat})), at.seat
    )
    walk.deal(1)
    rest = walk.play_out(at.moves[0])
    assert rest.first
    assert set(rest.first) <= {Seat(1), Seat(2)}


def test_a_plan_holds_while_the_legal_moves_are_those_foreseen() -> None:
    game = GAMES["railroad_ink"]
    state = game.setup(game.info.complete({}), 2, FastChance(4)).state
    seat = Seat(2)
    eyes = frozenset({seat})
    moves = game.plain(state, seat)
    made = think(
        game, game.seen(state, eyes), seat, moves, budget=Playouts(2), chance=FastChance(1)
    )
    assert len(made.after) >= 3
    move = made.best
    for planned in made.after:
        state = game.play(state, seat, move, FastChance(1)).state
        assert frozenset(game.plain(state, seat)) == planned.moves
        move = planned.move
