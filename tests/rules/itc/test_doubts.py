"""What a person is asked about before it is done: points thrown away, landings for little."""

from __future__ import annotations

import pytest

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import Confirmation
from bluebear.rules.core.visibility import but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.state import State
from tests.rules.itc.example import NA, A, say, table

NEAR = {Route.BLUE: {51: "A170"}}
"""A's 170 (a red good, four green ones) is one point from every continent."""


def confirmation_of(state: State, line: str) -> Confirmation | None:
    """What A would be asked about a legal line."""
    move = GAME.grammar.parse(line)
    assert move in GAME.plain(state, A), "bots and fallbacks make it unasked"
    return GAME.text(GAME.seen(state, frozenset((A,))), frozenset((A,))).confirmation(A, move)


def phrase(state: State, line: str) -> str:
    result = confirmation_of(state, line)
    return "" if result is None else result.phrase


@pytest.mark.rule("itc 7.1", "itc 14.2")
def test_a_turn_that_ends_before_a_sale_is_prompted_about() -> None:
    goods, stones = {NA: {Good.BLACK: 2, Good.RED: 1}}, {NA: (2, 0)}
    start = table(goods=goods, stones=stones, die=Die.GREEN, points=2)
    sale = {"count": 2, "place": NA, "good": Good.BLACK, "amount": 2_000}
    assert confirmation_of(start, "/end") == Confirmation("confirm.end_sale", sale)
    assert phrase(table(goods=goods, stones=stones, die=Die.GREEN, points=0), "/end") == ""
    assert phrase(table(goods=goods, stones=stones, die=Die.BLUE, points=2), "/end") == ""
    assert phrase(table(goods=goods, stones={NA: (1, 0)}, die=Die.GREEN), "/end") == ""
    assert phrase(say(start, "/sell northamerica black"), "/end") == "confirm.end_sale"
    assert phrase(say(start, "/sell northamerica black", "/sell northamerica red"), "/end") == ""


@pytest.mark.rule("itc 7.1", "itc 11.18")
def test_the_extra_point_of_card_8_is_a_point_for_a_sale() -> None:
    goods, stones = {NA: {Good.BLACK: 1}}, {NA: (1, 0)}
    start = table(goods=goods, stones=stones, kept={A: ["8"]}, die=Die.GREEN, points=0)
    assert phrase(start, "/end") == ""
    result = confirmation_of(say(start, "/play 8"), "/end")
    assert result is not None
    assert result.params["count"] == 1


@pytest.mark.rule("itc 7.1", "itc 9.7", "itc 9.8")
@pytest.mark.parametrize(
    ("space", "die", "points", "expected"),
    [
        (51, Die.BLUE, 1, "confirm.end_landing"),
        (41, Die.BLUE, 1, "confirm.end_load"),
        (41, Die.RED, 1, "confirm.end_load"),
        (41, Die.BLUE, 0, ""),
        (41, Die.GREEN, 3, ""),
    ],
)
def test_a_turn_that_ends_before_a_players_load_could_move_is_prompted_about(
    space: int, die: Die, points: int, expected: str
) -> None:
    start = table(loads={Route.BLUE: {space: "A170"}}, die=die, points=points)
    assert phrase(start, "/end") == expected
    rest = table(loads={Route.BLUE: {space: "B170"}}, die=die, points=points)
    assert phrase(rest, "/end") == "", "other players' loads are nobody's points"


@pytest.mark.rule("itc 7.1", "itc 9.1")
def test_a_turn_that_ends_with_a_card_that_could_be_loaded_is_prompted_about() -> None:
    start = table(hands={A: [170]}, die=Die.BLUE, points=1)
    assert confirmation_of(start, "/end") == Confirmation(
        "confirm.end_hand", {"count": 1, "card": 170}
    )
    full = table(hands={A: [170]}, loads={Route.BLUE: {11: "B100", 12: "B102", 13: "n2"}})
    assert phrase(full, "/end") == ""


@pytest.mark.rule("itc 12.4", "itc 12.6")
def test_a_landing_where_no_person_stands_is_prompted_about_while_another_pays() -> None:
    start = table(loads=NEAR, stones={NA: (1, 0)}, die=Die.BLUE, points=1)
    result = confirmation_of(start, "/land 170 asia")
    assert result is not None
    assert result.phrase == "confirm.landing"
    assert (result.params["place"], result.params["other_place"]) == (Place.ASIA, NA)
    assert result.params["amount"] * 2 <= result.params["full"]
    assert phrase(start, "/land 170 northamerica") == ""


@pytest.mark.rule("itc 12.6")
def test_no_landing_is_prompted_about_where_all_pay_equally() -> None:
    nowhere = table(loads=NEAR, die=Die.BLUE, points=1)
    assert phrase(nowhere, "/land 170 asia") == ""
    stones = {NA: (1, 0), Place.ASIA: (0, 1)}
    both = table(loads=NEAR, stones=stones, die=Die.BLUE, points=1)
    assert phrase(both, "/land 170 asia") == ""


@pytest.mark.rule("itc 12.1")
def test_a_continent_where_one_has_landed_already_is_no_better_choice() -> None:
    start = table(loads=NEAR, stones={NA: (1, 0)}, die=Die.BLUE, points=1)
    landed = but(start, turn=but(start.turn, landed=(NA,)))
    assert phrase(landed, "/land 170 asia") == ""


@pytest.mark.rule("itc 12.2")
def test_goods_that_are_sent_to_the_market_on_purpose_are_no_loss_of_the_position() -> None:
    start = table(loads=NEAR, stones={NA: (1, 0)}, die=Die.BLUE, points=1)
    everything = say(start, "/drop 170 red", *["/drop 170 green"] * 4)
    assert phrase(everything, "/land 170 asia") == "", "no place takes any of them"


@pytest.mark.rule("itc 15.3")
def test_where_landings_pay_nothing_none_is_prompted_about() -> None:
    options = {"transport_pay": False}
    start = table(loads=NEAR, stones={NA: (1, 0)}, die=Die.BLUE, points=1, options=options)
    assert phrase(start, "/land 170 asia") == ""


@pytest.mark.parametrize("lang", LANGS)
def test_the_question_names_what_is_at_stake(lang: str) -> None:
    start = table(loads=NEAR, stones={NA: (1, 0)}, die=Die.BLUE, points=1)
    result = confirmation_of(start, "/land 170 asia")
    assert result is not None
    text = GAME.phrases.say(result.phrase, "ja" if lang == "ja" else "en", result.params)
    names = ("アジア", "北アメリカ") if lang == "ja" else ("Asia", "North America")
    assert all(name in text for name in names)
    assert f"{result.params['full']:,}" in text
