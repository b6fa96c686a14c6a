"""Railroad Ink by Hjalmar Hach and Lorenzo Silva: the same dice for all, everybody draws at once.

`squares`, `pieces`, `ink`    the board, what is drawn on it, and how it is computed with
`state`, `moves`, `events`    what there is, what can be done, what happened
`paper`, `judging`, `rounds`  what a seat may do, why it may not, how a game goes
`trails`, `strokes`, `scoring`  the longest routes, networks, points
`commands`, `sides`, `longform`, `listing`            the lines that people type, and what is legal
`board`, `closeup`, `picture`, `sheet`                the table as text
`views`, `bot`, `invariants`  a view read back, a simple player, what always holds
"""

from rules.railroad_ink.game import RailroadInk

GAME = RailroadInk()

__all__ = ["GAME", "RailroadInk"]
