"""Is the page for players (docs/games/itc.md and its twin in docs/ja) what really happens?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import SPECTATOR, Move, Seat, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.state import Phase, State
from tests.rules.game_files import players_page
from tests.rules.itc.example import NA, A, B, pick_action, pick_transports, rolled, say, table
from tests.rules.scripted_chance import ScriptedChance

PAGE: Final = players_page("itc")
FENCE: Final = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
FENCED: Final = re.compile(r"`(/[^`]+)`")
BLOCKS: Final[list[str]] = FENCE.findall(PAGE)
EACH: Final = len(BLOCKS) // len(LANGS)


class Line(NamedTuple):
    """A player's line in each language, and what is drawn for it, from 0."""

    seat: Seat
    en: str
    ja: str
    draws: Sequence[int] = ()


def transport() -> tuple[State, list[Line]]:
    """The first example: Ben ends a turn, Ayu transports."""
    state = table(
        2,
        goods={NA: {Good.BLACK: 3, Good.YELLOW: 2}, Place.ASIA: {Good.WHITE: 2}},
        stones={NA: (3, 1), Place.ASIA: (1, 2), Place.AFRICA: (1, 1), Place.MARKET: (0, 2)},
        loads={Route.BLUE: {31: "A170"}, Route.GREY: {41: "B205?"}, Route.RED: {21: "n5"}},
        hands={A: [104, 195], B: [131, 166]},
        kept={A: ["1"], B: ["4"]},
        money={A: 64_500, B: 71_000},
        mover=B,
        round=4,
    )
    lines = [
        Line(B, "/end", "/終わり", [pick_action(state, "15")]),
        Line(A, "/dice blue red", "/ダイス 青 赤", [2, 4]),
        Line(A, "/use blue", "/使う 青"),
        Line(A, "/play 15", "/カード 15"),
        Line(A, "/move 170", "/進める 170"),
        Line(A, "/m 170", "/進める 170"),
        Line(A, "/land 170 na", "/上陸 170 北米", [5]),
        Line(A, "/load 195 grey 1 smuggling", "/積む 195 グレイ 1 密輸"),
        Line(A, "/load 104 blue 2", "/積む 104 青 2"),
    ]
    return state, lines


def sale() -> tuple[State, list[Line]]:
    """The second scene: the selling example of the rules."""
    goods = {Good.BLACK: 7, Good.RED: 1, Good.GREEN: 3, Good.YELLOW: 8, Good.BLUE: 4}
    state = table(2, goods={NA: goods}, stones={NA: (6, 5)}, die=Die.GREEN, points=4)
    lines = [
        Line(A, "/stone na", "/石 北米"),
        Line(A, "/sell na", "/売る 北米"),
        Line(A, "/sell na red", "/売る 北米 赤"),
        Line(A, "/s na", "/売る 北米"),
    ]
    return state, lines


def jam() -> tuple[State, list[Line]]:
    """The third scene: a red die, neutral loads, and a jam that is noted."""
    state = table(
        2,
        stones={NA: (1, 1), Place.MARKET: (0, 1)},
        loads={Route.GREY: {31: "A103", 32: "B120"}, Route.BLUE: {51: "n9"}},
        hands={A: [280]},
        mover=B,
        round=2,
    )
    begun = GAME.play(state, B, GAME.grammar.parse("/end"), ScriptedChance(0)).state
    lines = [
        Line(B, "/end", "/終わり", [pick_action(state, "4")]),
        Line(A, "/dice red green", "/ダイス 緑 赤", [0, 2]),
        Line(A, "/use red", "/使う 赤", [*pick_transports(begun, 200, 22, 166), 0]),
        Line(A, "/move 103", "/進める 103"),
    ]
    return state, lines


def name_of(seat: int) -> str:
    return ["", "Ayu", "Ben"][seat]


def moves_of(state: State, seat: Seat, line: str) -> tuple[Move, ...]:
    """The moves that the server makes of a typed line."""
    head, _, rest = line.removeprefix("/").partition(" ")
    (name,) = GAME.grammar.heads.find(fold(head))
    verb = GAME.grammar.verbs[name]
    view = GAME.seen(state, frozenset((seat,)))
    long_form = GAME.text(view, frozenset((seat,))).expand(seat, name, rest)
    if long_form:
        return long_form
    return (GAME.grammar.understand(verb, rest, lambda: GAME.legal(state, seat)),)


