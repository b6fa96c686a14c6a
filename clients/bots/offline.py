"""Games without a server: bots at the seats of seeded games, in one process.

    played = await play_offline(case, seed=1, bots={Seat(1): First(), Seat(2): First()})

Each bot gets the views and lines that a server would send to its seat. Equal seeds and seeded bots
give equal games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bluebear.clients.bots.strategies import tell_over
from bluebear.clients.bots.time_budget import SECONDS
from bluebear.clients.sdk import Chooser, MoveClock, RoomId, View, answer_of
from bluebear.clients.sdk import Seat as SeatNumber
from bluebear.protocol import Branch, Version
from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.game import Game, Result
from bluebear.rules.core.visibility import Seat

S = TypeVar("S")

OFFLINE: Final = RoomId("offline")
"""The room id of games without a room."""


class IllegalLineError(Exception):
    """A bot chose a line that is not legal."""

    def __init__(self, seat: Seat, line: str) -> None:
        super().__init__(f"seat {seat} said {line!r:.200}")
        self.line = line


class EndlessError(Exception):
    """A game had more moves than its rules declare possible."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game, and its lines by seat."""

    case: Case
    seed: int
    result: Result
    lines: tuple[tuple[Seat, str], ...]

    def rank(self, seat: Seat) -> int:
        """The rank of a seat, from 1."""
        return next(each.place for each in self.result.standings if each.seat == seat)


class Offline:
    """A running game; a seat to move may play one of its `lines`."""

    def __init__(self, case: Case, seed: int) -> None:
        self.case = case
        self.seed = seed
        self._chance: HmacChance = case.chance(seed)
        made = case.game.setup(case.options, case.seats, self._chance)
        self._state: Any = made.state  # Any: each game has a state class of its own
        self.to_move = made.to_move
        self.played_lines: list[tuple[Seat, str]] = []

    def lines(self, seat: Seat) -> tuple[str, ...]:
        """The legal lines of a seat, as a server sends them."""
        game = self.case.game
        return tuple(map(game.grammar.format, game.plain(self._state, seat)))

    def view(self, seat: Seat) -> View:
        """The view that a server would send to this seat."""
        return view_for(self.case.game, self._state, seat, self._room(), len(self.played_lines))

    def say(self, seat: Seat, line: str) -> None:
        """Play a line; IllegalLineError if it is not one of the seat's lines."""
        if seat not in self.to_move or line not in self.lines(seat):
            raise IllegalLineError(seat, line)
        game = self.case.game
        made = game.play(self._state, seat, game.grammar.parse(line), self._chance)
        self._state, self.to_move = made.state, made.to_move
        self.played_lines.append((seat, line))

    def result(self) -> Result | None:
        """The result; None while the game runs."""
        return self.case.game.result(self._state)

    def _room(self) -> Branch:
        """The table: the fields of a room that exist without a server."""
        result = self.result()
        return {
            "id": OFFLINE,
            "game": self.case.game.info.key,
            "phase": "playing" if result is None else "over",
            "options": dict(self.case.game.info.texts_of(self.case.options)),
            "seats": {
                str(seat): {"name": f"Seat {seat}", "human": False}
                for seat in range(1, self.case.seats + 1)
            },
            "turn": sorted(self.to_move),
            **({} if result is None else {"ending": ending_of(result)}),
        }


def view_for(game: Game[S], state: S, seat: Seat, room: Branch, version: int) -> View:
    """The view of a state that a server would send to a seat, with what it says of the room."""
    return View(
        game=game.info.key,
        seat=SeatNumber(seat),
        version=Version(version),
        tree={"room": room, "game": game.tree.view(state, frozenset({seat}))},
        room_id=OFFLINE,
        rules=game.info.rules,
    )


def ending_of(result: Result) -> Branch:
    """A result as a room has it."""
    ranks = {
        str(each.seat): {"place": each.place, "score": each.score} for each in result.standings
    }
    return {"how": "score", "places": ranks}


async def play_offline(
    case: Case,
    seed: int,
    bots: Mapping[Seat, Chooser],
    *,
    seconds: float = SECONDS,
    watch: Callable[[Offline], None] = lambda game: None,
) -> Played:
    """Play a game to its end. Of seats that move at once the lowest acts first.

    `watch` is called before each decision. Raises IllegalLineError, EndlessError, and whatever a
    bot raises.
    """
    game = Offline(case, seed)
    while game.to_move:
        if len(game.played_lines) >= case.game.info.longest:
            raise EndlessError(
                f"{case}, seed {seed}: not over after {len(game.played_lines)} moves"
            )
        watch(game)
        seat = min(game.to_move)
        lines = game.lines(seat)
        line = await answer_of(bots[seat], game.view(seat), lines, MoveClock(seconds))
        game.say(seat, line)
    result = game.result()
    assert result is not None  # no seat is to move
    for seat, bot in bots.items():
        tell_over(bot, game.view(seat))
    return Played(case, seed, result, tuple(game.played_lines))
