"""The table as text: one's own board with its dice and points, then what everybody has.

Rule: railroad_ink 12.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.vision import Seat
from rules.railroad_ink.closeup import maps
from rules.railroad_ink.layout import beside, fit, flowed, right
from rules.railroad_ink.picture import MAP_WIDTH, draw_map
from rules.railroad_ink.pieces import SPECIALS, TURNS, Piece
from rules.railroad_ink.shown import INDENT, Shown
from rules.railroad_ink.sides import letters_of
from rules.railroad_ink.squares import Line
from rules.railroad_ink.state import PARTS, ROUNDS, SPECIALS_IN_GAME, Stroke, special_number

_GAP: Final = "   "
_PANEL_LEAST: Final = 38
"""A panel narrower than this goes below the map."""
_FEW: Final = 4
"""Up to so many boards are shown to a spectator at once."""
_FACE_WIDTH: Final = 19
_STATE_WIDTH: Final = 8
_COUNT_WIDTH: Final = 7
_SPECIALS_WIDTH: Final = 9
_NAME_LEAST: Final = 8
_NAME_MOST: Final = 18
_ROOMY: Final = 70
"""On a narrower page the seats' states are left out: those that draw are named above."""


def table(shown: Shown) -> str:
    """Everything that one has to see in order to play."""
    lines = [*status(shown), ""]
    for seat in shown.eyes:
        lines += [*_own(shown, seat), ""]
    few = len(shown.parts) <= _FEW
    if not shown.eyes and few:
        lines += [*maps(shown, shown.seats), ""]
    lines += [*_seats(shown), *_legend(shown)]
    if len(shown.parts) > len(shown.eyes) and (shown.eyes or not few):
        lines += shown.told("others")
    return "\n".join(lines)


def status(shown: Shown) -> list[str]:
    """Where the game stands, and whom it waits for."""
    head = shown.say("head", round=shown.round, rounds=ROUNDS)
    if shown.over:
        return [head, *shown.listed("over", [shown.page.seat(seat) for seat in shown.winners()])]
    dice = shown.listed("rolled", [shown.word(face) for face in shown.dice])
    waiting = [shown.page.seat(seat) for seat, part in shown.parts.items() if not part["done"]]
    return [head, *dice, *shown.listed("drawing", waiting)]


def _own(shown: Shown, seat: Seat) -> list[str]:
    """A board with its panel beside it, or below where the page is narrow."""
    drawn = draw_map(shown.board(seat), shown.signs)
    if len(shown.eyes) > 1:
        drawn.insert(0, shown.name(seat, MAP_WIDTH))
    left = shown.page.width - MAP_WIDTH - len(_GAP)
    if left < _PANEL_LEAST:
        return [*drawn, "", *_panel(shown, seat, shown.page.width)]
    return beside([drawn, _panel(shown, seat, left)], [MAP_WIDTH, left], _GAP)


def _panel(shown: Shown, seat: Seat, width: int) -> list[str]:
    lines = []
    if not shown.over:
        lines += [shown.say("dice"), *_dice(shown, seat), ""]
        lines += [*_specials(shown, seat, width), ""]
    points = shown.points(seat)
    lines.append(shown.say("score", total=points.total))
    for part, count in zip(PARTS, points.signed, strict=True):
        lines.append(" " * INDENT + fit(shown.score_name(part), _FACE_WIDTH) + right(str(count), 4))
    return lines


def _dice(shown: Shown, seat: Seat) -> Iterator[str]:
    """Each die with its number, and where it was drawn."""
    strokes = list(shown.strokes(seat))
    for number, face in enumerate(shown.dice, start=1):
        stroke = next((each for each in strokes if each.piece is face), None)
        if stroke is not None:
            strokes.remove(stroke)
        where = _where(stroke) if stroke else shown.say("to_draw")
        yield f"  {number} {shown.glyph(face)} {fit(shown.word(face), _FACE_WIDTH)}{where}"


def _specials(shown: Shown, seat: Seat, width: int) -> list[str]:
    """What special routes a seat has left (Rule: railroad_ink 7.1)."""
    used = shown.specials(seat)
    more = SPECIALS_IN_GAME - len(used)
    this_round = next((each for each in shown.strokes(seat) if each.piece in SPECIALS), None)
    if this_round is not None:
        route = special_number(this_round.piece)
        head = shown.say("special_drawn", route=route, at=_where(this_round), count=more)
    elif more:
        head = shown.say("special_left", count=more)
    else:
        head = shown.say("special_none")
    lines = flowed(head, width, INDENT)
    if more:
        left = [piece for piece in SPECIALS if special_number(piece) not in used]
        lines += flowed(" " * INDENT + "  ".join(_route(piece) for piece in left), width, INDENT)
    return lines


def _route(piece: Piece) -> str:
    """A special route at turn 0: `1:new-s`."""
    return f"{special_number(piece)}:{letters_of(piece, TURNS[0])}"


def _where(stroke: Stroke) -> str:
    return f"{stroke.square} {letters_of(stroke.piece, stroke.turn)}"


def _seats(shown: Shown) -> Iterator[str]:
    """A line for each seat: is it done, its points as far as these eyes see them."""
    beside_name = _COUNT_WIDTH * (len(PARTS) + 1) + _SPECIALS_WIDTH
    state = _STATE_WIDTH if shown.page.width >= _ROOMY else 0
    width = max(_NAME_LEAST, min(_NAME_MOST, shown.page.width - beside_name - state))
    heads = (right(shown.say(f"column_{part}"), _COUNT_WIDTH) for part in (*PARTS, "total"))
    yield (
        fit(shown.say("column_seat"), width)
        + fit(shown.say("column_state"), state)
        + "".join(heads)
        + "  "
        + shown.say("column_special")
    )
    for seat, part in shown.parts.items():
        points = shown.points(seat)
        mark = "*" if shown.strokes(seat) else " "
        counts = (right(str(count), _COUNT_WIDTH) for count in (*points.signed, points.total))
        told = "" if shown.over else shown.say("is_done" if part["done"] else "draws")
        yield (
            fit(f"{seat} {shown.page.seat(seat)}", width - 1)
            + " "
            + fit(told, state)
            + "".join(counts)
            + mark
            + " "
            + (" ".join(map(str, shown.specials(seat))) or "-")
        )


def _legend(shown: Shown) -> list[str]:
    signs = shown.signs
    return shown.told(
        "legend",
        road=f"{signs.across(Line.ROAD)}{signs.along(Line.ROAD)}",
        railway=f"{signs.across(Line.RAILWAY)}{signs.along(Line.RAILWAY)}",
        station=signs.station,
        overpass=signs.overpass[1],
        open=signs.open_end,
        centre=signs.centre,
    )


__all__ = ["status", "table"]
