"""The BlueBear server: one process that keeps rooms, people and their games.

`ops`       processes, nodes, health, figures
`requests`  lines and queries of connections; `handshake`: the people behind them
`features`  one module for each feature: its commands, messages, rows and hooks
`lookups`   what lines need beyond their room
`cluster`   who is here, at all nodes; messages between nodes
`rooms`     the rooms in memory: lines, members, updates, clocks, house bots
`net`       sockets, sessions, limits
`commands`  from typed text to an act; pure
`room`      what a room is, folded from its entries; pure
`people`    names, tokens, passwords
`store`     entries that are stored for ever, and the rows that find them

Each imports those below, never the other way round. Time, chance and the disk are
reached through `clock`, fresh bits and the store, so that all of it also runs in virtual time.

May import the standard library, `bluebear.rules.core`, `protocol` and games through
`rules.games()`; nothing of `clients`. Start reading at `app.py`, the only place where all parts
meet, or at `rooms/room_actor.py`, what happens to a line.
"""
