"""A person's own bot accepts the invitations that its owner's file allows, and no others.

The cases that users of lichess-bot ran into stand here by their numbers.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, cast

import pytest
import pytest_asyncio

from bluebear.clients.bots.bots_toml import KEYS, BotSettings, read_owned, why_not
from bluebear.clients.bots.factory import FromClass, NamedStrategy
from bluebear.clients.bots.invited_bot import InvitedBot
from bluebear.clients.command_line import UsageError
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Bot, Client, MoveClock, Noted, RoomId, RoomView, View
from bluebear.clients.terminal.local_server import SERVE, started_server
from bluebear.protocol import Branch, Version
from bluebear.rules import games
from tests.clients.conftest import PATIENCE_SECONDS, until

pytestmark = pytest.mark.slow_loop

GAMES: Final = games(("bluebear.rules",))
PHRASES: Final = Texts("en", "bluebear.clients.bots")
READY: Final = NamedStrategy("greedy")


def rooms_of(owner: InvitedBot) -> list[RoomId]:
    """The rooms that occupy slots."""
    return [slot.room for slot in owner._slots if slot.room is not None]


# What tables look like, without any server.


def table(
    *chairs: tuple[str, bool], clock: str = "", rated: bool = False, phase: str = "open"
) -> RoomView:
    seats: Branch = {
        str(number): {"name": name, "human": human}
        for number, (name, human) in enumerate(chairs, 1)
    }
    options = {"clock": clock} if clock else {}
    room: Branch = {
        "phase": phase,
        "host": "Ayu",
        "seats": seats,
        "options": options | ({"rated": "on"} if rated else {}),
    }
    return RoomView(
        id=RoomId("5"),
        game="manhattan",
        hash="h",
        version=Version(3),
        view={"room": room, "game": {}},
        eyes=frozenset(),
    )


def why_declined(room: RoomView, **terms: object) -> str:
    """What the bot tells the host of a table; nothing: it sits down."""
    made = BotSettings(label="Robo", token="t", kind=READY, **terms)  # type: ignore[arg-type] # by name
    refused = why_not(made, room, "Robo")
    return "" if refused is None else PHRASES.say(refused.key, **refused.params)


AYU: Final = ("Ayu", True)
OTTO: Final = ("Otto", False)


@pytest.mark.parametrize(
    ("room", "terms", "answer"),
    [
        (table(AYU), {}, ""),
        (table(AYU), {"games": ("tokai",)}, "I play only tokai."),
        (table(AYU, ("Ben", True)), {"seats": 2}, "I play at tables of 2 at most."),
        (table(AYU, ("Robo", False)), {"seats": 2}, ""),
        (table(AYU), {"block": ("ayu",)}, "I do not play at this table."),
        (table(("Ken", True)), {"block": ("KEN",)}, "I do not play at this table."),
        (table(AYU, clock="300+5"), {"least_seconds": 300}, ""),
        (table(AYU, clock="60+5"), {"least_seconds": 300}, "I want a clock of at least 300"),
        (table(AYU), {"least_seconds": 300}, ""),
        (table(AYU, clock="3d"), {"clocks": ("off", "seconds")}, "I do not play with this clock"),
        (table(AYU), {"clocks": ("seconds",)}, "I do not play with this clock, only with: seconds"),
        (table(AYU, rated=True), {}, "I play no rated games."),
        (table(AYU, rated=True), {"rated": "people"}, ""),
        (table(AYU), {"casual": "none", "rated": "both"}, "I play rated games only."),
        # #76: people only, or bots only where nothing is counted.
        (table(AYU, OTTO), {"casual": "people"}, "I play with people only."),
        (table(AYU, OTTO), {"casual": "bots"}, "I play with bots only."),
        (table(OTTO), {"casual": "bots"}, ""),
        (
            table(OTTO, rated=True),
            {"casual": "both", "rated": "people"},
            "I play with people only.",
        ),
        (table(AYU, phase="over"), {}, "There is no game here that I could join."),
        (table(AYU, phase="frozen"), {}, "There is no game here that I could join."),
    ],
)
def test_the_terms_of_the_owner(room: RoomView, terms: dict[str, object], answer: str) -> None:
    assert why_declined(room, **terms).startswith(answer)
    assert bool(why_declined(room, **terms)) == bool(answer)


# What stands in the file.

GOOD: Final = """
address = "127.0.0.1:8765"
lang = "ja"

[bots.Robo]
token = "abc"
strategy = "greedy"
games = ["manhattan"]
clocks = ["off", "seconds"]
casual = "people"
concurrency = 4

