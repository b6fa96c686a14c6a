"""Duel: an auction for the sword, an attack, an answer, and rolls that can be bought again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.draft import draft_of, freeze
from bluebear.rules.core.game import Emit, Game, ScoreLine
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import NumberSlot
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Eyes, Move, Node, Seat, field_names
from tests.games.duel import actions
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
        Verb("bid", Bid, (NumberSlot("coins", 1, 6),), ("入札",), ("b",)),
        Verb("pass", Pass, (), ("パス",)),
        Verb("attack", Attack, (NumberSlot("target", 1, 3, kind=Seat),), ("攻撃",), ("a",)),
        Verb("parry", Parry, (), ("受ける",)),
        Verb("duck", Duck, (), ("かわす",)),
        Verb("reroll", Reroll, (), ("振り直す",)),
        Verb("stand", Stand, (), ("止める",)),
    ]
)


class DuelTexts(GameTexts[Ring]):
    """The texts about a view."""

    def board(self) -> str:
        view = self.view
        phase: dict[str, Any] = _fields(view.phase)  # Any: the fields of any phase
        if isinstance(view.phase, Auction):
            phase["seat"] = view.phase.still[0]
        rows = [self.say("seat", seat=seat, **_fields(one)) for seat, one in view.seats.items()]
        doing = self.say(type(view.phase).__name__.lower(), **phase)
        return "\n".join([self.say("round", round=view.round, rounds=view.rounds), *rows, doing])


class DuelGame(Game[Ring]):
    texts = DuelTexts
    state = Ring
    grammar = _GRAMMAR
    over_rule = "4.1"
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Ring:
        fighters = Keyed({Seat(seat): Fighter(lives=3, coins=6) for seat in range(1, seats + 1)})
        first = Seat(chance.pick(seats) + 1)
        rounds, rerolls = int(options["rounds"]), bool(options["rerolls"])
        ring = draft_of(Ring(fighters, Over(), first, 1, rounds, rerolls))
        actions.begin(ring, emit)
        return freeze(ring)

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

    def turn_rule(self, state: Ring) -> str:
        return "2.1"

    def choices(self, state: Ring, seat: Seat) -> list[Move]:
        return actions.choices(state)

    def why_not(self, state: Ring, seat: Seat, move: Move) -> NotAllowed | None:
        if move in actions.choices(state):
            return None
        return actions.refusal(state, move, self.grammar.verb_of(move).name)

    def apply(self, draft: Ring, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        actions.step(draft, move, chance, emit)

    def run_forced_moves(self, draft: Ring, chance: Chance, emit: Emit) -> None:
        while len(forced := actions.choices(draft)) == 1:
            actions.step(draft, forced[0], chance, emit)

    def fallback(self, state: Ring, seat: Seat) -> Move:
        return actions.choices(state)[-1]

    def determinize(self, view: Ring, eyes: Eyes, chance: Chance) -> Ring:
        return view  # nothing is hidden

    def scores(self, state: Ring) -> Mapping[Seat, int]:
        return {seat: 10 * one.lives + one.coins for seat, one in state.seats.items()}

    def breakdown(self, state: Ring) -> Iterator[ScoreLine]:
        for seat, one in state.seats.items():
            yield ScoreLine(seat, "lives", 10 * one.lives, "4.1")
            yield ScoreLine(seat, "coins", one.coins, "4.1")

    def invariants(self, state: Ring) -> Iterator[str]:
        for seat, one in state.seats.items():
            if not (0 <= one.lives <= 3 and 0 <= one.coins <= 6):
                yield f"seat {seat} has {one.lives} lives and {one.coins} coins"


def _fields(node: Node) -> dict[str, Any]:  # Any: fields are of any type
    return {name: getattr(node, name) for name in field_names(type(node))}


GAME = DuelGame()
