"""The core that all games stand on: pure, the standard library and msgspec only.

`game`            the contract of a game; its docstring is the manual for game authors: start there
`visibility`      nodes and their visibility markers: Node, Row, Move, Event; `but`, `require`
`draft`           the writable copy of a state in a move; `freeze` freezes it, `settle` ends it
`keyed`           Keyed, the frozen sorted mapping
`tree`            dump, load, digest, views and merge patches of a state, by `type_codecs`
`tables`          data files as typed values; a fault names its file and line
`game_info`       the contents of `game.toml`: seats, bounds, options
`identity_cache`  values derived from parts of states, cached by object identity
`chance`          verifiable and fast draws
`event_text`      events as data and as sentences
`text_layout`     text in columns and in lines, in both languages
`grammar`, `slots`, `phrases`, `refusal`   lines, their arguments, sentences, the three refusals
`record`          a game as text; `conformance` the kit that every game must pass
"""
