"""Search: how a bot looks ahead, in all games alike.

`decide.think` is the entry point: from a view to a move. `halving` divides a budget among
candidates, `playouts` plays one to its end by the rules, `win_probability` values the end,
`common_dice` gives all candidates equal dice. A game's own knowledge is its `thinker`
(`bluebear.rules.core.search_model`). `arena` runs matches: `make arena GAME=manhattan
BOTS=search@0.1,greedy GAMES=10`.
"""

from bluebear.clients.bots.search.budget import Budget, Playouts, Seconds
from bluebear.clients.bots.search.decide import EvaluatedMove, SearchResult, think

__all__ = ["Budget", "EvaluatedMove", "Playouts", "SearchResult", "Seconds", "think"]
