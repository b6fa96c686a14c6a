"""The context of a line: its sender, the room as the sender sees it, the time, other rooms.

A scene consists of values, so that commands are pure: equal scenes and lines give equal acts.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from bluebear.rules.core.game import Game, TextPage
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.texts import LINES, WIDTH
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat
from bluebear.server.people.account import Scope
from bluebear.server.room.creation import NO_PINS, Pins
from bluebear.server.room.fold_context import Games
from bluebear.server.room.options import is_on
from bluebear.server.room.state import Phase, Room, voting_seats
from bluebear.server.store import StreamId


class RoomLine(Struct, frozen=True):
    """The summary of a room in the lobby, without loading it. `awake`: it has members.

    `deadlines`: in a correspondence game, when the time of each of `names` is up (ms); 0 for a
    player who is not to move. `options` have other values than the default (canonical, without the
    clock). `at` and `made` are the times (ms) of the newest and the first entry. `watchers` counts
    the spectators.
    """

    id: StreamId
    game: str
    phase: str
    listed: bool = False
    private: bool = False
    locked: bool = False
    names: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    free: int = 0
    host_person: str = ""
    admitted: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()
    invites: frozenset[str] = frozenset()
    watch: str = "all"
    at: int = 0
    awake: bool = False
    deadlines: tuple[int, ...] = ()
    clock: str = ""
    options: tuple[tuple[str, str], ...] = ()
    made: int = 0
    watchers: int = 0

    def is_turn_of(self, person: str) -> bool:
        """Whether a person is to move in this room."""
        return any(
            who == person and name in self.turn
            for who, name in zip(self.persons, self.names, strict=True)
        )

    def of(self, person: str) -> bool:
        """Whether a person has a seat in this room or is its host."""
        return person in self.persons or person == self.host_person

    def bars(self, person: str, owner: str) -> bool:
        """Whether a person is barred, or their owner is and they are a bot without a seat here."""
        return person in self.banned or (owner in self.banned and person not in self.persons)

    def is_visible_to(self, person: str) -> bool:
        """Whether a person may learn by its number that this room exists.

        A connection without a name ("") sees listed rooms only, since its guesses are not limited.
        """
        if not person:
            return self.listed
        if person in self.banned:
            return False
        return not self.private or person in self.admitted or person in self.persons


class Companion(Struct, frozen=True):
    """A connected person: since when (ms), their away text (None: not away), their rooms.

    `rooms` has all rooms that they are in, the latest first, also those hidden from the caller.
    """

    person: str
    name: str
    since: int
    away: str | None
    rooms: tuple[RoomLine, ...] = ()

    def rooms_shown_to(self, person: str, here: str) -> list[RoomLine]:
        """The rooms in which `person`, who is in the room `here`, may see this person."""
        return [
            room
            for room in self.rooms
            if room.is_visible_to(person)
            and (room.listed or room.of(person) or person in room.admitted or room.id == here)
        ]


class Source(StrEnum):
    """The sources of candidates for arguments, besides the room."""

    ONLINE = "online"
    MY_ROOMS = "my_rooms"
    LISTED = "listed"


Sources = frozenset[Source]
ONLINE: Final[Sources] = frozenset((Source.ONLINE,))
ROOMS: Final[Sources] = frozenset((Source.MY_ROOMS, Source.LISTED))
ALWAYS_OFFERED: Final[Sources] = frozenset((Source.MY_ROOMS, Source.ONLINE))
"""The sources of a catalogue. Clients request it after each move, so it does not read the list of
rooms, which is expensive; completion does.
"""


class Offers(Struct, frozen=True):
    """What was read from the sources. People are ids and exact names."""

    online: tuple[tuple[str, str], ...] = ()
    my_rooms: tuple[RoomLine, ...] = ()
    rooms: tuple[RoomLine, ...] = ()


NOTHING: Final = Offers()


class Role(StrEnum):
    """A person's role in a room. A host with a seat has the rights of both roles.

    An operator of the server has the rights of a host in each room that they are in.
    """

    STRANGER = "stranger"
    SPECTATOR = "spectator"
    SEATED = "seated"
    HOST = "host"
    OPERATOR = "operator"


INSIDE: Final = (Role.SPECTATOR, Role.SEATED, Role.HOST)
"""The roles of people in the room."""


class Speaker(Struct, frozen=True):
    """The sender of a line: a person, or a house bot at its seat (then `person` is "").

    `scopes` of a bot's token; None: no limit. An `operator` has a host's rights in all rooms. Until
    `silent_until` (ms) chat is refused, until `offered_until` (ms) a matched game is offered.
    `owner`: the id of a bot's owner, "" for a human.
    """

    person: str
    name: str
    human: bool
    lang: Lang
    house_seat: Seat | None = None
    scopes: frozenset[Scope] | None = None
    operator: bool = False
    silent_until: int = 0
    account: bool = False
    owner: str = ""
    offered_until: int = 0

    def may(self, scope: Scope | None) -> bool:
        """Whether the speaker's token allows a scope, None never; True without scopes."""
        return self.scopes is None or scope in self.scopes


