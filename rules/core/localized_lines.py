"""What lines and the values of slots are called, for people and for clients that speak to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bluebear.rules.core.grammar import Grammar, native
from bluebear.rules.core.phrases import LANGS, Lang, Phrases
from bluebear.rules.core.refusal import NotUnderstood, Refusal
from bluebear.rules.core.slots import FlagSlot, Slot, fold

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


def worded(grammar: Grammar, phrases: Phrases, line: str, lang: Lang) -> str:
    """A line as a reader of a language may type it; as it is where it is none of this game.

    What confirms it, a last `!`, stays. Of a line that only the board completes, and of a query,
    the words are said as far as their slots read them, and stay where there is no other word.
    """
    if lang == "en" or not line.startswith("/"):
        return line
    bare, space, mark = line.partition(" !")
    try:
        move = grammar.parse(bare)
    except NotUnderstood:
        head, *rest = bare[1:].split(" ")
        item = grammar.verbs.get(head) or grammar.queries.get(head)
        words = rest if item is None else _as_far_as_read(item.slots, rest, phrases, lang)
    else:
        item = grammar.verb_of(move)
        words = [
            spoken(slot, text, phrases, lang)
            for slot in item.slots
            for text in slot.write(getattr(move, slot.name)).split()
        ]
    if item is None:
        return line
    return " ".join(["/" + native(item, lang), *words]) + space + mark


def _as_far_as_read(
    slots: Sequence[Slot], words: Sequence[str], phrases: Phrases, lang: Lang
) -> list[str]:
    said: list[str] = []
    at = 0
    for slot in slots:
        try:
            value, after = slot.read(words, at)
        except (Refusal, IndexError):
            break
        told = [spoken(slot, text, phrases, lang) for text in slot.write(value).split()]
        said += words[at:after] if "".join(told).isascii() else told
        at = after
    return [*said, *words[at:]]


def spoken(slot: Slot, text: str, phrases: Phrases, lang: Lang) -> str:
    """A canonical text of a slot as a reader of a language may type it."""
    if lang == "en":
        return text
    called = (phrases.word(slot.name, text, lang), *slot.names(text))
    fitting = (name for name in called if not name.isascii() and len(name.split()) == 1)
    return next((name for name in fitting if _is_read_as(slot, name, text)), text)


def _is_read_as(slot: Slot, name: str, text: str) -> bool:
    if isinstance(slot, FlagSlot):
        return slot.matches(fold(name))
    try:
        return bool(slot.read([fold(name)], 0) == slot.read([fold(text)], 0))
    except Refusal:
        return False
