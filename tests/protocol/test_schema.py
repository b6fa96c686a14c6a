"""The written protocol."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from bluebear.protocol import schema
from bluebear.protocol.codes import Code
from bluebear.protocol.messages import ClientMessage, ServerMessage
from bluebear.rules.core.merge_patch import canonical
from tests.protocol.test_patch import VECTORS

KINDS = (*get_args(ClientMessage), *get_args(ServerMessage))


def test_the_committed_files_are_what_the_code_says() -> None:
    assert schema.main(["--check"]) == 0


def test_a_stale_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema, "_DOCS", tmp_path)
    schema.main([])
    (tmp_path / "protocol.md").write_text("old", encoding="utf-8")
    assert schema.main(["--check"]) == 1
    assert capsys.readouterr().err == "stale: docs/protocol.md\n"


def test_no_blank_is_left_in_the_guide() -> None:
    assert re.findall(r"\{\{\w+\}\}", schema.guide()) == []


def test_every_message_has_its_section() -> None:
    headings = re.findall(r"^### `(\w+)`$", schema.guide(), re.MULTILINE)
    assert headings == [kind.__name__.lower() for kind in KINDS]


def test_every_code_is_in_the_guide() -> None:
    guide = schema.guide()
    assert [code for code in Code if f"| `{code}` |" not in guide] == []


def test_every_field_has_a_meaning() -> None:
    definitions = schema.schema()["$defs"]
    silent = [
        f"{kind.__name__}.{name}"
        for kind in KINDS
        for name, shape in definitions[kind.__name__]["properties"].items()
        if name != "type" and not shape.get("description")
    ]
    assert silent == []


def test_the_patch_function_in_the_guide_passes_the_vectors() -> None:
    printed = re.search(r"```python\n(.*?)```", schema.guide(), re.DOTALL)
    assert printed is not None
    names: dict[str, object] = {}
    exec(printed[1], names)  # noqa: S102 - the very text that readers will copy
    apply = names["apply"]
    assert callable(apply)
    for vector in VECTORS:
        target, patch, result = (json.loads(str(column)) for column in vector.values)
        assert canonical(apply(patch, target)) == canonical(result)


def test_the_schema_says_which_messages_are_positional() -> None:
    definitions = schema.schema()["$defs"]
    assert definitions["Say"]["x-positional"] == [1, "id", "text", "room", "at"]


def test_the_schema_demands_the_type() -> None:
    definitions = schema.schema()["$defs"]
    assert [kind for kind in KINDS if "type" not in definitions[kind.__name__]["required"]] == []
