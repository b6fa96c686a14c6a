"""The BlueBear server: one process that keeps rooms, people and their games.

A line comes in through `transport`, is understood by `commands`, decided by the pure room
reducer, stored by `journal` and only then published to the members. Time, chance and the disk
are reached through `clock`, the shell's fresh bits and the journal, so that all of it also runs
in virtual time.

May import the standard library, `rules.core`, `protocol` and games through `rules.games()`;
nothing of `clients`. Start reading at `app.py`, the only place where all parts meet, or at
`room.py`, what happens to a line.
"""
