"""The table as text, and boards looked at closely (Rule: railroad_ink 12.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import beside, fit, flowed, packed, right
from bluebear.rules.core.texts import SummaryBlock
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.railroad_ink.rules import pieces, state
from bluebear.rules.railroad_ink.rules.connectivity import lines_of
from bluebear.rules.railroad_ink.rules.round_board import paper_of
from bluebear.rules.railroad_ink.rules.scoring import EXIT_POINTS, exits_joined, winners
from bluebear.rules.railroad_ink.text.ascii_board import (
    INDENT,
    MAP_WIDTH,
    ViewReader,
    draw_map,
    draw_piece,
    middle,
    open_ends_of,
)
from bluebear.rules.railroad_ink.text.commands import AREAS, EXPLAINED
from bluebear.rules.railroad_ink.text.typed_moves import expand, fitting, format_moves

# Boards looked at closely: round numbers, networks, open ends, and all the pieces.

_GAP: Final = "   "
_IN_A_ROW: Final = 3


def maps(sheet: ViewReader, seats: Sequence[Seat], *, rounds: bool = False) -> list[str]:
    """Boards side by side, as many as the page is wide."""
    in_row = max(1, (sheet.page.width + len(_GAP)) // (MAP_WIDTH + len(_GAP)))
    lines: list[str] = []
    for at in range(0, len(seats), in_row):
        blocks = [
            [
                fit(_caption(sheet, seat), MAP_WIDTH),
                *draw_map(sheet.board_of(seat), sheet.signs, rounds=rounds),
            ]
            for seat in seats[at : at + in_row]
        ]
        if lines:
            lines.append("")
        lines += beside(blocks, _GAP, [MAP_WIDTH] * len(blocks))
    return lines


def close(sheet: ViewReader, seat: Seat) -> list[str]:
    """One board with its points, its networks and its open ends by name."""
    board = sheet.board_of(seat)
    lines = [_caption(sheet, seat), *draw_map(board, sheet.signs), ""]
    lines += sheet.listing("parts", sheet.scores(seat))
    drawn = lines_of(
        (pieces.NUMBER[square], each.piece, each.turn) for square, each in board.items()
    )
    reached = [
        [str(pieces.EXITS[number].square) for number in each] for each in exits_joined(drawn)
    ]
    for names in reached:
        if len(names) > 1:
            worth = sheet.say("worth", count=EXIT_POINTS[len(names)])
            lines += sheet.listing("network", [*names[:-1], f"{names[-1]} {worth}"])
    if lone := [names[0] for names in reached if len(names) == 1]:
        lines += sheet.listing("lone_exits", lone)
    if ends := [
        f"{square} {sheet.label('details', side.name.lower())}"
        for square, side in open_ends_of(board)
    ]:
        lines += sheet.listing("open_ends", ends)
    if not sheet.is_seen(seat):
        lines += sheet.phrase_lines("hidden", seat=seat)
    return lines


def all_pieces(sheet: ViewReader) -> Iterator[str]:
    """All pieces at rotation 0, with the sides of their arms in every turn."""
    cell = sheet.page.width // _IN_A_ROW
    listed = list(pieces.Piece)
    for at in range(0, len(listed), _IN_A_ROW):
        row = listed[at : at + _IN_A_ROW]
        blocks = [
            [
                sheet.piece_label(each),
                *(f"  {line}" for line in draw_piece(each, pieces.TURNS[0], sheet.signs)),
            ]
            for each in row
        ]
        yield from beside(blocks, "", [cell] * len(row))
        for piece in row:
            turns = (
                f"{turn}={pieces.letters_of(piece, turn)}" for turn in pieces.ORIENTATIONS[piece]
            )
            yield from sheet.lines(" ".join([f"{piece.value}:", *turns]))
        yield ""
    yield from sheet.phrase_lines("sides")


def _caption(sheet: ViewReader, seat: Seat) -> str:
    return sheet.say("caption", seat=seat, total=sheet.points(seat).total)


# The reader's board with its dice and points, then what all seats have.

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


def table(sheet: ViewReader) -> str:
    """Everything that one has to see in order to play."""
    lines = [*status_lines(sheet), ""]
    for seat in sheet.viewer_seats:
        lines += [*_board_with_panel(sheet, seat), ""]
    few = len(sheet.seats) <= _FEW
    if not sheet.viewer_seats and few:
        lines += [*maps(sheet, sheet.seats), ""]
    lines += [*_seats(sheet), *_legend(sheet)]
    if len(sheet.seats) > len(sheet.viewer_seats) and (sheet.viewer_seats or not few):
        lines += sheet.phrase_lines("others")
    return "\n".join(lines)


def status_lines(sheet: ViewReader) -> list[str]:
    """The state of the game, and the seats it waits for."""
    head = sheet.say("head", round=sheet.view.round, rounds=state.ROUNDS)
    if sheet.view.over:
        first = winners({seat: sheet.points(seat) for seat in sheet.view.seats})
        return [head, *sheet.listing("over", [sheet.page.seat(seat) for seat in first])]
    parts = sheet.view.seats.items()
    waiting = [sheet.page.seat(seat) for seat, part in parts if not part.done]
    return [head, *_rolled(sheet), *sheet.listing("drawing", waiting)]


def _rolled(sheet: ViewReader) -> list[str]:
    if sheet.view.over:
        return []
    return sheet.listing("rolled", [sheet.piece_label(face) for face in sheet.view.dice])


def glance(sheet: ViewReader) -> Iterator[SummaryBlock]:
    """The table in parts: the viewer's board with dice and points, then the seats."""
    head, *waiting = [
        line for line in status_lines(sheet) if not sheet.viewer_seats or line not in _rolled(sheet)
    ]
    for seat in sheet.viewer_seats:
        drawn = _trimmed(draw_map(sheet.board_of(seat), sheet.signs))
        left = sheet.page.width - MAP_WIDTH - len(_GAP)
        if left < _PANEL_LEAST:
            yield SummaryBlock(0, [head, *drawn])
            yield SummaryBlock(1, _panel(sheet, seat, sheet.page.width))
        else:
            panel = [head, *_panel(sheet, seat, left)]
            yield SummaryBlock(0, beside([drawn, panel], _GAP, [MAP_WIDTH, left]))
    yield SummaryBlock(1, waiting if sheet.viewer_seats else [head, *waiting])
    yield SummaryBlock(2, list(_seats(sheet)))
    if not sheet.viewer_seats and len(sheet.seats) <= _FEW:
        yield SummaryBlock(3, maps(sheet, sheet.seats))
    yield SummaryBlock(4, _legend(sheet))


