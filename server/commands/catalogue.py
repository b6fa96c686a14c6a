"""What would be accepted now: the live catalogue, and the completion of a line being typed.

Buttons, completion, bots and `/help` are made from the same table and scene as the judging of
lines: what is catalogued is permitted, and what is permitted is catalogued.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import Query, Verb, begins
from bluebear.rules.core.localized_lines import localized_value
from bluebear.rules.core.slots import Choice, fold, outgrows
from bluebear.rules.core.visibility import Move
from bluebear.server.commands.arguments import SLASHES, WHISPERS, split_input
from bluebear.server.commands.candidates import candidates
from bluebear.server.commands.command import Argument, Command, is_offered, usable
from bluebear.server.commands.help import usage
from bluebear.server.commands.needs import Sources
from bluebear.server.commands.resolve import item_named
from bluebear.server.commands.scene import Scene
from bluebear.server.limits import LINE_MAX_CHARS
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say

Item = dict[str, Any]  # Any: texts, flags and lists of them, as clients get them

_PARTIAL: Final = re.compile(r"[^\s,、，]*\Z")
"""The word that is being typed."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand instead of the text from `start` on."""

    start: int
    candidates: tuple[str, ...]


def catalogue(scene: Scene) -> list[Item]:
    """Everything that the speaker may say here and now, the game's lines first.

    `kind` is move, query or command. Moves and queries have `slots`, commands have `arguments`.
    """
    made: list[Item] = []
    game = scene.game
    if game is not None:
        made += [_game_item(scene, game, verb, "move") for verb in _playable(game, _legal(scene))]
        if scene.room is not None and scene.room.game is not None:
            queries = game.grammar.queries.values()
            made += [_game_item(scene, game, query, "query") for query in queries]
    return made + [_command_item(scene, command) for command in usable(scene)]


def _legal(scene: Scene) -> list[Move]:
    if scene.game is None or scene.room is None or scene.seat is None:
        return []
    if scene.phase is not Phase.PLAYING:
        return []
    return list(scene.game.legal(scene.room.game, scene.seat))


def _playable(game: Game[object], legal: Iterable[Move]) -> list[Verb]:
    """The verbs that have a legal move."""
    kinds = {type(move) for move in legal}
    return [verb for verb in game.grammar.verbs.values() if verb.move in kinds]


def _game_item(scene: Scene, game: Game[object], item: Verb | Query, kind: str) -> Item:
    lang = scene.speaker.lang
    return {
        "kind": kind,
        "name": item.name,
        "names": [*item.names, *item.short],
        "usage": game.grammar.usage(item.name, game.phrases, lang),
        "help": game.phrases.say(f"verb.{item.name}", lang),
        "slots": [
            {**slot.describe(), "label": game.phrases.say(f"slot.{slot.name}", lang)}
            for slot in item.slots
        ],
    }


def _command_item(scene: Scene, command: Command) -> Item:
    lang = scene.speaker.lang
    return {
        "kind": "command",
        "name": command.name,
        "names": [*command.names, *command.short],
        "usage": usage(command, lang),
        "help": say(command.phrase, lang),
        "arguments": [_argument_item(scene, command, each) for each in command.arguments],
    }


def _argument_item(scene: Scene, command: Command, argument: Argument) -> Item:
    return {
        "name": argument.name,
        "kind": argument.kind,
        "label": say(argument.phrase, scene.speaker.lang),
        "optional": argument.optional,
        "candidates": [choice.value for choice in candidates(scene, command, argument, {})],
    }


def sources_of(scene: Scene, text: str) -> Sources | None:
    """The sources that must be read to complete a text; None if there are none."""
    if _is_too_long(text):
        return None
    typed = text.lstrip()
    head, space, _ = _parted(typed[1:])
    if not typed.startswith(SLASHES) or not space:
        return None
    item = item_named(scene, fold(head))
    return item.offers if isinstance(item, Command) else None


def complete(scene: Scene, text: str) -> Completion:
    """Complete a text at its end; candidates replace its last token."""
    if _is_too_long(text):
        return Completion(len(text), ())
    lead = len(text) - len(text.lstrip())
    typed = text[lead:]
    if typed.startswith(WHISPERS):
        return Completion(lead, _whispers(scene, typed))
    if not typed.startswith(SLASHES) or typed[1:2] in SLASHES:
        return Completion(len(text), ())
    head, space, _ = _parted(typed[1:])
    if not space:
        return Completion(lead, _heads(scene, fold(head)))
    item = item_named(scene, fold(head))
    rest = typed[1 + len(head) :]
    partial = _last(rest)
    before = rest[: len(rest) - len(partial)]
    return Completion(len(text) - len(partial), _following(scene, item, before, partial))


