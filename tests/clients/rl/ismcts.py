"""Information set Monte Carlo tree search with UCT, from its published pseudo-code.

Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search (2012), algorithm 1
(SO-ISMCTS). It knows a game by the methods of `State` alone, so it shows that they suffice and mean
what they do elsewhere. Nodes are found by what the player to act sees, as in OpenSpiel's bot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from bluebear.clients.bots.rl.state import State
from bluebear.rules.core.chance import Chance


@dataclass(slots=True)
class Child:
    """An action at a node: how often it could be chosen, how often it was, and what came of it."""

    available: int = 0
    visits: int = 0
    total: float = 0.0


@dataclass(slots=True)
class Node:
    """What one player sees, and the moves of that player."""

    children: dict[int, Child] = field(default_factory=dict)


def choose(state: State, chance: Chance, *, simulations: int, exploring: float = 0.7) -> int:
    """The action that was looked at most often."""
    player = state.current_player()
    nodes: dict[tuple[int, str], Node] = {}
    root = nodes.setdefault((player, state.information_state_string(player)), Node())
    for _ in range(simulations):
        dealt = state.resample_from_infostate(player, chance.pick(2**32))
        _simulate(dealt, nodes, chance, exploring)
    return max(root.children, key=lambda action: (root.children[action].visits, -action))


def _simulate(
    state: State, nodes: dict[tuple[int, str], Node], chance: Chance, exploring: float
) -> None:
    path: list[tuple[int, Child]] = []
    while not state.is_terminal():
        player = state.current_player()
        key = player, state.information_state_string(player)
        is_new = key not in nodes
        node = nodes.setdefault(key, Node())
        action = _select(node, state.legal_actions(), chance, exploring)
        path.append((player, node.children[action]))
        state.apply_action(action)
        if is_new:
            break
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[chance.pick(len(actions))])
    returns = state.returns()
    for player, child in path:
        child.visits += 1
        child.total += returns[player]


def _select(node: Node, actions: list[int], chance: Chance, exploring: float) -> int:
    """An action that was never chosen, else the one with the highest upper confidence bound."""
    for action in actions:
        node.children.setdefault(action, Child()).available += 1
    fresh = [action for action in actions if node.children[action].visits == 0]
    if fresh:
        return fresh[chance.pick(len(fresh))]

    def bound(action: int) -> float:
        child = node.children[action]
        width = exploring * math.sqrt(math.log(child.available) / child.visits)
        return child.total / child.visits + width

    return max(actions, key=bound)
