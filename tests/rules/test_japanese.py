"""Every game as a Japanese product: what is shown can be typed, and hiragana finds everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bluebear import rules
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import Query, Verb
from bluebear.rules.core.kana import reading_of
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.slots import Choice, Slot, by_number, fold
from bluebear.server.features import COMMANDS
from bluebear.server.room.options import GENERAL, named_values

GAMES = rules.games()
_KANJI = re.compile("[\u4e00-\u9fff々]")
_HIRAGANA = re.compile("[\u3041-\u3096ー0-9]+")


@pytest.mark.parametrize("key", GAMES)
def test_every_line_can_be_typed_as_a_japanese_reader_is_shown_it(key: str) -> None:
    """Heads and words in Japanese, and back to the same canonical line."""
    game = GAMES[key]
    for line in lines_of(game):
        text = localized_line(game.grammar, game.phrases, line, "ja")
        assert localized_line(game.grammar, game.phrases, line, "en") == line
        head, _, rest = text[1:].partition(" ")
        assert not head.isascii(), text
        (result,) = game.grammar.heads.find(fold(head))
        verb = game.grammar.verbs[result]
        assert game.grammar.format(game.grammar.understand(verb, rest, list)) == line, text
        confirmed = localized_line(game.grammar, game.phrases, f"{line} !", "ja")
        assert confirmed == f"{text} !"


def test_a_line_that_only_the_board_completes_is_reported_in_japanese_as_far_as_it_moves() -> None:
    game = GAMES["railroad_ink"]
    text = localized_line(game.grammar, game.phrases, "/draw overpass A6 ns-ew", "ja")
    assert text == "/描く 立体交差 A6 ns-ew"
    assert (
        localized_line(game.grammar, game.phrases, "/draw nothing A6", "ja") == "/描く nothing A6"
    )


def test_a_list_with_a_flag_behind_it_is_in_japanese() -> None:
    game = GAMES["tokai"]
    line = "/prebuy kintetsu_nagoya subway_meiko express"
    text = localized_line(game.grammar, game.phrases, line, "ja")
    assert text == "/事前購入 近鉄名古屋・湯の山線 地下鉄名港線 急行券"


def lines_of(game: Game[Any]) -> Iterator[str]:
    """Canonical lines of a random game."""
    case = read_case(game, [])
    chance = Random(game.info.key)
    state = game.setup(case.options, case.seats, FastChance(1)).state
    for _ in range(150):
        movers = game.to_move(state)
        if not movers:
            return
        seat = min(movers)
        move = chance.choice(game.plain(state, seat))
        yield game.grammar.format(move)
        state = game.play(state, seat, move, FastChance(chance.randrange(10_000))).state


def named() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Everything that has names, with all of them."""
    for command in COMMANDS.values():
        yield f"/{command.name}", (*command.names, *command.short)
        for argument in command.arguments:
            yield from chosen(f"/{command.name}", argument.choices)
    for option in GENERAL.values():
        yield f"option {option.name}", option.names
        for value in named_values(option):
            yield f"option {option.name} {value}", option.names_of(value)
    for key, game in GAMES.items():
        yield key, (game.info.names.ja,)
        yield from chosen(key, (*game.texts.areas, *game.texts.explained))
        for option in game.info.options.values():
            yield f"{key} option {option.name}", option.names
            for value in named_values(option):
                yield f"{key} option {option.name} {value}", option.names_of(value)
        items: list[Verb | Query] = [*game.grammar.verbs.values(), *game.grammar.queries.values()]
        for item in items:
            yield f"{key} /{item.name}", (*item.names, *item.short)
            yield from values(key, item)


def chosen(where: str, choices: tuple[Choice, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for choice in choices:
        yield f"{where} {choice.value}", (*choice.names, *choice.short)


def values(key: str, item: Verb | Query) -> Iterator[tuple[str, tuple[str, ...]]]:
    slots: tuple[Slot, ...] = item.slots
    for slot in slots:
        for value in slot.values():
            yield f"{key} /{item.name} {value}", tuple(slot.names(value))


def test_whatever_has_a_name_in_kanji_is_detected_in_hiragana() -> None:
    unread = {
        (where, names)
        for where, names in named()
        if any(map(_KANJI.search, names))
        and not any(_HIRAGANA.fullmatch(reading_of(name) or "") for name in names)
    }
    assert unread == set()


def test_lists_are_sorted_by_number() -> None:
    assert sorted(["10", "2", "1", "n07", "席10", "席9"], key=by_number) == [
        "1",
        "2",
        "10",
        "n07",
        "席9",
        "席10",
    ]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_explanations_name_each_of_their_facts(key: str, lang: Lang) -> None:
    """A station of no region is not one of the region None."""
    game = GAMES[key]
    for each in game.texts.explained:
        assert "None" not in game.phrases.say(f"about.{each.value}", lang)
