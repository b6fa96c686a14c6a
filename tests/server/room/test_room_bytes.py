"""Does a room of four stay small, however many games it has seen?"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Final

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.server.room.state import Phase
from tests.server.fixtures import GAMES, Stage

NAMES: Final = ("Ayu", "Ben", "Cem", "Dan")
PARTS_KIB: Final = {"game": 15, "table": 5, "recorded": 15, "past": 40, "log": 13, "replies": 12}
"""What each part may take of a hundred KiB; `replies` are those of its four connections."""


def objects(roots: Iterable[object], seen: set[int]) -> Iterator[object]:
    """What is reachable from some objects and not seen before, types and functions aside."""
    left = list(roots)
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, type | FunctionType | ModuleType):
            continue
        seen.add(id(each))
        yield each
        left += gc.get_referents(each)
        # The collector does not follow those that say that they are in no cycle.
        left += (getattr(each, name) for name in getattr(each, "__struct_fields__", ()))


def play(stage: Stage, chance: random.Random, moves: int) -> None:
    """So many random moves of a game, or all that it has."""
    game = GAMES["manhattan"]
    for _ in range(moves):
        if stage.room.table.phase is not Phase.PLAYING:
            return
        seat = Seat(stage.room.table.turn[0])
        line = game.grammar.format(chance.choice(game.plain(stage.room.game, seat)))
        stage.play(stage.room.seats[seat].name, line)


def weighed(stage: Stage) -> dict[str, int]:
    """The bytes of the parts of a room; what several have in common counts for the first."""
    room, seen = stage.room, set[int]()
    parts = {name: getattr(room, name) for name in PARTS_KIB if name != "replies"}
    parts["replies"] = [client.replies for client in stage.live.present.members]
    return {name: sum(map(sys.getsizeof, objects([each], seen))) for name, each in parts.items()}


@pytest.mark.slow_loop
def test_a_room_of_four_in_its_fourth_game_has_at_most_a_hundred_kib() -> None:
    chance = random.Random(1)
    with Stage() as stage:
        stage.table("manhattan", *NAMES)
        for _ in range(3):
            stage.play("Ayu", "/start")
            play(stage, chance, 1000)
            stage.play("Ayu", "/again")
        stage.play("Ayu", "/start")
        play(stage, chance, 60)
        parts = weighed(stage)
    assert {name for name, size in parts.items() if size > PARTS_KIB[name] * 1024} == set()
