"""The rows of wishes: requests that wait, groups that fit, fifteen seconds to accept an offer.

A wish is a row of the store, so no node's end loses one. Each change is made in a transaction over
all of them: `MatchRequests` is pure, `change` stores what it has done. A wish waits for a person
without a connection for a while; none is lost because another person did not accept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import Connection, bindparam, delete, select

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server import limits
from bluebear.server.store.schema import ALONE, MATCH_REQUEST, NODE, PERSON, columns, upsert

ARRIVAL_SECONDS: Final = 10.0
"""Within this time the people of a match come into its room, or get no seat."""

RequestKey: TypeAlias = tuple[str, str]
"""A person and a game."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A person wants to play a game with `least` to `most` people; the columns of its row.

    `human` is false for programs; `bots`: they play with programs. `since` orders the wishes.
    `node` is where the person is; None: at none since `disconnected` (ms). Those with the same
    `offer` are a group that fits, until `until` (ms); `accepted` counts from 1 in the order of the
    replies. With a `room` they play.
    """

    person: str
    game: str
    least: int
    most: int
    human: bool = True
    bots: bool = True
    since: int = 0
    node: str | None = None
    disconnected: int | None = None
    offer: str | None = None
    until: int | None = None
    accepted: int | None = None
    room: str | None = None

    @property
    def key(self) -> RequestKey:
        """What it is stored by."""
        return self.person, self.game

    @property
    def is_open(self) -> bool:
        """Whether its person has a reply to give."""
        return self.offer is not None and self.accepted is None and self.room is None

    @property
    def ends(self) -> int | None:
        """When something is to be done about it (ms)."""
        if self.until is not None or self.disconnected is None:
            return self.until
        return self.disconnected + int(limits.MATCH_REQUEST_SECONDS * 1000)


def group_with(request: MatchRequest, waiting: Sequence[MatchRequest]) -> tuple[MatchRequest, ...]:
    """The largest group that fits with a wish in it, of those that have waited longest. Pure.

    `waiting` has the wishes for the same game, the oldest first, this one among them.
    """
    people_only = [each for each in waiting if each.human]
    # With all who play with programs, or with people alone.
    pools = [[each for each in waiting if each.bots]] if request.bots else []
    pools += [people_only] if request.human else []
    for size in range(request.most, request.least - 1, -1):
        for pool in pools:
            fitting = [each for each in pool if each.least <= size <= each.most]
            rest = [each for each in fitting if each is not request][: size - 1]
            if len(rest) == size - 1:
                chosen = {each.person for each in (*rest, request)}
                return tuple(each for each in fitting if each.person in chosen)
    return ()


class MatchRequests:
    """All wishes at one moment (`now`, ms), and what may become of them; owned by one change.

    What time has done to them is done first. The people of nodes that are not `living` are at none.
    """

    def __init__(self, rows: Iterable[MatchRequest], now: int, living: Collection[str]) -> None:
        self.rows = {row.key: row for row in rows}
        self._now = now
        for row in list(self.rows.values()):
            if row.node is not None and row.node not in living:
                self._put(row, node=None, disconnected=now)
        for key in list(self.rows):
            request = self.rows.get(key)
            if request is None or request.ends is None or request.ends > now:
                continue
            if request.room is not None or request.offer is None:
                del self.rows[key]
            else:
                group = self._group(request.offer)
                self.end(request.offer, {each.person for each in group if each.accepted is None})

    def add(self, request: MatchRequest) -> None:
        """Add a wish, or change its terms. Raises NotAllowed: busy, too_many_wishes."""
        waiting = [each for each in self.rows.values() if each.room is None]
        rest = [
            each for each in waiting if each.person == request.person and each.key != request.key
        ]
        people = {each.person for each in waiting}
        if request.person not in people and len(people) >= limits.WISHING_MOST:
            raise NotAllowed("busy")
        if len(rest) >= limits.MATCH_REQUESTS_MAX:
            raise NotAllowed("too_many_wishes", most=limits.MATCH_REQUESTS_MAX)
        since = max((self._now, *(each.since + 1 for each in self.rows.values())))
        request, before = replace(request, since=since), self.rows.get(request.key)
        if before is not None and before.room is None:
            offer, until, accepted = before.offer, before.until, before.accepted
            request = replace(request, offer=offer, until=until, accepted=accepted)
        self.rows[request.key] = request
        self._match(request)

    def cancel(self, person: str, game: str) -> None:
        """Remove a wish of a person, or all (""). Raises NotAllowed (no_wish)."""
        cancelled = [
            each for each in self._of(person) if each.room is None and game in ("", each.game)
        ]
        if not cancelled:
            raise NotAllowed("no_wish")
        for each in cancelled:
            if each.offer is not None:
                self.end(each.offer, {person})
            else:
                del self.rows[each.key]

    def answer(self, person: str, node: str, *, yes: bool) -> tuple[MatchRequest, ...]:
        """A person accepts what is offered, or does not; the group, if it may play by that.

        Its people are then in the order in which they have accepted. Raises NotAllowed (no_offer).
        """
        offers = [each for each in self._of(person) if each.offer and each.room is None]
        group = self._group(offers[0].offer) if offers else []
        if all(each.accepted for each in group):
            raise NotAllowed("no_offer")
        [row] = offers
        assert row.offer is not None
        if not yes:
            self.end(row.offer, {person})
            return ()
        if row.accepted is None:
            count = sum(each.accepted is not None for each in group)
            self._put(row, accepted=count + 1, node=node, disconnected=None)
        group = self._group(row.offer)
        if not all(each.accepted for each in group):
            return ()
        if disconnected := {each.person for each in group if each.node is None}:
            self.end(row.offer, disconnected)
            return ()
        self._put_all(group, until=self._now + int(ARRIVAL_SECONDS * 1000))
        return tuple(sorted(group, key=lambda each: each.accepted or 0))

    def begin(self, offer: str, room: str) -> bool:
        """All who have accepted play in a room; whether the offer is there still."""
        group = self._group(offer)
        for each in group:
            for other in self._of(each.person):
                if other.room is None and other.key != each.key:
                    del self.rows[other.key]
        self._put_all(group, room=room, until=self._now + int(ARRIVAL_SECONDS * 1000))
        return bool(group)

    def end(self, offer: str, people: Collection[str] = ()) -> None:
        """An offer ends: these people's wishes for the game, too, and those of the rest wait on."""
        group = self._group(offer)
        self._put_all(group, offer=None, until=None, accepted=None)
        for each in group:
            if each.person in people:
                del self.rows[each.key]
        for each in group:
            if each.person not in people:
                self._match(self.rows[each.key])

    def arrive(self, person: str, node: str) -> None:
        """A person who was at no node is connected to one."""
        for each in self._of(person):
            if each.node is None:
                self._match(self._put(each, node=node, disconnected=None))

    def leave(self, person: str, node: str) -> None:
        """A person is connected to a node no more."""
        for each in self._of(person):
            if each.node == node:
                self._put(each, node=None, disconnected=self._now)

    def _match(self, request: MatchRequest) -> None:
        """Offer a game to a group with this wish in it, if one fits."""
        pending = {each.person for each in self.rows.values() if each.offer and each.room is None}
        free = [
            each
            for each in sorted(self.rows.values(), key=lambda each: each.since)
            if each.game == request.game and each.room is None and each.node is not None
            if each.person not in pending
        ]
        offer = f"{self._now} {request.person} {request.game}"
        until = self._now + int(limits.OFFER_SECONDS * 1000)
        self._put_all(
            group_with(request, free) if request in free else (), offer=offer, until=until
        )

    def _of(self, person: str) -> list[MatchRequest]:
        return [each for each in self.rows.values() if each.person == person]

    def _group(self, offer: str | None) -> list[MatchRequest]:
        return [each for each in self.rows.values() if each.offer == offer and each.room is None]

    def _put(self, request: MatchRequest, **changes: Any) -> MatchRequest:  # Any: values of fields
        made = self.rows[request.key] = replace(request, **changes)
        return made

    def _put_all(
        self, group: Iterable[MatchRequest], **changes: Any
    ) -> None:  # Any: values of fields
        for each in group:
            self._put(each, **changes)


