"""Games as environments for learning: `aec` is PettingZoo's, `state` is shaped like OpenSpiel's.

`aec` needs the extra `rl` (numpy, gymnasium, pettingzoo); `state` needs nothing. `training` is an
example that learns to beat random play. Nothing of the server is in here: the games are played in
this process, over the rules.
"""
