"""Bots: programs that play through the SDK like any other client.

`strategies` choose a line, `Player` sends it, `HouseBots` plays the seats that the server assigns;
`__main__.py` is the program. Imports the SDK, the protocol, `bluebear.rules.core`, and games
through `rules.games()`. To write a bot, start with docs/bots.md.
"""

from bluebear.clients.bots.house_bots import HouseBots
from bluebear.clients.bots.player import Player
from bluebear.clients.bots.strategies import CheckedBot, UnknownStrategyError, strategy

__all__ = ["CheckedBot", "HouseBots", "Player", "UnknownStrategyError", "strategy"]
