"""Sevens: hidden hands, rows that grow from the sevens, and passes that hold cards back.

`table` has cards, state and moves, `events` the events, `texts` what people read, `game` the rules
and a house bot.
"""

from sevens.game import Sevens

GAME = Sevens()
