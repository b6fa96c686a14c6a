"""Duel: an auction for the sword, an attack, an answer, and rolls that can be bought again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from rules.core.chance import Chance
from rules.core.game import Game, Outcome, Page, Result, ScoreLine, ranking
from rules.core.grammar import Grammar, Verb
from rules.core.info import Options
from rules.core.keyed import Keyed
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.slots import Number
from rules.core.vision import Eyes, Move, Seat
from tests.games.duel import events, playing
from tests.games.duel.state import (
    Again,
    Answer,
    Attack,
    Auction,
    Bid,
    Duck,
    Fighter,
    Over,
    Parry,
    Pass,
    Reroll,
    Ring,
    Stand,
    Strike,
)

_GRAMMAR = Grammar(
    [
        Verb("bid", Bid, (Number("coins", 1, 6),), ("入札",), ("b",)),
        Verb("pass", Pass, (), ("パス",)),
        Verb("attack", Attack, (Number("target", 1, 3, kind=Seat),), ("攻撃",), ("a",)),
        Verb("parry", Parry, (), ("受ける",)),
        Verb("duck", Duck, (), ("かわす",)),
        Verb("reroll", Reroll, (), ("振り直す",)),
        Verb("stand", Stand, (), ("止める",)),
    ]
)


class DuelGame(Game[Ring]):
    package = "tests.games.duel"
    state = Ring
    moves = (Bid, Pass, Attack, Parry, Duck, Reroll, Stand)
    events = (
        events.RoundBegun,
        events.BidMade,
        events.Passed,
        events.SwordWon,
        events.Attacked,
        events.Parried,
        events.Ducked,
        events.Rerolled,
        events.Struck,
    )
    grammar = _GRAMMAR

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        fighters = Keyed({Seat(seat): Fighter(lives=3, coins=6) for seat in range(1, seats + 1)})
        first = Seat(chance.pick(seats) + 1)
        rounds, rerolls = int(options["rounds"]), bool(options["rerolls"])
        return playing.begin(Ring(fighters, Over(), first, 1, rounds, rerolls))

    def to_move(self, state: Ring) -> frozenset[Seat]:
        match state.phase:
            case Auction(still=still):
                return frozenset(still[:1])
            case Strike(seat=seat) | Again(seat=seat) | Answer(other=seat):
                return frozenset({seat})
            case Over():
                return frozenset()
            case phase:
                assert_never(phase)

    def legal(self, state: Ring, seat: Seat) -> Iterator[Move]:
        return iter(playing.choices(state) if seat in self.to_move(state) else ())

    def play(self, state: Ring, seat: Seat, move: Move, chance: Chance) -> Outcome:
        if seat not in self.to_move(state):
            raise NotAllowed("not_your_turn", rule="2.1")
        if move not in playing.choices(state):
            raise playing.refusal(state, move, self.grammar.verb_of(move).name)
        return playing.after(state, move, chance)

    def fallback(self, state: Ring, seat: Seat) -> Move:
        return playing.choices(state)[-1]

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Ring:
        return self.tree.load(view)  # nothing is hidden

    def result(self, state: Ring) -> Result | None:
        if not isinstance(state.phase, Over):
            return None
        scores = {seat: 10 * one.lives + one.coins for seat, one in state.seats.items()}
        lines = []
        for seat, one in state.seats.items():
            lines.append(ScoreLine(seat, "lives", 10 * one.lives, "4.1"))
            lines.append(ScoreLine(seat, "coins", one.coins, "4.1"))
        return Result(ranking(scores), tuple(lines))

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        def say(key: str, params: Tree) -> str:
            return self.phrases.say(f"board.{key}", page.lang, params, page.name_of)

        phase: dict[str, Any] = dict(view["phase"])  # Any: the fields of any phase
        if "still" in phase:
            phase["seat"] = phase["still"][0]
        rows = [say("seat", {"seat": int(key), **one}) for key, one in view["seats"].items()]
        return "\n".join([say("round", view), *rows, say(phase["is"].lower(), phase)])

    def invariants(self, state: Ring) -> Iterator[str]:
        for seat, one in state.seats.items():
            if not (0 <= one.lives <= 3 and 0 <= one.coins <= 6):
                yield f"seat {seat} has {one.lives} lives and {one.coins} coins"


GAME = DuelGame()
