"""Commands as their readers type them: `/help`, and Japanese forms in suggestions and refusals.

Programs get canonical lines; the sentences for people have the localized forms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal

from bluebear.protocol import Error
from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import Query, Verb
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.phrases import Lang, Namer, called
from bluebear.rules.core.refusal import NotUnderstood, Refusal
from bluebear.rules.core.slots import InputToken, fold, tokens_of
from bluebear.rules.core.text_layout import flowed, packed
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.arguments import SLASHES, WHISPERS
from bluebear.server.commands.command import COMMANDS, Command, Topic, heads, usable
from bluebear.server.commands.scene import Scene
from bluebear.server.room.state import Phase
from bluebear.server.sentences import AnyGame, option_labels, refusal_text, retry_ms, say

TOPICS: Final[Mapping[str, Topic]] = {
    **{topic.value: topic for topic in Topic},
    "卓": Topic.TABLE,
    "部屋": Topic.ROOMS,
    "人": Topic.PEOPLE,
    "ホスト": Topic.HOST,
    "運営": Topic.OPERATOR,
}
"""A topic must be named in full, since its prefix may be a command's."""
_LINES_OF_GAME: Final = 17
"""The lines of a 24-line screen without the head, the foot and the input line."""


@cache
def usage(command: Command, lang: Lang) -> str:
    """The syntax of a command in a language."""
    parts = ["/" + called(command.name, command.names, lang)]
    for argument in command.arguments:
        label = say(argument.phrase, lang)
        if lang == "en" and argument.kind != "seed":
            label = label.upper()
        if argument.choices:
            names = [called(each.value, each.names, lang) for each in argument.choices]
            label = "|".join([label, *names] if argument.kind == "wish" else names)
        parts.append(f"[{label}]" if argument.optional else label)
    return " ".join(parts)


def help_text(scene: Scene, given: str) -> Tell:
    """Help on a topic, or on one command or verb.

    Without a topic it fits a screen: the game's verbs and queries for a player of a running game,
    else the game's queries with the commands of the table or, in the lobby, of rooms.
    """
    lang = scene.speaker.lang
    if not given:
        return Tell("help", "\n".join(_first_page(scene)))
    head = fold(given).lstrip("/・")
    if head in TOPICS:
        lines = _offered(scene, TOPICS[head])
        key = "answer.help_head" if lines else "answer.help_none"
        return Tell("help", "\n".join((say(key, lang), *lines)))
    return Tell("help", _help_on(scene, head))


def _first_page(scene: Scene) -> list[str]:
    game, lang = scene.game, scene.speaker.lang
    of_game = _game_lines(scene, game) if game and scene.phase is Phase.PLAYING else []
    if game is not None and of_game and scene.seat is not None:
        lines = [say("answer.help_game", lang, game=game.info.name(lang)), *of_game]
    else:
        topic = Topic.ROOMS if scene.room is None else Topic.TABLE
        lines = [say("answer.help_head", lang), *of_game, *_offered(scene, topic)]
    return [*lines, say("answer.help_topics", lang), say("answer.help_foot", lang)]


def _offered(scene: Scene, topic: Topic) -> list[str]:
    lang, lines = scene.speaker.lang, []
    for command in (each for each in usable(scene) if each.topic is topic):
        line = f"  {usage(command, lang)} - {say(command.phrase, lang)}"
        # Japanese readers may type both; the Roman name is shorter to type.
        lines.append(f"{line} (/{command.name})" if lang == "ja" else line)
    return lines


def _game_lines(scene: Scene, game: Game[object]) -> list[str]:
    """The verbs and queries of the game, as detailed as fits a screen."""
    lang, width = scene.speaker.lang, scene.width
    names = [*(game.grammar.verbs if scene.seat is not None else ()), *game.grammar.queries]
    lines = [line for name in names for line in flowed(_verb_line(scene, game, name), width, 6)]
    if len(lines) <= _LINES_OF_GAME:
        return lines
    usages = [game.grammar.usage(name, game.phrases, lang) for name in names]
    if len(usages) <= _LINES_OF_GAME:
        return ["  " + usage for usage in usages]
    return packed(["  ", *(usage + "   " for usage in usages)], width, 2)


def _verb_line(scene: Scene, game: Game[object], name: str) -> str:
    lang = scene.speaker.lang
    how = game.grammar.usage(name, game.phrases, lang)
    return f"  {how} - {game.phrases.say(f'verb.{name}', lang)}"


def _help_on(scene: Scene, head: str) -> str:
    """Help on a verb or a query of the game, else on a command, with its other names."""
    game, lang = scene.game, scene.speaker.lang
    item: Verb | Query | Command
    if game is not None and len(matches := game.grammar.heads.find(head)) == 1:
        item = game.grammar.verbs.get(matches[0]) or game.grammar.queries[matches[0]]
        line = _verb_line(scene, game, item.name).strip()
    else:
        if len(matches := heads().find(head)) != 1:
            near = [f"/{name}" for name in matches or heads().near(head)]
            raise NotUnderstood("unknown_command", given=head, candidates=near)
        item = COMMANDS[matches[0]]
        line = f"{usage(item, lang)} - {say(item.phrase, lang)}"
    names = tuple(f"/{name}" for name in (*item.names, *item.short))
    return f"{line}\n{say('answer.other_names', lang, names=names)}" if names else line


@cache
def _choices() -> dict[tuple[str, str], tuple[str, ...]]:
    """The names of the choices of arguments, by argument and choice."""
    return {
        (argument.name, choice.value): choice.names
        for command in COMMANDS.values()
        for argument in command.arguments
        for choice in argument.choices
    }


