"""Features: the commands that they declare, and the contract between them."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from unittest.mock import Mock

import pytest

import bluebear.server.features
from bluebear.server.commands.command import Command
from bluebear.server.features import COMMANDS, FEATURES
from bluebear.server.features.feature import Feature, Features
from bluebear.server.rooms.active_room import RoomHooks
from bluebear.server.rooms.connection import Connection

FOLDER = Path(bluebear.server.features.__file__).parent
SERVER_COMMANDS = [each for each in COMMANDS.values() if each.run is not None]


def test_each_command_is_a_room_command_or_a_server_command_of_one_feature() -> None:
    for command in COMMANDS.values():
        assert command.handler is not None or command.run is not None, command.name
    declared = [each.name for feature in FEATURES for each in feature.commands]
    assert len(declared) == len(set(declared))
    assert set(declared) >= {each.name for each in SERVER_COMMANDS}


@pytest.mark.parametrize("command", SERVER_COMMANDS, ids=lambda each: each.name)
def test_a_method_takes_the_arguments_of_its_command(command: Command) -> None:
    if command.handler is not None:
        return  # it makes other arguments of them
    _, context, *taken = inspect.signature(command.run).parameters.values()
    assert context.name == "ctx"
    optional = {each.name: each.default is not inspect.Parameter.empty for each in taken}
    wanted = {each.name: each.optional for each in command.arguments}
    assert wanted.items() <= optional.items()
    assert all(optional[name] for name in optional.keys() - wanted.keys())


def test_a_hook_is_called_for_the_features_that_have_it() -> None:
    class Listening(Feature):
        def closed(self, connection: Connection) -> None: ...

    plain, listening = Feature(Mock()), Listening(Mock())
    features = Features([plain, listening], RoomHooks())
    hooks = [
        name for name, each in vars(Feature).items() if (each.__doc__ or "").startswith("Hook:")
    ]
    assert [name for name in hooks if features.with_hook(name)] == ["closed"]
    assert features.with_hook("closed") == [listening]


PACKAGE = "bluebear.server.features"


def test_only_the_list_and_the_registry_name_features() -> None:
    for file in FOLDER.parent.rglob("*.py"):
        if FOLDER in file.parents or file.name in ("app.py", "docs.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module != f"{PACKAGE}.feature":
                assert not (node.module or "").startswith(PACKAGE), file
