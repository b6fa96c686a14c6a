"""The table, its areas, single cards and the legal moves as text."""

from __future__ import annotations

from typing import Final

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.slots import tokens_of
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import Eyes, Move, Seat, but
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.terms import ACard, Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.moves import Side
from bluebear.rules.itc.rules.state import (
    Dropping,
    Load,
    Organizing,
    Phase,
    Resettling,
    Selling,
    Space,
    State,
    Under,
)
from bluebear.rules.itc.text.details import cell
from tests.rules.itc.example import NA, A, B, C, rolled, table

G = Good
PLAIN: Final = TextPage(ascii=True)
JAPANESE: Final = TextPage(lang="ja", name_of=lambda seat: ["", "あゆ", "Ben", "ちひろ"][seat])


def sample() -> State:
    """Three seats, A with blue points left, a jam, a pair, covered loads, goods and stones."""
    made = table(
        3,
        goods={
            NA: {G.BLACK: 7, G.RED: 1, G.GREEN: 3, G.YELLOW: 8, G.BLUE: 4},
            Place.MARKET: {G.WHITE: 10},
        },
        stones={NA: (6, 5), Place.ASIA: (1, 0, 3), Place.MARKET: (0, 2)},
        loads={
            Route.GREY: {71: "B195+205", 11: "A105?"},
            Route.RED: {31: "A100", 32: "n7", 33: "C102?"},
            Route.BLUE: {51: "A170x"},
        },
        hands={A: [120, 300], B: [101]},
        kept={A: ["12-asia", "4", "8"], B: ["1"]},
        money={A: 45_500, B: 20_000},
        die=Die.BLUE,
        points=3,
    )
    rows: tuple[int, ...] = (3,)
    duties = Keyed({Route.RED: rows})
    return but(made, turn=but(made.turn, duties=duties, landed=(Place.AFRICA,)))


def eyes(*seats: Seat) -> Eyes:
    return frozenset(seats)


def board(state: State, seen: Eyes, page: TextPage = PLAIN) -> list[str]:
    return GAME.text(GAME.seen(state, seen), seen, page).board().splitlines()


def look(area: str, state: State, seen: Eyes, page: TextPage = PLAIN) -> list[str]:
    return GAME.text(GAME.seen(state, seen), seen, page).look(area).splitlines()


@pytest.mark.rule("itc 16.1", "itc 2.1", "itc 2.3", "itc 2.4", "itc 2.7", "itc 2.8")
def test_the_complete_table_in_english() -> None:
    assert board(sample(), eyes(A)) == [
        "I.T.C., round 1. The goal is 200,000 euro.",
        "Seat 1 (A) is to act: blue die, 3 points left.",
        "To be opened on the red route: row 3.",
        "Landed in this turn on: Africa.",
        "   Grey",
        "   +-----+-----+  Red",
        " 7 |B195+|     |  +-----+-----+-----+  Blue",
        " 6 |     |     |  |     |     |     |  +-----+-----+-----+  Green",
        " 5 |     |     |  |     |     |     |  |A170x|     |     |  +-----+-----+",
        " 4 |     |     |  |     |     |     |  |     |     |     |  |     |     |",
        " 3 |     |     |  |A100 |n07AS|C102?|  |     |     |     |  |     |     |",
        " 2 |     |     |  |     |     |     |  |     |     |     |  |     |     |",
        " 1 |A105s|     |  |     |     |     |  |     |     |     |  |     |     |",
        "   +-----+-----+  +-----+-----+-----+  +-----+-----+-----+  +-----+-----+",
        "Mega pair of B: 195, 205.",
        "Pay of the loads (robbed): A170 20,500 (17,000), A105 17,000 (14,500), B195",
        "    31,000 (26,500), B205 33,000 (30,500), A100 14,000 (9,500), C102 14,000",
        "    (10,500)",
        "Value on the way / at a sale: black 2,000/1,000, white 2,500/1,500, red",
        "    3,000/2,000, green 3,500/2,500, yellow 4,500/3,000, blue 6,000/4,000",
        "                     black  white    red  green yellow   blue   Stones",
        "Africa           AF      .      .      .      .      x      .   .",
        "Asia             AS      .      .      x      .      .      .   A1 C3",
        "Australia        AU      .      .      .      x      .      .   .",
        "Europe           EU      x      .      .      .      .      .   .",
        "North America    NA      7      x      1      3      8      4   A6 B5",
        "South America    SA      .      .      .      .      .      x   .",
        "Grey market      GM      .     10      .      .      .      .   B2",
        "    Seat                      Euro    Stock    A    T",
        "> A Seat 1                  45,500       30    3    2",
        "  B Seat 2                  20,000       31    1    1  grey market",
        "  C Seat 3                       0       36    0    0",
        "Cards of A (in brackets: the pay after a theft):",
        "  T 120: grey 19,000 (16,500), red 17,000 (14,500); black, white x4",
        "  T 300: grey 48,000 (42,000), green 30,000 (24,000); black, green x2, yellow",
        "    x2, blue x2",
        "  A 4 Neutral loads advance, 8 Good sales, 12 Political unrest (Asia)",
        "T pile: 83, discards 0. A pile: 73, discards 0.",
        "A170: card 170 of A, a170: loaded in this turn, ? covered, s smuggling, x",
        "express, + mega; n15EU: neutral card n15 to Europe. 5(2): two of five goods came",
        "in this turn; x: refused.",
    ]


