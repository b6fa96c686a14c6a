"""Hints of house bots; two worlds with equal views get equal hints."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

import pytest

from bluebear.clients.bots import HouseBots
from bluebear.clients.bots.hints import Opinion, advice_of, thought_line
from bluebear.clients.bots.search import Playouts, think
from bluebear.clients.bots.search.decide import EvaluatedMove, Planned, SearchResult
from bluebear.clients.bots.search.jobs import Job, Work, answer_of
from bluebear.clients.bots.search.worker_pool import BusyError, Workers
from bluebear.clients.sdk import HintWanted, RoomId
from bluebear.clients.sdk import Seat as SeatNumber
from bluebear.protocol import Say, Think
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from tests.clients.conftest import PATIENCE_SECONDS
from tests.clients.fake_server import FakeServer, Member
from tests.clients.search.test_decide import THINKING, some
from tests.rules.game_files import GAMES
from tests.rules.test_search_models import Decision

R = TypeVar("R")


def opinion(line: str, chance: float, *terms: tuple[str, float], error: float = 0.01) -> Opinion:
    return EvaluatedMove(line, chance, error, 20, terms, "/reply")


def answer(
    *judged: Opinion, line: str = "/a", greedy: str = "/c", in_numbers: bool = True
) -> SearchResult[str]:
    return SearchResult(line, greedy, 60, 1.0, judged, in_numbers=in_numbers)


LINES = ("/a", "/b", "/c")


def test_the_best_is_reported_with_the_next_and_compared_with_the_greedy_line() -> None:
    made = answer(
        opinion("/a", 0.611, ("score", 3.0), ("stock", 0.1), ("cities", -2.0), ("tall", 0.02)),
        opinion("/b", 0.55),
        opinion("/c", 0.5, ("score", 1.0), ("stock", 0.6)),
    )
    assert advice_of(made, LINES) == {
        "kind": "judged",
        "line": "/a",
        "chance": 61,
        "next": "/b",
        "second": 55,
        "equal": [],
        "other": "/c",
        "terms": [("score", 20), ("cities", -20), ("stock", -5)],
        "reply": "/reply",
    }


def test_in_a_stage_without_numbers_there_is_no_chance_in_the_advice() -> None:
    attempts = opinion("/a", 0.6), opinion("/b", 0.5)
    made = advice_of(answer(*attempts, in_numbers=False), LINES)
    assert (made["kind"], made["line"], made["next"]) == ("judged", "/a", "/b")
    assert made["chance"] is None
    assert made["second"] is None


@pytest.mark.parametrize("key", ["itc", "tokugawa"])
def test_early_in_these_games_a_hint_has_no_chance(key: str) -> None:
    """Their early chances were worse than the base rate: 21 % won 42 % of the games."""
    game = GAMES[key]
    chance = FastChance(1)
    outcome = game.setup(game.info.complete({}), 2, chance)
    reported = []
    for _ in range(12):
        state, seat = outcome.state, min(outcome.to_move)
        moves = game.plain(state, seat)
        reported.append(hint(game, state, Decision(state, seat, moves)))
        outcome = game.play(state, seat, chance.shuffle(moves)[0], chance)
    judged = [each for each in reported if each["kind"] == "judged"]
    assert judged
    assert {each["chance"] for each in judged} == {each["second"] for each in judged} == {None}


def test_the_greedy_line_is_compared_with_the_next_best() -> None:
    made = answer(opinion("/a", 0.6), opinion("/b", 0.5), greedy="/a")
    assert advice_of(made, LINES)["other"] == "/b"


def test_lines_within_one_error_are_as_good() -> None:
    made = answer(
        opinion("/b", 0.62), opinion("/a", 0.6, error=0.03), opinion("/c", 0.58), greedy="/a"
    )
    assert advice_of(made, LINES)["equal"] == ["/b", "/c"]


def test_plans_first_sight_and_single_lines_are_reported_as_such() -> None:
    after = (Planned("/b", frozenset(LINES)),)
    plan = SearchResult("/a", "/a", 0, 0.1, after=after, planned=True)
    assert advice_of(plan, LINES) == {"kind": "plan", "line": "/a", "after": ["/b"]}
    assert advice_of(answer(), LINES) == {"kind": "sight", "line": "/a"}
    assert advice_of(answer(), ("/a",)) == {"kind": "only", "line": "/a"}


def hint(game: Game[Any], state: Any, at: Decision) -> dict[str, Any]:  # Any: state, JSON
    view = game.seen(state, frozenset({at.seat}))
    budget = Playouts(12)
    thought = think(
        game, view, at.seat, at.moves, budget=budget, chance=FastChance(5), clock=lambda: 0.0
    )
    return advice_of(answer_of(game, view, thought), tuple(map(game.grammar.format, at.moves)))


@pytest.mark.parametrize("game", THINKING)
def test_in_two_worlds_that_look_the_same_the_hint_is_the_same(game: Game[Any]) -> None:
    for at in some(game, 2):
        eyes = frozenset({at.seat})
        other = game.determinize(game.seen(at.state, eyes), eyes, FastChance(9))
        reply = hint(game, at.state, at)
        assert reply == hint(game, other, at)
        assert reply["kind"] in ("judged", "plan", "sight")


class RecordingWorkers(Workers):
    """Workers that note what they are asked, and answer that or are busy."""

    def __init__(self, made: SearchResult[str] | None) -> None:
        super().__init__()
        self.jobs: list[tuple[str, Job]] = []
        self.made = made

    async def think(self, room: str, work: Work[R]) -> R:
        job = cast(Job, work)
        self.jobs.append((room, job))
        if self.made is None:
            raise BusyError
        return cast(R, self.made)


def wanted() -> HintWanted:
    return HintWanted(7, RoomId("426817"), "manhattan", 1, SeatNumber(2), {"round": 1}, LINES)


async def test_a_worker_thinks_by_the_view_for_a_second() -> None:
    workers = RecordingWorkers(answer())
    line = await thought_line(wanted(), workers, FastChance(1))
    head, number, reply = line.split(" ", 2)
    assert (head, number, json.loads(reply)) == ("/thought", "7", {"kind": "sight", "line": "/a"})
    [(room, job)] = workers.jobs
    assert room == "426817"
    assert (job.game, job.rules, job.view, job.seat) == ("manhattan", 1, {"round": 1}, 2)
    assert (job.lines, job.level, job.seconds) == (LINES, "strong", 1.0)
    await workers.close()


async def test_where_all_are_busy_that_is_the_answer() -> None:
    workers = RecordingWorkers(None)
    assert await thought_line(wanted(), workers, FastChance(1)) == '/thought 7 {"kind":"failed"}'
    await workers.close()


class Gate(RecordingWorkers):
    """Workers that think until they are stopped."""

    def __init__(self) -> None:
        super().__init__(None)
        self.began, self.stopped = asyncio.Event(), asyncio.Event()

    async def think(self, room: str, work: Work[R]) -> R:
        self.began.set()
        try:
            waiting: asyncio.Future[R] = asyncio.get_running_loop().create_future()
            return await waiting
        finally:
            self.stopped.set()


class Listening(FakeServer):
    """A server that notes that a line has come."""

    def __init__(self) -> None:
        super().__init__()
        self.line_arrived = asyncio.Event()

    async def _line(self, member: Member, message: Say) -> None:
        await super()._line(member, message)
        self.line_arrived.set()


@asynccontextmanager
async def house(workers: Workers) -> AsyncIterator[Listening]:
    """A server whose house bots are connected, with these workers."""
    async with Listening() as server:
        made = HouseBots(server.url, "HOUSE", {}, chance=lambda: FastChance(1), workers=workers)
        running = asyncio.create_task(made.run())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await server.arrival("HOUSE")
            yield server
        running.cancel()
        await asyncio.wait([running])


QUESTION = Think(number=7, room="426817", game="manhattan", rules=1, seat=2, lines=LINES)


async def test_the_house_answers_over_its_control_connection() -> None:
    async with house(RecordingWorkers(answer())) as server:
        await server.member("HOUSE").tell(QUESTION)
        await server.line_arrived.wait()
        [(name, _, line)] = server.sent_lines
        assert (name, line) == ("HOUSE", '/thought 7 {"kind":"sight","line":"/a"}')


async def test_the_house_stops_thinking_when_no_person_waits_any_more() -> None:
    workers = Gate()
    async with house(workers) as server:
        await server.member("HOUSE").tell(QUESTION)
        await workers.began.wait()
        await server.member("HOUSE").tell(Think(number=7))
        await workers.stopped.wait()
        assert not server.sent_lines
