"""A room as a pure reducer: entries in, the next room and events out; no clock, no I/O.

`state`    what a room is; `events` what can happen in it; start there
`reducer`  the fold, which is also the judge of every line
`act`      how an act is declared: its fields, its line, what it does
`game_setup`, `game_flow`, `votes`, `hosting`, `spectators`, `stand_ins`, `system_acts`   the acts
`options`, `rated_games`   what they rest on
`fold_context`   the working copy of the fold, and what an entry changed
`creation`, `suspension`   how a room begins, and why its game may not go on
`snapshot` a room as bytes and back
It imports `bluebear.rules.core` and the journal's entry, nothing else of the server.
"""
