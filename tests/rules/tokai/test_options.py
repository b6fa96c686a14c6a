"""What the host may choose: section 17."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.visibility import Eyes, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules.events import LimitReached, PaidOwner
from bluebear.rules.tokai.rules.fares import tally
from bluebear.rules.tokai.rules.state import Ending, Phase, State
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    all_but,
    dice,
    events_of,
    eyes,
    lines,
    misunderstood,
    names,
    play,
    reason,
    refusal,
    sound,
    table,
    traveller,
)

GRANTED = "An extra half follows."


def status(made: State) -> list[str]:
    """The lines of `/info`."""
    no_seats: Eyes = frozenset()
    return list(GAME.text(GAME.seen(made, no_seats), no_seats, TextPage()).status())


@pytest.mark.rule("tokai 17.1")
def test_settlelast_pays_the_fare_of_the_last_turn() -> None:
    rider = traveller("nagoya", cash=20)
    made = table(
        rider,
        phase=Phase.BUY,
        owners=all_but("linimo"),
        dues=[(int(B), 5)],
        granted=True,
        settlelast=True,
    )
    made, events = play(made, A, "/buy linimo")
    assert names(events) == ["Bought", "PaidOwner", "LastLineSold", "GameOver"]
    assert (made.ending, made.seats[A].cash) == (Ending.LAST_LINE, 7)


@pytest.mark.rule("tokai 17.1")
def test_settlelast_ends_the_game_even_if_a_line_returned_to_the_bank() -> None:
    rider = traveller("nagoya", cash=9)
    made = table(
        rider, phase=Phase.BUY, owners=all_but("linimo"), dues=[(int(B), 5)], settlelast=True
    )
    line = GAME.grammar.parse("/buy linimo")
    assert GAME.is_rash(made, A, line)
    made, events = play(made, A, "/buy linimo")
    assert (made.phase, made.closing) == (Phase.SELL, True)
    # No half follows any more, whatever the dice have granted before.
    assert GRANTED in status(but(made, granted=True, closing=False))
    assert GRANTED not in status(but(made, granted=True))
    made, events = play(made, A, "/sell linimo bank")
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 5)]
    assert made.ending is Ending.LAST_LINE
    assert LineId("linimo") not in made.owners


@pytest.mark.rule("tokai 17.1")
def test_settlelast_ranks_a_bankrupt_buyer_as_out() -> None:
    rider = traveller("nagoya", cash=5)
    made = table(
        rider,
        seats=3,
        phase=Phase.BUY,
        owners=all_but("subway_kamiiida"),
        dues=[(int(B), 10)],
        settlelast=True,
    )
    made, _ = play(made, A, "/buy subway_kamiiida")
    made, _ = play(made, A, "/sell subway_kamiiida bank")
    assert made.fallen == (A,)
    assert made.ending is Ending.LAST_LINE
    result = GAME.result(made)
    assert result is not None
    assert result.standings[0].place == 3


@pytest.mark.rule("tokai 17.2")
def test_strict_refuses_a_ride_that_strands() -> None:
    made = table(traveller("inazawa", to="sukaguchi"), roll=3, strict=True)
    made, _ = play(made, A, "/go jr_tokaido ichinomiya")
    assert "/go meitetsu_tsushima tamanoi" not in lines(made, A)
    refused = refusal(made, A, "/go meitetsu_tsushima tamanoi")
    assert refused.rule == "17.2"
    assert reason(refused) == (
        "From Tamanoi no way would be left to your destination, and this table forbids that."
    )
    assert not any(GAME.is_rash(made, A, move) for move in GAME.legal(made, A))


@pytest.mark.rule("tokai 17.3")
@pytest.mark.parametrize("rate", [1, 2, 6])
def test_through_is_what_the_shinkansen_costs_on_a_through_ticket(rate: int) -> None:
    rider = traveller("nagoya", to="toyohashi", through=("jr_shinkansen",), cash=30)
    made = table(rider, roll=8, owners={"jr_shinkansen": B}, through=rate)
    made, _ = play(made, A, "/go jr_shinkansen mikawa_anjo")
    assert [(due.payee, due.amount) for due in tally(made).dues] == [(B, rate)]


@pytest.mark.rule("tokai 17.3")
def test_the_option_is_read_from_its_terms() -> None:
    for term, rate in {"1": 1, "2": 2, "6": 6}.items():
        made = GAME.setup(GAME.info.complete({"through": term}), 2, FastChance(1)).state
        assert made.through == rate
    assert GAME.info.options["through"].read("3") is None


@pytest.mark.rule("tokai 17.4", "tokai 12.4")
def test_turnlimit_may_be_any_number_or_off() -> None:
    option = GAME.info.options["turnlimit"]
    assert option.default == 400
    assert option.read("off") == 0
    assert option.read("250") == 250
    assert option.read("9") is None
    made = table(traveller("nagoya"), phase=Phase.BUY, turnlimit=0, turns=5000)
    made, events = play(made, A, "/buy none", dice(1, 2))
    assert not events_of(events, LimitReached)
    assert made.turns == 5001


@pytest.mark.rule("tokai 17.5", "tokai 3.1.5")
def test_openchoices_shows_a_choice_at_once() -> None:
    made = GAME.setup(GAME.info.complete({"openchoices": True}), 2, FastChance(4)).state
    first = lines(made, A)[0]
    made, events = play(made, A, first)
    # No player is told that the others will see it later.
    assert names(events)[0] == "Prebought"
    assert "Chose" not in names(events)
    seen = GAME.tree.view(made, eyes(B))
    assert seen["seats"]["1"]["cash"] == made.seats[A].cash > 0
    assert set(seen["owners"].values()) == {A}
    assert sound(made).phase is Phase.PREBUY


def test_options_are_explained_in_both_languages() -> None:
    for name in GAME.info.options:
        assert GAME.phrases.say(f"option.{name}", "en")
        assert "(17." in GAME.phrases.say(f"option.{name}", JA.lang)


def test_a_term_for_no_option_value_is_none() -> None:
    assert GAME.info.options["strict"].read("maybe") is None
    assert misunderstood(table(traveller("nagoya"), phase=Phase.BUY), A, "/buy zzz").code == (
        "bad_argument"
    )
