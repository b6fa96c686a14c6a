"""What one stranger takes at the door, others still have: requests, calls, lines, hashes, names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bluebear.protocol import Error, Hello, Welcome
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.config import Config
from bluebear.server.limits import HASHES_OF_ONE, HASHES_SECONDS, PASSWORD_TRIES
from bluebear.server.net import http
from bluebear.server.net.budget import Budgets
from bluebear.server.net.rate_limits import (
    BOUNDS,
    NEIGHBOURS,
    NO_BOUNDS,
    Bounds,
    Cost,
    neighbourhood_of,
    network_of,
)
from bluebear.server.people import passwords
from bluebear.server.people.passwords import Guesses
from tests.server.fixtures import Stage
from tests.tools.load.live_server import Running, running
from tests.tools.load.raw_client import left, stranger

ONE = "203.0.113.7"
OTHER = "203.0.113.8"


def errors(stage: Stage, name: str) -> list[Error]:
    return [each for each in stage.people[name].messages if isinstance(each, Error)]


def spend(stage: Stage, cost: Cost, amount: float, address: str) -> None:
    stage.app.budgets.charge(cost, stage.loop.time(), amount, address=address)


# Networks that cost nothing.


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::", "2001:db8:1::/48"),
        ("::1", "::/48"),
        ("::ffff:192.0.2.1", ""),
        ("192.0.2.1", ""),
        ("fe80::1%eth0", "fe80::/48"),
        ("no:address", ""),
    ],
)
def test_a_neighbourhood_is_a_48_of_ipv6(address: str, near: str) -> None:
    assert neighbourhood_of(network_of(address)) == near


def test_a_person_with_65536_networks_is_a_few_households_and_no_more() -> None:
    bounds = Bounds(address=BOUNDS.address, person={}, server={})
    made = Budgets(bounds)
    joined = sum(
        not made.consume(Cost.GUEST, 0, address=f"2001:db8:1:{number:x}::1")
        for number in range(500)
    )
    assert joined == BOUNDS.address[Cost.GUEST].burst * NEIGHBOURS
    assert not made.consume(Cost.GUEST, 0, address="2001:db8:2::1")


def test_their_connections_are_counted_together_too() -> None:
    made = Budgets(NO_BOUNDS)
    addresses = [f"2001:db8:1:{number:x}::1" for number in range(3 * NEIGHBOURS)]
    for address in addresses:
        made.connection_opened(address)
    assert made.is_over_connection_limit("2001:db8:1:ffff::1", 3)
    assert not made.is_over_connection_limit("2001:db8:2::1", 3)
    made.connection_closed(addresses[0])
    assert not made.is_over_connection_limit("2001:db8:1:ffff::1", 3)


# Requests and calls.


async def get(server: Running, path: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize("path", ["/", "/about", "/about/room/123456", "/r/some-token", "/nowhere"])
async def test_who_asks_by_http_without_end_has_to_wait(tmp_path: Path, path: str) -> None:
    async with running(tmp_path, Config(data=tmp_path, house=False)) as server:
        assert not (await get(server, path)).startswith("HTTP/1.1 429")
        now = asyncio.get_running_loop().time()
        server.app.budgets.charge(Cost.REQUEST, now, 100_000, address="127.0.0.1")
        refused = await get(server, path)
        assert refused.startswith("HTTP/1.1 429")
        assert "\r\nRetry-After: " in refused
        assert (await get(server, "/healthz")).startswith("HTTP/1.1 200"), "for who watches"
        async with stranger(server.url) as guest:
            await guest.hello("Ayu")


async def test_calls_of_one_who_has_many_addresses_make_room_for_other_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "KNOCKING_MAX", 6)
    async with running(tmp_path, Config(data=tmp_path, house=False)) as server:
        waiting = [
            await asyncio.open_connection("127.0.0.1", server.port, local_addr=(address, 0))
            for address in ("127.0.0.2", "127.0.0.2", "127.0.0.3") * 2
        ]
        async with stranger(server.url) as guest:
            await guest.hello("Ayu")
            assert await left(waiting[0][0]) == b"", "the oldest of those who are most is gone"
            assert [reader.at_eof() for reader, _ in waiting] == [True] + [False] * 5
        for _, each in waiting:
            each.close()
            with suppress(ConnectionError):
                await each.wait_closed()


async def test_where_the_house_enters_no_other_person_does(tmp_path: Path) -> None:
    """No client is counted there: a program of this machine would have no bound, nor a password."""
    async with running(tmp_path, Config(data=tmp_path, house=False)) as server:
        async with stranger(server.url) as registered:
            await registered.hello("Ayu")
        port = await server.transport.open_private()
        for token in (None, registered.token, "0" * 32):
            async with stranger(f"ws://127.0.0.1:{port}/ws") as guest:
                await guest.send(Hello(langs=("en",), name="Ben", token=token))
                answer = await guest.hear(Error)
            assert answer.code == "unauthorized"
        async with stranger(f"ws://127.0.0.1:{port}/ws") as child:
            await child.send(Hello(langs=("en",), token=server.app.engine.house.token))
            await child.hear(Welcome)


# Lines.


def test_however_many_connections_an_address_has_its_lines_have_one_bound(stage: Stage) -> None:
    stage.come("Ayu", "Ben", address=ONE)
    stage.come("Cleo", address=OTHER)
    spend(stage, Cost.LINES, BOUNDS.address[Cost.LINES].burst - 1, ONE)
    stage.say("Ayu", "/help", lobby=True)
    assert stage.refused("Ben", "/help", lobby=True) == "too_much"
    wait = errors(stage, "Ben")[0].retry_ms
    assert wait
    stage.say("Cleo", "/help", lobby=True)
    stage.wait(wait / 1000)
    stage.say("Ben", "/help", lobby=True)


def test_a_name_that_changes_again_and_again_costs_like_talk(stage: Stage) -> None:
    stage.come("Ayu", address=ONE)
    spend(stage, Cost.BYTES, BOUNDS.address[Cost.BYTES].burst, ONE)
    assert stage.refused("Ayu", "/nick Ayumi", lobby=True) == "too_much"
    assert errors(stage, "Ayu")[0].retry_ms


def test_a_command_full_of_terms_costs_like_talk(stage: Stage) -> None:
    stage.come("Ayu", address=ONE)
    spend(stage, Cost.BYTES, BOUNDS.address[Cost.BYTES].burst, ONE)
    assert stage.refused("Ayu", "/shout " + "a" * 200, lobby=True) == "too_much"
    stage.say("Ayu", "/shout hello", lobby=True)


# Hashes.


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When hashes were made; each takes a second of the scene's time."""
    made: list[float] = []

    async def slowly(work: Callable[..., object], *given: str) -> object:
        loop = asyncio.get_running_loop()
        made.append(loop.time())
        done = asyncio.Event()
        loop.call_later(1, done.set)
        await done.wait()
        return work(*given)

    monkeypatch.setattr(passwords, "_in_a_thread", slowly)
    return made


