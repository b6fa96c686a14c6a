"""Pure rule engines: `bluebear.rules.core` is the contract, every folder with a `game.toml` is a
game.

A game imports `bluebear.rules.core` and itself, nothing else; there is no list of games to edit. A
game may also be a package of its own (`examples/liars_dice`), which is found when it is installed.

What looks for games is loaded when somebody looks: a client that only wants to know what a tree is
(`bluebear.rules.core.merge_patch`) need not wait for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bluebear.rules.core.discovery import LoadedGames, Places
    from bluebear.rules.core.game import Game

EVERYWHERE: Final = ("bluebear.rules", "bluebear.games")
"""The games of this project and the installed ones."""


def find_games(packages: Places = EVERYWHERE) -> LoadedGames:
    """The games of some places (see `bluebear.rules.core.discovery`), and those that do not
    load.
    """
    from bluebear.rules.core import discovery  # noqa: PLC0415 - see above

    return discovery.find_games(packages)


def games(packages: Places = EVERYWHERE) -> Mapping[str, Game[Any]]:
    """The games of some places that load, by key, sorted."""
    return find_games(packages).games


__all__ = ["EVERYWHERE", "find_games", "games"]
