"""For a stranger a hidden room is like one that is not there, also in what an answer costs.

`python -m tests.tools.load hidden` measures the same through a socket.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.fuzz.slow_lines import counted
from tests.server.fixtures import Stage
from tests.support.simulated_store import SimulatedStore


class Counting(SimulatedStore):
    """A store that counts what is read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.requests = Counter[str]()

    async def read(self, query: Any, *given: Any, **more: Any) -> Any:  # Any: see `Store.read`
        self.requests[query.__name__] += 1
        return await super().read(query, *given, **more)


def asks(stage: Stage, name: str, line: str) -> tuple[list[str], Counter[str], int]:
    """The reply to a line in the lobby, the store's reads for it, and the steps that it takes."""
    store = stage.journal
    assert isinstance(store, Counting)
    received: list[str] = []

    def say() -> None:
        received.extend(stage.say(name, line, lobby=True)[name])

    store.requests.clear()
    steps = counted(say)
    return received, Counter(store.requests), steps


def missing(stage: Stage, number: str) -> str:
    """A number near another one that no room has."""
    return str(int(number) - 1) if int(number) % 2 else str(int(number) + 1)


@pytest.mark.parametrize("asleep", [False, True], ids=["in memory", "asleep"])
@pytest.mark.parametrize("banned", [False, True], ids=["uninvited", "barred"])
def test_a_guess_at_a_hidden_room_costs_what_a_guess_at_none_does(
    *, asleep: bool, banned: bool
) -> None:
    with Stage(Counting()) as stage:
        stage.come("Ayu", "Ben")
        stage.say("Ayu", "/newroom journey private sesame", lobby=True)
        number = stage.room_id = stage.live_ids()[0]
        if banned:
            stage.play("Ayu", "/invite Ben", "/ban Ben")
        if asleep:
            stage.restart()
            stage.come("Cem")
        guesser = "Cem" if asleep else "Ben"
        lines = [f"/room {number}", f"/room {missing(stage, number)}"]
        for line in lines * 2:
            asks(stage, guesser, line)  # what is remembered is remembered
        for text in ("{}", "{} sesame"):
            first, second = (asks(stage, guesser, text.format(line)) for line in lines)
            assert first == second
            assert first[1]["room"] == 1
            assert first[2] > 100, "it was counted"


def test_who_may_know_of_a_room_with_people_in_it_enters_without_a_read() -> None:
    with Stage(Counting()) as stage:
        stage.come("Ayu", "Ben")
        stage.say("Ayu", "/newroom journey unlisted", lobby=True)
        stage.room_id = stage.live_ids()[0]
        _, reads, _ = asks(stage, "Ben", f"/room {stage.room_id}")
        assert "Ben" in stage.live.present.here.values()
        assert not reads["room"]
