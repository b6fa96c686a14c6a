"""Six rounds and turned cards: section 7 of the rules, and 9.2."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import Chance, FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.events import Built, Captured, RoundBegan
from bluebear.rules.manhattan.rules.state import Card, City, Site, State
from tests.rules.manhattan.scene import A, B, C, D, board, building_turn, eyes, lines, play, refusal
from tests.rules.scripted_chance import ScriptedChance


class _SeatOneFirst(Chance):
    """Names seat 1 as start player, then draws as `FastChance` does."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._then = FastChance(seed)

    def _below(self, bound: int, index: int) -> int:
        return 0 if self.counter == 1 else self._then.pick(bound)


def course(seats: int, *, sixrounds: bool) -> tuple[list[Seat], list[Seat]]:
    """The start player of each round of a game, and who built last in each."""
    chance = _SeatOneFirst(seats)
    made = GAME.setup(GAME.info.complete({"sixrounds": sixrounds}), seats, chance)
    table: State = made.state
    starts, lasts, latest = [table.start], [], table.start
    while table.turn is not None:
        made = GAME.play(table, table.turn, GAME.fallback(table, table.turn), chance)
        for event in made.events:
            if isinstance(event, Built | Captured):
                latest = event.seat
            elif isinstance(event, RoundBegan):
                lasts.append(latest)
                starts.append(event.seat)
        table = made.state
    return starts, [*lasts, latest]


@pytest.mark.rule("manhattan 7.2", "manhattan 6.1")
@pytest.mark.parametrize(
    ("seats", "sixrounds", "starts", "lasts"),
    [
        (2, False, [A, B, A, B], [B, A, B, A]),
        (3, False, [A, B, C, A], [C, A, B, C]),
        (3, True, [A, B, C, A, B, C], [C, A, B, C, A, B]),
        (4, False, [A, B, C, D], [D, A, B, C]),
        (4, True, [A, B, C, D, A, B], [D, A, B, C, D, A]),
    ],
)
def test_who_begins_and_who_is_last_in_each_round(
    seats: int, sixrounds: bool, starts: list[Seat], lasts: list[Seat]
) -> None:
    assert course(seats, sixrounds=sixrounds) == (starts, lasts)


@pytest.mark.rule("manhattan 7.1")
def test_three_are_advised_to_play_six_rounds() -> None:
    assert [each.name for each in GAME.info.option if each.proposed] == ["sixrounds"]
    assert GAME.info.options["sixrounds"].proposed == {"3": True}


@pytest.mark.rule("manhattan 7.1")
def test_the_option_has_the_names_that_people_know() -> None:
    assert GAME.info.options["sixrounds"].names == ("sixround", "6ラウンド")


@pytest.mark.rule("manhattan 7.1")
def test_six_rounds_are_of_four_blocks() -> None:
    options = GAME.info.complete({"sixrounds": True})
    table: State = GAME.setup(options, 2, ScriptedChance(*[0] * 9)).state
    assert (table.rounds, table.per_round) == (6, 4)


@pytest.mark.rule("manhattan 9.2")
@pytest.mark.parametrize(
    ("seat", "sites"),
    [
        (A, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (B, (3, 6, 9, 2, 5, 8, 1, 4, 7)),
        (C, (9, 8, 7, 6, 5, 4, 3, 2, 1)),
        (D, (7, 4, 1, 8, 5, 2, 9, 6, 3)),
    ],
)
def test_turned_cards_are_read_from_the_players_side_of_the_table(
    seat: Seat, sites: tuple[int, ...]
) -> None:
    opened = []
    for card in range(1, 10):
        table = building_turn(hand=(card,) * 4, turn=seat, seats=4, turned_cards=True)
        opened += sorted({int(line.split()[-1]) for line in lines(table, seat)})
    assert opened == list(sites)


@pytest.mark.rule("manhattan 9.2")
def test_a_turned_card_is_played_for_the_site_that_it_denotes() -> None:
    table = building_turn(hand=(1, 5, 5, 5), turn=B, turned_cards=True)
    after = play(table, B, "/build 1 cairo 3", ScriptedChance(0))
    assert (Site(3) in after.cities[City.CAIRO], after.used[Card(1)]) == (True, 1)


@pytest.mark.rule("manhattan 9.2")
def test_a_refusal_speaks_of_sites_not_of_turned_cards() -> None:
    table = building_turn(hand=(1, 1, 1, 2), turn=B, turned_cards=True)
    assert refusal(table, B, "/build 1 cairo 1").params == {"site": 1, "sites": (3, 6)}


@pytest.mark.rule("manhattan 9.2")
def test_the_board_says_which_site_a_turned_card_denotes() -> None:
    table = building_turn(hand=(1, 1, 2, 9), turn=B, turned_cards=True)
    (line,) = [line for line in board(table, B).splitlines() if line.startswith("Cards of B")]
    assert "1 = site 3 (top right)" in line


@pytest.mark.rule("manhattan 9.2")
def test_turning_hides_hands_as_well() -> None:
    table = building_turn(turn=B, turned_cards=True)
    assert "hand" not in GAME.tree.view(table, eyes(A))["seats"]["2"]