def test_who_sets_a_password_without_end_leaves_hashes_for_other_people(
    stage: Stage, hashed: list[float]
) -> None:
    stage.table("journey", "Ayu")
    stage.come("Ben")
    stage.wait(60)
    for number in range(10):
        stage.send("Ayu", f"/password sesame{number}")
    stage.send("Ben", "/register open-sesame", lobby=True)
    stage.wait(10)
    assert len(hashed) == HASHES_OF_ONE + 1
    codes = [each.code for each in errors(stage, "Ayu")]
    assert codes.count("too_much") == 10 - HASHES_OF_ONE - codes.count("busy")
    assert all(each.retry_ms for each in errors(stage, "Ayu") if each.code == "too_much")
    assert not errors(stage, "Ben")
    stage.wait(HASHES_SECONDS)
    stage.send("Ayu", "/password sesame")
    stage.wait(2)
    assert len(hashed) == HASHES_OF_ONE + 2


# A person who guesses a password takes no attempts from its owner.


def test_a_try_that_was_not_compared_is_no_try(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> bool:
        raise NotAllowed("busy", retry_ms=1)

    stage.come("Ayu", address=ONE)
    monkeypatch.setattr(stage.app.engine.hashing, "compare", busy)
    for _ in range(100):
        assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "busy"
        stage.wait(1)


def test_who_has_no_tries_left_takes_none_of_a_name(stage: Stage) -> None:
    stage.come("Ayu", address=ONE)
    spend(stage, Cost.WRONG, BOUNDS.address[Cost.WRONG].burst + 60, ONE)
    for _ in range(100):
        assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "too_much"
        stage.wait(1)
    now = stage.loop.time()
    left_over = BOUNDS.person[Cost.LOGIN].burst
    key = "name ben"
    assert not stage.app.budgets.retry_after_ms(
        Cost.LOGIN, now, address=OTHER, person=key, amount=left_over
    )


def test_who_has_no_tries_left_does_not_begin_to_wait_anew(stage: Stage) -> None:
    stage.come("Ayu", address=ONE)
    for _ in range(PASSWORD_TRIES):
        assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "wrong_login"
    assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "password_wait"
    stage.wait(61)
    burst = BOUNDS.address[Cost.WRONG].burst
    spend(stage, Cost.WRONG, burst, ONE)
    assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "too_much"
    spend(stage, Cost.WRONG, -burst, ONE)
    assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "wrong_login"


def test_who_has_waited_long_enough_begins_anew() -> None:
    guesses = Guesses(2)
    for now in (0.0, 0.0, 60.0):
        guesses.wrong("Ayu", now)
    assert guesses.wait("Ayu", 60.0) == 120
    guesses.wrong("Ayu", 60.0 + 2 * 120.0 + 1)
    assert guesses.wait("Ayu", 301.0) == 0
