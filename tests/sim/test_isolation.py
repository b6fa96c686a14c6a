"""One trouble stays one trouble: a bug in a game, a client that reads nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Outcome
from bluebear.rules.core.visibility import Move, Seat
from bluebear.server.limits import BUGS_IN_A_ROW, QUEUE_MAX_BYTES
from bluebear.server.store import StreamId, streams
from tests.games.duel import DuelGame
from tests.games.duel.state import Ring
from tests.sim.fixtures import movers, running, sit, two, until_over, written
from tests.sim.network import TOO_SLOW
from tests.sim.simulation import World, all_games
from tests.sim.virtual_loop import run, virtual


class BuggyDuel(DuelGame):
    """Duel, with a bug that strikes at chosen calls of `play`."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.strikes: frozenset[int] = frozenset()

    def play(
        self, state: Ring, seat: Seat, move: Move, chance: Chance, *, patches: bool = False
    ) -> Outcome[Any]:
        """As in Duel, unless the bug strikes."""
        self.calls += 1
        if self.calls in self.strikes:
            raise ZeroDivisionError("a bug of the game")
        return super().play(state, seat, move, chance, patches=patches)


def world_with(game: BuggyDuel) -> World:
    """A world whose duel has the bug."""
    games: Mapping[str, Game[Any]] = {**all_games(), "duel": game}
    return World(games=games)


async def duel_with_bug(nth: int) -> bool:
    """Play a whole duel while the nth call strikes; whether it came so far."""
    game = BuggyDuel()
    game.strikes = frozenset((nth,))
    async with running(world_with(game)) as world:
        people = await movers(world, "Ayu", "Ben", "Chie")
        room = await sit(world, people, "duel", options=["rounds 6"])
        await until_over(world, room)
        struck = game.calls >= nth
        game.strikes = frozenset()
        codes = [r.code for p in people for each in p.replies.values() for r in each]
        assert codes.count("internal") == struck
    return struck


@pytest.mark.expects_log("a bug of a game is logged")
def test_a_bug_at_any_call_costs_that_line_and_nothing_else() -> None:
    nth = 1
    while run(duel_with_bug(nth)):
        nth += 1
    assert nth > 10


async def strike(world: World, game: BuggyDuel, *, times: int) -> RoomId:
    """Two people meet the bug so often in a row."""
    ayu, ben = await two(world)
    room = await sit(world, [ayu, ben], "duel")
    mover = ayu if ayu.view.deciding_seats else ben
    game.strikes = frozenset(range(game.calls + 1, game.calls + 1 + times))
    line = mover.view.moves[next(iter(mover.view.deciding_seats))].lines[0]
    for _ in range(times):
        version = world.live(room).room.version
        refused = await mover.line(line)
        assert refused.code == "internal"
        assert f"{room}-{version}" in refused.text
    await asyncio.sleep(1)
    return room


@pytest.mark.expects_log("a bug of a game is logged")
@virtual
async def test_bugs_in_a_row_freeze_the_room_and_its_record_can_be_had() -> None:
    game = BuggyDuel()
    async with running(world_with(game)) as world:
        room = await strike(world, game, times=BUGS_IN_A_ROW)
        ayu = world.people[0]
        assert ayu.view.phase == "frozen"
        assert (await written(world, room))[-1] == "server @freeze"
        assert (await ayu.line("/record")).ok
        assert (await ayu.line("at least we can talk")).ok


@pytest.mark.expects_log("a bug of a game is logged")
@virtual
async def test_a_line_that_succeeds_between_two_bugs_keeps_the_room_going() -> None:
    game = BuggyDuel()
    async with running(world_with(game)) as world:
        room = await strike(world, game, times=BUGS_IN_A_ROW - 1)
        assert (await world.people[0].line("hm")).ok
        game.strikes = frozenset((game.calls + 1,))
        mover = next(person for person in world.people if person.view.deciding_seats)
        line = mover.view.moves[next(iter(mover.view.deciding_seats))].lines[0]
        assert (await mover.line(line)).code == "internal"
        assert (await mover.line(line)).ok
        assert world.live(room).room.table.phase == "playing"


@pytest.mark.expects_log("a bug of a game is logged")
@virtual
async def test_a_bug_in_one_room_is_not_felt_in_another() -> None:
    game = BuggyDuel()
    async with running(world_with(game)) as world:
        await strike(world, game, times=1)
        chie, dan = await two(world, "Chie", "Dan")
        other = await sit(world, [chie, dan], "manhattan")
        before = len(await world.journal.read(streams.load, StreamId(other)))
        assert (await dan.line("quiet here")).ok
        assert len(await world.journal.read(streams.load, StreamId(other))) == before + 1


@virtual
async def test_who_reads_nothing_is_cut_off_and_the_rest_notice_nothing() -> None:
    async with running() as world:
        ayu, ben = await two(world)
        room = await sit(world, [ayu, ben])
        slow = await world.person("Slow")
        assert (await slow.line(f"/room {room}")).ok
        wire = slow.wire
        assert wire is not None
        wire.down.clog()
        loop = asyncio.get_running_loop()
        waits: list[float] = []
        most = 0
        while world.app.presence.of(slow.person):
            began = loop.time()
            assert (await ayu.line("x" * 490)).ok
            waits.append(loop.time() - began)
            most = max(most, wire.down.bytes)
            await asyncio.sleep(1)
        assert max(waits) < 0.01
        assert most <= QUEUE_MAX_BYTES
        wire.down.release()
        await asyncio.sleep(10)
        assert [ending.code for ending in slow.endings] == [TOO_SLOW]
        assert slow.view.version == ayu.view.version