def played(state: State, lines: Sequence[Line], lang: Lang) -> tuple[list[str], State]:
    """What Ayu types and reads, and the table afterwards."""
    shown: list[str] = []
    for line in lines:
        typed = line.en if lang == "en" else line.ja
        if line.seat == A:
            shown.append(typed)
        (move,) = moves_of(state, line.seat, typed)
        made = GAME.play(state, line.seat, move, ScriptedChance(*line.draws))
        state = made.state
        for event in made.events:
            text = event_text(GAME.phrases, event, frozenset((A,)), lang=lang, name_of=name_of)
            if text is not None:
                shown.append("  " + text)
    return shown, state


def block(lang: Lang, number: int) -> list[str]:
    """The lines of the n-th fenced block in one language."""
    return BLOCKS[LANGS.index(lang) * EACH + number].splitlines()


def expected(lang: Lang) -> list[list[str]]:
    """The blocks of the page in one language."""
    first, after = played(*transport(), lang)
    eyes = frozenset((A,))
    board = GAME.text(GAME.seen(after, eyes), eyes, TextPage(lang=lang, name_of=name_of)).board()
    return [
        first,
        board.splitlines(),
        played(*sale(), lang)[0],
        played(*jam(), lang)[0],
    ]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("number", range(4), ids=["transport", "board", "sale", "jam"])
def test_what_the_page_shows_is_what_happens(lang: Lang, number: int) -> None:
    assert EACH == 4
    assert block(lang, number) == expected(lang)[number]


FORMS: Final = re.findall(r"^\| ((?:`/[^|]*))\|", PAGE, re.MULTILINE)
HAND: Final = ["1", "10", "18", "4", "2", "3", "7", "16", "17", "11-africa", "12-africa"]


def holding(**more: Any) -> State:  # Any: as `table` takes it
    """A has the cards of the page, controls the grey market, and has green or red points."""
    stones = {Place.AFRICA: (1, 1), Place.EUROPE: (2, 0), NA: (5, 0), Place.MARKET: (2, 0)}
    goods = {NA: {Good.BLACK: 2}, Place.MARKET: {Good.BLUE: 1}}
    given: dict[str, Any] = {"goods": goods, "stones": stones, "die": Die.RED, "kept": {A: HAND}}
    return table(3, **{**given, **more})


def on_top() -> State:
    return holding(loads={Route.GREY: {72: "A195"}})


def organizing() -> State:
    return holding(stones={Place.ASIA: (1, 0, 1), Place.MARKET: (2, 0)})


TABLES: Final[Mapping[str, State]] = {
    "stone": holding(),
    "dice": but(holding(die=None, points=0), phase=Phase.DICE),
    "use": rolled(holding(), blue=1, red=2),
    "load": holding(hands={A: [195, 205]}),
    "move": holding(loads={Route.GREY: {32: "A195", 42: "B120"}}),
    "express": holding(loads={Route.GREY: {32: "A195x"}}, die=Die.BLUE),
    "land": on_top(),
    "drop": on_top(),
    "keep": say(on_top(), "/drop 195 yellow"),
    "sell": holding(),
    "attack": holding(stones={Place.MARKET: (0, 1)}),
    "play": holding(),
    "play 17": organizing(),
    "rob": holding(),
    "unrest": holding(),
    "transfer": holding(),
    "shift": holding(),
    "obstacle": holding(loads={Route.BLUE: {31: "A170"}, Route.RED: {22: "n5", 12: "B100"}}),
    "discard": but(holding(hands={A: [104]}), phase=Phase.DISCARDING),
    "end": holding(),
}
"""A table on which the lines of each verb on the page are legal."""


@pytest.mark.rule("itc 17.1", "itc 17.2")
@pytest.mark.parametrize("line", [each for cell in FORMS for each in FENCED.findall(cell)])
def test_every_line_of_the_page_can_be_played(line: str) -> None:
    head, _, rest = line.removeprefix("/").partition(" ")
    if head in ("look", "眺める"):
        (thing,) = GAME.texts.things().find(fold(rest))
        areas = [each.value for each in GAME.texts.areas]
        assert thing in areas or f"about.{thing}" in GAME.phrases
        return
    (name,) = GAME.grammar.heads.find(fold(head))
    if name in GAME.grammar.queries:
        read = GAME.grammar.arguments(GAME.grammar.queries[name], rest)
        assert GAME.text(GAME.seen(holding(), SPECTATOR), SPECTATOR, TextPage()).answer(name, read)
        return
    state = TABLES["play 17" if name == "play" and rest.startswith("17") else name]
    for move in moves_of(state, A, line):
        assert move in list(GAME.legal(state, A))
        state = GAME.play(state, A, move, FastChance(1)).state


def test_both_languages_have_the_same_lines() -> None:
    assert len(FORMS) == 2 * 22
