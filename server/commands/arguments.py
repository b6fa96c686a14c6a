"""Parses typed lines: their form, and the arguments of commands."""

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
from bluebear.server.room.fold_context import Games
from bluebear.server.room.game_setup import REMOVE
from bluebear.server.room.options import seats_of

_LIST: Final = re.compile(r"[,、]")
_NAMED: Final = re.compile(r"(?<![^\s=＝])([^\s=＝]++)[=＝](\S*)")
"""`seat=2`; possessive, so that a long text without the sign does not cost its square."""


_RANGE: Final = re.compile(r"([1-9]\d?)(?:[-~〜]([1-9]\d?))?")

LEVEL_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    PUPIL: ("見習い",),
    CASUAL: ("普通",),
    CLUB: ("中級",),
    STRONG: ("上級",),
    MASTER: ("名人",),
    "greedy": ("欲張り",),
    "random": ("ランダム",),
}
"""The Japanese names of house bots."""

EXPLAIN: Final = Choice("help", ("説明", "ヘルプ"))
"""Explains options instead of setting one."""
ANSWER_CHOICES: Final = (Choice("yes", ("はい",)), Choice("no", ("いいえ",)))
"""The replies to an offered game."""


def read_arguments(command: Command, typed: Typed, scene: Scene) -> Arguments:
    """Parse the arguments of a command, by name; those that were left out are absent.

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
        text, end = _next(argument, rest[start:])
        value = _read(command, argument, text, scene)
        if value is not None:
            values[argument.name] = value
            start += end
    extra = rest[start:].strip()
    if extra:
        raise NotUnderstood("extra_argument", given=_shown(command, extra))
    return values


def _next(argument: Argument, text: str) -> tuple[str, int]:
    """The next token and its end; the option of `/option sixrounds=on` ends after the sign."""
    match = _NAMED.match(text.lstrip()) if argument.kind == "option" else None
    if match is None:
        return next(split_input(text))
    return unicodedata.normalize("NFKC", match[1]), len(text) - len(text.lstrip()) + match.end(
        1
    ) + 1


def _greedy(argument: Argument, text: str) -> str:
    # Passwords are equal in half and full width; other texts stay as typed.
    if argument.kind == "password":
        return unicodedata.normalize("NFKC", text)
    visible = seen(text)
    if not visible:
        raise NotUnderstood("empty_line")
    return visible


def _take_named(command: Command, rest: str, scene: Scene, values: dict[str, Any]) -> str:
    """Parse `name=value` tokens, in any order, into `values`; returns the text without them."""
    named = {argument.name: argument for argument in command.arguments}
    for match in _NAMED.finditer(rest):
        argument = named.get(fold(match[1]))
        if argument is not None and argument.name not in values:
            text = unicodedata.normalize("NFKC", match[2])
            value = _read(command, argument, text, scene)
            if value is None:
                raise _bad(command, argument, text)
            values[argument.name] = value
            rest = rest.replace(match[0], " " * len(match[0]), 1)
    return rest


def _shown(command: Command, given: str) -> str:
    """A typed text as a refusal may repeat it."""
    return MASKED if command.secret else given


def _bad(
    command: Command, argument: Argument, given: str, candidates: tuple[str, ...] = ()
) -> NotUnderstood:
    return NotUnderstood(
        "bad_word", argument=argument.name, given=_shown(command, given), candidates=candidates
    )


def _read(command: Command, argument: Argument, given: str, scene: Scene) -> Any:
    """The value of an argument; None if it was left out and the text is the next argument's."""
    match argument.kind:
        case "seat":
            most = (
                seats_of(scene.room.table, scene.game.info)[1] if scene.room and scene.game else 0
            )
            return Seat(_number(command, argument, given, (f"1-{most}",) if most else ()))
        case "vote":
            votes = scene.room.table.votes if scene.room else ()
            return _number(command, argument, given, tuple(str(number) for number in votes))
        case "seed" | "hex":
            return given.lower()
        case "page":
            return max(1, _number(command, argument, given, ("1",)))
        case "game":
            if argument.optional and given.isascii() and given.isdigit():
                return None
            return game_named(scene.games, given)
        case "wish":
            answer = Lexicon(argument.choices or ANSWER_CHOICES).exact(fold(given))
            return answer or game_named(scene.games, given)
        case "choice" | "scopes":
            return _chosen(command, argument, given)
        case "number" | "players":
            return (
                _counted(given) if argument.kind == "number" else _players(command, argument, given)
            )
        case "strategy":
            if given.isascii() and given.isdigit():
                return None
            return _one_of(command, argument, given, strategies(scene))
        case _:
            return given


def _number(command: Command, argument: Argument, given: str, candidates: tuple[str, ...]) -> int:
    if (number := _counted(given)) is None:
        raise _bad(command, argument, given, candidates)
    return number


def _counted(given: str) -> int | None:
    """Parse `30`; None if the text is the next argument's."""
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def _players(command: Command, argument: Argument, given: str) -> tuple[int, int] | None:
    """Parse `3` or `2-4`; None if the text is the next argument's."""
    match = _RANGE.fullmatch(given)
    if match is None:
        return None
    least = int(match[1])
    most = int(match[2] or least)
    if not 1 <= least <= most:
        raise _bad(command, argument, given, ("2-4", "3"))
    return least, most


