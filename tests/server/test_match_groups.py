"""Which requests make a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.features.matchmaking.match_requests import (
    ARRIVAL_SECONDS,
    MatchRequest,
    MatchRequests,
    group_with,
)
from bluebear.server.limits import MATCH_REQUEST_SECONDS, OFFER_SECONDS, WISHING_MOST


def request(person: str, least: int = 2, most: int = 4, **more: Any) -> MatchRequest:
    # Any: values of fields
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


NODES = ("n1", "n2")
OFFER_MS, ARRIVAL_MS = int(OFFER_SECONDS * 1000), int(ARRIVAL_SECONDS * 1000)


def later(requests: MatchRequests, now: int, nodes: Sequence[str] = NODES) -> MatchRequests:
    """The same rows, read by another node at another moment."""
    return MatchRequests(requests.rows.values(), now, nodes)


def two_who_are_offered(now: int = 0) -> MatchRequests:
    requests = MatchRequests((), now, NODES)
    for number, person in enumerate("ab"):
        requests.add(request(person, most=2, node=NODES[number]))
    assert all(requests.rows[person, "duel"].is_open for person in "ab")
    return requests


def test_who_is_at_a_node_that_has_ended_is_at_none_and_is_offered_nothing() -> None:
    requests = MatchRequests((), 0, NODES)
    requests.add(request("a", node="n1"))
    requests = later(requests, 5, ["n2"])
    requests.add(request("b", node="n2"))
    assert not requests.rows["b", "duel"].is_open
    requests.arrive("a", "n2")
    assert requests.rows["a", "duel"].is_open
    assert requests.rows["b", "duel"].is_open


def test_a_request_of_a_person_who_does_not_come_back_ends() -> None:
    requests = MatchRequests((), 0, NODES)
    requests.add(request("a", node="n1"))
    requests = later(requests, 5, ["n2"])
    match_request = requests.rows["a", "duel"]
    assert match_request.ends == 5 + MATCH_REQUEST_SECONDS * 1000
    assert later(requests, match_request.ends - 1).rows
    assert not later(requests, match_request.ends).rows


def test_an_offer_ends_by_its_time_whichever_node_looks_and_only_the_silent_lose_theirs() -> None:
    requests = two_who_are_offered()
    assert requests.answer("a", "n1", yes=True) == ()
    assert later(requests, OFFER_MS - 1).rows["b", "duel"].is_open
    ended = later(requests, OFFER_MS)
    assert list(ended.rows) == [("a", "duel")]
    assert ended.rows["a", "duel"].offer is None


def test_the_group_plays_in_the_order_in_which_it_has_accepted() -> None:
    requests = two_who_are_offered()
    requests.add(request("c", least=3))
    assert requests.answer("b", "n2", yes=True) == ()
    assert requests.answer("b", "n2", yes=True) == (), "a line that was sent again"
    group = requests.answer("a", "n1", yes=True)
    assert names(group) == "ba"
    with pytest.raises(NotAllowed, match="no_offer"):
        requests.answer("a", "n1", yes=False)
    offer = str(group[0].offer)
    assert requests.begin(offer, "12345")
    assert not requests.begin(offer, "67890"), "there is one room"
    assert [match_request.room for match_request in requests.rows.values()] == [
        "12345",
        "12345",
        None,
    ]
    assert list(later(requests, ARRIVAL_MS).rows) == [("c", "duel")]


def test_a_group_whose_room_is_never_made_waits_again() -> None:
    requests = two_who_are_offered()
    for person in "ab":
        requests.answer(person, "n1", yes=True)
    made = later(requests, ARRIVAL_MS)
    assert all(made.rows[person, "duel"].is_open for person in "ab"), "they are offered another"


def test_other_requests_of_people_who_play_end() -> None:
    requests = two_who_are_offered()
    requests.add(MatchRequest("a", "journey", 2, 2, node="n1"))
    group = requests.answer("a", "n1", yes=True) or requests.answer("b", "n2", yes=True)
    requests.begin(str(group[0].offer), "12345")
    assert ("a", "journey") not in requests.rows


def test_so_many_people_wait_and_no_more() -> None:
    rows = [request(f"p{number}", 4, 4, bots=False, node="n1") for number in range(WISHING_MOST)]
    requests = MatchRequests([each for each in rows if each.human], 0, NODES)
    with pytest.raises(NotAllowed, match="busy"):
        requests.add(request("late", node="n1"))
    requests.add(MatchRequest("p0", "journey", 2, 2, node="n1"))
