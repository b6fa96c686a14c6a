"""The four routes as a picture: frames side by side, standing on their first rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.text_layout import fit, right
from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.data import CARDS, ROUTE
from bluebear.rules.itc.names import SHORT_PLACES, label_of
from bluebear.rules.itc.state import NEUTRAL, Load, Spaces, Under, space
from bluebear.rules.itc.terms import ROUTES, Route, TCard

SEAT_LETTERS: Final = "ABCDEF"

_CELL: Final = 5
"""An owner's letter, an index of three digits, a mark; or a neutral card and where it goes."""
_MARGIN: Final = 3
_GAP: Final = "  "
_MARKS: Final = {Under.NONE: "", Under.HIDDEN: "?", Under.SMUGGLING: "s", Under.EXPRESS: "x"}


class _Frame(NamedTuple):
    """The characters of a frame: the upper rule, a row, the lower rule, what rules are made of."""

    top: str
    row: str
    bottom: str
    rule: str


_LINES: Final = _Frame("┌┬┐", "│││", "└┴┘", "─")
_ASCII: Final = _Frame("+++", "|||", "+++", "-")


def letter(seat: Seat) -> str:
    """The letter of a seat."""
    return SEAT_LETTERS[seat - 1]


def cell(load: Load, known: Under) -> str:
    """A load in five columns: `A170?`, in small letters when it came in this turn; `n15EU`.

    `known` is what the eyes know to lie under it.
    """
    destination = CARDS[load.cards[0]].destination
    if load.owner == NEUTRAL and destination is not None:
        return f"{label_of(load.cards[0])}{SHORT_PLACES[destination]}"
    owner = letter(load.owner)
    mark = "+" if len(load.cards) > 1 else _MARKS[known]
    return f"{owner.lower() if load.fresh else owner}{load.cards[0]}{mark}"


def picture(
    routes: Keyed[Route, Spaces],
    known: Mapping[TCard, Under],
    titles: Mapping[Route, str],
    width: int,
    *,
    ascii_only: bool,
) -> Iterator[str]:
    """The lines of the picture, with as many routes side by side as the width allows.

    `known` says what the eyes see under loads, by the first card of the load.
    """
    frame = _ASCII if ascii_only else _LINES
    for band in _bands(width):
        height = max(ROUTE[route].rows for route in band)
        drawn = [
            _drawn(route, routes[route], known, titles[route], frame, height) for route in band
        ]
        margin = ["", "", *(str(row) for row in range(height, 0, -1)), ""]
        for number, parts in zip(margin, zip(*drawn, strict=True), strict=True):
            yield (right(number, _MARGIN - 1) + " " + _GAP.join(parts)).rstrip()


def _bands(width: int) -> Iterator[Sequence[Route]]:
    """The routes in groups that fit side by side."""
    band: list[Route] = []
    used = _MARGIN
    for route in ROUTES:
        more = _outer(route) + (len(_GAP) if band else 0)
        if band and used + more > width:
            yield band
            band, used, more = [], _MARGIN, _outer(route)
        band.append(route)
        used += more
    yield band


def _outer(route: Route) -> int:
    return ROUTE[route].columns * (_CELL + 1) + 1


def _drawn(
    route: Route,
    spaces: Spaces,
    known: Mapping[TCard, Under],
    title: str,
    frame: _Frame,
    height: int,
) -> list[str]:
    facts = ROUTE[route]
    above = [" " * _outer(route)] * (height - facts.rows)
    rule = [frame.rule * _CELL] * facts.columns
    rows = [
        _row(frame.row, [_cell_at(spaces, row, column, known) for column in _columns(route)])
        for row in range(facts.rows, 0, -1)
    ]
    return [
        *above,
        fit(title, _outer(route)),
        _row(frame.top, rule),
        *rows,
        _row(frame.bottom, rule),
    ]


def _columns(route: Route) -> range:
    return range(1, ROUTE[route].columns + 1)


def _cell_at(spaces: Spaces, row: int, column: int, known: Mapping[TCard, Under]) -> str:
    load = spaces.get(space(row, column))
    text = "" if load is None else cell(load, known.get(load.cards[0], load.under))
    return fit(text, _CELL)


def _row(bars: str, cells: Sequence[str]) -> str:
    return bars[0] + bars[1].join(cells) + bars[2]
