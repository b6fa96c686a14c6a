"""The games whose files the generic tests find: all below `tests/rules/KEY`.

    records/*.record   finished games, verified draw by draw (`tests/rules/test_records.py`)
    records.toml       how those were made; they are made again and compared
    perft.txt          how many sequences of lines games begin with (`tests/rules/test_goldens.py`)
    playthrough.txt    a random game with the views of all seats, as the kit prints it
    secrets.txt        what the game hides from some seat, and which events show it
    texts.txt          boards, statuses, areas and lists of moves, in both languages
    page.toml          what the blocks of the players' page are taken from (`test_pages.py`)

`python -m tests.rules.write_goldens KEY` writes records and golden texts again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bluebear import rules
from bluebear.rules.core.game import Game

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
PACKAGES: Final = ("bluebear.rules", "tests.games", "liars_dice", "sevens")
GAMES: Final[Mapping[str, Game[Any]]] = rules.games(PACKAGES)
"""All games of this checkout (Any: each game has a state class of its own)."""


def files_named(name: str) -> dict[str, Path]:
    """The files of that name, by the key of their game."""
    return {key: HERE / key / name for key in GAMES if (HERE / key / name).exists()}


def lines(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()


def players_page(key: str) -> str:
    """The page for players of a game: the English one, then its Japanese twin."""
    folders = (ROOT / "docs" / "games", ROOT / "docs" / "ja" / "games")
    return "\n".join((folder / f"{key}.md").read_text(encoding="utf-8") for folder in folders)
