"""What a room is: one frozen value, folded from its entries.

Members see `Table`, a tree with visibility markers like a game's state, so views and patches come
from the same code. `Room` contains the table, the game's state and what is never sent: the chance
counter, the undo positions and the end of the log.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import HOUSE_BOT_PREFIX, Head, Record
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Event, Eyes, Hidden, Node, Public, Seat


class Phase(StrEnum):
    """The phase of a room's game."""

    OPEN = "open"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    FROZEN = "frozen"


class Privacy(StrEnum):
    """Who may find a room: all people (listed), people with its number, or invited people only."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class VoteKind(StrEnum):
    """What can be voted on."""

    UNDO = "undo"
    REMOVE = "remove"
    SEAT = "seat"
    PAUSE = "pause"
    MASTERRESET = "masterreset"
    KICK = "kick"


class Peek(Node):
    """A spectator who may see a player's hand until a time (ms)."""

    name: Public[str]
    until: Public[int]
    person: Hidden[str]


class Chair(Node):
    """A taken seat.

    `person` is its owner, `bot` the strategy of the house bot that plays it. Both: the bot stands
    in for the owner. Only `bot`: the seat of a house bot; people may request it by a vote. `bank`
    is the clock's remaining ms, `deadline` when it runs out (ms) while the seat is to move.
    `away_until` (ms) ends the owner's vacation. `hints` counts the hints of this game, the newest
    at `hinted_at` (ms). `account`: the owner is registered.
    """

    name: Public[str]
    human: Public[bool]
    bot: Public[str | None] = None
    seed: Public[str | None] = None
    resigned: Public[int | None] = None
    bank: Public[int | None] = None
    deadline: Public[int | None] = None
    person: Hidden[str | None] = None
    timeouts: Hidden[int] = 0
    away_until: Public[int | None] = None
    account: Hidden[bool] = False
    peek: Public[Peek | None] = None
    hints: Public[int | None] = None
    hinted_at: Hidden[int | None] = None


class Vote(Node):
    """An open vote. `seat` is the seat that it concerns, `target` the version to undo to.

    `spared`: any line of that seat's player ends it, since the player is present. `patient`: the
    player is connected and votes too, so the vote cannot pass before its deadline.
    """

    kind: Public[VoteKind]
    by: Public[str]
    voters: Public[tuple[int, ...]]
    yes: Public[tuple[int, ...]]
    no: Public[tuple[int, ...]]
    deadline: Public[int]
    seat: Public[Seat | None]
    target: Public[int | None]
    asker: Hidden[str | None]
    asker_human: Hidden[bool]
    spared: Hidden[bool | None] = None
    patient: Hidden[bool | None] = None

    def was_opened_by(self, person: str) -> bool:
        """Whether a person has opened the vote; False for "" (the server, house bots)."""
        return bool(person) and self.asker == person


class SeatResult(Node):
    """The rank (`place`, from 1) and score of a seat."""

    place: Public[int]
    score: Public[int]


class Line(Node):
    """One line of the breakdown of the scores."""

    seat: Public[Seat]
    key: Public[str]
    points: Public[int]
    rule: Public[str]


class RatingChange(Node):
    """A player's rating points after a rated game, and their change."""

    points: Public[int]
    change: Public[int]


class Ending(Node):
    """How a game ended: by score, by resignation, or void. `seed` proves its draws.

    Of a rated game: `given_up` are the seats that their first owners abandoned, `ratings` the new
    ratings as soon as they are computed.
    """

    how: Public[str]
    seed: Public[str]
    places: Public[Keyed[Seat, SeatResult]]
    breakdown: Public[tuple[Line, ...]]
    ratings: Public[Keyed[Seat, RatingChange] | None] = None
    given_up: Hidden[tuple[int, ...] | None] = None


class Invite(Node):
    """A valid invite: the remaining `uses` (0: no limit), and when it expires (ms).

    Its fields are public only within `Table.invites`, which is hidden.
    """

    uses: Public[int]
    expires: Public[int]


class ForkOf(Node):
    """The finished game that a fork continues: its id, the last move taken over, the players."""

    id: Public[str]
    move: Public[int]
    names: Public[tuple[str, ...]]


class LessonState(Node):
    """The lesson of a room: its name, the present step (from 0), the number of steps.

    `typed` has the learner's line for each completed step; "" for a step that is only read.
    """

    name: Public[str]
    step: Public[int]
    steps: Public[int]
    typed: Hidden[tuple[str, ...]]


