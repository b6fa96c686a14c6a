"""Games as learning environments: `aec` for PettingZoo, `state` in the shape of OpenSpiel.

`aec` needs the extra `rl` (numpy, gymnasium, pettingzoo); `state` needs no extra. `example` learns
to beat random play. No server is used: games run in this process, by the rules.
"""
