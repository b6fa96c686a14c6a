"""The first entry of a room, the options that the configuration fixes for it, and forks.

A fork is a room in which a finished game goes on from one of its positions. The entry that makes it
holds the beginning of that game as a record, and the fold plays it again. Draws up to there are
those of that game; those that follow are the new game's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bluebear.rules.core.chance import SEED_BYTES, commitment
from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import GameInfo
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import Record, RecordError, format_line, parse_record, replaying
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.visibility import but
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.fold_context import Games, Step, version_of
from bluebear.server.room.options import option_text, options_for
from bluebear.server.room.state import Actor, ForkOf, Origin, Phase, Privacy, Recorded, Room, Table
from bluebear.server.store import Entry, Json

FACT: Final = "fork"
"""The fact of a room's first entry that has the beginning of the other game."""


class BadPin(ValueError):
    """A configuration names a game, an option or a value that is not there; the text is which."""


@dataclass(frozen=True, slots=True)
class Pins:
    """`offered` are the games of which rooms are made, none meaning all; `options` by game."""

    offered: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def offers(self, game: str) -> bool:
        """Whether rooms of a game are made."""
        return not self.offered or game in self.offered

    def of(self, game: str) -> Mapping[str, str]:
        """The options of a game that are fixed, with their canonical values."""
        return self.options.get(game, {})


NO_PINS: Final = Pins()


def read_pins(
    offered: Iterable[str],
    pinned: Iterable[str],
    games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
) -> Pins:
    """The pins of a configuration: keys of games, and `OPTION=VALUE` or `GAME.OPTION=VALUE`.

    Without a game an option is fixed wherever a game has it. BadPin where a game, an option or a
    value is not known.
    """
    offers = tuple(offered)
    for key in offers:
        if key not in games:
            raise BadPin(key)
    options: dict[str, dict[str, str]] = {}
    for pin in pinned:
        name, _, text = pin.partition("=")
        game, _, option = name.rpartition(".")
        made = {
            key: _value(each, option, text)
            for key, each in games.items()
            if game in ("", key) and option in options_for(each)
        }
        if not made:
            raise BadPin(pin)
        for key, value in made.items():
            options.setdefault(key, {})[option] = value
    return Pins(offers, options)


def _value(game: Game[Any], option: str, text: str) -> str:
    try:
        return option_text(options_for(game)[option], text, before="")
    except NotUnderstood as refusal:
        raise BadPin(f"{option}={text}") from refusal


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
    makes_room = True
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


def is_fork(entry: Entry) -> bool:
    """Whether an entry makes a room that goes on from another game."""
    return FACT in entry.facts


def forked(room: Room, entry: Entry, games: Games, played: Origin | None) -> Room:
    """The new room of an entry, as one that goes on from another game.

    `played` is what its fact comes to, for who has it already. Raises NotAllowed (version_gap) if
    the server does not have the rules of that game, or others under their number.
    """
    if played is None:
        *_, played = origins(games, parse_record(str(entry.facts[FACT])))
    head = played.record.head
    if head.fork is None:
        raise NotAllowed("version_gap", given=head.game)
    options = {**room.table.options, **dict(head.options)}
    names = tuple(head.joined[joined - 1] for joined in head.order)
    table = but(
        room.table,
        options=Keyed(options),
        rated=False,
        fork=ForkOf(head.fork.id, head.fork.move, names),
    )
    return but(room, table=table, origin=played)


def origins(games: Games, record: Record) -> Iterator[Origin]:
    """Play the beginning of a game, with a stop after each line; the last one counts.

    Raises NotAllowed (version_gap): the server has no such game, or other rules for it.
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
    """The lines of the beginning as those of a room's record, in which an entry begins the game."""
    chain: Recorded | None = None
    for line in origin.record.lines:
        chain = Recorded(chain, format_line(line), version)
    return chain


def seats_of(table: Table, info: GameInfo) -> tuple[int, int]:
    """How few and how many may sit: in a fork exactly those who sat in the other game."""
    if table.fork is None:
        return info.min_seats, info.max_seats
    count = len(table.fork.names)
    return count, count


def is_fixed(table: Table, option: str, info: GameInfo) -> bool:
    """Whether an option is no choice any more, since the game has begun by it."""
    return table.fork is not None and (option in info.options or option == "drawseat")
