"""I.T.C., International Trade Company, by Valentin Herman: trade over four routes.

`terms`, `data`   goods, routes, places, cards; their tables, read from `board.toml`, `cards.toml`
"""

from bluebear.rules.itc.game import Itc

GAME = Itc()

__all__ = ["GAME", "Itc"]
