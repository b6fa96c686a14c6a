"""Writes the reference of the protocol: `docs/protocol.md` and `docs/protocol.schema.json`.

`python -m bluebear.protocol.schema` writes both, `--check` exits 1 when one of them is stale. The
prose is in `guide.md` beside this file; tables and examples come from the code itself.
"""

import argparse
import inspect
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from bluebear.protocol.codec import JSON, MSGPACK
from bluebear.protocol.codes import Close, Code
from bluebear.protocol.examples import CONVERSATION, EXAMPLES
from bluebear.protocol.limits import (
    CLIENT_ITEMS_MAX,
    CLIENT_NESTING_MAX,
    CLIENT_STRING_MAX_BYTES,
    SAY_ID_MAX,
)
from bluebear.protocol.messages import POSITIONAL, ClientMessage, Room, ServerMessage
from bluebear.protocol.validation import FIELDS
from bluebear.rules.core.merge_patch import canonical

_GUIDE: Final = Path(__file__).with_name("guide.md")
_DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
_HEX_BYTES_PER_ROW: Final = 32

_Schema = dict[str, Any]  # Any: JSON Schema is a tree of many shapes


class _Untitled(GenerateJsonSchema):
    """Leaves out titles, which repeat the names."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def schema() -> _Schema:
    """The JSON Schema of all messages; `client` and `server` are the two unions."""
    directions = {"client": get_args(ClientMessage), "server": get_args(ServerMessage)}
    tags = {kind: tag for tag, kind in POSITIONAL.items()}
    _, complete = TypeAdapter.json_schemas(
        [
            (kind, "validation", TypeAdapter(kind))
            for kinds in directions.values()
            for kind in kinds
        ],
        schema_generator=_Untitled,
    )
    definitions = complete["$defs"]
    for kinds in directions.values():
        for kind in kinds:
            definition = definitions[kind.__name__]
            definition["required"] = ["type", *definition.get("required", [])]
            if kind in tags:
                definition["x-positional"] = [tags[kind], *FIELDS[tags[kind]]]
    for direction, kinds in directions.items():
        definitions[direction] = {"oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in kinds]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}


def guide() -> str:
    """The text of `docs/protocol.md`."""
    definitions = schema()["$defs"]
    shown = next(example for example in EXAMPLES if isinstance(example, Room))
    blanks = {
        "session": _session(),
        "nesting": str(CLIENT_NESTING_MAX),
        "items": str(CLIENT_ITEMS_MAX),
        "bytes": f"{CLIENT_STRING_MAX_BYTES:,}",
        "positional": _table(
            ("number", "type", "then"),
            (
                (str(tag), f"`{kind.__name__.lower()}`", ", ".join(FIELDS[tag]))
                for tag, kind in POSITIONAL.items()
            ),
        ),
        "sum": str(shown.sum),
        "canonical": canonical(shown.view).decode(),
        "closes": _table(
            ("code", "name", "meaning"),
            ((str(close.value), f"`{close.name.lower()}`", close.meaning) for close in Close),
        ),
        "codes": _table(("code", "meaning"), ((f"`{code.value}`", code.meaning) for code in Code)),
        "client": _sections(get_args(ClientMessage), definitions),
        "server": _sections(get_args(ServerMessage), definitions),
    }
    text = _GUIDE.read_text(encoding="utf-8")
    for blank, filling in blanks.items():
        text = text.replace("{{" + blank + "}}", filling)
    return text


def _session() -> str:
    return "\n".join(
        (">" if isinstance(message, get_args(ClientMessage)) else "<")
        + " "
        + JSON.encode(message).decode()
        for message in CONVERSATION
    )


def _sections(kinds: Iterable[type], definitions: Mapping[str, _Schema]) -> str:
    return "\n\n".join(_section(kind, definitions) for kind in kinds)


def _section(kind: type, definitions: Mapping[str, _Schema]) -> str:
    definition = definitions[kind.__name__]
    example = next(example for example in EXAMPLES if isinstance(example, kind))
    binary = MSGPACK.encode(example)
    return "\n".join(
        [
            f"### `{kind.__name__.lower()}`",
            "",
            inspect.getdoc(kind) or "",
            "",
            _fields(definition, definitions),
            "",
            "```json",
            JSON.encode(example).decode(),
            "```",
            "",
            f"The same in msgpack, {len(binary)} bytes:",
            "",
            "```",
            *_hex_rows(binary),
            "```",
        ]
    )


def _fields(definition: _Schema, definitions: Mapping[str, _Schema]) -> str:
    return _table(
        ("field", "type", "meaning"),
        (
            (
                f"`{name}`" + ("" if name in definition["required"] else "?"),
                _type(shape, definitions),
                shape.get("description", ""),
            )
            for name, shape in definition["properties"].items()
            if name != "type"
        ),
    )


def _type(shape: _Schema, definitions: Mapping[str, _Schema]) -> str:
    """The type of a value, as text for the table of fields."""
    match shape:
        case {"$ref": str(reference)}:
            inner = definitions[reference.rsplit("/", 1)[1]]["properties"]
            members = (f"{name}: {_type(member, definitions)}" for name, member in inner.items())
            return "{" + ", ".join(members) + "}"
        case {"anyOf": choices}:
            return " or ".join(
                _type(choice, definitions) for choice in choices if choice != {"type": "null"}
            )
        case {"enum": values} if len(values) > 0:
            return " or ".join(f"`{value}`" for value in values)
        case {"type": "array", "prefixItems": items}:
            return "[" + ", ".join(_type(item, definitions) for item in items) + "]"
        case {"type": "array", "items": item}:
            return f"list of {_type(item, definitions)}"
        case {"type": "object", "additionalProperties": dict(member)}:
            return f"object of {_type(member, definitions)}"
        case {"type": "string", "maxLength": most}:
            return f"string, at most {most}"
        case {"type": "string", "pattern": _}:
            return f"string, 1 to {SAY_ID_MAX} visible ASCII"
        case {"type": str(name)}:
            return name
        case _:
            raise ValueError(f"no words for {shape}")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _hex_rows(frame: bytes) -> list[str]:
    return [
        frame[start : start + _HEX_BYTES_PER_ROW].hex(" ")
        for start in range(0, len(frame), _HEX_BYTES_PER_ROW)
    ]


def main(arguments: Sequence[str]) -> int:
    """Write both files, or with `--check` print which are stale."""
    parser = argparse.ArgumentParser(prog="python -m bluebear.protocol.schema")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 when stale")
    check = parser.parse_args(arguments).check
    files = {
        _DOCS / "protocol.md": guide(),
        _DOCS / "protocol.schema.json": json.dumps(schema(), indent=2, ensure_ascii=False) + "\n",
    }
    stale = [
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if check:
            print(f"stale: docs/{path.name}", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
