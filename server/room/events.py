"""What can happen in a room beside the game itself: events, worded by `server/phrases.toml`.

What a person does is announced with the name of that moment: the seat may be another's soon.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat, classes_below


class RoomEvent(Event):
    """Base of all of them, also of those that features bring."""


def room_events() -> tuple[type[RoomEvent], ...]:
    """All events of a room, for the catalogue of sentences and for snapshots."""
    kinds = classes_below(RoomEvent, "bluebear.server")
    return tuple(kind for kind in kinds if kind not in (PersonEvent, PlayerEvent))


class PersonEvent(RoomEvent):
    """Base of what a person does, or what is done to them."""

    name: Public[str]


class PlayerEvent(RoomEvent):
    """Base of what the player of a seat does, or what is done to them."""

    seat: Public[Seat]
    name: Public[str]


class RoomMade(PersonEvent):
    """The room exists."""

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


class Said(PersonEvent):
    """A chat message. `apart`: it is sent to spectators only."""

    text: Public[str]
    apart: Public[bool]


class Joined(PlayerEvent):
    """A person took a seat."""


class Left(PersonEvent):
    """A seat became free before the game."""


class Vacated(PlayerEvent):
    """A player gave up a seat in a running game; a house bot plays it on."""

    bot: Public[str]


class StoodIn(PlayerEvent):
    """A house bot stands in for the owner of a seat."""


class CameBack(PlayerEvent):
    """The owner has the seat back."""


class TookOver(PlayerEvent):
    """A person got a seat in a running game: its `number`, and its name `before`."""

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


class SeedGiven(PlayerEvent):
    """A player has contributed to the seed."""


class Ready(PlayerEvent):
    """A player is ready, where all players must confirm the start."""


class AllReady(PersonEvent):
    """All players are ready; `name`, the host, may start the game."""


class Started(RoomEvent):
    """The game started; names in the final order of seats."""

    names: Public[tuple[str, ...]]
    game_id: Public[str]


class RatedStart(RoomEvent):
    """The game that starts is rated."""


class UnratedStart(PersonEvent):
    """The game that starts is unrated only because the player `name` is a guest or a bot."""


class RatingsChanged(RoomEvent):
    """The new ratings after a rated game: a text for each player, as "Ann 1510 (+10)"."""

    changes: Public[tuple[str, ...]]


class RatingsUnchanged(RoomEvent):
    """A rated game ended void, or a player had left it: it changes no points."""


class Undone(PlayerEvent):
    """The newest `count` moves were undone, at the request of a seat."""

    count: Public[int]


class VoteOpened(RoomEvent):
    """A vote was opened by `name`, about the player `about`; it ends after `seconds`."""

    number: Public[int]
    kind: Public[str]
    name: Public[str]
    about: Public[str]
    seconds: Public[int]


class AskedIfThere(PlayerEvent):
    """A connected player has `seconds` to show that they still play, else a house bot does."""

    seconds: Public[int]


class UndoReach(RoomEvent):
    """How far a vote on an undo leads back: to before the move `line` of a seat (its public form),
    over `count` moves by the seats `movers`.
    """

    seat: Public[Seat]
    line: Public[str]
    count: Public[int]
    movers: Public[tuple[int, ...]]


class Balloted(PlayerEvent):
    """A seat has voted."""

    ballot: Public[str]


class VoteEnded(RoomEvent):
    """A vote is over; `outcome` is passed, failed, dropped or withdrawn."""

    number: Public[int]
    kind: Public[str]
    outcome: Public[str]


class TimedOut(RoomEvent):
    """A seat's clock ran out, or its house bot did not move; the fallback was played."""

    seat: Public[Seat]


class OnVacation(PlayerEvent):
    """A player is on vacation until the end of a day (UTC), and the player's clock stands still."""

    day: Public[str]


class BackFromVacation(PlayerEvent):
    """A player ended a vacation early."""


class PeekAllowed(PlayerEvent):
    """A player lets the spectator `guest` see their hand for some minutes."""

    guest: Public[str]
    minutes: Public[int]


class PeekEnded(PlayerEvent):
    """The spectator `guest` no longer sees a player's hand."""

    guest: Public[str]


class HintAsked(PlayerEvent):
    """A player requested a hint."""


class Resigned(PlayerEvent):
    """A player resigned."""


class GameEnded(RoomEvent):
    """The game is over, by score or by resignation; winners by name. The ranks follow: no sentence
    names the winner twice.
    """

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


class HostIs(PersonEvent):
    """The person `name` is the host now."""


class Renamed(RoomEvent):
    """A person has a new name."""

    old: Public[str]
    name: Public[str]


class Admitted(PersonEvent):
    """A person entered by an invite or the password."""


class Invited(PersonEvent):
    """The host admitted a person by name."""


class LinkMade(RoomEvent):
    """The host created an invite link."""


class Uninvited(RoomEvent):
    """The host revoked invites."""


class PasswordSet(RoomEvent):
    """The room's password was set (`locked` is "on") or removed ("off")."""

    locked: Public[str]


class Kicked(PersonEvent):
    """A person was removed from the room."""


class Banned(PersonEvent):
    """The host barred a person from the room."""


class Unbanned(PersonEvent):
    """A barred person may enter again."""


class FrozeUp(RoomEvent):
    """The game has a bug: the room is frozen; its record stays."""
