"""Is what the code of a game raises a fault of the kit, with the position and the command?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.conformance.case import ConformanceError, read_case
from bluebear.rules.core.conformance.step_checks import check_case
from bluebear.rules.core.conformance.two_worlds import check_worlds
from bluebear.rules.core.game import Emit, Game, Player
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, Terms
from bluebear.rules.core.visibility import Eyes, Move, Seat
from tests.games.journey import JourneyGame
from tests.games.journey.state import Lake
from tests.games.sealed import SealedGame, SealedTexts
from tests.games.sealed.state import Seal, Table


def lowest(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    return moves[0]


class SeatToMove(JourneyGame):
    def to_move(self, state: Lake) -> Any:
        return state.turn


class NotRefusing(SealedGame):
    def why_not(self, state: Table, seat: Seat, move: Move) -> Any:
        return super().why_not(state, seat, move) and True


class Raising(SealedGame):
    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        if refusal := super().why_not(state, seat, move):
            raise refusal
        return None


class Unseated(SealedGame):
    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        del draft.seats[Seat(9)]


class Unset(SealedGame):
    def set_up(self, options: Any, seats: int, chance: Chance, emit: Emit) -> Table:
        raise KeyError("prizes")


class UnshownTexts(SealedTexts):
    def board(self) -> str:
        return self.say("nothing")


class Unshown(SealedGame):
    texts = UnshownTexts


class Undealt(SealedGame):
    def determinize(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        raise TypeError("a view does not show this")


def illegal(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    return Seal(7)


def absent(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Any:
    return None


def failing(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    raise LookupError(f"{len(moves)} moves and {view.seats[Seat(3 - seat)].card} to see")


class Unworthy(SearchModel[Table]):
    def worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> Sequence[int]:
        return [0]

    def rests(self, state: Table, since: Table) -> bool:
        return True

    def terms(self, state: Table) -> Sequence[Terms]:
        return [(0,), (0,)]

    def spread(self, state: Table) -> int:
        return 1


class WithThinker(SealedGame):
    thinker = Unworthy()


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ({"a": illegal}, "after 0 moves: bot a, seat 1: Seal(card=7) is no plain legal move"),
        ({"a": absent}, "after 0 moves: bot a, seat 1: None is no plain legal move"),
        ({"a": failing}, "bot a, seat 1: tests/games/sealed: LookupError: 6 moves and None to see"),
        ({"a": lowest, "b": illegal}, "after 10 moves: bot b, seat "),
    ],
)
def test_a_bot_that_does_not_choose_a_legal_move_is_named(
    bots: Mapping[str, Player], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SealedGame, "bots", bots)
    case = read_case(SealedGame(), ["seats=3", "rounds=5"])
    with pytest.raises(ConformanceError, match=re.escape(sentence)):
        check_case(case, [1])


def test_the_greedy_policy_of_a_thinker_is_a_bot() -> None:
    case = read_case(WithThinker(), [])
    with pytest.raises(ConformanceError, match=r"after 0 moves: bot greedy, seat 1: .*ValueError"):
        check_case(case, [1])


@pytest.mark.parametrize(
    ("broken", "options", "sentence"),
    [
        (SeatToMove, "", "after 0 moves: `to_move` gives 1, which is no frozenset of seats"),
        (NotRefusing, "", "moves: `why_not` gives True for /"),
        (Raising, "rounds=5", "moves: tests/games/sealed: NotAllowed: not_in_hand"),
        (Unseated, "", "after 0 moves: seat 2 /seal 6: tests/games/sealed: KeyError: 9"),
        (
            Unset,
            "",
            "sealed seats=2 rounds=3: at the set-up: tests/games/sealed: KeyError: 'prizes'",
        ),
        (Unshown, "", "after 0 moves: tests/games/sealed: KeyError: 'board.nothing'"),
        (Undealt, "", "after 0 moves: tests/games/sealed: TypeError: a view does not show this"),
    ],
)
def test_what_the_code_of_a_game_raises_is_reported_with_the_position(
    broken: Callable[[], Game[Any]], options: str, sentence: str
) -> None:
    case = read_case(broken(), options.split())
    with pytest.raises(ConformanceError) as caught:  # noqa: PT012 - leaks are looked for last
        check_case(case, [1, 2])
        check_worlds(case, [1])
    assert sentence in str(caught.value)
    assert re.search(r"\n  again: python -m .* --first-seed [12] --games 1$", str(caught.value))