class Table(Node):
    """What the members of a room see besides the game, and who may enter.

    `owner` is the absent person in whose place `host_person` is host; None: the host is not acting.
    `peeked`: names by id of spectators who have seen a hand of this game. `rated`: whether the game
    is rated, before its start whether it may be; `players`: who started a rated game.
    """

    id: Public[str]
    game: Public[str]
    privacy: Public[Privacy]
    phase: Public[Phase]
    host: Public[str]
    options: Public[Keyed[str, str]] = Keyed()
    seats: Public[Keyed[Seat, Chair]] = Keyed()
    turn: Public[tuple[int, ...]] = ()
    ready: Public[tuple[int, ...]] = ()
    votes: Public[Keyed[int, Vote]] = Keyed()
    game_id: Public[str] = ""
    commit: Public[str] = ""
    locked: Public[bool] = False
    rated: Public[bool] = False
    paused_at: Public[int | None] = None
    ending: Public[Ending | None] = None
    host_person: Hidden[str] = ""
    secret: Hidden[str] = ""
    password: Hidden[str | None] = None
    invites: Hidden[Keyed[str, Invite]] = Keyed()
    admitted: Hidden[Keyed[str, str]] = Keyed()
    banned: Hidden[Keyed[str, str]] = Keyed()
    votes_made: Hidden[int] = 0
    owner: Hidden[str | None] = None
    players: Hidden[Keyed[Seat, str] | None] = None
    fork: Public[ForkOf | None] = None
    peeked: Hidden[Keyed[str, str] | None] = None
    lesson: Public[LessonState | None] = None


TABLE: Final = tree_of(Table)


CLOCK: Final = "clock"
SERVER: Final = "server"
HOUSE: Final = "h:"
"""The prefix of an author that is a house bot."""


class Actor(Struct, frozen=True):
    """The author of an entry, stored as "p:ID", "h:SEAT", "clock" or "server"."""

    text: str

    @classmethod
    def of_person(cls, person: str) -> Actor:
        """A human, or a person's bot."""
        return cls(f"p:{person}")

    @classmethod
    def of_house(cls, seat: Seat) -> Actor:
        """A house bot at its seat."""
        return cls(f"{HOUSE}{seat}")

    @property
    def person(self) -> str:
        """The person's id; "" for house bots, the clock and the server."""
        return self.text[2:] if self.text.startswith("p:") else ""

    @property
    def house_seat(self) -> Seat | None:
        """The seat of a house bot; None for other authors."""
        return Seat(int(self.text[2:])) if self.text.startswith(HOUSE) else None


CLOCK_ACTOR: Final = Actor(CLOCK)
SERVER_ACTOR: Final = Actor(SERVER)


Quiet = tuple[int, ...]
"""The number of quiet entries by seat: entries that are visible to that seat alone."""


class Recorded(Struct, frozen=True, eq=False):
    """The lines of a game's record as a linked list, so that appending copies nothing.

    No method recurses, since a game may have thousands of moves. `version` and `at` (ms) are those
    of the line's entry; `at` is 0 in the lines that a fork takes over. `quiet` counts the quiet
    entries so far; () is none.
    """

    before: Recorded | None
    line: str
    version: int = 0
    at: int = 0
    quiet: Quiet = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recorded):
            return NotImplemented
        left: Recorded | None = self
        right: Recorded | None = other
        while left is not None and right is not None and left is not right:
            if (left.line, left.version, left.at) != (right.line, right.version, right.at):
                return False
            if left.quiet != right.quiet:
                return False
            left, right = left.before, right.before
        return left is right

    def __hash__(self) -> int:
        return hash(self.line)

    def __repr__(self) -> str:
        return f"<record up to {self.line!r}>"


def unknown_to(eyes: Eyes, quiet: Quiet) -> int:
    """The number of quiet entries that `eyes` do not see."""
    return sum(count for seat, count in enumerate(quiet, 1) if seat not in eyes)


def versions_for(room: Room, eyes: Eyes) -> Callable[[int], int]:
    """A function from a version of the room's present game to the version as `eyes` count."""
    if not room.quiet:
        return int
    links = links_of(room.recorded)
    begins = [link.version for link in links]

    def seen(version: int) -> int:
        index = bisect_right(begins, version)
        return version - (unknown_to(eyes, links[index - 1].quiet) if index else 0)

    return seen


def links_of(recorded: Recorded | None) -> list[Recorded]:
    """The links of a chain, oldest first."""
    links = []
    while recorded is not None:
        links.append(recorded)
        recorded = recorded.before
    links.reverse()
    return links


