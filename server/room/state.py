"""What a room is: one frozen value, folded from its entries.

`Table` is the part that members see, a tree with visibility markers like a game's state, so views
and patches come from the same code. `Room` holds the table, the game's state and what is never
shown: the chance counter, the positions that undo can go back to, the log's tail.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import HOUSE_BOT_PREFIX, Head, Record
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Event, Eyes, Hidden, Node, Public, Seat


class Phase(StrEnum):
    """Where a room stands."""

    OPEN = "open"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    FROZEN = "frozen"


class Privacy(StrEnum):
    """Who finds a room: everybody in the list, whoever has its number, or only the invited."""

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
    """A person who may look into a hand, and until when (ms)."""

    name: Public[str]
    until: Public[int]
    person: Hidden[str]


class Chair(Node):
    """One seat and who has it.

    `person` owns it; `bot` plays it. Both: a bot stands in for the owner. Only `bot`: a house bot's
    seat, which others may ask for. `bank` is what the clock has left in ms, `deadline` when it runs
    out while the seat is to move. `away_until` ends a vacation, in which no clock by days runs.
    `hints` counts those that it had in this game, the newest at `hinted_at` (ms).
    `account`: its owner has one, so a game with him can be rated.
    """

    name: Public[str]
    human: Public[bool]
    bot: Public[str | None]
    seed: Public[str | None]
    resigned: Public[int | None]
    bank: Public[int | None]
    deadline: Public[int | None]
    person: Hidden[str | None]
    timeouts: Hidden[int]
    away_until: Public[int | None] = None
    account: Hidden[bool] = False
    peek: Public[Peek | None] = None
    hints: Public[int | None] = None
    hinted_at: Hidden[int | None] = None


class Vote(Node):
    """An open question. `seat` is whom it is about, `target` the version to undo to.

    `spared`: whoever it is about ends it by any line, since he is there after all. `patient`: he is
    connected and is asked himself, so it passes only when its time is over.
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

    def is_asked_by(self, person: str) -> bool:
        """Whether a person has opened it; the server and the house have no name."""
        return bool(person) and self.asker == person


class Place(Node):
    """How one seat finished."""

    place: Public[int]
    score: Public[int]


class Line(Node):
    """One line of the breakdown of the scores."""

    seat: Public[Seat]
    key: Public[str]
    points: Public[int]
    rule: Public[str]


class RatingChange(Node):
    """The points that somebody has after a rated game, and by how many they changed."""

    points: Public[int]
    change: Public[int]


class Ending(Node):
    """How a game ended: by score, by resignation, or void. `seed` proves its draws.

    Of a rated game: `given_up` are the seats that were not played to its end by those who began it,
    `ratings` what became of them, once they are known.
    """

    how: Public[str]
    seed: Public[str]
    places: Public[Keyed[Seat, Place]]
    breakdown: Public[tuple[Line, ...]]
    ratings: Public[Keyed[Seat, RatingChange] | None] = None
    given_up: Hidden[tuple[int, ...] | None] = None


class Invite(Node):
    """A live invite: how often it still admits (0: without limit), and until when (ms).

    The whole of it lies in what is hidden.
    """

    uses: Public[int]
    expires: Public[int]


class ForkOf(Node):
    """The finished game from which a room goes on, after which move, and who sat there."""

    id: Public[str]
    move: Public[int]
    names: Public[tuple[str, ...]]


class LessonState(Node):
    """The lesson of a room: its name, the step from 0, how many there are, what was typed so far.

    `typed` has a line for each step that is done, "" where it was only read.
    """

    name: Public[str]
    step: Public[int]
    steps: Public[int]
    typed: Hidden[tuple[str, ...]]


class Table(Node):
    """What the members of a room see beside the game, and who may come in.

    `owner` is whose role the host has for as long as he is gone; None: the host's own. `peeked` are
    those who were let look into a hand of this game, by id with their names. `rated` says whether
    the game counts for ratings, before it whether it may; `players` who began a rated one.
    """

    id: Public[str]
    game: Public[str]
    privacy: Public[Privacy]
    phase: Public[Phase]
    host: Public[str]
    options: Public[Keyed[str, str]]
    seats: Public[Keyed[Seat, Chair]]
    turn: Public[tuple[int, ...]]
    ready: Public[tuple[int, ...]]
    votes: Public[Keyed[int, Vote]]
    game_id: Public[str]
    commit: Public[str]
    locked: Public[bool]
    rated: Public[bool]
    paused_at: Public[int | None]
    ending: Public[Ending | None]
    host_person: Hidden[str]
    secret: Hidden[str]
    password: Hidden[str | None]
    invites: Hidden[Keyed[str, Invite]]
    admitted: Hidden[Keyed[str, str]]
    banned: Hidden[Keyed[str, str]]
    votes_made: Hidden[int]
    owner: Hidden[str | None] = None
    players: Hidden[Keyed[Seat, str] | None] = None
    fork: Public[ForkOf | None] = None
    peeked: Hidden[Keyed[str, str] | None] = None
    lesson: Public[LessonState | None] = None


TABLE: Final = tree_of(Table)


CLOCK: Final = "clock"
SERVER: Final = "server"
HOUSE: Final = "h:"
"""How the texts of house bots begin."""


