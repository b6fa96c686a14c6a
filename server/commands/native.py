"""What a Japanese reader is told to type: Japanese names of commands, verbs, options and values.

Programs get canonical lines; the sentence beside them says what people type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from bluebear.protocol import Error
from bluebear.rules.core.grammar import native
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.phrases import Lang, Namer
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.slots import InputToken, fold, tokens_of
from bluebear.server.commands.arguments import SLASHES, WHISPERS
from bluebear.server.commands.command import Command
from bluebear.server.commands.helping import called
from bluebear.server.room.options import format_value, option_of
from bluebear.server.sentences import AnyGame, refusal_text, retry_ms

_COMMANDS: Final[dict[str, Command]] = {}
"""All commands; the table puts them here, since it has those of features, which import this."""
_CHOICES: Final[dict[tuple[str, str], str]] = {}
"""What the words of a command's argument are called in Japanese, by argument and word."""


def register(commands: Mapping[str, Command]) -> None:
    """Note the commands whose names are translated; called once, by the table."""
    _COMMANDS.update(commands)
    _CHOICES.update(
        ((argument.name, choice.value), name)
        for command in commands.values()
        for argument in command.arguments
        for choice in argument.choices
        for name in reversed(choice.names)
        if not name.isascii()
    )


def error_of(
    refusal: Refusal,
    say_id: str | None,
    lang: Lang,
    game: AnyGame = None,
    name_of: Namer | None = None,
) -> Error:
    """The error that answers what was said under an id, in the language of whoever said it."""
    start, end = refusal.place or (None, None)
    return Error(
        id=say_id or None,
        code=refusal.code,
        text=refusal_text(for_reader(refusal, lang, game), lang, game, name_of),
        rule=refusal.rule,
        candidates=refusal.candidates,
        retry_ms=retry_ms(refusal),
        start=start,
        end=end,
        offers=offers_of(refusal),
    )


def for_reader(refusal: Refusal, lang: Lang, game: AnyGame) -> Refusal:
    """The same refusal with the names that a reader of a language uses."""
    if lang == "en":
        return refusal
    params = dict(refusal.params)
    if "verb" in params:
        params["verb"] = head_for(str(params["verb"]), lang, game)
    if "command" in params:
        params["command"] = head_for(str(params["command"]), lang, None)
    if "option" in params:
        name = str(params["option"])
        params["option"] = option_for(name, lang, game)
        if "value" in params:
            params["value"] = value_for(name, str(params["value"]), lang, game)
    told = [candidate_for(refusal, each, lang, game) for each in refusal.candidates]
    return type(refusal)(refusal.code, rule=refusal.rule, candidates=told, **params)


def candidate_for(refusal: Refusal, candidate: str, lang: Lang, game: AnyGame) -> str:
    """A candidate as a reader would type it: a line, an option, or a value that stays as it is."""
    if candidate.startswith("/"):
        phrases = None if game is None else game.phrases
        slot = str(refusal.params.get("slot", ""))
        known = phrases is not None and slot and phrases.word(slot, candidate, lang) != candidate
        return candidate if known else line_for(candidate, lang, game)
    if refusal.code == "no_such_option":
        return option_for(candidate, lang, game)
    if refusal.code == "bad_value":
        return value_for(str(refusal.params["option"]), candidate, lang, game)
    if refusal.code == "bad_word":
        return _CHOICES.get((str(refusal.params["argument"]), candidate), candidate)
    if refusal.code == "no_such_game" or game is None:
        return candidate
    if refusal.code == "no_such_area":
        named = game.phrases.word("area", candidate, lang)
        names = game.things.names[candidate] if lang == "ja" and named == candidate else ()
        return next((name for name in names if not name.isascii()), named)
    return candidate


def line_for(line: str, lang: Lang, game: AnyGame) -> str:
    """A line as a reader of a language would type it."""
    made = line if game is None else localized_line(game.grammar, game.phrases, line, lang)
    if made != line or lang == "en":
        return made
    head, gap, rest = line[1:].partition(" ")
    return f"/{head_for(head, lang, None)}{gap}{rest}"


def head_for(head: str, lang: Lang, game: AnyGame) -> str:
    """What a verb, a query or a command is called in a language."""
    if game is not None:
        item = game.grammar.verbs.get(head) or game.grammar.queries.get(head)
        if item is not None:
            return native(item, lang)
    command = _COMMANDS.get(head)
    return head if command is None else called(command, lang)


def option_for(name: str, lang: Lang, game: AnyGame) -> str:
    """What an option is called in a language."""
    option = option_of(name, game)
    return name if option is None else option.typed_name(lang)


def value_for(name: str, value: str, lang: Lang, game: AnyGame) -> str:
    """What a value of an option is called in a language."""
    option = option_of(name, game)
    return value if option is None else format_value(option, value, lang)


Offers = Literal["line", "word", "range"]
"""What candidates are: whole lines, words for the marked place, or bounds to be read."""

_LEFT_OUT: Final = frozenset(("missing_argument", "command_missing"))
_HEADS: Final = frozenset(("unknown_command", "ambiguous_command", "whole_word", "nobody_here"))
"""What is wrong with the first word of a line, its slash or semicolon included."""
_RANGE: Final = re.compile(r"(n?\d+-n?\d+|[A-Z]\d-[A-Z]\d)")
_MARKS: Final = "".join((*SLASHES, *WHISPERS))
_QUOTES: Final = '"＂'


def locate(refusal: Refusal, text: str) -> None:
    """Note in a refusal where the refused word of a line is."""
    refusal.place = place_of(refusal, text)


def place_of(refusal: Refusal, text: str) -> tuple[int, int] | None:
    """From where to where, in code points, the refused word stands; None where none is meant.

    What was left out has its place at the end.
    """
    if refusal.code in _LEFT_OUT:
        return len(text), len(text)
    given = refusal.params.get("given")
    if not isinstance(given, str) or not given:
        return None
    words = tokens_of(text)
    if refusal.code in _HEADS and words and words[0].lstrip(_MARKS) == fold(given):
        return _span(words[:1])
    told = _told(given, text) if isinstance(given, InputToken) else None
    return told or _last(words[1:], tokens_of(given))


def _told(given: InputToken, text: str) -> tuple[int, int] | None:
    """The place that a word itself knows, counted behind the first word of the line."""
    behind = re.match(r"\s*\S+\s*", text)
    start = 0 if behind is None else behind.end()
    start, end = start + given.start, start + given.end
    # A short form is read as the line that it stands for, whose places are not those of the text.
    same = tokens_of(text[start:end]) == tokens_of(given)
    return (start, end) if same else None


def _last(words: Sequence[str], given: Sequence[str]) -> tuple[int, int] | None:
    """Where the same words stand for the last time: those before were read without complaint."""
    plain = [word.strip(_QUOTES) for word in words]
    wanted = [word.strip(_QUOTES) for word in given]
    for at in range(len(words) - len(wanted), -1, -1):
        if plain[at : at + len(wanted)] == wanted:
            return _span(words[at : at + len(wanted)])
    return None


def _span(words: Sequence[str]) -> tuple[int, int] | None:
    found = [word for word in words if isinstance(word, InputToken)]
    return (found[0].start, found[-1].end) if found else None


def offers_of(refusal: Refusal) -> Offers | None:
    """What the candidates of a refusal are; None where there are none."""
    if not refusal.candidates:
        return None
    if all(_RANGE.fullmatch(each) for each in refusal.candidates):
        return "range"
    lines = all(fold(each).startswith((*SLASHES, *WHISPERS)) for each in refusal.candidates)
    return "line" if lines and refusal.code not in _HEADS else "word"