def error_of(
    refusal: Refusal,
    say_id: str | None,
    lang: Lang,
    game: AnyGame = None,
    name_of: Namer | None = None,
) -> Error:
    """The error message for a refused line or query, in the sender's language."""
    start, end = refusal.span or (None, None)
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
    """The refusal with localized names in its parameters and candidates."""
    if lang == "en":
        return refusal
    params = dict(refusal.params)
    if "verb" in params:
        params["verb"] = head_for(str(params["verb"]), lang, game)
    if "command" in params:
        params["command"] = head_for(str(params["command"]), lang, None)
    if "option" in params:
        name, value = str(params["option"]), str(params.get("value", ""))
        params["option"], value = option_labels(name, value, lang, game)
        if "value" in params:
            params["value"] = value
    candidates = [candidate_for(refusal, each, lang, game) for each in refusal.candidates]
    return type(refusal)(refusal.code, rule=refusal.rule, candidates=candidates, **params)


def candidate_for(refusal: Refusal, candidate: str, lang: Lang, game: AnyGame) -> str:
    """The localized form of a candidate: a line, an option or a value."""
    if candidate.startswith("/"):
        phrases = None if game is None else game.phrases
        slot = str(refusal.params.get("slot", ""))
        is_value = phrases and slot and phrases.label(slot, candidate, lang) != candidate
        return candidate if is_value else line_for(candidate, lang, game)
    if refusal.code == "no_such_option":
        return option_labels(candidate, "", lang, game)[0]
    if refusal.code == "bad_value":
        return option_labels(str(refusal.params["option"]), candidate, lang, game)[1]
    if refusal.code == "bad_word":
        names = _choices().get((str(refusal.params["argument"]), candidate), ())
        return called(candidate, names, lang)
    if refusal.code == "no_such_game" or game is None:
        return candidate
    if refusal.code == "no_such_area":
        named = game.phrases.label("area", candidate, lang)
        names = game.texts.things().names[candidate] if named == candidate else ()
        return called(named, names, lang)
    return candidate


def line_for(line: str, lang: Lang, game: AnyGame) -> str:
    """A line as people type it in a language."""
    made = line if game is None else localized_line(game.grammar, game.phrases, line, lang)
    if made != line or lang == "en":
        return made
    head, gap, rest = line[1:].partition(" ")
    return f"/{head_for(head, lang, None)}{gap}{rest}"


def head_for(head: str, lang: Lang, game: AnyGame) -> str:
    """The name of a verb, a query or a command in a language."""
    item: Verb | Query | Command | None = COMMANDS.get(head)
    if game is not None:
        item = game.grammar.verbs.get(head) or game.grammar.queries.get(head) or item
    return head if item is None else called(head, (*item.names, *item.short), lang)


Offers = Literal["line", "word", "range"]
"""The kind of candidates: complete lines, replacements for the marked span, or bounds to read."""

_LEFT_OUT: Final = frozenset(("missing_argument", "command_missing"))
_HEADS: Final = frozenset(("unknown_command", "ambiguous_command", "whole_word", "nobody_here"))
"""Refusals of the head of a line, with its slash or semicolon."""
_RANGE: Final = re.compile(r"(n?\d+-n?\d+|[A-Z]\d-[A-Z]\d)")
_MARKS: Final = "".join((*SLASHES, *WHISPERS))
_QUOTES: Final = '"＂'


def error_span(refusal: Refusal, text: str) -> tuple[int, int] | None:
    """The start and end, in code points, of the refused token of a line; None if there is none.

    The span of a missing argument is empty, at the end of the line.
    """
    if refusal.code in _LEFT_OUT:
        return len(text), len(text)
    given = refusal.params.get("given")
    if not isinstance(given, str) or not given:
        return None
    tokens = tokens_of(text)
    if refusal.code in _HEADS and tokens and tokens[0].lstrip(_MARKS) == fold(given):
        return _span(tokens[:1])
    span = _token_span(given, text) if isinstance(given, InputToken) else None
    return span or _last(tokens[1:], tokens_of(given))


def _token_span(given: InputToken, text: str) -> tuple[int, int] | None:
    """The span of a token, which counts from after the head of the line."""
    behind = re.match(r"\s*\S+\s*", text)
    start = 0 if behind is None else behind.end()
    start, end = start + given.start, start + given.end
    # A short form is parsed as its long line, whose positions are not those of the text.
    same = tokens_of(text[start:end]) == tokens_of(given)
    return (start, end) if same else None


def _last(tokens: Sequence[str], given: Sequence[str]) -> tuple[int, int] | None:
    """The span of the last tokens that equal `given`: earlier ones were parsed without error."""
    plain = [token.strip(_QUOTES) for token in tokens]
    wanted = [token.strip(_QUOTES) for token in given]
    for at in range(len(tokens) - len(wanted), -1, -1):
        if plain[at : at + len(wanted)] == wanted:
            return _span(tokens[at : at + len(wanted)])
    return None


def _span(tokens: Sequence[str]) -> tuple[int, int] | None:
    spans = [token for token in tokens if isinstance(token, InputToken)]
    return (spans[0].start, spans[-1].end) if spans else None


def offers_of(refusal: Refusal) -> Offers | None:
    """The kind of a refusal's candidates; None if it has none."""
    if not refusal.candidates:
        return None
    if all(_RANGE.fullmatch(each) for each in refusal.candidates):
        return "range"
    lines = all(fold(each).startswith((*SLASHES, *WHISPERS)) for each in refusal.candidates)
    return "line" if lines and refusal.code not in _HEADS else "word"
