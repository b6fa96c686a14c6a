"""What a search of Tokai Danshaku sees: what lines earn, and when it saves for one."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.bot import greedy, search_model
from bluebear.rules.tokai.bot.expected_fares import flow, tolls, usefulness, value_of
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules.state import Phase, State
from tests.rules.tokai.scene import A, B, C, all_but, table, traveller

CHUO, TOKAIDO = LineId("jr_chuo"), LineId("jr_tokaido")
MAIN, KANSAI = LineId("meitetsu_main"), LineId("jr_kansai")


def choice(made: State, *, patience: int = 100) -> str:
    """What looks best to A."""
    assert GAME.thinker is not None
    moves = GAME.plain(made, A)
    worths = list(GAME.thinker.insights(made, A, moves, patience=patience))
    return GAME.grammar.format(moves[worths.index(max(worths))])


def buying(cash: int, owners: dict[str, Seat] | None = None) -> State:
    return table(
        traveller("nagoya", cash=cash, express=True),
        traveller("gifu"),
        phase=Phase.BUY,
        owners=owners or {},
    )


@pytest.mark.parametrize("looks", [0, 3])
def test_what_no_person_waits_for_is_not_reckoned_to_its_end(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoned: list[LineId] = []

    def value(made: State, seat: Seat, line: LineId) -> int:
        reckoned.append(line)
        return 1

    monkeypatch.setattr(search_model, "value_of", value)
    made, left = buying(100), iter(range(looks))
    moves = GAME.plain(made, A)
    worths = GAME.thinker.insights(
        made, A, moves, patience=100, has_time=lambda: next(left, None) is not None
    )
    assert len(reckoned) == looks
    assert worths == greedy.worths(made, A, moves)


def test_no_person_is_paid_for_lines_that_no_person_has() -> None:
    free = flow(tolls(A, {}), express=False)
    assert free.paid == 0
    assert flow(tolls(A, {CHUO: A}), express=False) == free


def test_a_line_of_a_rival_costs_fares_and_longer_routes() -> None:
    free = flow(tolls(A, {}), express=False)
    paying = flow(tolls(A, {CHUO: B}), express=False)
    assert paying.paid > 0
    assert free.cost < paying.cost
    both = flow(tolls(A, {CHUO: B, TOKAIDO: B, MAIN: B}), express=False)
    assert both.paid > paying.paid + 100


def test_a_ticket_makes_routes_shorter() -> None:
    assert flow(tolls(A, {}), express=True).cost < flow(tolls(A, {}), express=False).cost


def test_the_last_route_round_is_worth_more_than_the_first() -> None:
    """The main line of Meitetsu runs beside others: who has those wants it, too."""
    alone = value_of(buying(50), A, MAIN)
    beside = value_of(buying(50, {CHUO: B, TOKAIDO: B}), A, MAIN)
    assert beside > alone > 0
    assert usefulness()[KANSAI] > usefulness()[MAIN]
    assert value_of(buying(50), A, KANSAI) < alone


def test_a_line_is_worth_something_to_each_of_three() -> None:
    made = table(
        traveller(),
        traveller("gifu"),
        traveller("tsu"),
        phase=Phase.BUY,
        owners={"yoro_railway": C},
    )
    assert all(value_of(made, seat, CHUO) > 100 for seat in (A, B, C))


@pytest.mark.parametrize(
    ("cash", "patience", "line"),
    [
        (60, 100, "/buy jr_tokaido"),
        (30, 100, "/buy none"),
        (30, 0, "/buy meitetsu_seto"),
        (15, 100, "/buy none"),
    ],
)
def test_it_saves_for_a_line_within_reach(cash: int, patience: int, line: str) -> None:
    assert choice(buying(cash), patience=patience) == line


def test_the_last_line_is_bought_by_who_is_ahead() -> None:
    last = all_but("linimo", owner=A)
    made = table(traveller(cash=40), traveller("gifu"), phase=Phase.BUY, owners=last)
    assert choice(made) == "/buy linimo"
