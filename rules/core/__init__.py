"""The core that all games stand on: pure, the standard library and msgspec only.

`game`     the contract of a game; its docstring is the manual for game authors: start there
`vision`   nodes and their visibility markers: Node, Row, Move, Event; `but`, `held`
`draft`    what a move writes to; `now` freezes it
`keyed`    Keyed, the frozen sorted mapping
`tree`     dump, load, digest, views and merge patches for any state; `plans`, `nodes` its parts
`info`     what `game.toml` says: seats, bounds, options
`kept`     answers about parts of states, found again by the very part
`chance`   verifiable, fast and scripted draws
`telling`  events as data and as sentences
`layout`   text in columns and in lines, in both languages
`grammar`, `slots`, `phrases`, `refusal`   lines, their arguments, sentences, the three refusals
`loading`  finding games; what is wrong with one, in one line
`record`   a game as text; `conformance` the kit that every game must pass
"""
