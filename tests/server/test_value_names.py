"""Words of slot values as data: in both languages, nothing twice, nothing that says nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bluebear import rules
from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice, NumberSlot, Slot, WordSlot, fold
from bluebear.rules.core.visibility import Move, Public
from bluebear.server.rooms.views import value_names


class Ride(Move):
    origin: Public[str]
    town: Public[str]
    steps: Public[int]


TOWNS = (Choice("edo", ("江戸", "えど")), Choice("x9"))
GRAMMAR = Grammar(
    [
        Verb(
            "ride",
            Ride,
            (WordSlot("origin", TOWNS), WordSlot("town", TOWNS), NumberSlot("steps", 1, 9)),
        )
    ]
)
EDO = Phrase("Yedo", "江戸")
PHRASES = Phrases({"word.origin.edo": EDO, "word.town.edo": EDO})
GAME = cast("Game[Any]", SimpleNamespace(grammar=GRAMMAR, phrases=PHRASES))


def test_a_value_has_its_term_in_both_languages_and_what_else_may_be_typed() -> None:
    assert value_names(GAME)["origin"] == {"edo": {"en": "Yedo", "ja": "江戸", "names": ["えど"]}}


def test_a_slot_with_the_terms_of_another_points_to_it_and_numbers_have_none() -> None:
    assert value_names(GAME)["town"] == "origin"
    assert "steps" not in value_names(GAME)


@pytest.mark.parametrize("key", rules.games())
def test_every_name_of_every_game_is_read_as_its_value(key: str) -> None:
    game = rules.games()[key]
    phrases = value_names(game)
    slots = [slot for verb in game.grammar.verbs.values() for slot in verb.slots]
    for name, table in phrases.items():
        registered = phrases[table] if isinstance(table, str) else table
        assert not isinstance(registered, str)
        # Slots of one name may know more or fewer values: cards of a hand, cards of all.
        readers = [slot for slot in slots if slot.name == name]
        for value, reply in registered.items() if readers else ():
            for typed in reply.get("names", ()):
                assert any(reads(slot, typed, value) for slot in readers), (name, typed)


def reads(slot: Slot, typed: str, value: str) -> bool:
    try:
        read, _ = slot.read([fold(typed)], 0)
    except NotUnderstood:
        return False
    return slot.write(read) == value
