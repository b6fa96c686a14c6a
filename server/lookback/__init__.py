"""Looking back: what eyes saw of a running game at an earlier version, and finished games.

A `Course` is a game step by step, made by folding a room's journal (`running`) or by playing a
record again (`finished`); `pages` shows parts of it to given eyes; `LookBack` keeps the newest few.
All of it works in slices, so that a long game never holds the loop.
"""
