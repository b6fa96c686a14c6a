"""What the edges of one server say to each other: of people who are connected at several of them.

Each word is told to an edge and done there to its own connections. Some have an answer.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from bluebear.server.commands.needs import Companion
from bluebear.server.rooms.access import NodeStats


class Word(Struct, array_like=True, frozen=True, tag=True):
    """Base of all words; `answer` is what it is answered with."""

    answer: ClassVar[object] = None


class Reached(Struct, array_like=True, frozen=True):
    """What a message to a person led to at an edge.

    `there`: the person is connected there; `blocked`: they keep the sender off; `away`: their words
    if they are away. `wait` are the seconds until they may be asked or rung for again.
    """

    there: bool = False
    blocked: bool = False
    away: str | None = None
    wait: float = 0.0


class Known(Struct, array_like=True, frozen=True):
    """When the connections that somebody has at an edge have come (ms), and whether he is away."""

    came: list[int]
    away: str | None


class PersonMessage(Word, frozen=True):
    """From the person `by`, with this name, to another one."""

    by: str
    name: str
    person: str
    answer: ClassVar[object] = Reached


class Spent(Word, frozen=True):
    """What wrong tries have cost lately: which bound, the network, the person, how much."""

    spent: list[tuple[str, str, str, float]]


class RoomsChanged(Word, frozen=True):
    """Rows of rooms have changed, or the people in them."""


class Invited(Word, frozen=True):
    """A person (by id) is invited by another one (by name) into a room."""

    guest: str
    host: str
    room: str


class VacationChanged(Word, frozen=True):
    """A person is on vacation until then (ms), or back (0)."""

    person: str
    until: int


class SaveAll(Word, frozen=True):
    """Store a snapshot of every room in memory; how many there are."""

    answer: ClassVar[object] = int


# Who is there.


class Company(Word, frozen=True):
    """Which of these people are connected, and the ids of the rooms that they are in."""

    people: list[str]
    answer: ClassVar[object] = list[tuple[Companion, list[str]]]


class Crowded(Word, frozen=True):
    """Who has come to an edge (ids), and who has gone from there with all his connections."""

    node: str
    come: list[str]
    gone: list[str]


# What one person does, and his connections elsewhere want to know.


class ListsChanged(Word, frozen=True):
    """Somebody has changed the lists that he keeps of others: they are read again."""

    person: str


class ComesToo(Word, frozen=True):
    """A client connects as a person, from a network: the person is told, it may be a thief.

    `code` is "elsewhere", "old_token" where the client was refused, or "" for one that has followed
    a room from another connection of the person: that is not told.
    """

    person: str
    network: str
    code: str
    answer: ClassVar[object] = Known


class Replaced(Word, frozen=True):
    """Somebody has too many connections: so many, his oldest, end."""

    person: str
    count: int


# Operators.


class Decided(Word, frozen=True):
    """An operator has done something: the log says what."""


class ShareAsked(Word, frozen=True):
    """Asks what this node has of the server."""

    answer: ClassVar[object] = NodeStats
