"""Localized lines and slot values, for people."""

from __future__ import annotations

from bluebear.rules.core.grammar import Grammar
from bluebear.rules.core.phrases import Lang, Phrases, called
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import Slot, fold


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
    verb = called(item.name, (*item.names, *item.short), lang)
    return " ".join([f"/{verb}", *arguments, *tokens]) + space + mark


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
