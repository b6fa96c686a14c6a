"""What newcomers type, and the answers that say what would be right."""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.events import Kept, TooManyCards
from tests.rules.itc.example import NA, A, lines, play_lines, refused, say, table
from tests.rules.itc.test_lines import parsed_lines, wrong


@pytest.mark.rule("itc 17.1")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/stone north america", "/stone northamerica"),
        ("/place South America", "/stone southamerica"),
        ("/置く 北アメリカ", "/stone northamerica"),
        ("/sell north america black", "/sell northamerica black"),
        ("/sell grey market", "/sell market black"),
    ],
)
def test_ranks_may_be_written_in_two_terms(text: str, line: str) -> None:
    start = table(
        goods={NA: {Good.BLACK: 1}, Place.MARKET: {Good.BLACK: 1}},
        stones={NA: (1, 0), Place.MARKET: (1, 0)},
    )
    assert parsed_lines(start, text) == [line]


@pytest.mark.rule("itc 17.1", "itc 17.3")
def test_two_terms_for_a_position_stand_in_long_forms_too() -> None:
    start = table(
        die=Die.BLUE,
        kept={A: ["16"]},
        loads={Route.BLUE: {51: "A170"}},
        stones={NA: (2, 0)},
    )
    landing = ["/drop 170 green", "/land 170 northamerica"]
    assert parsed_lines(start, "/land 170 north america drop green") == landing
    assert parsed_lines(start, "/play 16 south america north america 2") == [
        "/resettle southamerica northamerica",
        "/fetch northamerica",
    ]


@pytest.mark.rule("itc 17.1")
def test_seats_are_recognized_by_the_letters_of_the_board() -> None:
    start = table(3, kept={A: ["2"]}, stones={Place.ASIA: (0, 1, 1)})
    assert parsed_lines(start, "/play 2 C asia europe") == ["/transfer 3 asia europe"]
    assert parsed_lines(start, "/他人の石 席2 アジア ヨーロッパ") == ["/transfer 2 asia europe"]
    assert wrong(start, "/transfer 9 asia europe").candidates == tuple("123456")


@pytest.mark.rule("itc 17.1", "itc 11.1")
def test_action_cards_are_recognized_by_what_they_do() -> None:
    start = table(kept={A: ["7", "11-africa"]}, loads={Route.RED: {22: "B100"}})
    assert parsed_lines(start, "/play robbery") == ["/rob africa"]
    assert parsed_lines(start, "/カード 障害物") == ["/obstacle 100 straight"]
    assert wrong(start, "/play smuggling").code == "played_with_load"
    for text in ("1", "smuggling", "密輸"):
        assert GAME.texts.things().find(fold(text)) == ("1",)
    assert GAME.phrases.say("about.1", "en").startswith("1 Smuggling: load it under a T card")


@pytest.mark.rule("itc 17.1", "itc 4.2", "itc 5.1")
def test_a_card_that_does_not_exist_is_answered_with_those_that_do() -> None:
    start = table(die=Die.BLUE, loads={Route.BLUE: {51: "A170"}})
    assert wrong(start, "/load 999 red 1").candidates == ("100-300",)
    assert wrong(start, "/move 999").candidates == ("100-300", "n01-n24")
    assert "171" in wrong(start, "/load 172 red 1").candidates


@pytest.mark.rule("itc 9.7", "itc 10.1")
def test_neutral_loads_are_moved_by_no_person() -> None:
    start = table(die=Die.BLUE, loads={Route.RED: {21: "n05", 61: "n02"}})
    assert refused(start, "/move n05 straight", "9.7") == "neutral_load"
    assert refused(start, "/land n02 africa", "9.7") == "neutral_load"
    assert refused(start, "/move n07 straight", "9.7") == "not_loaded"


@pytest.mark.rule("itc 12.1")
def test_a_load_does_not_land_in_the_grey_market() -> None:
    start = table(die=Die.BLUE, loads={Route.BLUE: {51: "A170"}})
    assert refused(start, "/land 170 market", "12.1") == "lands_on_continents"