[bots.Otto]
token = "def"
exec = "node otto.mjs"
"""


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text(GOOD, encoding="utf-8")
    owned = read_owned(tmp_path / "bots.toml")
    assert (owned.url, owned.lang) == ("ws://127.0.0.1:8765/ws", "ja")
    robo, otto = owned.bots
    assert (robo.label, robo.token, robo.kind) == ("Robo", "abc", READY)
    assert (robo.games, robo.clocks, robo.casual) == (("manhattan",), ("off", "seconds"), "people")
    assert (robo.concurrency, robo.rated, otto.concurrency) == (4, "none", 1)
    assert otto.kind.name == "otto"


def test_the_file_of_the_docs_is_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    [source] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    source = source.replace('class = "mybot:Careful"', 'class = "bluebear.clients.sdk:Bot"')
    (tmp_path / "bots.toml").write_text(source, encoding="utf-8")
    [robo] = read_owned(tmp_path / "bots.toml").bots
    assert (robo.rated, robo.seats, robo.wish) == ("people", 4, ("manhattan",))
    # It shows every key that there is.
    assert len(set(KEYS)) == len(KEYS)
    assert {*re.findall(r"^(\w+) =", source, re.MULTILINE)} >= {*KEYS} - {"exec", "strategy"}


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('address = "127.0.0.1:8765"', 'address = "ftp://x"', "ftp://x is no address of a server."),
        (
            "lang =",
            "long =",
            "the file has a setting that does not exist; behind it those that do: long;",
        ),
        ('"ja"', '"fr"', "the file has a value that is not possible; what is: lang: en, ja"),
        ("games =", "gmaes =", "those that do: [bots.Robo] gmaes; games"),
        ('strategy = "greedy"', "", "[bots.Robo] wants exactly one of exec, class, strategy."),
        ('token = "abc"', "", "[bots.Robo] wants the token that /token has shown."),
        ("concurrency = 4", "concurrency = 99", "[bots.Robo] concurrency: 1-32"),
        ("concurrency = 4", "concurrency = true", "[bots.Robo] concurrency: 1-32"),
        ('"people"', '"cats"', "[bots.Robo] casual: none, people, bots, both"),
        ('["manhattan"]', '"manhattan"', '[bots.Robo] games: ["...", "..."]'),
        ('"seconds"]', '"sundial"]', "[bots.Robo] clocks: off, seconds, days"),
        ("[bots.Robo]", "[bots.Robo", "the file cannot be read:"),
    ],
)
def test_what_is_wrong_with_a_file_is_reported(
    tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    assert before in GOOD
    (tmp_path / "bots.toml").write_text(GOOD.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(UsageError) as wrong:
        read_owned(tmp_path / "bots.toml")
    for lang in ("en", "ja"):
        phrases = Texts(lang, "bluebear.clients.bots")
        text = phrases.say(wrong.value.key, given=wrong.value.given)
        assert lang == "ja" or sentence in text


# On a server.

CHOICES: Final = list[tuple[View, MoveClock]]()
"""What `RecordingBot` was asked in this process."""


class RecordingBot(Bot):
    """Keeps what it is asked."""

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        CHOICES.append((view, clock))
        return self.random.choice(lines)


class Patient(Bot):
    """Never decides."""

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        await asyncio.Event().wait()
        return lines[0]


NUMBERS: Final = itertools.count(1)
"""Numbers the names of the scenes, which share one server."""


class Scene:
    """Ayu on a server, and her bot Robo."""

    def __init__(self, url: str, ayu: Client, number: int) -> None:
        self.url = url
        self.ayu = ayu
        self.robo = f"Robo{number}"

    async def token(self, name: str = "") -> str:
        """Makes a bot of Ayu's."""
        assert (await self.ayu.say(f"/token {name or self.robo}")).ok
        noted = await until(self.ayu, Noted, lambda noted: noted.code == "bot_token")
        [token] = re.findall(r"[0-9a-f]{32}", noted.text)
        return str(token)

    @asynccontextmanager
    async def owner(
        self, token: str, cls: type[Bot] = RecordingBot, name: str = "", **more: object
    ) -> AsyncIterator[InvitedBot]:
        """The owner's program for a bot, which has come."""
        kind = FromClass(f"tests:{cls.__name__}", cls)
        terms = BotSettings(label="R", token=token, kind=kind, **more)  # type: ignore[arg-type] # by name
        owner = InvitedBot(self.url, terms, GAMES, PHRASES)
        task = asyncio.create_task(owner.run())
        try:
            await self.settled(self.online, name or self.robo)
            yield owner
        finally:
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled() or task.exception() is None

    async def online(self, name: str) -> bool:
        answer = await self.ayu.ask("query", args={"text": "/wwho"})
        return name in str(answer["text"])

    async def newroom(self, clock: str = "") -> RoomId:
        """A table of Ayu's at which she sits."""
        room = (await self.ayu.say("/newroom manhattan unlisted")).room
        assert room is not None
        await self.say("/join", room)
        if clock:
            await self.say(f"/option clock {clock}", room)
        return room

    async def say(self, line: str, room: RoomId) -> None:
        reply = await self.ayu.say(line, room=room)
        assert reply.ok, reply.text

    async def invite(self, room: RoomId) -> None:
        await self.say(f"/invite {self.robo}", room)

    async def whisper(self) -> str:
        """What Ayu is told next."""
        noted = await until(self.ayu, Noted, lambda noted: noted.code == "whisper")
        return noted.said or ""

    async def sits(self, *rooms: RoomId) -> list[RoomId]:
        """At which of the tables Robo sits."""
        return [room for room in rooms if self.robo in self._names(room)]

    def _names(self, room: RoomId) -> set[str]:
        table = self.ayu.room(room).view["room"]
        chairs = cast("Mapping[str, Branch]", cast(Branch, table)["seats"])
        return {str(chair["name"]) for chair in chairs.values()}

    async def settled(self, test: Callable[..., Awaitable[object]], *given: object) -> None:
        """Wait until something holds; Ayu's questions let the time go by."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await test(*given):
                await self.ayu.ask("rooms")

    async def begun(self, *rooms: RoomId) -> None:
        """Robo is invited to these tables, and the games begin."""
        for room in rooms:
            await self.invite(room)
            await self.settled(self.sits, room)
            await self.say("/start", room)

    async def played(self, room: RoomId) -> None:
        """Ayu takes the first of her lines until Robo was asked for one; then she gives up."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while all(view.room_id != room for view, _ in CHOICES):
                for moves in list(self.ayu.room(room).moves.values()):
                    await self.ayu.say(moves.lines[0], room=room, at=moves.version)
                await self.ayu.ask("rooms")
        await self.say("/resign !", room)
        assert self.ayu.room(room).phase == "over"

    async def free(self, owner: InvitedBot) -> None:
        """Robo has a slot again."""

        async def is_free() -> bool:
            return not rooms_of(owner)

        await self.settled(is_free)


