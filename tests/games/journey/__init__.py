"""Journey: a game with steps that can be taken back, drawn treasures, and a rash move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Game, Rash, ScoreLine
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import Choice, WordSlot, tokens_of
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Eyes, Move, Seat, but, require
from tests.games.journey.actions import apply, refuse
from tests.games.journey.state import (
    Back,
    Dig,
    Go,
    Lake,
    Rest,
    Station,
    Traveller,
)

WORTHS: Final = {1: 6, 2: 4, 5: 2}
_NAMES: Final = ("港", "水車", "城", "修道院", "森", "市場")
_STATION: Final = WordSlot(
    "station",
    [Choice(each.value, (name,)) for each, name in zip(Station, _NAMES, strict=True)],
    kind=Station,
)


class JourneyTexts(GameTexts[Lake]):
    """The texts about a view."""

    def board(self) -> str:
        rows = [self.say("day", day=min(self.view.day, self.view.days), days=self.view.days)]
        for seat, one in self.view.seats.items():
            steps, finds, station = len(one.path) - 1, len(one.dug), one.path[-1]
            position = {"seat": seat, "station": station, "finds": finds}
            rows.append(self.say("seat", steps=steps, most=self.view.most_steps, **position))
            if one.found:
                rows.append(self.say("found", found=one.found))
        return "\n".join(rows)

    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """`/go mill castle dig`: two steps, then the draw."""
        terms = tokens_of(text)
        if verb != "go" or len(terms) < 2:
            return None
        digs = self.game.grammar.heads.find(terms[-1]) == ("dig",)
        steps = terms[:-1] if digs else terms
        moves = [Go(_STATION.read([term], 0)[0]) for term in steps]
        return (*moves, Dig()) if digs else tuple(moves)


class JourneyGame(Game[Lake]):
    texts = JourneyTexts
    static: ClassVar[Shaped] = {"stations": [each.value for each in Station]}
    state = Lake
    grammar = Grammar(
        [
            Verb("go", Go, (_STATION,), ("進む",), ("g",)),
            Verb("back", Back, (), ("戻る",)),
            Verb("dig", Dig, (), ("掘る",)),
            Verb("rest", Rest, (), ("休む",)),
        ]
    )
    over_rule = "3.1"

    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit) -> Lake:
        traveller = Traveller(path=(Station.HARBOR,), dug=(), found=())
        travellers = Keyed({Seat(seat): traveller for seat in range(1, seats + 1)})
        most_steps = 3 if options["season"] == "summer" else 2
        return Lake(travellers, Seat(1), 1, int(options["days"]), most_steps, Keyed(WORTHS))

    def to_move(self, state: Lake) -> frozenset[Seat]:
        return frozenset({state.turn} if state.day <= state.days else ())

    def turn_rule(self, state: Lake) -> str:
        return "2.1"

    def choices(self, state: Lake, seat: Seat) -> Iterator[Move | Rash]:
        for move in self.grammar.every_move:
            if self.why_not(state, seat, move) is None:
                idle = isinstance(move, Rest) and len(state.seats[seat].path) == 1
                yield Rash(move) if idle else move

    def why_not(self, state: Lake, seat: Seat, move: Move) -> NotAllowed | None:
        return refuse(state, seat, move)

    def take_back(self, state: Lake, seat: Seat, what: str) -> Move | None:
        return None if self.refusal(state, seat, Back()) else Back()

    def apply(self, draft: Lake, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        apply(draft, seat, move, chance, emit)

    def fallback(self, state: Lake, seat: Seat) -> Move:
        return self.plain(state, seat)[-1]

    def determinize(self, view: Lake, eyes: Eyes, chance: Chance) -> Lake:
        pile = dict(WORTHS)
        for worth in (worth for one in view.seats.values() for worth in one.found or ()):
            pile[worth] -= 1
        travellers = {}
        for seat, one in view.seats.items():
            results = list(one.found or ())
            while len(results) < len(one.dug):
                worth = list(pile)[chance.weighted(list(pile.values()))]
                pile[worth] -= 1
                results.append(worth)
            travellers[seat] = but(one, found=tuple(sorted(results)))
        return but(view, seats=Keyed(travellers), pile=Keyed(pile))

    def scores(self, state: Lake) -> Mapping[Seat, int]:
        return {seat: sum(require(one.found)) for seat, one in state.seats.items()}

    def breakdown(self, state: Lake) -> Iterator[ScoreLine]:
        result = self.scores(state).items()
        return (ScoreLine(seat, "treasures", score, "3.1") for seat, score in result)

    def invariants(self, state: Lake) -> Iterator[str]:
        results = [worth for one in state.seats.values() for worth in require(one.found)]
        pile = require(state.pile)
        for worth, count in WORTHS.items():
            if pile[worth] + results.count(worth) != count:
                yield f"treasures of worth {worth} have come or gone"


GAME = JourneyGame()
