"""Questions about a scene, which change nothing: the catalogue, completion, what a line would tell.

The same in the lobby and in a room; whoever has the scene answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

from bluebear.protocol import Branch
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import RunCommand, Tell
from bluebear.server.commands.catalogue import catalogue, complete, sources_of
from bluebear.server.commands.needs import ALWAYS_OFFERED, NOTHING, Offers, Sources
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene
from bluebear.server.commands.table import COMMANDS
from bluebear.server.room.game_flow import has_hidden_movers, undo_is_free, undo_target
from bluebear.server.room.state import Phase, versions_for
from bluebear.server.runtime import body_hash

Args = Mapping[str, str | int]


class SceneSource(Protocol):
    """The client that asks: in the lobby, or in a room."""

    def scene(self, offers: Offers = NOTHING) -> Scene:
        """Their scene, with what candidates rest on."""

    async def offers(self, sources: Sources) -> Offers:
        """Read what candidates rest on. Raises NotAllowed (not_saved)."""


_WIDTHS: Final = range(40, 201)
_HEIGHTS: Final = range(4, 101)
"""How wide and high a text may be asked for: smaller is no board, larger no window."""


async def answer_of_scene(what: str, args: Args, client: SceneSource) -> Branch | RunCommand:
    """The answer to `undo`, `catalogue`, `complete` or `query`, or its command. Raises Refusal."""
    match what:
        case "undo":
            return _undo_ahead(client.scene())
        case "catalogue":
            return await _catalogue(str(args.get("hash", "")), client)
        case "complete":
            return await _complete(str(args.get("text", "")), client)
        case _:
            return _query(args, client.scene())


async def _catalogue(known: str, client: SceneSource) -> Branch:
    """The live catalogue with its hash; the hash alone for who has that one already."""
    commands: list[Any] = list(
        catalogue(client.scene(await client.offers(ALWAYS_OFFERED)))
    )  # Any: trees
    name = body_hash({"commands": commands})
    return {"hash": name} if known == name else {"hash": name, "commands": commands}


async def _complete(text: str, client: SceneSource) -> Branch:
    scene = client.scene()
    sources = sources_of(scene, text)
    if sources is not None:
        scene = client.scene(await client.offers(sources))
    made = complete(scene, text)
    return {"start": made.start, "candidates": list(made.candidates)}


def _query(args: Args, scene: Scene) -> Branch | RunCommand:
    """What a line that only looks would be told: for boards, that show it in their place."""
    text = str(args.get("text", ""))
    meant = resolve(_sized(scene, args), text)
    if isinstance(meant, RunCommand):
        is_query = COMMANDS[meant.command].is_query
        if is_query is not None and is_query(meant.request):
            return meant
    if not isinstance(meant, Tell):
        raise NotAllowed("no_such_query", given=text)
    return told_as_data(meant)


def told_as_data(tell: Tell) -> Branch:
    """A reply as the body of an answer."""
    body: Branch = {"code": tell.code, "text": tell.text}
    data = None if tell.figures is None else tell.figures()
    return body if data is None else {**body, "data": data}


def _undo_ahead(scene: Scene) -> Branch:
    """Whether the speaker `can` undo, and whether that `asks` the others first.

    `line` is the move of the game that it would be inside of a turn; `version` the entry that would
    be undone else.
    """
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
    unseen = has_hidden_movers(game, room.game, seat)
    asks = (unseen or not free) and any(voter != seat for voter in scene.all_to_agree())
    version = versions_for(room, scene.eyes)(room.past[index].version)
    return {"can": True, "asks": asks, "version": version}


def _sized(scene: Scene, given: Args) -> Scene:
    """The scene with a page of the size that is asked for."""
    width, lines = given.get("width"), given.get("lines")
    return replace(
        scene,
        width=_within(_WIDTHS, width) if isinstance(width, int) else scene.width,
        lines=_within(_HEIGHTS, lines) if isinstance(lines, int) else scene.lines,
    )


def _within(bounds: range, number: int) -> int:
    return min(max(number, bounds[0]), bounds[-1])
