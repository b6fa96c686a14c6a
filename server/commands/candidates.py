"""Candidates for the arguments of commands in a scene: seats, names, games, values.

Candidates are visible to the speaker and valid at present; secret arguments have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from bluebear.rules.core.game_info import Option
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.commands.arguments import ANSWER_CHOICES, EXPLAIN, strategies
from bluebear.server.commands.command import Argument, Command, usable
from bluebear.server.commands.scene import Scene
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

_LISTED: Final = 100
"""The greatest number of values of a range that are listed."""


def candidates(
    scene: Scene, command: Command, argument: Argument, given: Mapping[str, str]
) -> list[Choice]:
    """The candidates for an argument, after the arguments `given`; empty for free text."""
    if argument.kind == "wish":
        return [*_games(scene, command), *(argument.choices or ANSWER_CHOICES)]
    finder = _FINDERS.get(argument.kind)
    if finder is not None:
        return list(finder(scene, command))
    if argument.kind == "choice":
        return list(argument.choices)
    if argument.name == "value":
        return list(_values(scene, given.get("option", "")))
    return []


def _plain(values: Iterable[object]) -> list[Choice]:
    return [Choice(str(value)) for value in values]


def _commands(scene: Scene, command: Command) -> list[Choice]:
    commands = [Choice(each.name, each.names) for each in usable(scene)]
    if scene.game is None:
        return commands
    grammar = scene.game.grammar
    verbs = [Choice(verb.name, verb.names) for verb in grammar.verbs.values()]
    queries = [Choice(query.name, query.names) for query in grammar.queries.values()]
    return [*verbs, *queries, *commands]


def _paragraphs(scene: Scene, command: Command) -> list[Choice]:
    if scene.room is None:
        return _games(scene, command)
    return [] if scene.game is None else _plain(scene.game.rules)


def _games(scene: Scene, command: Command) -> list[Choice]:
    games = scene.games.items()
    return [Choice(key, (game.info.en, game.info.ja)) for key, game in games]


def _game_ids(scene: Scene, command: Command) -> list[Choice]:
    return [] if scene.room is None else _plain((scene.room.table.game_id,))


def _rooms(scene: Scene, command: Command) -> list[Choice]:
    rooms = {room.id: room for room in (*scene.offers.my_rooms, *scene.offers.rooms)}
    return _plain(room.id for room in rooms.values() if room.is_visible_to(scene.speaker.person))


def _seats(scene: Scene, command: Command) -> list[Choice]:
    """The free seats before the game; later the seats of house bots."""
    room, game = scene.room, scene.game
    if room is None or game is None:
        return []
    if room.table.phase is not Phase.OPEN:
        return _plain(seat for seat, chair in room.seats.items() if chair.person is None)
    numbers = range(1, seats_of(room.table, game.info)[1] + 1)
    return _plain(number for number in numbers if Seat(number) not in room.seats)


def _house_seats(scene: Scene) -> list[Choice]:
    """The seats that `/bot remove` may name."""
    if scene.room is None:
        return []
    return _plain(seat for seat, chair in scene.room.seats.items() if chair.person is None)


def _votes(scene: Scene, command: Command) -> list[Choice]:
    return _plain(scene.ballots(yes=command.name != "refuse"))


def _strategies(scene: Scene, command: Command) -> list[Choice]:
    open_room = scene.phase is Phase.OPEN and bool(_house_seats(scene))
    return [each for each in strategies(scene) if each.value != REMOVE or open_room]


def _options(scene: Scene, command: Command) -> list[Choice]:
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
    return _values_of(option)


def _values_of(option: Option) -> list[Choice]:
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


def _areas(scene: Scene, command: Command) -> list[Choice]:
    if scene.game is None or scene.room is None:
        return []
    return [*(scene.game.texts.areas if scene.room.game else ()), *scene.game.texts.explained]


_ABOUT_ALL_PEOPLE: Final = frozenset(
    ("tell", "whereis", "hook", "mute", "friends", "watch", "block", "silence", "banish")
)
"""Commands about people who need not be in the room."""


def _names(scene: Scene, command: Command) -> list[Choice]:
    """The names of people that a command may concern; none for `/nick`, whose name is new."""
    room, me = scene.room, scene.speaker.person
    if command.name in _ABOUT_ALL_PEOPLE:
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


_FINDERS: Final[Mapping[str, Callable[[Scene, Command], list[Choice]]]] = {
    "command": _commands,
    "paragraph": _paragraphs,
    "game": _games,
    "game_id": _game_ids,
    "room": _rooms,
    "seat": _seats,
    "vote": _votes,
    "strategy": _strategies,
    "option": _options,
    "area": _areas,
    "name": _names,
}
