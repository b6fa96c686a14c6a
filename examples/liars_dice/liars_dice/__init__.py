"""Liar's Dice: everybody rolls in secret, and bids on the dice of all.

`table` has the state and the moves, `events` what happens, `game` the rules, `bot` a player.
"""

from liars_dice.game import LiarsDice

GAME = LiarsDice()