@pytest.mark.rule("itc 16.1", "itc 16.2", "itc 16.3")
def test_the_complete_table_in_japanese_for_a_person_else() -> None:
    assert board(sample(), eyes(B), JAPANESE) == [
        "I.T.C. ラウンド1。目標は200,000ユーロ。",
        "あゆ(A)の手番です: 青ダイス、残り3ポイント。",
        "解消すべき渋滞: 赤ルートの3段目。",
        "この手番に上陸した大陸: アフリカ。",
        "   グレイ",
        "   ┌─────┬─────┐  赤",
        " 7 │B195+│     │  ┌─────┬─────┬─────┐  青",
        " 6 │     │     │  │     │     │     │  ┌─────┬─────┬─────┐  緑",
        " 5 │     │     │  │     │     │     │  │A170?│     │     │  ┌─────┬─────┐",
        " 4 │     │     │  │     │     │     │  │     │     │     │  │     │     │",
        " 3 │     │     │  │A100 │n07AS│C102?│  │     │     │     │  │     │     │",
        " 2 │     │     │  │     │     │     │  │     │     │     │  │     │     │",
        " 1 │A105?│     │  │     │     │     │  │     │     │     │  │     │     │",
        "   └─────┴─────┘  └─────┴─────┴─────┘  └─────┴─────┴─────┘  └─────┴─────┘",
        "Bのメガ輸送: 195、205。",
        "荷の輸送収入(盗難時): A170 20,500(17,000)、A105 17,000(14,500)、B195",
        "    31,000(26,500)、B205 33,000(30,500)、A100 14,000(9,500)、C102 14,000(10,500)",
        "輸送価値/売値: 黒2,000/1,000、白2,500/1,500、赤3,000/2,000、緑3,500/2,500、",
        "    黄4,500/3,000、青6,000/4,000",
        "                        黒     白     赤     緑     黄     青   石",
        "アフリカ         AF      .      .      .      .      x      .   .",
        "アジア           AS      .      .      x      .      .      .   A1 C3",
        "オーストラリア   AU      .      .      .      x      .      .   .",
        "ヨーロッパ       EU      x      .      .      .      .      .   .",
        "北アメリカ       NA      7      x      1      3      8      4   A6 B5",
        "南アメリカ       SA      .      .      .      .      .      x   .",
        "グレイマーケット GM      .     10      .      .      .      .   B2",
        "    席                      ユーロ 手元の石    A    T",
        "> A あゆ                    45,500       30    3    2",
        "  B Ben                     20,000       31    1    1  グレイマーケット支配",
        "  C ちひろ                       0       36    0    0",
        "Bの手札(括弧内は盗難時の金額):",
        "  T 101: 青12,000(6,000)、緑10,000(4,000) / 黒2個、青",
        "  A 1番「密輸」",
        "Tの山札: 83枚、捨て札0枚。Aの山札: 73枚、捨て札0枚。",
        "A170: Aのカード170、a170: この手番に積んだもの、?: 伏せカード付き、s: 密輸、x:",
        "エクスプレス、+: メガ輸送。n15EU: ヨーロッパ行きの中立カードn15。5(2):",
        "5個のうち2個がこの手番に到着。x: 受け入れない色。",
    ]


