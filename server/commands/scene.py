"""What a line is judged in: who speaks, where, and what the world looks like from there.

A scene is made of values, so that commands are pure: the same scene and line give the same act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from bluebear.rules.core.game import Game, TextPage
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.texts import LINES, WIDTH
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat
from bluebear.server.commands.needs import NOTHING, Offers
from bluebear.server.people.account import Scope
from bluebear.server.room.creation import NO_PINS, Pins
from bluebear.server.room.fold_context import Games
from bluebear.server.room.options import is_on
from bluebear.server.room.rated_games import is_rated
from bluebear.server.room.stand_ins import voting_seats
from bluebear.server.room.state import Actor, Phase, Room


class Role(StrEnum):
    """What a person is to a room. A host who sits has the rights of both.

    An operator of the server has those of a host in whatever room he is in.
    """

    STRANGER = "stranger"
    SPECTATOR = "spectator"
    SEATED = "seated"
    HOST = "host"
    OPERATOR = "operator"


INSIDE: Final = (Role.SPECTATOR, Role.SEATED, Role.HOST)
"""The roles of those who are in the room."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person, or a house bot at its seat (then `person` is empty).

    `scopes` is what a bot's token permits; None: all that a person may. An `operator` has a host's
    rights everywhere. Times in ms: until `silent_until` talk is refused, until `offered_until` a
    matched game is offered. `owner`: the person whose bot this is, "" for a person.
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

    def may(self, scope: Scope) -> bool:
        """Whether nothing that he comes in with forbids this."""
        return self.scopes is None or scope in self.scopes

    @property
    def actor(self) -> Actor:
        """As the journal names him."""
        if self.house_seat is not None:
            return Actor.of_house(self.house_seat)
        return Actor.of_person(self.person)


@dataclass(frozen=True)
class Scene:
    """One line's surroundings; what follows from them is worked out once.

    `room` is None in the lobby; `fresh` is 64 random bytes.

    `offers` has what candidates rest on beyond the room. `waited`
    are the seconds that the table has waited for each seat that is to move. Boards are made for the
    speaker's screen: `ascii`, `linear` for who hears them, `width` and `lines`.

    `here` are the people in the room, and `lately` those who have just lost their connection to it.

    `now_room` is the room as it is, where `room` is an older one: the speaker is a spectator who
    sees the game some moves late.
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

    @cached_property
    def seat(self) -> Seat | None:
        """The speaker's seat."""
        if self.room is None or self.now_room is not None:
            return None
        if self.speaker.house_seat is not None:
            return self.speaker.house_seat
        return self.room.seat_of(self.speaker.person)

    @property
    def eyes(self) -> Eyes:
        """What the speaker may see."""
        seat = self.seat
        return SPECTATOR if seat is None else frozenset((seat,))

    @cached_property
    def phase(self) -> Phase | None:
        """The room's phase; None in the lobby."""
        return None if self.room is None else self.room.table.phase

    @cached_property
    def roles(self) -> frozenset[Role]:
        """What the speaker is to the room."""
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
    def all_confirm(self) -> bool:
        """Whether the option `confirm` is on."""
        return self.room is not None and is_on(self.room.table, "confirm")

    @property
    def runs_room(self) -> bool:
        """Whether the speaker has the rights of the host."""
        return not self.roles.isdisjoint((Role.HOST, Role.OPERATOR))

    @property
    def is_offered_game(self) -> bool:
        """Whether the speaker is asked about a game that fits a wish."""
        return self.speaker.offered_until > self.now

    @property
    def page(self) -> TextPage:
        """How texts are made for the speaker."""
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
        """The seats of the humans who are asked: those who are here."""
        return [] if self.room is None else voting_seats(self.room, self.here)

    def ballots(self, *, yes: bool) -> list[int]:
        """The votes that a yes or a no of the speaker would count for.

        Those in which the ballot is still out, and by a no those that the speaker has opened. A
        spectator who sees the game late has opened a vote in the room as it is.
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
        """The same where a game may be changed for all: a rated one asks the absent as well."""
        room = self.room
        return [] if room is None else voting_seats(room, self.here, all_of_them=is_rated(room))


def check_may_talk(scene: Scene) -> None:
    """NotAllowed (silenced) while an operator keeps the speaker from talking."""
    left_ms = scene.speaker.silent_until - scene.now
    if left_ms > 0:
        raise NotAllowed("silenced", minutes=-(-left_ms // 60_000))


def as_shown(scene: Scene, room: Room) -> Scene:
    """The scene of a spectator who sees an older room."""
    return replace(scene, room=room, now_room=scene.room)
