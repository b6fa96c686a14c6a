"""Suspends rooms whose game cannot continue, since this server's rules differ from its own.

Loading folds a room's entries. If the fold differs from the original one (another digest, a
refusal, a bug), or if the rules version is missing, the room is *suspended*: it shows the last
state that is certain, members can read and chat, and the host can end the game void. Suspension
writes no entry, so a server with the right rules loads the game as it was.
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
"""Why a room is suspended, for the log; other reasons are a refusal or a bug."""

_ACCEPTED: Final[frozenset[type[RoomAct]]] = frozenset(
    (
        *(act for act in ACTS.values() if act.__module__ == hosting.__name__),
        *(Reset, Again, Freeze, Rename),
    )
)
_HEADS: Final = frozenset(act.head for act in _ACCEPTED)


class LoadedRoom(NamedTuple):
    """A folded room, why it is suspended ("": it is not), and what spectators do not see yet."""

    room: Room
    problem: str
    delay: Delay


def is_accepted(actor: str, line: str, act: RoomAct | None) -> bool:
    """Whether a suspended room accepts an entry: chat, and acts that do not need the rules."""
    if act is not None:
        return type(act) in _ACCEPTED
    if actor in (CLOCK, SERVER):
        return line.partition(" ")[0] in _HEADS
    return line[:1] != "/" or line[:2] == "//" or line.partition(" ")[0] in _HEADS


def checking(room: Room, games: Games) -> Iterator[str]:
    """Replay a room's record with this server's rules, and compare digests and position.

    For a room that other code has played. Yields after each move: "" while nothing differs, else
    why the room must be suspended. Draws repeat, since they come from the room's seed.
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
    except Exception as bug:  # noqa: BLE001 - other rules may fail in any way on old moves
        yield f"its record: {bug}"
        return
    if state != room.game:
        yield "its record gives another position"


def follow(
    room: Room | None, entries: Iterable[Entry], games: Games, problem: str = ""
) -> LoadedRoom | None:
    """Fold entries onto a room (None: from the first entry); suspend it where the fold differs.

    `problem`: why the room is suspended already. Returns None without room and entries. Raises
    NotAllowed (version_gap) if the server does not have the game at all.
    """
    if room is not None and _is_running(room) and game_of(games, room) is None:
        problem = NO_RULES
    if problem and room is not None:
        room = _suspend(room)
    delay = Delay(room)
    certain, since = room, list[Entry]()
    for entry in entries:
        if problem and room is not None:
            room, problem = _skip(room, entry, games, problem)
            certain, since = room, []
            continue
        if room is None and (made := MakeRoom.read(entry.lines[0])).game not in games:
            raise NotAllowed("version_gap", given=made.game)
        since.append(entry)
        folded, problem = _fold(room, entry, games)
        if problem and certain is not None:
            room = _suspend(certain)
            for each in since:
                room, problem = _skip(room, each, games, problem)
        elif folded is not None:
            delay.add(room, folded)
            room = folded.room
        if problem or entry.digest or room is None or room.game is None:
            certain, since = room, []
    return None if room is None else LoadedRoom(room, problem, delay)


def as_folded(entry: Entry, before: Room | None, folded: Folded) -> Entry:
    """The entry with the digest and rules version that a later fold is compared with."""
    if folded.digest:
        entry = but(entry, digest=folded.digest)
    head = folded.room.head
    if head is not None and (before is None or before.head is None):
        entry = but(entry, facts={**entry.facts, "rules": head.rules})
    return entry


def ends_it(act: RoomAct | None) -> bool:
    """Whether an act ends a suspension, since it ends the game or clears the board."""
    return isinstance(act, Freeze | Reset)


def _is_running(room: Room) -> bool:
    return room.head is not None and room.table.ending is None


def _fold(room: Room | None, entry: Entry, games: Games) -> tuple[Folded | None, str]:
    """Fold an entry; returns the result, and why the room must be suspended ("": no reason)."""
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


def _suspend(room: Room) -> Room:
    """The room with its game frozen: no turn, votes, deadlines or undo."""
    seats = Keyed({seat: but(chair, deadline=None) for seat, chair in room.table.seats.items()})
    table = but(room.table, phase=Phase.FROZEN, turn=(), votes=Keyed(), paused_at=None, seats=seats)
    return but(room, table=table, past=())


def _skip(room: Room, entry: Entry, games: Games, problem: str) -> tuple[Room, str]:
    """A suspended room after an entry, which is folded only if it is accepted; the new problem."""
    line = entry.lines[0]
    if is_accepted(entry.actor, line, None):
        try:
            after = fold(room, entry, games).room
        except Exception:  # noqa: BLE001 - the entry may depend on a skipped one
            pass
        else:
            is_over = line == Freeze.head or after.table.phase is Phase.OPEN
            return after, "" if is_over else problem
    return but(room, version=entry.seq, at=entry.at), problem
