"""What always holds: section 11 of the rules, in random games and in every refusal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.pieces import FITTING, Piece, Square, Turn, parts_of_spot
from bluebear.rules.railroad_ink.rules.round_board import paper_of
from bluebear.rules.railroad_ink.rules.state import (
    DONE,
    ROUNDS,
    Draft,
    Draw,
    Drawn,
    Erase,
    Part,
    Points,
    Special,
    State,
    Stroke,
)
from tests.rules.railroad_ink.scene import A, B, play, table

FEW = settings(max_examples=25, deadline=None)


def random_game(seed: int, seats: int, *, wild: bool = False) -> list[State]:
    """The positions of a random game; a wild one takes back now and then."""
    chance: Chance = FastChance(seed)
    state: State = GAME.setup(GAME.info.complete({}), seats, chance).state
    states = [state]
    while movers := sorted(GAME.to_move(state)):
        seat = movers[chance.pick(len(movers))]
        moves = GAME.plain(state, seat)
        if wild and chance.pick(5) == 0:
            moves = [m for m in GAME.legal(state, seat) if isinstance(m, Erase)] or moves
        state = GAME.play(state, seat, moves[chance.pick(len(moves))], chance).state
        states.append(state)
    return states


@pytest.mark.rule("railroad_ink 11.2", "railroad_ink 4.4")
@FEW
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_a_random_game_ends_after_seven_rounds(seed: int, seats: int) -> None:
    states = random_game(seed, seats)
    assert len(states) - 1 <= 7 * 6 * seats
    assert [state.round for state in states] == sorted(state.round for state in states)
    assert states[-1].round == ROUNDS
    assert states[-1].over
    assert not any(state.over for state in states[:-1])
    assert GAME.info.longest == 7 * 6 * GAME.info.seats.max


@pytest.mark.rule("railroad_ink 11.1")
@FEW
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_what_always_holds_holds_in_wild_games(seed: int, seats: int) -> None:
    for state in random_game(seed, seats, wild=True):
        assert list(GAME.invariants(state)) == []


@pytest.mark.rule("railroad_ink 6.1")
@FEW
@given(st.integers(0, 2**32))
def test_done_is_legal_exactly_when_no_face_left_fits_anywhere(seed: int) -> None:
    """Against the table of what fits, square by square."""
    for state in random_game(seed, 1, wild=True)[:-1]:
        paper = paper_of(state.seats[A], state.dice)
        rolled = list(state.dice)
        for stroke in paper.strokes:
            if stroke.piece in rolled:
                rolled.remove(stroke.piece)
        faced = [parts_of_spot(spot)[1] for spot in paper.lines.free_spots()]
        fits = any(FITTING[face][facing] for face in rolled for facing in faced)
        assert (DONE in GAME.legal(state, A)) is not fits


@FEW
@given(st.integers(0, 2**32))
def test_every_legal_move_leads_on_and_taking_all_back_leads_to_the_start(seed: int) -> None:
    state = random_game(seed, 1)[seed % 20]
    begun = with_seat(state, A, but(state.seats[A], began=True))
    for move in GAME.legal(state, A):
        if isinstance(move, Draw | Special):
            after = GAME.play(state, A, move, FastChance(1)).state
            back = GAME.take_back(after, A, "")
            assert back is not None
            assert back.takes_back
            again = GAME.play(after, A, back, FastChance(1)).state
            assert again == begun


def with_seat(before: State, seat: Seat, section: Part) -> State:
    """The table with another part of a seat."""
    return but(before, seats=before.seats.put(seat, section))


BROKEN = [
    ("B1 clashes", {"B1": ("rail_straight", "0", 1)}, ()),
    ("D4 clashes", {"D4": ("road_straight", "0", 1), "D5": ("rail_straight", "0", 1)}, ()),
    ("special routes", dict.fromkeys(("B1", "F1"), ("special_3", "0", 1)), ()),
    ("drew", {}, (("B1", "road_straight", "0"),)),
    ("joined to nothing", {}, (("D4", "rail_curve", "0"),)),
    ("holds two pieces", {"A2": ("rail_curve", "2", 1)}, (("A2", "rail_curve", "2"),)),
    ("in round 1", {f"B{row}": ("road_straight", "0", 1) for row in range(1, 8)}, ()),
    ("two special routes in a round", {}, (("B1", "special_3", "0"), ("F1", "special_1", "0"))),
]


@pytest.mark.rule("railroad_ink 11.1")
@pytest.mark.parametrize(("sentence", "squares", "strokes"), BROKEN, ids=[b[0] for b in BROKEN])
def test_what_never_holds_is_noticed(
    sentence: str,
    squares: dict[str, tuple[str, str, int]],
    strokes: tuple[tuple[str, str, str], ...],
) -> None:
    board = {
        Square(square): Drawn(Piece(piece), Turn(turn), number)
        for square, (piece, turn, number) in squares.items()
    }
    drawn = tuple(Stroke(Square(s), Piece(piece), Turn(turn)) for s, piece, turn in strokes)
    before = table(dice="rail_curve rail_curve road_t overpass", seats=2)
    points = before.seats[A].points
    seat_state = but(before.seats[A], board=Keyed(board), draft=Draft(drawn, points))
    broken = with_seat(before, A, seat_state)
    assert any(sentence in each for each in GAME.invariants(broken))


def test_wrong_points_wrong_looks_and_a_round_without_end_are_noticed() -> None:
    before = table(dice="rail_curve rail_curve road_t overpass", seats=2)
    assert list(GAME.invariants(before)) == []
    ours, other = before.seats[A], before.seats[B]
    wrong = with_seat(before, A, but(ours, points=Points(1, 0, 0, 0, 0, 2)))
    assert len(list(GAME.invariants(wrong))) == 2
    looked = with_seat(before, A, but(ours, seen=Keyed({B: require(other.draft)})))
    assert list(GAME.invariants(looked)) == ["seat 1 has been shown [2]"]
    one = with_seat(before, A, but(ours, done=True))
    over = with_seat(one, B, but(other, done=True))
    assert "all are done and the round goes on" in list(GAME.invariants(over))


def test_no_other_player_is_touched_by_a_drawing() -> None:
    before = table(dice="rail_curve rail_curve road_t overpass", seats=12)
    after = play(before, "7 /draw rail_curve A2 2")
    for seat in before.seats:
        assert (after.seats[seat] is before.seats[seat]) is (seat != 7)