def reading(sheet: ViewReader) -> str:
    """The table in sentences: every square that is drawn on, row by row, and what all have."""
    lines = status_lines(sheet)
    for seat in sheet.viewer_seats or sheet.seats:
        squares = sorted(sheet.board_of(seat).items(), key=lambda drawn: drawn[0][::-1])
        items = [
            f"{square} {sheet.piece_label(mark.piece)} {pieces.letters_of(mark.piece, mark.turn)}"
            for square, mark in squares
        ]
        lines += [sheet.name(seat, MAP_WIDTH).rstrip(), *sheet.listing("squares", items)]
        if seat in sheet.viewer_seats:
            lines += filter(None, _panel(sheet, seat, sheet.page.width, drawn=False))
    for seat, part in sheet.view.seats.items():
        points = sheet.points(seat)
        doing = "" if sheet.view.over else sheet.say("is_done" if part.done else "draws")
        items = [*([doing] if doing else []), *sheet.scores(seat)]
        lines += sheet.listing("caption", items, seat=seat, total=points.total)
    return "\n".join(lines)


def _trimmed(drawn: list[str]) -> list[str]:
    """A map without the lines between exits and squares where nothing is drawn there."""
    return [line for at, line in enumerate(drawn) if line or at not in (_UPPER, len(drawn) - 2)]


