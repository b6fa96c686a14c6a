"""Railroad Ink, implemented independently from the rule text.

What the text leaves open, and what is read here:

| paragraph | reading |
|---|---|
| 4.2 | a face that two dice show is drawn twice; its lines are the same for both dice |
| 5.8 | of this round's pieces those stay that some order of drawing would allow; the rest goes |
| 6.1 | a round may be ended with faces undrawn that have no place, whatever a special would make |
| 8.3 | the boards as finished rounds have left them are what all players can count |
| 9.2 | the longest stroke is the best of all strokes, tried one after the other |
| 9.5 | shared places leave out as many: 1, 1, 3 |
| 12.3 | no special route is left where none has a legal drawing, and only four drawn faces count |
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple

from tests.oracle.differential import Reports

COLUMNS: Final = "ABCDEFG"
ROWS: Final = "1234567"
SIDES: Final = "NESW"
ROAD: Final = "H"
RAILWAY: Final = "R"
BLANK: Final = "."

EXITS: Final = {
    ("B1", "N"): ROAD,
    ("D1", "N"): RAILWAY,
    ("F1", "N"): ROAD,
    ("G2", "E"): RAILWAY,
    ("G4", "E"): ROAD,
    ("G6", "E"): RAILWAY,
    ("B7", "S"): ROAD,
    ("D7", "S"): RAILWAY,
    ("F7", "S"): ROAD,
    ("A2", "W"): RAILWAY,
    ("A4", "W"): ROAD,
    ("A6", "W"): RAILWAY,
}
"""Rule: railroad_ink 1.2."""

CENTRE: Final = {column + row for column in "CDE" for row in "345"}
"""Rule: railroad_ink 1.3."""

FACES: Final = {
    "rail_curve": "RR..",
    "rail_t": "RR.R",
    "rail_straight": "R.R.",
    "road_curve": "HH..",
    "road_t": "HH.H",
    "road_straight": "H.H.",
    "overpass": "HRHR",
    "station_straight": "H.R.",
    "station_curve": "HR..",
}
"""The arms at rotation 0, north east south west (Rule: railroad_ink 2)."""

ROUTES: Final = {"1": "HHRH", "2": "RRHR", "3": "HHHH", "4": "RRRR", "5": "HHRR", "6": "HRHR"}
"""The special routes by number (Rule: railroad_ink 2)."""

WORTH: Final = (0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45)
"""What a network of so many exits brings (Rule: railroad_ink 9)."""

ROUNDS: Final = 7
MOST_ROUTES: Final = 3


class Drawn(NamedTuple):
    """A piece in its square."""

    name: str
    """A face's name, or a special route's number."""
    arms: str
    """North east south west."""


Board = dict[str, Drawn]


class Sheet:
    """One player's board, and their drawings of this round."""

    def __init__(self) -> None:
        self.earlier: Board = {}
        self.now: Board = {}
        self.is_done = False
        self.points = 0
        self.open_ends = 0

    def board(self) -> Board:
        return {**self.earlier, **self.now}


