"""Reads the arguments of a command: typed words to values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.search_model import CASUAL, CLUB, MASTER, PUPIL, STRONG
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.command import Argument, Arguments, Command
from bluebear.server.commands.scene import Scene
from bluebear.server.commands.words import UNTOLD, Typed, seen, take_words
from bluebear.server.room.creation import seats_of
from bluebear.server.room.fold_context import Games
from bluebear.server.room.game_setup import REMOVE

_LIST: Final = re.compile(r"[,、]")
_NAMED: Final = re.compile(r"(?<![^\s=＝])([^\s=＝]++)[=＝](\S*)")
"""`seat=2`, tried once for each word: a long word without the sign must not cost its square."""


_RANGE: Final = re.compile(r"([1-9]\d?)(?:[-~〜]([1-9]\d?))?")

LEVEL_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    PUPIL: ("見習い",),
    CASUAL: ("普通",),
    CLUB: ("中級",),
    STRONG: ("上級",),
    MASTER: ("名人",),
}
"""What levels are called in Japanese."""

EXPLAIN: Final = Choice("help", ("説明", "ヘルプ"))
"""Explains options instead of setting one."""
ANSWER_WORDS: Final = (Choice("yes", ("はい",)), Choice("no", ("いいえ",)))
ANSWERS: Final = tuple(each.value for each in ANSWER_WORDS)
"""What is said to an offered game."""


def read_arguments(command: Command, typed: Typed, scene: Scene) -> Arguments:
    """The arguments of a command by name, those left out being absent.

    Raises NotUnderstood: command_missing, extra_argument, bad_word, no_such_game.
    """
    values: dict[str, Any] = {}
    rest = typed.text if command.greedy else _take_named(command, typed.rest, scene, values)
    start = 0
    for argument in command.arguments:
        left = rest[start:].strip()
        if argument.name in values or argument.kind == "seed":
            continue
        if not left:
            if not argument.optional:
                raise NotUnderstood("command_missing", command=command.name, argument=argument.name)
            continue
        if argument.greedy:
            values[argument.name] = _greedy(argument, left)
            start = len(rest)
            continue
        word, end = _next(argument, rest[start:])
        value = _read(command, argument, word, scene)
        if value is not None:
            values[argument.name] = value
            start += end
    extra = rest[start:].strip()
    if extra:
        raise NotUnderstood("extra_argument", given=_shown(command, extra))
    return values


def _next(argument: Argument, text: str) -> tuple[str, int]:
    """The next word and its end; of `/option sixrounds=on` the option ends after the sign."""
    word, end = next(take_words(text))
    match = _NAMED.match(text.lstrip()) if argument.kind == "option" else None
    if match is None:
        return word, end
    return unicodedata.normalize("NFKC", match[1]), len(text) - len(text.lstrip()) + match.end(
        1
    ) + 1


def _greedy(argument: Argument, text: str) -> str:
    # A password is the same password in whatever width it was typed; words stay as they are.
    if argument.kind == "password":
        return unicodedata.normalize("NFKC", text)
    said = seen(text)
    if not said:
        raise NotUnderstood("empty_line")
    return said


def _take_named(command: Command, rest: str, scene: Scene, values: dict[str, Any]) -> str:
    """Reads `name=value` words, in any order, into the values; gives the text without them."""
    named = {argument.name: argument for argument in command.arguments}
    for match in _NAMED.finditer(rest):
        argument = named.get(fold(match[1]))
        if argument is not None and argument.name not in values:
            word = unicodedata.normalize("NFKC", match[2])
            value = _read(command, argument, word, scene)
            if value is None:
                raise _bad(command, argument, word)
            values[argument.name] = value
            rest = rest.replace(match[0], " " * len(match[0]), 1)
    return rest


def _shown(command: Command, word: str) -> str:
    """A word as a refusal may repeat it."""
    return UNTOLD if command.secret else word


def _bad(
    command: Command, argument: Argument, word: str, candidates: tuple[str, ...] = ()
) -> NotUnderstood:
    return NotUnderstood(
        "bad_word", argument=argument.name, given=_shown(command, word), candidates=candidates
    )


def _read(command: Command, argument: Argument, word: str, scene: Scene) -> Any:
    """The value of an argument; None if it is left out and the word is the next one's."""
    match argument.kind:
        case "seat":
            most = (
                seats_of(scene.room.table, scene.game.info)[1] if scene.room and scene.game else 0
            )
            return Seat(_number(command, argument, word, (f"1-{most}",) if most else ()))
        case "vote":
            votes = scene.room.table.votes if scene.room else ()
            return _number(command, argument, word, tuple(str(number) for number in votes))
        case "seed" | "hex":
            return word.lower()
        case "page":
            return max(1, _number(command, argument, word, ("1",)))
        case "game":
            if argument.optional and word.isascii() and word.isdigit():
                return None
            return game_named(scene.games, word)
        case "wish":
            answer = Lexicon(ANSWER_WORDS).exact(fold(word))
            return answer or game_named(scene.games, word)
        case "choice" | "scopes":
            return _chosen(command, argument, word)
        case "number" | "players":
            return (
                _counted(word) if argument.kind == "number" else _players(command, argument, word)
            )
        case "strategy":
            if word.isascii() and word.isdigit():
                return None
            return _one_of(command, argument, word, strategies(scene))
        case _:
            return word


def _number(command: Command, argument: Argument, word: str, candidates: tuple[str, ...]) -> int:
    if word.isascii() and word.isdigit() and len(word) < 10:
        return int(word)
    raise _bad(command, argument, word, candidates)


def _counted(word: str) -> int | None:
    """`30`, in any width; None where the word is the next argument's."""
    number = unicodedata.normalize("NFKC", word)
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _players(command: Command, argument: Argument, word: str) -> tuple[int, int] | None:
    """`3` or `2-4`; None where the word is the next argument's."""
    found = _RANGE.fullmatch(word)
    if found is None:
        return None
    least = int(found[1])
    most = int(found[2] or least)
    if not 1 <= least <= most:
        raise _bad(command, argument, word, ("2-4", "3"))
    return least, most


def _chosen(command: Command, argument: Argument, word: str) -> str | tuple[str, ...]:
    """One of an argument's choices, or several of them."""
    if argument.kind == "choice":
        return _one_of(command, argument, word, argument.choices)
    words = filter(None, _LIST.split(word))
    return tuple(_one_of(command, argument, each, argument.choices) for each in words)


def _one_of(command: Command, argument: Argument, word: str, choices: tuple[Choice, ...]) -> str:
    lexicon = Lexicon(choices)
    found = lexicon.find(fold(word))
    if len(found) == 1:
        return found[0]
    raise _bad(command, argument, word, found or lexicon.values)


def strategies(scene: Scene) -> tuple[Choice, ...]:
    """The house bots of the room's game, and the word that takes one away."""
    names = scene.game.players if scene.game else ("random",)
    known = (Choice(name, LEVEL_NAMES.get(name, ())) for name in names)
    return (*known, Choice(REMOVE, ("外す",)))


def game_named(games: Games, word: str) -> str:
    """The key of a game by any of its names; NotUnderstood (no_such_game) with the nearest."""
    lexicon = Lexicon([Choice(key, (game.info.en, game.info.ja)) for key, game in games.items()])
    found = lexicon.find(fold(word))
    if len(found) == 1:
        return found[0]
    near = found or tuple(lexicon.near(fold(word))) or tuple(games)
    raise NotUnderstood("no_such_game", given=word, candidates=near)
