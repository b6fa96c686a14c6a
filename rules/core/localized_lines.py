"""Localized lines and slot values, for people and for clients that show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bluebear.rules.core.grammar import Grammar, native
from bluebear.rules.core.phrases import LANGS, Lang, Phrases
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import Slot, fold

Labels = dict[str, Any]  # Any: labels by language, and a list of names


def labels_of(grammar: Grammar, phrases: Phrases) -> Mapping[str, Mapping[str, Labels] | str]:
    """By slot and canonical text: the label in each language, and under `names` what else may be
    typed for it. A value that is labelled only by its canonical text is left out.

    A slot with the same labels as an earlier slot has the name of that slot instead.
    """
    by_slot: dict[str, dict[str, Labels]] = {}
    for slot in (slot for item in grammar.items for slot in item.slots):
        values = by_slot.setdefault(slot.name, {})
        for value in slot.values():
            if value not in values:
                values[value] = _value_labels(slot, value, phrases)
    made: dict[str, Mapping[str, Labels] | str] = {}
    for name, values in by_slot.items():
        listed = {value: labels for value, labels in values.items() if labels}
        same = next((other for other, table in made.items() if table == listed), None)
        if listed:
            made[name] = same or listed
    return made


def _value_labels(slot: Slot, value: str, phrases: Phrases) -> Labels:
    labels: Labels = {lang: phrases.label(slot.name, value, lang) for lang in LANGS}
    folded = {fold(each) for each in (value, *labels.values())}
    names = list(dict.fromkeys(name for name in slot.names(value) if fold(name) not in folded))
    if names:
        labels["names"] = names
    return labels if len(folded) > 1 or names else {}


def localized_line(grammar: Grammar, phrases: Phrases, line: str, lang: Lang) -> str:
    """A line as a person of a language may type it; unchanged if it is no line of this game.

    A final `!`, which confirms a line, stays. The arguments are translated as far as their slots
    can read them; an argument without a translation stays.
    """
    if lang == "en" or not line.startswith("/"):
        return line
    bare, space, mark = line.partition(" !")
    head, *tokens = bare[1:].split(" ")
    if (item := grammar.verbs.get(head) or grammar.queries.get(head)) is None:
        return line
    arguments: list[str] = []
    # A list is read item by item: a flag may follow it.
    for slot in [each for each in item.slots for _ in (tokens if each.greedy else [each])]:
        try:
            value, after = slot.read(tokens[:1] if slot.greedy else tokens, 0)
        except (Refusal, IndexError):
            if slot.optional or slot.greedy:
                continue
            break
        texts = [localized_value(slot, text, phrases, lang) for text in slot.write(value).split()]
        arguments += tokens[:after] if "".join(texts).isascii() else texts
        tokens = tokens[after:]
    return " ".join(["/" + native(item, lang), *arguments, *tokens]) + space + mark


def localized_value(slot: Slot, text: str, phrases: Phrases, lang: Lang) -> str:
    """The canonical text of a slot's value as a person of a language may type it."""
    if lang == "en":
        return text
    names = (phrases.label(slot.name, text, lang), *slot.names(text))
    fitting = (name for name in names if not name.isascii() and len(name.split()) == 1)
    return next((name for name in fitting if _is_read_as(slot, name, text)), text)


def _is_read_as(slot: Slot, name: str, text: str) -> bool:
    try:
        return bool(slot.read([fold(name)], 0) == slot.read([fold(text)], 0))
    except Refusal:
        return False
