"""The desk where wishes for a game meet: who waits, groups that fit, fifteen seconds to accept.

Among several edges one has the desk of all. Wishes are presence, not state: they last as long as
their person is connected, and a while longer for those whose connection has broken. Nobody's wish
is lost because somebody else did not accept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bluebear.server.edge.matching import Wish, group_with
from bluebear.server.limits import (
    WISH_ACCEPT_SECONDS,
    WISH_KEPT_SECONDS,
    WISHES_PER_PERSON,
    WISHES_SHOWN,
    WISHING_MOST,
)

_NONE: Final[Mapping[str, int]] = {}

Tell = Callable[[str, str, str, Mapping[str, int]], None]
"""Says a sentence to a person, by its key, about a game."""
Begin = Callable[["Offer"], Coroutine[Any, Any, bool]]
"""Makes a table for all who have accepted; whether there is one."""


@dataclass(slots=True, eq=False)
class Offer:
    """A group that fits, until all have accepted or the time is over."""

    group: tuple[Wish, ...]
    timer: asyncio.TimerHandle
    accepted: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Wisher:
    """Somebody who has wishes: what he is called, and the edge where he is (None: at none)."""

    name: str
    home: str | None
    wishes: dict[str, Wish] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None


class WishDesk:
    """Owned by the `Wishes` of its edge."""

    def __init__(
        self, tell: Tell, begin: Begin, start: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._tell = tell
        self._begin = begin
        self._start = start
        self._wishers: dict[str, _Wisher] = {}
        self._waiting: dict[str, dict[str, Wish]] = {}
        """The wishes by game and person, the oldest first."""
        self._offers: dict[str, Offer] = {}
        """By person."""

    # What people want.

    def wish(self, wish: Wish, name: str, home: str, *, again: bool = False) -> str:
        """Somebody at an edge wishes for a game; the code of a refusal, or "".

        `again`: he has said so before, at a desk that is no more.
        """
        wisher = self._wishers.get(wish.person)
        if wisher is None:
            if len(self._wishers) >= WISHING_MOST:
                return "busy"
            wisher = self._wishers[wish.person] = _Wisher(name, home)
        elif len(wisher.wishes) >= WISHES_PER_PERSON and wish.game not in wisher.wishes:
            return "too_many_wishes"
        wisher.name = name
        self._is_at(wisher, home)
        wisher.wishes[wish.game] = wish
        waiting = self._waiting.setdefault(wish.game, {})
        waiting.pop(wish.person, None)
        waiting[wish.person] = wish
        if not again:
            counts = {"least": wish.least, "most": wish.most}
            self._tell(wish.person, "note.wish_made", wish.game, counts)
        self._match(wish)
        return ""

    def unwish(self, person: str, game: str) -> str:
        """Somebody takes back a wish, or all ("")."""
        gone = [each for each in self.wishes_of(person) if game in ("", each.game)]
        if not gone:
            return "no_wish"
        offer = self._offers.get(person)
        if offer is not None and offer.group[0].game in {each.game for each in gone}:
            self._refused(offer, {person})
        for each in gone:
            self._drop(person, each.game)
        return ""

    def answer(self, person: str, *, yes: bool) -> str:
        """Somebody takes what is offered to him, or does not."""
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

    def shown(self) -> tuple[list[tuple[str, str, int, int]], int]:
        """Some of those who wait, with their games and numbers; how many wishes there are."""
        waiting = [wish for each in self._waiting.values() for wish in each.values()]
        rows = [
            (self._wishers[wish.person].name, wish.game, wish.least, wish.most)
            for wish in waiting[:WISHES_SHOWN]
        ]
        return rows, len(waiting)

    # Matching.

    def _match(self, wish: Wish) -> None:
        """Offer a game to a group with this wish in it, if one fits."""
        free = [
            each
            for each in self._waiting[wish.game].values()
            if each.person not in self._offers and self.home_of(each.person) is not None
        ]
        group = group_with(wish, free) if wish in free else ()
        if not group:
            return
        loop = asyncio.get_running_loop()
        offer = Offer(group, loop.call_later(WISH_ACCEPT_SECONDS, self._late, group))
        for each in group:
            self._offers[each.person] = offer
            self._tell(each.person, "note.wish_found", wish.game, {"count": len(group)})

    def _late(self, group: tuple[Wish, ...]) -> None:
        offer = self._offers.get(group[0].person)
        if offer is not None and offer.group is group:
            self._refused(offer, {w.person for w in group if w.person not in offer.accepted})

    def _refused(self, offer: Offer, people: set[str]) -> None:
        """Some do not want it: their wish for this game goes, those of the others wait on."""
        self._close(offer)
        game = offer.group[0].game
        kept = [wish for wish in offer.group if wish.person not in people]
        for person in people:
            self._drop(person, game)
            self._tell(person, "note.wish_dropped", game, _NONE)
        for wish in kept:
            self._tell(wish.person, "note.wish_waits", game, _NONE)
        for wish in kept:
            if wish.person not in self._offers:
                self._match(wish)

    def _close(self, offer: Offer) -> None:
        offer.timer.cancel()
        for wish in offer.group:
            self._offers.pop(wish.person, None)

    async def _begins(self, offer: Offer) -> None:
        """A table for those who have accepted, unless one of them has gone meanwhile."""
        gone = {person for person in offer.accepted if self.home_of(person) is None}
        if gone or not await self._begin(offer):
            self._refused(offer, gone)
        else:
            for wish in offer.group:
                self.forget(wish.person)

    # Who is where.

    def home_of(self, person: str) -> str | None:
        """The edge at which somebody with wishes is; None: at none, or he has no wishes."""
        wisher = self._wishers.get(person)
        return None if wisher is None else wisher.home

    def wishes_of(self, person: str) -> list[Wish]:
        """What somebody wishes for."""
        wisher = self._wishers.get(person)
        return [] if wisher is None else list(wisher.wishes.values())

    def at(self, home: str) -> list[str]:
        """Those with wishes who are at an edge."""
        return [person for person, wisher in self._wishers.items() if wisher.home == home]

    def comes(self, person: str, home: str) -> None:
        """Somebody with wishes is at an edge from now on."""
        wisher = self._wishers.get(person)
        if wisher is None:
            return
        was_gone = wisher.home is None
        self._is_at(wisher, home)
        offer = self._offers.get(person)
        if was_gone and offer is not None and person not in offer.accepted:
            left = offer.timer.when() - asyncio.get_running_loop().time()
            counts = {"count": len(offer.group), "seconds": max(1, int(left))}
            self._tell(person, "note.wish_found", offer.group[0].game, counts)
        for wish in list(wisher.wishes.values()) if was_gone else ():
            if person not in self._offers:
                self._match(wish)

    def goes(self, person: str) -> None:
        """Somebody with wishes is at no edge any more: he may come back."""
        wisher = self._wishers.get(person)
        if wisher is not None and wisher.home is not None:
            wisher.home = None
            loop = asyncio.get_running_loop()
            wisher.timer = loop.call_later(WISH_KEPT_SECONDS, self.forget, person)

    def _is_at(self, wisher: _Wisher, home: str) -> None:
        wisher.home = home
        if wisher.timer is not None:
            wisher.timer.cancel()
            wisher.timer = None

    def forget(self, person: str) -> None:
        """Somebody wishes for nothing any more."""
        for wish in self.wishes_of(person):
            self._drop(person, wish.game)

    def _drop(self, person: str, game: str) -> None:
        """A wish is gone, if there is one."""
        wisher = self._wishers.get(person)
        if wisher is None:
            return
        if wisher.wishes.pop(game, None) is not None:
            del self._waiting[game][person]
        if not wisher.wishes:
            if wisher.timer is not None:
                wisher.timer.cancel()
            del self._wishers[person]

    def clear(self) -> None:
        """Nothing is wished for at this desk any more."""
        for offer in set(self._offers.values()):
            offer.timer.cancel()
        for wisher in self._wishers.values():
            if wisher.timer is not None:
                wisher.timer.cancel()
        self._offers.clear()
        self._wishers.clear()
        self._waiting.clear()
