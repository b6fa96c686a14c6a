"""Pure rule engines: `rules.core` is the contract, every folder with a `game.toml` is a game.

A game imports `rules.core` and itself, nothing else; there is no list of games to edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module, resources
from typing import Any

from rules.core.game import Game


def games(packages: Sequence[str] = ("rules",)) -> Mapping[str, Game[Any]]:
    """All games found below some packages, by key, sorted: folders that have a `game.toml`."""
    found: dict[str, Game[Any]] = {}  # Any: each game has a state class of its own
    for package in packages:
        for folder in resources.files(package).iterdir():
            if folder.is_dir() and folder.joinpath("game.toml").is_file():
                game: Game[Any] = import_module(f"{package}.{folder.name}").GAME
                found[game.info.key] = game
    return dict(sorted(found.items()))


__all__ = ["games"]
