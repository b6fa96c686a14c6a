"""Pure rule engines: `bluebear.rules.core` is the contract, every folder with a `game.toml` is a
game.

A game imports `bluebear.rules.core` and itself, nothing else; there is no list of games to edit. A
game may also be a separate package (`examples/liars_dice`), which is found when it is installed.

`bluebear.rules.discovery` is imported at the first search for games, so that a client that
only needs `bluebear.rules.core.merge_patch` starts quickly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bluebear.rules.core.game import Game
    from bluebear.rules.discovery import LoadedGames, Places

EVERYWHERE: Final = ("bluebear.rules", "bluebear.games")
"""The games of this project and the installed ones."""


def find_games(packages: Places = EVERYWHERE) -> LoadedGames:
    """The games of some places (see `bluebear.rules.discovery`), loaded and broken ones."""
    from bluebear.rules import discovery  # noqa: PLC0415 - see above

    return discovery.find_games(packages)


def games(packages: Places = EVERYWHERE) -> Mapping[str, Game[Any]]:
    """The loaded games of some places by key, sorted."""
    return find_games(packages).games


def packages_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Where a server and its bots look for games; an empty BLUEBEAR_GAMES is as good as none."""
    listed = (each.strip() for each in environment.get("BLUEBEAR_GAMES", "").split(","))
    return tuple(each for each in listed if each) or EVERYWHERE


__all__ = ["EVERYWHERE", "find_games", "games", "packages_of"]
