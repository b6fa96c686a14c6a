"""The lines that people type: what may be left out, long forms, Japanese, and what is wrong."""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood, Refusal
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Move, Seat, classes_below
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import Die, Good, Place, Route
from bluebear.rules.itc.rules.state import State
from tests.rules.itc.example import A, B, rolled, say, table

NONE_LEFT = {
    "stone": "/stone asia",
    "dice": "/dice blue red",
    "use": "/use green",
    "load": "/load 195 grey 1",
    "hide": "/hide 195 grey 1 smuggling",
    "mega": "/mega 195 205 grey 2",
    "move": "/move 195 straight",
    "express": "/express 195 2",
    "drop": "/drop 170 green",
    "keep": "/keep 170",
    "land": "/land 170 northamerica",
    "sell": "/sell market black",
    "attack": "/attack",
    "play": "/play 19",
    "rob": "/rob africa",
    "unrest": "/unrest southamerica",
    "transfer": "/transfer 6 asia europe",
    "shift": "/shift asia market",
    "obstacle": "/obstacle n07 left",
    "resettle": "/resettle asia europe",
    "fetch": "/fetch africa",
    "organize": "/organize asia 1",
    "recruit": "/recruit 3",
    "discard": "/discard 12-africa",
    "end": "/end",
}


def parsed_lines(state: State, text: str, seat: Seat = A) -> list[str]:
    """The canonical lines of what a seat types, as a server finds them."""
    head, _, rest = text.removeprefix("/").partition(" ")
    (name,) = GAME.grammar.heads.find(fold(head))
    view = GAME.seen(state, frozenset({seat}))
    moves = GAME.text(view, frozenset((seat,))).expand(seat, name, rest)
    if moves is None:
        verb = GAME.grammar.verbs[name]
        moves = (GAME.grammar.understand(verb, rest, lambda: GAME.legal(state, seat)),)
    return [GAME.grammar.format(move) for move in moves]


def wrong(state: State, text: str, seat: Seat = A) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parsed_lines(state, text, seat)
    return caught.value


@pytest.mark.rule("itc 17.2")
@pytest.mark.parametrize("verb", NONE_LEFT)
def test_every_verb_has_one_canonical_line(verb: str) -> None:
    line = NONE_LEFT[verb]
    move = GAME.grammar.parse(line)
    assert GAME.grammar.format(move) == line
    assert GAME.grammar.verb_of(move).name == verb


def test_every_move_has_a_verb() -> None:
    assert set(NONE_LEFT) == set(GAME.grammar.verbs)
    assert {verb.move for verb in GAME.grammar.verbs.values()} == set(
        classes_below(Move, GAME.package)
    )


@pytest.mark.rule("itc 17.1")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/stone na", "/stone northamerica"),
        ("/stone 北アメリカ", "/stone northamerica"),
        ("/石 北米", "/stone northamerica"),
        ("/stone afr", "/stone africa"),
        ("/STONE ＡＳＩＡ", "/stone asia"),
    ],
)
def test_ranks_are_recognized_by_many_names(text: str, line: str) -> None:
    assert parsed_lines(table(), text) == [line]


@pytest.mark.rule("itc 17.1")
def test_dice_and_routes_are_recognized_in_japanese() -> None:
    before = table(die=None)
    assert parsed_lines(before, "/ダイス 赤、青") == ["/dice blue red"]
    assert parsed_lines(rolled(table(), blue=1, red=2), "/使う 赤") == ["/use red"]
    start = table(die=Die.BLUE, hands={A: [195]})
    assert parsed_lines(start, "/積む 195 グレイ 2") == ["/load 195 grey 2"]
    assert parsed_lines(start, "/積む 195 列車 3") == ["/load 195 red 3"]


@pytest.mark.rule("itc 17.2")
def test_what_is_determined_is_filled_in() -> None:
    start = table(
        die=Die.RED,
        hands={A: [195]},
        loads={Route.GREY: {11: "B103"}, Route.RED: {22: "A100", 32: "n02", 31: "B102"}},
        goods={Place.ASIA: {Good.WHITE: 2, Good.BLUE: 1}},
        stones={Place.ASIA: (3, 0)},
    )
    assert parsed_lines(start, "/load 195 grey") == ["/load 195 grey 2"]
    assert parsed_lines(start, "/move 100") == ["/move 100 right"]
    assert parsed_lines(start, "/move") == ["/move 100 right"]
    assert parsed_lines(start, "/sell asia") == ["/sell asia white"]
    assert parsed_lines(start, "/sell") == ["/sell asia white"]


