"""Writes `clients/web/gallery/KEY/`: positions of real games, for the gallery and its tests.

`python -m tests.web.record_gallery [KEY...]` plays each game with the fewest and the most seats
over a real server, by the game's own bots with seeded choices, and keeps what the first seat saw:
the start, the middle, the end, every first meeting of a new set of verbs, and what a spectator saw
half-way. The server's dice are fresh each time; a recording is kept until the views change shape.

`--start` writes the games of the start page instead, `clients/web/src/screens/recorded/KEY.json`: a
whole game as a spectator saw it, its first view and merge patches.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from bluebear.clients.bots.player import view_of
from bluebear.clients.bots.strategies import strategy
from bluebear.clients.sdk import (
    Client,
    ClientClosed,
    Entered,
    MoveClock,
    RoomView,
    Synced,
    Updated,
    YourMove,
)
from bluebear.clients.terminal.local_server import SERVE, started_server
from bluebear.protocol import Branch
from bluebear.rules import games
from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.merge_patch import diff

GALLERY: Final = Path(__file__).parents[2] / "clients" / "web" / "gallery"
RECORDED: Final = GALLERY.parent / "src" / "screens" / "recorded"
START: Final = {"manhattan": 4, "railroad_ink": 1}
"""The games of the start page, and how many play them."""

ROOM: Final = ("id", "phase", "seats", "turn")
UNDRAWN: Final = frozenset({"options", "general", "view", "summary", "names"})
"""The fields of a `game` message that no drawing reads."""

LOG_LINES: Final = 40
NEW_VERBS_MAX: Final = 14
"""Positions kept for the first meeting of a set of verbs, the earliest first."""

QUICK: Final = {
    "itc": ("goal 120000",),
    "tokai": ("turnlimit 150",),
    "tokugawa": ("max_rounds 20",),
}
"""Options that bring a game to its end in a recording of sensible length."""

AT_RANDOM: Final = {"tokugawa": 3}
"""Where one decision in so many is made at random: the game's own bot never forges, say."""


Answers = dict[str, dict[str, Any]]  # Any: texts, and a plain tree
"""Question -> language -> answer, and `data` -> its figures."""


@dataclass(slots=True)
class Seen:
    """What one viewer has seen so far."""

    room: RoomView | None = None
    log: list[dict[str, Any]] = field(default_factory=list)  # Any: plain trees of JSON
    positions: list[dict[str, Any]] = field(default_factory=list)

    def position(self, moves: YourMove | None, answers: Answers | None = None) -> None:
        """Keep the present position."""
        room = self.room
        assert room is not None  # a position follows an Entered
        self.positions.append(
            {
                "game": room.game,
                "hash": room.hash,
                "version": room.version,
                "eyes": sorted(room.eyes),
                "view": room.view,
                "moves": {} if moves is None else {str(moves.seat): list(moves.lines)},
                "log": self.log[-LOG_LINES:],
                **({"answers": answers} if answers else {}),
            }
        )


async def bot(client: Client, key: str, chance: Chance) -> None:
    """Play a seat."""
    with suppress(ClientClosed):
        async for happening in client.happenings():
            if isinstance(happening, YourMove):
                await answer(client, happening, key, chance)


async def answer(client: Client, moves: YourMove, key: str, chance: Chance) -> None:
    """Say the bot's line."""
    room = client.mirror.rooms.get(moves.room)
    if room is None or room.moves.get(moves.seat) is not moves or not moves.lines:
        return
    result = games()
    name = "greedy" if "greedy" in result[key].bots else "random"
    if key in AT_RANDOM and chance.pick(AT_RANDOM[key]) == 0:
        name = "random"
    chosen = strategy(name, result, chance)
    line = await chosen.choose(view_of(room, moves.seat), moves.lines, MoveClock(60.0))
    await client.say(line, room=room.id, at=moves.version)


