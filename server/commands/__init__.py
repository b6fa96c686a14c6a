"""Hop 3: from a typed line to an act. Pure: a scene and a text in, an act or a refusal out.

`table`     every command, its names, arguments, and who may use it when: start there
`scene`     what a line is judged in; `acts` what it may amount to
`resolve`   the way from text to act; `words` reads heads and arguments
`handlers`  what each command does; `answers` those that only tell; `going` rooms and whispers
`catalogue` what may be said now, for buttons, completion and bots; `candidates` of an argument
`docs`      writes docs/commands.md from all this
"""
