"""House bots: what their levels are called, and what `/bots` tells of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import CASUAL, CLUB, MASTER, PUPIL, STRONG
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.scene import Scene
from bluebear.server.sentences import say

LEVEL_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    PUPIL: ("見習い",),
    CASUAL: ("普通",),
    CLUB: ("中級",),
    STRONG: ("上級",),
    MASTER: ("名人",),
}
"""What levels are called in Japanese."""

_ABOUT: Final[Mapping[str, str]] = {
    PUPIL: "answer.bot_pupil",
    CASUAL: "answer.bot_casual",
    CLUB: "answer.bot_club",
    STRONG: "answer.bot_strong",
    MASTER: "answer.bot_master",
    "random": "answer.bot_random",
}


def bots(scene: Scene) -> Tell:
    """The house bots of the room's game, and how strong they were when it was measured."""
    if scene.room is None:
        raise NotAllowed("not_in_room")
    if scene.game is None:
        raise NotAllowed("version_gap", given=scene.room.table.game)
    return Tell("bots", "\n".join(_lines(scene, scene.game)))


def _about(name: str, game: Game[object]) -> str | None:
    """The sentence that tells of a house bot; None where there is none."""
    if name == CASUAL and game.thinker is not None and CASUAL in game.thinker.sights:
        return "answer.bot_casual_ahead"
    return _ABOUT.get(name)


def _lines(scene: Scene, game: Game[object]) -> Iterator[str]:
    lang = scene.speaker.lang
    for name in game.players:
        key = _about(name, game)
        yield f"/bot {name}" if key is None else f"/bot {name}  {say(key, lang)}"
        found = None if game.thinker is None else game.thinker.measured.get(name)
        if found is not None:
            told = say(
                "answer.bot_measured",
                lang,
                share=found.share,
                against=found.against,
                games=found.games,
            )
            yield f"     {told}"
