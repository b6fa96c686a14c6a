"""What would be accepted now: the live catalogue, completion, the candidates of arguments.

Buttons, completion, bots and `/help` are made from the same table and scene as the judging of
lines: what is catalogued is permitted, and what is permitted is catalogued. Candidates are visible
to the speaker and valid at present; secret arguments have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NotRequired, TypedDict

from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import Option
from bluebear.rules.core.grammar import Query, Verb, begins
from bluebear.rules.core.localized_lines import localized_value
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice, SlotForm, fold, outgrows
from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.server.commands.arguments import (
    ANSWER_CHOICES,
    EXPLAIN,
    SLASHES,
    WHISPERS,
    game_choices,
    split_input,
    strategies,
)
from bluebear.server.commands.command import Argument, Command, is_offered, usable
from bluebear.server.commands.native import head_for, usage
from bluebear.server.commands.resolve import item_named
from bluebear.server.commands.scene import ONLINE, Scene, Sources
from bluebear.server.limits import LINE_MAX_CHARS
from bluebear.server.room.game_setup import REMOVE
from bluebear.server.room.options import (
    CLOCKS,
    find_option,
    format_value,
    named_values,
    options_for,
    seats_of,
)
from bluebear.server.room.state import Phase
from bluebear.server.sentences import say

Listed = dict[str, list[str]]

_PARTIAL: Final = re.compile(r"[^\s,、，]*\Z")
"""The word that is being typed."""


class SlotItem(SlotForm):
    """A slot of a move or a query."""

    label: str


class ArgumentItem(TypedDict):
    """An argument of a command, with its candidates."""

    name: str
    label: str
    kind: str
    optional: bool
    candidates: list[str]


class Item(TypedDict):
    """One entry of the catalogue: moves and queries have `slots`, commands have `arguments`."""

    kind: Literal["move", "query", "command"]
    name: str
    names: list[str]
    usage: str
    help: str
    slots: NotRequired[list[SlotItem]]
    arguments: NotRequired[list[ArgumentItem]]


class Catalogue(TypedDict):
    """The present catalogue with its hash; the hash alone where the client has this one."""

    hash: str
    commands: NotRequired[list[Item]]


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand instead of the text from `start` on."""

    start: int
    candidates: tuple[str, ...]


def catalogue(scene: Scene) -> list[Item]:
    """Everything that the speaker may say here and now, the game's lines first."""
    listed: Listed = {}
    return [
        *(_game_item(scene, scene.game, item) for item in _usable_items(scene) if scene.game),
        *(_command_item(scene, command, listed) for command in usable(scene)),
    ]


def _legal(scene: Scene) -> list[Move]:
    if scene.game is None or scene.room is None or scene.seat is None:
        return []
    if scene.phase is not Phase.PLAYING:
        return []
    return list(scene.game.legal(scene.room.game, scene.seat))


def _usable_items(scene: Scene) -> list[Verb | Query]:
    """The game's verbs that have a legal move, and its queries while it is played."""
    if scene.game is None or scene.room is None or scene.room.game is None:
        return []
    grammar, kinds = scene.game.grammar, {type(move) for move in _legal(scene)}
    playable = (verb for verb in grammar.verbs.values() if verb.move in kinds)
    return [*playable, *grammar.queries.values()]


def _game_item(scene: Scene, game: Game[object], item: Verb | Query) -> Item:
    lang = scene.speaker.lang
    return {
        "kind": "move" if isinstance(item, Verb) else "query",
        "name": item.name,
        "names": [*item.names, *item.short],
        "usage": game.grammar.usage(item.name, game.phrases, lang),
        "help": game.phrases.say(f"verb.{item.name}", lang),
        "slots": [
            {**slot.describe(), "label": game.phrases.say(f"slot.{slot.name}", lang)}
            for slot in item.slots
        ],
    }


def _command_item(scene: Scene, command: Command, listed: Listed) -> Item:
    lang = scene.speaker.lang
    return {
        "kind": "command",
        "name": command.name,
        "names": [*command.names, *command.short],
        "usage": usage(command, lang),
        "help": say(command.phrase, lang),
        "arguments": [_argument_item(scene, command, each, listed) for each in command.arguments],
    }


