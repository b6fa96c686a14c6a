"""All commands, in the order in which help and the docs name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bluebear.rules.core.slots import Choice, Lexicon
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.arguments import Form, ReadForm
from bluebear.server.commands.command import (
    Argument,
    Arguments,
    Command,
    Topic,
    anywhere,
    is_offered,
)
from bluebear.server.commands.help import help_text
from bluebear.server.commands.native import register
from bluebear.server.commands.scene import Scene
from bluebear.server.features import FEATURES


def usable(scene: Scene) -> list[Command]:
    """The commands that are offered to the speaker in a scene."""
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
    topic=Topic.ROOMS,
)


COMMANDS: Final[Mapping[str, Command]] = {
    command.name: command
    for command in (_HELP, *(each for feature in FEATURES for each in feature.commands))
}

register(COMMANDS)

HEADS: Final = Lexicon([Choice(each.name, each.names, each.short) for each in COMMANDS.values()])

FORMS: Final[Mapping[Form, ReadForm]] = {
    form: read for feature in FEATURES for form, read in feature.forms.items()
}
"""The readers of chat and whispers outside of rooms, by form."""