def questions(key: str, view: Any, lines: Sequence[str]) -> tuple[str, ...]:  # Any: a plain tree
    """What the game's board would ask the server here, once something is chosen."""
    if key == "tokai":
        table = view["game"]
        goal = table["seats"][str(table["active"])].get("destination")
        rides = any(line.startswith("/go ") for line in lines)
        return (f"/route {goal}",) if goal and rides else ()
    if key != "tokugawa":
        return ()
    if "battle" in view["game"]:
        return ("/battle",)
    attack = next((line.split() for line in lines if line.startswith("/attack ")), None)
    if attack is None:
        return ()
    _, origin, town, approach = attack
    return (f"/odds {origin} {town}{' sea' if approach == 'sea' else ''}",)


async def answered(
    key: str, clients: Mapping[str, Client], room: RoomView, lines: Sequence[str]
) -> Answers:
    """The answers to these questions, in each client's language."""
    made: Answers = {}
    for line in questions(key, room.view, lines):
        bodies = {
            lang: await client.ask("query", room=room.id, args={"text": line})
            for lang, client in clients.items()
        }
        made[line] = {lang: str(body["text"]) for lang, body in bodies.items()}
        made[line]["data"] = next(body.get("data") for body in bodies.values())
    return made


async def watch(
    client: Client,
    seen: Seen,
    key: str,
    chance: Chance | None,
    asking: Mapping[str, Client] = MappingProxyType({}),
) -> None:
    """See a game to its end, and play the seat if there is chance to play it by."""
    async for happening in client.happenings():
        match happening:
            case Entered() | Synced():
                seen.room = client.mirror.rooms[happening.room]
            case Updated():
                seen.room = client.mirror.rooms[happening.room]
                seen.log.append(
                    {
                        "version": happening.version,
                        "reply": happening.done is not None,
                        "text": list(happening.text),
                        "events": list(happening.events),
                    }
                )
                if seen.room.phase == "over" and seen.room.version == happening.version:
                    seen.position(None)
                    return
                if chance is None and seen.room.version == happening.version:
                    seen.position(None)
            case YourMove() if chance is not None:
                room = client.mirror.rooms.get(happening.room)
                if room is not None and room.moves.get(happening.seat) is happening:
                    seen.room = room
                    requested = await answered(key, asking, room, happening.lines)
                    seen.position(happening, requested)
                    await answer(client, happening, key, chance)
            case _:
                pass


def join_languages(seen: Seen, other: Seen) -> None:
    """Put the sentences that another language's viewer heard beside ours."""
    ja = {entry["version"]: entry["text"] for entry in other.log}
    for entry in seen.log:
        text = entry["text"]
        entry["text"] = {"en": text, "ja": ja.get(entry["version"], text)}


