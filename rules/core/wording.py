"""What the values of a game's slots are called: data for clients that speak to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.grammar import Grammar
from rules.core.phrases import LANGS, Phrases
from rules.core.slots import Slot, fold

Told = dict[str, Any]  # Any: words by language, and a list of names


def words_of(grammar: Grammar, phrases: Phrases) -> Mapping[str, Mapping[str, Told] | str]:
    """By slot and canonical text: the word in each language, and under `names` what else may be
    typed for it. What is called as it is written, and nothing else, is left out.

    A slot whose values are called as those of one before has the name of that one instead.
    """
    known: dict[str, dict[str, Told]] = {}
    for slot in _slots(grammar):
        values = known.setdefault(slot.name, {})
        for value in slot.values():
            if value not in values:
                values[value] = _told(slot, value, phrases)
    made: dict[str, Mapping[str, Told] | str] = {}
    for name, values in known.items():
        worth = {value: told for value, told in values.items() if told}
        same = next((other for other, table in made.items() if table == worth), None)
        if worth:
            made[name] = same or worth
    return made


def _slots(grammar: Grammar) -> Iterator[Slot]:
    for verb in grammar.verbs.values():
        yield from verb.slots
    for query in grammar.queries.values():
        yield from query.slots


def _told(slot: Slot, value: str, phrases: Phrases) -> Told:
    words: Told = {lang: phrases.word(slot.name, value, lang) for lang in LANGS}
    said = {fold(each) for each in (value, *words.values())}
    names = list(dict.fromkeys(name for name in slot.names(value) if fold(name) not in said))
    if names:
        words["names"] = names
    return words if len(said) > 1 or names else {}
