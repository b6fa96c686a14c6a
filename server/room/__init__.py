"""A room as a pure reducer: entries in, the next room and events out; no clock, no I/O.

`state`    what a room is; `events` what can happen in it; start there
`reducer`  the fold, which is also the judge of every line
`game_setup`, `game_flow`, `votes`, `hosting`, `spectators`, `stand_ins`, `system_acts`   the acts
`options`, `rated_games`   what they rest on
`fold_context`   the working copy of the fold, what an entry changed, and how an act is declared
`creation`  how a room begins
`snapshot`  a room as bytes and back, and why its game may not go on
It imports `bluebear.rules.core` and the journal's entry, nothing else of the server.
"""
