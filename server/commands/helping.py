"""`/help`: what somebody may use here and now, and how a command or a verb is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.text_layout import flowed, packed
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Command, Topic, is_offered
from bluebear.server.commands.scene import Scene
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say

TOPICS: Final = Lexicon(
    (
        Choice(Topic.TABLE, ("卓",)),
        Choice(Topic.ROOMS, ("部屋",)),
        Choice(Topic.PEOPLE, ("人",)),
        Choice(Topic.HOST, ("ホスト",)),
        Choice(Topic.OPERATOR, ("運営",)),
    )
)
TOPIC_WORDS: Final = frozenset(
    (*(topic.value for topic in Topic), "卓", "部屋", "人", "ホスト", "運営")
)
"""A topic is named in full: what begins like one may be a command."""
_LINES_OF_GAME: Final = 17
"""What a screen of 24 lines has room for beside the head, the foot and the line that is typed."""


def called(command: Command, lang: Lang) -> str:
    """What a command is called in a language."""
    if lang == "en":
        return command.name
    return next((name for name in command.names if not name.isascii()), command.name)


def _choice(choice: Choice, lang: Lang) -> str:
    others = (name for name in choice.names if not name.isascii())
    return choice.value if lang == "en" else next(others, choice.value)


@cache
def usage(command: Command, lang: Lang) -> str:
    """How a command is written, in a language."""
    parts = ["/" + called(command, lang)]
    for argument in command.arguments:
        label = say(argument.phrase, lang)
        if lang == "en" and argument.kind != "seed":
            label = label.upper()
        if argument.choices:
            words = [_choice(choice, lang) for choice in argument.choices]
            label = "|".join([label, *words] if argument.kind == "wish" else words)
        parts.append(f"[{label}]" if argument.optional else label)
    return " ".join(parts)


def help_text(scene: Scene, given: str, commands: Mapping[str, Command], heads: Lexicon) -> Tell:
    """What the speaker may use here and now, by topic; or the details of one command or verb.

    Without a topic it is what he is most likely to need, and fits a screen: the words of the game
    while he plays, else the commands of the table or, in the lobby, of the rooms.
    """
    lang = scene.speaker.lang
    if not given:
        return Tell("help", "\n".join(_first_page(scene, commands)))
    head = fold(given).lstrip("/・")
    topic = TOPICS.find(head)
    if head in TOPIC_WORDS and len(topic) == 1:
        return Tell("help", "\n".join(_topic_page(scene, Topic(topic[0]), commands)))
    return Tell("help", _verb_help(scene, head) or _help_on(head, commands, heads, lang))


def _first_page(scene: Scene, commands: Mapping[str, Command]) -> list[str]:
    game, lang = scene.game, scene.speaker.lang
    if game is not None and scene.phase is Phase.PLAYING:
        lines = [
            say("answer.help_game", lang, game=game.info.name(lang)),
            *_game_lines(scene, game),
        ]
    else:
        topic = Topic.ROOMS if scene.room is None else Topic.TABLE
        lines = [say("answer.help_head", lang), *_offered(scene, topic, commands)]
    return [*lines, say("answer.help_topics", lang), say("answer.help_foot", lang)]


def _topic_page(scene: Scene, topic: Topic, commands: Mapping[str, Command]) -> list[str]:
    lang = scene.speaker.lang
    lines = _offered(scene, topic, commands)
    if not lines:
        return [say("answer.help_none", lang)]
    return [say("answer.help_head", lang), *lines]


def _offered(scene: Scene, topic: Topic, commands: Mapping[str, Command]) -> list[str]:
    return [
        "  " + _command_line(command, scene.speaker.lang)
        for command in commands.values()
        if command.topic is topic and is_offered(scene, command)
    ]


def _game_lines(scene: Scene, game: Game[object]) -> list[str]:
    """The words of the game, with as much about each as a screen has room for."""
    lang, width = scene.speaker.lang, scene.width
    words = _game_words(game) if scene.seat is not None else list(game.grammar.queries)
    told = [line for name in words for line in flowed(_verb_line(scene, game, name), width, 6)]
    if len(told) <= _LINES_OF_GAME:
        return told
    usages = [game.grammar.usage(name, game.phrases, lang) for name in words]
    if len(usages) <= _LINES_OF_GAME:
        return ["  " + usage for usage in usages]
    return packed(["  ", *(usage + "   " for usage in usages)], width, 2)


def _game_words(game: Game[object]) -> list[str]:
    return [*game.grammar.verbs, *game.grammar.queries]


def _command_line(command: Command, lang: Lang) -> str:
    help_line = f"{usage(command, lang)} - {say(command.phrase, lang)}"
    # Who reads Japanese may type either; the Roman name is the shorter one to type.
    return f"{help_line} (/{command.name})" if lang == "ja" else help_line


def _verb_line(scene: Scene, game: Game[object], name: str) -> str:
    lang = scene.speaker.lang
    how = game.grammar.usage(name, game.phrases, lang)
    return f"  {how} - {game.phrases.say(f'verb.{name}', lang)}"


def _verb_help(scene: Scene, head: str) -> str:
    """What a verb or a query of the game does; empty if the word names none."""
    game = scene.game
    found = () if game is None else game.grammar.heads.find(head)
    if game is None or len(found) != 1:
        return ""
    item = game.grammar.verbs.get(found[0]) or game.grammar.queries[found[0]]
    line = _verb_line(scene, game, found[0])
    return _with_names(line, (*item.names, *item.short), scene.speaker.lang)


def _help_on(head: str, commands: Mapping[str, Command], heads: Lexicon, lang: Lang) -> str:
    found = heads.find(head)
    if len(found) != 1:
        near = found or tuple(heads.near(head))
        raise NotUnderstood("unknown_command", given=head, candidates=[f"/{name}" for name in near])
    command = commands[found[0]]
    line = f"{usage(command, lang)} - {say(command.phrase, lang)}"
    return _with_names(line, (*command.names, *command.short), lang)


def _with_names(line: str, names: tuple[str, ...], lang: Lang) -> str:
    if not names:
        return line.strip()
    others = say("answer.other_names", lang, names=tuple(f"/{name}" for name in names))
    return f"{line.strip()}\n{others}"
