"""Loads rooms: from snapshots, which shorten that, and from entries; and writes a game's record.

Loading folds a room's entries. If the fold differs from the original one (another digest, a
refusal, a bug), or if the rules version is missing, the room is *suspended*: it shows the last
state that is certain, members can read and chat, and the host can end the game void. Suspension
writes no entry, so a server with the right rules loads the game as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgpack

from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import (
    End,
    EndReason,
    Hex,
    Moved,
    Record,
    RecordError,
    RecordLine,
    Undone,
    conceal,
    format_record,
    parse_line,
    parse_record,
    replaying,
    sealed_text,
)
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Event, Eyes, Seat, but, require
from bluebear.server.room import hosting
from bluebear.server.room.creation import MakeRoom
from bluebear.server.room.events import RoomEvent, room_events
from bluebear.server.room.fold_context import (
    ACTS,
    Folded,
    Games,
    RoomAct,
    game_of,
    is_private,
    shown_by,
)
from bluebear.server.room.game_setup import Again, Rename, Reset
from bluebear.server.room.reducer import fold
from bluebear.server.room.spectators import Delay
from bluebear.server.room.state import (
    CLOCK,
    SERVER,
    TABLE,
    Logged,
    Older,
    Origin,
    Past,
    Phase,
    Recorded,
    Room,
    lines_of,
    links_of,
    unknown_to,
)
from bluebear.server.room.system_acts import Freeze
from bluebear.server.store import Entry


def record_of(room: Room, game: Game[Any], eyes: Eyes) -> str:
    """The record as text: sealed after the game, before its end without what `eyes` may not see.

    Raises NotAllowed (no_record) if no game was started.
    """
    if room.head is None:
        raise NotAllowed("no_record")
    ending = room.table.ending
    if ending is None:
        return format_record(conceal(game, Record(room.head, _visible_lines(room, eyes)), eyes))
    result = None if ending.how == EndReason.VOID.value else game.result(room.game)
    scores = () if result is None else tuple((e.seat, e.score) for e in result.standings)
    end = End(EndReason(ending.how), Hex(ending.seed), scores)
    return sealed_text(room.head, lines_of(room.recorded), end)


def _visible_lines(room: Room, eyes: Eyes) -> tuple[RecordLine, ...]:
    """The lines of the record without the quiet moves of seats outside `eyes`."""
    made: list[RecordLine] = []
    moves_visible: list[bool] = []
    unknown = 0
    for link in links_of(room.recorded):
        line, before = parse_line(link.line), unknown
        unknown = unknown_to(eyes, link.quiet)
        if isinstance(line, Undone):
            count = sum(moves_visible[-line.count :])
            del moves_visible[-line.count :]
            if count:
                made.append(Undone(count))
            continue
        is_visible = unknown == before
        if isinstance(line, Moved):
            moves_visible.append(is_visible)
        if is_visible:
            made.append(line)
    return tuple(made)


_AS_THEY_ARE: Final = ("version", "at", "made", "counter", "key", "steps")
"""The fields of a room that a snapshot has as they are."""

_UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, RecordError, TypeError)


def dump_room(room: Room, games: Games) -> bytes:
    """Dump a room as MessagePack. Raises KeyError if the server does not have its game."""
    game = shown_by(games, room)
    if game is None:
        raise KeyError(room.table.game)
    recorded = links_of(room.recorded)
    body: dict[str, Any] = {  # Any: a plain tree
        "table": TABLE.dump(room.table),
        **{name: getattr(room, name) for name in _AS_THEY_ARE},
        "since": room.since,
        "past": [
            (each.version, each.seat, game.tree.dump(each.game), each.drew, each.steps)
            for each in room.past
        ],
        "recorded": [link.line for link in recorded],
        "noted": [(link.version, link.at, *link.quiet) for link in recorded],
        "log": _dump_log(room.log),
        "older": _dump_log(room.older.logged),
    }
    if room.game is not None:
        body["code"] = game.code
    if room.head is not None:
        body["head"] = format_record(Record(room.head))
    if room.game is not None:
        body["game"] = game.tree.dump(room.game)
    if room.origin is not None:
        body["origin"] = _dump_origin(room.origin, games[room.table.game])
    packed: bytes = msgpack.packb(body)
    return packed


def _dump_origin(origin: Origin, newest: Game[Any]) -> tuple[Any, ...]:  # Any: a plain row
    game = newest.for_rules_version(origin.record.head.rules)
    text = format_record(origin.record)
    if game is None or origin.state is None:
        return text, None, origin.counter, origin.steps, ""
    return text, game.tree.dump(origin.state), origin.counter, origin.steps, game.code


def _load_origin(row: Any, newest: Game[Any], *, begun: bool) -> Origin:
    """Load a fork's position. Raises ValueError if other code made it: fold the room again."""
    # Any: a plain row, a game's state class.
    text, state, counter, steps, code = row
    record = parse_record(text)
    game = newest.for_rules_version(record.head.rules)
    if not begun and (game is None or game.code != code):
        raise ValueError("a fork's position, made by other code")
    loaded = None if game is None or state is None else game.tree.load(state)
    return Origin(record, loaded, counter, steps)


