"""Are the names that games may not take those of the room commands?"""

from __future__ import annotations

from bluebear.rules.core.package_data import read_toml
from bluebear.server.features import COMMANDS


def test_the_names_of_room_commands_are_reserved() -> None:
    names = {
        name
        for command in COMMANDS.values()
        for name in (command.name, *command.names, *command.short)
    }
    assert read_toml("bluebear.rules.core", "reserved.toml")["names"] == sorted(names)
