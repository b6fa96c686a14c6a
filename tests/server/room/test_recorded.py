"""Is the chain of a record's lines as good as a list, however long the game?"""

from __future__ import annotations

from typing import Final

from bluebear.server.room.state import Recorded, lines_of

LONG: Final = 20_000
"""More lines than Python lets a function call itself."""


def chain(lines: list[str]) -> Recorded | None:
    made: Recorded | None = None
    for line in lines:
        made = Recorded(made, line)
    return made


def test_it_gives_its_lines_back() -> None:
    assert lines_of(chain(["a", "b", "c"])) == ["a", "b", "c"]
    assert lines_of(None) == []


def test_long_chains_are_compared_shown_and_dropped() -> None:
    lines = [f"1 /go {number}" for number in range(LONG)]
    one, same, shorter, other = chain(lines), chain(lines), chain(lines[1:]), chain(["x", *lines])
    assert one == same
    assert hash(one) == hash(same)
    assert one != shorter
    assert one != other
    assert one != "1 /go 0"
    assert str(LONG - 1) in repr(one)
