"""The matchmaker: requests that wait, groups that fit, fifteen seconds to accept an offer.

Among several nodes one has the matchmaker of all. Requests are presence, not state: they last as
long as their person is connected, and a while longer after a lost connection. No request is lost
because another person did not accept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from bluebear.server.limits import (
    MATCH_REQUEST_SECONDS,
    MATCH_REQUESTS_MAX,
    MATCH_REQUESTS_SHOWN,
    OFFER_SECONDS,
    WISHING_MOST,
)
from bluebear.server.runtime import Tasks

_NONE: Final[Mapping[str, int]] = {}


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """A person wants to play a game with `least` to `most` people.

    `human` is false for programs; `bots`: they play with programs.
    """

    person: str
    game: str
    least: int
    most: int
    human: bool = True
    bots: bool = True


def group_with(request: MatchRequest, waiting: Sequence[MatchRequest]) -> tuple[MatchRequest, ...]:
    """The largest group that fits with a request in it, of those that have waited longest. Pure.

    `waiting` has the requests for the same game, the oldest first, this one among them.
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


@dataclass(slots=True, eq=False)
class Offer:
    """A group that fits, until all have accepted or the time is over."""

    group: tuple[MatchRequest, ...]
    timer: asyncio.TimerHandle
    accepted: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Candidate:
    """A person with requests: their name, and the node where they are (None: at none)."""

    name: str
    node: str | None
    requests: dict[str, MatchRequest] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None


class MatchHost(Protocol):
    """What the matchmaker wants of its feature."""

    def notify(self, person: str, key: str, game: str, params: Mapping[str, int]) -> None:
        """Send a person a sentence about a game, by its key."""

    async def begin(self, offer: Offer) -> bool:
        """Make a room for all who have accepted; whether there is one."""


