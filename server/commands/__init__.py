"""Hop 3: from a typed line to an act. Pure: a scene and a text in, an act or a refusal out.

`command`   what a command is; who may use which when
`going`, `looking`, `seating`, `playing`, `hosting`   commands; others: `features`
`table`     all of them; `helping` what is said of them
`scene`     what a line is judged in; `acts` what it may amount to; `writing` entries of the room
`resolve`   the way from text to act; `arguments` takes a line apart and reads its arguments
`answers`   what those commands say that only tell
`catalogue` what may be said now, for buttons, completion and bots; `candidates` of an argument
`docs`      writes docs/commands.md from all this
"""
