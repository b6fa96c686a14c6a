"""What is told without a connection: of the server, an invite, a room, a finished game."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.edge.finished_games import FinishedGames
from bluebear.server.lookups import LookUps
from bluebear.server.net.pages import pack_json
from bluebear.server.resources import Resources
from bluebear.server.room.options import option_labels, options_for
from bluebear.server.rooms.loading import about_room
from bluebear.server.tokens import token_hash


class PublicInfo:
    """Replies to `/about` paths; owned by the app. `tells` of rooms: no password is asked for."""

    def __init__(
        self,
        resources: Resources,
        look_ups: LookUps,
        finished_games: FinishedGames,
        *,
        tells: bool,
    ) -> None:
        self._resources = resources
        self._look_ups = look_ups
        self._finished_games = finished_games
        self._tells = tells

    @property
    def public_url(self) -> str:
        """The address of this server, by now."""
        return self._resources.public_url

    async def about(self, path: str) -> bytes:
        """What is asked before there is a name: of the server, an invite, a room, an old game."""
        match path.split("/")[2:]:
            case []:
                return self._server_info
            case _ if not self._tells:
                # Where newcomers are asked for a password, rooms are told of behind it.
                return pack_json(None)
            case ["invite", token]:
                is_by_number, found = False, self._look_ups.room_of_invite(token_hash(token))
            case ["room", number]:
                # By number only what is listed: numbers can be guessed, and here no tries count.
                is_by_number, found = True, self._look_ups.room(number, "")
            case ["game", game_id]:
                return pack_json(await self._game(game_id))
            case _:
                return pack_json(None)
        try:
            line = await found
        except NotAllowed:
            line = None
        if line is not None and is_by_number and not line.listed:
            line = None
        # null, not 404: to know nothing of a room is an answer like any other.
        return pack_json(None if line is None else about_room(line))

    async def _game(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        try:
            return await self._finished_games.about(game_id)
        except NotAllowed:
            return None

    @cached_property
    def _server_info(self) -> bytes:
        """Packed when the first browser asks: most servers of tests never meet one."""
        games = [
            {
                "key": game.info.key,
                "name": {"en": game.info.en, "ja": game.info.ja},
                "seats": {"min": game.info.min_seats, "max": game.info.max_seats},
                "minutes": game.info.minutes,
                "options": [option_labels(option) for option in options_for(game).values()],
            }
            for game in self._resources.games.values()
        ]
        return pack_json({"server": self._resources.version, "games": games})
