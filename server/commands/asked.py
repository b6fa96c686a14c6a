"""Questions about a scene, which change nothing: the catalogue, completion, what a line would tell.

The same in the lobby and in a room; whoever has the scene answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final

from bluebear.protocol import Branch, canonical
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.catalogue import catalogue, complete, wanted_to_complete
from bluebear.server.commands.needs import ALWAYS_OFFERED, NOTHING, Found, Wanted
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene
from bluebear.server.commands.undoing import undo_ahead

Args = Mapping[str, str | int]
SceneOf = Callable[[Found | None], Scene]
"""The scene of whoever asks, with what was looked up for it."""
Fetch = Callable[[Wanted], Coroutine[Any, Any, Found]]
"""Looks up for whoever asks. Raises NotAllowed (not_saved)."""

SCENIC: Final = ("undo", "catalogue", "complete", "query")
"""What can be asked of a scene."""

_WIDTHS: Final = range(40, 201)
_HEIGHTS: Final = range(4, 101)
"""How wide and high a text may be asked for: smaller is no board, larger no window."""


def hash_of(body: Branch) -> str:
    """A short name for a body that changes when the body does."""
    return hashlib.sha256(canonical(body)).hexdigest()[:16]


async def answer_of_scene(what: str, args: Args, scene_of: SceneOf, fetch: Fetch) -> Branch:
    """The answer to one of `SCENIC`. Raises Refusal."""
    match what:
        case "undo":
            return undo_ahead(scene_of(NOTHING))
        case "catalogue":
            return await _catalogue(str(args.get("hash", "")), scene_of, fetch)
        case "complete":
            return await _complete(str(args.get("text", "")), scene_of, fetch)
        case _:
            return await _query(args, scene_of, fetch)


async def _catalogue(known: str, scene_of: SceneOf, fetch: Fetch) -> Branch:
    """The live catalogue with its hash; the hash alone for who has that one already."""
    found = await fetch(ALWAYS_OFFERED)
    commands: list[Any] = list(catalogue(scene_of(found)))  # Any: trees
    name = hash_of({"commands": commands})
    return {"hash": name} if known == name else {"hash": name, "commands": commands}


async def _complete(text: str, scene_of: SceneOf, fetch: Fetch) -> Branch:
    wanted = wanted_to_complete(scene_of(NOTHING), text)
    found = NOTHING if wanted is None else await fetch(wanted)
    made = complete(scene_of(found), text)
    return {"start": made.start, "candidates": list(made.candidates)}


async def _query(args: Args, scene_of: SceneOf, fetch: Fetch) -> Branch:
    """What a line that only looks would be told: for boards, that show it in their place."""
    text = str(args.get("text", ""))
    meant = resolve(_sized(scene_of(None), args), text)
    if isinstance(meant, Wanted):
        found = await fetch(meant)
        meant = resolve(_sized(scene_of(found), args), text)
    if not isinstance(meant, Tell):
        raise NotAllowed("no_such_query", given=text)
    told: Branch = {"code": meant.code, "text": meant.text}
    data = None if meant.figures is None else meant.figures()
    return told if data is None else {**told, "data": data}


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