@pytest.mark.rule("itc 17.2")
def test_what_is_not_determined_is_requested() -> None:
    start = table(die=Die.BLUE, hands={A: [195]})
    refusal = wrong(start, "/load 195 grey")
    assert isinstance(refusal, Ambiguous)
    assert refusal.candidates == ("/load 195 grey 1", "/load 195 grey 2")


@pytest.mark.rule("itc 17.2", "itc 11.11", "itc 11.20")
def test_a_card_under_a_load_is_named_behind_the_loading() -> None:
    start = table(die=Die.BLUE, hands={A: [195]}, kept={A: ["1", "10"]})
    assert parsed_lines(start, "/load 195 grey 1 smuggling") == ["/hide 195 grey 1 smuggling"]
    assert parsed_lines(start, "/積む 195 グレイ 2 エクスプレス") == ["/hide 195 grey 2 express"]
    full = table(die=Die.BLUE, hands={A: [195]}, kept={A: ["1"]}, loads={Route.GREY: {11: "B103"}})
    assert parsed_lines(full, "/load 195 grey 密輸") == ["/hide 195 grey 2 smuggling"]


@pytest.mark.rule("itc 17.2", "itc 11.7")
def test_a_pair_is_loaded_in_any_order_of_terms() -> None:
    start = table(die=Die.BLUE, hands={A: [195, 205]}, kept={A: ["18"]})
    for text in (
        "/load 195 grey 1 mega 205",
        "/load 205 grey 1 mega 195",
        "/積む 205 グレイ 1 メガ 195",
        "/mega 205 195 grey 1",
    ):
        assert parsed_lines(start, text) == ["/mega 195 205 grey 1"]
    assert wrong(start, "/load 195 grey 1 mega").code == "missing_argument"
    blocked = table(
        die=Die.BLUE,
        hands={A: [195, 205]},
        kept={A: ["18"]},
        loads={Route.GREY: {11: "B103"}},
    )
    assert parsed_lines(blocked, "/mega 205 195") == ["/mega 195 205 grey 2"]


@pytest.mark.rule("itc 17.2", "itc 11.7")
def test_a_pair_answers_to_both_indices() -> None:
    start = table(die=Die.BLUE, loads={Route.GREY: {71: "A195+205", 31: "B103"}})
    assert parsed_lines(start, "/land 205 asia") == ["/land 195 asia"]
    assert parsed_lines(start, "/land 205 asia drop white") == ["/drop 195 white", "/land 195 asia"]
    below = table(die=Die.BLUE, loads={Route.GREY: {31: "A195+205"}})
    assert parsed_lines(below, "/move 205") == ["/move 195 straight"]
    assert parsed_lines(below, "/move 195") == ["/move 195 straight"]


@pytest.mark.rule("itc 17.3", "itc 12.2")
def test_a_landing_may_name_the_goods_that_it_does_not_deliver() -> None:
    start = table(die=Die.BLUE, loads={Route.BLUE: {51: "A170"}}, stones={Place.ASIA: (1, 0)})
    typed = parsed_lines(start, "/land 170 asia drop green 2 red")
    assert typed == ["/drop 170 green", "/drop 170 green", "/drop 170 red", "/land 170 asia"]
    after = say(start, *typed, draws=[0])
    # Asia refuses the red one in any case.
    assert after.seats[A].money == 20_500 - 2 * 3_500 - 3_000
    assert parsed_lines(start, "/上陸 170 アジア 手放す 緑") == [
        "/drop 170 green",
        "/land 170 asia",
    ]
    assert wrong(start, "/land 170 asia drop").code == "missing_argument"
    assert wrong(start, "/land 170 asia drop purple").code == "bad_argument"