def _is_too_long(text: str) -> bool:
    return len(text) > LINE_MAX_CHARS or outgrows(text)


def _last(text: str) -> str:
    match = _PARTIAL.search(text)
    return "" if match is None else match[0]


def _parted(text: str) -> tuple[str, str, str]:
    match = re.search(r"\s", text)
    return (text, "", "") if match is None else text.partition(match[0])


def _whispers(scene: Scene, typed: str) -> tuple[str, ...]:
    partial = fold(typed[1:])
    names = (name for person, name in scene.here.items() if person != scene.speaker.person)
    return tuple(f";{name}" for name in names if fold(name).startswith(partial))


def _heads(scene: Scene, partial: str) -> tuple[str, ...]:
    """Heads that begin with `partial`: canonical names; Japanese names for Japanese readers."""
    items: list[Verb | Query | Command] = []
    if scene.game is not None:
        items += _playable(scene.game, _legal(scene))
        if scene.room is not None and scene.room.game is not None:
            items += scene.game.grammar.queries.values()
    items += usable(scene)
    japanese = scene.speaker.lang == "ja" and not partial
    names = [name for item in items for name in _called(item, japanese=japanese)]
    if not japanese:
        names = [item.name for item in items]
        names += [name for item in items for name in item.names if partial]
    return tuple(f"/{name}" for name in dict.fromkeys(names) if begins(name, partial))


def _called(item: Verb | Query | Command, *, japanese: bool) -> Sequence[str]:
    """The first Japanese name if `japanese` and there is one, else the canonical name."""
    names = [name for name in item.names if not name.isascii()]
    return names[:1] if japanese and names else [item.name]


def _following(
    scene: Scene, item: Command | Verb | Query | None, before: str, partial: str
) -> tuple[str, ...]:
    match item:
        case None:
            return ()
        case Command():
            return _arguments(scene, item, before, partial)
        case Verb() if scene.game is not None:
            game = scene.game
            values = tuple(game.grammar.complete(item, before + partial, _legal(scene)))
            return _localized(scene, game, item, values, partial)
        case _:
            values = _slot_values(item, before, partial)
            return _localized(scene, scene.game, item, values, partial)


def _localized(
    scene: Scene,
    game: Game[object] | None,
    item: Verb | Query,
    values: tuple[str, ...],
    partial: str,
) -> tuple[str, ...]:
    """The Japanese forms of values for Japanese readers, unless `partial` is in Roman letters."""
    if game is None or scene.speaker.lang == "en" or (partial and partial.isascii()):
        return values
    return tuple(_spoken(game, item, value) for value in values)


def _spoken(game: Game[object], item: Verb | Query, value: str) -> str:
    texts = (localized_value(slot, value, game.phrases, "ja") for slot in item.slots)
    return next((text for text in texts if text != value), value)


def _slot_values(item: Verb | Query, before: str, partial: str) -> tuple[str, ...]:
    at = len(before.split())
    values: Sequence[str] = item.slots[at].values() if at < len(item.slots) else ()
    folded = fold(partial)
    slot = item.slots[at] if values else None
    return tuple(
        value
        for value in values
        if slot and any(begins(name, folded) for name in (value, *slot.names(value)))
    )


def _arguments(scene: Scene, command: Command, before: str, partial: str) -> tuple[str, ...]:
    if not is_offered(scene, command):
        return ()
    given: dict[str, str] = {}
    waiting = list(command.arguments)
    for text, _ in split_input(before):
        if waiting and waiting[0].kind == "strategy" and text.isdigit():
            del waiting[0]
        if waiting:
            argument = waiting.pop(0)
            given[argument.name] = text
    if not waiting:
        return ()
    folded = fold(partial)
    choices = candidates(scene, command, waiting[0], given)
    roman = scene.speaker.lang == "en" or (partial != "" and partial.isascii())
    return tuple(
        choice.value if roman else _shown(choice, folded)
        for choice in choices
        if _begins(choice, folded)
    )


def _begins(choice: Choice, partial: str) -> bool:
    return any(begins(name, partial) for name in (choice.value, *choice.names))


def _shown(choice: Choice, partial: str) -> str:
    """The Japanese name of a choice that begins with `partial`, or its first one."""
    fitting = [name for name in choice.names if not name.isascii() and len(name.split()) == 1]
    begun = (name for name in fitting if begins(name, partial))
    return next(begun, fitting[0] if fitting else choice.value)
