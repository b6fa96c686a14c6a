"""Rooms whose game cannot go on, since this server's rules are not those that it was played by.

Loading folds a room's entries. Where that gives something else than it gave when they were written
(another digest, a refusal, a bug), or where the version of the rules is not there at all, the game
never plays on by what looks right: the room is *held*. It stands as it last was for sure, out of
order, and can be looked at and talked in; its host can end it void. Nothing of that is written
unless somebody says something: a server that has the right rules finds the game as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import End, EndReason, Hex, Record, parse_line, replaying
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import but, require
from bluebear.server.room import hosting
from bluebear.server.room.act import ACTS, RoomAct
from bluebear.server.room.creation import MakeRoom
from bluebear.server.room.fold_context import Folded, Games, game_of
from bluebear.server.room.game_setup import Again, Rename, Reset
from bluebear.server.room.reducer import fold
from bluebear.server.room.spectators import Delay
from bluebear.server.room.state import CLOCK, SERVER, Phase, Room, lines_of
from bluebear.server.room.system_acts import Freeze
from bluebear.server.store import Entry

NO_RULES: Final = "no rules"
ANOTHER_DIGEST: Final = "another digest"
"""Why a room is held, for the log; else the refusal or the bug."""

_TAKEN: Final[frozenset[type[RoomAct]]] = frozenset(
    (
        *(act for act in ACTS.values() if act.__module__ == hosting.__name__),
        *(Reset, Again, Freeze, Rename),
    )
)
_HEADS: Final = frozenset(act.head for act in _TAKEN)


class Loaded(NamedTuple):
    """A room as its entries make it, why it is held (empty: it is not), and what of its game
    spectators do not see yet.
    """

    room: Room
    held: str
    delay: Delay


def is_taken(actor: str, line: str, act: RoomAct | None) -> bool:
    """Whether an entry is taken in a room that is held: talk, and what belongs to no game."""
    if act is not None:
        return type(act) in _TAKEN
    if actor in (CLOCK, SERVER):
        return line.partition(" ")[0] in _HEADS
    return line[:1] != "/" or line[:2] == "//" or line.partition(" ")[0] in _HEADS


def checking(room: Room, games: Games) -> Iterator[str]:
    """Play a room's game again from its record, move by move, against the digests in it.

    For a room that other code has left: what it gives of each move is why the room must be held,
    or "" as long as nothing differs. It draws what was drawn, by the room's own seed.
    """
    game = game_of(games, room)
    if game is None or room.head is None or room.table.ending is not None:
        return
    lines = tuple(parse_line(line) for line in lines_of(room.recorded))
    end = End(EndReason.VOID, Hex(require(room.table.secret)))
    state = None
    try:
        for moment in replaying(game, Record(room.head, lines, end)):
            state = moment.state
            yield ""
    except Exception as problem:  # noqa: BLE001 - other rules may fail in any way on old moves
        yield f"its record: {problem}"
        return
    if state != room.game:
        yield "its record gives another position"


def follow(
    room: Room | None, entries: Iterable[Entry], games: Games, held: str = ""
) -> Loaded | None:
    """Fold entries onto a room (None: from the first one), and see that nothing differs.

    `held`: why the room must be held already. None if there is nothing. Raises NotAllowed
    (version_gap) for a game that is not there at all.
    """
    if room is not None and _is_running(room) and game_of(games, room) is None:
        held = NO_RULES
    if held and room is not None:
        room = _hold(room)
    delay = Delay(room)
    sure, since = room, list[Entry]()
    for entry in entries:
        if held and room is not None:
            room, held = _past(room, entry, games, held)
            sure, since = room, []
            continue
        if room is None and (made := MakeRoom.read(entry.lines[0])).game not in games:
            raise NotAllowed("version_gap", given=made.game)
        since.append(entry)
        folded, held = _fold(room, entry, games)
        if held and sure is not None:
            room = _hold(sure)
            for each in since:
                room, held = _past(room, each, games, held)
        elif folded is not None:
            delay.add(room, folded)
            room = folded.room
        if held or entry.digest or room is None or room.game is None:
            sure, since = room, []
    return None if room is None else Loaded(room, held, delay)


def as_folded(entry: Entry, before: Room | None, folded: Folded) -> Entry:
    """An entry with all by which a later server sees whether it still makes the same of it."""
    if folded.digest:
        entry = but(entry, digest=folded.digest)
    head = folded.room.head
    if head is not None and (before is None or before.head is None):
        entry = but(entry, facts={**entry.facts, "rules": head.rules})
    return entry


def ends_it(act: RoomAct | None) -> bool:
    """Whether a room is not held any more after this: its game has ended, or is cleared away."""
    return isinstance(act, Freeze | Reset)


def _is_running(room: Room) -> bool:
    return room.head is not None and room.table.ending is None


def _fold(room: Room | None, entry: Entry, games: Games) -> tuple[Folded | None, str]:
    """What an entry makes of a room, and what is wrong with that."""
    try:
        folded = fold(room, entry, games)
    except Refusal as refusal:
        if room is None:
            raise
        return None, f"refused: {refusal.code}"
    except Exception as bug:
        if room is None:
            raise
        return None, repr(bug)
    differs = entry.digest and folded.digest and entry.digest != folded.digest
    return folded, ANOTHER_DIGEST if differs else ""


def _hold(room: Room) -> Room:
    """The room out of order, as it was."""
    seats = Keyed({seat: but(chair, deadline=None) for seat, chair in room.table.seats.items()})
    table = but(room.table, phase=Phase.FROZEN, turn=(), votes=Keyed(), paused_at=None, seats=seats)
    return but(room, table=table, past=())


def _past(room: Room, entry: Entry, games: Games, held: str) -> tuple[Room, str]:
    """A held room after a further entry, of which only what belongs to no game is done."""
    line = entry.lines[0]
    if is_taken(entry.actor, line, None):
        try:
            after = fold(room, entry, games).room
        except Exception:  # noqa: BLE001 - what it rested on may have been passed over
            pass
        else:
            is_over = line == Freeze.head or after.table.phase is Phase.OPEN
            return after, "" if is_over else held
    return but(room, version=entry.seq, at=entry.at), held