Act: TypeAlias = Callable[[MatchRequests], T]
"""What is done to all wishes in one change."""

_EVERY: Final = select(MATCH_REQUEST).order_by(MATCH_REQUEST.c.since)
_LISTED: Final = (
    select(PERSON.c.name, MATCH_REQUEST.c.game, MATCH_REQUEST.c.least, MATCH_REQUEST.c.most)
    .join(PERSON, PERSON.c.id == MATCH_REQUEST.c.person)
    .where(MATCH_REQUEST.c.room.is_(None))
    .order_by(MATCH_REQUEST.c.since)
)
_LIVING: Final = select(NODE.c.id).where(NODE.c.state != "dead")
_LOCK: Final = select(NODE.c.generation).where(NODE.c.id == ALONE).with_for_update()
"""Of two nodes that change wishes one waits for the other."""
_REMOVE: Final = delete(MATCH_REQUEST).where(
    MATCH_REQUEST.c.person == bindparam("of"), MATCH_REQUEST.c.game == bindparam("in_game")
)


def read(connection: Connection) -> Mapping[RequestKey, MatchRequest]:
    """All wishes, the oldest first."""
    made = (MatchRequest(*row) for row in connection.execute(_EVERY))
    return {request.key: request for request in made}


def listed(connection: Connection) -> list[tuple[str, str, int, int]]:
    """Names, games and numbers of people of the wishes that wait."""
    return [tuple(row) for row in connection.execute(_LISTED)]


def change(
    connection: Connection, now: int, node: str, act: Act[T]
) -> tuple[T, Mapping[RequestKey, MatchRequest]]:
    """The result of a change that a node makes, and all wishes then. Raises what `act` raises."""
    connection.execute(_LOCK)
    before = read(connection)
    requests = MatchRequests(before.values(), now, {node, *connection.scalars(_LIVING)})
    result, after = act(requests), requests.rows
    if disconnected := before.keys() - after.keys():
        connection.execute(
            _REMOVE, [{"of": of, "in_game": game} for of, game in sorted(disconnected)]
        )
    changed = [each for key, each in sorted(after.items()) if before.get(key) != each]
    upsert(connection, MATCH_REQUEST, map(columns, changed))
    return result, after