class RailroadInk:
    """The game (Rule: railroad_ink 4)."""

    luck: ClassVar[Collection[str]] = {"round_began"}

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        self._is_auto: bool = options["auto_done"]
        self._lap_once: bool = options.get("lap_once", False)
        self._sheets = {seat: Sheet() for seat in range(1, seats + 1)}
        self._rounds_over = 0
        self._dice: list[str] = []
        self._lines: dict[int, set[str]] = {}
        self._roll(reports)

    def movers(self) -> AbstractSet[int]:
        if self._rounds_over == ROUNDS:
            return set()
        return {seat for seat, sheet in self._sheets.items() if not sheet.is_done}

    def legal(self, seat: int) -> AbstractSet[str]:
        if seat not in self._lines:
            self._lines[seat] = self._all_lines(self._sheets[seat])
        return self._lines[seat]

    def play(self, seat: int, line: str, reports: Sequence[Reports]) -> None:
        sheet = self._sheets[seat]
        self._lines.pop(seat, None)
        match line.removeprefix("/").split():
            case ["draw", face, square, turn]:
                sheet.now[square] = Drawn(face, turned(FACES[face], turn))
            case ["special", route, square, turn]:
                sheet.now[square] = Drawn(route, turned(ROUTES[route], turn))
            case ["erase", square]:
                del sheet.now[square]
                sheet.now = still_joined(sheet.earlier, sheet.now)
            case ["done"]:
                sheet.is_done = True
            case _:
                raise ValueError(line)
        if self._is_auto and not self._left(sheet) and not any(special_lines(sheet)):
            sheet.is_done = True
        if all(each.is_done for each in self._sheets.values()):
            self._end_round(reports)

    def points(self) -> Mapping[int, int]:
        return {seat: sheet.points for seat, sheet in self._sheets.items()}

    def ranks(self) -> Mapping[int, int]:
        """Most points, then fewest open ends (Rule: railroad_ink 9.5)."""
        ranked = {seat: (-each.points, each.open_ends) for seat, each in self._sheets.items()}
        return {
            seat: 1 + sum(other < value for other in ranked.values())
            for seat, value in ranked.items()
        }

    def _roll(self, reports: Sequence[Reports]) -> None:
        """The next four faces, the same for all players (Rule: railroad_ink 3.2)."""
        (rolled,) = reports
        self._dice = list(rolled["dice"])
        self._lines.clear()

    def _end_round(self, reports: Sequence[Reports]) -> None:
        """Boards are opened, and dice rolled unless it was the seventh (Rule: railroad_ink 4.4)."""
        for sheet in self._sheets.values():
            sheet.earlier, sheet.now = sheet.board(), {}
            sheet.points = total(sheet.earlier, lap_once=self._lap_once)
            sheet.open_ends = open_ends(sheet.earlier)
            sheet.is_done = False
        self._rounds_over += 1
        if self._rounds_over < ROUNDS:
            self._roll(reports)

    def _left(self, sheet: Sheet) -> list[str]:
        """The faces not drawn yet, one for each die (Rule: railroad_ink 4.2)."""
        left = list(self._dice)
        for drawn in sheet.now.values():
            if drawn.name in FACES:
                left.remove(drawn.name)
        return left

    def _all_lines(self, sheet: Sheet) -> set[str]:
        """Faces, special routes, take-backs, and the round's end (Rule: railroad_ink 4.3, 6.1)."""
        free = free_squares(sheet.board())
        lines = {
            f"/draw {face} {position}"
            for face in set(self._left(sheet))
            for position in spots_for(FACES[face], free)
        }
        ending = set() if lines else {"/done"}
        lines.update(special_lines(sheet))
        lines.update(f"/erase {square}" for square in sheet.now)
        return lines | ending


def special_lines(sheet: Sheet) -> Iterator[str]:
    """One in a round, three in a game, none twice (Rule: railroad_ink 7.1, 7.2)."""
    if any(drawn.name in ROUTES for drawn in sheet.now.values()):
        return
    used = [drawn.name for drawn in sheet.earlier.values() if drawn.name in ROUTES]
    if len(used) == MOST_ROUTES:
        return
    free = free_squares(sheet.board())
    for route, arms in ROUTES.items():
        if route not in used:
            yield from (f"/special {route} {position}" for position in spots_for(arms, free))


def turned(arms: str, turn: str) -> str:
    """The arms mirrored (east for west), then turned clockwise (Rule: railroad_ink 2)."""
    north, east, south, west = tuple(arms)
    if turn.endswith("m"):
        east, west = west, east
    for _ in range(int(turn[0])):
        north, east, south, west = west, north, east, south
    return north + east + south + west


@cache
def drawings(arms: str) -> dict[str, str]:
    """All different drawings of a piece by the smallest turn that gives them (2.2)."""
    results: dict[str, str] = {}
    for turn in ("0", "1", "2", "3", "0m", "1m", "2m", "3m"):
        made = turned(arms, turn)
        if made not in results.values():
            results[turn] = made
    return results


def beyond(square: str, side: str) -> str | None:
    """The square on the other side; None beyond the border."""
    column = COLUMNS.index(square[0]) + {"E": 1, "W": -1}.get(side, 0)
    row = ROWS.index(square[1]) + {"S": 1, "N": -1}.get(side, 0)
    if 0 <= column < len(COLUMNS) and 0 <= row < len(ROWS):
        return COLUMNS[column] + ROWS[row]
    return None


AROUND: Final = {
    column + row: {side: beyond(column + row, side) for side in SIDES}
    for column in COLUMNS
    for row in ROWS
}
OPPOSITE: Final = {"N": "S", "E": "W", "S": "N", "W": "E"}


def arm_of(drawn: Drawn, side: str) -> str:
    return drawn.arms[SIDES.index(side)]


def met_at(square: str, side: str, board: Board) -> str:
    """The kind of the exit or of the neighbour's arm at a side; BLANK if there is neither."""
    neighbour = AROUND[square][side]
    if neighbour is None:
        return EXITS.get((square, side), BLANK)
    if neighbour not in board:
        return BLANK
    return arm_of(board[neighbour], OPPOSITE[side])


def free_squares(board: Board) -> dict[str, tuple[str, ...]]:
    """The squares where nothing is drawn, with what faces them (Rule: railroad_ink 5.1)."""
    return {
        square: tuple(met_at(square, side, board) for side in SIDES)
        for square in AROUND
        if square not in board
    }


