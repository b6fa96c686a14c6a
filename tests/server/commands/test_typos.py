"""300 typing mistakes in both languages: the right suggestion is among the first two."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bluebear.rules.core.phrases import Lang
from tests.server.commands.fixtures import House, opened, playing

CORPUS: Final = Path(__file__).parent / "typos.tsv"
FIRST: Final = 2
"""So many suggestions are looked at."""
OF_100: Final = 95


class Typo(NamedTuple):
    """A typing error: the context, the person who types it, and the intended line."""

    kind: str
    game: str
    lang: Lang
    line: str
    intended: str


def corpus() -> Iterator[Typo]:
    for row in CORPUS.read_text(encoding="utf-8").splitlines():
        if not row.startswith("#"):
            kind, game, lang, line, intended = row.split("\t")
            yield Typo(kind, game, "ja" if lang == "ja" else "en", line, intended)


@cache
def world(game: str, lang: Lang) -> House:
    """A running game, or `GAME_open`: the room of one before it begins (`open`: any)."""
    key, _, _ = game.partition("_open")
    if game.endswith("open"):
        house = opened("tokai" if game == "open" else key)
        house.script("Ayu: /join")
    else:
        house = playing(game)
    house.enter("Ayu", lang=lang)
    return house


def suggested(typo: Typo) -> tuple[str, ...]:
    """What a mistake is answered with; it changes nothing."""
    house = world(typo.game, typo.lang)
    room = house.room
    received = house.say("Ayu", typo.line)
    assert received.refusal is not None, typo
    assert house.room is room
    return received.candidates


def test_the_corpus_has_300_mistakes_of_every_kind_in_both_languages() -> None:
    typos = list(corpus())
    assert len({typo.line for typo in typos}) == len(typos) == 300
    kinds = {typo.kind for typo in typos}
    assert kinds >= {"command", "option", "square", "station", "province", "card", "number"}
    assert sum(typo.lang == "ja" for typo in typos) >= 100


def test_the_right_suggestion_is_among_the_first_two_in_95_of_100() -> None:
    missed = [
        (typo.line, typo.intended, result)
        for typo in corpus()
        if typo.intended not in (result := suggested(typo))[:FIRST]
    ]
    assert len(missed) * 100 <= (100 - OF_100) * 300, missed


@pytest.mark.parametrize("kind", sorted({typo.kind for typo in corpus()}))
def test_no_kind_of_mistake_is_left_alone(kind: str) -> None:
    """Not only most of all, but most of each kind."""
    typos = [typo for typo in corpus() if typo.kind == kind]
    results = [typo.intended in suggested(typo)[:FIRST] for typo in typos]
    assert sum(results) * 100 >= 80 * len(typos)
