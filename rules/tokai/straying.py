"""Why a leg may not be ridden: what is wrong with it, and what would be right."""

from __future__ import annotations

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.tokai.atlas import LineId
from bluebear.rules.tokai.moves import Go
from bluebear.rules.tokai.network import (
    BIT,
    LINE_AT,
    LINES,
    LINES_AT,
    POINT_AT,
    POINTS,
    POINTS_ON,
    SKIPPED,
    Way,
    ways,
)
from bluebear.rules.tokai.riding import Stand, legs, reached, rides, said, stand, turn_of
from bluebear.rules.tokai.state import Table
from bluebear.rules.tokai.words import JOURNEY


def why_not(table: Table, move: Go) -> NotAllowed | None:
    """What forbids a leg of the active seat; None if it is legal."""
    return None if move in legs(table) else _wrong_with(table, move)


def _wrong_with(table: Table, move: Go) -> NotAllowed:
    """What is wrong with a leg that is not legal."""
    standing = stand(table)
    line, to = LINE_AT[move.line], POINT_AT[move.point]
    here = POINTS[standing.at].id
    if not POINTS_ON[line] & BIT[standing.at]:
        return NotAllowed(
            "not_on_line", rule="7.2.1", line=move.line, here=here, lines=lines_here(standing)
        )
    if not POINTS_ON[line] & BIT[to]:
        return NotAllowed("not_served", rule="7.2.1", line=move.line, point=move.point)
    if to == standing.at:
        return NotAllowed("stands_there", rule="7.2.3", point=move.point)
    found = ways(line, standing.at, to)
    if LINES[line].loop:
        found = tuple(way for way in found if way.turn is not None and way.turn == turn_of(move))
        if not found or (move.cw and move.ccw):
            return NotAllowed("which_way", rule="16.2", line=move.line)
    elif move.cw or move.ccw:
        return NotAllowed("no_loop", rule="16.2", line=move.line)
    return _bad_way(table, standing, move, found[0])


def lines_here(standing: Stand) -> tuple[LineId, ...]:
    """The lines that may be ridden from where a seat stands."""
    return tuple(LINES[line].id for line in LINES_AT[standing.at])


def _bad_way(table: Table, standing: Stand, move: Go, way: Way) -> NotAllowed:
    """What is wrong with a way that the line does go."""
    mover = table.mover
    express = mover.express
    if express and BIT[way.points[-1]] & SKIPPED:
        return NotAllowed("passed_by", rule="7.2.2.1", point=move.point)
    for at in way.points:
        if BIT[at] & standing.visited:
            return NotAllowed("visited", rule="7.2.3", point=POINTS[at].id)
        if POINTS[at].id == mover.destination and at != way.points[-1]:
            return NotAllowed("beyond", rule="7.2.4", point=POINTS[at].id)
    steps, left = way.steps(express=express), standing.left
    if steps > left:
        nearer = reached(table, LINE_AT[move.line], way)
        return NotAllowed(
            "too_far",
            rule="7.2.4",
            candidates=[said(nearer)] if nearer in legs(table) else [],
            slot=JOURNEY,
            point=move.point,
            steps=steps,
            left=left,
        )
    goal = POINT_AT[mover.trail[-1] if mover.destination is None else mover.destination]
    if table.strict and move in rides(standing, goal, express=express):
        return NotAllowed("would_strand", rule="17.2", point=move.point)
    return NotAllowed("no_way_on", rule="7.2.4", point=move.point, left=left - steps)
