"""Questions that change nothing: game data, catalogue, completion, records, the list of rooms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final

from protocol import Answer, Ask, Branch, canonical
from protocol import Game as GameData
from rules.core.game import Game
from rules.core.info import Option
from rules.core.phrases import LANGS, Phrases
from rules.core.refusal import NotAllowed, Refusal
from rules.core.wording import words_of
from server.commands.acts import Tell
from server.commands.arguments import game_named
from server.commands.catalogue import catalogue, complete, wanted_to_complete
from server.commands.needs import ALWAYS_OFFERED, NOTHING, Found, Listing, Wanted
from server.commands.refusing import error_of
from server.commands.resolve import resolve
from server.commands.scene import Scene
from server.commands.undoing import undo_ahead
from server.edge.connection import Connection
from server.edge.lobby import LobbyWindows, about_room
from server.edge.past import Past
from server.edge.scenes import LobbyScenes
from server.engine.engine import Engine
from server.engine.keys import keys_of
from server.room.options import GENERAL, named_values
from server.sentences import SERVER
from server.tasks import Tasks

_PAGES_MAX: Final = 100_000
"""Pages of a list that can be asked for; what is behind the last one is empty."""

Fetch = Callable[[Wanted, str], Coroutine[Any, Any, Found]]
_Args = Mapping[str, str | int]


_WIDTHS: Final = range(40, 201)
_HEIGHTS: Final = range(4, 101)
"""How wide and high a text may be asked for: smaller is no board, larger no window."""


def _sized(scene: Scene, given: _Args) -> Scene:
    """The scene with a page of the size that is asked for."""
    width, lines = given.get("width"), given.get("lines")
    return replace(
        scene,
        width=_within(_WIDTHS, width) if isinstance(width, int) else scene.width,
        lines=_within(_HEIGHTS, lines) if isinstance(lines, int) else scene.lines,
    )


def _within(bounds: range, number: int) -> int:
    return min(max(number, bounds[0]), bounds[-1])


def game_body(game: Game[Any]) -> Branch:  # Any: each game has a state class of its own
    """What never changes about a game: names, options, grammar, words, static data, its views'
    schema and short keys.
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
        "options": [_option_form(option, game.phrases) for option in info.options.values()],
        "general": [_option_form(option, SERVER) for option in GENERAL.values()],
        "verbs": [dict(verb) for verb in game.grammar.describe()],
        "words": dict(words_of(game.grammar, game.phrases)),
        "static": game.static(),
        "view": game.tree.view_schema(),
        "keys": list(keys_of(game).names),
    }


def _option_form(option: Option, phrases: Phrases) -> Branch:
    """An option for a form: what it is called, its values, and the words for those that have any.

    `names` are other words for the option that may be typed; so are those of a value.
    """
    words: dict[str, Branch] = {}
    for value in (*option.values(), *named_values(option)):
        names = option.names_of(value)
        if names:
            said: Branch = {lang: option.said(value, lang) for lang in LANGS}
            words[value] = {**said, "names": list(names)}
    return {
        "name": option.name,
        "names": list(option.names),
        "label": {lang: option.labelled(lang) for lang in LANGS},
        "type": option.kind,
        "default": option.write(option.default),
        "values": list(option.values()),
        "words": words,
        "help": {lang: phrases.say(f"option.{option.name}", lang) for lang in LANGS},
    }


async def _as_text(work: Coroutine[Any, Any, str]) -> Branch:
    return {"text": await work}


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
        past: Past,
        engine: Engine,
        lobby: LobbyWindows,
        fetch: Fetch,
        tasks: Tasks,
        scenes: LobbyScenes,
    ) -> None:
        self._games = games
        self._past = past
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
                self._later(connection, room, asked, self._past.history(connection, room, asked))
            case "replay":
                self._later(connection, room, asked, self._past.replay(connection, room, asked))
            case "lobby":
                self._open_window(connection, room, asked)
            case "record":
                game_id = str(asked.args.get("id", ""))
                record = self._past.record(connection, room, game_id)
                self._later(connection, room, asked, _as_text(record))
            case "rooms":
                self._later(connection, room, asked, self._own_rooms(connection))
            case "catalogue":
                known = str(asked.args.get("hash", ""))
                self._later(connection, room, asked, self._catalogue(connection, room, known))
            case "undo":
                self._send(connection, asked, undo_ahead(self._scene(connection, room, NOTHING)))
            case "complete":
                self._later(connection, room, asked, self._complete(connection, room, text))
            case "query":
                self._later(connection, room, asked, self._query(connection, room, asked.args))

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

    async def _catalogue(self, connection: Connection, room: str, known: str) -> Branch:
        """The live catalogue with its hash; the hash alone for who has that one already."""
        found = await self._fetch(ALWAYS_OFFERED, connection.person)
        commands: list[Any] = list(catalogue(self._scene(connection, room, found)))  # Any: trees
        name = hash_of({"commands": commands})
        return {"hash": name} if known == name else {"hash": name, "commands": commands}

    async def _complete(self, connection: Connection, room: str, text: str) -> Branch:
        wanted = wanted_to_complete(self._scene(connection, room, NOTHING), text)
        found = NOTHING if wanted is None else await self._fetch(wanted, connection.person)
        made = complete(self._scene(connection, room, found), text)
        return {"start": made.start, "candidates": list(made.candidates)}

    async def _query(self, connection: Connection, room: str, given: _Args) -> Branch:
        """What a line that only looks would be told: for boards, that show it in their place."""
        text = str(given.get("text", ""))
        meant = resolve(_sized(self._scene(connection, room, None), given), text)
        if isinstance(meant, Wanted):
            found = await self._fetch(meant, connection.person)
            meant = resolve(_sized(self._scene(connection, room, found), given), text)
        if not isinstance(meant, Tell):
            raise NotAllowed("no_such_query", given=text)
        told: Branch = {"code": meant.code, "text": meant.text}
        data = None if meant.figures is None else meant.figures()
        return told if data is None else {**told, "data": data}

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

    def _refuse(self, connection: Connection, ask_id: str, refusal: Refusal, room: str) -> None:
        live = self._engine.room(room)
        game = None if live is None else live.game
        connection.send(error_of(refusal, ask_id, connection.lang, game))
