"""Is the page for players (docs/games/manhattan.md) what really happens?"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from rules.core.game import Page
from rules.core.phrases import LANGS, Lang
from rules.core.record import Moved, parse_record, replay
from rules.core.telling import event_text
from rules.manhattan import GAME
from rules.manhattan.events import Scored
from rules.manhattan.state import City
from tests.rules.finding import HERE
from tests.rules.manhattan.scene import A, building_turn, choosing, eyes, typed

PAGE: Final = (Path(__file__).parents[3] / "docs" / "games" / "manhattan.md").read_text(
    encoding="utf-8"
)
FENCE: Final = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
BLOCKS: Final = FENCE.findall(PAGE)
RECORD: Final = parse_record(
    (HERE / "manhattan" / "records" / "two_greedy.record").read_text(encoding="utf-8")
)
MOMENTS: Final = replay(GAME, RECORD)
SHOWN_MOVES: Final = 8
"""So many moves of the record are told on the page, in each language."""


def name_of(seat: int) -> str:
    return ["", "Ayu", "Ben"][seat]


def block(lang: Lang, number: int) -> list[str]:
    """The lines of the n-th fenced block in one language; there are four in each."""
    lines: list[str] = BLOCKS[LANGS.index(lang) * 4 + number].splitlines()
    return lines


def told(lang: Lang, number: int) -> list[str]:
    """What Ayu reads after so many moves."""
    texts = (
        event_text(GAME.phrases, event, eyes(A), lang=lang, name_of=name_of)
        for event in MOMENTS[number].events
    )
    return [f"  {text}" for text in texts if text is not None]


@pytest.mark.parametrize("lang", LANGS)
def test_the_game_on_the_page_is_one_that_was_played(lang: Lang) -> None:
    read = [line for line in block(lang, 0) if not line.startswith("/")]
    assert read == [line for number in range(SHOWN_MOVES + 1) for line in told(lang, number)]


@pytest.mark.parametrize("lang", LANGS)
def test_the_lines_on_the_page_are_the_moves_of_that_game(lang: Lang) -> None:
    meant: list[str] = []
    played: list[str] = []
    lines = iter([line for line in block(lang, 0) if line.startswith("/")])
    for before, after in pairwise(MOMENTS[: SHOWN_MOVES + 1]):
        if isinstance(after.line, Moved) and after.line.seat == A:
            meant.append(typed(before.state, A, next(lines)))
            played += after.line.lines
    assert meant == played


@pytest.mark.parametrize("lang", LANGS)
def test_the_board_on_the_page_is_that_of_the_game(lang: Lang) -> None:
    view = GAME.seen(MOMENTS[SHOWN_MOVES].state, eyes(A))
    page = Page(lang=lang, name_of=name_of)
    assert block(lang, 1) == GAME.board(view, eyes(A), page).splitlines()
    shown = GAME.answer("show", view, eyes(A), {"city": City.HONGKONG}, page)
    assert block(lang, 2) == shown.splitlines()


@pytest.mark.parametrize("lang", LANGS)
def test_the_points_on_the_page_are_those_of_the_first_round(lang: Lang) -> None:
    number = next(
        number
        for number, moment in enumerate(MOMENTS)
        if any(isinstance(event, Scored) for event in moment.events)
    )
    assert block(lang, 3) == [line for line in told(lang, number) if "(5.1)" in line]


@pytest.mark.parametrize(
    "line", re.findall(r"^\| `(/(?:take|取る|b|build|建てる|3)[^`]*)`", PAGE, re.MULTILINE)
)
def test_every_form_in_the_tables_is_understood(line: str) -> None:
    taking = line.startswith(("/take", "/取る"))
    table = choosing() if taking else building_turn(hand=(5, 5, 5, 5), chosen=(3,))
    meant = typed(table, A, line)
    assert meant.startswith("/take ") if taking else meant == "/build 3 frankfurt 5"
