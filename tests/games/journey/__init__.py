"""Journey: steps that can be taken back, a treasure that is drawn, a rest that may be rash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.chance import Chance
from rules.core.game import Game, Kind, Options, Outcome, Page, Result, ScoreLine, ranking
from rules.core.grammar import Grammar, Verb
from rules.core.keyed import Keyed
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.slots import Choice, Word, tokens_of
from rules.core.vision import Eyes, Move, Seat, held
from tests.games.journey.playing import after, refuse
from tests.games.journey.state import (
    Back,
    Counted,
    Dig,
    Dug,
    Go,
    Gone,
    Lake,
    Rest,
    Rested,
    Returned,
    Station,
    Traveller,
)

WORTHS: Final = {1: 6, 2: 4, 5: 2}
_NAMES: Final = ("港", "水車", "城", "修道院", "森", "市場")
_STATION: Final = Word(
    "station",
    [Choice(each.value, (name,)) for each, name in zip(Station, _NAMES, strict=True)],
    kind=Station,
)


class JourneyGame(Game[Lake]):
    package = "tests.games.journey"
    state = Lake
    moves = (Go, Back, Dig, Rest)
    events = (Gone, Returned, Dug, Rested, Counted)
    grammar = Grammar(
        [
            Verb("go", Go, (_STATION,), ("進む",), ("g",)),
            Verb("back", Back, (), ("戻る",)),
            Verb("dig", Dig, (), ("掘る",)),
            Verb("rest", Rest, (), ("休む",)),
        ]
    )

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        traveller = Traveller(path=(Station.HARBOR,), dug=(), found=())
        travellers = Keyed({Seat(seat): traveller for seat in range(1, seats + 1)})
        most_steps = 3 if options["season"] == "summer" else 2
        days = int(options["days"])
        return Outcome(Lake(travellers, Seat(1), 1, days, most_steps, Keyed(WORTHS)), ())

    def to_move(self, state: Lake) -> frozenset[Seat]:
        return frozenset({state.turn} if state.day <= state.days else ())

    def legal(self, state: Lake, seat: Seat) -> Iterator[Move]:
        if seat in self.to_move(state):
            every = [Back(), Dig(), *map(Go, sorted(Station)), Rest()]
            yield from (move for move in every if refuse(state, seat, move) is None)

    def kind(self, state: Lake, seat: Seat, move: Move) -> Kind:
        if isinstance(move, Back):
            return Kind.TAKE_BACK
        idle = isinstance(move, Rest) and len(state.seats[seat].path) == 1
        return Kind.RASH if idle else Kind.PLAIN

    def take_back(self, state: Lake, seat: Seat, what: str) -> Move | None:
        on_turn = seat in self.to_move(state)
        return Back() if on_turn and refuse(state, seat, Back()) is None else None

    def play(self, state: Lake, seat: Seat, move: Move, chance: Chance) -> Outcome:
        if seat not in self.to_move(state):
            raise NotAllowed("not_your_turn", rule="2.1")
        refused = refuse(state, seat, move)
        if refused is not None:
            raise refused
        return after(state, seat, move, chance)

    def expand(self, view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """`/go mill castle dig`: two steps, then the draw."""
        words = tokens_of(text)
        if verb != "go" or len(words) < 2:
            return None
        digs = self.grammar.heads.find(words[-1]) == ("dig",)
        steps = words[:-1] if digs else words
        moves = [Go(_STATION.read([word], 0)[0]) for word in steps]
        return (*moves, Dig()) if digs else tuple(moves)

    def fallback(self, state: Lake, seat: Seat) -> Move:
        return self.plain(state, seat)[-1]

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Lake:
        pile = dict(WORTHS)
        own = {seat: tuple(view["seats"][str(seat)]["found"]) for seat in sorted(eyes)}
        for worth in (worth for found in own.values() for worth in found):
            pile[worth] -= 1
        travellers = {}
        for key, shown in view["seats"].items():
            seat, dug = Seat(int(key)), tuple(map(Station, shown["dug"]))
            found = list(own.get(seat, ()))
            while len(found) < len(dug):
                worth = list(pile)[chance.weighted(list(pile.values()))]
                pile[worth] -= 1
                found.append(worth)
            path = tuple(map(Station, shown["path"]))
            travellers[seat] = Traveller(path=path, dug=dug, found=tuple(sorted(found)))
        turn, day, days, most = (view[key] for key in ("turn", "day", "days", "most_steps"))
        return Lake(Keyed(travellers), turn, day, days, most, Keyed(pile))

    def result(self, state: Lake) -> Result | None:
        if state.day <= state.days:
            return None
        scores = {seat: sum(held(one.found)) for seat, one in state.seats.items()}
        lines = (ScoreLine(seat, "treasures", score, "3.1") for seat, score in scores.items())
        return Result(ranking(scores), tuple(lines))

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        def say(key: str, **params: object) -> str:
            return self.phrases.say(f"board.{key}", page.lang, params, page.name_of)

        rows = [say("day", day=min(view["day"], view["days"]), days=view["days"])]
        for key, one in view["seats"].items():
            steps, finds, station = len(one["path"]) - 1, len(one["dug"]), one["path"][-1]
            place = {"seat": int(key), "station": station, "finds": finds}
            rows.append(say("seat", steps=steps, most=view["most_steps"], **place))
            if one.get("found"):
                rows.append(say("found", found=tuple(one["found"])))
        return "\n".join(rows)

    def static(self) -> Tree:
        return {"stations": [each.value for each in Station]}

    def invariants(self, state: Lake) -> Iterator[str]:
        found = [worth for one in state.seats.values() for worth in held(one.found)]
        for worth, count in WORTHS.items():
            if held(state.pile)[worth] + found.count(worth) != count:
                yield f"treasures of worth {worth} have come or gone"


GAME = JourneyGame()