def _dump_log(log: tuple[Logged, ...]) -> list[Any]:  # Any: plain rows
    """Entries in a row with the same names are stored together."""
    return [
        (names, [(each.version, each.at, list(map(_dump_event, each.events))) for each in entries])
        for names, entries in groupby(log, attrgetter("names"))
    ]


def _load_log(groups: Any, kinds: Mapping[str, type[Event]]) -> Iterator[Logged]:  # Any: plain rows
    for pairs, entries in groups:
        names = tuple((Seat(seat), name) for seat, name in pairs)
        for version, at, dumped in entries:
            events = (tree_of(kinds[name], inside_seat=True).load(body) for name, body in dumped)
            yield Logged(version, at, tuple(events), names)


def code_of(body: bytes) -> str:
    """The digest of the code that played a dumped room's game; "" without a game."""
    tree: Mapping[str, Any] = msgpack.unpackb(body, strict_map_key=False)
    return str(tree.get("code", ""))


def _dump_event(event: Event) -> tuple[str, Any]:  # Any: a plain tree
    form = event_form(type(event))
    name = f"@{form.name}" if isinstance(event, RoomEvent) else form.name
    return name, form.tree.dump(event)


def load_room(body: bytes, games: Games) -> Room:
    """Load a dumped room. Raises ValueError for other bytes, and for a game that is not installed.

    If its rules version is missing, the newest rules load the game if they can; otherwise the room
    has only its table and record.
    """
    try:
        return _room_of(msgpack.unpackb(body, strict_map_key=False), games)
    except _UNREADABLE as problem:
        raise ValueError(f"no room: {problem!r}") from problem


def _room_of(tree: Mapping[str, Any], games: Games) -> Room:  # Any: a plain tree
    table = TABLE.load(tree["table"])
    head = parse_record(tree["head"]).head if "head" in tree else None
    newest = games[table.game]
    origin = None
    if "origin" in tree:
        origin = _load_origin(tree["origin"], newest, begun="game" in tree)
    rules = newest if head is None else newest.for_rules_version(head.rules)
    recorded: Recorded | None = None
    for line, (version, at, *quiet) in zip(tree["recorded"], tree["noted"], strict=True):
        recorded = Recorded(recorded, line, version, at, tuple(quiet))
    bare = Room(
        table=table,
        since=tuple(tree["since"]),
        head=head,
        recorded=recorded,
        origin=origin,
        **{name: tree[name] for name in _AS_THEY_ARE},
    )
    if rules is not None:
        return _with_game(bare, rules, tree)
    try:
        return _with_game(bare, newest, tree)
    except (*_UNREADABLE, ValueError):
        return bare


def _with_game(bare: Room, game: Game[Any], tree: Mapping[str, Any]) -> Room:
    """The room with what depends on the game's rules: its state, undo positions and log."""
    kinds: dict[str, type[Event]] = {event_form(kind).name: kind for kind in game.events}
    # No event of a game has a name that begins so.
    kinds.update((f"@{event_form(kind).name}", kind) for kind in room_events())
    log, older = tuple(_load_log(tree["log"], kinds)), tuple(_load_log(tree["older"], kinds))
    return but(
        bare,
        game=game.tree.load(tree["game"]) if "game" in tree else None,
        past=tuple(
            Past(version, Seat(seat), game.tree.load(state), drew, steps)
            for version, seat, state, drew, steps in tree["past"]
        ),
        log=log,
        older=Older(older, sum(is_private(logged.events) for logged in log)),
    )


# Rooms whose rules differ.

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
    is_running = room is not None and room.head is not None and room.table.ending is None
    if room is not None and is_running and game_of(games, room) is None:
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
