"""Options as data, for clients that show them: what they and their values are called."""

from __future__ import annotations

from bluebear.protocol import Branch
from bluebear.rules.core.game_info import Option
from bluebear.rules.core.phrases import LANGS, Phrases
from bluebear.server.room.options import named_values


def words_of(option: Option) -> Branch:
    """What an option is called, and the words for those of its values that have any.

    The `names` of a value are what else may be typed for it.
    """
    words: dict[str, Branch] = {}
    for value in dict.fromkeys((*option.values(), *named_values(option))):
        names = option.names_of(value)
        if names:
            said: Branch = {lang: option.localized(value, lang) for lang in LANGS}
            words[value] = {**said, "names": list(names)}
    return {
        "name": option.name,
        "label": {lang: option.label_in(lang) for lang in LANGS},
        "type": option.kind,
        "words": words,
    }


def form_of(option: Option, phrases: Phrases) -> Branch:
    """All that a form needs of an option; its explanation stands in a catalogue."""
    return {
        **words_of(option),
        "names": list(option.names),
        "default": option.write(option.default),
        "values": list(option.values()),
        "help": {lang: phrases.say(f"option.{option.name}", lang) for lang in LANGS},
    }
