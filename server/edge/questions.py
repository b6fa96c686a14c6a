"""Questions that change nothing: game data, catalogue, completion, records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from bluebear.protocol import Answer, Ask, Branch
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import RunCommand
from bluebear.server.commands.asked import answer_of_scene
from bluebear.server.commands.native import error_of
from bluebear.server.commands.needs import NOTHING, Offers, Sources
from bluebear.server.commands.scene import Scene
from bluebear.server.edge.connection import Connection, ServerFeatures
from bluebear.server.edge.scenes import LobbyScenes
from bluebear.server.lookups import LookUps
from bluebear.server.net.dispatch import Work
from bluebear.server.room.fold_context import Games
from bluebear.server.rooms.access import RoomAccess
from bluebear.server.rooms.views import data_of


@dataclass(frozen=True, slots=True)
class _LobbyClient:
    """The `SceneSource` of a client in the lobby."""

    connection: Connection
    scenes: LobbyScenes
    look_ups: LookUps

    def scene(self, offers: Offers = NOTHING) -> Scene:
        return self.scenes.scene(self.connection, offers)

    async def offers(self, sources: Sources) -> Offers:
        return await self.look_ups.offers(sources, self.connection.person)


class Questions:
    """Answers `ask`; owned by the app."""

    def __init__(
        self,
        games: Games,
        rooms: RoomAccess,
        look_ups: LookUps,
        scenes: LobbyScenes,
        features: ServerFeatures,
    ) -> None:
        self._features = features
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
        reply = self._features.answer(connection, room, asked)
        if reply is not None:
            brought = await reply
            return None if brought is None else self._reply(asked, brought)
        if room:
            await self._rooms.ask(connection, room, asked)
            return None
        client = _LobbyClient(connection, self._scenes, self._look_ups)
        body = await answer_of_scene(asked.what, asked.args, client)
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
        game = self._games.get(key)
        if game is None:
            raise NotAllowed("no_such_game", given=key, candidates=tuple(self._games))
        data = data_of(game)
        connection.send(data)
        self._send(connection, asked, {"key": key, "hash": data.hash})

    def _refuse(self, connection: Connection, ask_id: str, refusal: Refusal) -> None:
        connection.send(error_of(refusal, ask_id, connection.lang))
