"""Questions that change nothing: game data, catalogue, completion, records, the list of rooms."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from protocol import Answer, Ask, Branch, Error, canonical
from protocol import Game as GameData
from rules.core.game import Game
from rules.core.phrases import LANGS
from rules.core.refusal import NotAllowed, Refusal
from rules.core.vision import SPECTATOR
from server.commands.acts import Tell
from server.commands.arguments import game_named
from server.commands.catalogue import catalogue, complete, wanted_to_complete
from server.commands.needs import ALWAYS_OFFERED, NOTHING, Found, Listing, Wanted
from server.commands.resolve import resolve
from server.commands.scene import Scene
from server.edge.connection import Connection
from server.edge.lobby import LobbyWindows, about_room
from server.edge.scenes import LobbyScenes
from server.engine.engine import Engine
from server.engine.keys import keys_of
from server.engine.loading import read_record
from server.journal import JournalError, Store
from server.observe import log
from server.room.options import GENERAL
from server.room.records import record_of
from server.sentences import event_lines, refusal_text, say
from server.tasks import Tasks

_PAGES_MAX: Final = 100_000
"""Pages of a list that can be asked for; what is behind the last one is empty."""

Fetch = Callable[[Wanted, str], Coroutine[Any, Any, Found]]


def game_body(game: Game[Any]) -> Branch:  # Any: each game has a state class of its own
    """What never changes about a game: names, options, grammar, static data, its views' schema and
    short keys.
    """
    info = game.info
    return {
        "key": info.key,
        "name": {"en": info.en, "ja": info.ja},
        "seats": {"min": info.min_seats, "max": info.max_seats},
        "minutes": info.minutes,
        "rules": info.rules,
        "credits": list(info.credits),
        "bots": ["random", *game.bots],
        "options": [
            {
                "name": option.name,
                "type": option.kind,
                "default": option.write(option.default),
                "values": list(option.values()),
                "help": {lang: game.phrases.say(f"option.{option.name}", lang) for lang in LANGS},
            }
            for option in info.options.values()
        ],
        "general": [
            {
                "name": option.name,
                "type": option.kind,
                "default": option.write(option.default),
                "values": list(option.values()),
                "help": {lang: say(f"option.{option.name}", lang) for lang in LANGS},
            }
            for option in GENERAL.values()
        ],
        "verbs": [dict(verb) for verb in game.grammar.describe()],
        "static": game.static(),
        "view": game.tree.view_schema(),
        "keys": list(keys_of(game).names),
    }


def game_data(games: Mapping[str, Game[Any]]) -> Mapping[str, GameData]:
    """The unchanging data of all games, each with the hash of its body."""
    bodies = {key: game_body(game) for key, game in games.items()}
    return {key: GameData(key=key, hash=hash_of(body), body=body) for key, body in bodies.items()}


def older_data(games: Mapping[str, Game[Any]]) -> Mapping[str, GameData]:
    """The data of all older versions, by their packages: rooms send it, nobody asks for it."""
    older = (each for game in games.values() for each in game.older.values())
    bodies = {game.package: (game.info.key, game_body(game)) for game in older}
    return {
        package: GameData(key=key, hash=hash_of(body), body=body)
        for package, (key, body) in bodies.items()
    }


def hash_of(body: Branch) -> str:
    """A short name for a body that changes when the body does."""
    return hashlib.sha256(canonical(body)).hexdigest()[:16]


class Questions:
    """Answers `ask`; owned by the app."""

    def __init__(
        self,
        games: Mapping[str, GameData],
        store: Store,
        engine: Engine,
        lobby: LobbyWindows,
        fetch: Fetch,
        tasks: Tasks,
        scenes: LobbyScenes,
    ) -> None:
        self._games = games
        self._store = store
        self._engine = engine
        self._lobby = lobby
        self._fetch = fetch
        self._tasks = tasks
        self._scenes = scenes

    def ask(self, connection: Connection, asked: Ask) -> None:
        """Answer a question, or say why not."""
        room = "" if asked.room is None else connection.rooms.get(asked.room)
        try:
            if room is None:
                raise NotAllowed("not_in_room")
            self._answer(connection, room, asked)
        except Refusal as refusal:
            self._refuse(connection, asked.id, refusal, room or "")

    def _answer(self, connection: Connection, room: str, asked: Ask) -> None:
        text = str(asked.args.get("text", ""))
        match asked.what:
            case "game":
                self._send_game(connection, asked)
            case "history":
                self._send(connection, asked, {"lines": self._history(connection, room)})
            case "lobby":
                self._open_window(connection, room, asked)
            case "record":
                game_id = str(asked.args.get("id", ""))
                self._later(connection, room, asked, self._record(connection, room, game_id))
            case "rooms":
                self._later(connection, room, asked, self._own_rooms(connection))
            case "catalogue":
                self._later(connection, room, asked, self._catalogue(connection, room))
            case "complete":
                self._later(connection, room, asked, self._complete(connection, room, text))
            case "query":
                self._later(connection, room, asked, self._query(connection, room, text))

    def _send(self, connection: Connection, asked: Ask, body: Branch) -> None:
        connection.send(Answer(id=asked.id, what=asked.what, body=body))

    def _later(
        self,
        connection: Connection,
        room: str,
        asked: Ask,
        work: Coroutine[Any, Any, Branch],
    ) -> None:
        async def answer() -> None:
            try:
                self._send(connection, asked, await work)
            except Refusal as refusal:
                self._refuse(connection, asked.id, refusal, room)

        self._tasks.start(answer())

    def _send_game(self, connection: Connection, asked: Ask) -> None:
        key = str(asked.args.get("key", ""))
        found = self._games.get(key)
        if found is None:
            raise NotAllowed("no_such_game", given=key, candidates=tuple(self._games))
        connection.send(found)
        self._send(connection, asked, {"key": key, "hash": found.hash})

    def _open_window(self, connection: Connection, room: str, asked: Ask) -> None:
        """Which page of the lobby the asker looks at from now on; `lobby` frames show it."""
        given = asked.args
        game, number = str(given.get("game", "")), str(given.get("page", 1))
        page = int(number) if number.isascii() and number.isdigit() else 0
        if not 1 <= page <= _PAGES_MAX:
            raise NotAllowed("bad_message")
        scene = self._scene(connection, room, NOTHING)
        listing = Listing(
            game=game_named(scene, game) if game else "",
            free=given.get("only") == "free",
            running=given.get("only") == "running",
            page=page - 1,
        )
        self._lobby.open(connection, listing)
        self._send(connection, asked, {"page": page})

    async def _catalogue(self, connection: Connection, room: str) -> Branch:
        found = await self._fetch(ALWAYS_OFFERED, connection.person)
        return {"commands": catalogue(self._scene(connection, room, found))}

    async def _complete(self, connection: Connection, room: str, text: str) -> Branch:
        wanted = wanted_to_complete(self._scene(connection, room, NOTHING), text)
        found = NOTHING if wanted is None else await self._fetch(wanted, connection.person)
        made = complete(self._scene(connection, room, found), text)
        return {"start": made.start, "candidates": list(made.candidates)}

    async def _query(self, connection: Connection, room: str, text: str) -> Branch:
        """What a line that only looks would be told: for boards, that show it in their place."""
        meant = resolve(self._scene(connection, room, None), text)
        if isinstance(meant, Wanted):
            found = await self._fetch(meant, connection.person)
            meant = resolve(self._scene(connection, room, found), text)
        if not isinstance(meant, Tell):
            raise NotAllowed("no_such_query", given=text)
        return {"code": meant.code, "text": meant.text}

    async def _own_rooms(self, connection: Connection) -> Branch:
        """The rooms in which the asker has a seat or is the host, newest first."""
        found = await self._fetch(Wanted(mine=True), connection.person)
        return {
            "rooms": [
                {**about_room(line), "turn": connection.name in line.turn} for line in found.mine
            ]
        }

    def _scene(self, connection: Connection, room: str, found: Found | None) -> Scene:
        live = self._engine.room(room)
        if live is not None:
            return live.scene(connection, found)
        return self._scenes.scene(connection, found)

    def _history(self, connection: Connection, room_id: str) -> list[Any]:  # Any: plain trees
        live = self._engine.room(room_id)
        if live is None:
            raise NotAllowed("not_in_room")
        room, member = live.room, live.present.members.get(connection)
        eyes = SPECTATOR if member is None else member.audience.eyes
        return [
            {"version": logged.version, "at": logged.at, "text": line}
            for logged in room.log
            for line in event_lines(logged.events, eyes, connection.lang, live.game, room.name_of)
        ]

    async def _record(self, connection: Connection, room: str, game_id: str) -> Branch:
        return {"text": await self.record(connection, room, game_id)}

    async def record(self, connection: Connection, room_id: str, game_id: str) -> str:
        """The record of the room's game, or of a finished one that the asker may have.

        Raises NotAllowed: not_in_room, no_record, no_such_record, version_gap, not_saved.
        """
        live = self._engine.room(room_id)
        if live is not None and game_id in ("", live.room.table.game_id):
            if live.game is None:
                raise NotAllowed("version_gap", given=live.room.table.game)
            seat = live.room.seat_of(connection.person)
            eyes = SPECTATOR if seat is None else frozenset((seat,))
            return record_of(live.room, live.game, eyes)
        if not game_id:
            raise NotAllowed("not_in_room")
        try:
            entry = await read_record(self._store, game_id)
        except JournalError as problem:
            log(logging.ERROR, "record not loaded", why=str(problem))
            raise NotAllowed("not_saved") from problem
        if entry is None or not await self._may_have(connection, entry.facts):
            raise NotAllowed("no_such_record", given=game_id)
        return entry.lines[0]

    async def _may_have(self, connection: Connection, facts: Mapping[str, Any]) -> bool:
        """A private room's record is for those who may know of the room."""
        if not facts.get("private"):
            return True
        found = await self._fetch(Wanted(room=str(facts.get("room", ""))), connection.person)
        line, person = found.room, connection.person
        return line is not None and (person in line.admitted or line.of(person))

    def _refuse(self, connection: Connection, ask_id: str, refusal: Refusal, room: str) -> None:
        live = self._engine.room(room)
        connection.send(
            Error(
                id=ask_id,
                code=refusal.code,
                text=refusal_text(refusal, connection.lang, None if live is None else live.game),
                rule=refusal.rule,
                candidates=refusal.candidates,
            )
        )
