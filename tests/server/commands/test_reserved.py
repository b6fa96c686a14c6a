"""Are the names that games may not take those of the room commands?"""

from __future__ import annotations

from bluebear.rules.core.tables import game_file
from bluebear.server.features import COMMANDS


def test_the_names_of_room_commands_are_reserved() -> None:
    names = {
        name
        for command in COMMANDS.values()
        for name in (command.name, *command.names, *command.short)
    }
    reserved = game_file(dict[str, list[str]], "bluebear.rules.core", "reserved.toml")
    assert reserved.value["names"] == sorted(names)
