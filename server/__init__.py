"""The BlueBear server: one process that keeps rooms, people and their games.

`edge`      towards the clients: sockets, hellos, rates, budgets, the lobby
`rooms`     the rooms in memory: lines, members, updates, clocks, house bots
`lookups`   what lines need beyond their room, fetched before they are judged
`commands`  from typed text to an act; pure
`room`      what a room is, folded from its entries; pure
`people`    names, tokens, passwords
`journal`   what is kept for ever, and the rows by which it is found

Whoever stands above knows those below, never the other way round. Time, chance and the disk are
reached through `clock`, fresh bits and the journal, so that all of it also runs in virtual time.

May import the standard library, `bluebear.rules.core`, `protocol` and games through
`rules.games()`; nothing of `clients`. Start reading at `app.py`, the only place where all parts
meet, or at `rooms/room_actor.py`, what happens to a line.
"""