@asynccontextmanager
async def scene_on(url: str) -> AsyncIterator[Scene]:
    CHOICES.clear()
    number = next(NUMBERS)
    async with Client(url, name=f"Ayu{number}", wants={"text", "moves"}) as ayu:
        assert (await ayu.say("/register correct-horse-battery")).ok
        yield Scene(url, ayu, number)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one server for these scenes."""
    data = tmp_path_factory.mktemp("owner")
    command = (*SERVE, "--port", "0", "--bench")
    with started_server(data, command=command, stopping=lambda: None) as started:
        yield started.url


@pytest_asyncio.fixture
async def scene(server: str) -> AsyncIterator[Scene]:
    async with scene_on(server) as made:
        yield made


async def test_the_last_slot_is_taken_once(scene: Scene) -> None:
    """lichess-bot #1163: however many invite at the same moment."""
    async with scene.owner(await scene.token()) as owner:
        rooms = [await scene.newroom() for _ in range(3)]
        await asyncio.gather(*map(scene.invite, rooms))
        declined = [await scene.whisper() for _ in range(2)]
        assert declined == ["I am playing 1 games already. Ask me again later."] * 2
        await scene.settled(scene.sits, *rooms)
        [room] = await scene.sits(*rooms)
        assert rooms_of(owner) == [room]
        # When that game is over there is a slot again.
        await scene.say("/start", room)
        await scene.played(room)
        await scene.free(owner)
        other = next(each for each in rooms if each != room)
        await scene.invite(other)
        await scene.settled(scene.sits, other)


async def test_games_that_run_are_located_again_with_time_to_think(scene: Scene) -> None:
    """lichess-bot #1101, #669: each is taken up, also beyond the slots, and never with no time."""
    token = await scene.token()
    rooms = [await scene.newroom("600+0") for _ in range(2)]
    async with scene.owner(token, Patient, concurrency=2, seconds=3600):
        await scene.begun(*rooms)
    async with scene.owner(token) as owner:
        for room in rooms:
            await scene.played(room)
        await scene.free(owner)
    assert {view.room_id for view, _ in CHOICES} == set(rooms)
    assert all(clock.move >= 0.1 and (clock.left or 0) > 500 for _, clock in CHOICES)


async def test_a_table_that_becomes_another_is_left(scene: Scene) -> None:
    """lichess-bot #76: a bot sits down after Robo, who plays with people only."""
    async with scene.owner(await scene.token(), casual="people") as owner:
        room = await scene.newroom()
        await scene.invite(room)
        await scene.settled(scene.sits, room)
        await scene.say("/bot", room)
        assert await scene.whisper() == "I play with people only."
        await scene.free(owner)
        assert not await scene.sits(room)


async def test_bots_find_each_other(scene: Scene) -> None:
    """lichess-bot #472: people who request the same game are matched by the server alone."""
    otto = f"Otto{scene.robo}"
    match_request = ("manhattan",)
    async with (
        scene.owner(await scene.token(), wish=match_request, seats=2) as one,
        scene.owner(await scene.token(otto), name=otto, wish=match_request, seats=2) as other,
    ):

        async def has_chosen() -> bool:
            return bool(CHOICES)

        await scene.settled(has_chosen)
        assert rooms_of(one) == rooms_of(other) == [CHOICES[0][0].room_id]
        assert set(CHOICES[0][0].names.values()) == {scene.robo, otto}


async def test_it_returns_when_its_connection_is_lost(scene: Scene) -> None:
    async with scene.owner(await scene.token()) as owner:
        room = await scene.newroom()
        await scene.begun(room)
        (connection,) = owner._client._connections.values()
        wire = connection.wire
        assert wire is not None
        await wire.close()
        await scene.played(room)
        await scene.free(owner)
