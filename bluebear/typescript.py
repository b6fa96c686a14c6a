"""Writes the page's types from the JSON Schemas: messages, the table of a room with its nodes,
answers, and each game's view, events and figures.

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
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, get_type_hints

from msgspec.json import schema as json_schema
from msgspec.json import schema_components

from bluebear.protocol.codes import Code
from bluebear.protocol.schema import schema
from bluebear.rules import games
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.tree import tree_of
from bluebear.server.features import FEATURES
from bluebear.server.room import state

_SOURCES: Final = Path(__file__).parent.parent / "clients" / "web" / "src"
_HEAD: Final = (
    "// Written by `python -m bluebear.typescript`; change the Python that it is made from.\n"
)
_PLAIN: Final = ("number", "string", "boolean", "null")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*\Z")

Schema = Mapping[str, Any]  # Any: JSON Schema is a tree of many shapes

_TABLE_PARTS: Final = (
    *(state.Peek, state.Chair, state.Vote, state.SeatResult),
    *(state.Line, state.RatingChange, state.Ending, state.ForkOf),
)
"""The nodes below a table, inner before outer; each becomes a TypeScript type."""


def typed(node: Schema, indent: str = "") -> str:
    """A schema as a TypeScript type."""
    if "$ref" in node:
        return str(node["$ref"]).rsplit("/", 1)[-1]
    if union := node.get("oneOf", node.get("anyOf")):
        return _either(typed(each, indent) for each in union)
    if "const" in node:
        return json.dumps(node["const"], ensure_ascii=False)
    if "enum" in node:
        return _either(json.dumps(each, ensure_ascii=False) for each in node["enum"])
    kind = node.get("type")
    if kind == "array":
        return _array(node, indent)
    if kind == "object":
        return _object(node, indent)
    plain = str(kind).replace("integer", "number")
    return plain if plain in _PLAIN else "unknown"


def _either(types: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _array(node: Schema, indent: str) -> str:
    if "prefixItems" in node:
        names = node.get("x-fields", ())
        items = [typed(each, indent) for each in node["prefixItems"]]
        if len(names) == len(items):
            items = [f"{name}: {item}" for name, item in zip(names, items, strict=True)]
        return f"readonly [{', '.join(items)}]"
    item = typed(node.get("items", {}), indent)
    bare = " | " not in item and not item.startswith("readonly ")
    return f"readonly {item}[]" if bare else f"readonly ({item})[]"


def _object(node: Schema, indent: str) -> str:
    properties: Schema = node.get("properties", {})
    if not properties:
        more = node.get("additionalProperties")
        value = typed(more, indent) if isinstance(more, Mapping) else "unknown"
        return f"{{ readonly [key: string]: {value} }}"
    deeper = indent + "  "
    required: Sequence[str] = node.get("required", (*properties,))
    lines = ["{"]
    for name, each in properties.items():
        if "description" in each:
            lines.append(f"{deeper}/** {each['description']} */")
        mark = "" if name in required else "?"
        key = name if _IDENTIFIER.match(name) else json.dumps(name)
        lines.append(f"{deeper}readonly {key}{mark}: {typed(each, deeper)};")
    flat = " ".join([*map(str.strip, lines), "}"])
    return flat if len(flat) <= 80 and "\n" not in flat else "\n".join([*lines, f"{indent}}}"])


def _file(definitions: Schema) -> str:
    """A file with each definition as a type. Aliases, not interfaces: only they are assignable to
    the tree type, so that a part of a checked view can be read as one of them.
    """
    parts = [_HEAD]
    for name, node in definitions.items():
        comment = f"/** {node['description']} */\n" if "description" in node else ""
        parts.append(f"{comment}export type {name} = {typed(node)};\n")
    return "\n".join(parts)


def _answers(kinds: Mapping[str, Any]) -> Schema:  # Any: types
    # A chance is sent in thousandths.
    chance: dict[type, dict[str, Any]] = {Fraction: {"type": "integer"}}
    nodes, made = schema_components(kinds.values(), schema_hook=chance.__getitem__)
    answers = dict(zip(kinds, nodes, strict=True))
    return {**made, "Answers": {"type": "object", "properties": answers}}


def messages() -> str:
    """`protocol/messages.gen.ts`."""
    made = dict(schema()["$defs"])
    made |= {f"{each.capitalize()}Message": made.pop(each) for each in ("client", "server")}
    codes = [code.value for code in Code]
    return _file({**made, "Code": {"description": "What an `error` may be about.", "enum": codes}})


def _named(node: Any, names: Mapping[str, str]) -> Any:  # Any: a part of a JSON Schema
    """A part of a schema, with a reference in place of the schema of each named type."""
    if isinstance(node, Mapping):
        name = names.get(json.dumps(node, sort_keys=True))
        if name is not None:
            return {"$ref": name}
        return {key: _named(each, names) for key, each in node.items()}
    return [_named(each, names) for each in node] if isinstance(node, list) else node


def table_types() -> str:
    """`protocol/table.gen.ts`."""
    made: dict[str, Schema] = {}
    names: dict[str, str] = {}
    for kind in _TABLE_PARTS:
        node = tree_of(kind, inside_seat=kind is state.Chair).view_schema()
        comment = str(kind.__doc__).split("\n", 1)[0]
        made[kind.__name__] = {**_named(node, names), "description": comment}
        names[json.dumps(node, sort_keys=True)] = kind.__name__
    made["Table"] = {"description": "A view's `room`.", **_named(state.TABLE.view_schema(), names)}
    return _file(made)


def _schema_of(values: Sequence[Any]) -> Schema:  # Any: parts of a JSON tree
    """The schema of constants of one place; mappings that share few keys are keyed by names."""
    if len(kinds := {type(each) for each in values}) != 1:
        return {}
    if dict in kinds:
        keys = dict.fromkeys(key for each in values for key in each)
        required = [key for key in keys if all(key in each for each in values)]
        inner = [value for each in values for value in each.values()]
        if 2 * len(required) < len(keys) or {*map(type, inner)} <= {dict}:
            return {"type": "object", "additionalProperties": _schema_of(inner)}
        fields = {key: _schema_of([each[key] for each in values if key in each]) for key in keys}
        return {"type": "object", "properties": fields, "required": required}
    if list in kinds:
        if {*map(len, values)} in ({2}, {3}) and not isinstance(values[0][0], dict):
            return {"type": "array", "prefixItems": [*map(_schema_of, zip(*values, strict=True))]}
        return {"type": "array", "items": _schema_of([item for each in values for item in each])}
    if str in kinds and len(few := {*values}) <= 4 and len(values) >= 3 * len(few):
        return {"enum": sorted(few)}
    return json_schema(kinds.pop())


def game_types(game: Game[Any]) -> str:  # Any: each game has a state class of its own
    """`games/KEY/view.gen.ts`."""
    made: dict[str, Schema] = {
        "View": {**game.tree.view_schema(), "description": "The part `game` of a view."}
    }
    if fixed := {key: _schema_of([each]) for key, each in game.static.items()}:
        made["Fixed"] = {"type": "object", "properties": fixed, "description": "The static data."}
    kinds = sorted(game.events, key=lambda kind: kind.__name__)
    for kind in kinds:
        form = event_form(kind)
        node = form.tree.view_schema()
        properties = {"event": {"const": form.name}, **node.get("properties", {})}
        required = ["event", *node.get("required", ())]
        made[kind.__name__] = {**node, "properties": properties, "required": required}
    events = [{"$ref": kind.__name__} for kind in kinds]
    made["Event"] = {"description": "What happened, as data.", "anyOf": events}
    if figures := game.texts.figures:
        made |= _answers({name: get_type_hints(make)["return"] for name, make in figures.items()})
    return _file(made)


def pages() -> dict[Path, str]:
    """The content of each generated file: of this project's games, not of installed ones."""
    queries = {name: kind for each in FEATURES for name, kind in each.answers.items()}
    texts = {"messages": messages(), "table": table_types(), "answers": _file(_answers(queries))}
    made = {_SOURCES / "protocol" / f"{name}.gen.ts": text for name, text in texts.items()}
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
        types = [game_types(game) for game in games((wanted.package,)).values()]
        sys.stdout.writelines(types or parser.error(f"{wanted.package} has no game that loads"))
        return 0
    made = pages()
    stale = [p for p in made if not p.is_file() or p.read_text("utf-8") != made[p]]
    if wanted.check and stale:
        print(f"stale: {', '.join(map(str, stale))}; run `make docs`", file=sys.stderr)
        return 1
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
