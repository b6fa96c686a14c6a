"""Wishes for a game, as people at this edge have them; they meet at the desk of one edge.

What people here wish for is remembered, and said again when another edge has the desk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, assert_never

from bluebear.protocol import Note
from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.clock import Clock
from bluebear.server.commands.acts import AnswerWish, MakeWish, NewRoom, ShowWishes, Unwish, WishAct
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.matching import Wish
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.wishdesk import Offer, WishDesk
from bluebear.server.edge.words import (
    Crowded,
    Seated,
    TableWanted,
    Unwished,
    WishAnswered,
    Wished,
    WishesAsked,
    WishesKept,
    WishList,
    WishSaid,
    Word,
)
from bluebear.server.limits import WISH_ACCEPT_SECONDS, WISHES_PER_PERSON
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.sentences import SERVER, say

AGAIN_SECONDS: Final = 1.0
"""Between two tries to say wishes to another desk."""

_ANSWERED: Final = ("note.wish_dropped", "note.wish_waits")
"""Sentences after which a game that was offered is offered no more."""

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own
Make = Callable[[Connection, NewRoom, str], Coroutine[Any, Any, bool]]
"""Makes a room for a connection, for a line of it ("": none)."""


class Wishes:
    """Owned by the app; `make` makes a room for a connection and says whether there is one."""

    def __init__(
        self,
        games: Games,
        presence: Presence,
        engine: RoomAccess,
        make: Make,
        others: Others,
        start: Callable[[Coroutine[Any, Any, None]], None],
        clock: Clock,
    ) -> None:
        self._games = games
        self._clock = clock
        self._presence = presence
        self._engine = engine
        self._make = make
        self._others = others
        self._start = start
        self._desk = WishDesk(self._tell, self._begin, start)
        self._desk_at = others.desk
        self._mine: dict[str, dict[str, Wish]] = {}
        """What people here wish for, by person and game, to say it to another desk."""
        self._accepted: dict[str, Connection] = {}
        """On which connection somebody has said yes."""
        presence.heed(self._has_come, self._has_gone)
        others.hears(Wished, self._wished)
        others.hears(
            Unwished, lambda word: self._at_desk(self._desk.unwish, word.person, word.game)
        )
        others.hears(WishAnswered, self._answered)
        others.hears(WishesAsked, lambda word: WishList(*self._desk.shown()))
        others.hears(WishSaid, self._say)
        others.hears(WishesKept, self._keep)
        others.hears(TableWanted, self._make_table)
        others.hears(Seated, self._sit)
        others.hears(Crowded, self._crowded)
        others.heed_loss(self._lost)
        others.heed_change(self._moves)

    async def perform(self, connection: Connection, act: WishAct) -> None:
        """Carry out an act. Raises NotAllowed: too_many_wishes, no_offer, no_wish, busy."""
        person = connection.person
        match act:
            case MakeWish():
                await self._wish(connection, act)
            case Unwish():
                _check(await self._ask_desk(Unwished(person, act.game)))
                self._forget(person, act.game)
                text = say("note.wish_gone", connection.lang)
                connection.send(Note(code="wish_gone", text=text))
            case AnswerWish():
                await self._answer(connection, yes=act.yes)
            case ShowWishes():
                shown = await self._ask_desk(WishesAsked())
                text = self._shown(connection, shown)
                connection.send(Note(code="wishes", text=text))
            case _:
                assert_never(act)

    async def _ask_desk(self, word: Word) -> Any:  # Any: `word.answer`
        """What the desk answers, wherever it is. Raises NotAllowed (busy)."""
        node = self._others.desk
        if node == self._others.node:
            return self._others.done_here(word)
        told = await self._others.ask([node], word)
        if not told:
            raise NotAllowed("busy")
        return told[0]

    async def _wish(self, connection: Connection, act: MakeWish) -> None:
        person = connection.person
        wish = Wish(person, act.game, act.least, act.most, connection.human, act.bots)
        _check(await self._ask_desk(self._word_of(wish, connection.name)))
        if self._presence.of(person):
            self._mine.setdefault(person, {})[act.game] = wish

    def _word_of(self, wish: Wish, name: str, *, again: bool = False) -> Wished:
        return Wished(wish, name, self._others.node, again)

    async def _answer(self, connection: Connection, *, yes: bool) -> None:
        if yes:
            self._accepted[connection.person] = connection
        _check(await self._ask_desk(WishAnswered(connection.person, yes)))
        if yes:
            self._ask_no_more(connection.person)
            text = say("note.wish_accepted", connection.lang)
            connection.send(Note(code="wish_accepted", text=text))

    def _shown(self, connection: Connection, shown: WishList) -> str:
        lang = connection.lang
        if not shown.rows:
            return say("answer.no_wishes", lang)
        lines = []
        for name, key, least, most in shown.rows:
            game = self._games[key].info.name(lang)
            lines.append(say("answer.wish", lang, name=name, game=game, least=least, most=most))
        if shown.total > len(shown.rows):
            lines.append(say("answer.and_more", lang, count=shown.total - len(shown.rows)))
        return "\n".join(lines)

    # What the desk says.

    def _tell(self, person: str, key: str, game: str, params: Mapping[str, int]) -> None:
        """Say something to somebody wherever he is."""
        word = WishSaid(person, key, game, dict(params))
        self._say(word)
        # Where he has wished he hears it at once; where else he is has to be looked up.
        home = self._desk.home_of(person) or self._others.node
        self._others.tell_at(home, word)
        self._others.tell_of(person, word, but=home)

    def _say(self, word: WishSaid) -> None:
        asks = word.key == "note.wish_found"
        seconds = word.params.get("seconds", int(WISH_ACCEPT_SECONDS))
        until = self._clock.now() + 1000 * seconds if asks else 0
        for each in self._presence.of(word.person):
            if asks or word.key in _ANSWERED:
                each.is_offered(until)
            name = self._games[word.game].info.name(each.lang)
            given = {"game": name, "seconds": seconds, **word.params}
            text = SERVER.say(word.key, each.lang, given)
            each.send(Note(code=word.key.removeprefix("note."), text=text))
        if word.key == "note.wish_dropped":
            self._forget(word.person, word.game)

    def _ask_no_more(self, person: str) -> None:
        for each in self._presence.of(person):
            each.is_offered(0)

    async def _begin(self, offer: Offer) -> bool:
        """A room for those who have accepted, at which the game begins once all of them sit."""
        game, count, room = offer.group[0].game, len(offer.accepted), ""
        for person in offer.accepted:
            room = await self._ask_home(person, TableWanted(person, game, count)) or ""
            if room:
                break
        if not room:
            return False
        for person in offer.accepted:
            await self._ask_home(person, Seated(person, room))
        return True

    async def _ask_home(self, person: str, word: Word) -> Any:  # Any: `word.answer`
        home = self._desk.home_of(person)
        if home == self._others.node:
            answer = self._others.done_here(word)
            return await answer if asyncio.iscoroutine(answer) else answer
        told = [] if home is None else await self._others.ask([home], word)
        return told[0] if told else None

    async def _make_table(self, word: TableWanted) -> str:
        """A room made by somebody here; "" if there is none."""
        maker = self._connection_of(word.person)
        if maker is None or not await self._make(maker, NewRoom(word.game, "public", ""), ""):
            return ""
        room = list(maker.rooms.values())[-1]
        self._engine.line(maker, room, "", f"/option start {word.count}", None)
        return room

    def _sit(self, word: Seated) -> None:
        """Somebody here sits down at the table of his wish."""
        each = self._connection_of(word.person)
        self._accepted.pop(word.person, None)
        self._mine.pop(word.person, None)
        self._ask_no_more(word.person)
        if each is not None:
            if each.number_of(word.room) is None:
                self._engine.attach(each, word.room)
            self._engine.line(each, word.room, "", "/join", None)

    def _connection_of(self, person: str) -> Connection | None:
        """On which connection somebody plays: the one that has said yes, or his newest."""
        found = self._accepted.get(person)
        mine = self._presence.of(person)
        return found if found in mine else next(reversed(mine), None)

    def _forget(self, person: str, game: str) -> None:
        mine = self._mine.get(person, {})
        for each in [each for each in mine if game in ("", each)]:
            del mine[each]
        if not mine:
            self._mine.pop(person, None)

    # What the desk hears, if it is here.

    def _at_desk(self, act: Callable[..., str], *given: Any, **more: Any) -> str:
        """Do something at this desk; "busy" where it is another edge's, as known here."""
        return act(*given, **more) if self._others.desk == self._others.node else "busy"

    def _wished(self, word: Wished) -> str:
        return self._at_desk(self._desk.wish, word.wish, word.name, word.home, again=word.again)

    def _answered(self, word: WishAnswered) -> str:
        return self._at_desk(self._desk.answer, word.person, yes=word.yes)

    # Coming and going.

    def _has_come(self, connection: Connection) -> None:
        mine = self._presence.of(connection.person)
        connection.is_offered(max((each.offered_until for each in mine), default=0))
        self._desk.comes(connection.person, self._others.node)

    def _has_gone(self, connection: Connection) -> None:
        person = connection.person
        if not self._presence.of(person):
            self._accepted.pop(person, None)
            self._mine.pop(person, None)
            self._leaves(person, self._others.node)

    def _crowded(self, word: Crowded) -> None:
        for person in word.come:
            if self._desk.wishes_of(person) and not self._presence.of(person):
                self._comes(person, word.node)
        for person in word.gone:
            self._leaves(person, word.node)

    def _lost(self, node: str) -> None:
        for person in self._desk.at(node):
            self._leaves(person, node)

    def _comes(self, person: str, node: str) -> None:
        self._desk.comes(person, node)
        word = WishesKept(person, self._desk.wishes_of(person))
        self._others.tell_at(node, word)

    def _leaves(self, person: str, node: str) -> None:
        """Somebody has gone from an edge; where he is at another one he stays."""
        if self._desk.home_of(person) == node:
            if self._presence.of(person):
                self._desk.comes(person, self._others.node)
            else:
                self._desk.goes(person)
                if self._others.way is not None:
                    self._start(self._look_for(person, node))

    async def _look_for(self, person: str, left: str) -> None:
        nodes = (await self._others.elsewhere([person])).get(person, ())
        for node in nodes:
            if node != left and self._desk.home_of(person) is None:
                self._comes(person, node)

    def _keep(self, word: WishesKept) -> None:
        """Somebody who is here has wished elsewhere."""
        if self._presence.of(word.person):
            self._mine[word.person] = {wish.game: wish for wish in word.wishes}

    # Another desk.

    def _moves(self) -> None:
        """The edges are others by now: if the desk is elsewhere, it is told what is wished for."""
        if self._others.desk != self._desk_at:
            self._desk_at = self._others.desk
            if self._desk_at != self._others.node:
                self._desk.clear()
            self._start(self._say_again(self._desk_at))

    async def _say_again(self, desk: str) -> None:
        for person in list(self._mine):
            for wish in list(self._mine.get(person, {}).values()):
                while self._others.desk == desk and wish in self._mine.get(person, {}).values():
                    mine = self._presence.of(person)
                    name = mine[0].name if mine else ""
                    try:
                        word = self._word_of(wish, name, again=True)
                        if await self._ask_desk(word) != "busy":
                            break
                    except NotAllowed:
                        pass
                    await asyncio.sleep(AGAIN_SECONDS)

    def close(self) -> None:
        """Nothing is offered any more."""
        self._desk.clear()


def _check(code: str) -> None:
    """Raise what a code of the desk means, unless it is ""."""
    match code:
        case "":
            return
        case "too_many_wishes":
            raise NotAllowed("too_many_wishes", most=WISHES_PER_PERSON)
        case "no_wish":
            raise NotAllowed("no_wish")
        case "no_offer":
            raise NotAllowed("no_offer")
        case _:
            raise NotAllowed("busy")
