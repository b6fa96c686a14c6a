"""Features: the commands that they declare, and the contract between them."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import msgspec
import pytest

import bluebear.server.features
from bluebear.server.commands.command import Command
from bluebear.server.commands.table import COMMANDS
from bluebear.server.features import FEATURES
from bluebear.server.people.account import Kind, Scope

FOLDER = Path(bluebear.server.features.__file__).parent
SERVER_COMMANDS = [each for each in COMMANDS.values() if each.run is not None]


def test_each_command_is_a_room_command_or_a_server_command_of_one_feature() -> None:
    for command in COMMANDS.values():
        assert command.handler is not None or command.run is not None, command.name
    declared = [each.name for feature in FEATURES for each in feature.commands]
    assert len(declared) == len(set(declared))
    assert set(declared) >= {each.name for each in SERVER_COMMANDS}


@pytest.mark.parametrize("command", SERVER_COMMANDS, ids=lambda each: each.name)
def test_a_request_is_the_same_in_another_process(command: Command) -> None:
    if command.request is None:
        return
    fields = {each.name: each for each in dataclasses.fields(command.request)}
    if command.read is None and command.handler is None:
        assert {each.name for each in command.arguments} <= set(fields)
    samples = {
        "str": "itc",
        "int": 2,
        "bool": True,
        "What": "minutes",
        "Kind": Kind.MUTE,
        "tuple[Scope, ...]": (Scope.READ, Scope.HOST),
        "dict[str, str]": {"p-ayu": "Ayu"},
        "Mapping[Lang, str]": {"en": "come", "ja": "来て"},
    }
    required = [each for each in fields.values() if each.default is dataclasses.MISSING]
    request = command.request(**{each.name: samples[str(each.type)] for each in required})
    sent = msgspec.msgpack.decode(msgspec.msgpack.encode(request))
    assert msgspec.convert(sent, command.request) == request


PACKAGE = "bluebear.server.features"


def test_only_the_list_and_the_registry_name_features() -> None:
    for file in FOLDER.parent.rglob("*.py"):
        if FOLDER in file.parents or file.name in ("app.py", "table.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module != f"{PACKAGE}.feature":
                assert not (node.module or "").startswith(PACKAGE), file
