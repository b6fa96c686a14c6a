"""Is the page for players (docs/games/railroad_ink.md) what really happens?"""

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
from rules.railroad_ink import GAME
from rules.railroad_ink.events import GameOver, Scored
from tests.rules.railroad_ink.golden import RECORDS
from tests.rules.railroad_ink.scene import A, eyes, play, table, typed

PAGE: Final = (Path(__file__).parents[3] / "docs" / "games" / "railroad_ink.md").read_text(
    encoding="utf-8"
)
FENCE: Final = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
BLOCKS: Final = FENCE.findall(PAGE)
RECORD: Final = parse_record((RECORDS / "two_greedy.record").read_text(encoding="utf-8"))
MOMENTS: Final = replay(GAME, RECORD)
SHOWN_MOVES: Final = 12
"""So many moves of the record are told on the page: the first round."""
BOARD_AFTER: Final = 10
"""After so many moves the board is shown."""


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
def test_the_round_on_the_page_is_one_that_was_played(lang: Lang) -> None:
    read = [line for line in block(lang, 0) if not line.startswith("/")]
    assert read == [line for number in range(SHOWN_MOVES + 1) for line in told(lang, number)]


@pytest.mark.parametrize("lang", LANGS)
def test_the_lines_on_the_page_are_the_moves_of_that_round(lang: Lang) -> None:
    meant: list[str] = []
    played: list[str] = []
    lines = iter([line for line in block(lang, 0) if line.startswith("/")])
    for before, after in pairwise(MOMENTS[: SHOWN_MOVES + 1]):
        if isinstance(after.line, Moved) and after.line.seat == A:
            meant.append(typed(before.state, next(lines)))
            played += after.line.lines
    assert meant == played


@pytest.mark.parametrize("lang", LANGS)
def test_the_boards_on_the_page_are_those_of_the_round(lang: Lang) -> None:
    view = GAME.seen(MOMENTS[BOARD_AFTER].state, eyes(A))
    page = Page(lang=lang, name_of=name_of)
    assert block(lang, 1) == GAME.board(view, eyes(A), page).splitlines()
    shown = GAME.answer("show", view, eyes(A), {}, page).splitlines()
    assert block(lang, 2) == shown[20:]


@pytest.mark.parametrize("lang", LANGS)
def test_the_points_on_the_page_are_those_of_the_game(lang: Lang) -> None:
    (last,) = (
        number
        for number, moment in enumerate(MOMENTS)
        if any(isinstance(event, GameOver) for event in moment.events)
    )
    count = sum(isinstance(event, Scored | GameOver) for event in MOMENTS[last].events)
    assert block(lang, 3) == told(lang, last)[-count:]


FORMS: Final = re.findall(
    r"^\| `(/(?:draw|d|\d|描く|special|s|特|erase|戻す|done|完了)[^`]*)`", PAGE, re.MULTILINE
)


@pytest.mark.parametrize("line", FORMS)
def test_every_form_in_the_tables_is_understood(line: str) -> None:
    """C4 takes a road T in one way only, and the curved station in any."""
    before = table(
        "A4 road_straight 1, B4 road_straight 1, C3 rail_straight 0",
        dice="rail_curve road_t rail_t station_curve",
    )
    if line.startswith(("/erase", "/戻す")):
        before = play(before, "/draw road_t C4 2")
    meant = typed(before, line)
    assert meant in {
        "/draw road_t C4 2",
        "/draw station_curve C4 2m",
        "/draw station_curve C4 0",
        "/special 2 B6 2",
        "/erase C4",
        "/done",
    }


def test_the_tables_have_forms() -> None:
    assert len(FORMS) == 23
