"""What others see: section 8 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.conformance.random_play import Position
from bluebear.rules.core.conformance.two_worlds import check_position_in_worlds
from bluebear.rules.core.event_text import event_text, event_view
from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Eyes, Seat, but, require
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.events import Revealed, Shown
from bluebear.rules.railroad_ink.rules.state import Draft, State
from tests.rules.railroad_ink.scene import A, B, C, D, board, eyes, outcome, play, table

DICE = "rail_curve rail_curve rail_straight overpass"
DRAWN = (
    "/draw rail_curve A2 2",
    "/draw rail_curve A6 3",
    "/draw rail_straight D1 0",
    "/draw overpass B1 0",
)
ALL_VIEWERS = [eyes(), eyes(A), eyes(B), eyes(C), eyes(D)]


def drawing(*done: Seat, seats: int = 4) -> State:
    """All players have drawn all four faces; some are done."""
    before = table(dice=DICE, seats=seats)
    for seat in before.seats:
        before = play(before, *DRAWN, seat=seat)
    for seat in done:
        before = play(before, "/done", seat=seat)
    return before


def seen_drafts(before: State, seen: Eyes) -> set[str]:
    """Whose drawings of this round stand in a view."""
    view = GAME.tree.view(before, seen)
    owned_items = {
        key for key, seat_state in view["seats"].items() if seat_state.get("draft", [[]])[0]
    }
    shown = {key for seat_state in view["seats"].values() for key in seat_state.get("seen", {})}
    return owned_items | shown


@pytest.mark.rule("railroad_ink 8.1")
@pytest.mark.parametrize("seen", ALL_VIEWERS, ids=str)
def test_dice_rounds_and_earlier_drawings_are_open(seen: Eyes) -> None:
    before = table("A4 road_straight 1", "B1 road_t 1, B2 overpass 0", dice=DICE, seats=4)
    view = GAME.tree.view(play(before, "2 /draw rail_curve A2 2"), seen)
    assert view["dice"] == DICE.split()
    assert view["round"] == 2
    assert view["seats"]["1"]["board"] == {"A4": ["road_straight", "1", 1]}
    assert view["seats"]["2"]["board"] == {"B1": ["road_t", "1", 1], "B2": ["overpass", "0", 1]}
    assert view["seats"]["2"]["points"] == [0, 2, 1, 0, 4, -1]
    assert [seat_state["done"] for seat_state in view["seats"].values()] == [False] * 4


@pytest.mark.rule("railroad_ink 8.2", "railroad_ink 8.3")
@pytest.mark.parametrize(
    ("done", "viewer", "drafts"),
    [
        ((), A, {"1"}),
        ((B,), A, {"1"}),
        ((A,), A, {"1"}),
        ((A, B), A, {"1", "2"}),
        ((A, B), B, {"1", "2"}),
        ((A, B), C, {"3"}),
        ((B, A, D), A, {"1", "2", "4"}),
        ((A, B, C), D, {"4"}),
        ((A, B, C), None, set()),
    ],
)
def test_whoever_is_done_sees_whoever_is_done(
    done: tuple[Seat, ...], viewer: Seat | None, drafts: set[str]
) -> None:
    seen = eyes() if viewer is None else eyes(viewer)
    assert seen_drafts(drawing(*done), seen) == drafts


@pytest.mark.rule("railroad_ink 8.2")
@pytest.mark.parametrize("line", ["/draw overpass B7 0", "/special 4 G2 0", "/erase D1"])
def test_other_people_do_not_learn_what_a_person_draws_or_takes_back(line: str) -> None:
    before = play(drawing(C, seats=3), "/erase B1", seat=A)
    made = outcome(before, A, line)
    move = GAME.grammar.parse(line)
    assert GAME.grammar.format(move, sees_owner=False) == CONCEALED
    for seen in (eyes(), eyes(B), eyes(C)):
        assert [event_view(event, seen) for event in made.events] == [None]
        assert GAME.tree.view(made.state, seen) == GAME.tree.view(before, seen)
    assert GAME.tree.changes(before, made.state).public is None
    assert B not in GAME.tree.changes(before, made.state).private
    assert A in GAME.tree.changes(before, made.state).private


@pytest.mark.rule("railroad_ink 8.2")
def test_other_people_are_notified_once_a_round_that_a_person_draws() -> None:
    before = table(dice=DICE, seats=2)
    made = outcome(before, A, "/draw overpass B7 0")
    for seen in (eyes(), eyes(B)):
        assert [event_view(event, seen) for event in made.events] == [
            {"event": "drawing", "seat": 1}
        ]
        assert [event_text(GAME.phrases, event, seen, lang="en") for event in made.events] == [
            "Seat 1 is drawing."
        ]
    assert GAME.tree.changes(before, made.state).public == {"seats": {"1": {"began": True}}}
    assert B not in GAME.tree.changes(before, made.state).private
    taken_back = outcome(made.state, A, "/erase B7")
    again = outcome(taken_back.state, A, "/draw overpass B7 0")
    for event in (*taken_back.events, *again.events):
        assert event_view(event, eyes()) is None, "nor that all was taken back, and drawn again"


@pytest.mark.rule("railroad_ink 8.2")
def test_done_is_open() -> None:
    made = outcome(drawing(seats=3), A, "/done")
    assert GAME.grammar.format(GAME.grammar.parse("/done"), sees_owner=False) == "/done"
    assert [event_view(event, eyes()) for event in made.events] == [
        {"event": "finished", "seat": 1}
    ]
    assert GAME.tree.changes(drawing(seats=3), made.state).public == {
        "seats": {"1": {"done": True}}
    }


@pytest.mark.rule("railroad_ink 8.2")
def test_being_shown_something_is_reported_to_those_who_are() -> None:
    before = drawing(A, B, seats=4)
    made = outcome(before, C, "/done")

    def drafts(*seats: Seat) -> Keyed[Seat, Draft]:
        return Keyed({seat: require(before.seats[seat].draft) for seat in seats})

    assert [event for event in made.events if isinstance(event, Shown)] == [
        Shown(C, (A, B), drafts(A, B)),
        Shown(A, (C,), drafts(C)),
        Shown(B, (C,), drafts(C)),
    ]
    for event in made.events[1:]:
        assert event_view(event, eyes(D)) is None
    assert D not in GAME.tree.changes(before, made.state).private
    assert GAME.tree.changes(before, made.state).private[A] == {
        "seats": {"1": {"seen": {"3": GAME.tree.view(before, eyes(C))["seats"]["3"]["draft"]}}}
    }


@pytest.mark.rule("railroad_ink 8.2")
def test_points_and_special_routes_of_this_round_are_hidden_too() -> None:
    begun = table("A4 road_straight 1", "", dice=DICE, seats=2)
    before = play(begun, "/special 3 B4 0", "/erase B4")
    after = play(before, "/special 3 B4 0")
    for seen in (eyes(), eyes(B)):
        assert (
            GAME.tree.view(after, seen)["seats"]["1"]
            == (GAME.tree.view(before, seen)["seats"]["1"])
        )
    row = next(line for line in board(after, B) if line.startswith("1 Seat 1"))
    assert row.split()[-1] == "-"


@pytest.mark.rule("railroad_ink 8.3", "railroad_ink 8.1")
def test_the_end_of_a_round_shows_everything_to_all_people() -> None:
    before = drawing(A, B, seats=3)
    made = outcome(before, C, "/done", FastChance(1))
    shown = [event for event in made.events if isinstance(event, Revealed)]
    assert [(event.seat, event.strokes) for event in shown] == [
        (seat, require(before.seats[seat].draft).strokes) for seat in (A, B, C)
    ]
    assert all(event.squares == tuple(stroke.square for stroke in event.strokes) for event in shown)
    assert not any(isinstance(event, Shown) for event in made.events)
    view = GAME.tree.view(made.state, eyes())
    assert all(
        set(seat_state["board"]) == {"A2", "A6", "B1", "D1"}
        for seat_state in view["seats"].values()
    )
    owned_items = GAME.tree.view(made.state, eyes(A))["seats"]["1"]
    assert owned_items["seen"] == {}
    assert owned_items["draft"][0] == []


@pytest.mark.rule("railroad_ink 8.4")
def test_in_the_end_nothing_is_hidden() -> None:
    before = but(drawing(A, B, seats=3), round=7)
    after = outcome(before, C, "/done").state
    for seen in ALL_VIEWERS[:4]:
        view = GAME.tree.view(after, seen)
        assert view["over"]
        assert {key: len(seat_state["board"]) for key, seat_state in view["seats"].items()} == {
            "1": 4,
            "2": 4,
            "3": 4,
        }
    assert GAME.determinize(GAME.seen(after, eyes()), eyes(), FastChance(1)) == after


@pytest.mark.rule("railroad_ink 8.2", "railroad_ink 8.3")
@pytest.mark.parametrize("seen", [*ALL_VIEWERS, eyes(A, C), eyes(B, D)], ids=str)
@pytest.mark.parametrize("auto_done", [False, True])
def test_two_worlds_look_similar_while_some_are_done(seen: Eyes, *, auto_done: bool) -> None:
    """One seat has drawn nothing, one everything, two are done."""
    before = table("", "", "", "", dice=DICE, auto_done=auto_done)
    for seat in (A, B, C):
        before = play(before, *DRAWN, seat=seat)
    before = play(before, "1 /done", "3 /done")
    term = "on" if auto_done else "off"
    case = read_case(GAME, ["seats=4", f"auto_done={term}"])
    at = Position(case, seed=1, number=0, state=before, counter=4, events=())
    chance = FastChance(1)
    for _ in range(12):
        check_position_in_worlds(at, seen, chance, tries=3)


@pytest.mark.rule("railroad_ink 8.2")
def test_other_worlds_differ_in_what_is_hidden() -> None:
    """Else the check above would prove nothing."""
    before = play(drawing(A, C), "/erase A2", seat=B)
    worlds = [
        GAME.determinize(GAME.seen(before, eyes(A)), eyes(A), FastChance(seed)) for seed in range(9)
    ]
    assert len({require(world.seats[B].draft).strokes for world in worlds}) > 5
    assert {world.seats[A].draft for world in worlds} == {before.seats[A].draft}
    assert {world.seats[C].draft for world in worlds} == {before.seats[C].draft}
    blind = [
        GAME.determinize(GAME.seen(before, eyes()), eyes(), FastChance(seed)) for seed in range(9)
    ]
    assert len({require(world.seats[C].draft).strokes for world in blind}) > 5
    for world in [*worlds, *blind]:
        assert list(GAME.invariants(world)) == []
