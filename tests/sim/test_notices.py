"""Notices by webhook: of a person's turn and of the end, signed, retried, also after restarts."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re

import pytest

from bluebear.clients.sdk.client_events import RoomId
from bluebear.server.config import Config
from bluebear.server.limits import HOOK_WAITS_SECONDS
from tests.sim.fixtures import running, sit, two
from tests.sim.simulated_clients import Person
from tests.sim.simulation import World
from tests.sim.virtual_loop import virtual
from tests.support import stored_rows

HOST = "hooks.example.org"
URL = f"https://{HOST}/ayu?k=1"
MINUTE = 60.0


def hooked() -> World:
    """A world whose server may call one host."""
    return World(config=Config(house=False, notify_hosts=(HOST,)))


async def a_game(world: World) -> tuple[Person, Person, RoomId]:
    """The player on turn; the other one, disconnected and notified of their turns; their room."""
    people = await two(world)
    for person in people:
        assert (await person.line(f"/notify {URL}")).ok
    room = await sit(world, people, options=["clock 3d"])
    [mover] = [person for person in people if person.view.deciding_seats]
    [other] = [person for person in people if person is not mover]
    other.go()
    await asyncio.sleep(5)
    return mover, other, room


async def end_turn(mover: Person) -> None:
    """A player moves until it is another player's turn."""
    while mover.view.deciding_seats:
        moves = next(iter(mover.view.moves.values()))
        assert (await mover.line(moves.lines[0])).ok
    await asyncio.sleep(5)


@virtual
async def test_whose_turn_it_becomes_is_shown_where_he_wished() -> None:
    async with running(hooked()) as world:
        mover, _, room = await a_game(world)
        assert world.outside.calls == [], "who is in the room sees it"
        await end_turn(mover)
        [call] = world.outside.calls
        [sent] = world.outside.bodies
        assert call.url == URL
        assert (sent["type"], sent["room"], sent["game"]) == ("turn", room, "manhattan")
        assert sent["text"] == f"Manhattan, room {room}: it is your turn, 3 d 0 h left."


@virtual
async def test_a_notice_is_signed_with_the_secret_that_was_reported_once() -> None:
    async with running(hooked()) as world:
        mover, other, _ = await a_game(world)
        [reported] = [note.text for note in other.notes if "whsec_" in note.text]
        match = re.search(r"whsec_(\S+)", reported)
        assert match is not None
        await end_turn(mover)
        [call] = world.outside.calls
        headers = dict(call.headers)
        text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + call.body
        made = hmac.new(base64.b64decode(match[1]), text, hashlib.sha256).digest()
        assert headers["webhook-signature"] == f"v1,{base64.b64encode(made).decode()}"


@virtual
async def test_what_fails_is_retried_later_and_later_under_the_same_id() -> None:
    async with running(hooked()) as world:
        mover, _, _ = await a_game(world)
        world.outside.statuses.extend((0, 500))
        await end_turn(mover)
        assert len(world.outside.calls) == 1
        await asyncio.sleep(HOOK_WAITS_SECONDS[0] + MINUTE)
        assert len(world.outside.calls) == 2
        await asyncio.sleep(HOOK_WAITS_SECONDS[1] - MINUTE)
        assert len(world.outside.calls) == 2
        await asyncio.sleep(2 * MINUTE)
        assert len(world.outside.calls) == 3
        assert len(set(world.outside.ids)) == 1
        await asyncio.sleep(24 * 60 * MINUTE)
        assert len(world.outside.calls) == 3


@virtual
async def test_the_outbox_survives_a_kill() -> None:
    async with running(hooked()) as world:
        mover, _, _ = await a_game(world)
        world.outside.statuses.append(0)
        await end_turn(mover)
        await world.kill()
        await world.start()
        await asyncio.sleep(HOOK_WAITS_SECONDS[0] + 2 * MINUTE)
        assert len(world.outside.calls) == 2
        assert len(set(world.outside.ids)) == 1


@virtual
async def test_after_the_last_try_it_is_given_up() -> None:
    async with running(hooked()) as world:
        mover, _, _ = await a_game(world)
        world.outside.statuses.extend([500] * 50)
        await end_turn(mover)
        await asyncio.sleep(sum(HOOK_WAITS_SECONDS) + 24 * 60 * MINUTE)
        first = world.outside.ids[0]
        assert world.outside.ids.count(first) == len(HOOK_WAITS_SECONDS) + 1


@virtual
async def test_the_end_of_the_game_is_reported() -> None:
    async with running(hooked()) as world:
        mover, _, room = await a_game(world)
        assert (await mover.line("/resign !")).ok
        await asyncio.sleep(5)
        assert [sent["type"] for sent in world.outside.bodies] == ["over"]
        assert world.outside.bodies[0]["text"] == f"Manhattan, room {room}: the game is over."


@virtual
async def test_who_is_not_notified_any_more_is_not() -> None:
    async with running(hooked()) as world:
        mover, other, room = await a_game(world)
        other.return_()
        await asyncio.sleep(5)
        assert (await other.line("/notify off", room)).ok
        other.go()
        await asyncio.sleep(5)
        await end_turn(mover)
        assert world.outside.calls == []


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://elsewhere.example.org/", "hook_host"),
        (f"http://{HOST}/", "hook_host"),
        (f"https://{HOST}:8443/", "hook_host"),
        (f"https://{HOST}.evil.example/", "hook_host"),
        ("https://127.0.0.1/", "hook_host"),
        ("https://[::1]/", "hook_host"),
        (f"https://user@{HOST}/", "hook_bad"),
        (f"https://evil.example#@{HOST}/", "hook_bad"),
        (f"https://evil.example\\@{HOST}/", "hook_bad"),
        (f"ftp://{HOST}/", "hook_bad"),
        (f"https://{HOST}:99999/", "hook_bad"),
        ("hello", "hook_bad"),
        (f"https://{HOST}/" + "x" * 400, "hook_bad"),
    ],
)
@virtual
async def test_only_what_the_operator_allows_is_called(url: str, code: str) -> None:
    async with running(hooked()) as world:
        [ayu] = await two(world, "Ayu")
        assert (await ayu.line(f"/notify {url}")).code == code


@virtual
async def test_an_address_that_is_not_allowed_any_more_is_not_called() -> None:
    world = hooked()
    async with running(world):
        mover, _, _ = await a_game(world)
        world.outside.statuses.append(500)
        await end_turn(mover)
        await world.kill()
        world.configure(Config(house=False, notify_hosts=("other.example.org",)))
        await world.start()
        await asyncio.sleep(24 * 60 * MINUTE)
        assert len(world.outside.calls) == 1


@virtual
async def test_where_no_host_is_allowed_nothing_is_stored() -> None:
    async with running() as world:
        people = await two(world)
        assert (await people[0].line(f"/notify {URL}")).code == "no_hooks"
        await sit(world, people, options=["clock 3d"])
        assert await world.journal.read(stored_rows.outgoing) == []
