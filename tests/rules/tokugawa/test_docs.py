"""Is the page for players (docs/games/tokugawa.md and its twin in docs/ja) what really happens?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest

from bluebear.rules.core.chance import NoChance
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Eyes, Move
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.terms import Town
from bluebear.rules.tokugawa.rules.state import State
from tests.rules.game_files import players_page
from tests.rules.tokugawa.page_game import STORY, beginning, draws
from tests.rules.tokugawa.worked import A, done, position

PAGE: Final = players_page("tokugawa")
BLOCKS: Final = re.findall(r"^```\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
EACH: Final = 3
"""So many blocks stand in each language."""
NO_SEATS: Eyes = frozenset()


def name_of(seat: int) -> str:
    return ["", "Ayu", "Ben"][seat]


def block(lang: Lang, number: int) -> list[str]:
    """The lines of the n-th fenced block in one language."""
    lines: list[str] = BLOCKS[LANGS.index(lang) * EACH + number].splitlines()
    return lines


def page(lang: Lang) -> TextPage:
    return TextPage(lang=lang, name_of=name_of)


def moves_of(table: State, text: str) -> tuple[Move, ...]:
    """The moves of a typed line, as a server finds them."""
    grammar = GAME.grammar
    head, _, rest = text.removeprefix("/").partition(" ")
    (name,) = grammar.heads.find(fold(head))
    view = GAME.seen(table, NO_SEATS)
    longer = GAME.text(view, frozenset((A,))).expand(A, name, rest)
    if longer is not None:
        return longer
    return (grammar.understand(grammar.verbs[name], rest, lambda: GAME.legal(table, A)),)


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_page_shows_of_the_board_and_the_odds(lang: Lang) -> None:
    view = GAME.seen(beginning(), NO_SEATS)
    assert block(lang, 0) == GAME.text(view, NO_SEATS, page(lang)).look("hokuriku").splitlines()
    arguments = {"origin": Town("kanazawa"), "town": Town("kitanosho"), "sea": False}
    text = GAME.text(view, NO_SEATS, page(lang)).answer("odds", arguments)
    assert block(lang, 1) == text.splitlines()


@pytest.mark.parametrize("lang", LANGS)
def test_the_turn_on_the_page_is_one_that_can_be_played(lang: Lang) -> None:
    assert block(lang, 2) == list(_documented(lang))


def _documented(lang: Lang) -> Iterator[str]:
    table, chance = beginning(), draws()
    for step in STORY:
        text = step.en if lang == "en" else step.ja
        if text:
            yield text
            assert [GAME.grammar.format(move) for move in moves_of(table, text)] == [step.line]
        assert table.decides is not None
        outcome = done(table, table.decides, step.line, chance)
        table = outcome.state
        for event in outcome.events:
            yield f"  {event_text(GAME.phrases, event, NO_SEATS, lang=lang, name_of=name_of)}"


TYPED: Final = [
    line
    for cell in re.findall(r"^\| (`/[^|]*)\|", PAGE, re.MULTILINE)
    for line in re.findall(r"`(/[^`]*)`", cell)
]


@pytest.mark.parametrize("line", [*TYPED, "/lev sp osa", "/徴兵 槍 大"])
def test_every_form_in_the_tables_is_understood(line: str) -> None:
    head, _, rest = line.removeprefix("/").partition(" ")
    grammar = GAME.grammar
    if head in ("look", "眺める"):
        assert {"kyoto", "kinki"} >= {rest}
        return
    (name,) = grammar.heads.find(fold(head))
    if name in grammar.queries:
        assert grammar.arguments(grammar.queries[name], rest) is not None
        return
    moves = moves_of(position("A nara archer", "A kyoto capital", "B ueno archer"), line)
    for move in moves:
        assert grammar.parse(grammar.format(move)) == move


@pytest.mark.parametrize(
    "line", ["/build wall kyoto", "/build castle kyoto", "/建設 城壁 京都", "/建設 城 京都"]
)
def test_the_advice_on_the_page_can_be_followed_in_the_first_turn(line: str) -> None:
    table = position(number=1, actions=1)
    (move,) = moves_of(table, line)
    assert GAME.play(table, A, move, NoChance()).state.actions == 1


def test_options_on_the_page_are_those_of_the_game() -> None:
    named = set(re.findall(r"`/option (\w+)", PAGE))
    assert named == set(GAME.info.options)
    japanese = set(re.findall(r"`/オプション (\S+)", PAGE))
    assert japanese == {name for option in GAME.info.options.values() for name in option.names}
