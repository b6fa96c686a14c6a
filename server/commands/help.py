"""`/help`: the commands that the speaker may use at present, and the syntax of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.rules.core.text_layout import flowed, packed
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import COMMANDS, Command, Topic, heads, usable
from bluebear.server.commands.scene import Scene
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say

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


def called(command: Command, lang: Lang) -> str:
    """The name of a command in a language."""
    return _called(command.name, command.names, lang)


def _called(canonical: str, names: tuple[str, ...], lang: Lang) -> str:
    japanese = (name for name in names if not name.isascii())
    return canonical if lang == "en" else next(japanese, canonical)


@cache
def usage(command: Command, lang: Lang) -> str:
    """The syntax of a command in a language."""
    parts = ["/" + called(command, lang)]
    for argument in command.arguments:
        label = say(argument.phrase, lang)
        if lang == "en" and argument.kind != "seed":
            label = label.upper()
        if argument.choices:
            names = [_called(each.value, each.names, lang) for each in argument.choices]
            label = "|".join([label, *names] if argument.kind == "wish" else names)
        parts.append(f"[{label}]" if argument.optional else label)
    return " ".join(parts)


def help_text(scene: Scene, given: str) -> Tell:
    """Help on a topic, or on one command or verb.

    Without a topic it fits a screen: the game's verbs and queries for a player of a running game,
    else the commands of the table or, in the lobby, of rooms.
    """
    lang = scene.speaker.lang
    if not given:
        return Tell("help", "\n".join(_first_page(scene)))
    head = fold(given).lstrip("/・")
    if head in TOPICS:
        lines = _offered(scene, TOPICS[head])
        key = "answer.help_head" if lines else "answer.help_none"
        return Tell("help", "\n".join((say(key, lang), *lines)))
    return Tell("help", _verb_help(scene, head) or _help_on(head, lang))


def _first_page(scene: Scene) -> list[str]:
    game, lang = scene.game, scene.speaker.lang
    if game is not None and scene.phase is Phase.PLAYING:
        lines = [
            say("answer.help_game", lang, game=game.info.name(lang)),
            *_game_lines(scene, game),
        ]
    else:
        topic = Topic.ROOMS if scene.room is None else Topic.TABLE
        lines = [say("answer.help_head", lang), *_offered(scene, topic)]
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


def _verb_help(scene: Scene, head: str) -> str:
    """Help on a verb or a query of the game; "" if `head` names none."""
    game = scene.game
    matches = () if game is None else game.grammar.heads.find(head)
    if game is None or len(matches) != 1:
        return ""
    item = game.grammar.verbs.get(matches[0]) or game.grammar.queries[matches[0]]
    line = _verb_line(scene, game, matches[0])
    return _with_names(line, (*item.names, *item.short), scene.speaker.lang)


def _help_on(head: str, lang: Lang) -> str:
    matches = heads().find(head)
    if len(matches) != 1:
        near = matches or tuple(heads().near(head))
        raise NotUnderstood("unknown_command", given=head, candidates=[f"/{name}" for name in near])
    command = COMMANDS[matches[0]]
    line = f"{usage(command, lang)} - {say(command.phrase, lang)}"
    return _with_names(line, (*command.names, *command.short), lang)


def _with_names(line: str, names: tuple[str, ...], lang: Lang) -> str:
    if not names:
        return line.strip()
    aliases = say("answer.other_names", lang, names=tuple(f"/{name}" for name in names))
    return f"{line.strip()}\n{aliases}"
