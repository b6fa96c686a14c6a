"""Which wishes make a table."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from bluebear.server.features.matchmaking.matchmaker import MatchRequest, group_with


def request(person: str, least: int = 2, most: int = 4, **more: bool) -> MatchRequest:
    return MatchRequest(person, "duel", least, most, **more)


def names(match_requests: Sequence[MatchRequest]) -> str:
    return "".join(each.person for each in match_requests)


def test_the_largest_table_that_fits() -> None:
    waiting = [request("a"), request("b", 3, 5), request("c")]
    assert names(group_with(waiting[2], waiting)) == "abc"


def test_who_waits_for_longer_is_first() -> None:
    waiting = [request("a"), request("b"), request("c", 2, 2)]
    assert names(group_with(waiting[2], waiting)) == "ac"


def test_who_wants_more_people_than_there_are_waits() -> None:
    waiting = [request("a", 3, 4), request("b")]
    assert group_with(waiting[1], waiting) == ()


def test_who_does_not_play_with_programs_gets_people() -> None:
    program = request("x", human=False)
    waiting = [program, request("a", bots=False), request("b")]
    assert names(group_with(waiting[1], waiting)) == "ab"
    assert group_with(waiting[1], waiting[:2]) == ()
    assert names(group_with(program, waiting)) == "xb"


REQUESTS = st.builds(
    lambda least, more, human, bots: (least, least + more, human, bots or not human),
    st.integers(2, 5),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(REQUESTS, min_size=1, max_size=8))
def test_a_group_is_what_all_of_it_request(rows: list[tuple[int, int, bool, bool]]) -> None:
    waiting = [
        MatchRequest(str(number), "duel", *row[:2], human=row[2], bots=row[3])
        for number, row in enumerate(rows)
    ]
    group = group_with(waiting[-1], waiting)
    if group:
        assert waiting[-1] in group
        assert len({each.person for each in group}) == len(group)
        assert all(each.least <= len(group) <= each.most for each in group)
        assert all(each.human for each in group) or all(each.bots for each in group)
