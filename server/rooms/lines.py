"""Lines of a room: those that wait, those in flight, what they mean, and how they are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bluebear.protocol import Code, Error
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import Interpretation, Tell, Unprepared, Write
from bluebear.server.commands.command import COMMANDS
from bluebear.server.commands.native import error_of, error_span
from bluebear.server.commands.resolve import canonical_move, carry_out, loggable, resolve
from bluebear.server.commands.scene import NOTHING, Offers, Scene, Speaker, as_shown
from bluebear.server.limits import ROOM_QUEUE, ROOM_QUEUE_PER_PERSON
from bluebear.server.people.audit import Audit
from bluebear.server.room.fold_context import Folded, since_for
from bluebear.server.room.snapshot import is_accepted
from bluebear.server.room.state import Actor, Room
from bluebear.server.rooms.active_room import ActiveRoom, Resources
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.timers import Deadline
from bluebear.server.rooms.views import eyes_of
from bluebear.server.runtime import count, log_bug
from bluebear.server.store import Entry, Summary

ROW_BYTES: Final = 32
"""What an entry's place takes beside its body: its stream and number, and where they are found."""


class PendingLine(Struct, eq=False):
    """A line that has no reply yet: typed text, a `write` that is decided, or a `deadline`, which
    becomes an act when its turn comes.

    `enters`: its sender comes into the room when its entry is written. `over` is set when it has
    its reply, whatever that is; `next` is submitted then. `prepared` is what the line needs beyond
    the room, once that was awaited.
    """

    actor: Actor
    client: Connection | None = None
    say: str = ""
    text: str = ""
    at: int | None = None
    write: Write | None = None
    deadline: Deadline | None = None
    enters: bool = False
    over: asyncio.Event | None = None
    next: PendingLine | None = None
    prepared: Unprepared | None = None


class PendingEntry(Struct, eq=False):
    """A line that was judged: what it means, what that makes of the room, and its new row.

    It waits for the journal's answer.
    """

    line: PendingLine
    act: Write
    entry: Entry
    folded: Folded
    summary: Summary | None


def may_wait(queue: Sequence[PendingLine], line: PendingLine) -> bool:
    """Whether a line may wait; too many of one person, or of all together, may not.

    Acts of the clock and the server may: there are few, and none may be lost.
    """
    if line.client is None:
        return True
    same = sum(each.actor == line.actor and each.client is not None for each in queue)
    return len(queue) < ROOM_QUEUE and same < ROOM_QUEUE_PER_PERSON


def twin_of(line: PendingLine, pending: Iterable[PendingLine | None]) -> PendingLine | None:
    """The same line, sent again before it was answered: its newest sender gets the answer."""
    if not line.say or line.enters:
        return None
    same = (each for each in pending if each and each.say == line.say and each.actor == line.actor)
    return next((each for each in same if not each.enters), None)


# What they mean. Nothing is changed by that.

RULES_CHANGED: Final = NotAllowed("rules_changed")
"""Why lines of the game are refused in a suspended room."""


def interpret_suspended(room: ActiveRoom, line: PendingLine) -> Interpretation:
    """What a line means in a suspended room. Raises Refusal.

    That is NotAllowed (rules_changed) for what belongs to the game.
    """
    try:
        act = interpret(room, line)
    except NotAllowed as refusal:
        if refusal.code in (Code.NOT_PLAYING, Code.NOT_NOW):
            raise RULES_CHANGED from refusal
        raise
    if isinstance(act, Write) and not is_accepted(line.actor.text, act.lines[0], act.act):
        raise RULES_CHANGED
    return act


def interpret(active: ActiveRoom, line: PendingLine) -> Interpretation:
    """What a line means now. Raises Refusal."""
    if line.write is not None:
        return line.write
    if line.deadline is not None:
        return active.timer.act_of(line.deadline, active.room, active.game)
    room, client = active.room, line.client
    if client is None:
        raise NotAllowed("not_in_room")
    seat = client.house_seat
    if seat is None:
        seat = room.seat_of(client.person)
    elif not eyes_of(client, room):
        raise NotAllowed("not_seated")  # its owner is back, and a stand-in does not move
    is_stale = line.at is not None and line.at < since_for(room, seat)
    if client.scopes is None and not is_stale:
        quick = canonical_move(room, active.game, seat, line.text, human=client.human)
        if quick is not None:
            return quick
    scene = _scene_now(active.services.resources, client, NOTHING, active, room, is_stale=is_stale)
    late = active.delay.room
    if line.prepared is not None:
        return carry_out(scene, line.prepared)
    if seat is not None or late is None:
        return resolve(scene, line.text, may_be_move=client.scopes is not None and not is_stale)
    return resolve_late(as_shown(scene, late), scene, line.text)


