"""Pure rule engines: `rules.core` is the contract, every folder with a `game.toml` is a game.

A game imports `rules.core` and itself, nothing else; there is no list of games to edit. A game may
also be a package of its own (`examples/liars_dice`), which is found when it is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.core.game import Game
from rules.core.loading import INSTALLED, Broken, Found, Places
from rules.core.loading import find_games as _find

EVERYWHERE: Final = ("rules", INSTALLED)
"""The games of this project and the installed ones."""


def find_games(packages: Places = EVERYWHERE) -> Found:
    """The games of some places (see `rules.core.loading`), and those that do not load."""
    return _find(packages)


def games(packages: Places = EVERYWHERE) -> Mapping[str, Game[Any]]:
    """The games of some places that load, by key, sorted."""
    return find_games(packages).games


__all__ = ["EVERYWHERE", "Broken", "Found", "Places", "find_games", "games"]
