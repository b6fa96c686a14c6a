"""All commands, in the order in which help and the docs name them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bluebear.rules.core.slots import Choice, Lexicon
from bluebear.server.commands import (
    accounts,
    away,
    calling,
    going,
    hosting,
    lists,
    looking,
    meeting,
    operating,
    peeking,
    playing,
    seating,
    standings,
    telling,
    wishing,
)
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import (
    Argument,
    Arguments,
    Command,
    Topic,
    anywhere,
    is_offered,
)
from bluebear.server.commands.helping import help_text
from bluebear.server.commands.scene import Scene


def usable(scene: Scene) -> list[Command]:
    """The commands that are offered to the speaker here and now."""
    return [command for command in COMMANDS.values() if is_offered(scene, command)]


def _help(scene: Scene, given: Arguments) -> Tell:
    return help_text(scene, given.get("command", ""), COMMANDS, HEADS)


_HELP: Final = Command(
    "help",
    anywhere(),
    _help,
    (Argument("command", "command", optional=True),),
    ("ヘルプ", "助け"),
    ("?",),
)

COMMANDS: Final[Mapping[str, Command]] = {
    command.name: replace(command, topic=topic)
    for topic, commands in (
        (Topic.ROOMS, (_HELP, *telling.COMMANDS)),
        (Topic.PEOPLE, meeting.COMMANDS),
        (Topic.ROOMS, going.COMMANDS),
        (
            Topic.PEOPLE,
            (*calling.COMMANDS, *lists.COMMANDS, *wishing.COMMANDS, *standings.COMMANDS),
        ),
        (Topic.TABLE, (*looking.COMMANDS, *seating.COMMANDS)),
        (Topic.PEOPLE, away.COMMANDS),
        (Topic.TABLE, playing.COMMANDS),
        (Topic.PEOPLE, peeking.COMMANDS),
        (Topic.HOST, hosting.COMMANDS),
        (Topic.PEOPLE, accounts.COMMANDS),
        (Topic.OPERATOR, operating.COMMANDS),
    )
    for command in commands
}

HEADS: Final = Lexicon([Choice(each.name, each.names, each.short) for each in COMMANDS.values()])
