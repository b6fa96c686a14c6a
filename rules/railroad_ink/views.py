"""Reading a view back: drafts that it shows, and a whole table that it could belong to."""

from __future__ import annotations

from rules.core.chance import Chance
from rules.core.keyed import Keyed
from rules.core.plans import Tree
from rules.core.vision import Eyes, Seat, but, held
from rules.railroad_ink.judging import stroke_of
from rules.railroad_ink.moves import Draw, Special
from rules.railroad_ink.paper import Paper, inked, moves_on, paper_of, strokes_in
from rules.railroad_ink.pieces import Piece, Turn
from rules.railroad_ink.rounds import runs_out
from rules.railroad_ink.scoring import points_of
from rules.railroad_ink.squares import Square
from rules.railroad_ink.state import (
    DICE,
    NOTHING_SEEN,
    Draft,
    Drawn,
    Part,
    Points,
    Stroke,
    Table,
)


def draft_in(row: tuple[list[list[str]], list[int]]) -> Draft:
    """A draft as a view shows it."""
    strokes, points = row
    return Draft(strokes_in(strokes), Points(*points))


def known_drafts(view: Tree, eyes: Eyes) -> dict[Seat, Draft]:
    """The drafts of this round that some eyes see: their own and those they have been shown."""
    found: dict[Seat, Draft] = {}
    for seat in sorted(eyes):
        part = view["seats"][str(seat)]
        found[seat] = draft_in(part["draft"])
        for other, row in part["seen"].items():
            found[Seat(int(other))] = draft_in(row)
    return found


def deal(view: Tree, eyes: Eyes, chance: Chance) -> Table:
    """A table that these eyes cannot tell from the real one: unseen drafts are drawn by chance."""
    table = _open_part(view)
    known = known_drafts(view, eyes)
    parts = {}
    done: dict[Seat, Draft] = {}
    for seat, part in table.seats.items():
        draft = known.get(seat)
        if draft is None:
            draft = held(part.draft) if table.over else _some_draft(table, seat, chance)
        parts[seat] = but(part, draft=draft)
        if part.done and not table.over:
            done[seat] = draft
    for seat in done:
        seen = Keyed({other: draft for other, draft in done.items() if other != seat})
        parts[seat] = but(parts[seat], seen=seen)
    return but(table, seats=Keyed(parts))


def _open_part(view: Tree) -> Table:
    """The table of a view with nothing drawn this round."""
    parts = {}
    for key, part in view["seats"].items():
        points = Points(*part["points"])
        board = {
            Square(square): Drawn(Piece(piece), Turn(turn), number)
            for square, (piece, turn, number) in part["board"].items()
        }
        parts[Seat(int(key))] = Part(
            board=Keyed(board),
            points=points,
            began=part["began"],
            done=part["done"],
            draft=Draft((), points),
            seen=NOTHING_SEEN,
        )
    return Table(
        rules=view["rules"],
        auto_done=view["auto_done"],
        round=view["round"],
        over=view["over"],
        dice=tuple(map(Piece, view["dice"])),
        seats=Keyed(parts),
    )


def _some_draft(table: Table, seat: Seat, chance: Chance) -> Draft:
    """Drawings that a seat may have made: none if it has not begun, enough if it is done."""
    paper = paper_of(table, seat)
    began, done = table.seats[seat].began, table.seats[seat].done
    left = 0
    if began:
        left = -1 if done else chance.pick(DICE + 2)
    while left:
        moves = moves_on(paper)
        drawn = [move for move in moves if isinstance(move, Draw | Special)]
        # Whoever may end the round does so at once or draws one more special route.
        if not drawn or (done and not isinstance(moves[0], Draw) and not chance.pick(2)):
            break
        longer = _with(paper, stroke_of(paper, drawn[chance.pick(len(drawn))]))
        if not done and table.auto_done and runs_out(longer):
            break
        paper = longer
        left -= 1
    return Draft(paper.strokes, points_of(paper.ink))


def _with(paper: Paper, stroke: Stroke) -> Paper:
    faces = list(paper.faces)
    if stroke.piece in faces:
        faces.remove(stroke.piece)
    strokes = (*paper.strokes, stroke)
    return paper._replace(strokes=strokes, ink=inked(paper.fixed, strokes), faces=tuple(faces))