@pytest.mark.rule("itc 16.2")
def test_a_spectator_sees_no_cards() -> None:
    shown = "\n".join(board(sample(), eyes()))
    assert "Cards of" not in shown
    assert "A105?" in shown
    assert look("hand", sample(), eyes()) == ["You have no cards in this game."]


@pytest.mark.rule("itc 16.3", "itc 11.5")
def test_what_lies_under_a_load_is_shown_to_its_owner_and_once_shown_to_all() -> None:
    load = Load((TCard(170),), A, Under.HIDDEN, fresh=False)
    assert cell(load, Under.HIDDEN) == "A170?"
    assert cell(load, Under.SMUGGLING) == "A170s"
    assert cell(but(load, under=Under.EXPRESS), Under.EXPRESS) == "A170x"
    assert cell(but(load, fresh=True), Under.HIDDEN) == "a170?"


def test_narrow_pages_stack_the_routes() -> None:
    shown = board(sample(), eyes(A), TextPage(width=40))
    assert [line.strip() for line in shown if line.strip() in ("Grey", "Red", "Blue", "Green")] == [
        "Grey",
        "Blue",
    ]
    assert any("Grey" in line or "Red" in line for line in shown)
    assert "   Red" in [line[:6] for line in board(sample(), eyes(A), TextPage(width=24))]


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("lang", LANGS)
def test_no_text_is_wider_than_the_page(seats: int, lang: str) -> None:
    chance = FastChance(seats)
    state: State = GAME.setup(GAME.info.complete({}), seats, chance).state
    page = TextPage(lang="ja" if lang == "ja" else "en", name_of=lambda seat: f"なまえ{seat}さん")
    for number in range(160):
        seat = state.turn.seat
        moves = GAME.plain(state, seat)
        if number % 10 == 0:
            seen = eyes(seat)
            view = GAME.seen(state, seen)
            texts = [
                GAME.text(view, seen, page).board(),
                GAME.text(view, seen, page).show_moves(moves),
            ]
            texts += [GAME.text(view, seen, page).look(area.value) for area in GAME.texts.areas]
            wide = [line for text in texts for line in text.splitlines() if columns(line) > 80]
            assert wide == []
        state = GAME.play(state, seat, moves[chance.pick(len(moves))], chance).state


STATES: Final = {
    "setting up": (
        but(table(), phase=Phase.PLACING, round=0),
        "I.T.C., before the first round. The goal is 200,000 euro.",
    ),
    "placing": (
        but(table(), phase=Phase.PLACING, round=0),
        "Seat 1 (A) is to put a stone on a continent.",
    ),
    "dice": (but(table(), phase=Phase.DICE), "Seat 1 (A) is to choose two dice."),
    "rolled": (
        rolled(table(), green=7, red=4),
        "Seat 1 (A) is to use one of the dice: green 7, red 4.",
    ),
    "acting": (table(points=1), "Seat 1 (A) is to act: green die, 1 point left."),
    "discarding": (
        but(
            table(hands={A: [100, 101, 102, 103, 104, 105, 110]}),
            phase=Phase.DISCARDING,
        ),
        "Seat 1 (A) is to discard 1 card.",
    ),
    "over": (
        but(table(money={B: 200_000}), phase=Phase.OVER),
        "The game is over. Winner: Seat 2.",
    ),
    "last": (table(last=True), "The goal is reached: this is the last round."),
}


@pytest.mark.parametrize(("state", "status"), STATES.values(), ids=STATES)
def test_the_status_says_who_is_to_do_what(state: State, status: str) -> None:
    assert status in GAME.text(GAME.seen(state, eyes()), eyes(), PLAIN).status()


def test_the_status_says_what_all_people_has() -> None:
    state = table(money={A: 12_500})
    assert GAME.text(GAME.seen(state, eyes()), eyes(), PLAIN).status()[-1] == (
        "Seat 1: 12,500 euro. Seat 2: 0 euro."
    )


BUSY: Final = {
    "selling": (Selling(NA, 2), "Selling in North America; stones used so far: 2."),
    "dropping": (
        Dropping(TCard(170), (0, 0, 1, 2, 0, 0)),
        "Of load 170 will go to the grey market: red, green x2.",
    ),
    "resettling": (
        Resettling(Place.ASIA, 4),
        "New location Asia: up to 4 more stones may come.",
    ),
    "organizing": (
        Organizing(Place.ASIA, (A, B)),
        "Stones from Asia to the grey market so far: 2, at most 3.",
    ),
}


