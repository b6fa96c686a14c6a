"""What can happen in a room beside the game itself: events, worded by `server/phrases.toml`.

What a person does is announced with the name of that moment: the seat may be another's soon.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat, classes_below


class RoomEvent(Event):
    """Base of all of them, also of those that features bring."""


def room_events() -> tuple[type[RoomEvent], ...]:
    """All events of a room, for the catalogue of sentences and for snapshots."""
    return classes_below(RoomEvent, "bluebear.server")


class RoomMade(RoomEvent):
    """The room exists."""

    name: Public[str]
    game: Public[str]


class Forked(RoomEvent):
    """The room goes on from a finished game, after a move; who sat there, by seat."""

    id: Public[str]
    move: Public[int]
    names: Public[tuple[str, ...]]


class LessonStep(RoomEvent):
    """A step of a lesson, from 0, is what the learner sees next."""

    lesson: Public[str]
    step: Public[int]


class Said(RoomEvent):
    """Talk. `apart`: only those without a seat hear it."""

    name: Public[str]
    text: Public[str]
    apart: Public[bool]


class Joined(RoomEvent):
    """Somebody took a seat."""

    seat: Public[Seat]
    name: Public[str]


class Left(RoomEvent):
    """A seat became free before the game."""

    name: Public[str]


class Vacated(RoomEvent):
    """A seat was given up in a running game; a house bot plays it on."""

    seat: Public[Seat]
    name: Public[str]
    bot: Public[str]


class StoodIn(RoomEvent):
    """A house bot stands in for the owner of a seat."""

    seat: Public[Seat]
    name: Public[str]


class CameBack(RoomEvent):
    """The owner has the seat back."""

    seat: Public[Seat]
    name: Public[str]


class TookOver(RoomEvent):
    """Who got a seat in a running game: its `number`, and the name that it had `before`."""

    seat: Public[Seat]
    name: Public[str]
    number: Public[int]
    before: Public[str]


class OptionSet(RoomEvent):
    """An option has a new value."""

    option: Public[str]
    value: Public[str]


class Proposed(RoomEvent):
    """The game advises an option; `line` is what to type."""

    line: Public[str]
    phrase: Public[str]


class SeedGiven(RoomEvent):
    """A seat has given its own part of the seed."""

    seat: Public[Seat]
    name: Public[str]


class Ready(RoomEvent):
    """A seat has pressed start where all must."""

    seat: Public[Seat]
    name: Public[str]


class AllReady(RoomEvent):
    """Every player is ready, and `name`, the host, begins the game."""

    name: Public[str]


class Started(RoomEvent):
    """The game began; seats in their final order."""

    names: Public[tuple[str, ...]]
    game_id: Public[str]


class RatedStart(RoomEvent):
    """The game that begins is rated."""


class UnratedStart(RoomEvent):
    """It would be, were it not for somebody who has no account, or is a program."""

    name: Public[str]


class RatingsChanged(RoomEvent):
    """What a rated game has made of the points of those who played it, each as one text."""

    changes: Public[tuple[str, ...]]


class Undone(RoomEvent):
    """The newest `count` moves were taken back, for a seat that asked."""

    seat: Public[Seat]
    name: Public[str]
    count: Public[int]


class VoteOpened(RoomEvent):
    """A vote is open; `kind` says about what."""

    number: Public[int]
    kind: Public[str]
    name: Public[str]
    about: Public[str]
    seconds: Public[int]


class AskedIfThere(RoomEvent):
    """Somebody who is connected is asked whether he still plays, before a house bot does."""

    seat: Public[Seat]
    name: Public[str]
    seconds: Public[int]


class UndoReach(RoomEvent):
    """How far back the vote on an undo would lead: to before a seat's move (its line as everybody
    may see it), over so many moves, each by the seat in `movers`.
    """

    seat: Public[Seat]
    line: Public[str]
    count: Public[int]
    movers: Public[tuple[int, ...]]


class Balloted(RoomEvent):
    """A seat has voted."""

    seat: Public[Seat]
    name: Public[str]
    ballot: Public[str]


class VoteEnded(RoomEvent):
    """A vote is over; `outcome` is passed, failed, dropped or withdrawn."""

    number: Public[int]
    kind: Public[str]
    outcome: Public[str]


class TimedOut(RoomEvent):
    """A seat's clock ran out, or its house bot was silent; the fallback was played."""

    seat: Public[Seat]


class OnVacation(RoomEvent):
    """Somebody is on vacation until the end of a day (UTC): no clock of his runs."""

    seat: Public[Seat]
    name: Public[str]
    day: Public[str]


class BackFromVacation(RoomEvent):
    """Somebody's vacation is over before its time."""

    seat: Public[Seat]
    name: Public[str]


class PeekAllowed(RoomEvent):
    """A player lets a spectator look into his hand, for so many minutes."""

    seat: Public[Seat]
    name: Public[str]
    guest: Public[str]
    minutes: Public[int]


class PeekEnded(RoomEvent):
    """Nobody looks into a player's hand any more."""

    seat: Public[Seat]
    name: Public[str]
    guest: Public[str]


class HintAsked(RoomEvent):
    """A player asked what a program would play."""

    seat: Public[Seat]
    name: Public[str]


class Resigned(RoomEvent):
    """A seat gave the game up."""

    seat: Public[Seat]
    name: Public[str]


class GameEnded(RoomEvent):
    """The game is over, by score or by resignation; winners by name."""

    how: Public[str]
    names: Public[tuple[str, ...]]


class Ranked(RoomEvent):
    """How a seat finished."""

    seat: Public[Seat]
    place: Public[int]
    score: Public[int]


class Aborted(RoomEvent):
    """The game ended void."""


class Cleared(RoomEvent):
    """The board is clear for a new game."""

    game_id: Public[str]


class Paused(RoomEvent):
    """The clocks stand still."""


class Resumed(RoomEvent):
    """The game goes on."""


class HostIs(RoomEvent):
    """Somebody is the host now."""

    name: Public[str]


class Renamed(RoomEvent):
    """Somebody is called otherwise."""

    old: Public[str]
    name: Public[str]


class Admitted(RoomEvent):
    """Somebody came in by an invite."""

    name: Public[str]


class Invited(RoomEvent):
    """Somebody may come in, since the host said so."""

    name: Public[str]


class LinkMade(RoomEvent):
    """The host made an invite link."""


class Uninvited(RoomEvent):
    """Invites were made void."""


class PasswordSet(RoomEvent):
    """The room's password was set or dropped (`locked` says which)."""

    locked: Public[str]


class Kicked(RoomEvent):
    """The host has sent somebody out."""

    name: Public[str]


class Banned(RoomEvent):
    """The host has barred somebody from the room."""

    name: Public[str]


class Unbanned(RoomEvent):
    """Somebody may come in again."""

    name: Public[str]


class FrozeUp(RoomEvent):
    """The game has a bug; the room is frozen and its record kept."""
