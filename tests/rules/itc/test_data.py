"""The tables: what the rules say about them, and that a broken file is named by its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from bluebear.rules.core.package_data import DataError, read_text
from bluebear.rules.itc.data.board_data import Board, read_board
from bluebear.rules.itc.data.card_data import Cards, read_cards
from bluebear.rules.itc.data.tables import (
    ACTIONS,
    CARDS,
    LIMITS,
    NEUTRAL_CARDS,
    PLAYER_CARDS,
    SIDES,
    VALUE,
)
from bluebear.rules.itc.data.terms import CONTINENTS, ROUTES, ACard, Die, Kind, Place, Route

BOARD: Final = read_text("bluebear.rules.itc.data", "board.toml")
DECK: Final = read_text("bluebear.rules.itc.data", "cards.toml")


@pytest.mark.rule("itc 1.2", "itc 1.3", "itc 1.4")
def test_the_piles_have_93_and_80_cards() -> None:
    assert len(PLAYER_CARDS) == 69
    assert len(NEUTRAL_CARDS) == 24
    assert len(CARDS) == 93
    assert sum(card.copies for card in ACTIONS.values()) == 80
    assert {card.kind for card in ACTIONS.values()} == set(Kind)


@pytest.mark.rule("itc 1.4")
def test_cards_that_name_something_name_everything_once() -> None:
    for kind in (Kind.ROBBERY, Kind.UNREST, Kind.DEMAND_ONE):
        named = [card for card in ACTIONS.values() if card.kind is kind]
        assert [card.places for card in named] == [(position,) for position in CONTINENTS]
        assert all(card.copies == 1 for card in named)
    routes = [card for card in ACTIONS.values() if card.kind is Kind.INSPECTION]
    assert [(card.route, card.copies) for card in routes] == [(route, 2) for route in ROUTES]
    pairs = [card.places for card in ACTIONS.values() if card.kind is Kind.DEMAND_PAIR]
    assert sorted(position for pair in pairs for position in pair) == sorted(CONTINENTS)


@pytest.mark.rule("itc 1.5")
def test_the_dice() -> None:
    assert SIDES == {Die.BLUE: 6, Die.GREEN: 8, Die.RED: 6}
    assert LIMITS.red_points == 6


@pytest.mark.rule("itc 4.4")
def test_prices_follow_from_goods_and_route() -> None:
    tenths = {Route.GREY: 16, Route.RED: 14, Route.BLUE: 12, Route.GREEN: 10}
    for number in PLAYER_CARDS:
        card = CARDS[number]
        worth = sum(VALUE[good] for good in card.goods)
        for route in card.routes:
            assert abs(card.full[route] * 10 - worth * tenths[route]) < 2_500
            assert card.full[route] % 500 == 0
            assert card.full[route] - card.robbed[route] == VALUE[card.at_risk]


@pytest.mark.rule("itc 4.2", "itc 4.5")
def test_the_index_orders_the_cards_by_worth() -> None:
    worth = [sum(VALUE[good] for good in CARDS[number].goods) for number in PLAYER_CARDS]
    assert worth == sorted(worth)
    assert list(PLAYER_CARDS) == sorted(PLAYER_CARDS)
    assert [number for number in PLAYER_CARDS if number <= 105] == [100, 101, 102, 103, 104, 105]
    assert worth[:6] == [10_000] * 5 + [10_500]


def test_every_action_card_is_matched_by_what_is_printed_on_it() -> None:
    assert all(card.code == code for code, card in ACTIONS.items())
    assert ACTIONS[ACard("12-africa")].places == (Place.AFRICA,)
    assert ACTIONS[ACard("9-grey")].route is Route.GREY
    assert ACTIONS[ACard("5-africa-asia")].amount == 3


def board_of(text: str) -> Board:
    return read_board(text, "board.toml")


def cards_of(text: str) -> Cards:
    return read_cards(text, "cards.toml", board_of(BOARD))


def line_of(text: str, section: str) -> int:
    return text[: text.index(section)].count("\n") + 1


BROKEN_BOARD: Final = {
    "no toml": ("blue = 6", "blue = = 6", "line"),
    "a float": (
        "percent = 160",
        "percent = 1.6",
        "route grey percent: Expected int, got float",
    ),
    "a switch": ("columns = 2", "columns = true", "route grey columns: Expected int, got bool"),
    "missing": ("rows = 7\n", "", "route grey: missing required field rows"),
    "unknown key": (
        "rows = 7",
        "rows = 7\nlength = 3",
        "route grey: contains unknown field length",
    ),
    "unknown word": (
        'id = "africa"',
        'id = "atlantis"',
        "place atlantis id: Invalid enum value 'atlantis'",
    ),
    "twice": ('id = "asia"', 'id = "africa"', "africa stands twice"),
    "not dearer": (
        "transport = 2500",
        "transport = 2000",
        "good white: white is dearer than black",
    ),
    "no round sum": ("sale = 1500", "sale = 1501", "multiples of 500"),
    "unknown colour": (
        'refuses = "red"',
        'refuses = "pink"',
        "place asia refuses: Invalid enum value 'pink'",
    ),
    "no dice": ("[dice]", "[cubes]", "contains unknown field cubes"),
    "no goods": ("[[good]]", "[[bad]]", "contains unknown field bad"),
}


@pytest.mark.parametrize(("old", "new", "says"), BROKEN_BOARD.values(), ids=BROKEN_BOARD)
def test_a_broken_board_is_refused(old: str, new: str, says: str) -> None:
    assert old in BOARD
    with pytest.raises(DataError) as caught:
        board_of(BOARD.replace(old, new))
    assert says in str(caught.value)
    assert str(caught.value).startswith("board.toml")


BROKEN_CARDS: Final = {
    "index": ("index = 105", "index = 106", "goods worth 10500 have the index 105"),
    "order": ("index = 105", "index = 100", "indices rise, and 100 follows 104"),
    "price": ("full = [17000, 10500]", "full = [17500, 10500]", "full by grey is 17000, not 17500"),
    "robbed": ("robbed = [14500, 8000]", "robbed = [14500, 7500]", "robbed by green is 8000"),
    "one price": (
        "full = [17000, 10500]",
        "full = [17000]",
        "transport full: Expected array of length 2, got 1",
    ),
    "a word": (
        "full = [17000, 10500]",
        "full = 17000",
        "transport full: Expected array, got int",
    ),
    "at risk": (
        '"black", "black"], at_risk = "white"',
        '"black", "black"], at_risk = "black"',
        "at_risk is the dearest",
    ),
    "colour": (
        '["yellow", "green", "black"]',
        '["yellow", "green", "mauve"]',
        "Invalid enum value 'mauve'",
    ),
    "no goods": ('["yellow", "green", "black"]', "[]", "goods is empty"),
    "routes": (
        'index = 105, routes = ["grey", "green"]',
        'index = 105, routes = ["grey"]',
        "transport routes: Expected array of length 2, got 1",
    ),
    "backwards": (
        'index = 105, routes = ["grey", "green"]',
        'index = 105, routes = ["green", "grey"]',
        "the slower first",
    ),
    "neutral number": ("number = 7,", "number = 8,", "number is 7 here, not 8"),
    "neutral to": (
        'number = 7, to = "asia"',
        'number = 7, to = "market"',
        "neutral: to is a continent",
    ),
    "action number": ("number = 7, kind", "number = 8, kind", "action: 8 is sales_bonus"),
    "action kind": ('kind = "unrest"', 'kind = "robbery"', "12 is unrest"),
    "action time": (
        'time = "before_roll"',
        'time = "before"',
        "action time: Invalid enum value 'before'",
    ),
    "action place": ('"africa-asia"', '"africa-mars"', "'africa-mars' does not name continents"),
    "action route": ('names = ["grey", ', 'names = ["beige", ', "'beige' names no route"),
    "twice": ('names = ["grey", "red"', 'names = ["red", "red"', "action: a name stands twice"),
    "action names": (
        'names = ["grey", ',
        "names = [7, ",
        "action names: Expected str, got int",
    ),
    "no text": ('kind = "unrest"', "kind = 12", "action kind: Expected str, got int"),
}


@pytest.mark.parametrize(("old", "new", "says"), BROKEN_CARDS.values(), ids=BROKEN_CARDS)
def test_a_broken_card_is_named_by_its_line(old: str, new: str, says: str) -> None:
    assert old in DECK
    line = line_of(DECK, old)
    with pytest.raises(DataError) as caught:
        cards_of(DECK.replace(old, new, 1))
    message = str(caught.value)
    assert says in message
    assert message.startswith(f"cards.toml line {line}: ")


SHORT_DECKS: Final[dict[str, tuple[Callable[[str], str], str]]] = {
    "a player card less": (
        lambda text: "\n".join(line for line in text.splitlines() if "index = 100," not in line),
        "goods worth 10000 have the index 100",
    ),
    "the last one less": (
        lambda text: "\n".join(line for line in text.splitlines() if "index = 300" not in line),
        "transport: 69 cards, not 68",
    ),
    "the last neutral one less": (
        lambda text: "\n".join(line for line in text.splitlines() if "number = 24," not in line),
        "neutral: 4 cards go to southamerica, not 3",
    ),
    "five to Asia": (
        lambda text: text.replace('number = 9, to = "australia"', 'number = 9, to = "asia"'),
        "neutral: 4 cards go to asia, not 5",
    ),
    "a copy more": (
        lambda text: text.replace("copies = 5", "copies = 6"),
        "action: 80 cards, not 81",
    ),
    "19 kinds": (
        lambda text: "\n".join(line for line in text.splitlines() if "demand_one" not in line),
        "action: 80 cards, not 74",
    ),
}


@pytest.mark.parametrize(("change", "says"), SHORT_DECKS.values(), ids=SHORT_DECKS)
def test_a_deck_of_another_size_is_refused(change: Callable[[str], str], says: str) -> None:
    with pytest.raises(DataError) as caught:
        cards_of(change(DECK))
    assert says in str(caught.value)
