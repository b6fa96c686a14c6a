"""Receives every connection: who it is, where its lines go, and the acts that are no entries."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, assert_never

from protocol import (
    Ask,
    Bye,
    ClientMessage,
    Close,
    Code,
    Codec,
    Done,
    Error,
    Hello,
    Lobby,
    Note,
    RoomNumber,
    Say,
    Sync,
    Version,
    Welcome,
)
from rules.core.refusal import NotAllowed, Refusal
from server.caller import Caller, Link
from server.commands.acts import (
    Act,
    Enter,
    FetchRecord,
    GoLobby,
    NewRoom,
    SetLang,
    SetName,
    Tell,
    Whisper,
    Write,
)
from server.commands.resolve import resolve
from server.commands.scene import Scene
from server.edge.session import Cut, Session, Wrong
from server.engine.house import Post
from server.limits import (
    CONNECTIONS_PER_PERSON,
    HELLO_SECONDS,
    LINE_BURST,
    LINES_PER_SECOND,
    ROOMS_PER_CONNECTION,
)
from server.observe import count
from server.people.person import Person
from server.room.state import PersonId
from server.sentences import refusal_text, say

if TYPE_CHECKING:
    from server.app import App
    from server.engine.live import LiveRoom

PROTOCOL: Final = 1
_HOUSE_RATE: Final = 1_000_000


class Reception:
    """All connections from their first byte to their last; owned by the app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.callers: dict[Caller, asyncio.TimerHandle | None] = {}
        self._by_person: dict[str, list[Caller]] = {}
        self._by_address: dict[str, int] = {}
        self._leaving = False

    # Connections.

    def connect(self, link: Link, codec: Codec) -> Caller | None:
        """A connection is open; None if it cannot be taken, and then it is closed."""
        if self._leaving:
            link.close(Close.BYE, "restart")
            return None
        crowd = self._by_address.get(link.address, 0)
        config = self._app.config
        if len(self.callers) >= config.connections or crowd >= config.connections_per_address:
            count("connections.refused")
            bye = Bye(why="full_server", text=say("bye.full_server", "en"), retry_ms=10_000)
            link.push(codec.encode(bye))
            link.close(Close.BYE, "too many connections")
            return None
        loop = asyncio.get_running_loop()
        caller = Caller(link, Session(codec, loop.time()))
        self._by_address[link.address] = crowd + 1
        self.callers[caller] = loop.call_later(HELLO_SECONDS, self._too_late, caller)
        return caller

    def _too_late(self, caller: Caller) -> None:
        count("connections.hello_timeout")
        caller.link.close(Close.HELLO_TIMEOUT, "no hello in time")

    def gone(self, caller: Caller) -> None:
        """A connection has ended."""
        if caller not in self.callers:
            return
        caller.gone = True
        timer = self.callers.pop(caller)
        if timer is not None:
            timer.cancel()
        left = self._by_address[caller.link.address] - 1
        if left:
            self._by_address[caller.link.address] = left
        else:
            del self._by_address[caller.link.address]
        mine = self._by_person.get(caller.person, [])
        if caller in mine:
            mine.remove(caller)
            if not mine:
                del self._by_person[caller.person]
        for live in list(caller.rooms.values()):
            live.detach(caller)
        self._app.house.gone(caller)

    def of_person(self, person: str) -> list[Caller]:
        """The connections of somebody."""
        return self._by_person.get(person, [])

    def online(self) -> dict[str, str]:
        """Everybody connected: id -> name."""
        return {person: callers[0].name for person, callers in self._by_person.items()}

    # Frames.

    def received(self, caller: Caller, frame: bytes | str) -> None:
        """Hops 1 and 2: a frame has come. After the goodbye nothing is heard any more."""
        if self._leaving:
            return
        said = caller.session.receive(frame, asyncio.get_running_loop().time())
        if type(said) is Say:
            self._say(caller, said)
        elif said is not None:
            self._rarer(caller, said)

    def _rarer(self, caller: Caller, said: ClientMessage | Wrong | Cut) -> None:
        match said:
            case Cut():
                count(f"connections.cut.{said.code.value}")
                caller.link.close(said.code, said.code.name.lower())
            case Wrong():
                count(f"refused.{said.code}")
                text = say(f"refusal.{said.code}", caller.lang)
                caller.send(Error(id=said.id, code=said.code, text=text))
            case Hello():
                self._hello(caller, said)
            case Say():
                self._say(caller, said)
            case Ask():
                self._app.inquiries.ask(caller, said)
            case Sync():
                live = caller.rooms.get(said.room)
                if live is not None:
                    live.sync(caller)
            case _:
                assert_never(said)

    def _say(self, caller: Caller, said: Say) -> None:
        before = caller.answered(said.id)
        if before is not None:
            caller.send(before)
            return
        if caller.house_desk:
            return
        if said.room is not None:
            live = caller.rooms.get(said.room)
            if live is None:
                self.refuse(caller, said.id, NotAllowed("not_in_room"))
            else:
                live.line(caller, said.id, said.text, said.at)
            return
        try:
            act = resolve(self._lobby_scene(caller), said.text)
        except Refusal as refusal:
            self.refuse(caller, said.id, refusal)
            return
        self.perform(caller, None, act, said.id)

    def _lobby_scene(self, caller: Caller) -> Scene:
        return Scene(
            speaker=caller.speaker,
            world=self._app.world,
            now=self._app.clock.now(),
            fresh=self._app.fresh(64),
        )

    def refuse(self, caller: Caller, say_id: str, refusal: Refusal) -> None:
        """Answer a line with what is wrong with it."""
        if refusal.code == Code.ROOM_UNKNOWN:
            wait = self._app.rooms.missed(caller.person)
            refusal = NotAllowed("guessed_too_often", seconds=wait) if wait else refusal
        count(f"refused.{refusal.code}")
        error = Error(
            id=say_id or None,
            code=refusal.code,
            text=refusal_text(refusal, caller.lang),
            rule=refusal.rule,
            candidates=refusal.candidates,
        )
        if caller.resumed and say_id:
            go_in = refusal.code != Code.NOT_IN_ROOM
            self._app.look_up(caller, say_id, error, go_in=go_in)
        else:
            caller.answer(error)

    # Hello.

    def _hello(self, caller: Caller, hello: Hello) -> None:
        if caller.expected:
            # A second hello while the first one is being saved would make a second guest.
            self._refuse_hello(caller, NotAllowed("bad_message"))
            return
        caller.lang = hello.langs[0]
        caller.wants = frozenset(hello.wants)
        caller.human = not hello.bot
        lowest, highest = hello.protocol
        if not lowest <= PROTOCOL <= highest:
            self._refuse_hello(caller, NotAllowed("wrong_protocol", known=PROTOCOL))
        elif hello.token is not None:
            self._resume(caller, hello.token)
        else:
            self._new_guest(caller, hello.name or self._guest_name())

    def _guest_name(self) -> str:
        return f"Guest{1000 + int.from_bytes(self._app.fresh(4), 'big') % 9000}"

    def _refuse_hello(self, caller: Caller, refusal: Refusal) -> None:
        count(f"refused.{refusal.code}")
        text = refusal_text(refusal, caller.lang)
        caller.send(Error(code=refusal.code, text=text, candidates=refusal.candidates))

    def _resume(self, caller: Caller, token: str) -> None:
        app = self._app
        if app.house.is_control(token):
            self._take_control(caller)
            return
        post = app.house.take_ticket(token)
        if post is not None:
            self._take_post(caller, post)
            return
        person = app.registry.people.by_token(token, app.clock.now())
        if person is None:
            self._refuse_hello(caller, NotAllowed("unauthorized"))
            return
        caller.resumed = True
        caller.human = person.human
        seen = app.registry.people.seen(person, app.clock.now())
        if seen is not None:
            app.registry.write_person(seen, lambda _: None)
        self._welcome(caller, person, token)

    def _new_guest(self, caller: Caller, name: str) -> None:
        app = self._app
        try:
            draft = app.registry.people.new_guest(
                name, human=caller.human, fresh=app.fresh(64), now=app.clock.now()
            )
        except Refusal as refusal:
            self._refuse_hello(caller, refusal)
            return

        def saved(person: Person | None) -> None:
            caller.expected = False
            if person is None:
                self._refuse_hello(caller, NotAllowed("not_saved"))
            elif not caller.gone:
                self._welcome(caller, person, draft.token)

        caller.expected = True
        app.registry.write_person(draft, saved)

    def _welcome(self, caller: Caller, person: Person, token: str) -> None:
        if caller.session.greeted:
            return
        self._greet(caller)
        caller.person = person.id
        caller.name = person.name
        mine = self._by_person.setdefault(person.id, [])
        mine.append(caller)
        if len(mine) > CONNECTIONS_PER_PERSON:
            oldest = mine[0]
            oldest.send(Bye(why="replaced", text=say("bye.replaced", oldest.lang)))
            oldest.link.close(Close.REPLACED, "replaced")
        self._send_welcome(caller, person.id, person.name, token)
        caller.send(self._app.lobby_snapshot())

    def _send_welcome(self, caller: Caller, person: str, name: str, token: str) -> None:
        caller.send(
            Welcome(
                protocol=PROTOCOL,
                person=person,
                name=name,
                token=token,
                lang=caller.lang,
                server=self._app.version,
                now=self._app.clock.now(),
            )
        )

    def _greet(self, caller: Caller) -> None:
        timer = self.callers.get(caller)
        if timer is not None:
            timer.cancel()
            self.callers[caller] = None
        config = self._app.config
        burst: float = LINE_BURST if caller.human else config.bot_line_burst
        rate = LINES_PER_SECOND if caller.human else config.bot_lines_per_second
        if caller.is_house:
            burst = rate = _HOUSE_RATE
        now = asyncio.get_running_loop().time()
        caller.session.greet(now, burst=burst, per_second=rate)

    def _take_control(self, caller: Caller) -> None:
        caller.house_desk = True
        caller.human = False
        self._greet(caller)
        self._send_welcome(caller, "house", "@house", "")
        self._app.house.control(caller)

    def _take_post(self, caller: Caller, post: Post) -> None:
        caller.house_seat = post.seat
        caller.human = False
        live = self._app.live(post.room)
        if live is None or not self._app.house.seated(caller, post):
            caller.link.close(Close.BYE, "not wanted any more")
            return
        self._greet(caller)
        self._send_welcome(caller, "house", live.room.name_of(post.seat), "")
        live.attach(caller)

    # Acts that are no entries.

    def perform(self, caller: Caller, live: LiveRoom | None, act: Act, say_id: str) -> None:
        """Carry out an act; `live` is the room that the line was said in."""
        number = None if live is None else live.number_of(caller)
        match act:
            case Tell():
                caller.send(Note(room=number, code=act.code, text=act.text))
                self._done(caller, say_id, number)
            case Whisper():
                self._whisper(caller, act, live)
                self._done(caller, say_id, number)
            case SetLang():
                caller.lang = act.lang
                for room in caller.rooms.values():
                    room.relabel(caller)
                caller.send(Note(room=number, code="lang", text=say("note.lang", act.lang)))
                self._done(caller, say_id, number)
            case SetName():
                self._rename(caller, act.name, say_id, number)
            case GoLobby():
                if live is not None:
                    live.detach(caller)
                caller.send(Note(room=number, code="left", text=say("note.left", caller.lang)))
                caller.send(self._app.lobby_snapshot())
                self._done(caller, say_id, None)
            case NewRoom() | Enter():
                self._go(caller, act, say_id)
            case FetchRecord():
                self._app.inquiries.fetch_record(caller, live, act.game_id, say_id)
            case Write():
                self.refuse(caller, say_id, NotAllowed("not_in_room"))
            case _:
                assert_never(act)

    def _done(self, caller: Caller, say_id: str, number: RoomNumber | None) -> None:
        version = None
        live = None if number is None else caller.rooms.get(number)
        if live is not None:
            version = Version(live.room.version)
        caller.answer(Done(id=say_id, room=number, version=version))

    def _whisper(self, caller: Caller, act: Whisper, live: LiveRoom | None) -> None:
        """Tell somebody something; within a room, on the connections that are in it."""
        room = live if act.here else None
        for other in self.of_person(act.person):
            number = None if room is None else room.number_of(other)
            if room is None or number is not None:
                text = say("note.whisper", other.lang, name=caller.name, text=act.text)
                other.send(Note(room=number, code="whisper", text=text))
        text = say("note.told", caller.lang, name=act.name, text=act.text)
        number = None if live is None else live.number_of(caller)
        caller.send(Note(room=number, code="told", text=text))

    def _rename(self, caller: Caller, name: str, say_id: str, number: RoomNumber | None) -> None:
        app = self._app
        person = PersonId(caller.person)
        try:
            draft = app.registry.people.new_name(person, name, app.clock.now())
        except Refusal as refusal:
            self.refuse(caller, say_id, refusal)
            return

        def saved(renamed: Person | None) -> None:
            if renamed is None:
                self.refuse(caller, say_id, NotAllowed("not_saved"))
                return
            for other in self.of_person(person):
                other.name = renamed.name
                text = say("note.nick", other.lang, name=renamed.name)
                other.send(Note(code="nick", text=text))
                for live in other.rooms.values():
                    live.rename(person, renamed.name)
            self._done(caller, say_id, number)

        app.registry.write_person(draft, saved)

    def _go(self, caller: Caller, act: NewRoom | Enter, say_id: str) -> None:
        rooms = self._app.rooms
        if len(caller.rooms) >= ROOMS_PER_CONNECTION:
            self.refuse(caller, say_id, NotAllowed("too_many_rooms_at_once"))
        elif isinstance(act, NewRoom):
            rooms.new_room(caller, act, say_id)
        else:
            rooms.enter(caller, act, say_id)

    def send_lobby(self, lobby: Lobby) -> None:
        """Tell everybody who is in no room what changed in the lobby."""
        frames: dict[str, bytes] = {}
        for caller in self.callers:
            if caller.session.greeted and not caller.rooms and not caller.is_house:
                codec = caller.codec
                if codec.name not in frames:
                    frames[codec.name] = codec.encode(lobby)
                caller.push(frames[codec.name])

    def say_goodbye(self, retry_ms: int) -> None:
        """The server goes down as planned."""
        self._leaving = True
        for caller in list(self.callers):
            caller.send(Bye(why="restart", text=say("bye.restart", caller.lang), retry_ms=retry_ms))
            caller.link.close(Close.BYE, "restart")
