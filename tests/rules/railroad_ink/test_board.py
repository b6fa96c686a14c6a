"""The table as text: paragraph 12.4 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import but
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.pieces import ORIENTATIONS, Piece, Square, Turn
from bluebear.rules.railroad_ink.rules.state import Drawn, State
from bluebear.rules.railroad_ink.text.ascii_board import ASCII, LINED, draw_map, draw_piece
from tests.rules.railroad_ink.scene import PLAIN, A, B, C, board, drawn, eyes, play, table
from tests.rules.railroad_ink.test_examples import TWO_NETWORKS

DICE = "road_t road_t rail_straight overpass"
JAPANESE = TextPage(lang="ja", name_of=lambda seat: ["", "あゆ", "Ben", "ちひろ"][seat])


def scene() -> State:
    """A has joined its two networks this round; B has begun."""
    before = table(TWO_NETWORKS, "A4 road_straight 1", dice=DICE)
    return play(before, "/special 2 B6 2", "/draw road_t B1 1", "2 /draw overpass F1 0")


@pytest.mark.rule("railroad_ink 12.4")
def test_the_complete_table_in_plain_english() -> None:
    assert board(scene(), A) == [
        "Railroad Ink, round 6 of 7.",
        "Dice: road T, road T, straight railway, overpass",
        "Still drawing: Seat 1, Seat 2",
        "",
        "      A   B   C   D   E   F   G        Your dice",
        "          H       |       H              1 # road T             B1 nes",
        "          H       |                      2 # road T             to draw",
        "1     .   #==x.   |   .   .   .          3 | straight railway   to draw",
        "          Hx      |                      4 X overpass           to draw",
        "2 --  .   .   .   |   .   .   .  --",
        "                  |                    Special route 2 drawn: B6 n-esw (2 more",
        "3     .   .   :   |   :   .   .          later)",
        "                  |                      1:new-s 3:nesw 4:nesw 5:ne-sw 6:ns-ew",
        "4 ========#=======X================",
        "          H       |                    Score 40",
        "5     .   H   :   |   :   .   .          Exits                20",
        "          H       |                      Longest road          8",
        "6 --------@-------+   .   .   .  --      Longest railway       9",
        "          |       |                      Centre                5",
        "7     .   @   .   |   .   .   .          Open ends            -2",
        "          H       |",
        "          H       |       H",
        "",
        "Seat              State     Exits   Road   Rail Centre   Open  Score  Special",
        "1 Seat 1          draws        20      8      9      5     -2     40* 2",
        "2 Seat 2          draws         0      1      0      0     -1      0  -",
        "=H road, -| railway, @ station, X overpass, x open end, : centre, * so far",
        "/look all shows all boards, /look 2 that of seat 2; this round's drawings of",
        "  others when you and they are done.",
    ]


@pytest.mark.rule("railroad_ink 12.4")
def test_the_complete_table_in_japanese() -> None:
    assert board(scene(), B, page=JAPANESE) == [
        "レイルロード・インク ラウンド6/7。",
        "ダイス: 三叉道路、三叉道路、直線線路、立体交差",
        "記入中: あゆ、Ben",
        "",
        "      A   B   C   D   E   F   G        このラウンドの目",
        "          ║       │       ║              1 ╩ 三叉道路           未記入",
        "                          ║              2 ╩ 三叉道路           未記入",
        "1     ·   ·   ·   ·   ·×──╫──×·          3 │ 直線線路           未記入",
        "                          ║×             4 ╫ 立体交差           F1 ns-ew",
        "2 ──  ·   ·   ·   ·   ·   ·   ·  ──",
        "                                       スペシャルルート(あと3つ、",
        "3     ·   ·   :   :   :   ·   ·          1ラウンド1つまで)",
        "                                         1:new-s 2:s-new 3:nesw 4:nesw 5:ne-sw",
        "4 ═══════×·   :   :   :   ·   ·  ══      6:ns-ew",
        "",
        "5     ·   ·   :   :   :   ·   ·        得点 -2",
        "                                         出口                  0",
        "6 ──  ·   ·   ·   ·   ·   ·   ·  ──      最長道路              1",
        "                                         最長線路              1",
        "7     ·   ·   ·   ·   ·   ·   ·          中央エリア            0",
        "                                         途切れ               -4",
        "          ║       │       ║",
        "",
        "席                状態       出口   道路   線路   中央 途切れ   得点  特別",
        "1 あゆ            記入中        8      7      7      5     -4     23  -",
        "2 Ben             記入中        0      1      1      0     -4     -2* -",
        "═║道路 ─│線路 ■駅 ╪立体交差 ×途切れ :中央エリア *このラウンドを含む",
        "/眺める 全員 で全員の、/眺める 2 で席2の盤面が見られます。ほかの人のこの",
        "  ラウンドの線は、互いに完了すると見えます。",
    ]


@pytest.mark.rule("railroad_ink 12.4")
def test_a_spectator_sees_the_boards_side_by_side() -> None:
    shown = board(scene())
    assert shown[4] == "Seat 1: 23                             Seat 2: 0"
    assert "Your dice" not in "\n".join(shown)
    many = board(table(dice=DICE, seats=5))
    assert len(many) == 3 + 1 + 1 + 5 + 1 + 2, "a line for each seat, and how to look"
    assert many[-2].startswith("/look all")


@pytest.mark.rule("railroad_ink 12.4")
@pytest.mark.parametrize("piece", list(Piece))
def test_every_piece_looks_different_in_every_turn(piece: Piece) -> None:
    """Alone on the board and in the list of pieces, in plain ASCII too."""
    for signs in (LINED, ASCII):
        for other in Piece:
            for turn in ORIENTATIONS[piece]:
                of_seat = {Square("D4"): Drawn(piece, turn, 1)}
                for another in ORIENTATIONS[other]:
                    theirs = {Square("D4"): Drawn(other, another, 1)}
                    same = (piece, turn) == (other, another)
                    assert (draw_map(of_seat, signs) == draw_map(theirs, signs)) is same
                    similar = draw_piece(piece, turn, signs) == draw_piece(other, another, signs)
                    assert similar is same


def picture(text: str, *, rounds: bool = False) -> list[str]:
    return draw_map(drawn(text), LINED, rounds=rounds)


@pytest.mark.rule("railroad_ink 12.4")
def test_exits_border_and_open_ends_look_different() -> None:
    """B1 reaches its exit, A1 the plain border, A2 faces the free square B2 and its exit."""
    assert picture("B1 road_t 3, A1 road_curve 3, A2 rail_straight 1")[:6] == [
        "      A   B   C   D   E   F   G",
        "          ║       │       ║",
        "      ║   ║",
        "1   ══╝×══╣   ·   ·   ·   ·   ·",
        "          ║×",
        "2 ───────×·   ·   ·   ·   ·   ·  ──",
    ]


@pytest.mark.rule("railroad_ink 12.4")
def test_stations_and_overpasses_look_different() -> None:
    shown = picture("C3 overpass 0, E3 overpass 1, C5 station_straight 1")
    assert shown[7] == "3     ·   ·×──╫──×:×══╪══×·   ·"
    assert shown[11] == "5     ·   ·×──■══×:   :   ·   ·"


@pytest.mark.rule("railroad_ink 4.5", "railroad_ink 12.4")
def test_round_numbers_are_shown_on_demand() -> None:
    text = "A4 road_straight 1, B4 road_t 2, C4 road_curve 2, B5 road_straight 0, B6 road_curve 0"
    assert picture(text, rounds=True)[9:14] == [
        "4 ════1═══1═══1   :   :   ·   ·  ══",
        "          ║   ║×",
        "5     ·   1   :   :   :   ·   ·",
        "          ║",
        "6 ──  ·   2══×·   ·   ·   ·   ·  ──",
    ]
    before = play(table(text, dice=DICE), "/draw road_t C6 3")
    view = GAME.seen(before, eyes(A))
    shown = GAME.text(view, eyes(A), PLAIN).look("rounds").splitlines()
    assert shown[0].startswith("Seat 1: ")
    assert shown[14] == "6 --  .   2===3   .   .   .   .  --"


@pytest.mark.rule("railroad_ink 12.4")
def test_a_board_looked_at_closely_names_networks_and_open_ends() -> None:
    view = GAME.seen(scene(), eyes(B))
    shown = GAME.text(view, eyes(B), PLAIN).look("seat1").splitlines()
    assert shown[0] == "Seat 1: 23"
    assert shown[19:] == [
        "",
        "Points: Exits 8, Longest road 7, Longest railway 7, Centre 5, Open ends -4",
        "Joined exits: D1, D7 (4)",
        "Joined exits: G4, A4 (4)",
        "Exits joined to no other: B7, A6",
        "Open ends: A6 east, B5 south, B7 north, C6 west",
        "What Seat 1 has drawn this round is hidden until you both are done.",
    ]
    private = GAME.text(GAME.seen(scene(), eyes(A)), eyes(A), JAPANESE).answer("show", {})
    assert private.splitlines()[20:] == [
        "内訳: 出口 20、最長道路 8、最長線路 9、中央エリア 5、途切れ -2",
        "つながった出口: D1、G4、B7、D7、A4、A6 (20点)",
        "ほかとつながっていない出口: B1",
        "途切れ: B1 東、B1 南",
    ]


@pytest.mark.rule("railroad_ink 12.4")
def test_all_boards_and_all_pieces_can_be_looked_at() -> None:
    view = GAME.seen(scene(), eyes(A))
    assert GAME.text(view, eyes(A), PLAIN).look("all").splitlines()[0] == (
        "Seat 1: 40                             Seat 2: 0"
    )
    for lang in LANGS:
        text = GAME.text(view, eyes(A), TextPage(lang=lang)).look("pieces")
        assert all(piece.value in text for piece in Piece)
        assert "station_curve: 0=n-e 1=e-s 2=s-w 3=w-n 0m=n-w 1m=e-n 2m=s-e 3m=w-s" in text


def test_a_seat_that_is_not_there_cannot_be_looked_at() -> None:
    view = GAME.seen(scene(), eyes(A))
    with pytest.raises(NotAllowed) as caught:
        GAME.text(view, eyes(A), PLAIN).look("seat3")
    assert caught.value.code == "nobody_there"


@pytest.mark.rule("railroad_ink 12.4")
def test_drawings_of_the_rest_stand_on_the_board_when_both_are_done() -> None:
    before = table("", "", "", dice="rail_curve rail_curve rail_straight overpass")
    for seat in (A, B, C):
        before = play(
            before,
            "/draw rail_curve A2 2",
            "/draw rail_curve A6 3",
            "/draw rail_straight D1 0",
            "/draw overpass B1 0",
            seat=seat,
        )
    done = play(before, "/done", "2 /done")
    rows = board(done, A)[-6:-3]
    assert [row.split()[3] for row in rows] == ["done", "done", "draws"]
    assert [("*" in row) for row in rows] == [True, True, False]


@pytest.mark.rule("railroad_ink 12.4")
def test_special_routes_that_are_left() -> None:
    none = "\n".join(board(table("D1 special_4 0, B1 special_3 0, F1 special_1 0"), A))
    assert "No special routes left" in none
    two = "\n".join(board(table("D1 special_4 0"), A))
    assert "Special routes (2 more, one a round)" in two
    assert "1:new-s 2:s-new 3:nesw 5:ne-sw" in two
    assert "4:nesw" not in two


@pytest.mark.rule("railroad_ink 12.4")
def test_the_end_names_the_winners() -> None:
    before = but(table("A4 road_straight 1, B4 road_curve 2", "", dice=DICE), over=True)
    view = GAME.seen(before, eyes())
    assert list(GAME.text(view, eyes(), PLAIN).status()) == [
        "Railroad Ink, round 2 of 7.",
        "The game is over. Winner: Seat 1",
    ]
    shown = board(before, A)
    assert "Your dice" not in "\n".join(shown)
    assert "Score 1" in "\n".join(shown)


@pytest.mark.rule("railroad_ink 12.4")
@pytest.mark.parametrize("width", [60, 72, 80, 120])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seats", [1, 2, 12])
def test_a_board_keeps_within_the_width_of_its_page(width: int, lang: Lang, seats: int) -> None:
    before = table(*[TWO_NETWORKS] * seats, dice="rail_straight rail_straight rail_t overpass")
    before = play(before, "/special 2 B6 2", "/draw rail_straight G2 1")
    page = TextPage(lang=lang, width=width, name_of=lambda seat: f"名前の長い人{seat}")
    for seen in (eyes(), eyes(A)):
        view = GAME.seen(before, seen)
        texts = [GAME.text(view, seen, page).board()]
        texts += [
            GAME.text(view, seen, page).look(area) for area in ("rounds", "all", "pieces", "seat1")
        ]
        texts.append(GAME.text(before, frozenset(), page).show_moves(list(GAME.legal(before, A))))
        for text in texts:
            assert max(map(columns, text.splitlines())) <= width


@pytest.mark.parametrize(("width", "is_shown"), [(69, False), (70, True)])
def test_a_narrow_page_leaves_out_who_is_done(width: int, is_shown: bool) -> None:
    before = table(TWO_NETWORKS, TWO_NETWORKS, dice="rail_straight rail_straight rail_t overpass")
    shown = GAME.text(GAME.seen(before, eyes(A)), eyes(A), TextPage(width=width)).board()
    assert any("State" in line and "Exits" in line for line in shown.splitlines()) is is_shown


@pytest.mark.rule("railroad_ink 12.4")
def test_a_narrow_page_has_the_panel_below() -> None:
    shown = board(scene(), A, page=TextPage(width=60, ascii=True))
    assert shown[4] == "      A   B   C   D   E   F   G"
    assert shown[23] == "Your dice"


def test_two_pairs_of_eyes_see_two_boards() -> None:
    shown = board(scene(), A, B)
    assert [line for line in shown if line.startswith("Seat ") and "State" not in line] == [
        "Seat 1" + " " * 33 + "Your dice",
        "Seat 2" + " " * 33 + "Your dice",
    ]


def test_the_glyph_of_a_turn_is_that_of_its_arms() -> None:
    assert draw_piece(Piece.ROAD_T, Turn("2"), LINED) == ["     ", "══╦══", "  ║  "]


@pytest.mark.rule("railroad_ink 6.1")
def test_who_is_done_has_no_dice_left_to_draw() -> None:
    def left(made: State) -> str | None:
        return GAME.text(made, eyes(A), PLAIN).on_this_table().get("6")

    assert left(scene()) == "Dice still to draw: Seat 1: 3."
    seats = scene().seats
    assert left(but(scene(), seats=seats.put(A, but(seats[A], done=True)))) is None
