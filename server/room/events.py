"""What can happen in a room beside the game itself: events, told by `server/phrases.toml`.

What a person does is told with the name of that moment: the seat may be another's soon.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat


class RoomMade(Event):
    """The room exists."""

    name: Public[str]
    game: Public[str]


class Forked(Event):
    """The room goes on from a finished game, after a move; who sat there, by seat."""

    id: Public[str]
    move: Public[int]
    names: Public[tuple[str, ...]]


class Said(Event):
    """Talk. `apart`: only those without a seat hear it."""

    name: Public[str]
    text: Public[str]
    apart: Public[bool]


class Joined(Event):
    """Somebody took a seat."""

    seat: Public[Seat]
    name: Public[str]


class Left(Event):
    """A seat became free before the game."""

    name: Public[str]


class Vacated(Event):
    """A seat was given up in a running game; a house bot plays it on."""

    seat: Public[Seat]
    name: Public[str]
    bot: Public[str]


class StoodIn(Event):
    """A house bot stands in for the owner of a seat."""

    seat: Public[Seat]
    name: Public[str]


class CameBack(Event):
    """The owner has the seat back."""

    seat: Public[Seat]
    name: Public[str]


class TookOver(Event):
    """Who got a seat in a running game: its `number`, and the name that it had `before`."""

    seat: Public[Seat]
    name: Public[str]
    number: Public[int]
    before: Public[str]


class OptionSet(Event):
    """An option has a new value."""

    option: Public[str]
    value: Public[str]


class Proposed(Event):
    """The game advises an option; `line` is what to type."""

    line: Public[str]
    phrase: Public[str]


class SeedGiven(Event):
    """A seat has given its own part of the seed."""

    seat: Public[Seat]
    name: Public[str]


class Ready(Event):
    """A seat has pressed start where all must."""

    seat: Public[Seat]
    name: Public[str]


class AllReady(Event):
    """Every player is ready, and `name`, the host, begins the game."""

    name: Public[str]


class Started(Event):
    """The game began; seats in their final order."""

    names: Public[tuple[str, ...]]
    game_id: Public[str]


class RatedStart(Event):
    """The game that begins is rated."""


class UnratedStart(Event):
    """It would be, were it not for somebody who has no account, or is a program."""

    name: Public[str]


class RatingsChanged(Event):
    """What a rated game has made of the points of those who played it, each as one text."""

    changes: Public[tuple[str, ...]]


class Undone(Event):
    """The newest `count` moves were taken back, for a seat that asked."""

    seat: Public[Seat]
    name: Public[str]
    count: Public[int]


class VoteOpened(Event):
    """A vote is open; `kind` says about what."""

    number: Public[int]
    kind: Public[str]
    name: Public[str]
    about: Public[str]
    seconds: Public[int]


class AskedIfThere(Event):
    """Somebody who is connected is asked whether he still plays, before a house bot does."""

    seat: Public[Seat]
    name: Public[str]
    seconds: Public[int]


class UndoReach(Event):
    """How far back the vote on an undo would lead: to before a seat's move (its line as everybody
    may see it), over so many moves, each by the seat in `movers`.
    """

    seat: Public[Seat]
    line: Public[str]
    count: Public[int]
    movers: Public[tuple[int, ...]]


class Balloted(Event):
    """A seat has voted."""

    seat: Public[Seat]
    name: Public[str]
    ballot: Public[str]


class VoteEnded(Event):
    """A vote is over; `outcome` is passed, failed, dropped or withdrawn."""

    number: Public[int]
    kind: Public[str]
    outcome: Public[str]


class TimedOut(Event):
    """A seat's clock ran out, or its house bot was silent; the fallback was played."""

    seat: Public[Seat]


class OnVacation(Event):
    """Somebody is on vacation until the end of a day (UTC): no clock of his runs."""

    seat: Public[Seat]
    name: Public[str]
    day: Public[str]


class BackFromVacation(Event):
    """Somebody's vacation is over before its time."""

    seat: Public[Seat]
    name: Public[str]


class PeekAllowed(Event):
    """A player lets a spectator look into his hand, for so many minutes."""

    seat: Public[Seat]
    name: Public[str]
    guest: Public[str]
    minutes: Public[int]


class PeekEnded(Event):
    """Nobody looks into a player's hand any more."""

    seat: Public[Seat]
    name: Public[str]
    guest: Public[str]


class HintAsked(Event):
    """A player asked what a program would play."""

    seat: Public[Seat]
    name: Public[str]


class Resigned(Event):
    """A seat gave the game up."""

    seat: Public[Seat]
    name: Public[str]


class GameEnded(Event):
    """The game is over, by score or by resignation; winners by name."""

    how: Public[str]
    names: Public[tuple[str, ...]]


class Ranked(Event):
    """How a seat finished."""

    seat: Public[Seat]
    place: Public[int]
    score: Public[int]


class Aborted(Event):
    """The game ended void."""


class Cleared(Event):
    """The board is clear for a new game."""

    game_id: Public[str]


class Paused(Event):
    """The clocks stand still."""


class Resumed(Event):
    """The game goes on."""


class HostIs(Event):
    """Somebody is the host now."""

    name: Public[str]


class Renamed(Event):
    """Somebody is called otherwise."""

    old: Public[str]
    name: Public[str]


class Admitted(Event):
    """Somebody came in by an invite."""

    name: Public[str]


class Invited(Event):
    """Somebody may come in, since the host said so."""

    name: Public[str]


class LinkMade(Event):
    """The host made an invite link."""


class Uninvited(Event):
    """Invites were made void."""


class PasswordSet(Event):
    """The room's password was set or dropped (`locked` says which)."""

    locked: Public[str]


class Kicked(Event):
    """The host has sent somebody out."""

    name: Public[str]


class Banned(Event):
    """The host has barred somebody from the room."""

    name: Public[str]


class Unbanned(Event):
    """Somebody may come in again."""

    name: Public[str]


class FrozeUp(Event):
    """The game has a bug; the room is frozen and its record kept."""


ROOM_EVENTS: tuple[type[Event], ...] = (
    RoomMade,
    Forked,
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
    AllReady,
    Started,
    Undone,
    VoteOpened,
    AskedIfThere,
    UndoReach,
    Balloted,
    VoteEnded,
    TimedOut,
    OnVacation,
    BackFromVacation,
    PeekAllowed,
    PeekEnded,
    HintAsked,
    Resigned,
    GameEnded,
    Ranked,
    RatedStart,
    UnratedStart,
    RatingsChanged,
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
