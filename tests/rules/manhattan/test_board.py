"""The table as text: paragraph 9.3 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import but
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.state import City, Phase
from tests.rules.manhattan.scene import A, B, C, board, building_turn, eyes, with_piles

PICTURES = {
    City.NEWYORK: "A1 . .  . B12 .  . . C3",
    City.SAOPAULO: "A2B2 . .  . . .  . . .",
    City.SYDNEY: ". . .  . A9B4A1 .  . . .",
}


@pytest.mark.rule("manhattan 9.3")
def test_the_complete_table_in_english() -> None:
    table = building_turn(PICTURES, chosen=(3, 1), hand=(2, 5, 5, 9), seats=3, stock=(2, 0, 1, 0))
    assert board(table, A).splitlines() == [
        "Manhattan, round 1 of 4. Start player: Seat 1.",
        "Seat 1 (A) is to build.",
        "",
        "       New York (N)         Sao Paulo (P)        Frankfurt (F)",
        "       +-----+-----+-----+  +-----+-----+-----+  +-----+-----+-----+",
        "1 2 3  |A1   |     |     |  |B4   |     |     |  |     |     |     |",
        "4 5 6  |     |B12* |     |  |     |     |     |  |     |     |     |",
        "7 8 9  |     |     |C3   |  |     |     |     |  |     |     |     |",
        "       +-----+-----+-----+  +-----+-----+-----+  +-----+-----+-----+",
        "       Cairo (C)            Hong Kong (H)        Sydney (S)",
        "       +-----+-----+-----+  +-----+-----+-----+  +-----+-----+-----+",
        "1 2 3  |     |     |     |  |     |     |     |  |     |     |     |",
        "4 5 6  |     |     |     |  |     |     |     |  |     |A14* |     |",
        "7 8 9  |     |     |     |  |     |     |     |  |     |     |     |",
        "       +-----+-----+-----+  +-----+-----+-----+  +-----+-----+-----+",
        "",
        "    Seat                 Score   Blocks to build  Stock",
        "> A Seat 1                   0   3 1              1x2 3x1",
        "  B Seat 2                   0   3 1              1x2 3x1",
        "  C Seat 3                   0   3 1              1x2 3x1",
        "Cards of A: 2 (top middle) 5 (middle) 5 (middle) 9 (bottom right)",
        "Deck: 33 cards.",
        "A12*: 12 floors, A on top, and nobody can take it over.",
    ]


@pytest.mark.rule("manhattan 9.3")
def test_the_complete_table_in_japanese() -> None:
    table = building_turn(PICTURES, chosen=(3, 1), hand=(2, 5, 5, 9), seats=3, stock=(2, 0, 1, 0))
    page = TextPage(lang="ja", name_of=lambda seat: ["", "あゆ", "Ben", "ちひろ"][seat])
    seen = eyes(B)
    assert GAME.text(GAME.seen(table, seen), seen, page).board().splitlines() == [
        "マンハッタン ラウンド1/4。スタートプレイヤー: あゆ。",
        "あゆ(A)が建てる番です。",
        "",
        "       ニューヨーク (N)     サンパウロ (P)       フランクフルト (F)",
        "       ┌─────┬─────┬─────┐  ┌─────┬─────┬─────┐  ┌─────┬─────┬─────┐",
        "1 2 3  │A1   │     │     │  │B4   │     │     │  │     │     │     │",
        "4 5 6  │     │B12* │     │  │     │     │     │  │     │     │     │",
        "7 8 9  │     │     │C3   │  │     │     │     │  │     │     │     │",
        "       └─────┴─────┴─────┘  └─────┴─────┴─────┘  └─────┴─────┴─────┘",
        "       カイロ (C)           香港 (H)             シドニー (S)",
        "       ┌─────┬─────┬─────┐  ┌─────┬─────┬─────┐  ┌─────┬─────┬─────┐",
        "1 2 3  │     │     │     │  │     │     │     │  │     │     │     │",
        "4 5 6  │     │     │     │  │     │     │     │  │     │A14* │     │",
        "7 8 9  │     │     │     │  │     │     │     │  │     │     │     │",
        "       └─────┴─────┴─────┘  └─────┴─────┴─────┘  └─────┴─────┴─────┘",
        "",
        "    席                    得点   今回のコマ       ストック",
        "> A あゆ                     0   3 1              1x2 3x1",
        "  B Ben                      0   3 1              1x2 3x1",
        "  C ちひろ                   0   3 1              1x2 3x1",
        "Bのカード: 1(左上) 2(上中央) 3(右上) 4(左中央)",
        "山札: 33枚。",
        "A12*: 12階建て、所有者はA、もう誰にも奪えません。",
    ]


@pytest.mark.rule("manhattan 9.3")
@pytest.mark.parametrize(
    ("placed", "stock", "marked"),
    [
        ("A5", (0, 0, 0, 1), True),
        ("A4", (0, 0, 0, 1), False),
        ("A4", (1, 0, 1, 0), True),
        ("B1A5", (0, 0, 0, 1), False),
        ("B1A6", (0, 0, 0, 1), True),
    ],
)
def test_a_building_is_marked_when_no_block_that_is_left_can_take_it(
    placed: str, stock: tuple[int, ...], marked: bool
) -> None:
    table = building_turn({City.NEWYORK: f"{placed} . .  . . .  . . ."}, stock=stock)
    row = board(table).splitlines()[5]
    assert row.startswith("1 2 3  |A")
    assert ("*" in row) is marked


@pytest.mark.rule("manhattan 9.3")
def test_a_chosen_block_counts_as_one_that_is_left() -> None:
    table = building_turn(
        {City.NEWYORK: "A4 . .  . . .  . . ."},
        stock=(1, 0, 0, 0),
        chosen=(1,),
        rest_chosen=(4,),
    )
    assert "*" not in board(table).splitlines()[5]


@pytest.mark.rule("manhattan 9.3")
def test_discards_are_counted_for_those_who_count() -> None:
    table = with_piles(building_turn(), deck=[3] * 9, discards=(0, 2, 0, 0, 8, 0, 0, 0, 0))
    assert "Deck: 27 cards. Discarded: 2x2 5x8" in board(table).splitlines()


@pytest.mark.rule("manhattan 9.3")
def test_a_spectator_sees_no_cards() -> None:
    assert "Cards of" not in board(building_turn())


@pytest.mark.rule("manhattan 9.3")
def test_whoever_has_several_eyes_sees_several_hands() -> None:
    shown = board(building_turn(seats=3), A, C)
    assert [line[:10] for line in shown.splitlines() if "Cards" in line] == [
        "Cards of A",
        "Cards of C",
    ]


@pytest.mark.rule("manhattan 9.3")
@pytest.mark.parametrize("width", [60, 70, 80, 120])
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_board_keeps_within_the_width_of_its_page(width: int, lang: Lang, turned: bool) -> None:
    table = building_turn(
        PICTURES,
        hand=(2, 6, 8, 9),
        chosen=(4, 4, 4, 3, 3, 3),
        turn=B,
        seats=4,
        turned_cards=turned,
    )
    page = TextPage(lang=lang, width=width, name_of=lambda seat: "名前の長い人" * seat)
    seen = eyes(A, B)
    texts = GAME.text(GAME.seen(table, seen), seen, page).board().splitlines()[2:]
    assert max(map(columns, texts)) <= width


@pytest.mark.rule("manhattan 9.3")
def test_a_narrow_page_has_fewer_cities_side_by_side() -> None:
    seen = eyes()
    view = GAME.seen(building_turn(), seen)
    drawn = GAME.text(view, seen, TextPage(width=60, ascii=True)).board().splitlines()
    assert drawn[3] == "       New York (N)         Sao Paulo (P)"


@pytest.mark.rule("manhattan 9.3")
def test_the_end_names_the_winners() -> None:
    table = but(building_turn(), phase=Phase.OVER)
    seen = eyes()
    assert list(GAME.text(GAME.seen(table, seen), seen, TextPage()).status()) == [
        "Manhattan, round 1 of 4. Start player: Seat 1.",
        "The game is over. Winner: Seat 1, Seat 2.",
    ]
