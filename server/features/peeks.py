"""A look into a player's hand: `/peek` asks for it or looks, `/allowpeek` allows it."""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import RunCommand, Tell, Write
from bluebear.server.commands.answers import look_text
from bluebear.server.commands.command import (
    PAUSED,
    PLAYING,
    Arguments,
    Command,
    Topic,
    entry,
    in_room,
    near_names,
    room_here,
    seated,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Context, Feature, Services
from bluebear.server.limits import PEEK_MINUTES, PEEK_MINUTES_MAX
from bluebear.server.net.budget import TokenBuckets, check_wait
from bluebear.server.net.rate_limits import REQUESTS, Cost
from bluebear.server.people.account import Scope
from bluebear.server.room.spectators import AllowPeek, check_peeks, may_peek, peek_of
from bluebear.server.sentences import say, span

_OFF: Final = ("off", "オフ", "やめる", "0")


def _peek(scene: Scene, given: Arguments) -> Tell | RunCommand:
    """What a seat sees, if its owner lets the sender look; else the owner is asked."""
    room, game = room_here(scene), scene.game
    if game is None or room.game is None:
        raise NotAllowed("not_playing")
    if scene.seat is not None:
        raise NotAllowed("peek_seated", given=scene.speaker.name)
    check_peeks(room.table)
    seat = _seat_named(scene, given["name"])
    # A spectator who sees the game late looks late, too; but what is allowed is so at once.
    now_room = scene.now_room or room
    chair = now_room.seats[seat]
    if may_peek(now_room, seat, scene.speaker.person, scene.now):
        return _seen(scene, seat, given.get("area", ""))
    if chair.person is None:
        raise NotAllowed("no_player_there", seat=seat)
    if chair.person not in scene.here:
        raise NotAllowed("not_here", given=chair.name)
    return RunCommand("peek", {"person": chair.person, "name": chair.name})


def _seat_named(scene: Scene, given: str) -> Seat:
    seats = room_here(scene).seats
    for seat, chair in seats.items():
        if fold(chair.name) == fold(given) or str(int(seat)) == given:
            return seat
    names = [chair.name for chair in seats.values() if chair.person is not None]
    raise NotAllowed("no_such_player", given=given, candidates=near_names(given, names))


def _seen(scene: Scene, seat: Seat, area: str) -> Tell:
    """The table, or a part of it, as a seat sees it now."""
    room, game, lang = room_here(scene), scene.game, scene.speaker.lang
    chair = (scene.now_room or room).seats[seat]
    peek = peek_of(chair, scene.now)
    if game is None or peek is None:
        raise NotAllowed("not_playing")
    eyes = frozenset((seat,))
    view = game.seen(room.game, eyes)
    left = span(peek.until - scene.now, lang)
    head = say("answer.peek", lang, name=chair.name, time=left)
    text = look_text(scene, area, view, eyes) if area else game.text(view, eyes, scene.page).full()
    return Tell("peek", f"{head}\n{text}")


def _allow(scene: Scene, given: Arguments) -> Write:
    """Let a person look who is here and does not sit; the name alone also ends it, with `off`."""
    room, name = room_here(scene), given["name"]
    minutes = _minutes(given.get("duration", ""))
    if not minutes:
        return entry(scene, AllowPeek(0, name))
    check_peeks(room.table)
    for person, called in scene.here.items():
        if fold(called) == fold(name):
            return entry(scene, AllowPeek(minutes, called), {"whom": person})
    watching = [each for person, each in scene.here.items() if room.seat_of(person) is None]
    raise NotAllowed("nobody_here", given=name, candidates=near_names(name, watching))


def _minutes(given: str) -> int:
    """How long a person may look; 0 ends it. NotUnderstood (bad_word) for anything else."""
    if not given:
        return PEEK_MINUTES
    folded = fold(given)
    if folded in _OFF:
        return 0
    if folded.isascii() and folded.isdigit() and len(folded) < 4:
        if int(folded) <= PEEK_MINUTES_MAX:
            return int(folded)
    usual = (str(PEEK_MINUTES), str(PEEK_MINUTES_MAX), "off")
    raise NotUnderstood("bad_word", argument="duration", given=given, candidates=usual)


class Peeks(Feature):
    """Asks the players of this node, each at most once in a while on behalf of one person."""

    name = "peeks"
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._requests = TokenBuckets(REQUESTS)

    @Command(
        "peek name area?", in_room(PLAYING, PAUSED), _peek, ("のぞく",), given_scope=Scope.CHAT
    )
    async def ask(self, ctx: Context, person: str, name: str) -> Tell:
        """`/peek` where it is not allowed yet. Raises NotAllowed: not_wanted, no_such_person.

        A player who mutes the sender is not asked, which is not said.
        """
        sender, presence = ctx.connection, self.presence
        with sender.paid(Cost.CALL):
            if presence.blocks(person, sender.person):
                raise NotAllowed("not_wanted", given=name)
            if not presence.of(person):
                raise NotAllowed("no_such_person", given=name)
            key = f"{ctx.room} {sender.person} {person}"
            check_wait(self._requests.consume(Cost.CALL, key, asyncio.get_running_loop().time()))
            presence.notify_in_room(person, sender, ctx.room, "peek_wanted", "note.peek")
        return Tell("peek_asked", say("note.peek_asked", ctx.lang, name=name))

    commands = (
        Command(
            "allowpeek name duration:minutes?",
            seated(PLAYING, PAUSED),
            _allow,
            ("のぞき許可",),
            needs_full_name=True,
        ),
    )