def _board_with_panel(sheet: ViewReader, seat: Seat) -> list[str]:
    """A board with its panel beside it, or below where the page is narrow."""
    drawn = draw_map(sheet.board_of(seat), sheet.signs)
    if len(sheet.viewer_seats) > 1:
        drawn.insert(0, sheet.name(seat, MAP_WIDTH))
    left = sheet.page.width - MAP_WIDTH - len(_GAP)
    if left < _PANEL_LEAST:
        return [*drawn, "", *_panel(sheet, seat, sheet.page.width)]
    return beside([drawn, _panel(sheet, seat, left)], _GAP, [MAP_WIDTH, left])


def _panel(sheet: ViewReader, seat: Seat, width: int, *, drawn: bool = True) -> list[str]:
    lines = []
    if not sheet.view.over:
        lines += [sheet.say("dice"), *_dice(sheet, seat, drawn=drawn), ""]
        lines += [*_specials(sheet, seat, width), ""]
    points = sheet.points(seat)
    lines.append(sheet.say("score", total=points.total))
    for part, count in zip(state.PARTS, points.signed, strict=True):
        lines.append(" " * INDENT + fit(sheet.score_name(part), _FACE_WIDTH) + right(str(count), 4))
    return lines


def _dice(sheet: ViewReader, seat: Seat, *, drawn: bool) -> Iterator[str]:
    """Each die with its number and its sign, where signs are seen, and where it was drawn."""
    strokes = list(sheet.strokes(seat))
    for number, face in enumerate(sheet.view.dice, start=1):
        if (stroke := next((each for each in strokes if each.piece is face), None)) is not None:
            strokes.remove(stroke)
        where = _where(stroke) if stroke else sheet.say("to_draw")
        arms = pieces.ORIENTATIONS[face][pieces.TURNS[0]]
        sign = f"{middle(face, arms, sheet.signs)} " if drawn else ""
        yield f"  {number} {sign}{fit(sheet.piece_label(face), _FACE_WIDTH)}{where}"


def _specials(sheet: ViewReader, seat: Seat, width: int) -> list[str]:
    """What special routes a seat has left (Rule: railroad_ink 7.1)."""
    used = sheet.specials(seat)
    more = state.SPECIALS_IN_GAME - len(used)
    this_round = next((each for each in sheet.strokes(seat) if each.piece in pieces.SPECIALS), None)
    if this_round is not None:
        route = state.special_number(this_round.piece)
        head = sheet.say("special_drawn", route=route, at=_where(this_round), count=more)
    elif more:
        head = sheet.say("special_left", count=more)
    else:
        head = sheet.say("special_none")
    lines = flowed(head, width, INDENT)
    if more:
        left = [piece for piece in pieces.SPECIALS if state.special_number(piece) not in used]
        # At turn 0: `1:new-s`.
        ways = (
            f"{state.special_number(each)}:{pieces.letters_of(each, pieces.TURNS[0])} "
            for each in left
        )
        lines += packed([" " * INDENT, *ways], width, INDENT)
    return lines


def _where(stroke: state.Stroke) -> str:
    return f"{stroke.square} {pieces.letters_of(stroke.piece, stroke.turn)}"


