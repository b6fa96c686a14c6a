"""What has to hold between the parts of the map: forms of lines, skipped stops, ways to all points.

Each check raises DataError with the line of the map file.
"""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.tokai.atlas import Line, Point, PointId
from bluebear.rules.tokai.source import Source


def check_form(source: Source, line: Line, mark: str) -> None:
    """A loop is one closed path; any other line branches, but never closes a circle."""
    source.demand(bool(line.paths), f"line {line.id} has no path", mark)
    seen: dict[PointId, None] = {}
    for number, path in enumerate(line.paths):
        body = path[:-1] if line.loop else path
        twice = next((point for point in body if body.count(point) > 1), None)
        if twice is not None:
            source.wrong(f"line {line.id}: {twice} stands twice in a path", mark, f'"{twice}"')
        if line.loop:
            closed = len(line.paths) == 1 and path[0] == path[-1]
            source.demand(closed, f"line {line.id}: a loop is one closed path", mark, "paths = ")
        elif number:
            joined = sum(point in seen for point in path) == 1
            source.demand(
                joined,
                f"line {line.id}: a branch meets the paths before it at one point",
                mark,
                f'"{path[0]}"',
            )
        seen.update(dict.fromkeys(path))


def check_different(source: Source, ids: Sequence[str], what: str) -> None:
    for at, each in enumerate(ids):
        if each in ids[:at]:
            first = f'"{each}"'
            source.wrong(f"{what} {each} stands twice", first)


def check_skips(source: Source, points: Sequence[Point], lines: Sequence[Line]) -> None:
    """Rule: tokai 7.2.2.2: nobody with an express ticket ever needs to stand on a skipped stop."""
    by_id = {line.id: line for line in lines}
    for point in points:
        if not point.skip:
            continue
        paths = [path for path in by_id[point.lines[0]].paths if point.id in path]
        plain = (
            len(point.lines) == 1
            and point.region is None
            and len(paths) == 1
            and point.id not in (paths[0][0], paths[0][-1])
        )
        source.demand(
            plain,
            f"{point.id}: a skipped stop is no interchange, no end of a path and no destination",
            "[points]",
            f"{point.id} = ",
        )


def check_connected(source: Source, points: Sequence[Point], lines: Sequence[Line]) -> None:
    on = {line.id: line.points for line in lines}
    reached = {points[0].id: None} if points else {}
    by_id = {point.id: point for point in points}
    waiting = list(reached)
    while waiting:
        for line in by_id[waiting.pop()].lines:
            fresh = [point for point in on[line] if point not in reached]
            reached.update(dict.fromkeys(fresh))
            waiting.extend(fresh)
    for point in points:
        source.demand(
            point.id in reached,
            f"no way leads to {point.id}",
            "[points]",
            f"{point.id} = ",
        )