class Matchmaker:
    """Owned by the feature."""

    def __init__(self, host: MatchHost, tasks: Tasks) -> None:
        self._host = host
        self._start = tasks.start
        self._candidates: dict[str, _Candidate] = {}
        self._waiting: dict[str, dict[str, MatchRequest]] = {}
        """The requests by game and person, the oldest first."""
        self._offers: dict[str, Offer] = {}
        """By person."""

    # Requests.

    def add(self, request: MatchRequest, name: str, node: str, *, again: bool = False) -> str:
        """Add the request of a person of a node; the code of a refusal, or "".

        `again`: another matchmaker, which is gone, had it before.
        """
        candidate = self._candidates.get(request.person)
        if candidate is None:
            if len(self._candidates) >= WISHING_MOST:
                return "busy"
            candidate = self._candidates[request.person] = _Candidate(name, node)
        elif (
            len(candidate.requests) >= MATCH_REQUESTS_MAX and request.game not in candidate.requests
        ):
            return "too_many_wishes"
        candidate.name = name
        self._is_at(candidate, node)
        candidate.requests[request.game] = request
        waiting = self._waiting.setdefault(request.game, {})
        waiting.pop(request.person, None)
        waiting[request.person] = request
        if not again:
            counts = {"least": request.least, "most": request.most}
            self._host.notify(request.person, "note.wish_made", request.game, counts)
        self._match(request)
        return ""

    def cancel(self, person: str, game: str) -> str:
        """Cancel a request of a person, or all ("")."""
        cancelled = [each for each in self.requests_of(person) if game in ("", each.game)]
        if not cancelled:
            return "no_wish"
        offer = self._offers.get(person)
        if offer is not None and offer.group[0].game in {each.game for each in cancelled}:
            self._refused(offer, {person})
        for each in cancelled:
            self._drop(person, each.game)
        return ""

    def answer(self, person: str, *, yes: bool) -> str:
        """A person accepts what is offered, or does not."""
        offer = self._offers.get(person)
        if offer is None:
            return "no_offer"
        if not yes:
            self._refused(offer, {person})
        elif person not in offer.accepted:
            offer.accepted.append(person)
            if len(offer.accepted) == len(offer.group):
                self._close(offer)
                self._start(self._begins(offer))
        return ""

    def list_requests(self) -> tuple[list[tuple[str, str, int, int]], int]:
        """Some names, games and numbers of people; and how many requests there are."""
        waiting = [request for each in self._waiting.values() for request in each.values()]
        rows = [
            (self._candidates[request.person].name, request.game, request.least, request.most)
            for request in waiting[:MATCH_REQUESTS_SHOWN]
        ]
        return rows, len(waiting)

    # Matching.

    def _match(self, request: MatchRequest) -> None:
        """Offer a game to a group with this request in it, if one fits."""
        free = [
            each
            for each in self._waiting[request.game].values()
            if each.person not in self._offers and self.node_of(each.person) is not None
        ]
        group = group_with(request, free) if request in free else ()
        if not group:
            return
        loop = asyncio.get_running_loop()
        offer = Offer(group, loop.call_later(OFFER_SECONDS, self._late, group))
        for each in group:
            self._offers[each.person] = offer
            self._host.notify(each.person, "note.wish_found", request.game, {"count": len(group)})

    def _late(self, group: tuple[MatchRequest, ...]) -> None:
        offer = self._offers.get(group[0].person)
        if offer is not None and offer.group is group:
            self._refused(offer, {w.person for w in group if w.person not in offer.accepted})

    def _refused(self, offer: Offer, people: set[str]) -> None:
        """These people decline: their request for this game ends, those of the rest wait on."""
        self._close(offer)
        game = offer.group[0].game
        left = [request for request in offer.group if request.person not in people]
        for person in people:
            self._drop(person, game)
            self._host.notify(person, "note.wish_dropped", game, _NONE)
        for request in left:
            self._host.notify(request.person, "note.wish_waits", game, _NONE)
        for request in left:
            if request.person not in self._offers:
                self._match(request)

    def _close(self, offer: Offer) -> None:
        offer.timer.cancel()
        for request in offer.group:
            self._offers.pop(request.person, None)

    async def _begins(self, offer: Offer) -> None:
        """Make a room for those who have accepted, unless one has disconnected meanwhile."""
        cancelled = {person for person in offer.accepted if self.node_of(person) is None}
        if cancelled or not await self._host.begin(offer):
            self._refused(offer, cancelled)
        else:
            for request in offer.group:
                self.forget(request.person)

    # Presence.

    def node_of(self, person: str) -> str | None:
        """The node of a person with requests; None: at none, or without requests."""
        candidate = self._candidates.get(person)
        return None if candidate is None else candidate.node

    def requests_of(self, person: str) -> list[MatchRequest]:
        """The requests of a person."""
        candidate = self._candidates.get(person)
        return [] if candidate is None else list(candidate.requests.values())

    def people_at(self, node: str) -> list[str]:
        """The people of a node who have requests."""
        return [person for person, candidate in self._candidates.items() if candidate.node == node]

    def person_online(self, person: str, node: str) -> None:
        """A person is connected to a node."""
        candidate = self._candidates.get(person)
        if candidate is None:
            return
        was_offline = candidate.node is None
        self._is_at(candidate, node)
        offer = self._offers.get(person)
        if was_offline and offer is not None and person not in offer.accepted:
            left = offer.timer.when() - asyncio.get_running_loop().time()
            counts = {"count": len(offer.group), "seconds": max(1, int(left))}
            self._host.notify(person, "note.wish_found", offer.group[0].game, counts)
        for request in list(candidate.requests.values()) if was_offline else ():
            if person not in self._offers:
                self._match(request)

    def person_offline(self, person: str) -> None:
        """A person is connected to no node any more, and may come back."""
        candidate = self._candidates.get(person)
        if candidate is not None and candidate.node is not None:
            candidate.node = None
            loop = asyncio.get_running_loop()
            candidate.timer = loop.call_later(MATCH_REQUEST_SECONDS, self.forget, person)

    def _is_at(self, candidate: _Candidate, node: str) -> None:
        candidate.node = node
        if candidate.timer is not None:
            candidate.timer.cancel()
            candidate.timer = None

    def forget(self, person: str) -> None:
        """Remove all requests of a person."""
        for request in self.requests_of(person):
            self._drop(person, request.game)

    def _drop(self, person: str, game: str) -> None:
        """Remove a request, if there is one."""
        candidate = self._candidates.get(person)
        if candidate is None:
            return
        if candidate.requests.pop(game, None) is not None:
            del self._waiting[game][person]
        if not candidate.requests:
            if candidate.timer is not None:
                candidate.timer.cancel()
            del self._candidates[person]

    def clear(self) -> None:
        """Remove everything."""
        for offer in set(self._offers.values()):
            offer.timer.cancel()
        for candidate in self._candidates.values():
            if candidate.timer is not None:
                candidate.timer.cancel()
        self._offers.clear()
        self._candidates.clear()
        self._waiting.clear()
