"""What clients ask of the scene in which a line would be judged: catalogue, completion, replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, NotRequired, TypedDict, cast

from msgspec.structs import replace

from bluebear.protocol import Ask, Branch
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import RunCommand, Tell
from bluebear.server.commands.catalogue import (
    Catalogue,
    Completion,
    catalogue,
    complete,
    sources_of,
)
from bluebear.server.commands.command import COMMANDS
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import ALWAYS_OFFERED, NOTHING, Offers, Scene
from bluebear.server.features.feature import Context, Feature, Question
from bluebear.server.room.game_flow import undo_is_free, undo_target
from bluebear.server.room.state import Phase, versions_for
from bluebear.server.rooms.lines import scene_of
from bluebear.server.runtime import body_hash

_WIDTHS: Final = range(40, 201)
_HEIGHTS: Final = range(4, 101)
"""The columns and lines that a query may request for a text."""


class UndoAhead(TypedDict):
    """Whether the speaker `can` undo, and whether that `asks` the other players by a vote.

    `line` is the game's move that takes back within a turn; otherwise `version` is the entry that
    would be undone.
    """

    can: bool
    asks: NotRequired[bool]
    line: NotRequired[str]
    version: NotRequired[int]


class Queries(Feature):
    """Replies to queries in the lobby or in a room, which change nothing."""

    name = "queries"
    is_basic = True
    answers: ClassVar = {"catalogue": Catalogue, "complete": Completion, "undo": UndoAhead}

    def _scene(self, ctx: Context, offers: Offers = NOTHING) -> Scene:
        """What a line of the sender would be judged in. Raises NotAllowed (not_in_room)."""
        live = self.services.rooms.room(ctx.room)
        if ctx.room and live is None:
            raise NotAllowed("not_in_room")
        return scene_of(self.services.resources, ctx.connection, live, offers)

    @Question("catalogue")
    async def catalogue(self, ctx: Context, query: Ask) -> Catalogue:
        offers = await self.services.look_ups.offers(ALWAYS_OFFERED, ctx.connection.person)
        commands = catalogue(self._scene(ctx, offers))
        name, cached = body_hash(cast(Branch, {"commands": commands})), query.args.get("hash")
        return {"hash": name} if cached == name else {"hash": name, "commands": commands}

    @Question("complete")
    async def complete(self, ctx: Context, query: Ask) -> Branch:
        """What may stand at the end of a text."""
        text, scene = str(query.args.get("text", "")), self._scene(ctx)
        sources = sources_of(scene, text)
        if sources is not None:
            offers = await self.services.look_ups.offers(sources, ctx.connection.person)
            scene = self._scene(ctx, offers)
        made = complete(scene, text)
        return {"start": made.start, "candidates": list(made.candidates)}

    @Question("query")
    async def reply_as_data(self, ctx: Context, query: Ask) -> Branch | None:
        """The reply to a line that changes nothing, as data for boards; a command sends it later.

        Raises NotAllowed (no_such_query) for any other line, and what refuses it.
        """
        text, connection = str(query.args.get("text", "")), ctx.connection
        act = resolve(_sized(self._scene(ctx), query.args), text)
        if isinstance(act, RunCommand) and COMMANDS[act.command].is_query:
            connection.handler.perform(connection, ctx.room, replace(act, ask=query.id), "")
            return None
        if not isinstance(act, Tell):
            raise NotAllowed("no_such_query", given=text)
        return act.body()

    @Question("undo")
    async def undo_ahead(self, ctx: Context, query: Ask) -> UndoAhead:
        """What `/undo` would do."""
        scene = self._scene(ctx)
        room, game, seat = scene.room, scene.game, scene.seat
        if room is None or game is None or seat is None or scene.phase is not Phase.PLAYING:
            return {"can": False}
        move = game.take_back(room.game, seat, "")
        if move is not None:
            return {"can": True, "asks": False, "line": game.grammar.format(move)}
        try:
            index = undo_target(room.past, seat)
        except NotAllowed:
            return {"can": False}
        free = undo_is_free(game, room.past, room.game, index)
        asks = not free and any(voter != seat for voter in scene.all_to_agree())
        version = versions_for(room, scene.eyes)(room.past[index].version)
        return {"can": True, "asks": asks, "version": version}


def _sized(scene: Scene, given: Mapping[str, str | int]) -> Scene:
    """The scene with the requested size of the page."""
    width, lines = given.get("width"), given.get("lines")
    return replace(
        scene,
        width=_within(_WIDTHS, width) if isinstance(width, int) else scene.width,
        lines=_within(_HEIGHTS, lines) if isinstance(lines, int) else scene.lines,
    )


def _within(bounds: range, number: int) -> int:
    return min(max(number, bounds[0]), bounds[-1])
