"""`python -m tests.corpus.record_frames`: record what servers send to clients, for tests of
mirrors.

People play on the real server in virtual time, and each frame that some of them hear is kept with
what it must lead to. frames/README.md says how a recording reads. What is there is never written
again: new recordings need a new name.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from bluebear.clients.sdk.mirror import Mirror
from bluebear.protocol import (
    JSON,
    MSGPACK,
    Branch,
    Codec,
    Lang,
    Lobby,
    Presence,
    Room,
    ServerMessage,
    Update,
    Want,
    crc,
)
from bluebear.server.config import Config
from tests.journals.recorded_sessions import Plan, Table
from tests.sim.invariants import faults_of
from tests.sim.network import Wire
from tests.sim.simulated_clients import Person
from tests.sim.simulation import World
from tests.sim.virtual_loop import run

FRAMES: Final = Path(__file__).parent / "frames"
FORMAT: Final = 1

Plain = dict[str, Any]  # Any: plain JSON
ALL: Final = frozenset[Want]({"text", "moves", "events"})
FEW: Final = frozenset[Want]({"text"})


class Recorder(Person):
    """A person whose frames are recorded; None stands for a connection that was lost."""

    def __init__(
        self, world: World, name: str, *, codec: Codec, lang: Lang = "en", wants: frozenset[Want]
    ) -> None:
        super().__init__(world, name, codec=codec, lang=lang, wants=wants)
        self.tape: list[bytes | None] = []
        self.about: Plain = {
            "name": name,
            "codec": codec.name,
            "lang": lang,
            "wants": sorted(wants),
        }

    def connect(self) -> None:
        """Dial the server; what was known of the last connection holds no more."""
        if self.tape and self.tape[-1] is not None:
            self.tape.append(None)
        super().connect()

    def on_frame(self, wire: Wire, frame: bytes) -> None:
        """Keep the frame."""
        if wire is self.wire:
            self.tape.append(frame)
        super().on_frame(wire, frame)


async def recorder(
    world: World, name: str, codec: Codec, lang: Lang = "en", wants: frozenset[Want] = ALL
) -> Recorder:
    """A registered person whose frames are recorded."""
    made = world.add(Recorder(world, name, codec=codec, lang=lang, wants=wants))
    await made.met()
    return made


async def at_table(world: World, plan: Plan, moves: int) -> Mapping[str, Recorder]:
    """A game with two who are recorded and one who watches, some moves or to its end."""
    people: list[Person] = [
        await recorder(world, plan.people[0], MSGPACK),
        await recorder(world, plan.people[1], JSON, "ja"),
        *[await world.person(name) for name in plan.people[2:]],
    ]
    made = Table(world, plan, people)
    await made.start()
    await made.play(moves // 3)
    watcher = await recorder(world, "Watcher", JSON, wants=frozenset({"text", "events"}))
    assert (await watcher.line(f"/room {made.room}")).ok
    await made.play(moves // 3)
    assert (await watcher.line("/board", made.room)).ok
    assert not (await watcher.line("/resign !", made.room)).ok
    await made.say(people[0], "/nosuch command")
    await made.say(people[1], "/undo")
    await made.play(moves - 2 * (moves // 3))
    first, second = people[:2]
    assert isinstance(first, Recorder)
    assert isinstance(second, Recorder)
    return {"first": first, "second": second, "watching": watcher}


def game(plan: Plan, moves: int) -> Callable[[World], Coroutine[Any, Any, Mapping[str, Recorder]]]:
    """The evening of one game."""
    return lambda world: at_table(world, plan, moves)


async def wandering(world: World) -> Mapping[str, Recorder]:
    """From the lobby into one room and another; lost connections, a new board, a server again."""
    ayu = await recorder(world, "Ayu", MSGPACK)
    ben = await recorder(world, "Ben", JSON, wants=FEW)
    first = Table(world, Plan("manhattan", ("Chie", "Dan"), privacy="public"), [])
    first.people = {name: await world.person(name) for name in ("Chie", "Dan")}
    await first.start()
    await first.play(6)
    await asyncio.sleep(2)  # the lobby's list has it
    assert (await ayu.line(f"/room {first.room}")).ok
    await first.play(4)
    ayu.sync(first.room)
    await asyncio.sleep(1)
    assert (await ayu.line("/lobby", first.room)).ok
    second = Table(world, Plan("tokugawa", ("Ayu", "Ben"), privacy="public"), [ayu, ben])
    await second.start()
    await second.play(10)
    ayu.ask("game", second.room, key="tokugawa")
    ayu.ask("catalogue", second.room)
    ayu.ask("history", second.room)
    ayu.ask("record", second.room)
    ayu.ask("complete", second.room, text="/mo")
    await asyncio.sleep(2)
    for person in (ayu, ben):
        assert person.wire is not None
        person.wire.cut()
        await asyncio.sleep(8)
    await second.play(6)
    await second.do("Ayu", "/resign !")
    await second.do("Ayu", "/again")
    await second.do("Ben", "/start")
    await second.play(8)
    await world.stop()
    await asyncio.sleep(3)
    await world.start()
    await asyncio.sleep(20)
    await second.play(6)
    third = Table(world, Plan("railroad_ink", ("Ben",)), [ben])
    await third.start()
    await third.play(5)
    await second.play(2)
    assert (await ayu.line(f"/room {third.room}")).ok
    assert (await ben.line("/kick Ayu", third.room)).ok
    await third.play(3)
    assert (await ben.line("/nick Benno")).ok
    await asyncio.sleep(2)
    await world.stop()  # all clients receive the server's goodbye
    await asyncio.sleep(0.5)
    for person in (ayu, ben):
        person.go()
    await world.start()
    return {"ayu": ayu, "ben": ben}


EVENINGS: Final[Mapping[str, Callable[[World], Coroutine[Any, Any, Mapping[str, Recorder]]]]] = {
    "manhattan": game(Plan("manhattan", ("Ayu", "Ben", "Chie"), ("clock 300+9",)), 90),
    "railroad_ink": game(Plan("railroad_ink", ("Ayu", "Ben", "Chie"), bots=("random",)), 270),
    "itc": game(Plan("itc", ("Ayu", "Ben", "Chie"), bots=("random",)), 150),
    "tokai": game(Plan("tokai", ("Ayu", "Ben", "Chie")), 150),
    "tokugawa": game(Plan("tokugawa", ("Ayu", "Ben"), greedy=0), 150),
    "wandering": wandering,
}


def digest(tree: object) -> str:
    """The SHA-256 of the canonical JSON of a plain tree."""
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def lines_of(session: str, person: Recorder) -> Iterable[Plain]:
    """The lines of a recording."""
    yield {"format": FORMAT, "session": session, **person.about}
    mirror = Mirror()
    for frame in person.tape:
        if frame is None:
            mirror.disconnect()
            yield {"lost": True}
            continue
        message = person.codec.decode_server(frame.decode() if person.codec.text else frame)
        text = frame if person.codec.text else JSON.encode(message)
        packed = MSGPACK.encode(message) if person.codec.text else frame
        happened = [type(each).__name__ for each in mirror.receive(message)]
        yield {
            "json": text.decode(),
            "msgpack": base64.b64encode(packed).decode(),
            **expectation(mirror, message),
            "happened": happened,
        }
    yield {"end": final(mirror)}


def expectation(mirror: Mirror, message: ServerMessage) -> Plain:
    """What a mirror must show when it has taken this message."""
    match message:
        case Room() | Update() | Presence():
            mirrored = room_of(mirror, message)
            if mirrored is None:
                return {}
            room = mirror.rooms[mirrored]
            if isinstance(message, Presence):
                return {"room": room.id, "here": list(room.here), "away": list(room.away)}
            return {
                "room": room.id,
                "version": room.version,
                "view": digest(room.view),
                "sum": crc(room.view),
            }
        case Lobby():
            return {"lobby": digest(mirror.lobby)}
        case _:
            return {}


def room_of(mirror: Mirror, message: Room | Update | Presence) -> Any:  # Any: a key of the mirror
    """The room that a message is about, by its own name."""
    return next((r for r in mirror.rooms if mirror.number(r) == message.room), None)


def final(mirror: Mirror) -> Plain:
    """Everything that is known in the end."""
    return {
        "rooms": {
            room.id: {
                "game": room.game,
                "version": room.version,
                "eyes": sorted(room.eyes),
                "here": list(room.here),
                "away": list(room.away),
                "moves": {str(seat): list(each.lines) for seat, each in room.moves.items()},
                "sound": room.sound,
                "view": plain(room.view),
            }
            for room in mirror.rooms.values()
        },
        "lobby": plain(mirror.lobby),
        "games": {key: each.hash for key, each in mirror.games.items()},
    }


def plain(tree: Branch) -> Plain:
    """A tree as a file has it."""
    made: Plain = json.loads(json.dumps(tree))
    return made


def record(name: str) -> list[Path]:
    """Play an evening and write down what was heard."""

    async def record_evening() -> Mapping[str, Recorder]:
        config = Config(house=False, connections_per_address=1000)
        world = World(crc32(name.encode()), config=config)
        await world.start()
        world.open_house()
        people = await EVENINGS[name](world)
        await asyncio.sleep(2)
        # What was seen is what the journal says, version by version.
        faults = await faults_of(world)
        assert not faults, faults
        await world.go_home()
        return people

    made = []
    for who, person in run(record_evening()).items():
        session = f"{name}-{who}"
        text = "".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in lines_of(session, person)
        )
        path = FRAMES / f"{session}.jsonl.gz"
        with path.open("xb") as file:
            file.write(gzip.compress(text.encode(), mtime=0))
        made.append(path)
    return made


def main(wanted: Sequence[str]) -> int:
    """Record the evenings that are named, or all."""
    for name in wanted or EVENINGS:
        record(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
