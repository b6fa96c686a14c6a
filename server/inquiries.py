"""Questions that change nothing: game data, catalogue, completion, records, older log lines."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from protocol import Answer, Ask, Branch, Done, Error, Note, Version, canonical
from protocol import Game as GameData
from rules.core.game import Game
from rules.core.phrases import LANGS
from rules.core.refusal import NotAllowed, Refusal
from server.caller import Caller
from server.commands.acts import Tell
from server.commands.catalogue import catalogue, complete
from server.commands.resolve import resolve
from server.commands.scene import Scene
from server.edge.page import about_room
from server.engine.keys import keys_of
from server.journal import JournalError
from server.observe import log
from server.room.options import GENERAL
from server.room.records import record_of
from server.sentences import event_lines, refusal_text, say

if TYPE_CHECKING:
    from server.app import App
    from server.engine.live import LiveRoom


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
                "help": _both(game, f"option.{option.name}"),
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


def _both(game: Game[Any], key: str) -> dict[str, str]:
    return {"en": game.phrases.say(key, "en"), "ja": game.phrases.say(key, "ja")}


class Inquiries:
    """Answers `ask`; owned by the app."""

    def __init__(self, app: App) -> None:
        self._app = app
        bodies = {key: game_body(game) for key, game in app.games.items()}
        self._games: Mapping[str, GameData] = {
            key: GameData(key=key, hash=hash_of(body), body=body) for key, body in bodies.items()
        }

    def game_data(self, key: str) -> GameData | None:
        """A game's unchanging data; None for a game that the server has not."""
        return self._games.get(key)

    def ask(self, caller: Caller, asked: Ask) -> None:
        """Answer a question, or say why not."""
        live = None if asked.room is None else caller.rooms.get(asked.room)
        try:
            if asked.room is not None and live is None:
                raise NotAllowed("not_in_room")
            self._answer(caller, live, asked)
        except Refusal as refusal:
            self._refuse(caller, asked.id, refusal, live)

    def _answer(self, caller: Caller, live: LiveRoom | None, asked: Ask) -> None:
        body: Branch
        match asked.what:
            case "game":
                self._send_game(caller, asked)
                return
            case "record":
                self._app.tasks.start(self._ask_record(caller, live, asked))
                return
            case "catalogue":
                body = {"commands": catalogue(self._scene(caller, live))}
            case "complete":
                found = complete(self._scene(caller, live), str(asked.args.get("text", "")))
                body = {"start": found.start, "candidates": list(found.candidates)}
            case "query":
                body = self._query(caller, live, str(asked.args.get("text", "")))
            case "rooms":
                body = {"rooms": self._own_rooms(caller)}
            case "history":
                body = {"lines": self._history(caller, live)}
        caller.send(Answer(id=asked.id, what=asked.what, body=body))

    def _send_game(self, caller: Caller, asked: Ask) -> None:
        key = str(asked.args.get("key", ""))
        found = self._games.get(key)
        if found is None:
            raise NotAllowed("no_such_game", given=key, candidates=tuple(self._games))
        caller.send(found)
        caller.send(Answer(id=asked.id, what="game", body={"key": key, "hash": found.hash}))

    def _query(self, caller: Caller, live: LiveRoom | None, text: str) -> Branch:
        """What a line that only looks would be told: for boards, that show it in their place."""
        act = resolve(self._scene(caller, live), text)
        if not isinstance(act, Tell):
            raise NotAllowed("no_such_query", given=text)
        return {"code": act.code, "text": act.text}

    def _own_rooms(self, caller: Caller) -> list[Any]:  # Any: plain trees
        """The rooms in which the asker has a seat or is the host, newest first."""
        person = caller.person
        return [
            {**about_room(line), "turn": caller.name in line.turn}
            for line in self._app.world.rooms()
            if person in line.persons or person == line.host_person
        ]

    def _scene(self, caller: Caller, live: LiveRoom | None) -> Scene:
        if live is not None:
            return live.scene(caller)
        return Scene(caller.speaker, self._app.world, self._app.clock.now(), b"")

    def _history(self, caller: Caller, live: LiveRoom | None) -> list[Any]:  # Any: plain trees
        if live is None:
            raise NotAllowed("not_in_room")
        room = live.room
        number = live.number_of(caller)
        eyes = live.present.members[caller].audience.eyes if number is not None else frozenset()
        return [
            {"version": logged.version, "at": logged.at, "text": line}
            for logged in room.log
            for line in event_lines(logged.events, eyes, caller.lang, live.game, room.name_of)
        ]

    async def _ask_record(self, caller: Caller, live: LiveRoom | None, asked: Ask) -> None:
        try:
            text = await self._record(caller, live, str(asked.args.get("id", "")))
        except Refusal as refusal:
            self._refuse(caller, asked.id, refusal, live)
            return
        caller.send(Answer(id=asked.id, what="record", body={"text": text}))

    def fetch_record(
        self, caller: Caller, live: LiveRoom | None, game_id: str, say_id: str
    ) -> None:
        """`/record`: the text as a note."""
        self._app.tasks.start(self._note_record(caller, live, game_id, say_id))

    async def _note_record(
        self, caller: Caller, live: LiveRoom | None, game_id: str, say_id: str
    ) -> None:
        try:
            text = await self._record(caller, live, game_id)
        except Refusal as refusal:
            self._app.reception.refuse(caller, say_id, refusal)
            return
        number = None if live is None else live.number_of(caller)
        version = None if live is None else Version(live.room.version)
        caller.send(Note(room=number, code="record", text=text))
        caller.answer(Done(id=say_id, room=number, version=version))

    async def _record(self, caller: Caller, live: LiveRoom | None, game_id: str) -> str:
        """The record of the room's game, or of a finished one that the caller may have."""
        room = None if live is None else live.room
        if room is not None and live is not None and game_id in ("", room.table.game_id):
            if live.game is None:
                raise NotAllowed("version_gap", given=room.table.game)
            seat = room.seat_of(caller.person)
            return record_of(room, live.game, frozenset() if seat is None else frozenset((seat,)))
        if not game_id:
            raise NotAllowed("not_in_room")
        try:
            entry = await self._app.registry.load_record(game_id)
        except JournalError as problem:
            log(logging.ERROR, "record not loaded", why=str(problem))
            raise NotAllowed("not_saved") from problem
        if entry is None or not self._may_have(caller, entry.facts):
            raise NotAllowed("no_such_record", given=game_id)
        return entry.lines[0]

    def _may_have(self, caller: Caller, facts: Mapping[str, Any]) -> bool:
        """A private room's record is for those who may know of the room."""
        if not facts.get("private"):
            return True
        line = self._app.directory.get(str(facts.get("room", "")))
        return line is not None and (
            caller.person in line.admitted
            or caller.person in line.persons
            or caller.person == line.host_person
        )

    def _refuse(self, caller: Caller, ask_id: str, refusal: Refusal, live: LiveRoom | None) -> None:
        game = None if live is None else live.game
        caller.send(
            Error(
                id=ask_id,
                code=refusal.code,
                text=refusal_text(refusal, caller.lang, game),
                rule=refusal.rule,
                candidates=refusal.candidates,
            )
        )


def hash_of(body: Branch) -> str:
    """A short name for a body that changes when the body does."""
    return hashlib.sha256(canonical(body)).hexdigest()[:16]
