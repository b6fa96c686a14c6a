"""A room as a pure reducer: entries in, the next room and events out; no clock, no I/O.

`state`    what a room is; `events` what can happen in it; start there
`reducer`  the fold, which is also the judge of every line
`act`      how an act is declared: its fields, its line, what it does
`seating`, `preparing`, `playing`, `asking`, `hosting`, `keeping`   the acts
`votes`, `standins`, `clocks`, `options`   what they rest on; `step` the working copy of the fold
`changes`  what an entry changed, for whoever shows it
`snapshot` a room as bytes and back
It imports `bluebear.rules.core` and the journal's entry, nothing else of the server.
"""
