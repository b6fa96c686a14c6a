"""Games of a room, entry by entry and without any server: the fold and random legal lines."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Seat
from bluebear.server.room.creation import new_game_facts
from bluebear.server.room.fold_context import Folded, Games
from bluebear.server.room.reducer import fold
from bluebear.server.room.state import Actor, Phase, Room
from bluebear.server.store import Entry, Json, StreamId

ROOM: Final = StreamId("100001")
NAMES: Final = (
    *("Ayu", "Ben", "Chie", "Dan", "Emi", "Fumi"),
    *("Gen", "Hana", "Iori", "Jun", "Kei", "Leo"),
)


class Played(NamedTuple):
    """One entry of a running game: the room before, the entry, and what it led to."""

    before: Room
    entry: Entry
    folded: Folded


def person_of(seat: int) -> str:
    """The person on a seat of these games."""
    return f"p{seat}"


def play_game(games: Games, key: str, seats: int, seed: int) -> Iterator[Played]:
    """The moves of a whole game of random plain lines."""
    game: Game[Any] = games[key]  # Any: each game has a state class of its own
    chance = random.Random(f"{key} {seats} {seed}")
    room = _table(games, key, seats, chance.randbytes(64))
    while room.table.phase is Phase.PLAYING:
        seat = Seat(chance.choice(room.table.turn))
        line = game.grammar.format(chance.choice(game.plain(room.game, seat)))
        entry = _entry(room, person_of(seat), line, {"name": NAMES[seat - 1]})
        folded = fold(room, entry, games)
        yield Played(room, entry, folded)
        room = folded.room


def _table(games: Games, key: str, seats: int, fresh: bytes) -> Room:
    """A room where all members have a seat and the game has started."""
    made = _entry(None, person_of(1), f"/newroom {key} private", new_game_facts(fresh))
    room = fold(None, made, games).room
    for seat in range(1, seats + 1):
        joined = _entry(room, person_of(seat), f"/join {seat}", {"name": NAMES[seat - 1]})
        room = fold(room, joined, games).room
    return fold(room, _entry(room, person_of(1), "/start", {}), games).room


def _entry(room: Room | None, person: str, line: str, facts: Mapping[str, Json]) -> Entry:
    seq = 1 if room is None else room.version + 1
    return Entry(
        stream=ROOM,
        seq=seq,
        actor=Actor.of_person(person).text,
        client_id=f"line{seq}",
        lines=(line,),
        facts={"name": NAMES[0], "kind": "human", **facts},
        at=1_700_000_000_000 + seq,
    )
