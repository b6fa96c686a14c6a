"""The lines of the game: `/draw road_t C4 2`, `/special 2 B6 2`, `/erase C4`, `/done`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from bluebear.rules.core.grammar import Grammar, Query, Shorthand, Verb
from bluebear.rules.core.refusal import Ambiguous, NotUnderstood
from bluebear.rules.core.slots import Choice, Lexicon, NumberSlot, Slot, WordSlot, read_choices
from bluebear.rules.core.visibility import Seat
from bluebear.rules.railroad_ink.rules import pieces
from bluebear.rules.railroad_ink.rules.state import MOST_SEATS, Done, Draw, Erase, Special

# Orientations by the sides of the arms: `esw`, or `n-esw` for road north, railway the others.

_LETTERS: Final = {
    letter: side
    for side, letters in zip(pieces.SIDES, ("n北上", "e東右", "s南下", "w西左"), strict=True)
    for letter in letters
}
_WRITTEN: Final = re.compile(f"(?P<roads>[{''.join(_LETTERS)}]*)(?P<dash>[-ー]?)(?P<rails>.*)")


def turns_written(piece: pieces.Piece, given: str) -> list[pieces.Turn] | None:
    """The canonical turns in which a piece has its arms at these sides; None if it is no such text.

    Without a dash roads and railways count alike, so several turns may fit.
    """
    if not given or (match := _WRITTEN.fullmatch(given)) is None:
        return None
    first, second = _sides(match["roads"]), _sides(match["rails"])
    if first is None or second is None:
        return None
    found = []
    for turn, arms in pieces.ORIENTATIONS[piece].items():
        roads, rails = (
            frozenset(s for s in pieces.SIDES if arms[s] is line) for line in pieces.LINES
        )
        fits = (roads, rails) == (first, second) if match["dash"] else roads | rails == first
        if fits:
            found.append(turn)
    return found


def _sides(given: str) -> frozenset[pieces.Side] | None:
    """The sides that letters name, each at most once."""
    unique = frozenset(_LETTERS[letter] for letter in given if letter in _LETTERS)
    return unique if len(unique) == len(given) else None


# What people type (Rule: railroad_ink 12.1).

CHOICES: Final = read_choices("bluebear.rules.railroad_ink", face=pieces.FACES)
_FACES: Final = CHOICES["face"]
_FACE_LEXICON: Final = Lexicon(_FACES)
_SQUARES: Final = tuple(Choice(square, (square[::-1],)) for square in pieces.SQUARES)
"""`4C` is read as well."""


def _turn_names(turn: pieces.Turn) -> tuple[str, ...]:
    if not turn.endswith("m"):
        return ()
    plain = turn[0]
    return (f"m{plain}", f"{plain}反転", f"反転{plain}", *(("m", "反転") if plain == "0" else ()))


_TURNS: Final = tuple(Choice(turn, _turn_names(turn)) for turn in pieces.TURNS)


class TurnSlot(Slot):
    """A turn, or the sides of the arms; read as the canonical turn of the piece named before."""

    name = "turn"

    def __init__(self, piece: Callable[[str], pieces.Piece | None]) -> None:
        self._piece = piece
        self._lexicon = Lexicon(_TURNS)

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        given = tokens[at]
        piece = self._piece(tokens[at - 2]) if at >= 2 else None
        if (plain := self._lexicon.exact(given)) is not None:
            turn = pieces.Turn(plain)
            return (turn if piece is None else pieces.CANONICAL[piece][turn]), at + 1
        found = None if piece is None else turns_written(piece, given)
        if piece is None:
            raise NotUnderstood("bad_argument", slot="turn", given=given, candidates=pieces.TURNS)
        if not found:
            code = "bad_argument" if found is None else "no_such_sides"
            turns = pieces.ORIENTATIONS[piece]
            in_digits = given[0].isdigit()
            offered = [turn if in_digits else pieces.letters_of(piece, turn) for turn in turns]
            raise NotUnderstood(code, slot="turn", piece=piece, given=given, candidates=offered)
        if len(found) > 1:
            offered = [pieces.letters_of(piece, turn) for turn in found]
            raise Ambiguous("ambiguous", slot="turn", given=given, candidates=offered)
        return found[0], at + 1

    def write(self, value: Any) -> str:
        return str(value)

    def values(self) -> Sequence[str]:
        return pieces.TURNS


class SquareSlot(WordSlot):
    """A square; what looks like none of them is answered with the first and the last."""

    def __init__(self) -> None:
        super().__init__("square", _SQUARES, kind=pieces.Square)

    def _few(self) -> Sequence[str]:
        return [f"{pieces.SQUARES[0]}-{pieces.SQUARES[-1]}"]


def face_named(name: str) -> pieces.Piece | None:
    """The face that a folded word means; None if it means none, or several."""
    found = _FACE_LEXICON.find(name)
    return pieces.Piece(found[0]) if len(found) == 1 else None


def face_of_two(first: str, second: str) -> pieces.Piece | None:
    """The face that two folded words name, as in `straight road`; None if they do not."""
    for name in (f"{first}_{second}", first + second):
        if (found := _FACE_LEXICON.exact(name)) is not None:
            return pieces.Piece(found)
    return None


def route_named(text: str) -> pieces.Piece | None:
    """The special route of a number."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
    return pieces.SPECIALS[number - 1] if 1 <= number <= len(pieces.SPECIALS) else None


_SQUARE: Final = SquareSlot()
_ROUTE: Final = NumberSlot("route", 1, len(pieces.SPECIALS))

_ANY_TURN: Final = r"(?P<turn>[0-3]m?|m[0-3]?|[0-3]?反転[0-3]?|[neswー北東南西上右下左-]{2,5})"
_ANY_SQUARE: Final = r"(?P<square>[a-g][1-7])"

GRAMMAR: Final = Grammar(
    verbs=[
        Verb(
            "draw",
            Draw,
            (WordSlot("face", _FACES, kind=pieces.Piece), _SQUARE, TurnSlot(face_named)),
        ),
        Verb("special", Special, (_ROUTE, _SQUARE, TurnSlot(route_named))),
        Verb("erase", Erase, (_SQUARE,)),
        Verb("done", Done),
    ],
    queries=[
        Query("show", (NumberSlot("seat", 1, MOST_SEATS, kind=Seat),), optional=True),
        Query("fit", (_SQUARE,)),
    ],
    names=CHOICES["verb"],
    # `/3C4esw` and `/3C4`: a die, a square, a turn; `/s2B6n-esw`: a special route.
    shorthands=[
        Shorthand(re.compile(rf"{head}\s*{_ANY_SQUARE}{tail}"), f"{verb} {{square}}{turn}")
        for head, verb in (
            (r"(?P<face>[1-4])", "draw {face}"),
            (r"(?:s|特)\s*(?P<route>[1-6])", "special {route}"),
        )
        for tail, turn in ((rf"\s*{_ANY_TURN}", " {turn}"), ("", ""))
    ],
)

AREAS: Final = (
    *CHOICES["area"],
    *(Choice(f"seat{n}", (f"席{n}",), (f"{n}",)) for n in range(1, MOST_SEATS + 1)),
)
"""What `/look` shows: round numbers, the pieces, all boards, one seat's board."""

EXPLAINED: Final = (*_FACES, *(Choice(f"special_{n}", (f"スペシャル{n}",)) for n in range(1, 7)))