async def prepare(active: ActiveRoom, call: Unprepared, by: str) -> Unprepared:
    """A room command with what it must await. Raises Refusal."""
    services, command = active.services, COMMANDS[call.command]
    if command.prepare is None:
        return call
    given = await command.prepare(services.people, services.hashing, by, call.given)
    return replace(call, given=given)


def scene_of(
    resources: Resources,
    client: Connection,
    active: ActiveRoom | None = None,
    offers: Offers = NOTHING,
) -> Scene:
    """The context of a line in the lobby, or in a room, as its sender sees that."""
    if active is None:
        return _scene_now(resources, client, offers)
    scene = _scene_now(resources, client, offers, active, active.room)
    shown = active.room_for(client)
    return scene if shown is scene.room else as_shown(scene, shown)


def _scene_now(
    resources: Resources,
    client: Connection,
    offers: Offers = NOTHING,
    active: ActiveRoom | None = None,
    room: Room | None = None,
    *,
    is_stale: bool = False,
) -> Scene:
    return Scene(
        speaker=_speaker(resources.audit, client),
        games=resources.games,
        now=resources.clock.now(),
        fresh=resources.fresh(64),
        offers=offers,
        public_url=resources.public_url,
        pins=resources.pins,
        ascii="ascii" in client.wants,
        linear="linear" in client.wants,
        room=room,
        is_stale=is_stale,
        game=None if active is None else active.game,
        here={} if active is None else active.present.here,
        lately={} if active is None else active.present.lately(asyncio.get_running_loop().time()),
        waited=active.timer.waited(room) if active and room and room.game is not None else {},
    )


def _speaker(audit: Audit, client: Connection) -> Speaker:
    """Who speaks, as the log of operators has them now."""
    return Speaker(
        *(client.person, client.name, client.human, client.lang, client.house_seat),
        scopes=client.scopes,
        operator=client.person in audit.state.operators,
        silent_until=audit.silent_until(client.person, client.owner) if audit.state.silenced else 0,
        account=client.account,
        owner=client.owner,
        offered_until=client.offered_until,
    )


def error_reply(
    active: ActiveRoom, line: PendingLine, client: Connection, refusal: Refusal
) -> Error:
    """A refusal as the sender of a line is told it."""
    count(f"refused.{refusal.code}")
    if refusal.span is None:
        refusal.span = error_span(refusal, line.text)
    name_of = active.room.name_of if active.exists else None
    return error_of(refusal, line.say, client.lang, active.game, name_of)


def report_bug(active: ActiveRoom, line: PendingLine, bug: Exception) -> None:
    """Log a bug of a game or of ours that a line has met, and tell its sender."""
    version = active.room.version if active.exists else 0
    log_bug(bug, room=active.id, version=version, line=loggable(line.text)[:80])
    if line.client is not None:
        refusal = NotAllowed("internal", reference=f"{active.id}-{version}")
        line.client.answer(error_of(refusal, line.say, line.client.lang))


def resolve_late(shown: Scene, now: Scene, text: str) -> Interpretation:
    """The meaning of a line of a member who is shown an older room than the present one.

    Replies, and why there is none, come from the room that is seen; acts are done to the present
    one. Raises Refusal.
    """
    try:
        seen = resolve(shown, text)
    except Refusal as refusal:
        return _resolve_unseen(now, text, refusal)
    if isinstance(seen, Tell):
        return seen
    interpretation = resolve(now, text)
    return seen if isinstance(interpretation, Tell) else interpretation


def _resolve_unseen(now: Scene, text: str, refused: Refusal) -> Interpretation:
    """The act of a line that is refused by what its speaker sees. Raises that refusal."""
    try:
        interpretation = resolve(now, text)
    except Refusal:
        raise refused from None
    if isinstance(interpretation, Tell):
        raise refused
    return interpretation