def spots_for(arms: str, free: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Every square and turn in which a piece may be drawn (Rule: railroad_ink 5)."""
    for square, met in free.items():
        yield from (f"{square} {turn}" for turn in turns_for(arms, met))


@cache
def turns_for(arms: str, met: tuple[str, ...]) -> list[str]:
    """The turns in which a piece fits to what faces its square."""
    return [turn for turn, made in drawings(arms).items() if may_meet(made, met)]


def may_meet(arms: str, met: Sequence[str]) -> bool:
    """One arm is joined, and none meets the other kind (Rule: railroad_ink 5.2, 5.3)."""
    pairs = [
        {arm, other} for arm, other in zip(arms, met, strict=True) if BLANK not in (arm, other)
    ]
    return bool(pairs) and all(len(kinds) == 1 for kinds in pairs)


def still_joined(earlier: Board, now: Board) -> Board:
    """What stays of this round's pieces once one is gone (Rule: railroad_ink 5.7, 5.8)."""
    stored: Board = {}
    while True:
        board = {**earlier, **stored}
        results = [
            square
            for square, drawn in now.items()
            if square not in stored
            and any(
                arm_of(drawn, side) != BLANK and met_at(square, side, board) == arm_of(drawn, side)
                for side in SIDES
            )
        ]
        if not results:
            return stored
        stored[results[0]] = now[results[0]]


def total(board: Board, *, lap_once: bool) -> int:
    """What a board is worth (Rule: railroad_ink 9)."""
    return (
        exit_points(board)
        + longest(board, ROAD, lap_once=lap_once)
        + longest(board, RAILWAY, lap_once=lap_once)
        + len(CENTRE & set(board))
        - open_ends(board)
    )


def open_ends(board: Board) -> int:
    """Arms that meet neither an arm of their kind nor the border (Rule: railroad_ink 9.1)."""
    return sum(
        AROUND[square][side] is not None and met_at(square, side, board) != arm_of(drawn, side)
        for square, drawn in board.items()
        for side in SIDES
        if arm_of(drawn, side) != BLANK
    )


def lines_of(drawn: Drawn) -> list[str]:
    """The sides that hang together within a square (Rule: railroad_ink 2.1, 9.0)."""
    if drawn.name == "overpass":
        return [
            "".join(side for side in SIDES if arm_of(drawn, side) == kind)
            for kind in (ROAD, RAILWAY)
        ]
    return ["".join(side for side in SIDES if arm_of(drawn, side) != BLANK)]


def exit_points(board: Board) -> int:
    """Each network by the exits that it joins, added up (Rule: railroad_ink 9, 9.0)."""
    lines = {(square, sides) for square, drawn in board.items() for sides in lines_of(drawn)}
    points = 0
    while lines:
        network = [lines.pop()]
        for square, sides in network:
            for side in sides:
                neighbour = AROUND[square][side]
                joined = {
                    (there, rest)
                    for there, rest in lines
                    if there == neighbour and OPPOSITE[side] in rest
                }
                lines -= joined
                network.extend(joined)
        ends = [(square, side) for square, sides in network for side in sides]
        points += WORTH[sum(end in EXITS for end in ends)]
    return points


def longest(board: Board, kind: str, *, lap_once: bool = False) -> int:
    """The most middles that one stroke passes (Rule: railroad_ink 9.2).

    With `lap_once` the pen is set down on a middle, not on the end of an arm (Rule: 12.6).
    A piece of line goes from a middle, named by its square, to a side, named by the two squares
    that share it (or by square and side at the border).
    """
    pieces: dict[str, list[str]] = {}
    for square, drawn in board.items():
        for side in SIDES:
            if arm_of(drawn, side) == kind:
                neighbour = AROUND[square][side]
                shared = (
                    f"{square}{side}"
                    if neighbour is None
                    else min(f"{square}-{neighbour}", f"{neighbour}-{square}")
                )
                pieces.setdefault(square, []).append(shared)
                pieces.setdefault(shared, []).append(square)
    starts = [point for point in pieces if point in AROUND or not lap_once]
    return max((best_from(point, pieces) for point in starts), default=0)


def best_from(start: str, pieces: Mapping[str, Sequence[str]]) -> int:
    """The most middles of all strokes from a point; a circuit's first middle counts once."""
    best = 0

    def draw_on(at: str, passed: int, used: frozenset[tuple[str, str]]) -> None:
        nonlocal best
        is_circuit = bool(used) and at == start and at in AROUND
        best = max(best, passed - is_circuit)
        for end in pieces[at]:
            piece = (at, end) if at in AROUND else (end, at)
            if piece not in used:
                draw_on(end, passed + (end in AROUND), used | {piece})

    draw_on(start, int(start in AROUND), frozenset())
    return best