def _seats(sheet: ViewReader) -> Iterator[str]:
    """A line for each seat: is it done, its points as far as these eyes see them."""
    beside_name = _COUNT_WIDTH * (len(state.PARTS) + 1) + _SPECIALS_WIDTH
    doing_width = _STATE_WIDTH if sheet.page.width >= _ROOMY else 0
    width = max(_NAME_LEAST, min(_NAME_MOST, sheet.page.width - beside_name - doing_width))

    def row(name: str, doing: str, counts: Iterable[object], mark: str, specials: str) -> str:
        cells = "".join(right(str(count), _COUNT_WIDTH) for count in counts)
        return f"{fit(name, width - 1)} {fit(doing, doing_width)}{cells}{mark} {specials}"

    heads = (sheet.say(f"column_{part}") for part in (*state.PARTS, "total"))
    special = sheet.say("column_special")
    yield row(sheet.say("column_seat"), sheet.say("column_state"), heads, " ", special)
    for seat, part in sheet.view.seats.items():
        points = sheet.points(seat)
        mark = "*" if sheet.strokes(seat) else " "
        doing = "" if sheet.view.over else sheet.say("is_done" if part.done else "draws")
        specials = " ".join(map(str, sheet.specials(seat))) or "-"
        name = f"{seat} {sheet.page.seat(seat)}"
        yield row(name, doing, (*points.signed, points.total), mark, specials)


def _legend(sheet: ViewReader) -> list[str]:
    signs = sheet.signs
    return sheet.phrase_lines(
        "legend",
        road="".join(
            signs.towards(side, pieces.Line.ROAD) for side in (pieces.Side.E, pieces.Side.S)
        ),
        railway="".join(
            signs.towards(side, pieces.Line.RAILWAY) for side in (pieces.Side.E, pieces.Side.S)
        ),
        station=signs.station,
        overpass=signs.overpass[1],
        open=signs.open_end,
        centre=signs.centre,
    )


class BoardText(ViewReader):
    """The texts about one view."""

    areas = AREAS
    explained = EXPLAINED

    board = table
    linear_board = reading
    status = status_lines
    summary_blocks = glance

    def look(self, area: str) -> str:
        """Round numbers, all pieces, the boards of all seats, or the board of one seat closely."""
        match area:
            case "rounds":
                return "\n".join(maps(self, self.viewer_seats or self.seats, rounds=True))
            case "pieces":
                return "\n".join(all_pieces(self))
            case "all":
                return "\n".join(maps(self, self.seats))
            case _:
                return self._close(Seat(int(area.removeprefix("seat"))))

    def answer(self, query: str, arguments: Mapping[str, Any]) -> str:  # Any: values of slots
        """`/show SEAT`: a board closely, by default the reader's; `/fit C4`: what goes there."""
        if query == "show":
            return self._close(arguments.get("seat", (self.viewer_seats or self.seats)[0]))
        if query != "fit":
            return super().answer(query, arguments)
        if not self.viewer_seats:
            raise NotAllowed("no_board", rule="8.3")
        seat = self.viewer_seats[0]
        if seat not in self.game.to_move(self.view):
            raise self.game.out_of_turn(self.view, seat)
        paper = paper_of(self.view.seats[seat], self.view.dice)
        return "\n".join(fitting(self, paper, arguments["square"]))

    def points_now(self) -> Mapping[Seat, int]:
        return {seat: self.points(seat).total for seat in self.seats}

    def chapter_figures(self) -> Mapping[str, tuple[str, ...]]:
        """Dice and special routes that are left, points and open ends: the reader's, or all."""
        if self.view.over:
            return {}
        seats = self.viewer_seats or self.seats
        parts = ((seat, self.view.seats[seat]) for seat in self.viewer_seats)
        left = {seat: len(paper_of(p, self.view.dice).faces) for seat, p in parts if not p.done}
        points = {seat: self.points(seat) for seat in seats}
        return {
            "6": self.by_seat(left),
            "7": self.by_seat(
                {seat: state.SPECIALS_IN_GAME - len(self.specials(seat)) for seat in seats}
            ),
            "9": self.by_seat({seat: f"{p.total} ({p.open_ends})" for seat, p in points.items()}),
        }

    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return expand(self.view, seat, verb, text)

    show_moves = format_moves

    def _close(self, seat: Seat) -> str:
        if seat not in self.view.seats:
            raise NotAllowed("nobody_there", rule="4.1", given=seat, count=len(self.seats))
        return "\n".join(close(self, seat))
