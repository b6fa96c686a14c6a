"""Writes the page's types from the JSON Schemas: messages, the table of a room with its nodes, rows
of the lobby, and each game's view and events.

`python -m bluebear.typescript` writes them below `clients/web/src`, `--check` exits 1 if one of
them is stale, `--package NAME` prints those of a game that is a package of its own. It is in this
package because it imports the protocol, the games and the server.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast, get_type_hints

from pydantic import TypeAdapter

from bluebear.protocol.codes import Code
from bluebear.protocol.schema import schema
from bluebear.rules import games
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.tree import tree_of
from bluebear.server.room.state import (
    TABLE,
    Chair,
    Ending,
    ForkOf,
    Line,
    Peek,
    RatingChange,
    SeatResult,
    Vote,
)
from bluebear.server.rooms.loading import LobbyRow

_SOURCES: Final = Path(__file__).parent.parent / "clients" / "web" / "src"
_HEAD: Final = (
    "// Written by `python -m bluebear.typescript`; change the Python that it is made from.\n"
)
_PLAIN: Final = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*\Z")

Schema = Mapping[str, Any]  # Any: JSON Schema is a tree of many shapes

_TABLE_PARTS: Final = (Peek, Chair, Vote, SeatResult, Line, RatingChange, Ending, ForkOf)
"""The nodes below a table, inner before outer; each becomes a TypeScript type."""


def typed(node: Schema, indent: str = "") -> str:
    """A schema as a TypeScript type."""
    if "x-type" in node:
        return str(node["x-type"])
    if "$ref" in node:
        return str(node["$ref"]).rsplit("/", 1)[-1]
    for union in ("oneOf", "anyOf"):
        if union in node:
            return _either(typed(each, indent) for each in node[union])
    if "const" in node:
        return json.dumps(node["const"], ensure_ascii=False)
    if "enum" in node:
        return _either(json.dumps(each, ensure_ascii=False) for each in node["enum"])
    kind = node.get("type")
    if kind == "array":
        return _array(node, indent)
    if kind == "object":
        return _object(node, indent)
    return _PLAIN.get(str(kind), "unknown")


def _either(types: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _array(node: Schema, indent: str) -> str:
    if "prefixItems" in node:
        names = node.get("x-fields", ())
        items = [typed(each, indent) for each in node["prefixItems"]]
        if len(names) == len(items):
            items = [f"{name}: {item}" for name, item in zip(names, items, strict=True)]
        return f"readonly [{', '.join(items)}]"
    if "items" not in node:
        return "readonly unknown[]"
    item = typed(node["items"], indent)
    bare = " | " not in item and not item.startswith("readonly ")
    return f"readonly {item}[]" if bare else f"readonly ({item})[]"


def _object(node: Schema, indent: str) -> str:
    properties: Schema = node.get("properties", {})
    if not properties:
        more = node.get("additionalProperties")
        value = typed(more, indent) if isinstance(more, Mapping) else "unknown"
        return f"{{ readonly [key: string]: {value} }}"
    deeper = indent + "  "
    required: Sequence[str] = node.get("required", ())
    lines = ["{"]
    for name, each in properties.items():
        if "description" in each:
            lines.append(f"{deeper}/** {each['description']} */")
        mark = "" if name in required else "?"
        key = name if _IDENTIFIER.match(name) else json.dumps(name)
        lines.append(f"{deeper}readonly {key}{mark}: {typed(each, deeper)};")
    return "\n".join([*lines, f"{indent}}}"])


def messages() -> str:
    """`protocol/messages.gen.ts`."""
    parts = [_HEAD]
    definitions: Schema = schema()["$defs"]
    for name, node in definitions.items():
        if name in ("client", "server"):
            parts.append(f"export type {name.capitalize()}Message = {typed(node)};\n")
        else:
            comment = f"/** {node['description']} */\n" if "description" in node else ""
            parts.append(f"{comment}export interface {name} {typed(node)}\n")
    codes = _either(json.dumps(code.value) for code in Code)
    parts.append(f"/** What an `error` may be about. */\nexport type Code = {codes};\n")
    return "\n".join(parts)


def _named(node: Any, names: Mapping[str, str]) -> Any:  # Any: a part of a JSON Schema
    """A part of a schema, with `x-type` in place of the schemas of named types."""
    if isinstance(node, Mapping):
        name = names.get(_text_of(node))
        if name is not None:
            return {"x-type": name}
        return {key: _named(each, names) for key, each in node.items()}
    return [_named(each, names) for each in node] if isinstance(node, list) else node


def _text_of(node: Schema) -> str:
    return json.dumps(node, sort_keys=True)


def table_types() -> str:
    """`protocol/table.gen.ts`. Type aliases, not interfaces: only aliases are assignable to the
    tree type, so that a part of a checked view can be read as one of them.
    """
    parts = [_HEAD]
    names: dict[str, str] = {}
    for kind in _TABLE_PARTS:
        node = cast(Schema, tree_of(kind, inside_seat=kind is Chair).view_schema())
        comment = str(kind.__doc__).split("\n", 1)[0]
        body = typed(_inside(node, names))
        parts.append(f"/** {comment} */\nexport type {kind.__name__} = {body};\n")
        names[_text_of(node)] = kind.__name__
    table = typed(_named(TABLE.view_schema(), names))
    parts.append(f"/** The part `room` of a view. */\nexport type Table = {table};\n")
    fields = {
        name: TypeAdapter(hint).json_schema() for name, hint in get_type_hints(LobbyRow).items()
    }
    row = typed({"type": "object", "properties": fields, "required": list(fields)})
    parts.append(f"/** A room as the lobby lists it. */\nexport type LobbyRow = {row};\n")
    return "\n".join(parts)


def _inside(node: Schema, names: Mapping[str, str]) -> Schema:
    return {key: _named(each, names) for key, each in node.items()}


def game_types(game: Game[Any]) -> str:  # Any: each game has a state class of its own
    """`games/KEY/view.gen.ts`."""
    view = typed(game.tree.view_schema())
    parts = [_HEAD, f"/** The part `game` of a view. */\nexport interface View {view}\n"]
    events: dict[str, Schema] = {}
    for kind in game.events:
        form = event_form(kind)
        node = cast(Schema, form.tree.view_schema())
        properties = {"event": {"const": form.name}, **node.get("properties", {})}
        required = ["event", *node.get("required", ())]
        events[kind.__name__] = {**node, "properties": properties, "required": required}
    for name, node in sorted(events.items()):
        parts.append(f"export interface {name} {typed(node)}\n")
    union = "".join(f"\n  | {name}" for name in sorted(events))
    parts.append(f"/** What happened, as data. */\nexport type Event ={union};\n")
    return "\n".join(parts)


def pages() -> dict[Path, str]:
    """The content of each generated file: of this project's games, not of installed ones."""
    made = {
        _SOURCES / "protocol" / "messages.gen.ts": messages(),
        _SOURCES / "protocol" / "table.gen.ts": table_types(),
    }
    for key, game in games(("bluebear.rules",)).items():
        made[_SOURCES / "games" / key / "view.gen.ts"] = game_types(game)
    return made


def main(argv: Sequence[str]) -> int:
    """Write the files, print which are stale, or print the types of one package."""
    parser = argparse.ArgumentParser(prog="python -m bluebear.typescript")
    parser.add_argument("--check", action="store_true", help="exit 1 if a file is stale")
    parser.add_argument("--package", help="print the types of this package's game")
    wanted = parser.parse_args(argv)
    if wanted.package is not None:
        made = [game_types(game) for game in games((wanted.package,)).values()]
        sys.stdout.writelines(made or parser.error(f"{wanted.package} has no game that loads"))
        return 0
    stale = []
    for path, text in pages().items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(_SOURCES).as_posix())
        if not wanted.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if wanted.check and stale:
        print(f"stale: {', '.join(stale)}; run `make docs`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
