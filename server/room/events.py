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
    """A chat message. `apart`: it is sent to spectators only."""

    name: Public[str]
    text: Public[str]
    apart: Public[bool]


class Joined(RoomEvent):
    """A person took a seat."""

    seat: Public[Seat]
    name: Public[str]


class Left(RoomEvent):
    """A seat became free before the game."""

    name: Public[str]


class Vacated(RoomEvent):
    """A player gave up a seat in a running game; a house bot plays it on."""

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
    """A person got a seat in a running game: its `number`, and its name `before`."""

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
    """A player has contributed to the seed."""

    seat: Public[Seat]
    name: Public[str]


class Ready(RoomEvent):
    """A player is ready, where all players must confirm the start."""

    seat: Public[Seat]
    name: Public[str]


class AllReady(RoomEvent):
    """All players are ready; `name`, the host, may start the game."""

    name: Public[str]


class Started(RoomEvent):
    """The game started; names in the final order of seats."""

    names: Public[tuple[str, ...]]
    game_id: Public[str]


class RatedStart(RoomEvent):
    """The game that starts is rated."""


class UnratedStart(RoomEvent):
    """The game that starts is unrated only because the player `name` is a guest or a bot."""

    name: Public[str]


class RatingsChanged(RoomEvent):
    """The new ratings after a rated game: a text for each player, as "Ann 1510 (+10)"."""

    changes: Public[tuple[str, ...]]


class Undone(RoomEvent):
    """The newest `count` moves were undone, at the request of a seat."""

    seat: Public[Seat]
    name: Public[str]
    count: Public[int]


class VoteOpened(RoomEvent):
    """A vote was opened by `name`, about the player `about`; it ends after `seconds`."""

    number: Public[int]
    kind: Public[str]
    name: Public[str]
    about: Public[str]
    seconds: Public[int]


class AskedIfThere(RoomEvent):
    """A connected player has `seconds` to show that they still play, else a house bot does."""

    seat: Public[Seat]
    name: Public[str]
    seconds: Public[int]


class UndoReach(RoomEvent):
    """How far a vote on an undo leads back: to before the move `line` of a seat (its public form),
    over `count` moves by the seats `movers`.
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
    """A seat's clock ran out, or its house bot did not move; the fallback was played."""

    seat: Public[Seat]


class OnVacation(RoomEvent):
    """A player is on vacation until the end of a day (UTC), and the player's clock stands still."""

    seat: Public[Seat]
    name: Public[str]
    day: Public[str]


class BackFromVacation(RoomEvent):
    """A player ended a vacation early."""

    seat: Public[Seat]
    name: Public[str]


class PeekAllowed(RoomEvent):
    """A player lets the spectator `guest` see their hand for some minutes."""

    seat: Public[Seat]
    name: Public[str]
    guest: Public[str]
    minutes: Public[int]


class PeekEnded(RoomEvent):
    """The spectator `guest` no longer sees a player's hand."""

    seat: Public[Seat]
    name: Public[str]
    guest: Public[str]


class HintAsked(RoomEvent):
    """A player requested a hint."""

    seat: Public[Seat]
    name: Public[str]


class Resigned(RoomEvent):
    """A player resigned."""

    seat: Public[Seat]
    name: Public[str]


class GameEnded(RoomEvent):
    """The game is over, by score or by resignation; winners by name."""

    how: Public[str]
    names: Public[tuple[str, ...]]


class Ranked(RoomEvent):
    """The rank (from 1) and score of a seat."""

    seat: Public[Seat]
    place: Public[int]
    score: Public[int]


class Aborted(RoomEvent):
    """The game ended void."""


class Cleared(RoomEvent):
    """The board is clear for a new game."""

    game_id: Public[str]


class Paused(RoomEvent):
    """The game is paused; no clock runs."""


class Resumed(RoomEvent):
    """The game goes on."""


class HostIs(RoomEvent):
    """The person `name` is the host now."""

    name: Public[str]


class Renamed(RoomEvent):
    """A person has a new name."""

    old: Public[str]
    name: Public[str]


class Admitted(RoomEvent):
    """A person entered by an invite or the password."""

    name: Public[str]


class Invited(RoomEvent):
    """The host admitted a person by name."""

    name: Public[str]


class LinkMade(RoomEvent):
    """The host created an invite link."""


class Uninvited(RoomEvent):
    """The host revoked invites."""


class PasswordSet(RoomEvent):
    """The room's password was set (`locked` is "on") or removed ("off")."""

    locked: Public[str]


class Kicked(RoomEvent):
    """A person was removed from the room."""

    name: Public[str]


class Banned(RoomEvent):
    """The host barred a person from the room."""

    name: Public[str]


class Unbanned(RoomEvent):
    """A barred person may enter again."""

    name: Public[str]


class FrozeUp(RoomEvent):
    """The game has a bug: the room is frozen; its record stays."""
