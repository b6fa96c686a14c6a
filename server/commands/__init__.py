"""Hop 3: from a typed line to an act. Pure: a scene and a text in, an act or a refusal out.

`command`   what a command is, who may use which when; all commands, which are in `features`
`native`    what is said of them, and how they are typed in a reader's language
`scene`     what a line is judged in; `acts` what it may amount to
`resolve`   the way from text to act; `arguments` takes a line apart and reads its arguments
`answers`   texts about a room that several commands show
`catalogue` what may be said now, for buttons, completion and bots
`docs`      writes docs/commands.md from all this
"""