@pytest.mark.parametrize(("busy", "status"), BUSY.values(), ids=BUSY)
def test_the_board_says_what_a_person_is_in_the_middle_of(
    busy: Selling | Dropping | Resettling | Organizing, status: str
) -> None:
    state = table(stones={Place.ASIA: (1, 1)})
    assert status in board(but(state, turn=but(state.turn, busy=busy, extra=1)), eyes())


def test_points_that_only_pay_for_sales_are_reported() -> None:
    state = table()
    shown = board(but(state, turn=but(state.turn, extra=1)), eyes())
    assert "1 more point for sales on continents." in shown


@pytest.mark.rule("itc 12.8")
def test_goods_of_this_turn_stand_in_brackets() -> None:
    state = table()
    store = but(state.places[NA], goods=(5, 0, 0, 0, 0, 1), fresh=(2, 0, 0, 0, 0, 1))
    shown = board(but(state, places=state.places.put(NA, store)), eyes())
    (line,) = (line for line in shown if line.startswith("North America"))
    assert line.split()[:9] == ["North", "America", "NA", "5(2)", "x", ".", ".", ".", "1(1)"]


def test_a_hand_is_shown_with_what_each_card_does() -> None:
    assert look("hand", sample(), eyes(A)) == [
        "Cards of A (in brackets: the pay after a theft):",
        "  T 120: grey 19,000 (16,500), red 17,000 (14,500); black, white x4",
        "  T 300: grey 48,000 (42,000), green 30,000 (24,000); black, green x2, yellow",
        "    x2, blue x2",
        "  4 Neutral loads advance: all neutral loads advance once.",
        "  8 Good sales: one more point for a sale on a continent; with the green or red",
        "    die.",
        "  12 Political unrest (Asia): the player with the most stones on the continent",
        "    loses one.",
    ]
    assert look("hand", sample(), eyes(C)) == [
        "Cards of C (in brackets: the pay after a theft):",
        "  none",
    ]


def test_a_route_is_shown_load_by_load() -> None:
    assert look("red", sample(), eyes(A)) == [
        "red route, the foremost load first:",
        "  row 3, column 1: A's 100, 14,000 euro, robbed 9,500: black, green, yellow",
        "  row 3, column 2: n07 (to Asia): black, green, yellow",
        "  row 3, column 3: C's 102, 14,000 euro, robbed 10,500: red, green x2 [under it:",
        "    a hidden card]",
    ]
    assert look("grey", sample(), eyes(A), JAPANESE) == [
        "グレイルート(先頭から):",
        "  7段目1列: Bの195、31,000ユーロ、盗難時26,500: 黒、白2個、緑、黄2個",
        "  7段目1列: Bの205、33,000ユーロ、盗難時30,500: 黒4個、白5個",
        "  1段目1列: Aの105、17,000ユーロ、盗難時14,500: 黒4個、白 [下のカード: 密輸]",
    ]
    assert look("green", sample(), eyes(A)) == [
        "green route, the foremost load first:",
        "  no loads",
    ]


@pytest.mark.rule("itc 9.1")
def test_a_load_of_this_turn_is_instructed_to_be_new() -> None:
    state = table(loads={Route.BLUE: {11: "A170"}})
    spaces = state.routes[Route.BLUE]
    fresh = spaces.put(Space(11), but(spaces[Space(11)], fresh=True))
    state = but(state, routes=state.routes.put(Route.BLUE, fresh))
    assert look("blue", state, eyes())[1].endswith("red, green x4 [loaded in")
    assert "│a170 │" in "\n".join(board(state, eyes(), TextPage()))


@pytest.mark.rule("itc 1.2", "itc 3.1")
def test_the_price_card_lies_open() -> None:
    shown = look("prices", table(), eyes())
    assert shown[1] == "  black: 2,000, 1,000"
    assert shown[4] == "  green: 3,500, 2,500"
    assert shown[-1] == "  green route: 5,000"


