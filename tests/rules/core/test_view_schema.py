"""The schema of a view describes every view, and no hidden field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.tree import tree_of
from bluebear.rules.core.visibility import Eyes, Seat
from tests.rules.core.sample import SAMPLE, Sample, samples

ALL_GAMES = games(("bluebear.rules", "tests.games"))
TYPES: Mapping[str, type] = {"integer": int, "string": str, "boolean": bool}


def wrong(value: Any, schema: Mapping[str, Any], path: str = "") -> list[str]:  # Any: plain trees
    """Where a value is not as the schema says: the part of JSON Schema that we write."""
    if "oneOf" in schema:
        fitting = [each for each in schema["oneOf"] if not wrong(value, each, path)]
        return [] if len(fitting) == 1 else [f"{path}: fits {len(fitting)} alternatives"]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{path}: {value!r}"]
    if "const" in schema:
        return [] if value == schema["const"] else [f"{path}: {value!r}"]
    if schema["type"] == "array":
        return wrong_items(value, schema, path)
    if schema["type"] == "object":
        return wrong_members(value, schema, path)
    return [] if type(value) is TYPES[schema["type"]] else [f"{path}: {value!r}"]


def wrong_items(value: Any, schema: Mapping[str, Any], path: str) -> list[str]:
    if type(value) is not list:
        return [f"{path}: no list"]
    if "items" in schema:
        return [
            w for i, item in enumerate(value) for w in wrong(item, schema["items"], f"{path}/{i}")
        ]
    if len(value) != schema["minItems"]:
        return [f"{path}: {len(value)} items"]
    pairs = zip(value, schema["prefixItems"], strict=True)
    return [w for i, (item, each) in enumerate(pairs) for w in wrong(item, each, f"{path}/{i}")]


def wrong_members(value: Any, schema: Mapping[str, Any], path: str) -> list[str]:
    if type(value) is not dict:
        return [f"{path}: no object"]
    if "properties" not in schema:
        inner = schema["additionalProperties"]
        return [w for key, item in value.items() for w in wrong(item, inner, f"{path}/{key}")]
    made = [f"{path}: {name} is missing" for name in schema["required"] if name not in value]
    for key, item in value.items():
        registered = schema["properties"].get(key)
        made += (
            [f"{path}: {key} is not known"]
            if registered is None
            else wrong(item, registered, f"{path}/{key}")
        )
    return made


@given(samples, st.frozensets(st.sampled_from([Seat(1), Seat(2), Seat(3)])))
def test_it_fits_every_view_of_every_state(node: Sample, eyes: Eyes) -> None:
    assert wrong(SAMPLE.view(node, eyes), SAMPLE.view_schema()) == []


def test_it_has_no_term_of_what_is_hidden() -> None:
    assert "pile" not in tree_of(Sample).view_schema()["properties"]


@pytest.mark.parametrize("key", ALL_GAMES)
def test_it_fits_the_views_of_a_complete_game(key: str) -> None:
    game = ALL_GAMES[key]
    chance = FastChance(5)
    seats = game.info.seats.max
    schema = game.tree.view_schema()
    state = game.setup(game.info.complete({}), seats, chance).state
    while (turn := game.to_move(state)) and game.result(state) is None:
        for eyes in (frozenset[Seat](), frozenset((Seat(1),))):
            assert wrong(game.tree.view(state, eyes), schema) == []
        seat = min(turn)
        moves = game.plain(state, seat)
        state = game.play(state, seat, moves[chance.pick(len(moves))], chance).state
    assert wrong(game.tree.view(state, frozenset()), schema) == []
