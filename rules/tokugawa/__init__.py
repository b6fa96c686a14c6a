"""Tokugawa by Victor Gilhaus and Tizian Blumenthal: samurai of Kyoto and of Yedo.

`terms`, `atlas`, `names`   the words, the tables made from `map.toml` and `pieces.toml`, the names
`state`, `moves`, `events`, `battle_events`   what there is, what can be done, what happened
`opening`, `turns`   set-up and the course of the turns; `placing`, `economy`, `marching`,
             `attacking`, `fighting`, `building`, `contracts`, `scoring` their parts
`ground`, `chips`, `tables`, `refusals`   who stands where, pieces, moves made once, shared refusals
`odds`       exact chances of an attack; `forecast` tells them
`commands`, `longer`, `board`, `details`, `listing`   the lines that people type, texts
`facts`, `bot`, `invariants`   what never changes, a simple player, what always holds
"""

from bluebear.rules.tokugawa.game import Tokugawa

GAME = Tokugawa()

__all__ = ["GAME", "Tokugawa"]
