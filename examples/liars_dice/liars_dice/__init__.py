"""Liar's Dice: all players roll in secret, and bid on the dice of all.

`table` has the state and the moves, `events` the events, `game` the rules, `bot` a house bot.
"""

from liars_dice.game import LiarsDice

GAME = LiarsDice()
