"""Reading typed text: heads, arguments, quotes, full-width characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules.core.refusal import NotUnderstood
from rules.core.slots import Choice, Lexicon, fold
from server.commands.scene import Scene
from server.commands.table import Argument, Command

_SLASHES: Final = ("/", "／", "・")
_WHISPERS: Final = (";", "；")
_QUOTED: Final = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed text, taken apart: a head with the rest, a whisper, or plain talk."""

    kind: str
    head: str
    rest: str
    confirmed: bool


def take_apart(text: str) -> Typed:
    """What a text is, by its first character: `command`, `whisper` or `talk`.

    `//text` is talk that begins with a slash; a trailing `!` confirms a command.
    """
    stripped = text.strip()
    if stripped.startswith(_WHISPERS):
        name, _, said = stripped[1:].partition(" ")
        return Typed("whisper", name, said.strip(), confirmed=False)
    if not stripped.startswith(_SLASHES):
        return Typed("talk", "", stripped, confirmed=False)
    if stripped[1:2] in _SLASHES:
        return Typed("talk", "", "/" + stripped[2:], confirmed=False)
    body = unicodedata.normalize("NFKC", stripped[1:]).strip()
    confirmed = body.endswith("!")
    if confirmed:
        body = body[:-1].rstrip()
    head, _, rest = body.partition(" ")
    return Typed("command", fold(head), rest.strip(), confirmed=confirmed)


def take_words(text: str) -> list[tuple[str, int]]:
    """The words of a text with the place where each ends; quotes hold a word together."""
    return [(match[1] or match[2], match.end()) for match in _QUOTED.finditer(text)]


def read_arguments(command: Command, rest: str, scene: Scene) -> Mapping[str, str]:
    """The arguments of a command by name, those left out being absent.

    Raises NotUnderstood: missing_argument, extra_argument, bad_argument.
    """
    values: dict[str, str] = {}
    start = 0
    for argument in command.arguments:
        left = rest[start:].strip()
        if not left:
            if not argument.optional:
                raise NotUnderstood("command_missing", command=command.name, argument=argument.name)
            continue
        if argument.kind == "text":
            values[argument.name] = left
            start = len(rest)
            break
        word, end = take_words(rest[start:])[0]
        value = _read(argument, word, scene)
        if value is None:
            continue
        values[argument.name] = value
        start += end
    extra = rest[start:].strip()
    if extra:
        raise NotUnderstood("extra_argument", given=extra)
    return values


def _read(argument: Argument, word: str, scene: Scene) -> str | None:
    """The canonical text of an argument; None if it is left out and the word is the next one's."""
    if argument.kind in ("seat", "number"):
        return _number(argument, word)
    if argument.kind == "seed":
        name, _, value = word.partition("=")
        if name != "seed":
            raise NotUnderstood("bad_word", argument=argument.name, given=word)
        return value
    if argument.kind == "game":
        return _game(word, scene)
    if argument.kind == "choice":
        return _choice(argument, word)
    if argument.kind == "strategy":
        return _strategy(word, scene)
    return word


def _number(argument: Argument, word: str) -> str:
    if word.isascii() and word.isdigit() and len(word) < 10:
        return str(int(word))
    raise NotUnderstood("bad_word", argument=argument.name, given=word)


def _choice(argument: Argument, word: str) -> str:
    folded = fold(word)
    found = [each for each in argument.words if each.startswith(folded)]
    if folded in argument.words:
        return folded
    if len(found) == 1:
        return found[0]
    raise NotUnderstood("bad_word", argument=argument.name, given=word, candidates=argument.words)


def _strategy(word: str, scene: Scene) -> str | None:
    folded = fold(word)
    if folded.isdigit():
        return None
    bots = ("remove", *(scene.game.bots if scene.game else ()), "random")
    found = [each for each in dict.fromkeys(bots) if each.startswith(folded)]
    if len(found) == 1:
        return found[0]
    raise NotUnderstood("bad_word", argument="strategy", given=word, candidates=bots)


def _game(word: str, scene: Scene) -> str:
    games = scene.world.games()
    lexicon = Lexicon([Choice(key, (game.info.en, game.info.ja)) for key, game in games.items()])
    found = lexicon.find(fold(word))
    if len(found) == 1:
        return str(found[0])
    near = found or tuple(lexicon.near(fold(word))) or tuple(games)
    raise NotUnderstood("no_such_game", given=word, candidates=near)


__all__ = ["Typed", "read_arguments", "take_apart", "take_words"]
