"""Clients: they mirror views and send lines, and contain no rules.

`sdk` is the client library, `terminal` a chat client for terminals, `bots` are players. They import
the protocol; only bots import rules (`bluebear.rules.core`, and games by `rules.games()`). Start
with `sdk/mirror.py`, or write a bot (docs/bots.md).
"""
