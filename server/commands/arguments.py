"""Reads the arguments of a command: typed words to values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.search_model import CASUAL, CLUB, MASTER, PUPIL, STRONG
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.acts import Act
from bluebear.server.commands.command import Argument, Arguments, Command
from bluebear.server.commands.scene import Scene
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
    rest = typed.text if command.greedy else typed.rest
    if not command.greedy and rest:
        rest = _take_named(command, rest, scene, values)
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
            answer = Lexicon(argument.choices or ANSWER_WORDS).exact(fold(word))
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


SLASHES: Final = ("/", "／", "・")
"""What a command may begin with: a Japanese keyboard gives ・ where others have /."""
WHISPERS: Final = (";", "；")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Signs that move the cursor, break the line or turn its direction on other people's screens."""
_JOINERS: Final = "\u200c\u200d"
"""The only unseen signs with a meaning in talk: Persian needs one, emoji the other."""
_MARKS_IN_A_ROW: Final = 4
"""More marks on one letter are a flood that runs over the lines above and below."""
_WORD: Final = re.compile(r'["＂]([^"＂]*)["＂]|(\S+)')
UNTOLD: Final = "..."
"""Stands for a word of a line that may hold a password."""


class Form(Enum):
    """What a text is, by its first characters."""

    COMMAND = "command"
    WHISPER = "whisper"
    TALK = "talk"


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed text, taken apart.

    `head` is the word after the slash, or whom a whisper is for. `text` is what follows, as it was
    typed; `rest` is the same without the `!` at its end that confirms a move.
    """

    form: Form
    head: str
    text: str
    rest: str
    confirmed: bool = False


ReadForm = Callable[[Scene, Typed], Act]
"""What a line amounts to that is no command. Raises Refusal."""


def form_of(text: str) -> Form:
    """What a text is; nothing of it is normalised for that."""
    return _form(_CONTROL.sub(" ", text).strip())


def _form(clean: str) -> Form:
    if clean.startswith(WHISPERS):
        return Form.WHISPER
    if not clean.startswith(SLASHES) or clean.startswith("・・") or clean[1:2] in ("/", "／"):
        return Form.TALK
    return Form.COMMAND


def take_apart(text: str) -> Typed:
    """What a text is. `//text` is talk that begins with a slash, and so is `・・・`."""
    clean = _CONTROL.sub(" ", text).strip()
    match _form(clean):
        case Form.WHISPER:
            return _whisper(clean[1:])
        case Form.TALK:
            begins_with_slash = clean.startswith(SLASHES) and not clean.startswith("・・")
            said = seen("/" + clean[2:] if begins_with_slash else clean)
            return Typed(Form.TALK, "", said, said)
        case Form.COMMAND:
            return _command(clean)


def _command(clean: str) -> Typed:
    head, said = (*clean[1:].split(maxsplit=1), "", "")[:2]
    folded, rest = fold(head), said
    confirmed = clean.endswith(("!", "！"))
    if confirmed and said:
        rest = said[:-1].rstrip()
    elif confirmed:
        folded = folded.removesuffix("!")
    return Typed(Form.COMMAND, folded, said, rest, confirmed=confirmed)


def seen(text: str) -> str:
    """What others see of a text: without unseen signs, with few marks on each letter."""
    return text if text.isascii() else "".join(_seen(text)).strip()


def _seen(text: str) -> Iterator[str]:
    marks, before = 0, " "
    for sign in text:
        category = unicodedata.category(sign)
        marks = marks + 1 if category.startswith("M") else 0
        joins = sign in _JOINERS and not before.isspace() and before not in _JOINERS
        if marks <= _MARKS_IN_A_ROW and (category != "Cf" or joins):
            before = sign
            yield sign


def _whisper(text: str) -> Typed:
    match = _WORD.match(text.lstrip())
    if match is None:
        return Typed(Form.WHISPER, "", "", "")
    said = seen(text.lstrip()[match.end() :].strip())
    return Typed(Form.WHISPER, _plain(match), said, said)


def _plain(match: re.Match[str]) -> str:
    """The word without its quotes, in half-width characters."""
    word = match[2] if match[1] is None else match[1]
    return unicodedata.normalize("NFKC", word)


def take_words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text with the place where each ends; quotes hold a word together."""
    return ((_plain(match), match.end()) for match in _WORD.finditer(text))
