"""Questions that change nothing: game data, catalogue, completion, records."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final

from bluebear.protocol import Answer, Ask, Branch
from bluebear.protocol import Game as GameData
from bluebear.rules.core.game import Game
from bluebear.rules.core.localized_lines import labels_of
from bluebear.rules.core.phrases import LANGS, SUMMARY, Phrases
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import RunCommand
from bluebear.server.commands.asked import answer_of_scene, hash_of
from bluebear.server.commands.catalogue import form_of
from bluebear.server.commands.native import error_of
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.scenes import LobbyScenes
from bluebear.server.lookups import LookUps
from bluebear.server.net.dispatch import Work
from bluebear.server.room.options import GENERAL
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.rooms.views import keys_of
from bluebear.server.sentences import SERVER

_SCORE: Final = "score."
"""Phrases that name a part of a score begin so."""

_GAMES_MAX: Final = 64
"""Games whose data are kept, however many servers are made of them in one process."""


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
        "summary": {lang: game.phrases.say(SUMMARY, lang) for lang in LANGS}
        if SUMMARY in game.phrases
        else {},
        "bots": list(game.players),
        "options": [form_of(option, game.phrases) for option in info.options.values()],
        "general": [form_of(option, SERVER) for option in GENERAL.values()],
        "verbs": [dict(verb) for verb in game.grammar.describe()],
        "words": dict(labels_of(game.grammar, game.phrases)),
        "scores": _score_words(game.phrases),
        "static": game.static,
        "view": game.tree.view_schema(),
        "keys": list(keys_of(game).names),
    }


def _score_words(phrases: Phrases) -> Branch:
    """What the parts of a score are called, by the keys of an ending's breakdown."""
    keys = [key for key in phrases if key.startswith(_SCORE)]
    return {
        key.removeprefix(_SCORE): {"en": phrases.say(key, "en"), "ja": phrases.say(key, "ja")}
        for key in keys
    }


@lru_cache(maxsize=_GAMES_MAX)
def _data_of(game: Game[Any]) -> GameData:
    body = game_body(game)
    return GameData(key=game.info.key, hash=hash_of(body), body=body)


def game_data(games: Mapping[str, Game[Any]]) -> Mapping[str, GameData]:
    """The unchanging data of all games, each with the hash of its body."""
    return {key: _data_of(game) for key, game in games.items()}


def older_data(games: Mapping[str, Game[Any]]) -> Mapping[str, GameData]:
    """The data of all older versions, by their packages: rooms send it, nobody asks for it."""
    older = (each for game in games.values() for each in game.older.values())
    return {game.package: _data_of(game) for game in older}


class Questions:
    """Answers `ask`; owned by the app."""

    def __init__(
        self,
        games: Mapping[str, GameData],
        rooms: RoomAccess,
        look_ups: LookUps,
        scenes: LobbyScenes,
        of_features: Callable[[Connection, str, Ask], Coroutine[Any, Any, Branch | None] | None],
    ) -> None:
        self._of_features = of_features
        self._games = games
        self._rooms = rooms
        self._look_ups = look_ups
        self._scenes = scenes

    def ask(self, connection: Connection, asked: Ask) -> Work | None:
        """Answer a question, or say why not; what is left to be done for it, once it is called."""
        room = "" if asked.room is None else connection.rooms.get(asked.room)
        try:
            if room is None:
                raise NotAllowed("not_in_room")
            return self._answer(connection, room, asked)
        except Refusal as refusal:
            self._refuse(connection, asked.id, refusal)
            return None

    def _answer(self, connection: Connection, room: str, asked: Ask) -> Work | None:
        match asked.what:
            case "game":
                self._send_game(connection, asked)
            case "ping":
                self._send(connection, asked, {})
            case _:
                return partial(self._later, connection, room, asked)
        return None

    async def _later(self, connection: Connection, room: str, asked: Ask) -> None:
        try:
            answer = await self._looked_up(connection, room, asked)
        except Refusal as refusal:
            self._refuse(connection, asked.id, refusal)
        else:
            if answer is not None:
                connection.send(answer)

    async def _looked_up(self, connection: Connection, room: str, asked: Ask) -> Answer | None:
        """The answer; None where the room gives it, or it comes later."""
        reply = self._of_features(connection, room, asked)
        if reply is not None:
            brought = await reply
            return None if brought is None else self._reply(asked, brought)
        if room:
            await self._rooms.ask(connection, room, asked)
            return None
        body = await answer_of_scene(
            asked.what,
            asked.args,
            partial(self._scenes.scene, connection),
            lambda sources: self._look_ups.offers(sources, connection.person),
        )
        if isinstance(body, RunCommand):
            connection.perform("", replace(body, ask=asked.id), "")
            return None
        return self._reply(asked, body)

    def _reply(self, asked: Ask, body: Branch) -> Answer:
        return Answer(id=asked.id, what=asked.what, body=body)

    def _send(self, connection: Connection, asked: Ask, body: Branch) -> None:
        connection.send(self._reply(asked, body))

    def _send_game(self, connection: Connection, asked: Ask) -> None:
        key = str(asked.args.get("key", ""))
        found = self._games.get(key)
        if found is None:
            raise NotAllowed("no_such_game", given=key, candidates=tuple(self._games))
        connection.send(found)
        self._send(connection, asked, {"key": key, "hash": found.hash})

    def _refuse(self, connection: Connection, ask_id: str, refusal: Refusal) -> None:
        connection.send(error_of(refusal, ask_id, connection.lang))
