"""Sessions of people at tables, on the real server in virtual time; their journals are recorded.

`Table` is one room with its members. They play, talk, take moves back, ask for undo, let the clock
run out and disconnect; house bots play as they do. All choices follow from the table's name.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

from bluebear.clients.sdk.client_events import Reply, RoomId
from bluebear.protocol import JSON, MSGPACK
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.server.rooms.room_actor import RoomActor
from tests.sim.simulated_clients import Person
from tests.sim.simulation import World

PAUSE_SECONDS = 0.7
"""Between two lines of a person, so that no line exceeds the rate limit."""
PATIENCE_SECONDS = 60
"""Who has no answer by then will get none."""
MOVES_MAX = 3000
"""Far more than any game here takes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to play: who, how, and what happens meanwhile. Names say who is at the table."""

    game: str
    people: Sequence[str]
    options: Sequence[str] = ()
    bots: Sequence[str] = ()
    privacy: str = "unlisted"
    greedy: int = 70
    """So many of a hundred moves are those of the game's greedy bot, the others are any."""
    undo: int = 4
    talk: int = 3


class Table:
    """A room and the people at it; owned by the evening that made it."""

    def __init__(self, world: World, plan: Plan, people: Sequence[Person]) -> None:
        self.world = world
        self.plan = plan
        self.people = {person.name: person for person in people}
        self.chance = random.Random(f"{plan.game} {plan.people} {plan.options}")
        self.room = RoomId("")

    @property
    def host(self) -> Person:
        """Who has made the room."""
        return self.people[self.plan.people[0]]

    @property
    def live(self) -> RoomActor:
        """The room as the server has it."""
        return self.world.live(self.room)

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.live.room.table.phase.value == "playing"

    async def say(self, person: Person, text: str) -> Reply:
        """A person sends a line in this room, and waits a moment."""
        reply = await asyncio.wait_for(person.line(text, self.room), PATIENCE_SECONDS)
        await asyncio.sleep(PAUSE_SECONDS)
        return reply

    async def do(self, name: str, text: str) -> None:
        """A person sends a line that is accepted."""
        reply = await self.say(self.people[name], text)
        assert reply.ok, f"{name} {text}: {reply}"

    # Before the game.

    async def sit(self) -> None:
        """Create the room, seat all players, set the options and request bots."""
        reply = await self.host.line(f"/newroom {self.plan.game} {self.plan.privacy}")
        assert reply.ok, reply
        assert self.host.here is not None
        self.room = self.host.here
        for number, name in enumerate(self.plan.people, 1):
            if number > 1:
                assert (await self.people[name].line(f"/room {self.room}")).ok
            await self.do(name, f"/join seed={number:032x}" if number % 2 else "/join")
        for option in self.plan.options:
            await self.do(self.host.name, f"/option {option}")
        for bot in self.plan.bots:
            await self.do(self.host.name, f"/bot {bot}")

    async def start(self) -> None:
        """Sit down and begin."""
        await self.sit()
        await self.do(self.host.name, "/start")

    # The game.

    async def play(self, moves: int = MOVES_MAX) -> None:
        """Let so many moves of people be made, or all until the game is over."""
        made = 0
        while made < moves and self.playing:
            made += await self._step()

    async def _step(self) -> int:
        room = self.live.room
        waiting = [s for s in room.table.turn if room.seats[Seat(s)].bot is None]
        if not waiting:
            await asyncio.sleep(PAUSE_SECONDS)
            return 0
        seat = Seat(self.chance.choice(waiting))
        person = self.person_at(seat)
        reply = await self.say(person, self._line(seat))
        if self.chance.randrange(100) < self.plan.talk:
            here = [each for each in self.people.values() if each.wire is not None]
            other = self.chance.choice(here)
            await self.say(other, self.chance.choice(("hm", "nice", "なるほど", "your turn")))
        if reply.ok and self.playing and self.chance.randrange(100) < self.plan.undo:
            await self.undo(person)
        return int(reply.ok)

    def person_at(self, seat: Seat) -> Person:
        """Who sits there."""
        owner = self.live.room.seats[seat].person
        return next(person for person in self.people.values() if person.person == owner)

    def _line(self, seat: Seat) -> str:
        game, state = self.live.game, self.live.room.game
        assert game is not None
        moves = list(game.legal(state, seat))
        back = [move for move in moves if move.takes_back]
        if back and self.chance.randrange(100) < 12:
            return game.grammar.format(self.chance.choice(back))
        plain = game.plain(state, seat)
        if self.chance.randrange(100) < self.plan.greedy:
            view = game.seen(state, frozenset((seat,)))
            greedy = game.bots["greedy"](
                view, seat, plain, FastChance(self.chance.randrange(2**32))
            )
            return game.grammar.format(greedy)
        return game.grammar.format(self.chance.choice(plain))

    async def undo(self, person: Person, *, accept: bool = True) -> None:
        """A player asks to undo their move; if it comes to a vote, the other players vote."""
        await self.say(person, "/undo")
        for number, vote in list(self.live.room.table.votes.items()):
            for seat in vote.voters:
                voter = self.person_at(Seat(seat))
                if voter is not person and number in self.live.room.table.votes:
                    await self.say(voter, f"/accept {number}" if accept else f"/refuse {number}")

    async def move_of(self, name: str) -> None:
        """Play on until this person has moved."""
        person = self.people[name]
        while self.playing:
            seat = self.live.room.seat_of(person.person)
            if seat is not None and seat in self.live.room.table.turn:
                if (await self.say(person, self._line(seat))).ok:
                    return
            else:
                await self._step()

    async def oversleep(self, name: str, times: int) -> None:
        """A player does not move until the clock has moved for them the given number of times."""
        person = self.people[name]
        while self.playing and times:
            seat = self.live.room.seat_of(person.person)
            assert seat is not None
            if seat in self.live.room.table.turn:
                version = self.live.room.version
                while self.live.room.version == version:  # noqa: ASYNC110 - the time is virtual
                    await asyncio.sleep(1)
                times -= 1
            else:
                await self._step()

    async def stay_away(self, name: str) -> None:
        """A player disconnects on their turn until a house bot plays for them, then resumes."""
        person = self.people[name]
        seat = self.live.room.seat_of(person.person)
        assert seat is not None
        while self.playing and seat not in self.live.room.table.turn:
            await self._step()
        person.go()
        for _ in range(600):
            await asyncio.sleep(1)
            if not self.playing or self.live.room.seats[seat].bot is not None:
                return
        raise AssertionError(f"nobody stands in for {name}")


async def gathered(world: World, *names: str) -> list[Person]:
    """Registered people: some on JSON, some in Japanese, each with their own subscriptions."""
    made = []
    for number, name in enumerate(names):
        made.append(
            await world.person(
                name,
                lang="ja" if number % 3 == 2 else "en",
                codec=JSON if number % 2 else MSGPACK,
                wants=frozenset({"text", "moves", "events"} if number % 4 else {"text", "moves"}),
            )
        )
    return made
