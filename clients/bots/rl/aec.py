"""A game as a PettingZoo environment (AEC: agents act one after the other).

    env = BlueBearEnv("manhattan", seats=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))

Actions are indices in the sorted list of legal lines (`indexing="place"`), which `info["lines"]`
has, or numbers of the action space (`indexing="vocabulary"`), which mean the same line everywhere.
The name has the version of the rules: new rules make another environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from bluebear.clients.bots.rl.state import TERMINAL, VALUE_MAX, State, action_space
from bluebear.rules import games
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.game import Game, TextPage
from bluebear.rules.core.visibility import SPECTATOR

Array: TypeAlias = Any  # Any: numpy is an extra, so types are checked without it
Observation: TypeAlias = dict[str, Array]

SEED_BOUND: Final = 2**63
_TYPED: Final = {"True": "on", "False": "off"}


class BlueBearEnv(AECEnv):
    """One game at one table. `options` are the game's own, by name.

    Rewards come at the end: from 1 for the first rank to -1 for the last; a game for one returns
    its points divided by 100. Of seats that move at once the lowest acts first. There is no undo. A
    game with more moves than its rules declare possible is truncated.
    """

    metadata: Mapping[str, Any] = {}  # Any: PettingZoo's own; each environment has its copy

    def __init__(
        self,
        game: str | Game[Any],  # Any: each game has a state class of its own
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,  # Any: values of options
        indexing: Literal["place", "vocabulary"] = "place",
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()
        for what, given, possible in (
            ("indexing", indexing, ("place", "vocabulary")),
            ("render mode", render_mode, (None, "ansi")),
            ("game", game, games() if isinstance(game, str) else (game,)),
        ):
            if given not in possible:
                raise ValueError(f"no {what} {given!r}: {', '.join(map(str, possible))}")
        self._game: Game[Any] = games()[game] if isinstance(game, str) else game
        info = self._game.info
        count = info.seats.min if seats is None else seats
        if count not in range(info.seats.min, info.seats.max + 1):
            raise ValueError(f"{info.key} is for {info.seats.min} to {info.seats.max} seats")
        chosen = [("seats", count), *(options or {}).items()]
        typed = [f"{name}={_TYPED.get(repr(value), value)}" for name, value in chosen]
        self._case = read_case(self._game, typed)
        self._indexing = indexing
        actions = action_space(self._game)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{info.key}_v{info.rules}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
            "vocabulary": actions.digest,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(1, count + 1)]
        self.agents: list[str] = []
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._size = info.legal_bound if indexing == "place" else len(actions)
        length = len(State(self._case, 0).observation_tensor(0))
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-VALUE_MAX, VALUE_MAX, (length,), np.float32),
                    "action_mask": spaces.Box(0, 1, (self._size,), np.int8),
                }
            )
            for agent in self._players
        }
        self.action_spaces = {agent: spaces.Discrete(self._size) for agent in self._players}
        self._state: State | None = None
        self._legal: dict[int, str] = {}

    def observation_space(self, agent: str) -> Any:  # Any: gymnasium's
        """The same object for an agent each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # Any: gymnasium's
        """The same object for an agent each time."""
        return self.action_spaces[agent]

    @property
    def state_now(self) -> State:
        """The game's state, for looking ahead. ValueError before the first reset."""
        if self._state is None:
            raise ValueError("reset comes first")
        return self._state

    def reset(
        self,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,  # Any: PettingZoo's own
    ) -> None:
        """Start a game, the same for the same seed. Without one the seed is random."""
        drawn = int(np.random.default_rng().integers(SEED_BOUND)) if seed is None else int(seed)
        self._state = State(self._case, drawn)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        no_lines: dict[str, tuple[str, ...]] = {"lines": ()}
        self.infos = dict.fromkeys(self.agents, no_lines)
        self.agent_selection = self.agents[0]
        self._look()

    def observe(self, agent: str) -> Observation:
        """An agent's observation and action mask; the mask is empty if another agent is to act."""
        tensor = self.state_now.observation_tensor(self._players[agent])
        mask: Array = np.zeros(self._size, np.int8)
        if agent == self.agent_selection and self._legal:
            mask[list(self._legal)] = 1
        return {"observation": np.asarray(tensor, np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Apply the action of the agent to act. ValueError if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        line = None if action is None else self._legal.get(int(action))
        if line is None:
            raise ValueError(f"{agent} may not do {action}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.state_now.say(line)
        self._look()
        self._accumulate_rewards()

    def line_of(self, action: int) -> str:
        """The line of an action of the agent to act. KeyError if it is illegal."""
        return self._legal[action]

    def render(self) -> str | None:
        """The table as a spectator sees it; None without a render mode."""
        if self.render_mode is None:
            return None
        seen = self._game.seen(self.state_now.state, SPECTATOR)
        return self._game.text(seen, SPECTATOR, TextPage()).full()

    def _look(self) -> None:
        """After a step: update the agent to act and its actions, or the result."""
        state = self.state_now
        self.infos[self.agent_selection] = {"lines": ()}
        player = state.current_player()
        is_late = state.moves >= self._game.info.longest
        if player == TERMINAL or is_late:
            self._legal = {}
            ended = self.terminations if player == TERMINAL else self.truncations
            for agent, gained in zip(self.possible_agents, state.returns(), strict=True):
                self.rewards[agent] = gained
                ended[agent] = True
            return
        self.agent_selection = self.possible_agents[player]
        by_index = self._indexing == "place"
        self._legal = dict(enumerate(state.sorted_lines())) if by_index else state.lines()
        self.infos[self.agent_selection] = {"lines": tuple(self._legal.values())}


def env(game: str, **given: Any) -> AECEnv:  # Any: what BlueBearEnv takes
    """An environment that reports misuse, with PettingZoo's wrappers."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(BlueBearEnv(game, **given)))
