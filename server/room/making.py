"""The first entry of a room."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from bluebear.rules.core.chance import SEED_BYTES, commitment
from bluebear.rules.core.keyed import Keyed
from bluebear.server.journal import Entry, Json
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.actor import Actor
from bluebear.server.room.state import Phase, Privacy, Room, Table
from bluebear.server.room.step import Step


def new_game_facts(fresh: bytes) -> dict[str, Json]:
    """The seed of a game's draws, its commitment and the game's id, from 64 fresh bytes."""
    seed = fresh[:SEED_BYTES]
    return {
        "seed": seed.hex(),
        "commit": commitment(seed),
        "game_id": "g" + hashlib.sha256(b"game" + fresh[SEED_BYTES:]).hexdigest()[:15],
    }


class MakeRoom(RoomAct, frozen=True):
    """A room is made.

    Facts: `name`, `game_id`, `commit`, `seed`; `hash` of a password; `options` that are fixed;
    `fork`, the beginning of another game; `guests`, who may come in, too, by id with their names.
    """

    head = "/newroom"
    game: str
    privacy: Privacy

    def room(self, entry: Entry) -> Room:
        """The room before anything has happened in it."""
        facts = entry.facts
        name, person, hashed = str(facts["name"]), Actor(entry.actor).person, facts.get("hash")
        options, guests = facts.get("options"), facts.get("guests")
        pinned = options if isinstance(options, Mapping) else {}
        known = guests if isinstance(guests, Mapping) else {}
        table = Table(
            id=entry.stream,
            game=self.game,
            privacy=self.privacy,
            phase=Phase.OPEN,
            host=name,
            options=Keyed({name: str(text) for name, text in pinned.items()}),
            seats=Keyed(),
            turn=(),
            ready=(),
            votes=Keyed(),
            game_id=str(facts["game_id"]),
            commit=str(facts["commit"]),
            locked=hashed is not None,
            rated=pinned.get("rated") != "off",
            paused_at=None,
            ending=None,
            host_person=person,
            secret=str(facts["seed"]),
            password=str(hashed) if hashed else None,
            invites=Keyed(),
            admitted=Keyed({**{who: str(each) for who, each in known.items()}, person: name}),
            banned=Keyed(),
            votes_made=0,
        )
        return Room(
            table=table,
            game=None,
            version=0,
            at=entry.at,
            counter=0,
            key=b"",
            since=(),
            past=(),
            head=None,
            recorded=None,
            steps=0,
            log=(),
            made=entry.at,
        )

    def fold(self, step: Step) -> None:
        step.tell(events.RoomMade(step.fact("name"), self.game))
        fork = step.current.fork
        if fork is not None:
            step.tell(events.Forked(fork.id, fork.move, fork.names))