@pytest.mark.rule("itc 11.12", "itc 11.13", "itc 11.26", "itc 11.27")
def test_cards_take_stones_from_continents_only() -> None:
    start = table(
        kept={A: ["2", "3", "16", "17", "11-asia", "12-asia"]},
        stones={Place.MARKET: (2, 0), Place.ASIA: (1, 1)},
    )
    assert refused(start, "/transfer 2 asia market", "11.12") == "to_continents"
    assert refused(start, "/transfer 2 market asia", "11.12") == "from_continents"
    assert refused(start, "/shift market asia", "11.13") == "from_continents"
    assert refused(start, "/resettle market asia", "11.26") == "to_continents"
    assert refused(start, "/resettle europe market", "11.26") == "from_continents"
    assert refused(start, "/organize market 1", "11.27") == "from_continents"
    assert refused(start, "/rob market", "11.1") == "no_action_card_of"
    assert refused(start, "/unrest market", "11.1") == "no_action_card_of"


@pytest.mark.rule("itc 11.11", "itc 11.20", "itc 11.7")
@pytest.mark.parametrize("rest", ["smuggling express", "mega 205 smuggling", "express mega 205"])
def test_only_one_card_follows_a_load(rest: str) -> None:
    start = table(die=Die.BLUE, hands={A: [195, 205]}, kept={A: ["1", "10", "18"]})
    refusal = wrong(start, f"/load 195 grey 1 {rest}")
    assert isinstance(refusal, NotAllowed)
    assert (refusal.code, refusal.rule) == ("one_card_with_a_load", "11.11")


@pytest.mark.rule("itc 11.26", "itc 11.27")
def test_more_stones_than_a_card_moves_are_counted_to_whoever_asks() -> None:
    start = table(
        4,
        kept={A: ["16", "17"]},
        stones={Place.ASIA: (6, 1, 1, 1), Place.MARKET: (1, 0, 0, 0)},
    )
    settlers = wrong(start, "/play 16 africa asia 6")
    assert settlers.code == "too_many_settlers"
    assert (settlers.params["count"], settlers.params["most"]) == (6, 5)
    assert len(parsed_lines(start, "/play 16 africa asia 5")) == 5
    recruits = wrong(start, "/play 17 asia 1 2 3 4")
    assert recruits.code == "too_many_recruits"
    assert (recruits.params["count"], recruits.params["most"]) == (4, 3)
    assert len(parsed_lines(start, "/play 17 asia 1 2 3")) == 3


@pytest.mark.rule("itc 17.3")
def test_none_of_a_colour_is_none() -> None:
    start = table(die=Die.BLUE, loads={Route.BLUE: {51: "A170"}})
    assert parsed_lines(start, "/land 170 asia drop green 0 red") == [
        "/drop 170 red",
        "/land 170 asia",
    ]


@pytest.mark.rule("itc 17.3", "itc 12.2")
def test_marks_are_taken_back_aloud_when_something_else_is_done() -> None:
    start = table(
        die=Die.BLUE,
        loads={Route.BLUE: {51: "A170", 31: "A110"}},
        stones={Place.ASIA: (1, 0)},
    )
    marked = say(start, "/drop 170 green")
    after, events = play_lines(marked, "/move 110 straight")
    assert events[-1] == Kept(A, TCard(170))
    assert after.turn.busy is None
    _, landing = play_lines(marked, "/land 170 asia", draws=[0])
    assert not any(isinstance(event, Kept) for event in landing)


@pytest.mark.rule("itc 11.3")
def test_who_holds_too_many_cards_is_shown_how_many_to_discard() -> None:
    start = table(hands={A: [100, 101, 102, 103, 104]}, kept={A: ["4", "6", "8"]})
    after, events = play_lines(start, "/end")
    assert events == [TooManyCards(A, 2)]
    assert lines(after, "discard") == ["100", "101", "102", "103", "104", "4", "6", "8"]


@pytest.mark.rule("itc 11.3", "itc 17.1")
def test_who_discards_is_shown_what_he_holds() -> None:
    over = say(table(hands={A: [100, 101, 102, 103]}, kept={A: ["4", "11-asia", "14"]}), "/end")
    assert parsed_lines(over, "/discard robbery") == ["/discard 11-asia"]
    assert parsed_lines(over, "/捨てる 敏腕経営") == ["/discard 14"]
    for text in ("/discard 5", "/discard unrest", "/discard pass"):
        refusal = wrong(over, text)
        assert refusal.code == "not_held"
        assert refusal.params["hand"] == ("100", "101", "102", "103", "4", "11-asia", "14")
    assert refused(over, "/discard 104", "11.3") == "not_held"
    assert refused(over, "/discard 11-africa", "11.3") == "not_held"