class Actor(Struct, frozen=True):
    """The text form is what the journal stores: "p:ID", "h:SEAT", "clock" or "server"."""

    text: str

    @classmethod
    def of_person(cls, person: str) -> Actor:
        """A human, or the bot of another person."""
        return cls(f"p:{person}")

    @classmethod
    def of_house(cls, seat: Seat) -> Actor:
        """A house bot at its seat."""
        return cls(f"{HOUSE}{seat}")

    @property
    def person(self) -> str:
        """The person's id; empty for the others."""
        return self.text[2:] if self.text.startswith("p:") else ""

    @property
    def house_seat(self) -> Seat | None:
        """The seat that a house bot plays."""
        return Seat(int(self.text[2:])) if self.text.startswith(HOUSE) else None


CLOCK_ACTOR: Final = Actor(CLOCK)
SERVER_ACTOR: Final = Actor(SERVER)


Quiet = tuple[int, ...]
"""By seat, how many entries of a game were quiet: known to that seat alone."""


class Recorded(Struct, frozen=True, eq=False):
    """The lines of a game's record as a chain, so that adding one copies nothing.

    A game of thousands of moves makes a long chain: nothing here calls itself along it. `version`
    and `at` say which entry left the line, and when; `at` is 0 in a fork's lines of the other game.
    `quiet` counts for each seat the entries so far of which nobody else has learned anything; () is
    none at all.
    """

    before: Recorded | None
    line: str
    version: int = 0
    at: int = 0
    quiet: Quiet = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recorded):
            return NotImplemented
        mine: Recorded | None = self
        theirs: Recorded | None = other
        while mine is not None and theirs is not None and mine is not theirs:
            if (mine.line, mine.version, mine.at) != (theirs.line, theirs.version, theirs.at):
                return False
            if mine.quiet != theirs.quiet:
                return False
            mine, theirs = mine.before, theirs.before
        return mine is theirs

    def __hash__(self) -> int:
        return hash(self.line)

    def __repr__(self) -> str:
        return f"<record up to {self.line!r}>"


def unknown_to(eyes: Eyes, quiet: Quiet) -> int:
    """How many quiet entries were made by other seats than these."""
    return sum(count for seat, count in enumerate(quiet, 1) if seat not in eyes)


def versions_for(room: Room, eyes: Eyes) -> Callable[[int], int]:
    """What these eyes count versions of a room's present game as."""
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
    made = []
    while recorded is not None:
        made.append(recorded)
        recorded = recorded.before
    made.reverse()
    return made


def lines_of(recorded: Recorded | None) -> list[str]:
    """The lines of a chain, oldest first."""
    return [link.line for link in links_of(recorded)]


class Past(Struct, frozen=True):
    """A position before a game entry, which undo can go back to.

    `seat` moved in entry `version`. `drew`: chance was used. `steps`: the move and clock lines that
    stood in the record before it.
    """

    version: int
    seat: Seat
    game: Any  # Any: the state of whatever game is played
    drew: bool
    steps: int


class Logged(Struct, frozen=True):
    """What one entry told: its events, rendered for each viewer when they are asked for."""

    version: int
    at: int
    events: tuple[Event, ...]


class Older(Struct, frozen=True):
    """What the log would still have if nothing in it had been told to one seat alone.

    `private` counts such entries of the log. So how many there were cannot be seen by how much
    others are shown.
    """

    logged: tuple[Logged, ...] = ()
    private: int = 0


NONE_OLDER: Final = Older()


class Origin(Struct, frozen=True):
    """Where the games of a fork begin: the beginning of another game, and what it leads to.

    `state` is missing where the server does not have its rules. `counter` is the number of the last
    draw, `steps` counts the moves that stand.
    """

    record: Record
    state: Any  # Any: the state of whatever game is played
    counter: int
    steps: int


class Room(Struct, frozen=True):
    """A room as of entry `version`. Nothing here is sent: members see `table` and `game`.

    `since` has for each seat the version in which it last moved, was undone or began to be to
    move. `steps` counts the move and clock lines that stand in the record. `made` is when the room
    was made, in ms.
    """

    table: Table
    game: Any  # Any: the state of whatever game is played; None before the start
    version: int
    at: int
    counter: int
    key: bytes
    since: tuple[int, ...]
    past: tuple[Past, ...]
    head: Head | None
    recorded: Recorded | None
    steps: int
    log: tuple[Logged, ...]
    older: Older = NONE_OLDER
    made: int = 0
    origin: Origin | None = None

    @property
    def quiet(self) -> Quiet:
        """How many entries of this game each seat has made that nobody else knows of."""
        return () if self.recorded is None else self.recorded.quiet

    def version_for(self, eyes: Eyes) -> int:
        """The version as these eyes count: what nobody but another seat knows is none for them."""
        recorded = self.recorded
        if recorded is None or not recorded.quiet:
            return self.version
        return self.version - unknown_to(eyes, recorded.quiet)

    @property
    def seats(self) -> Keyed[Seat, Chair]:
        """The seats that are taken, in order."""
        return self.table.seats

    def seat_of(self, person: str) -> Seat | None:
        """The seat that a person owns."""
        for seat, chair in self.table.seats.items():
            if chair.person == person:
                return seat
        return None

    def name_of(self, seat: int) -> str:
        """What a seat is called."""
        chair = self.table.seats.get(Seat(seat))
        return f"{HOUSE_BOT_PREFIX}{seat}" if chair is None else chair.name


def new_chair(
    name: str,
    person: str | None,
    *,
    human: bool,
    bot: str | None = None,
    account: bool = False,
) -> Chair:
    """A chair as somebody sits down on it."""
    return Chair(
        name=name,
        human=human,
        bot=bot,
        seed=None,
        resigned=None,
        bank=None,
        deadline=None,
        person=person,
        timeouts=0,
        account=account,
    )