def lines_of(recorded: Recorded | None) -> list[str]:
    """The lines of a chain, oldest first."""
    return [link.line for link in links_of(recorded)]


class Past(Struct, frozen=True, gc=False):
    """A position before a game entry, to which undo can go back.

    `seat` moved in entry `version`. `drew`: the entry used chance. `steps`: the number of move and
    clock lines in the record before it.
    """

    version: int
    seat: Seat
    game: Any  # Any: the state of whatever game is played
    drew: bool
    steps: int


class Logged(Struct, frozen=True, gc=False):
    """The events of one entry, which are rendered for each viewer on request."""

    version: int
    at: int
    events: tuple[Event, ...]
    names: tuple[tuple[Seat, str], ...]
    """The seats and their names after it: later others may have them."""

    def name_of(self, seat: int) -> str:
        """The name that a seat had."""
        return dict(self.names).get(Seat(seat), f"{HOUSE_BOT_PREFIX}{seat}")


class Older(Struct, frozen=True):
    """Public entries older than the log, one for each of the `private` entries of the log.

    With them each viewer sees the same number of public entries, which reveals no private ones.
    """

    logged: tuple[Logged, ...] = ()
    private: int = 0


NONE_OLDER: Final = Older()


class Origin(Struct, frozen=True):
    """The start of a fork: the beginning of the finished game and its position.

    `state` is None if the server does not have its rules. `counter` is the number of the last draw,
    `steps` the number of moves that were not undone.
    """

    record: Record
    state: Any  # Any: the state of whatever game is played
    counter: int
    steps: int


class Room(Struct, frozen=True):
    """A room as of entry `version`. Members get views of `table` and `game` only.

    `since`: for each seat the version in which it last moved, was undone or came to be to move;
    lines for older versions are stale. `steps`: the number of move and clock lines in the record.
    `at`, `made`: the times (ms) of the newest and the first entry.
    """

    table: Table
    game: Any = None  # Any: the state of whatever game is played; None before the start
    version: int = 0
    at: int = 0
    counter: int = 0
    key: bytes = b""
    since: tuple[int, ...] = ()
    past: tuple[Past, ...] = ()
    head: Head | None = None
    recorded: Recorded | None = None
    steps: int = 0
    log: tuple[Logged, ...] = ()
    older: Older = NONE_OLDER
    made: int = 0
    origin: Origin | None = None

    @property
    def quiet(self) -> Quiet:
        """The number of quiet entries of this game by seat."""
        return () if self.recorded is None else self.recorded.quiet

    def version_for(self, eyes: Eyes) -> int:
        """The version as `eyes` count: quiet entries of other seats do not count."""
        recorded = self.recorded
        if recorded is None or not recorded.quiet:
            return self.version
        return self.version - unknown_to(eyes, recorded.quiet)

    @property
    def seats(self) -> Keyed[Seat, Chair]:
        """The taken seats, in order."""
        return self.table.seats

    def seat_of(self, person: str) -> Seat | None:
        """The seat that a person owns; None if they have none."""
        for seat, chair in self.table.seats.items():
            if chair.person == person:
                return seat
        return None

    def name_of(self, seat: int) -> str:
        """The name of a seat."""
        chair = self.table.seats.get(Seat(seat))
        return f"{HOUSE_BOT_PREFIX}{seat}" if chair is None else chair.name


def by_days(table: Table) -> bool:
    """Whether a room plays a correspondence game: its clock counts days for each turn."""
    return table.options.get("clock", "").endswith("d")


def waking_deadline(room: Room) -> int | None:
    """When a sleeping room has to be woken (ms); None unless it plays a correspondence game."""
    table = room.table
    if not by_days(table):
        return None
    if table.phase is Phase.PLAYING and any(
        table.seats[Seat(seat)].bot is not None for seat in table.turn
    ):
        return room.at
    return next_deadline(room)


def next_deadline(room: Room) -> int | None:
    """The earliest deadline of the room's clocks and votes (ms); None if there is none."""
    table = room.table
    times = [vote.deadline for vote in table.votes.values()]
    if table.phase is Phase.PLAYING:
        times += [c.deadline for c in table.seats.values() if c.deadline is not None]
    return min(times, default=None)


def voting_seats(room: Room, here: Mapping[str, str], *, all_of_them: bool = False) -> list[int]:
    """The seats of the humans who vote: those in `here` (by id); in correspondence games all."""
    with_absent = all_of_them or by_days(room.table)
    return [
        int(seat)
        for seat, chair in room.seats.items()
        if chair.human and chair.bot is None and (with_absent or chair.person in here)
    ]
