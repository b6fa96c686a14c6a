"""The fold: (room, entry) -> room. All that changes a room for its members goes through here.

An entry's first line says what it is: an act of somebody (`/join 2`), of the server or the clock
(`@clock 2`), a game's move, or talk. `fold` is also the judge: it raises Refusal for what is not
allowed, and then nothing has changed. Loading a room is folding its entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.server.journal import Entry
from bluebear.server.room import (
    asking,
    events,
    hinting,
    hosting,
    keeping,
    peeking,
    playing,
    preparing,
    seating,
    standins,
    votes,
)
from bluebear.server.room.act import RoomAct, acts_in
from bluebear.server.room.actor import CLOCK, SERVER
from bluebear.server.room.changes import Folded
from bluebear.server.room.direct import Played, play_directly, takes_plain_moves
from bluebear.server.room.forking import forked, is_fork
from bluebear.server.room.making import MakeRoom
from bluebear.server.room.options import choice
from bluebear.server.room.state import Origin, Phase, Room, VoteKind
from bluebear.server.room.step import Games, Step
from bluebear.server.room.versions import game_of

ACTS: Final = acts_in(
    asking, hinting, hosting, keeping, peeking, playing, preparing, seating, standins
)
"""What an entry of a room can do beside moves and talk, by the heads of its lines."""


def fold(
    room: Room | None,
    entry: Entry,
    games: Games,
    act: RoomAct | None = None,
    played: Played | Origin | None = None,
) -> Folded:
    """Apply an entry; raises Refusal if it is not allowed, and then nothing has changed.

    `act` is what the entry's first line says, for who has it as a value already; `played` is the
    move that its only line says, by its actor's seat, or where the fork that it makes begins.
    """
    line = entry.lines[0]
    if room is None:
        made = MakeRoom.read(line)
        new = made.room(entry)
        if is_fork(entry):
            new = forked(new, entry, games, played if isinstance(played, Origin) else None)
        step = Step(new, entry, games)
        made.fold(step)
        return _folded(step)
    if isinstance(played, Played) and takes_plain_moves(room.table):
        game = game_of(games, room)
        direct = None if game is None else play_directly(room, entry, played, game)
        if direct is not None:
            return direct
    step = Step(room, entry, games)
    standins.claim(step)
    act = act or _read(line, step)
    if not isinstance(act, asking.Accept):
        votes.spare(step)
    if act is not None:
        act.fold(step)
    elif _is_move(line):
        _move(step)
    else:
        _talk(step, line)
    return _folded(step)


def fold_all(room: Room | None, entries: Iterable[Entry], games: Games) -> Room | None:
    """Fold entries one after the other: loading a room."""
    for entry in entries:
        room = fold(room, entry, games).room
    return room


def _folded(step: Step) -> Folded:
    room, changes = step.done()
    return Folded(room, tuple(step.events), changes, step.digest, step.sent_out)


def _read(line: str, step: Step) -> RoomAct | None:
    """The act that a line is; None for a move, and for talk. What a person says is never `@...`."""
    is_system = step.actor.text in (CLOCK, SERVER)
    kind = None if line[:1] == "@" and not is_system else ACTS.get(line.partition(" ")[0])
    if kind is not None:
        return kind.read(line)
    if is_system:
        raise NotUnderstood("bad_line", given=line)
    return None


def _is_move(line: str) -> bool:
    """Whether a line is no talk; talk that begins with a slash has two."""
    return line[:1] == "/" and line[:2] != "//"


def _move(step: Step) -> None:
    """Moves of the game: all lines of the entry, or none."""
    seat = step.seat()
    if step.current.phase is Phase.PAUSED:
        raise NotAllowed("paused")
    if step.current.phase is not Phase.PLAYING:
        raise NotAllowed("not_playing")
    if step.current.votes:
        votes.drop_votes(step, VoteKind.UNDO)
    if step.actor.person and step.current.seats[seat].timeouts:
        step.chair(seat).timeouts = 0
    playing.play(step, seat, step.entry.lines)


def _talk(step: Step, line: str) -> None:
    text = line[1:] if line.startswith("//") else line
    seated = step.seat_or_none() is not None
    rule = choice(step.current, "watchchat")
    running = step.current.phase in (Phase.PLAYING, Phase.PAUSED)
    if not seated and running and rule == "off":
        raise NotAllowed("watchers_quiet")
    apart = not seated and running and rule == "apart"
    step.tell(events.Said(step.actor_name(), text, apart))
