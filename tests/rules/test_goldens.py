"""Does every game begin, go and look as its files below `tests/rules/KEY` say?

Where a change is meant, `python -m tests.rules.write_goldens KEY` writes the texts anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bluebear.rules.core.conformance.random_play import perft
from tests.rules.game_files import GAMES, HERE, files_named, lines
from tests.rules.goldens import made_again
from tests.rules.perft_files import Perft, read_perft

PERFT: Final = [
    wanted
    for path in files_named("perft.txt").values()
    for wanted in read_perft(path.read_text(encoding="utf-8"), GAMES)
]
TEXTS: Final = [
    path
    for name in ("playthrough.txt", "texts.txt", "secrets.txt")
    for path in files_named(name).values()
]


@pytest.mark.parametrize("wanted", PERFT, ids=[each.line for each in PERFT])
def test_a_game_begins_in_so_many_forms(wanted: Perft) -> None:
    assert perft(wanted.case, len(wanted.counts), wanted.seed) == wanted.counts


@pytest.mark.parametrize("path", TEXTS, ids=[f"{each.parent.name} {each.stem}" for each in TEXTS])
def test_a_complete_game_looks_as_it_did(path: Path) -> None:
    stored = lines(path)
    made = made_again(GAMES[path.parent.name], stored[0])
    assert "\n".join(made).splitlines() == stored


@pytest.mark.parametrize("key", list(GAMES))
def test_every_game_has_a_playthrough_its_secrets_and_a_record(key: str) -> None:
    assert (HERE / key / "playthrough.txt").is_file()
    assert (HERE / key / "secrets.txt").is_file()
    assert list((HERE / key / "records").glob("*.record"))
