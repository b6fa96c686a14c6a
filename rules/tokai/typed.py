"""A journey as it is typed: stations, with the lines before them where somebody names them.

`東山線 千種 中央線 名古屋` are two stations with their lines, `chikusa nagoya` two without.

Rule: tokai 16.3, 16.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.core.suggest import NEAREST
from bluebear.rules.tokai.atlas import LineId, PointId
from bluebear.rules.tokai.commands import CLOCKWISE, COUNTER
from bluebear.rules.tokai.names import LINE_NAMES, POINT_NAMES
from bluebear.rules.tokai.network import BIT, LINE_AT, LINES, POINT_AT, POINTS, POINTS_ON, Turn

_FILLERS: Final = frozenset({"to", "via", "by", "then", "line", "station"})
"""`chuo line to tsurumai station`: words that people put between names; none is one itself."""
_LOOPS: Final = tuple(number for number, line in enumerate(LINES) if line.loop)


class Stop(NamedTuple):
    """A station of a journey; `line` and `turn` where they were typed, as for `ways`."""

    point: int
    line: int | None
    turn: Turn | None


def read_stops(tokens: Sequence[str], at: int) -> list[Stop]:
    """The stations of a journey from a point. Raises NotUnderstood, Ambiguous or NotAllowed."""
    made: list[Stop] = []
    line: int | None = None
    turn: Turn | None = None
    for number, token in enumerate(tokens):
        if token in _FILLERS:
            continue
        here = made[-1].point if made else at
        way = _turn(token)
        if way is not None:
            is_behind = line is None and bool(made)
            if (made[-1].turn if is_behind else turn) not in (None, way):
                raise NotAllowed("both_ways", rule="16.2")
            if is_behind:
                made[-1] = made[-1]._replace(turn=way)
            else:
                turn = way
        elif line is None and (found := _line(token, tokens[number + 1 :], here)) is not None:
            line = found
        else:
            made.append(Stop(_point(token, line), line, turn))
            line = turn = None
    if line is not None:
        raise NotUnderstood("missing_argument", verb="go", slot="point")
    return [_around(stop) for stop in made]


def _around(stop: Stop) -> Stop:
    """A stop that was typed with a direction and no line: the loop line is meant."""
    if stop.turn is None or stop.line is not None:
        return stop
    loop = next((line for line in _LOOPS if POINTS_ON[line] & BIT[stop.point]), None)
    if loop is None:
        raise NotAllowed("not_on_loop", rule="16.2", point=POINTS[stop.point].id)
    return stop._replace(line=loop)


def _turn(token: str) -> Turn | None:
    if CLOCKWISE.matches(token):
        return Turn.CLOCKWISE
    return Turn.COUNTER if COUNTER.matches(token) else None


def _line(token: str, after: Sequence[str], here: int) -> int | None:
    """The line that a word names, None if it is rather a station.

    Many lines are called after a station. The full name of a station is that station, unless a line
    has it too. Any other word that could be both is a line only where that makes sense: one stands
    on it, and a station of it follows.
    """
    found = LINE_NAMES.find(token)
    is_line = LINE_NAMES.exact(token) is not None
    if not found or (POINT_NAMES.exact(token) and not is_line):
        return None
    is_last = all(_turn(token) or token in _FILLERS for token in after)
    vague = is_last or not is_line
    could_be_point = POINT_NAMES.exact(token) or (vague and POINT_NAMES.find(token))
    fitting = [line for line in map(_index, found) if _makes_sense(line, after, here)]
    if len(fitting) == 1:
        return fitting[0]
    if could_be_point:
        return None
    if len(found) > 1:
        raise Ambiguous("ambiguous", slot="line", given=token, candidates=found[:NEAREST])
    return _index(found[0])


def _index(line: str) -> int:
    return LINE_AT[LineId(line)]


def _makes_sense(line: int, after: Sequence[str], here: int) -> bool:
    following = [token for token in after if _turn(token) is None and token not in _FILLERS][:1]
    if not following or not POINTS_ON[line] & BIT[here]:
        return False
    return any(POINTS_ON[line] & BIT[POINT_AT[PointId(p)]] for p in POINT_NAMES.find(following[0]))


def _point(token: str, line: int | None) -> int:
    """The station that a word names; of several, the only one on the line that was named."""
    found = [POINT_AT[PointId(point)] for point in POINT_NAMES.find(token)]
    if len(found) > 1 and line is not None:
        served = [point for point in found if POINTS_ON[line] & BIT[point]]
        found = served or found
    if len(found) == 1:
        return found[0]
    if found:
        names = POINT_NAMES.find(token)[:NEAREST]
        raise Ambiguous("ambiguous", slot="point", given=token, candidates=names)
    near = POINT_NAMES.near(token)
    if not near and line is not None:
        near = list(LINES[line].points[:NEAREST])
    raise NotUnderstood("bad_argument", slot="point", given=token, candidates=near)