@pytest.mark.rule("itc 17.2")
def test_every_card_can_be_played_by_its_number() -> None:
    start = table(
        3,
        kept={A: ["2", "3", "6", "7", "11-africa", "12-asia", "12-europe", "16", "17"]},
        loads={Route.RED: {22: "B100"}},
        stones={
            Place.ASIA: (2, 1, 1),
            Place.EUROPE: (1, 0, 0),
            Place.MARKET: (1, 0, 0),
        },
    )
    assert parsed_lines(start, "/play 2 2 asia europe") == ["/transfer 2 asia europe"]
    assert parsed_lines(start, "/play 3 asia market") == ["/shift asia market"]
    assert parsed_lines(start, "/play 6") == ["/play 6"]
    assert parsed_lines(start, "/play 7 100") == ["/obstacle 100 straight"]
    assert parsed_lines(start, "/play 7") == ["/obstacle 100 straight"]
    assert parsed_lines(start, "/play 11") == ["/rob africa"]
    assert parsed_lines(start, "/カード 12 アジア") == ["/unrest asia"]
    assert wrong(start, "/play 12").candidates == ("/unrest asia", "/unrest europe")
    assert parsed_lines(start, "/play 16 africa asia 2 europe") == [
        "/resettle africa asia",
        "/fetch asia",
        "/fetch europe",
    ]
    assert parsed_lines(start, "/play 16 africa asia=2") == ["/resettle africa asia", "/fetch asia"]
    assert parsed_lines(start, "/play 17 asia 1 3") == ["/organize asia 1", "/recruit 3"]
    for text in ("/play 16 africa asia 2 europe", "/play 17 asia 1 3"):
        say(start, *parsed_lines(start, text))


@pytest.mark.rule("itc 17.2", "itc 11.1", "itc 11.2")
def test_cards_that_are_played_otherwise_say_how() -> None:
    start = table(kept={A: ["1"]})
    assert wrong(start, "/play 1").code == "played_with_load"
    assert wrong(start, "/play 18").code == "played_with_load"
    at_once = wrong(start, "/play 9")
    assert isinstance(at_once, NotAllowed)
    assert (at_once.code, at_once.rule) == ("done_at_once", "11.1")
    assert wrong(start, "/play 21").code == "bad_argument"


@pytest.mark.rule("itc 17.2", "itc 11.3")
def test_a_card_is_discarded_by_its_number_and_position() -> None:
    over = say(
        table(
            hands={A: [100, 101, 102, 103]}, kept={A: ["4", "11-africa", "12-asia", "12-europe"]}
        ),
        "/end",
    )
    assert parsed_lines(over, "/discard 11") == ["/discard 11-africa"]
    assert parsed_lines(over, "/discard 12 asia") == ["/discard 12-asia"]
    assert parsed_lines(over, "/捨てる 12 ヨーロッパ") == ["/discard 12-europe"]
    assert parsed_lines(over, "/discard 4") == ["/discard 4"]
    assert parsed_lines(over, "/discard 100") == ["/discard 100"]
    assert wrong(over, "/discard 12").candidates == ("/discard 12-asia", "/discard 12-europe")


@pytest.mark.rule("itc 17.1")
def test_what_is_not_recognized_is_answered_with_what_is() -> None:
    position = wrong(table(), "/stone afirca")
    assert isinstance(position, NotUnderstood)
    assert "africa" in position.candidates
    assert "europe" in wrong(table(), "/stone moon").candidates
    assert "195" in wrong(table(), "/move 19").candidates
    assert isinstance(wrong(table(), "/stone a"), Ambiguous)


@pytest.mark.rule("itc 17.1")
def test_neutral_loads_are_named_by_their_number() -> None:
    start = table(loads={Route.GREY: {21: "n07"}, Route.RED: {21: "n02"}}, kept={A: ["7"]})
    assert parsed_lines(start, "/obstacle n7") == ["/obstacle n07 straight"]
    assert parsed_lines(start, "/obstacle N02") == ["/obstacle n02 straight"]


@pytest.mark.rule("itc 17.3")
def test_undo_takes_marked_goods_back() -> None:
    start = table(die=Die.BLUE, loads={Route.BLUE: {51: "A170"}})
    assert GAME.take_back(start, A, "") is None
    marked = say(start, "/drop 170 green")
    back = GAME.take_back(marked, A, "")
    assert back is not None
    assert GAME.grammar.format(back) == "/keep 170"
    assert back.takes_back
    assert GAME.take_back(marked, B, "") is None
    assert say(marked, "/keep 170") == start
