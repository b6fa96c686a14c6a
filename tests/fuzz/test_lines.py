"""20,000 broken lines: each is an act or a refusal that can be told.

What is refused changes nothing; what is accepted can be stored, and folded again to the same room.
The lines grow from the commands and the games' own grammars, over every game, phase and role, and
are then broken. Another run: `LINES_SEED=7 LINES=1000000 pytest tests/fuzz/test_lines.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from copy import copy
from typing import Final

import pytest

from bluebear.rules.core.refusal import Refusal
from bluebear.server.commands.catalogue import catalogue, complete
from bluebear.server.commands.command import COMMANDS, usable
from bluebear.server.commands.resolve import resolve
from bluebear.server.commands.scene import Scene
from bluebear.server.store import pack, unpack
from tests.fuzz.lines import SPEAKERS, STAGES, judge, world
from tests.server.commands.fixtures import GAMES, House
from tests.support.fold_entries import fold_all

SEED: Final = int(os.environ.get("LINES_SEED", "20261121"))
LINES: Final = int(os.environ.get("LINES", "20000"))
CHUNK: Final = 50
"""Lines said in one world before the next begins: accepted ones lead somewhere."""

# What stands where something else is expected.
STRANGE: Final = (
    "", " ", "0", "-1", "1", "2", "9", "99999999999999999999", "1.5", "1e9", "²", "①", "٣", "一",
    '"', '""', '"a b"', "=", "a=b", "seat=1", "seed=00", "!", "！", "?", "/", "//", "・", "；", ";",
    "@2", "@freeze", "#1", "Ayu", "ben", "Ｗｅｎ", "Nobody", "all", "none", "なし", "help", "on",
    "off", "toggle", "private", "ja", "random", "remove", "ab" * 16, "\x00", "\n", "\u200b",
    "\u202e", "\u3000", "é", "東京", "🐻", "x" * 600, "{name}", "%s", "../..", "\ud7ff",
)  # fmt: skip


def grown(house: House, name: str, chance: random.Random) -> str:
    """A line that means something: a legal move, or a command with words that could be right."""
    scene = house.scene(name)
    if scene.game is not None and chance.random() < 0.5:
        moves = []
        if scene.room is not None and scene.room.game is not None and scene.seat is not None:
            moves = list(scene.game.legal(scene.room.game, scene.seat))
        if moves:
            return scene.game.grammar.format(chance.choice(moves))
        verb = chance.choice(list(scene.game.grammar.verbs.values()))
        values = [chance.choice([*slot.values(), "1"]) for slot in verb.slots]
        return " ".join([f"/{chance.choice([verb.name, *verb.names, *verb.short])}", *values])
    command = chance.choice(usable(scene) if chance.random() < 0.7 else list(COMMANDS.values()))
    if command.needs_full_name and chance.random() < 0.8:
        return "/info"
    terms = [f"/{chance.choice([command.name, *command.names, *command.short])}"]
    if chance.random() < 0.1:
        return terms[0]
    for _ in command.arguments:
        typed = " ".join([*terms, ""])
        terms.append(chance.choice([*complete(scene, typed).candidates, chance.choice(STRANGE)]))
    return " ".join(terms)


def cut(line: str, chance: random.Random) -> str:
    return line[: chance.randint(len(line) // 2, len(line))]


def drop_term(line: str, chance: random.Random) -> str:
    tokens = line.split(" ")
    del tokens[chance.randrange(len(tokens))]
    return " ".join(tokens)


def put_term(line: str, chance: random.Random) -> str:
    tokens = line.split(" ")
    tokens.insert(chance.randrange(len(tokens) + 1), chance.choice(STRANGE))
    return " ".join(tokens)


def swap_terms(line: str, chance: random.Random) -> str:
    tokens = line.split(" ")
    chance.shuffle(tokens)
    return " ".join(tokens)


def change_sign(line: str, chance: random.Random) -> str:
    at = chance.randrange(len(line) + 1)
    sign = chr(chance.choice((chance.randrange(0x20, 0x7F), chance.randrange(0x80, 0x3400))))
    return line[:at] + sign + line[at + chance.randrange(2) :]


def widen(line: str, chance: random.Random) -> str:
    """Half-width ASCII as a Japanese keyboard gives it."""
    wide = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
    return line.translate(wide)


def repeat(line: str, chance: random.Random) -> str:
    return line * chance.randint(2, 40)


MUTATIONS: Final[Sequence[Callable[[str, random.Random], str]]] = (
    cut, drop_term, put_term, swap_terms, change_sign, widen, repeat,
)  # fmt: skip


def broken(line: str, chance: random.Random) -> str:
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        line = chance.choice(MUTATIONS)(line, chance)
    return line


@pytest.mark.parametrize("share", range(8))
def test_a_broken_line_is_an_act_or_a_refusal_that_can_be_reported(share: int) -> None:
    for number in range(share * CHUNK, LINES, 8 * CHUNK):
        chance = random.Random(f"{SEED} {number}")
        house = world(chance.choice(STAGES), chance.choice(list(GAMES)))
        for _ in range(min(CHUNK, LINES - number)):
            name = chance.choice(SPEAKERS)
            typed = broken(grown(house, name, chance), chance)
            judge(house, name, typed, f"LINES_SEED={SEED}, world {number}: {name}: {typed!r}")
            house.now += 1
        stored = [unpack(each.stream, each.seq, pack(each)) for each in house.entries]
        assert fold_all(None, stored, GAMES) == house.room, f"LINES_SEED={SEED}, world {number}"


@pytest.mark.parametrize("stage", dict.fromkeys(STAGES))
@pytest.mark.parametrize("key", GAMES)
def test_a_line_and_its_scene_give_the_same_act_each_time(stage: str, key: str) -> None:
    """Commands are pure: the same scene and text, the same act, and the same offers."""
    chance = random.Random(f"{SEED} {stage} {key}")
    house = world(stage, key)
    scenes = {}
    for _ in range(40):
        name = chance.choice(SPEAKERS)
        scene = scenes[name] = house.scene(name)
        typed = broken(grown(house, name, chance), chance)
        twice = [outcome(copy(scene), typed) for _ in range(2)]
        assert twice[0] == twice[1], typed
    for scene in scenes.values():
        assert catalogue(scene) == catalogue(copy(scene))


def outcome(scene: Scene, typed: str) -> object:
    try:
        return resolve(scene, typed)
    except Refusal as refusal:
        return refusal.code, refusal.params, refusal.candidates
