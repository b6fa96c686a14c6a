"""Tokai Danshaku by 中浜隆逸 (Nakahama): railways around Nagoya, bought with what journeys pay.

`data/`, `atlas`, `network`  the map as files, read and checked, and as tables for fast search
`names`, `words`             lines, stations, regions and money by whatever people call them
`state`, `moves`, `..._events` what there is, what can be done, what happened
`turns`, `course`            whose decision it is, and what follows by itself; its parts are
                             `setting_up`, `trips`, `riding` with `homeward` and `straying`,
                             `fares`, `market`, `paying`, `scoring`
`commands`, `journeys`       the lines that people type; journeys by their stations
`board`, `answers`, `listing`  the table, queries and legal moves as text
`dealing`, `standing_in`     a table that a view could belong to, moves for an absent seat
`invariants`                 what always holds
"""

from bluebear.rules.tokai.game import Tokai

GAME = Tokai()

__all__ = ["GAME", "Tokai"]
