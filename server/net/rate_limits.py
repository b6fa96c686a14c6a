"""What strangers may cost in time, each bound with its reason; the table of docs/operations.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Cost(StrEnum):
    """What is bounded by time: things done, bytes said, seconds of the loop, calls to the lobby."""

    CONNECTION = "connection"
    REQUEST = "request"
    NOTICE = "told"
    GUEST = "guest"
    ROOM = "room"
    ACCOUNT = "account"
    LOGIN = "login"
    ENTRY = "entry"
    WRONG = "wrong"
    LINES = "lines"
    BYTES = "bytes"
    LOOP = "loop"
    CALL = "call"
    STEPS = "steps"
    ANALYSIS = "analysis"


@dataclass(frozen=True, slots=True)
class Bound:
    """So much at once, and so much in a second in the long run."""

    burst: float
    per_second: float
    why: str

    def times(self, count: int) -> Bound:
        """The same for so many together."""
        return Bound(self.burst * count, self.per_second * count, self.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """All bounds by time: for an address (of IPv6 a /64), for a person, for the server.

    A neighbourhood, a /48 of IPv6, has so many times what an address has: all its networks may be
    one stranger's, who gets it for nothing.
    """

    address: Mapping[Cost, Bound]
    person: Mapping[Cost, Bound]
    server: Mapping[Cost, Bound]


NEIGHBOURS: Final = 8
"""Households of one /48 that are there at once."""

BOUNDS: Final = Bounds(
    address={
        Cost.CONNECTION: Bound(60, 1, "a family whose router has just come back, all tabs at once"),
        Cost.REQUEST: Bound(400, 20, "a page of many files, opened again by a whole family"),
        Cost.NOTICE: Bound(
            20, 1 / 5, "repeated connections over the limit are closed without a reply"
        ),
        Cost.GUEST: Bound(20, 1 / 30, "a school class in one evening; names are not harvested"),
        Cost.ROOM: Bound(30, 1 / 60, "a club evening of ten tables, opened again and again"),
        Cost.ACCOUNT: Bound(
            10, 1 / 60, "a family that registers; each one is a hash and a permanent name"
        ),
        Cost.WRONG: Bound(40, 1 / 15, "mistyped numbers, links and passwords of a family"),
        Cost.ENTRY: Bound(10, 1 / 60, "a family that mistypes the server's password"),
        Cost.LINES: Bound(
            600, 100, "a table full of bots that play fast, and a family beside them"
        ),
        Cost.BYTES: Bound(512 * 1024, 4 * 1024, "a club that chats; chat is stored permanently"),
        Cost.LOOP: Bound(2.0, 0.1, "a tenth of the server, for all people behind one address"),
        Cost.CALL: Bound(20, 1 / 2, "a family that chats in the lobby"),
        Cost.STEPS: Bound(40_000, 200, "a club that looks at its games of the evening"),
        Cost.ANALYSIS: Bound(10, 1 / 120, "a club's games of the evening; a minute each"),
    },
    person={
        Cost.LOGIN: Bound(20, 1 / 30, "tries for one name, however many addresses guess at it"),
        Cost.BYTES: Bound(64 * 1024, 512, "two hundred long lines at once, then a page a minute"),
        Cost.LOOP: Bound(0.5, 0.05, "what the slowest lines that a person can mean add up to"),
        Cost.CALL: Bound(5, 1 / 4, "a sentence or two; all people in the lobby read them"),
        Cost.STEPS: Bound(15_000, 100, "the longest game from end to end, and two usual ones"),
        Cost.ANALYSIS: Bound(3, 1 / 300, "the games of an evening, one after the other"),
    },
    server={
        Cost.CONNECTION: Bound(2_000, 200, "all clients reconnect after a restart"),
        Cost.GUEST: Bound(200, 5, "a link on a popular page; each one is a row for a month"),
        Cost.ROOM: Bound(200, 5, "each one is a row, and a line in the list"),
        Cost.ENTRY: Bound(
            100, 1, "a club that joins at the same time, and guesses from everywhere"
        ),
        Cost.CALL: Bound(40, 4, "more cannot be read in the lobby"),
        Cost.STEPS: Bound(100_000, 600, "a sixteenth of the loop in the long run, in slices"),
        Cost.ANALYSIS: Bound(20, 1 / 60, "what house bots have time for beside their games"),
    },
)
"""The default; measurements lift them."""

YELLS: Final = {Cost.CALL: Bound(1, 1 / 60, "once for each room and minute")}
"""For a room, of sentences about it to the whole lobby."""

NUDGES: Final = {Cost.CALL: Bound(1, 1 / 30, "a player who thinks is not rung all the time")}
"""For a seat, of rings."""

REQUESTS: Final = {
    Cost.CALL: Bound(1, 1 / 60, "a player who has not replied is not asked all the time")
}
"""For a seat, of requests to look into its hand."""

NO_BOUNDS: Final = Bounds(address={}, person={}, server={})
"""For measuring."""
