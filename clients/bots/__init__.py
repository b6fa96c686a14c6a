"""Bots: programs that play through the SDK as everybody else does.

`strategies` choose a line, `Player` says it, `HouseBots` plays whatever seats the server wants
played; `__main__.py` is the program. Imports the SDK, the protocol, `bluebear.rules.core`, and
games through `rules.games()`. To write your own, start with docs/bots.md.
"""

from bluebear.clients.bots.house_bots import HouseBots
from bluebear.clients.bots.player import Player
from bluebear.clients.bots.strategies import CheckedBot, UnknownStrategyError, strategy

__all__ = ["CheckedBot", "HouseBots", "Player", "UnknownStrategyError", "strategy"]