def _chosen(command: Command, argument: Argument, given: str) -> str | tuple[str, ...] | None:
    """One of an argument's choices, or several of them; None if the text is the name after it."""
    may_be_left_out = argument.optional and command.arguments[-1].kind == "name"
    if may_be_left_out and not Lexicon(argument.choices).find(fold(given)):
        return None
    if argument.kind == "choice":
        return _one_of(command, argument, given, argument.choices)
    items = filter(None, _LIST.split(given))
    return tuple(_one_of(command, argument, each, argument.choices) for each in items)


def _one_of(command: Command, argument: Argument, given: str, choices: tuple[Choice, ...]) -> str:
    lexicon = Lexicon(choices)
    matches = lexicon.find(fold(given))
    if len(matches) == 1:
        return matches[0]
    raise _bad(command, argument, given, matches or lexicon.values)


def strategies(scene: Scene) -> tuple[Choice, ...]:
    """The house bots of the room's game, and the choice that removes one."""
    names = scene.game.players if scene.game else ("random",)
    levels = (Choice(name, LEVEL_NAMES.get(name, ())) for name in names)
    return (*levels, Choice(REMOVE, ("外す",)))


def game_choices(games: Games) -> list[Choice]:
    """The games by their names in both languages, the Japanese one also without its dots."""
    names = ((key, each.info.names) for key, each in games.items())
    return [Choice(key, (n.en, n.ja, n.ja.replace("・", ""))) for key, n in names]


def game_named(games: Games, given: str) -> str:
    """The key of a game by any of its names. Raises NotUnderstood (no_such_game)."""
    if given in games:
        return given
    return Lexicon(game_choices(games)).only(given, "no_such_game")


SLASHES: Final = ("/", "／", "・")
"""The first character of commands; a Japanese keyboard has ・ on the key of /."""
WHISPERS: Final = (";", "；")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that move the cursor, break the line or change its direction."""
_JOINERS: Final = "\u200c\u200d"
"""The only invisible characters that chat may contain: for Persian and for emoji."""
_MARKS_IN_A_ROW: Final = 4
"""The most marks on one letter; more would cover the lines above and below."""
_TOKEN: Final = re.compile(r'["＂]([^"＂]*)["＂]|(\S+)')
MASKED: Final = "..."
"""Replaces an argument that may be a password."""


class Form(Enum):
    """The form of a text, by its first characters."""

    COMMAND = "command"
    WHISPER = "whisper"
    TALK = "talk"


@dataclass(frozen=True, slots=True)
class Typed:
    """A parsed line.

    `head` is the command or verb, or the addressee of a whisper. `text` is what follows, as it was
    typed; `rest` is `text` without a final `!`, which confirms a move.
    """

    form: Form
    head: str
    text: str
    rest: str
    confirmed: bool = False


FORMS: Final[dict[Form, Callable[[Scene, Typed], Act]]] = {}
"""What features make of lines that are no command: talk in the lobby, and `;name`."""


def form_of(text: str) -> Form:
    """The form of a text, without normalization."""
    return _form(_CONTROL.sub(" ", text).strip())


def _form(clean: str) -> Form:
    if clean.startswith(WHISPERS):
        return Form.WHISPER
    if not clean.startswith(SLASHES) or clean.startswith("・・") or clean[1:2] in ("/", "／"):
        return Form.TALK
    return Form.COMMAND


def take_apart(text: str) -> Typed:
    """Parse a line. `//text` is chat that begins with a slash, and so is `・・・`."""
    clean = _CONTROL.sub(" ", text).strip()
    match _form(clean):
        case Form.WHISPER:
            return _whisper(clean[1:])
        case Form.TALK:
            begins_with_slash = clean.startswith(SLASHES) and not clean.startswith("・・")
            talk = seen("/" + clean[2:] if begins_with_slash else clean)
            return Typed(Form.TALK, "", talk, talk)
        case Form.COMMAND:
            return _command(clean)


def _command(clean: str) -> Typed:
    head, text = (*clean[1:].split(maxsplit=1), "", "")[:2]
    folded, rest = fold(head), text
    confirmed = clean.endswith(("!", "！"))
    if confirmed and text:
        rest = text[:-1].rstrip()
    elif confirmed:
        folded = folded.removesuffix("!")
    return Typed(Form.COMMAND, folded, text, rest, confirmed=confirmed)


def seen(text: str) -> str:
    """A text as it is sent: without invisible characters, with few marks on each letter."""
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
    match = _TOKEN.match(text.lstrip())
    if match is None:
        return Typed(Form.WHISPER, "", "", "")
    message = seen(text.lstrip()[match.end() :].strip())
    return Typed(Form.WHISPER, _plain(match), message, message)


def _plain(match: re.Match[str]) -> str:
    """The token without its quotes, in half-width characters."""
    text = match[2] if match[1] is None else match[1]
    return unicodedata.normalize("NFKC", text)


def split_input(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a text with their ends; a quoted token may contain spaces."""
    return ((_plain(match), match.end()) for match in _TOKEN.finditer(text))
