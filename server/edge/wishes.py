"""Wishes for a game: who waits, groups that fit, fifteen seconds to accept, and the table made.

Wishes are presence, not state: they last as long as their person is connected, and a while longer
for those whose connection has broken. Nobody's wish is lost because somebody else did not accept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

from protocol import Note
from rules.core.game import Game
from rules.core.refusal import NotAllowed
from server.commands.acts import (
    AnswerWish,
    MakeWish,
    NewRoom,
    ShowWishes,
    Unwish,
    WishAct,
)
from server.edge.connection import Connection
from server.edge.matching import Wish, group_with
from server.edge.presence import Presence
from server.engine.engines import Engines
from server.limits import (
    WISH_ACCEPT_SECONDS,
    WISH_KEPT_SECONDS,
    WISHES_PER_PERSON,
    WISHES_SHOWN,
    WISHING_MOST,
)
from server.sentences import SERVER, say

_NONE: Final[Mapping[str, int]] = {}

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own
Make = Callable[[Connection, NewRoom, str], Coroutine[Any, Any, bool]]
"""Makes a room for a connection, for a line of it ("": none)."""


@dataclass(slots=True, eq=False)
class _Offer:
    """A group that fits, until all have accepted or the time is over."""

    group: tuple[Wish, ...]
    timer: asyncio.TimerHandle
    accepted: dict[str, Connection] = field(default_factory=dict)


class Wishes:
    """Owned by the app; `make` makes a room for a connection and says whether there is one."""

    def __init__(
        self,
        games: Games,
        presence: Presence,
        engine: Engines,
        make: Make,
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._games = games
        self._presence = presence
        self._engine = engine
        self._make = make
        self._start = start
        self._wishes: dict[str, dict[str, Wish]] = {}
        """By person and game; so whoever comes or goes costs no walk over all."""
        self._waiting: dict[str, dict[str, Wish]] = {}
        """The same by game and person, the oldest first."""
        self._offers: dict[str, _Offer] = {}
        """By person."""
        self._gone: dict[str, asyncio.TimerHandle] = {}
        presence.heed(self._has_come, self._has_gone)

    def perform(self, connection: Connection, act: WishAct) -> None:
        """Carry out an act. Raises NotAllowed: too_many_wishes, no_offer, no_wish, busy."""
        match act:
            case MakeWish():
                self._wish(connection, act)
            case Unwish():
                self._unwish(connection, act.game)
            case AnswerWish():
                self._answer(connection, yes=act.yes)
            case ShowWishes():
                connection.send(Note(code="wishes", text=self._shown(connection)))
            case _:
                assert_never(act)

    # Wishing.

    def _wish(self, connection: Connection, act: MakeWish) -> None:
        person = connection.person
        mine = self._wishes.get(person, {})
        if len(mine) >= WISHES_PER_PERSON and act.game not in mine:
            raise NotAllowed("too_many_wishes", most=WISHES_PER_PERSON)
        if not mine and len(self._wishes) >= WISHING_MOST:
            raise NotAllowed("busy")
        wish = Wish(person, act.game, act.least, act.most, connection.human, act.bots)
        self._drop(person, act.game)
        self._wishes.setdefault(person, {})[act.game] = wish
        self._waiting.setdefault(act.game, {})[person] = wish
        self._say(person, "note.wish_made", act.game, {"least": act.least, "most": act.most})
        self._match(wish)

    def _unwish(self, connection: Connection, game: str) -> None:
        person = connection.person
        gone = [each for each in self._wishes.get(person, ()) if game in ("", each)]
        if not gone:
            raise NotAllowed("no_wish")
        offer = self._offers.get(person)
        if offer is not None and offer.group[0].game in gone:
            self._refused(offer, {person})
        for each in gone:
            self._drop(person, each)
        connection.send(Note(code="wish_gone", text=say("note.wish_gone", connection.lang)))

    def _shown(self, connection: Connection) -> str:
        lang = connection.lang
        waiting = [wish for each in self._waiting.values() for wish in each.values()]
        if not waiting:
            return say("answer.no_wishes", lang)
        lines = []
        for wish in waiting[:WISHES_SHOWN]:
            known = self._presence.of(wish.person)
            name = known[0].name if known else "-"
            game = self._games[wish.game].info.name(lang)
            lines.append(
                say("answer.wish", lang, name=name, game=game, least=wish.least, most=wish.most)
            )
        if len(waiting) > WISHES_SHOWN:
            lines.append(say("answer.and_more", lang, count=len(waiting) - WISHES_SHOWN))
        return "\n".join(lines)

    # Matching.

    def _match(self, wish: Wish) -> None:
        """Offer a game to a group with this wish in it, if one fits."""
        free = [
            each
            for each in self._waiting[wish.game].values()
            if each.person not in self._offers and self._presence.of(each.person)
        ]
        group = group_with(wish, free) if wish in free else ()
        if not group:
            return
        loop = asyncio.get_running_loop()
        offer = _Offer(group, loop.call_later(WISH_ACCEPT_SECONDS, self._late, group))
        for each in group:
            self._offers[each.person] = offer
            self._say(each.person, "note.wish_found", wish.game, {"count": len(group)})

    def _late(self, group: tuple[Wish, ...]) -> None:
        offer = self._offers.get(group[0].person)
        if offer is not None and offer.group is group:
            self._refused(offer, {w.person for w in group if w.person not in offer.accepted})

    def _answer(self, connection: Connection, *, yes: bool) -> None:
        offer = self._offers.get(connection.person)
        if offer is None:
            raise NotAllowed("no_offer")
        if not yes:
            self._refused(offer, {connection.person})
            return
        offer.accepted[connection.person] = connection
        text = say("note.wish_accepted", connection.lang)
        connection.send(Note(code="wish_accepted", text=text))
        if len(offer.accepted) == len(offer.group):
            self._close(offer)
            self._start(self._begin(offer))

    def _refused(self, offer: _Offer, people: set[str]) -> None:
        """Some do not want it: their wish for this game goes, those of the others wait on."""
        self._close(offer)
        game = offer.group[0].game
        kept = [wish for wish in offer.group if wish.person not in people]
        for person in people:
            self._drop(person, game)
            self._say(person, "note.wish_dropped", game)
        for wish in kept:
            self._say(wish.person, "note.wish_waits", game)
        for wish in kept:
            if wish.person not in self._offers:
                self._match(wish)

    def _close(self, offer: _Offer) -> None:
        offer.timer.cancel()
        for wish in offer.group:
            self._offers.pop(wish.person, None)

    async def _begin(self, offer: _Offer) -> None:
        """A room for those who have accepted, at which the game begins once all of them sit."""
        game, people = offer.group[0].game, list(offer.accepted.values())
        gone = {each.person for each in people if each.gone}
        if gone:
            self._refused(offer, gone)
            return
        for maker in people:
            if await self._make(maker, NewRoom(game, "public", ""), ""):
                break
        else:
            self._refused(offer, set())
            return
        for wish in offer.group:
            self._forget(wish.person)
        room = list(maker.rooms.values())[-1]
        self._engine.line(maker, room, "", f"/option start {len(people)}", None)
        for each in people:
            if each is not maker:
                self._engine.attach(each, room)
            self._engine.line(each, room, "", "/join", None)

    # Coming and going.

    def _has_come(self, connection: Connection) -> None:
        timer = self._gone.pop(connection.person, None)
        if timer is None:
            return
        timer.cancel()
        for wish in list(self._wishes.get(connection.person, {}).values()):
            if connection.person not in self._offers:
                self._match(wish)

    def _has_gone(self, connection: Connection) -> None:
        person = connection.person
        if self._presence.of(person) or person not in self._wishes:
            return
        loop = asyncio.get_running_loop()
        self._gone[person] = loop.call_later(WISH_KEPT_SECONDS, self._forget, person)

    def _forget(self, person: str) -> None:
        self._gone.pop(person, None)
        for game in list(self._wishes.get(person, ())):
            self._drop(person, game)

    def _drop(self, person: str, game: str) -> None:
        """A wish is gone, if there is one."""
        mine = self._wishes.get(person, {})
        if mine.pop(game, None) is not None:
            del self._waiting[game][person]
        if not mine:
            self._wishes.pop(person, None)

    def close(self) -> None:
        """Nothing is offered any more."""
        for offer in set(self._offers.values()):
            offer.timer.cancel()
        for timer in self._gone.values():
            timer.cancel()

    def _say(self, person: str, key: str, game: str, params: Mapping[str, int] = _NONE) -> None:
        for each in self._presence.of(person):
            name = self._games[game].info.name(each.lang)
            given = {"game": name, "seconds": int(WISH_ACCEPT_SECONDS), **params}
            text = SERVER.say(key, each.lang, given)
            each.send(Note(code=key.removeprefix("note."), text=text))