class Scene(Struct, frozen=True, dict=True):
    """The context of one line.

    `room` is None in the lobby. `now` is in ms; `fresh` are 64 random bytes. `offers`: what was
    read for candidates. `waited`: the seconds since each seat is to move. The speaker's screen:
    `ascii`, `linear` (for screen readers), `width` and `lines`.

    `here`: names by id of the people in the room; `lately`: of those who have just lost their
    connection. `now_room`: the present room, if the speaker is a spectator who sees the older
    `room` (`watchdelay`). `is_stale`: the speaker saw the position of their seat before its last
    change; moves and undo are refused.
    """

    speaker: Speaker
    games: Games
    now: int
    fresh: bytes
    offers: Offers = NOTHING
    public_url: str = ""
    room: Room | None = None
    game: Game[Any] | None = None
    here: Mapping[str, str] = field(default_factory=dict)
    lately: Mapping[str, str] = field(default_factory=dict)
    pins: Pins = NO_PINS
    ascii: bool = False
    waited: Mapping[Seat, int] = field(default_factory=dict)
    linear: bool = False
    width: int = WIDTH
    lines: int = LINES
    now_room: Room | None = None
    is_stale: bool = False

    @cached_property
    def seat(self) -> Seat | None:
        """The speaker's seat; None if they have none."""
        if self.room is None or self.now_room is not None:
            return None
        if self.speaker.house_seat is not None:
            return self.speaker.house_seat
        return self.room.seat_of(self.speaker.person)

    @property
    def eyes(self) -> Eyes:
        """The seats whose secrets the speaker may see."""
        seat = self.seat
        return SPECTATOR if seat is None else frozenset((seat,))

    @cached_property
    def phase(self) -> Phase | None:
        """The room's phase; None in the lobby."""
        return None if self.room is None else self.room.table.phase

    @cached_property
    def roles(self) -> frozenset[Role]:
        """The speaker's roles in the room."""
        room, roles = self.room, {Role.OPERATOR} if self.speaker.operator else set()
        if room is None:
            return frozenset((Role.STRANGER, *roles))
        roles.add(Role.SPECTATOR if self.seat is None else Role.SEATED)
        if room.table.host_person == self.speaker.person:
            roles.add(Role.HOST)
        return frozenset(roles)

    @property
    def host_only(self) -> bool:
        """Whether the option `host` is on."""
        return self.room is not None and is_on(self.room.table, "host")

    @property
    def is_offered_game(self) -> bool:
        """Whether a matched game is offered to the speaker."""
        return self.speaker.offered_until > self.now

    @property
    def page(self) -> TextPage:
        """The layout of texts for the speaker."""
        room = self.room
        return TextPage(
            lang=self.speaker.lang,
            ascii=self.ascii,
            linear=self.linear,
            width=self.width,
            lines=self.lines,
            name_of=None if room is None else room.name_of,
        )

    def view(self) -> Any:  # Any: a view is of the game's own state class
        """The game as the speaker sees it; None before the start."""
        if self.room is None or self.game is None or self.room.game is None:
            return None
        return self.game.seen(self.room.game, self.eyes)

    def voters(self) -> list[int]:
        """The seats of the humans who vote: those who are present."""
        return [] if self.room is None else voting_seats(self.room, self.here)

    def ballots(self, *, yes: bool) -> list[int]:
        """The numbers of the votes in which the speaker may cast a yes, or a no.

        A no also withdraws votes that the speaker opened. A spectator who sees the game late may
        have opened a vote in `now_room`.
        """
        room, seat, person = self.now_room or self.room, self.seat, self.speaker.person
        if room is None or room.table.phase not in (Phase.PLAYING, Phase.PAUSED):
            return []
        return [
            number
            for number, vote in room.table.votes.items()
            if (seat in vote.voters and seat not in (*vote.yes, *vote.no))
            or (not yes and vote.was_opened_by(person))
        ]

    def all_to_agree(self) -> list[int]:
        """The voters on a change of the game for all players: in rated games the absent, too."""
        room = self.room
        return [] if room is None else voting_seats(room, self.here, all_of_them=room.table.rated)


def check_may_talk(scene: Scene) -> None:
    """Raise NotAllowed (silenced) while the speaker is silenced by an operator."""
    left_ms = scene.speaker.silent_until - scene.now
    if left_ms > 0:
        raise NotAllowed("silenced", minutes=-(-left_ms // 60_000))


def as_shown(scene: Scene, room: Room) -> Scene:
    """The scene of a spectator who sees an older room."""
    return replace(scene, room=room, now_room=scene.room)
