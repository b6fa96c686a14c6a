"""Does a client keep its promises over real sockets, whatever happens to the connection?"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any

import pytest

from bluebear.clients.sdk import (
    AskRefused,
    Backoff,
    Client,
    ClientClosed,
    HelloRefused,
    Left,
    Lost,
    Missed,
    NotInRoomError,
    RoomId,
    Synced,
    Unreachable,
    Updated,
    Welcomed,
    YourMove,
)
from bluebear.clients.server_url import BadAddressError
from bluebear.clients.transport.event_queue import EventQueue
from bluebear.protocol import Bye, Close, Error
from tests.clients.conftest import until
from tests.clients.fake_server import FakeServer


class Waits:
    """A sleep that takes no time and remembers how long it should have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


async def _until(test: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(5):
        while not test():  # noqa: ASYNC110  # nothing tells of it
            await asyncio.sleep(0)


def client(server: FakeServer, name: str | None = "Ayu", **changes: Any) -> Client:
    """A client that comes back at once, unless the scene wants it otherwise."""
    return Client(server.url, **{"name": name, "sleep": Waits(), "wants": {"text"}, **changes})


async def new_room(ayu: Client) -> RoomId:
    reply = await ayu.say("/newroom counting unlisted")
    assert reply.room is not None
    return reply.room


@pytest.mark.parametrize("form", ["ws://{}", "ws://{}/", "ws://{}/ws", "http://{}", "{}"])
async def test_an_address_may_be_given_as_people_paste_it(server: FakeServer, form: str) -> None:
    position = server.http.removeprefix("http://")
    async with Client(form.format(position), name="Ayu") as ayu:
        assert (await ayu.say("hello")).ok


def test_what_is_no_address_is_refused_before_anything_is_connected() -> None:
    with pytest.raises(BadAddressError):
        Client("ftp://example", name="Ayu")


@pytest.mark.parametrize("codec", ["msgpack", "json"])
async def test_a_line_is_answered_with_its_version(server: FakeServer, codec: str) -> None:
    async with client(server, codec=codec) as ayu:
        room = await new_room(ayu)
        reply = await ayu.say("hello", room=room)
        assert (reply.ok, reply.version, reply.room) == (True, 2, room)


async def test_a_refusal_is_a_reply(server: FakeServer) -> None:
    async with client(server) as ayu:
        reply = await ayu.say("/jump", room=await new_room(ayu))
        assert (reply.ok, reply.code, reply.candidates) == (
            False,
            "unknown_command",
            ("/add", "/join"),
        )


async def test_what_a_line_caused_is_recognized_when_it_is_answered(server: FakeServer) -> None:
    async with client(server) as ayu:
        room = await new_room(ayu)
        await ayu.say("/join", room=room)
        assert ayu.room(room).view["room"] == server.tables[room].view["room"]


async def test_all_people_in_the_room_hear_it(server: FakeServer) -> None:
    async with client(server) as ayu, client(server, "Bob") as bob:
        room = await new_room(ayu)
        await bob.say(f"/room {room}")
        await ayu.say("hello", room=room)
        received = await until(bob, Updated)
        assert received.text == ("Ayu: hello",)


async def test_a_question_is_answered(server: FakeServer) -> None:
    async with client(server) as ayu:
        body = await ayu.ask("complete", args={"text": "/jo"})
        assert body["asked"] == {"text": "/jo"}


async def test_a_question_can_be_refused(server: FakeServer) -> None:
    async with client(server) as ayu:
        with pytest.raises(AskRefused) as refused:
            await ayu.ask("record")
        assert refused.value.reply.text == "There is no record yet."


async def test_a_line_for_a_room_that_we_are_not_in_is_a_mistake(server: FakeServer) -> None:
    async with client(server) as ayu:
        with pytest.raises(NotInRoomError):
            await ayu.say("hello", room=RoomId("99"))


async def test_ids_are_never_used_twice(server: FakeServer) -> None:
    async with client(server) as ayu, client(server, "Bob") as bob:
        await asyncio.gather(*(each.say("hello") for each in (ayu, bob) for _ in range(20)))
    ids = {line for _, line, _ in server.sent_lines}
    assert len(ids) == 40
    assert max(map(len, ids)) <= 32


async def test_where_no_server_is_entering_fails() -> None:
    with pytest.raises(Unreachable):
        async with Client("ws://127.0.0.1:1/ws", name="Ayu"):
            pytest.fail("connected to nothing")


async def test_a_name_that_is_taken_is_reported_in_the_servers_terms(server: FakeServer) -> None:
    server.taken.add("Ayu")
    with pytest.raises(HelloRefused, match=r"name_taken: Ayu is taken\."):
        async with client(server):
            pytest.fail("let in under a taken name")


async def test_a_token_makes_one_the_same_person(server: FakeServer) -> None:
    async with client(server) as ayu:
        token = ayu.token
    async with client(server, name=None, token=token) as again:
        assert again.name == "Ayu"


async def test_a_lost_connection_returns_as_the_same_person(server: FakeServer) -> None:
    async with client(server) as ayu:
        await server.cut("Ayu")
        await until(ayu, Welcomed, lambda welcomed: welcomed.again)
        assert [hello.token for hello in server.hellos] == [None, "token of Ayu"]


class Drawer:
    """Where two clients of one person keep the token."""

    def __init__(self) -> None:
        self.token: str | None = None

    def recall(self) -> str | None:
        return self.token

    def keep(self, token: str) -> None:
        self.token = token

    def forget(self) -> None:
        self.token = None


async def test_whoever_shares_a_token_continues_when_another_has_replaced_it(
    server: FakeServer,
) -> None:
    server.replaces = True
    drawer = Drawer()
    async with client(server, tokens=drawer) as ayu:
        assert drawer.token == "token of Ayu"
        async with client(server, name=None, tokens=drawer):
            assert drawer.token == "token of Ayu'"
        await server.cut("Ayu")
        await until(ayu, Welcomed, lambda welcomed: welcomed.again)
        assert [hello.token for hello in server.hellos[1:]] == ["token of Ayu", "token of Ayu'"]
        assert drawer.token == ayu.token == "token of Ayu''"


async def test_who_has_logged_out_forgets_the_token(server: FakeServer) -> None:
    drawer = Drawer()
    async with client(server, tokens=drawer) as ayu:
        await server.member("Ayu").tell(Bye(why="logged_out", text="Until soon."))
        await server.cut("Ayu")
        closed = await ayu.closed()
    assert (closed.code, closed.text, drawer.token) == ("logged_out", "Until soon.", None)


async def test_rooms_are_entered_again(server: FakeServer) -> None:
    async with client(server) as ayu:
        room = await new_room(ayu)
        await server.cut("Ayu")
        await until(ayu, Synced)
        await ayu.say("back", room=room)
        assert server.tables[room].log[-1].text == "Ayu: back"


async def test_what_was_missed_stands_in_the_log(server: FakeServer) -> None:
    async with client(server) as ayu, client(server, "Bob") as bob:
        room = await new_room(ayu)
        await bob.say(f"/room {room}")
        await server.cut("Bob")
        await ayu.say("are you there?", room=room)
        synced = await until(bob, Synced)
        assert synced.log[-1].text == "Ayu: are you there?"


async def test_a_line_whose_answer_was_lost_takes_effect_once(server: FakeServer) -> None:
    async with client(server) as ayu:
        room = await new_room(ayu)
        server.cut_before_answer = "only once"
        reply = await ayu.say("only once", room=room)
        assert (reply.ok, reply.version) == (True, 2)
    lines = [line for line in server.sent_lines if line[2] == "only once"]
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert [logged.text for logged in server.tables[room].log].count("Ayu: only once") == 1


async def test_lines_sent_while_away_are_sent_after_the_return(server: FakeServer) -> None:
    gate = asyncio.Event()

    async def sleep(_: float) -> None:
        await gate.wait()

    async with client(server, sleep=sleep) as ayu:
        room = await new_room(ayu)
        await server.cut("Ayu")
        await until(ayu, Lost)
        waiting = asyncio.create_task(ayu.say("later", room=room))
        gate.set()
        assert (await waiting).ok
    assert [text for _, _, text in server.sent_lines] == [
        "/newroom counting unlisted",
        f"/room {room}",
        "later",
    ]


async def test_a_room_that_does_not_let_one_back_in_is_left(server: FakeServer) -> None:
    async with client(server) as ayu:
        room = await new_room(ayu)
        del server.tables[room]
        await server.cut("Ayu")
        left = await until(ayu, Left)
        assert left == Left(room, f"There is no room {room}.")


async def test_lines_for_a_room_that_is_removed_are_refused(server: FakeServer) -> None:
    async with client(server) as ayu:
        room = await new_room(ayu)
        server.cut_before_answer = "hello?"
        del server.tables[room]
        reply = await ayu.say("hello?", room=room)
        assert (reply.code, reply.text) == ("not_in_room", f"There is no room {room}.")


async def test_a_lost_update_is_made_up_for_by_a_snapshot(server: FakeServer) -> None:
    async with client(server) as ayu, client(server, "Bob") as bob:
        room = await new_room(ayu)
        await bob.say(f"/room {room}")
        server.spoil = lambda update: None
        await ayu.say("lost to all", room=room)
        server.spoil = lambda update: update
        await ayu.say("/join", room=room)
        await until(bob, Synced)
        assert bob.room(room).view == server.tables[room].view


async def test_leaving_a_room_is_reported(server: FakeServer) -> None:
    async with client(server) as ayu:
        room = await new_room(ayu)
        await ayu.say("/lobby", room=room)
        assert (await until(ayu, Left)).room == room
        assert ayu.mirror.rooms == {}


async def test_attempts_are_spread_and_grow(server: FakeServer) -> None:
    waits = Waits()
    backoff = Backoff(first_seconds=1, longest_seconds=4, attempts=4)
    async with FakeServer() as other:
        ayu = Client(other.url, name="Ayu", backoff=backoff, sleep=waits, jitter=lambda: 0.5)
        await ayu.__aenter__()
    closed = await ayu.closed()
    await ayu.__aexit__()
    assert waits.seconds == [0.75, 1.5, 3.0, 3.0]
    assert closed.code == "lost"


async def test_bye_says_when_to_come_back(server: FakeServer) -> None:
    waits = Waits()
    async with client(server, sleep=waits, jitter=lambda: 1.0) as ayu:
        bye = Bye(why="restart", text="Back soon.", retry_ms=3000)
        await server.cut("Ayu", code=Close.BYE, bye=bye)
        await until(ayu, Welcomed, lambda welcomed: welcomed.again)
    assert waits.seconds == [3.25]


async def test_bye_without_a_time_is_the_end(server: FakeServer) -> None:
    async with client(server) as ayu:
        await server.cut("Ayu", code=Close.BYE, bye=Bye(why="banished", text="Go."))
        closed = await ayu.closed()
        assert (closed.code, closed.text) == ("banished", "Go.")


async def test_who_is_replaced_does_not_come_back(server: FakeServer) -> None:
    async with client(server) as ayu:
        await server.cut("Ayu", code=Close.REPLACED)
        assert (await ayu.closed()).code == "replaced"
    assert len(server.hellos) == 1


@pytest.mark.parametrize("code", [Close.UNREADABLE, Close.POLICY, Close.TOO_BIG])
async def test_after_a_fault_of_ours_the_return_is_slow(server: FakeServer, code: Close) -> None:
    waits = Waits()
    async with client(server, sleep=waits) as ayu:
        await server.cut("Ayu", code=code)
        await until(ayu, Welcomed, lambda welcomed: welcomed.again)
    assert waits.seconds == [15.0]


async def test_a_line_that_can_get_no_answer_raises(server: FakeServer) -> None:
    async with client(server, backoff=None) as ayu:
        server.cut_before_answer = "last words"
        with pytest.raises(ClientClosed):
            await ayu.say("last words")


async def test_a_client_that_has_ended_takes_no_line(server: FakeServer) -> None:
    async with client(server, backoff=None) as ayu:
        await server.cut("Ayu")
        await ayu.closed()
        with pytest.raises(ClientClosed):
            await ayu.say("hello?")


async def test_a_line_that_no_person_waits_for_any_more_ends_silently(
    server: FakeServer,
) -> None:
    """Else a program's log would fill up with futures whose exception was never retrieved."""
    complaints: list[dict[str, Any]] = []  # Any: what asyncio tells of a trouble
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    async with client(server, backoff=None) as ayu:
        ayu._answers["being sent"] = loop.create_future()
        await server.cut("Ayu")
        await ayu.closed()
        ayu._answers.clear()
    gc.collect()
    assert not complaints


async def test_the_end_of_the_client_ends_its_happenings(server: FakeServer) -> None:
    async with client(server, backoff=None) as ayu:
        await server.cut("Ayu")
        assert [type(each) async for each in ayu.happenings()][-1] is not Lost


async def test_a_token_that_is_no_longer_good_ends_the_client(server: FakeServer) -> None:
    async with client(server) as ayu:
        server.expired.add("token of Ayu")
        await server.cut("Ayu")
        assert (await ayu.closed()).code == "unauthorized"


async def test_lines_that_arrived_too_fast_are_sent_again_after_a_while(server: FakeServer) -> None:
    waits = Waits()
    async with client(server, sleep=waits) as ayu:
        server.too_fast = 3
        replies = await asyncio.gather(*(ayu.say(f"line {number}") for number in range(3)))
    assert all(reply.ok for reply in replies)
    assert waits.seconds == [1.0]


async def test_who_is_notified_again_that_he_is_too_fast_waits_from_then_on(
    server: FakeServer,
) -> None:
    """What came before the second word may have been passed over for its sake."""
    waits: list[asyncio.Event] = []

    async def sleep(seconds: float) -> None:
        waits.append(asyncio.Event())
        await waits[-1].wait()

    async with client(server, sleep=sleep) as ayu:
        server.too_fast = 2
        first = asyncio.create_task(ayu.say("first"))
        second = asyncio.create_task(ayu.say("second"))
        await _until(lambda: len(server.sent_lines) == 2 and len(waits) == 1)
        await server.member("Ayu").tell(Error(code="too_fast", text="Too fast."))
        await _until(lambda: len(waits) == 2)
        waits[0].set()
        await asyncio.sleep(0)
        assert len(server.sent_lines) == 2
        waits[1].set()
        assert all(reply.ok for reply in await asyncio.gather(first, second))


async def test_a_server_that_is_full_says_when_to_come_back(server: FakeServer) -> None:
    server.full = Bye(why="full_server", text="The server is full.", retry_ms=10)
    with pytest.raises(Unreachable, match=r"The server is full\."):
        async with client(server):
            pytest.fail("let in although the server is full")


async def test_legal_lines_come_to_those_who_want_them(server: FakeServer) -> None:
    async with client(server, wants={"moves"}) as ayu:
        room = await new_room(ayu)
        await ayu.say("/join", room=room)
        await ayu.say("/start", room=room)
        moves = await until(ayu, YourMove)
        assert moves.lines == ("/add 1", "/add 2")


async def test_unread_happenings_are_dropped_from_the_oldest() -> None:
    received: EventQueue[object] = EventQueue(2, Missed)
    for room in ("1", "2", "3"):
        received.put(Left(RoomId(room), ""))
    received.end()
    assert [await received.get() for _ in range(4)] == [
        Missed(1),
        Left(RoomId("2"), ""),
        Left(RoomId("3"), ""),
        None,
    ]


async def test_a_client_leaves_nothing_behind(server: FakeServer) -> None:
    async with client(server) as ayu:
        await until(ayu, Welcomed)
    await server.empty()
