"""The table as text: one's own board with its dice and points, then what everybody has.

Rule: railroad_ink 12.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.text_layout import beside, fit, flowed, packed, right
from bluebear.rules.core.visibility import Seat
from bluebear.rules.railroad_ink.closeup import maps
from bluebear.rules.railroad_ink.picture import MAP_WIDTH, draw_map
from bluebear.rules.railroad_ink.pieces import SPECIALS, TURNS, Piece
from bluebear.rules.railroad_ink.sheet import INDENT, Sheet
from bluebear.rules.railroad_ink.sides import letters_of
from bluebear.rules.railroad_ink.squares import Line
from bluebear.rules.railroad_ink.state import (
    PARTS,
    ROUNDS,
    SPECIALS_IN_GAME,
    Stroke,
    special_number,
)

_GAP: Final = "   "
_PANEL_LEAST: Final = 38
"""A panel narrower than this goes below the map."""
_UPPER: Final = 2
"""The line between the upper exits and the first row."""
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


def table(sheet: Sheet) -> str:
    """Everything that one has to see in order to play."""
    lines = [*status(sheet), ""]
    for seat in sheet.eyes:
        lines += [*_own(sheet, seat), ""]
    few = len(sheet.seats) <= _FEW
    if not sheet.eyes and few:
        lines += [*maps(sheet, sheet.seats), ""]
    lines += [*_seats(sheet), *_legend(sheet)]
    if len(sheet.seats) > len(sheet.eyes) and (sheet.eyes or not few):
        lines += sheet.told("others")
    return "\n".join(lines)


def status(sheet: Sheet) -> list[str]:
    """Where the game stands, and whom it waits for."""
    head = sheet.say("head", round=sheet.view.round, rounds=ROUNDS)
    if sheet.view.over:
        return [head, *sheet.listed("over", [sheet.page.seat(seat) for seat in sheet.winners()])]
    waiting = [sheet.page.seat(seat) for seat in sheet.waiting]
    return [head, *_rolled(sheet), *sheet.listed("drawing", waiting)]


def _rolled(sheet: Sheet) -> list[str]:
    if sheet.view.over:
        return []
    return sheet.listed("rolled", [sheet.word(face) for face in sheet.view.dice])


def glance(sheet: Sheet) -> Iterator[SummaryBlock]:
    """The table in parts: one's own board with dice and points, then the seats."""
    head, *waiting = [
        line for line in status(sheet) if not sheet.eyes or line not in _rolled(sheet)
    ]
    for seat in sheet.eyes:
        drawn = _trimmed(draw_map(sheet.board(seat), sheet.signs))
        left = sheet.page.width - MAP_WIDTH - len(_GAP)
        if left < _PANEL_LEAST:
            yield SummaryBlock(0, [head, *drawn])
            yield SummaryBlock(1, _panel(sheet, seat, sheet.page.width))
        else:
            panel = [head, *_panel(sheet, seat, left)]
            yield SummaryBlock(0, beside([drawn, panel], _GAP, [MAP_WIDTH, left]))
    yield SummaryBlock(1, waiting if sheet.eyes else [head, *waiting])
    yield SummaryBlock(2, list(_seats(sheet)))
    if not sheet.eyes and len(sheet.seats) <= _FEW:
        yield SummaryBlock(3, maps(sheet, sheet.seats))
    yield SummaryBlock(4, _legend(sheet))


def reading(sheet: Sheet) -> str:
    """The table in sentences: every square that is drawn on, row by row, and what all have."""
    lines = status(sheet)
    for seat in sheet.eyes or sheet.seats:
        squares = sorted(sheet.board(seat).items(), key=lambda drawn: _row_first(drawn[0]))
        told = [
            f"{square} {sheet.word(mark.piece)} {letters_of(mark.piece, mark.turn)}"
            for square, mark in squares
        ]
        lines += [sheet.name(seat, MAP_WIDTH).rstrip(), *sheet.listed("squares", told)]
        if seat in sheet.eyes:
            lines += filter(None, _panel(sheet, seat, sheet.page.width, drawn=False))
    for seat, part in sheet.view.seats.items():
        points = sheet.points(seat)
        counts = [
            f"{sheet.score_name(name)} {count}"
            for name, count in zip(PARTS, points.signed, strict=True)
        ]
        doing = "" if sheet.view.over else sheet.say("is_done" if part.done else "draws")
        told = [*([doing] if doing else []), *counts]
        lines += sheet.listed("caption", told, seat=seat, total=points.total)
    return "\n".join(lines)


def _row_first(square: str) -> tuple[str, str]:
    """Sorts squares as one reads: by their row, then by their column."""
    return square[1:], square[:1]


def _trimmed(drawn: list[str]) -> list[str]:
    """A map without the lines between exits and squares where nothing is drawn there."""
    return [line for at, line in enumerate(drawn) if line or at not in (_UPPER, len(drawn) - 2)]


