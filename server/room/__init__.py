"""A room as a pure reducer: entries in, the next room and events out; no clock, no I/O.

`state`    what a room is; `events` what can happen in it; start there
`reducer`  the fold, which is also the judge of every line
`playing`, `seating`, `standins`, `votes`, `hosting`, `clocks`, `options`   what the entries do
`snapshot` a room as bytes and back
It imports `rules.core` and the journal's entry, nothing else of the server.
"""