def _argument_item(
    scene: Scene, command: Command, argument: Argument, listed: Listed
) -> ArgumentItem:
    """An argument with its candidates; `listed` are those of a whole catalogue, by their kind."""
    kind = "online" if argument.kind == "name" and _is_about_all(command) else argument.kind
    if kind not in listed or kind not in _SAME_FOR_ALL:
        listed[kind] = [choice.value for choice in candidates(scene, command, argument, {})]
    return {
        "name": argument.name,
        "kind": argument.kind,
        "label": say(argument.phrase, scene.speaker.lang),
        "optional": argument.optional,
        "candidates": listed[kind],
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
    items: list[Verb | Query | Command] = [*_usable_items(scene), *usable(scene)]
    if not partial:
        names = [head_for(item.name, scene.speaker.lang, scene.game) for item in items]
    else:
        names = [item.name for item in items] + [name for item in items for name in item.names]
    return tuple(f"/{name}" for name in dict.fromkeys(names) if begins(name, partial))


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
    at, folded = len(before.split()), fold(partial)
    return tuple(
        value
        for slot in item.slots[at : at + 1]
        for value in slot.values()
        if any(begins(name, folded) for name in (value, *slot.names(value)))
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
        if any(begins(name, folded) for name in (choice.value, *choice.names))
    )


def _shown(choice: Choice, partial: str) -> str:
    """The Japanese name of a choice that begins with `partial`, or its first one."""
    fitting = [name for name in choice.names if not name.isascii() and len(name.split()) == 1]
    begun = (name for name in fitting if begins(name, partial))
    return next(begun, fitting[0] if fitting else choice.value)


_LISTED: Final = 100
"""The greatest number of values of a range that are listed."""


def candidates(
    scene: Scene, command: Command, argument: Argument, given: Mapping[str, str]
) -> list[Choice]:
    """The candidates for an argument, after the arguments `given`; empty for free text."""
    if argument.name == "value":
        return _values(scene, given.get("option", ""))
    finder = _FINDERS.get(argument.kind)
    if finder is not None:
        return finder(scene)
    match argument.kind:
        case "choice":
            return list(argument.choices)
        case "wish":
            return [*game_choices(scene.games), *(argument.choices or ANSWER_CHOICES)]
        case "vote":
            return _plain(scene.ballots(yes=command.name != "refuse"))
        case "name":
            return _names(scene, command)
        case _:
            return []


def _plain(values: Iterable[object]) -> list[Choice]:
    return [Choice(str(value)) for value in values]


def _commands(scene: Scene) -> list[Choice]:
    items = () if scene.game is None else scene.game.grammar.items
    return [Choice(each.name, each.names) for each in (*items, *usable(scene))]


def _paragraphs(scene: Scene) -> list[Choice]:
    if scene.room is None:
        return game_choices(scene.games)
    return [] if scene.game is None else _plain(scene.game.rules)


def _rooms(scene: Scene) -> list[Choice]:
    rooms = {room.id: room for room in (*scene.offers.my_rooms, *scene.offers.rooms)}
    return _plain(room.id for room in rooms.values() if room.is_visible_to(scene.speaker.person))


def _seats(scene: Scene) -> list[Choice]:
    """The free seats before the game; later the seats of house bots."""
    room, game = scene.room, scene.game
    if room is None or game is None:
        return []
    if room.table.phase is not Phase.OPEN:
        return _plain(seat for seat, chair in room.seats.items() if chair.person is None)
    numbers = range(1, seats_of(room.table, game.info)[1] + 1)
    return _plain(number for number in numbers if Seat(number) not in room.seats)


def _strategies(scene: Scene) -> list[Choice]:
    seats = {} if scene.room is None else scene.room.seats
    has_bots = scene.phase is Phase.OPEN and any(each.person is None for each in seats.values())
    return [each for each in strategies(scene) if each.value != REMOVE or has_bots]


def _options(scene: Scene) -> list[Choice]:
    if scene.game is None:
        return []
    options = options_for(scene.game).values()
    return [Choice(option.name, option.names) for option in options] + [EXPLAIN]


def _values(scene: Scene, given: str) -> list[Choice]:
    if scene.game is None:
        return []
    try:
        option = find_option(options_for(scene.game), given)
    except NotUnderstood:
        return []
    values: Sequence[str]
    match option.kind:
        case "number":
            numbers = range(option.low, option.high + 1, option.step)
            listed = [*map(str, numbers)] if len(numbers) <= _LISTED else []
            values = (*listed, *named_values(option))
        case "clock":
            values = CLOCKS
        case _:
            values = named_values(option)
    return [Choice(value, _typed(option, value)) for value in values]


def _typed(option: Option, value: str) -> tuple[str, ...]:
    typed = format_value(option, value, "ja")
    return tuple(dict.fromkeys((*((typed,) if typed != value else ()), *option.names_of(value))))


def _areas(scene: Scene) -> list[Choice]:
    if scene.game is None or scene.room is None:
        return []
    return [*(scene.game.texts.areas if scene.room.game else ()), *scene.game.texts.explained]


def _is_about_all(command: Command) -> bool:
    """Whether it concerns people who need not be in the room."""
    return command.offers == ONLINE and command.name != "invite"


def _names(scene: Scene, command: Command) -> list[Choice]:
    """The names of people that a command may concern; none for `/nick`, whose name is new."""
    room, me = scene.room, scene.speaker.person
    if _is_about_all(command):
        return _plain(name for person, name in scene.offers.online if person != me)
    if room is None:
        return []
    present = {person: name for person, name in scene.here.items() if person != me}
    match command.name:
        case "peek":
            return _plain(chair.name for chair in room.seats.values() if chair.person is not None)
        case "allowpeek":
            return _plain(name for person, name in present.items() if room.seat_of(person) is None)
        case "remove":
            chairs = room.seats.items()
            return _plain(c.name for s, c in chairs if c.person and not c.bot and s != scene.seat)
        case "host":
            return _plain(present.values())
        case "kick" | "ban":
            chairs = room.seats.items()
            seated = {c.person: c.name for _, c in chairs if c.person is not None}
            people = {**seated, **present}
            return _plain(people[each] for each in people if each != room.table.host_person)
        case "unban":
            return _plain(require(room.table.banned).values())
        case "invite":
            online = scene.offers.online
            return _plain(name for person, name in online if person not in scene.here)
        case _:
            return []


_FINDERS: Final[Mapping[str, Callable[[Scene], list[Choice]]]] = {
    "command": _commands,
    "paragraph": _paragraphs,
    "game": lambda scene: game_choices(scene.games),
    "game_id": lambda scene: [] if scene.room is None else _plain((scene.room.table.game_id,)),
    "room": _rooms,
    "seat": _seats,
    "strategy": _strategies,
    "option": _options,
    "area": _areas,
}

_SAME_FOR_ALL: Final = frozenset((*_FINDERS, "online"))
"""Kinds of arguments whose candidates are the same for all commands."""
