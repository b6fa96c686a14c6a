"""The first entry of a room, the options that the configuration fixes for it, and forks.

A fork is a room that continues a finished game from one of its positions. Its first entry contains
the beginning of that game as a record, which the fold replays. Draws up to that position come from
the finished game; later draws come from the fork's own seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bluebear.rules.core.chance import SEED_BYTES, commitment
from bluebear.rules.core.game import Game
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import Record, RecordError, format_line, parse_record, replaying
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.visibility import but
from bluebear.server.room import events
from bluebear.server.room.fold_context import Games, RoomAct, Step, version_of
from bluebear.server.room.options import option_text, options_for
from bluebear.server.room.state import Actor, ForkOf, Origin, Phase, Privacy, Recorded, Room, Table
from bluebear.server.store import Entry, Json

FACT: Final = "fork"
"""The fact of a fork's first entry that contains the beginning of the finished game."""


class BadPin(ValueError):
    """A configuration names a game, option or value that does not exist; the message names it."""


@dataclass(frozen=True, slots=True)
class Pins:
    """`offered`: the games for which rooms may be created (empty: all); fixed `options` by game."""

    offered: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def offers(self, game: str) -> bool:
        """Whether rooms may be created for a game."""
        return not self.offered or game in self.offered

    def of(self, game: str) -> Mapping[str, str]:
        """The fixed options of a game, with their canonical values."""
        return self.options.get(game, {})


NO_PINS: Final = Pins()


def read_pins(
    offered: Iterable[str],
    pinned: Iterable[str],
    games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
) -> Pins:
    """Parse a configuration: keys of games, and `OPTION=VALUE` or `GAME.OPTION=VALUE`.

    Without a game the option is fixed in all games that have it. Raises BadPin if a game, an option
    or a value does not exist.
    """
    offers = tuple(offered)
    for key in offers:
        if key not in games:
            raise BadPin(key)
    options: dict[str, dict[str, str]] = {}
    for pin in pinned:
        name, _, text = pin.partition("=")
        game, _, option = name.rpartition(".")
        values = {
            key: _value(each, option, text)
            for key, each in games.items()
            if game in ("", key) and option in options_for(each)
        }
        if not values:
            raise BadPin(pin)
        for key, value in values.items():
            options.setdefault(key, {})[option] = value
    return Pins(offers, options)


def _value(game: Game[Any], option: str, text: str) -> str:
    try:
        return option_text(options_for(game)[option], text, before="")
    except NotUnderstood as refusal:
        raise BadPin(f"{option}={text}") from refusal


def new_game_facts(fresh: bytes) -> dict[str, Json]:
    """The facts of a new game from 64 random bytes: the seed, its commitment and the game's id."""
    seed = fresh[:SEED_BYTES]
    return {
        "seed": seed.hex(),
        "commit": commitment(seed),
        "game_id": "g" + hashlib.sha256(b"game" + fresh[SEED_BYTES:]).hexdigest()[:15],
    }


class MakeRoom(RoomAct, frozen=True):
    """Create a room.

    Facts: `name` of the host, `game_id`, `commit`, `seed`; `hash` of a password; fixed `options`;
    `fork`, the beginning of a finished game; `guests`, names by id of people who are admitted.
    """

    head = "/newroom"
    makes_room = True
    game: str
    privacy: Privacy

    def room(self, entry: Entry) -> Room:
        """The new room, before the fold of the entry."""
        facts = entry.facts
        name, person, hashed = str(facts["name"]), Actor(entry.actor).person, facts.get("hash")
        options, guests = facts.get("options"), facts.get("guests")
        pinned = options if isinstance(options, Mapping) else {}
        guest_names = guests if isinstance(guests, Mapping) else {}
        table = Table(
            id=entry.stream,
            game=self.game,
            privacy=self.privacy,
            phase=Phase.OPEN,
            host=name,
            options=Keyed({name: str(text) for name, text in pinned.items()}),
            game_id=str(facts["game_id"]),
            commit=str(facts["commit"]),
            locked=hashed is not None,
            rated=pinned.get("rated") != "off",
            host_person=person,
            secret=str(facts["seed"]),
            password=str(hashed) if hashed else None,
            admitted=Keyed({**{i: str(each) for i, each in guest_names.items()}, person: name}),
        )
        return Room(table, at=entry.at, made=entry.at)

    def fold(self, step: Step) -> None:
        step.tell(events.RoomMade(step.fact("name"), self.game))
        fork = step.current.fork
        if fork is not None:
            step.tell(events.Forked(fork.id, fork.move, fork.names))


def is_fork(entry: Entry) -> bool:
    """Whether an entry creates a fork."""
    return FACT in entry.facts


def forked(room: Room, entry: Entry, games: Games, played: Origin | None) -> Room:
    """Make the new `room` of an entry a fork.

    `played` is the replayed beginning, if the caller has it already. Raises NotAllowed
    (version_gap) if the server does not have the rules of that game, or others under their number.
    """
    if played is None:
        *_, played = origins(games, parse_record(str(entry.facts[FACT])))
    head = played.record.head
    if head.fork is None:
        raise NotAllowed("version_gap", given=head.game)
    options = {**room.table.options, **dict(head.options)}
    table = but(
        room.table,
        options=Keyed(options),
        rated=False,
        fork=ForkOf(head.fork.id, head.fork.move, head.names),
    )
    return but(room, table=table, origin=played)


def origins(games: Games, record: Record) -> Iterator[Origin]:
    """Replay the beginning of a game; yields after each line, and the last one is the position.

    Raises NotAllowed (version_gap) if the server has no such game, or other rules for it.
    """
    head = record.head
    game = version_of(games, head.game, head.rules)
    if game is None:
        raise NotAllowed("version_gap", given=head.game)
    try:
        for moment in replaying(game, record):
            yield Origin(record, moment.state, moment.counter, moment.entries)
    except RecordError as problem:
        raise NotAllowed("version_gap", given=head.game) from problem


def lines_before(origin: Origin, version: int) -> Recorded | None:
    """The lines of a fork's beginning as the record of its room; `version` starts the game."""
    chain: Recorded | None = None
    for line in origin.record.lines:
        chain = Recorded(chain, format_line(line), version)
    return chain
