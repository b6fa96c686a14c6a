"""Records of random games, as the server would write them, for verification and as examples."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from bluebear.rules.core.chance import (
    SEAT_SEED_BYTES,
    Chance,
    FastChance,
    HmacChance,
    chance_key,
    commitment,
)
from bluebear.rules.core.conformance.case import Case
from bluebear.rules.core.game import Player
from bluebear.rules.core.record import (
    DIGEST_EVERY,
    Digested,
    End,
    EndReason,
    Head,
    Hex,
    Moved,
    Record,
    RecordLine,
    Undone,
    chance_header,
    format_line,
    sealed_text,
)
from bluebear.rules.core.visibility import Move, Seat

_UNDO_ONE_IN = 12


def sealed(record: Record) -> Record:
    """A record whose end has the sum of its text."""
    assert record.end is not None
    bare = replace(record.end, sum=None)
    text = sealed_text(record.head, map(format_line, record.lines), bare)
    return replace(record, end=replace(bare, sum=Hex(text.split()[-1])))


def recorded(
    case: Case, seed: int, *, player: Player | None = None, undoing: bool = False
) -> Record:
    """The sealed record of a game of plain moves, random or chosen by `player`.

    With `undoing` some entries are undone, one or two at a time.
    """
    secret = hashlib.sha256(f"secret of {case} {seed}".encode()).digest()
    head = _head(case, seed, secret)
    key = chance_key(secret, chance_header(head, case.options, head.order))
    game, choice, counter = case.game, FastChance(seed), HmacChance(key)
    state = game.setup(case.options, case.seats, counter).state
    lines: list[RecordLine] = []
    past: list[Any] = []
    while movers := sorted(game.to_move(state)):
        if undoing and past and choice.pick(_UNDO_ONE_IN) == 0:
            count = 1 + choice.pick(min(2, len(past)))
            state = past[-count]
            del past[-count:]
            lines.append(Undone(count))
            continue
        seat = movers[choice.pick(len(movers))]
        move = _chosen(case, state, seat, choice, player)
        past.append(state)
        state = game.play(state, seat, move, counter).state
        lines.append(Moved(seat, (game.grammar.format(move),)))
        if len(past) % DIGEST_EVERY == 0:
            lines.append(Digested(Hex(game.tree.digest(state))))
    if not lines or not isinstance(lines[-1], Digested):
        lines.append(Digested(Hex(game.tree.digest(state))))
    result = game.result(state)
    assert result is not None  # no seat is to move, see `check_position`
    scores = tuple((each.seat, each.score) for each in result.standings)
    end = End(EndReason.SCORE, secret=Hex(secret.hex()), scores=scores)
    return sealed(Record(head, tuple(lines), end))


def _head(case: Case, seed: int, secret: bytes) -> Head:
    listed = case.game.info.options
    seats = range(1, case.seats + 1)
    parts = hashlib.sha512(f"seats of {case} {seed}".encode()).digest()
    length = SEAT_SEED_BYTES
    return Head(
        game=case.game.info.key,
        rules=int(case.options["rules"]),
        id=f"random-{seed}",
        options=tuple(
            (name, listed[name].write(value))
            for name, value in case.options.items()
            if name in listed
        ),
        joined=tuple(f"bot:random{seat}" for seat in seats),
        order=tuple(seats),
        commit=Hex(commitment(secret)),
        seeds=tuple((seat, Hex(parts[:length].hex())) for seat in list(seats)[:1]),
    )


def _chosen(case: Case, state: Any, seat: Seat, choice: Chance, player: Player | None) -> Move:
    game = case.game
    moves = game.plain(state, seat)
    if player is None:
        return moves[choice.pick(len(moves))]
    return player(game.seen(state, frozenset({seat})), seat, moves, choice)
