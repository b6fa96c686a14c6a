"""Links over real sockets: who is let in, what is gathered, when they are cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import msgspec
import pytest

from bluebear.server.link.frames import Farewell, Frame, Hello, Left, Line, Push, packed, unpacked
from bluebear.server.link.wire import Gather, Link, SocketLink
from bluebear.server.observe import COUNTERS


@dataclass
class Ends:
    """One side, with all that it was told."""

    links: list[tuple[Link, str]] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    over: list[Link] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def opened(self, link: Link, node: str) -> None:
        self.links.append((link, node))
        self.news.set()

    def heard(self, link: Link, frame: Frame) -> None:
        self.frames.append(frame)
        self.news.set()

    def ended(self, link: Link) -> None:
        self.over.append(link)
        self.news.set()

    async def until(self, seen: Callable[[], object]) -> None:
        while not seen():
            self.news.clear()
            await self.news.wait()


@asynccontextmanager
async def listening(ends: Ends, secret: bytes = b"secret") -> AsyncIterator[int]:
    """An engine's side, at a port of this machine."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SocketLink(ends, "engine.1", secret, dials=False), "127.0.0.1", 0
    )
    async with server:
        port: int = server.sockets[0].getsockname()[1]
        yield port


async def dial(port: int, ends: Ends, secret: bytes = b"secret") -> SocketLink:
    """An edge's side."""
    loop = asyncio.get_running_loop()
    made = SocketLink(ends, "edge.1", secret, dials=True)
    await loop.create_connection(lambda: made, "127.0.0.1", port)
    return made


async def test_both_learn_who_the_other_is_and_hear_everything_in_order() -> None:
    engine, edge = Ends(), Ends()
    async with listening(engine) as port:
        link = await dial(port, edge)
        await engine.until(lambda: engine.links)
        await edge.until(lambda: edge.links)
        assert engine.links[0][1] == "edge.1"
        assert edge.links[0][1] == "engine.1"
        sent: list[Frame] = [Line(number, "", "x" * 1000, None) for number in range(500)]
        for each in sent:
            link.send(each)
        await engine.until(lambda: len(engine.frames) == len(sent))
        assert engine.frames == sent
        link.close()
        await engine.until(lambda: engine.over)
        await edge.until(lambda: edge.over)


async def test_what_is_sent_before_a_farewell_arrives_and_nothing_behind_it() -> None:
    engine, edge = Ends(), Ends()
    async with listening(engine) as port:
        link = await dial(port, edge)
        await engine.until(lambda: engine.links)
        await edge.until(lambda: edge.links)
        sent: list[Frame] = [Line(number, "", "x" * 1000, None) for number in range(2000)]
        for each in (*sent, Farewell()):
            link.send(each)
        link.close()
        link.send(Left(1))
        await engine.until(lambda: engine.over)
        assert engine.frames == [*sent, Farewell()]
        await edge.until(lambda: edge.over)


async def test_who_does_not_know_the_secret_is_no_person() -> None:
    engine, edge = Ends(), Ends()
    async with listening(engine) as port:
        link = await dial(port, edge, b"guessed")
        link.send(Left(1))
        await link.lost.wait()
        assert not engine.links
        assert not edge.links
        assert not engine.frames


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(packed([Left(1)]), id="without a hello"),
        pytest.param(packed([Hello(999, "edge", b"")]), id="another version"),
        pytest.param(b"\xc1", id="no frames"),
        pytest.param(b"x" * 2000, id="too much"),
    ],
)
async def test_whoever_begins_otherwise_is_cut(piece: bytes) -> None:
    engine = Ends()
    async with listening(engine) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(len(piece).to_bytes(4, "big") + piece)
        with suppress(ConnectionError):
            while await reader.read(1000):
                pass
        assert not engine.links
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def test_what_a_later_version_says_more_is_passed_over_and_counted() -> None:
    engine, edge = Ends(), Ends()
    before = COUNTERS["links.unknown"]
    async with listening(engine) as port:
        link = await dial(port, edge)
        await edge.until(lambda: edge.links)
        later = [["Left", 1, "a field more"], ["Later", 2, {}], ["Left", 3], "no frame", ["Left"]]
        link._write(msgspec.msgpack.encode(later))
        link.send(Left(4))
        await engine.until(lambda: len(engine.frames) == 3)
        assert engine.frames == [Left(1), Left(3), Left(4)]
        assert COUNTERS["links.unknown"] - before == 3
        assert not engine.over
        link.close()
        await engine.until(lambda: engine.over)


async def test_one_frame_for_many_crosses_once() -> None:
    sent: list[bytes] = []
    gather = Gather(sent.append)
    frame = bytes(5000)
    for number in range(100):
        gather.put(Push([number], frame))
    gather.put(Left(1))
    gather.put(Push([7], frame))
    await asyncio.sleep(0)
    assert len(sent) == 1
    assert len(sent[0]) < 2 * 5000 + 1000
    assert unpacked(sent[0]) == [Push(list(range(100)), frame), Left(1), Push([7], frame)]


async def test_a_link_that_takes_nothing_is_cut_before_it_fills_the_memory() -> None:
    engine = Ends()
    async with listening(engine) as port:
        edge = Ends()
        dialed = await dial(port, edge)
        await engine.until(lambda: engine.links)
        link = engine.links[0][0]
        piece = bytes(2**20)
        for number in range(200):
            link.send(Push([number], bytes(piece)))
            await asyncio.sleep(0)
            if engine.over:
                break
        assert engine.over, "nobody was reading, and it went on for ever"
        await dialed.lost.wait()
