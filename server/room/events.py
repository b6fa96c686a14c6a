"""What can happen in a room beside the game itself: events, told by `server/phrases.toml`.

What a person does is told with the name of that moment: the seat may be another's soon.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.vision import Event, Public, Seat, state


@state
@dataclass(frozen=True, slots=True)
class RoomMade(Event):
    """The room exists."""

    name: Public[str]
    game: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Said(Event):
    """Talk. `apart`: only those without a seat hear it."""

    name: Public[str]
    text: Public[str]
    apart: Public[bool]


@state
@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Somebody took a seat."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Left(Event):
    """A seat became free before the game."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Vacated(Event):
    """A seat was given up in a running game; a house bot plays it on."""

    seat: Public[Seat]
    name: Public[str]
    bot: Public[str]


@state
@dataclass(frozen=True, slots=True)
class StoodIn(Event):
    """A house bot stands in for the owner of a seat."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class CameBack(Event):
    """The owner has the seat back."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class TookOver(Event):
    """Somebody got a seat of the house in a running game."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class OptionSet(Event):
    """An option has a new value."""

    option: Public[str]
    value: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Proposed(Event):
    """The game advises an option; `line` is what to type."""

    line: Public[str]
    phrase: Public[str]


@state
@dataclass(frozen=True, slots=True)
class SeedGiven(Event):
    """A seat has given its own part of the seed."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Ready(Event):
    """A seat has pressed start where all must."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Started(Event):
    """The game began; seats in their final order."""

    names: Public[tuple[str, ...]]
    game_id: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The newest `count` moves were taken back, for a seat that asked."""

    seat: Public[Seat]
    name: Public[str]
    count: Public[int]


@state
@dataclass(frozen=True, slots=True)
class VoteOpened(Event):
    """A vote is open; `kind` says about what."""

    number: Public[int]
    kind: Public[str]
    name: Public[str]
    about: Public[str]
    seconds: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Balloted(Event):
    """A seat has voted."""

    seat: Public[Seat]
    name: Public[str]
    ballot: Public[str]


@state
@dataclass(frozen=True, slots=True)
class VoteEnded(Event):
    """A vote is over; `outcome` is passed, failed or dropped."""

    number: Public[int]
    kind: Public[str]
    outcome: Public[str]


@state
@dataclass(frozen=True, slots=True)
class TimedOut(Event):
    """A seat's clock ran out, or its house bot was silent; the fallback was played."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A seat gave the game up."""

    seat: Public[Seat]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over, by score or by resignation; winners by name."""

    how: Public[str]
    names: Public[tuple[str, ...]]


@state
@dataclass(frozen=True, slots=True)
class Ranked(Event):
    """How a seat finished."""

    seat: Public[Seat]
    place: Public[int]
    score: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Aborted(Event):
    """The game ended void."""


@state
@dataclass(frozen=True, slots=True)
class Cleared(Event):
    """The board is clear for a new game."""

    game_id: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The clocks stand still."""


@state
@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The game goes on."""


@state
@dataclass(frozen=True, slots=True)
class HostIs(Event):
    """Somebody is the host now."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Renamed(Event):
    """Somebody is called otherwise."""

    old: Public[str]
    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Admitted(Event):
    """Somebody came in by an invite."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Invited(Event):
    """Somebody may come in, since the host said so."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class LinkMade(Event):
    """The host made an invite link."""


@state
@dataclass(frozen=True, slots=True)
class Uninvited(Event):
    """Invites were made void."""


@state
@dataclass(frozen=True, slots=True)
class PasswordSet(Event):
    """The room's password was set or dropped (`locked` says which)."""

    locked: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Kicked(Event):
    """The host has sent somebody out."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Banned(Event):
    """The host has barred somebody from the room."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class Unbanned(Event):
    """Somebody may come in again."""

    name: Public[str]


@state
@dataclass(frozen=True, slots=True)
class FrozeUp(Event):
    """The game has a bug; the room is frozen and its record kept."""


ROOM_EVENTS: tuple[type[Event], ...] = (
    RoomMade,
    Said,
    Joined,
    Left,
    Vacated,
    StoodIn,
    CameBack,
    TookOver,
    OptionSet,
    Proposed,
    SeedGiven,
    Ready,
    Started,
    Undone,
    VoteOpened,
    Balloted,
    VoteEnded,
    TimedOut,
    Resigned,
    GameEnded,
    Ranked,
    Aborted,
    Cleared,
    Paused,
    Resumed,
    HostIs,
    Renamed,
    Admitted,
    Invited,
    LinkMade,
    Uninvited,
    PasswordSet,
    Kicked,
    Banned,
    Unbanned,
    FrozeUp,
)
"""Every event of a room, for the catalogue of sentences and for snapshots."""
