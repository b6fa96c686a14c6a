"""Search: how a bot thinks ahead, in all games alike.

`thought.think` is the whole of it: a view goes in, a move comes out. `halving` shares a budget
among candidates, `playouts` plays one out by the rules, `chances` says what its end is worth,
`dice` keeps draws common. What a game knows about thinking is its `thinker`
(`bluebear.rules.core.search_model`). `arena` lets players meet: `make arena GAME=manhattan
BOTS=search@0.1,greedy GAMES=10`.
"""

from bluebear.clients.bots.search.budget import Budget, Playouts, Seconds
from bluebear.clients.bots.search.decide import EvaluatedMove, SearchResult, think

__all__ = ["Budget", "EvaluatedMove", "Playouts", "SearchResult", "Seconds", "think"]
