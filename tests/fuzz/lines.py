"""Worlds in which a line can be said, and what must hold of whatever is said in them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Final

from bluebear.protocol import Code
from bluebear.rules.core.grammar import Query, Verb
from bluebear.rules.core.phrases import LANGS, Phrases
from bluebear.rules.core.refusal import NotUnderstood, Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.catalogue import complete
from bluebear.server.limits import LINE_MAX_CHARS
from bluebear.server.sentences import refusal_text
from tests.fuzz.target import Target
from tests.server.commands.fixtures import GAMES, House, opened, playing

STAGES: Final = ("lobby", "open", "playing", "playing", "three", "paused", "over", "frozen")
SPEAKERS: Final = ("Ayu", "Ayu", "Ben", "Ben", "Ben", "Cho", "Wen")

_PLIES: Final = (0, 0, 3, 12, 40)
"""How far a game has been played when a line is said."""


def world(stage: str, key: str) -> House:
    """A room at some stage: Ayu is the host; of a running game Ayu, Ben (and Cho) are players."""
    if stage == "lobby":
        house = House()
        house.meet(*SPEAKERS)
        return house
    if stage == "open":
        house = opened(key)
        house.enter("Ben", "Cho", "Wen")
        house.script("Ben: /join")
        return house
    house = playing(key, seats=3 if stage in ("three", "paused") else 2)
    if stage == "three":
        house.third_leaves()
        house.script("Ben: /masterreset !")
    elif stage == "paused":
        house.script("Ayu: /pause", "Ben: /accept")
    elif stage == "over":
        house.script("Ben: /resign !")
    elif stage == "frozen":
        house.act("server", "@freeze")
    return house


def judge(house: House, name: str, typed: str, where: str) -> None:
    """Say a line; whatever it does must be one of the things that a line may do."""
    scene, before, stored_count = house.scene(name), house.room, len(house.entries)
    if len(typed) % 4 == 0:
        complete(scene, typed)
    received = house.say(name, typed)
    if received.refusal is None:
        assert received.act is not None, where
        assert all(0 < len(line) <= LINE_MAX_CHARS for line in received.lines), where
        return
    assert house.room is before, where
    assert len(house.entries) == stored_count, where
    assert is_listed(received.refusal, scene.game.phrases if scene.game else None), where
    for lang in LANGS:
        text = refusal_text(
            received.refusal, lang, scene.game, None if before is None else before.name_of
        )
        assert text, where
        assert "\n" not in text, where


def is_listed(refusal: Refusal, phrases: Phrases | None) -> bool:
    """A code of the protocol, or one of the game's own, with a sentence."""
    owned_items = phrases is not None and f"refusal.{refusal.code}" in phrases
    return owned_items or refusal.code in set(Code)


def line_target(key: str) -> Target:
    """The lines of one game: its first byte says when, the second who, the rest is what."""

    def feed(data: bytes) -> None:
        _say(key, data)

    return Target(
        f"line-{key}",
        f"what people type while {key} is played: an act, or a refusal that can be told",
        feed,
        (),
        lambda: _seeds(key),
        lambda: _terms(key),
        runs=200,
    )


def _say(key: str, data: bytes) -> None:
    if len(data) < 2:
        return
    house = _copied(_played(STAGES[data[0] & 7], key, _PLIES[(data[0] >> 3) % len(_PLIES)]))
    name = SPEAKERS[data[1] % len(SPEAKERS)]
    typed = data[2:].decode("utf-8", "replace")
    judge(house, name, typed, repr(typed))
    complete(house.scene(name), typed[:LINE_MAX_CHARS])
    _read_alone(key, typed)


def _read_alone(key: str, typed: str) -> None:
    """A canonical line is the text of its move, and nothing else is one."""
    grammar = GAMES[key].grammar
    grammar.expand(typed)
    try:
        move = grammar.parse(typed)
    except NotUnderstood:
        return
    assert grammar.format(move) == typed


def _copied(house: House) -> House:
    return replace(
        house,
        people=dict(house.people),
        inside=dict(house.inside),
        more_rooms=list(house.more_rooms),
        entries=list(house.entries),
    )


@cache
def _played(stage: str, key: str, plies: int) -> House:
    """A world, some random moves later where it stands in a game."""
    house = world(stage, key)
    chance = random.Random(f"{stage} {key} {plies}")
    game = GAMES[key]
    for _ in range(plies if stage in ("playing", "three") else 0):
        room = house.room
        if room is None or not room.table.turn:
            break
        seat = chance.choice(sorted(room.table.turn))
        occupant = next((name for name in SPEAKERS if house.scene(name).seat == seat), None)
        if occupant is None:
            break
        line = game.grammar.format(chance.choice(list(game.legal(room.game, Seat(seat)))))
        house.say(occupant, f"{line} !")
    return house


def _seeds(key: str) -> list[bytes]:
    chance = random.Random(key)
    game = GAMES[key]
    made = [
        b"\x00\x00/help",
        b"\x01\x02/join 2",
        b"\x00\x01/nick Ayuko",
        b"\x02\x00hello",
        b"\x02\x02;Ayu psst",
    ]
    for number, plies in enumerate(_PLIES):
        house = _played("playing", key, plies)
        room = house.room
        assert room is not None
        for seat in sorted(room.table.turn):
            who = next(at for at, name in enumerate(SPEAKERS) if house.scene(name).seat == seat)
            head = bytes((2 | number << 3, who))
            moves = list(game.legal(room.game, Seat(seat)))
            some = chance.sample(moves, min(3, len(moves)))
            made += [head + game.grammar.format(move).encode() for move in some]
    made += [b"\x02\x00/" + name.encode() for name in game.grammar.queries]
    return made


def _terms(key: str) -> list[bytes]:
    grammar = GAMES[key].grammar
    results: set[str] = set()
    heads: list[Verb | Query] = [*grammar.verbs.values(), *grammar.queries.values()]
    for each in heads:
        results.update((each.name, *each.names, *each.short))
        for slot in each.slots:
            results.update(list(slot.values())[:40])
    return [f" {term}".encode() for term in sorted(results)] + [b" !", b"=", b" ; ", b"/"]
