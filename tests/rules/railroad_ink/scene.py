"""Tables for scenes: boards written square by square, dice, and lines that seats type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from bluebear.rules.core.chance import Chance, FastChance, NoChance
from bluebear.rules.core.game import Outcome, TextPage
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.connectivity import Lines, lines_of
from bluebear.rules.railroad_ink.rules.pieces import (
    CANONICAL,
    EXITS,
    NUMBER,
    SPECIALS,
    Line,
    Piece,
    Side,
    Square,
    Turn,
)
from bluebear.rules.railroad_ink.rules.scoring import points_of
from bluebear.rules.railroad_ink.rules.state import Draft, Drawn, Part, Points, State

A, B, C, D = (Seat(number) for number in (1, 2, 3, 4))

PLAIN: Final = TextPage(ascii=True)

DICE: Final = "rail_curve road_t road_straight overpass"
"""The faces of a round where they do not matter."""

Board = Mapping[Square, Drawn]


def exit_at(square: Square, side: Side) -> Line | None:
    """The kind of the exit at a side of a square; None where there is none."""
    return next((e.line for e in EXITS if (e.square, e.side) == (square, side)), None)


def drawn(text: str) -> dict[Square, Drawn]:
    """A board as written: `A4 road_t 2, B4 road_curve 2`; four squares a round, one special."""
    made: dict[Square, Drawn] = {}
    rounds: list[list[Piece]] = [[]]
    for each in filter(None, map(str.strip, text.split(","))):
        square, name, turn = each.split()
        piece = Piece(name)
        assert square in NUMBER, each
        assert square not in made, each
        contents = rounds[-1]
        if len(contents) == 4 or (
            piece in SPECIALS and any(other in SPECIALS for other in contents)
        ):
            rounds.append(contents := [])
        contents.append(piece)
        made[Square(square)] = Drawn(piece, CANONICAL[piece][Turn(turn)], len(rounds))
    return made


def written(text: str) -> Lines:
    """The lines of a board as written."""
    return lines_of((NUMBER[at], each.piece, each.turn) for at, each in drawn(text).items())


def points(text: str) -> Points:
    """What a board as written is worth."""
    return points_of(written(text))


def faces(text: str) -> tuple[Piece, ...]:
    """The four faces of a round, by name."""
    made = tuple(map(Piece, text.split()))
    assert len(made) == 4, text
    return made


def table(
    *boards: str,
    dice: str = DICE,
    seats: int = 1,
    auto_done: bool = False,
    lap_once: bool = False,
) -> State:
    """A round in which no player has drawn yet; boards of earlier rounds by seat, else empty.

    It is the one after the last in which something was drawn, at least the second.
    """
    parts = {}
    rounds = [1]
    for seat in range(1, max(seats, len(boards)) + 1):
        text = boards[seat - 1] if seat <= len(boards) else ""
        board, worth = drawn(text), points_of(written(text), lap_once=lap_once)
        rounds += [each.round for each in board.values()]
        parts[Seat(seat)] = Part(
            board=Keyed(board),
            points=worth,
            began=False,
            done=False,
            draft=Draft((), worth),
            seen=Keyed(),
        )
    return State(
        rules=1,
        auto_done=auto_done,
        lap_once=lap_once or None,
        round=max(rounds) + 1,
        over=False,
        dice=faces(dice),
        seats=Keyed(parts),
    )


def outcome(before: State, seat: Seat, line: str, chance: Chance | None = None) -> Outcome[Any]:
    """What comes of a canonical line; draws do not matter unless a chance is given."""
    return GAME.play(before, seat, GAME.grammar.parse(line), chance or FastChance(1))


def play(before: State, *lines: str, seat: Seat = A) -> State:
    """The table after canonical lines of one seat; another seat's line begins with its number."""
    after = before
    for line in lines:
        who, _, rest = line.partition(" ") if line[0].isdigit() else (str(seat), "", line)
        after = outcome(after, Seat(int(who)), rest).state
    assert list(GAME.invariants(after)) == []
    return after


def refusal(before: State, line: str, seat: Seat = A) -> NotAllowed:
    """Why a canonical line is not allowed; it must be refused before anything is drawn."""
    with pytest.raises(NotAllowed) as caught:
        outcome(before, seat, line, NoChance())
    assert caught.value.rule in GAME.rules
    return caught.value


def refusal_text(why: NotAllowed, lang: str = "en") -> str:
    """The sentence of a refusal."""
    return GAME.phrases.say(f"refusal.{why.code}", "ja" if lang == "ja" else "en", why.params)


def typed(before: State, text: str, seat: Seat = A) -> str:
    """The canonical line of what a seat types, as a server finds it."""
    grammar = GAME.grammar
    body = text.removeprefix("/")
    head, _, rest = body.partition(" ")
    exact = grammar.heads.exact(fold(head))
    if exact is None:
        head, _, rest = (grammar.expand(body) or body).partition(" ")
        (exact,) = grammar.heads.find(fold(head))
    view = GAME.seen(before, frozenset({seat}))
    moves = GAME.text(view, frozenset((seat,))).expand(seat, exact, rest)
    if moves is None:
        verb = grammar.verbs[exact]
        moves = (grammar.understand(verb, rest, lambda: GAME.legal(before, seat)),)
    (move,) = moves
    line = grammar.format(move)
    assert grammar.parse(line) == move
    return line


def lines(before: State, seat: Seat = A) -> list[str]:
    """What a seat may do."""
    return [GAME.grammar.format(move) for move in GAME.legal(before, seat)]


def eyes(*seats: Seat) -> Eyes:
    """The eyes of some seats; of a spectator without any."""
    return frozenset(seats)


def board(before: State, *seats: Seat, page: TextPage = PLAIN) -> list[str]:
    """The board for these eyes, line by line."""
    seen = eyes(*seats)
    return GAME.text(GAME.seen(before, seen), seen, page).board().splitlines()
