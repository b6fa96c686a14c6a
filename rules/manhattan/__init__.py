"""Manhattan by Andreas Seyfarth: towers in six cities, four cards in hand.

`state`, `moves`, `events`   what there is, what can be done, what happened
`turns`      set-up, the course of the rounds; `choosing`, `building`, `cards`, `scoring` its parts
`commands`, `board`          the lines that people type, the table as text
`views`, `bot`, `invariants` a view read back, a simple player, what always holds
"""

from rules.manhattan.game import Manhattan

GAME = Manhattan()

__all__ = ["GAME", "Manhattan"]
