"""Queries about a scene, in the lobby or in a room: catalogue, completion, replies as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bluebear.protocol import Branch
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import RunCommand, Tell
from bluebear.server.commands.catalogue import catalogue, complete, sources_of
from bluebear.server.commands.command import COMMANDS
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import ALWAYS_OFFERED, Scene, Sources
from bluebear.server.room.game_flow import has_hidden_movers, undo_is_free, undo_target
from bluebear.server.room.state import Phase, versions_for
from bluebear.server.runtime import body_hash

Args = Mapping[str, str | int]


_WIDTHS: Final = range(40, 201)
_HEIGHTS: Final = range(4, 101)
"""The columns and lines that a query may request for a text."""


def sources_for(what: str, args: Args, scene: Scene) -> Sources | None:
    """The sources that must be read before a query is answered; None if there are none."""
    if what == "complete":
        return sources_of(scene, str(args.get("text", "")))
    return ALWAYS_OFFERED if what == "catalogue" else None


def answer_of_scene(what: str, args: Args, scene: Scene) -> Branch | RunCommand:
    """The reply to `undo`, `catalogue`, `complete` or `query`, or its command. Raises Refusal."""
    match what:
        case "undo":
            return _undo_ahead(scene)
        case "catalogue":
            return _catalogue(str(args.get("hash", "")), scene)
        case "complete":
            made = complete(scene, str(args.get("text", "")))
            return {"start": made.start, "candidates": list(made.candidates)}
        case _:
            return _query(args, scene)


def _catalogue(cached: str, scene: Scene) -> Branch:
    """The present catalogue with its hash; the hash alone if the client has `cached` this one."""
    commands = catalogue(scene)
    name = body_hash({"commands": commands})
    return {"hash": name} if cached == name else {"hash": name, "commands": commands}


def _query(args: Args, scene: Scene) -> Branch | RunCommand:
    """The reply to a line that changes nothing, as data for boards."""
    text = str(args.get("text", ""))
    act = resolve(_sized(scene, args), text)
    if isinstance(act, RunCommand) and COMMANDS[act.command].is_query:
        return act
    if not isinstance(act, Tell):
        raise NotAllowed("no_such_query", given=text)
    return answer_body(act)


def answer_body(tell: Tell) -> Branch:
    """A note as the body of the message `answer`."""
    body: Branch = {"code": tell.code, "text": tell.text}
    data = None if tell.figures is None else tell.figures()
    return body if data is None else {**body, "data": data}


def _undo_ahead(scene: Scene) -> Branch:
    """Whether the speaker `can` undo, and whether that `asks` the other players by a vote.

    `line` is the game's move that takes back within a turn; otherwise `version` is the entry that
    would be undone.
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
    """The scene with the requested size of the page."""
    width, lines = given.get("width"), given.get("lines")
    return replace(
        scene,
        width=_within(_WIDTHS, width) if isinstance(width, int) else scene.width,
        lines=_within(_HEIGHTS, lines) if isinstance(lines, int) else scene.lines,
    )


def _within(bounds: range, number: int) -> int:
    return min(max(number, bounds[0]), bounds[-1])
