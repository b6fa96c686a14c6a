"""Clients: they mirror views, send lines, and know no rule.

`sdk` keeps a connection and a mirror of every room, `terminal` is a chat in lines, `bots` play.
They import the protocol; only bots know rules (`bluebear.rules.core`, and games by
`rules.games()`). Start with `sdk/mirror.py`, or write a bot (docs/bots.md).
"""