def _own(sheet: Sheet, seat: Seat) -> list[str]:
    """A board with its panel beside it, or below where the page is narrow."""
    drawn = draw_map(sheet.board(seat), sheet.signs)
    if len(sheet.eyes) > 1:
        drawn.insert(0, sheet.name(seat, MAP_WIDTH))
    left = sheet.page.width - MAP_WIDTH - len(_GAP)
    if left < _PANEL_LEAST:
        return [*drawn, "", *_panel(sheet, seat, sheet.page.width)]
    return beside([drawn, _panel(sheet, seat, left)], _GAP, [MAP_WIDTH, left])


def _panel(sheet: Sheet, seat: Seat, width: int, *, drawn: bool = True) -> list[str]:
    lines = []
    if not sheet.view.over:
        lines += [sheet.say("dice"), *_dice(sheet, seat, drawn=drawn), ""]
        lines += [*_specials(sheet, seat, width), ""]
    points = sheet.points(seat)
    lines.append(sheet.say("score", total=points.total))
    for part, count in zip(PARTS, points.signed, strict=True):
        lines.append(" " * INDENT + fit(sheet.score_name(part), _FACE_WIDTH) + right(str(count), 4))
    return lines


def _dice(sheet: Sheet, seat: Seat, *, drawn: bool) -> Iterator[str]:
    """Each die with its number and its sign, where signs are seen, and where it was drawn."""
    strokes = list(sheet.strokes(seat))
    for number, face in enumerate(sheet.view.dice, start=1):
        stroke = next((each for each in strokes if each.piece is face), None)
        if stroke is not None:
            strokes.remove(stroke)
        where = _where(stroke) if stroke else sheet.say("to_draw")
        sign = f"{sheet.glyph(face)} " if drawn else ""
        yield f"  {number} {sign}{fit(sheet.word(face), _FACE_WIDTH)}{where}"


def _specials(sheet: Sheet, seat: Seat, width: int) -> list[str]:
    """What special routes a seat has left (Rule: railroad_ink 7.1)."""
    used = sheet.specials(seat)
    more = SPECIALS_IN_GAME - len(used)
    this_round = next((each for each in sheet.strokes(seat) if each.piece in SPECIALS), None)
    if this_round is not None:
        route = special_number(this_round.piece)
        head = sheet.say("special_drawn", route=route, at=_where(this_round), count=more)
    elif more:
        head = sheet.say("special_left", count=more)
    else:
        head = sheet.say("special_none")
    lines = flowed(head, width, INDENT)
    if more:
        left = [piece for piece in SPECIALS if special_number(piece) not in used]
        lines += packed([" " * INDENT, *(_route(piece) + " " for piece in left)], width, INDENT)
    return lines


def _route(piece: Piece) -> str:
    """A special route at turn 0: `1:new-s`."""
    return f"{special_number(piece)}:{letters_of(piece, TURNS[0])}"


def _where(stroke: Stroke) -> str:
    return f"{stroke.square} {letters_of(stroke.piece, stroke.turn)}"


def _seats(sheet: Sheet) -> Iterator[str]:
    """A line for each seat: is it done, its points as far as these eyes see them."""
    beside_name = _COUNT_WIDTH * (len(PARTS) + 1) + _SPECIALS_WIDTH
    state = _STATE_WIDTH if sheet.page.width >= _ROOMY else 0
    width = max(_NAME_LEAST, min(_NAME_MOST, sheet.page.width - beside_name - state))
    heads = (right(sheet.say(f"column_{part}"), _COUNT_WIDTH) for part in (*PARTS, "total"))
    yield (
        fit(sheet.say("column_seat"), width)
        + fit(sheet.say("column_state"), state)
        + "".join(heads)
        + "  "
        + sheet.say("column_special")
    )
    for seat, part in sheet.view.seats.items():
        points = sheet.points(seat)
        mark = "*" if sheet.strokes(seat) else " "
        counts = (right(str(count), _COUNT_WIDTH) for count in (*points.signed, points.total))
        told = "" if sheet.view.over else sheet.say("is_done" if part.done else "draws")
        yield (
            fit(f"{seat} {sheet.page.seat(seat)}", width - 1)
            + " "
            + fit(told, state)
            + "".join(counts)
            + mark
            + " "
            + (" ".join(map(str, sheet.specials(seat))) or "-")
        )


def _legend(sheet: Sheet) -> list[str]:
    signs = sheet.signs
    return sheet.told(
        "legend",
        road=f"{signs.across(Line.ROAD)}{signs.along(Line.ROAD)}",
        railway=f"{signs.across(Line.RAILWAY)}{signs.along(Line.RAILWAY)}",
        station=signs.station,
        overpass=signs.overpass[1],
        open=signs.open_end,
        centre=signs.centre,
    )
