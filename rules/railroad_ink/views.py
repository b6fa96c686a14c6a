"""What a view shows of this round, and a whole table that it could belong to."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Eyes, Seat, but, require
from bluebear.rules.railroad_ink.moves import Draw, Special, piece_of
from bluebear.rules.railroad_ink.paper import begun, moves_on, runs_out, with_stroke
from bluebear.rules.railroad_ink.scoring import points_of
from bluebear.rules.railroad_ink.state import DICE, Draft, Stroke, Table, shown_to


def known_drafts(view: Table, eyes: Eyes) -> dict[Seat, Draft]:
    """The drafts of this round that some eyes see: their own and those they have been shown."""
    found: dict[Seat, Draft] = {}
    for seat in sorted(eyes):
        found[seat] = require(view.seats[seat].draft)
        found.update(require(view.seats[seat].seen).items())
    return found


def deal(view: Table, eyes: Eyes, chance: Chance) -> Table:
    """A table that these eyes cannot tell from the real one: unseen drafts are drawn by chance."""
    drafts = known_drafts(view, eyes)
    for seat in view.seats:
        if seat not in drafts:
            drafts[seat] = _some_draft(view, seat, chance)
    parts = {}
    for seat, part in view.seats.items():
        seen = Keyed({other: drafts[other] for other in shown_to(view, seat)})
        parts[seat] = but(part, draft=drafts[seat], seen=seen)
    return but(view, seats=Keyed(parts))


def _some_draft(view: Table, seat: Seat, chance: Chance) -> Draft:
    """Drawings that a seat may have made: none if it has not begun, enough if it is done."""
    part = view.seats[seat]
    if not part.began:
        return Draft((), part.points)
    paper = begun(part.board, view.dice)
    left = -1 if part.done else chance.pick(DICE + 2)
    while left:
        moves = moves_on(paper)
        drawn = [move for move in moves if isinstance(move, Draw | Special)]
        # Whoever may end the round does so at once or draws one more special route.
        if not drawn or (part.done and not isinstance(moves[0], Draw) and not chance.pick(2)):
            break
        move = drawn[chance.pick(len(drawn))]
        stroke = Stroke(require(move.square), piece_of(move), require(move.turn))
        longer = with_stroke(paper, stroke)
        if not part.done and view.auto_done and runs_out(longer):
            break
        paper = longer
        left -= 1
    return Draft(paper.strokes, points_of(paper.lines))