@pytest.mark.rule("itc 16.1")
def test_the_discards_lie_open() -> None:
    state = table()
    assert look("discards", state, eyes())[0] == "Discarded T cards: none."
    used = but(
        state,
        used_transports=Keyed({TCard(170): True, TCard(5): True}),
        used_actions=Keyed({ACard("12-asia"): 1, ACard("4"): 2}),
    )
    assert look("discards", used, eyes()) == [
        "Discarded T cards: 170.",
        "Discarded neutral cards: n05.",
        "Discarded A cards: 4 Neutral loads advance x2, 12 Political unrest (Asia).",
    ]


def test_income_is_reported_by_source() -> None:
    assert look("income", sample(), eyes())[:2] == [
        "Seat 1: 45,500 euro. Transport 45,500, smuggling 0, thefts 0, sales 0, sales in",
        "  the grey market 0.",
    ]


@pytest.mark.rule("itc 4.1", "itc 5.1")
def test_a_card_says_what_is_printed_on_it() -> None:
    texts = {key: GAME.phrases.say(f"about.{key}", "en") for key in ("170", "n15")}
    assert texts == {
        "170": "T 170: lands for blue 20,500 (17,000), green 17,000 (13,500), in brackets after a "
        "theft, and brings red, green x4.",
        "n15": "n15 (to Europe): nobody's load. It enters by blue, else by green, advances when "
        "neutral cards are drawn, and brings white, yellow, blue.",
    }


@pytest.mark.rule("itc 1.4")
def test_action_cards_say_what_they_do_and_by_which_paragraph() -> None:
    lines = look("actions", table(), eyes(), JAPANESE)
    text = "12番「政治不安」: 大陸で石が最も多い人は石を1個失う。(80枚中6枚、ルール11.22)"
    assert text in "".join(line.strip() for line in lines)
    assert len([line for line in lines if not line.startswith(" ")]) == 20


@pytest.mark.parametrize("number", range(1, 21))
def test_the_paragraph_of_an_action_card_is_about_it(number: int) -> None:
    english, japanese = GAME.rules[f"11.{number + 10}"]
    assert english.startswith((f"{number},", f"{number} ("))
    assert japanese.startswith(f"{number}番")


def legal(state: State) -> list[Move]:
    return list(GAME.legal(state, state.turn.seat))


@pytest.mark.rule("itc 17.2")
def test_legal_moves_are_listed_verb_by_verb() -> None:
    shown = GAME.text(sample(), frozenset(), PLAIN).show_moves(legal(sample())).splitlines()
    at = shown.index("Load a T card, by card, route and column, e.g. /load 300 grey 2")
    assert shown[at + 1 : at + 5] == [
        "    120 grey: 2",
        "    120 red: 1  2  3",
        "    300 green: 1  2",
        "    300 grey: 2",
    ]
    assert "End the turn: /end" in shown
    japanese = GAME.text(sample(), frozenset(), JAPANESE).show_moves(legal(sample())).splitlines()
    assert "    120 グレイ: 2" in japanese
    assert "    170: アジア  オーストラリア  ヨーロッパ  北アメリカ  南アメリカ" in japanese


@pytest.mark.rule("itc 17.1")
def test_every_term_of_a_japanese_list_may_be_typed() -> None:
    for position in Place:
        term = GAME.phrases.label("spot", position, "ja")
        assert GAME.grammar.verbs["stone"].slots[0].read(tokens_of(term), 0)[0] is position
    slots = {
        "route": (Route, GAME.grammar.verbs["load"].slots[1]),
        "good": (Good, GAME.grammar.verbs["drop"].slots[1]),
        "die": (Die, GAME.grammar.verbs["use"].slots[0]),
        "side": (Side, GAME.grammar.verbs["move"].slots[1]),
    }
    for kind, (values, slot) in slots.items():
        for value in values:
            term = GAME.phrases.label(kind, value, "ja")
            assert slot.read(tokens_of(term), 0)[0] is value
    for under in (Under.SMUGGLING, Under.EXPRESS):
        term = GAME.phrases.label("under", under, "ja")
        assert GAME.grammar.verbs["hide"].slots[3].read(tokens_of(term), 0)[0] is under


def test_dice_are_listed_in_pairs() -> None:
    state = but(table(), phase=Phase.DICE)
    shown = GAME.text(state, frozenset(), PLAIN).show_moves(legal(state)).splitlines()
    assert shown[1] == "    blue green  blue red  green red"
    japanese = GAME.text(state, frozenset(), JAPANESE).show_moves(legal(state)).splitlines()
    assert japanese[1] == "    青 緑  青 赤  緑 赤"
