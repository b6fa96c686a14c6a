"""The core that all games stand on: pure, standard library only.

`game`     the contract of a game; its docstring is the manual for game authors: start there
`vision`   visibility markers, the `state` decorator, `but`; Seat, Eyes, Move, Event
`keyed`    Keyed, the frozen sorted mapping
`tree`     dump, load, digest, views and merge patches for any state
`kept`     answers about parts of states, found again by the very part
`chance`   verifiable, fast and scripted draws
`telling`  events as data and as sentences
`layout`   text in columns and in lines, in both languages
`grammar`, `slots`, `phrases`, `refusal`   lines, their arguments, sentences, the three refusals
`loading`  finding games; what is wrong with one, in one line
`record`   a game as text; `conformance` the kit that every game must pass
"""
