"""Manhattan by Andreas Seyfarth: towers in six cities, four cards in hand.

`state`, `moves`, `events`   what there is, what can be done, what happened
`turns`      set-up, the course of the rounds; `choosing`, `building`, `cards`, `scoring` its parts
`commands`, `board`          the lines that people type, the table as text
`views`, `invariants`         a view read back, what always holds
`bot`, `thinking`, `worth`    what a simple player judges by, what a search asks
`imagining`, `lists`         quick playouts for it
"""

from bluebear.rules.manhattan.game import Manhattan

GAME = Manhattan()

__all__ = ["GAME", "Manhattan"]