def chosen(seen: Seen, spectator: Seen) -> dict[str, dict[str, Any]]:  # Any: plain trees
    """Name -> the positions worth keeping."""
    decisions, end = seen.positions[:-1], seen.positions[-1]
    stored_count = {"start": decisions[0], "middle": decisions[len(decisions) // 2], "end": end}
    met = set[tuple[str, ...]]()
    for position in decisions:
        lines = next(iter(position["moves"].values()))
        verbs = tuple(sorted({line.split()[0][1:] for line in lines}))
        if verbs not in met and len(met) < NEW_VERBS_MAX:
            met.add(verbs)
            stored_count["first-" + "-".join(verbs)[:60]] = position
    stored_count["watched"] = spectator.positions[len(spectator.positions) // 2]
    return stored_count


async def record(url: str, key: str, seats: int) -> tuple[Branch, Seen, Seen]:
    """Play one game: its unchanging data, and what the first seat and a spectator saw."""
    async with AsyncExitStack() as stack:

        async def come(name: str, lang: str, *wants: str, token: str | None = None) -> Client:
            client = Client(url, name=name, langs=(lang,), wants=wants, token=token)  # type: ignore[arg-type]  # closed sets of words
            return await stack.enter_async_context(client)

        names = ["Ayu", "けん", "Mika", "Ben", "ひなた", "Lotte", "Akira", "Emi", "Jonas", "Sora"]
        names += ["Kaede", "Michi"]
        full = ("events", "text", "moves")
        first = await come(names[0], "en", *full)
        room = (await first.say(f"/newroom {key} unlisted")).room
        assert room is not None
        for option in QUICK.get(key, ()):
            await first.say(f"/option {option}", room=room)
        rest = [await come(name, "en", "moves") for name in names[1:seats]]
        for client in (first, *rest):
            if client is not first:
                await client.say(f"/room {room}")
            reply = await client.say("/join", room=room)
            assert reply.ok, reply
        japanese = await come("", "ja", "events", "text", token=first.token)
        guest = await come("Haru", "en", "events", "text")
        guest_ja = await come("Natsu", "ja", "events", "text")
        for client in (japanese, guest, guest_ja):
            await client.say(f"/room {room}")
        body = (await first.ask("game", args={"key": key}),)[0]
        seen = [Seen() for _ in range(4)]
        both = {"en": first, "ja": japanese}
        async with asyncio.TaskGroup() as group:
            playing = [
                group.create_task(bot(client, key, FastChance(seats * 100 + number)))
                for number, client in enumerate(rest)
            ]
            watching = [
                group.create_task(watch(first, seen[0], key, FastChance(seats), both)),
                group.create_task(watch(japanese, seen[1], key, None)),
                group.create_task(watch(guest, seen[2], key, None)),
                group.create_task(watch(guest_ja, seen[3], key, None)),
            ]
            started = await first.say("/start", room=room)
            assert started.ok, started
            await asyncio.wait(watching)
            for task in playing:
                task.cancel()
        join_languages(seen[0], seen[1])
        join_languages(seen[2], seen[3])
        assert body["key"] == key
        return dict(first.mirror.games[key].body), seen[0], seen[2]


def write(folder: Path, name: str, tree: object) -> None:
    """One file."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"), sort_keys=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def start_recording(body: Branch, spectator: Seen) -> Branch:
    """A game for the start page: what a drawing needs, the first view, a patch for each move."""
    views = [
        {
            "room": {field_name: view["room"][field_name] for field_name in ROOM},
            "game": view["game"],
        }
        for view in (position["view"] for position in spectator.positions)
        if "game" in view
    ]
    steps = [step for old, new in pairwise(views) if (step := diff(old, new))]
    game = {name: value for name, value in body.items() if name not in UNDRAWN}
    return {"game": game, "view": views[0], "steps": steps}


async def main(keys: Sequence[str]) -> None:
    """Record the games of these keys, all if there are none."""
    if keys[:1] == ["--start"]:
        for key, seats in START.items():
            fixed, _, viewer = await record_on_new_server(key, seats)
            write(RECORDED, key, start_recording(fixed, viewer))
        return
    for key, game in games().items():
        if keys and key not in keys:
            continue
        for old in (GALLERY / key).glob("*.json"):
            old.unlink()
        body: Branch = {}
        for seats in dict.fromkeys((game.info.seats.min, game.info.seats.max)):
            body, seat, spectator = await record_on_new_server(key, seats)
            for name, position in chosen(seat, spectator).items():
                named = {"seats": seats, "name": name, **position}
                write(GALLERY / key, f"{seats}-{name}", named)
        write(GALLERY / key, "game", body)


async def record_on_new_server(key: str, seats: int) -> tuple[Branch, Seen, Seen]:
    """One game on a server of its own: names are taken for as long as a server lives."""
    command = (*SERVE, "--port", "0", "--bench", "--no-house-bots")
    with (
        tempfile.TemporaryDirectory() as data,
        started_server(Path(data), command=command, stopping=lambda: None) as started,
    ):
        return await record(started.url, key, seats)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
