"""Railroad Ink by Hjalmar Hach and Lorenzo Silva: the same dice for all, everybody draws at once.

`squares`, `pieces`, `ink`    the board, what is drawn on it, and how it is computed with
`state`, `moves`, `events`    what there is, what can be done, what happened
`lines`, `paper`              how what is drawn hangs together, and what may be drawn next
`judging`, `rounds`           why a move is not allowed, how a game goes
`trails`, `strokes`, `scoring`  the longest routes, points
`commands`, `sides`, `longform`, `listing`            the lines that people type, and what is legal
`board`, `closeup`, `picture`, `sheet`                the table as text
`views`, `invariants`         what a view shows and hides, what always holds
`bot`, `planning`, `thinking` what a simple player judges by, the plan of a round, a search
"""

from bluebear.rules.railroad_ink.game import RailroadInk

GAME = RailroadInk()

__all__ = ["GAME", "RailroadInk"]
