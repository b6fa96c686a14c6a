"""Dumps and loads rooms for snapshots, which shorten loading, and writes the record of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgpack

from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
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
    sealed,
)
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Event, Eyes, Seat, but
from bluebear.server.room.events import RoomEvent, room_events
from bluebear.server.room.fold_context import Games, is_private, shown_by
from bluebear.server.room.state import (
    TABLE,
    Logged,
    Older,
    Origin,
    Past,
    Recorded,
    Room,
    lines_of,
    links_of,
    unknown_to,
)


def record_of(room: Room, game: Game[Any], eyes: Eyes) -> str:
    """The record as text: sealed after the game, before its end without what `eyes` may not see.

    Raises NotAllowed (no_record) if no game was started.
    """
    if room.head is None:
        raise NotAllowed("no_record")
    ending = room.table.ending
    if ending is None:
        return format_record(conceal(game, Record(room.head, _visible_lines(room, eyes)), eyes))
    lines = tuple(parse_line(line) for line in lines_of(room.recorded))
    result = None if ending.how == EndReason.VOID.value else game.result(room.game)
    scores = () if result is None else tuple((e.seat, e.score) for e in result.standings)
    end = End(EndReason(ending.how), Hex(ending.seed), scores)
    return format_record(sealed(Record(room.head, lines, end)))


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


_UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, RecordError, TypeError)


def dump_room(room: Room, games: Games) -> bytes:
    """Dump a room as MessagePack. Raises KeyError if the server does not have its game."""
    game = shown_by(games, room)
    if game is None:
        raise KeyError(room.table.game)
    recorded = links_of(room.recorded)
    body: dict[str, Any] = {  # Any: a plain tree
        "table": TABLE.dump(room.table),
        "version": room.version,
        "at": room.at,
        "made": room.made,
        "counter": room.counter,
        "key": room.key,
        "since": room.since,
        "past": [_dump_past(each, game) for each in room.past],
        "recorded": [link.line for link in recorded],
        "noted": [(link.version, link.at, *link.quiet) for link in recorded],
        "steps": room.steps,
        "log": [_dump_logged(logged) for logged in room.log],
        "older": [_dump_logged(logged) for logged in room.older.logged],
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


def _dump_logged(logged: Logged) -> tuple[Any, ...]:  # Any: a plain row
    return logged.version, logged.at, [_dump_event(each) for each in logged.events]


def _load_logged(row: Any, kinds: Mapping[str, type[Event]]) -> Logged:  # Any: a plain row
    version, at, dumped = row
    return Logged(version, at, tuple(_load_event(each, kinds) for each in dumped))


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
        game=None,
        version=tree["version"],
        at=tree["at"],
        counter=tree["counter"],
        key=tree["key"],
        since=tuple(tree["since"]),
        past=(),
        head=head,
        recorded=recorded,
        steps=tree["steps"],
        log=(),
        made=tree["made"],
        origin=origin,
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
    log = tuple(_load_logged(row, kinds) for row in tree["log"])
    older = tuple(_load_logged(row, kinds) for row in tree["older"])
    return but(
        bare,
        game=game.tree.load(tree["game"]) if "game" in tree else None,
        past=tuple(_load_past(row, game) for row in tree["past"]),
        log=log,
        older=Older(older, sum(is_private(logged.events) for logged in log)),
    )


def _dump_past(past: Past, game: Game[Any]) -> tuple[Any, ...]:  # Any: a plain row
    return past.version, past.seat, game.tree.dump(past.game), past.drew, past.steps


def _load_past(row: Any, game: Game[Any]) -> Past:  # Any: a plain row, a game's state class
    version, seat, state, drew, steps = row
    return Past(version, Seat(seat), game.tree.load(state), drew, steps)


def _load_event(row: Any, kinds: Mapping[str, type[Event]]) -> Event:  # Any: a plain row
    name, body = row
    return tree_of(kinds[name], inside_seat=True).load(body)
