"""What people type: paragraphs 12.1 and 12.2 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.core.visibility import but
from bluebear.rules.railroad_ink import GAME
from bluebear.rules.railroad_ink.rules.pieces import FACES, ORIENTATIONS, TURNS, Piece, letters_of
from bluebear.rules.railroad_ink.text.commands import turns_written
from tests.rules.railroad_ink.scene import (
    PLAIN,
    A,
    B,
    eyes,
    lines,
    play,
    refusal,
    refusal_text,
    table,
    typed,
)

DICE = "rail_curve road_t road_straight station_curve"
HERE = "A4 road_straight 1, B4 road_straight 1"


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize(
    "text",
    [
        "/draw road_t C4 2",
        "/draw road_t c4 esw",
        "/draw road_t C4 wse",
        "/draw road_t C4 2m",
        "/draw road_t C4 m2",
        "/d ht c4 2",
        "/draw 2 C4 2",
        "/draw 2 c4 esw",
        "/2C4esw",
        "/2 c4 2",
        "/2c4 2",
        "/draw turn=2 road_t C4",
        "/draw road t C4 2",
        "/draw Road T 4c esw",
        "/描く 三叉道路 Ｃ４ ２",
        "/描く 三叉道路 C4 東南西",
        "/描く 2 C4 右下左",
        "/２Ｃ４東南西",
    ],
)
def test_a_face_may_be_named_and_turned_in_many_forms(text: str) -> None:
    assert typed(table(HERE, dice=DICE), text) == "/draw road_t C4 2"


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/draw road_straight C4 3", "/draw road_straight C4 1"),
        ("/draw road_straight C4 we", "/draw road_straight C4 1"),
        ("/draw hs C4", "/draw road_straight C4 1"),
        ("/3C4", "/draw road_straight C4 1"),
        ("/draw straight road C4", "/draw road_straight C4 1"),
        ("/描く 直線 道路 C4", "/draw road_straight C4 1"),
        ("/draw railway curve A6 2", "/draw rail_curve A6 2"),
        ("/draw curved station 4C 2m", "/draw station_curve C4 2m"),
        ("/draw station_curve C4 w-n", "/draw station_curve C4 3"),
        ("/draw station_curve C4 西-北", "/draw station_curve C4 3"),
        ("/draw station_curve C4 西ー北", "/draw station_curve C4 3"),
        ("/draw station_curve C4 nw", "/draw station_curve C4 3"),
        ("/draw station_curve C4 2m", "/draw station_curve C4 2m"),
        ("/draw 4 C4 2反転", "/draw station_curve C4 2m"),
        ("/draw 4 C4 sw", "/draw station_curve C4 3m"),
        ("/special 2 C4 w-nes", "/special 2 C4 1"),
        ("/s 2 c4 nesw", "/special 2 C4 1"),
        ("/s2c4w-nes", "/special 2 C4 1"),
        ("/s2c4", "/special 2 C4 1"),
        ("/特別 2 C4 西-北東南", "/special 2 C4 1"),
        ("/特2C4西-北東南", "/special 2 C4 1"),
        ("/special 3 C4", "/special 3 C4 0"),
        ("/special 6 C4 1", "/special 6 C4 1"),
        ("/special 6 C4 ew-ns", "/special 6 C4 1"),
    ],
)
def test_other_lines(text: str, line: str) -> None:
    assert typed(table(HERE, dice=DICE), text) == line


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize("text", ["/erase C4", "/x c4", "/戻す Ｃ４", "/消す c4", "/er C4"])
def test_taking_back(text: str) -> None:
    after = play(table(HERE, dice=DICE), "/draw road_t C4 2")
    assert typed(after, text) == "/erase C4"


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize("text", ["/done", "/完了", "/f", "/do"])
def test_being_done(text: str) -> None:
    assert typed(table(dice=DICE), text) == "/done"


@pytest.mark.rule("railroad_ink 12.1")
def test_undo_takes_back_the_last_drawing_or_a_named_one() -> None:
    after = play(table(HERE, dice=DICE), "/draw road_t C4 2", "/draw rail_curve A6 3")
    names = {what: GAME.take_back(after, A, what) for what in ("", "C4", "ｃ４", "D4", "B4", "x")}
    assert {what: move and GAME.grammar.format(move) for what, move in names.items()} == {
        "": "/erase A6",
        "C4": "/erase C4",
        "ｃ４": "/erase C4",
        "D4": None,
        "B4": None,
        "x": None,
    }
    assert GAME.take_back(table(HERE, dice=DICE), A, "") is None


@pytest.mark.rule("railroad_ink 12.1")
def test_a_line_is_one_line_however_it_is_turned() -> None:
    for piece, listed in ORIENTATIONS.items():
        for turn in TURNS:
            head = f"draw {piece}" if piece in GAME.grammar.verbs["draw"].slots[0].values() else ""
            head = head or f"special {piece[-1]}"
            line = f"/{head} C4 {turn}"
            if turn in listed:
                assert GAME.grammar.format(GAME.grammar.parse(line)) == line
            else:
                with pytest.raises(NotUnderstood):
                    GAME.grammar.parse(line)


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize("piece", list(Piece))
def test_sides_with_roads_before_railways_name_one_turn(piece: Piece) -> None:
    for turn in ORIENTATIONS[piece]:
        assert turns_written(piece, letters_of(piece, turn)) == [turn]


def test_sides_of_arms_are_not_written_twice() -> None:
    assert turns_written(Piece.ROAD_T, "ess") is None
    assert turns_written(Piece.ROAD_T, "esx") is None
    assert turns_written(Piece.ROAD_T, "") is None
    assert turns_written(Piece.ROAD_T, "es") == []
    assert turns_written(Piece.STATION_CURVE, "ne") == ["0", "1m"]


@pytest.mark.rule("railroad_ink 12.1")
def test_sides_that_a_piece_cannot_have_are_answered_with_those_it_can() -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed(table(HERE, dice=DICE), "/draw road_t C4 ns")
    assert caught.value.code == "no_such_sides"
    assert caught.value.candidates == ("new", "nes", "esw", "nsw")
    why = GAME.phrases.say("refusal.no_such_sides", "en", caught.value.params)
    assert why == "The road T cannot have its arms at ns."


@pytest.mark.rule("railroad_ink 12.1")
def test_sides_that_several_turns_have_are_prompted_about() -> None:
    before = table("C3 road_t 1, B4 rail_t 1, A4 road_straight 1", dice=DICE)
    assert typed(before, "/draw station_curve C4 nw") == "/draw station_curve C4 0m"
    with pytest.raises(Ambiguous) as caught:
        typed(table(dice=DICE), "/special 5 A4 nesw")
    assert caught.value.candidates == ("/special 5 A4 sw-ne", "/special 5 A4 nw-es")


@pytest.mark.rule("railroad_ink 12.1")
def test_without_a_legal_turn_the_refusal_says_why() -> None:
    before = table(HERE, dice=DICE)
    assert typed(before, "/draw station_curve C4 ne") == "/draw station_curve C4 0"
    assert refusal(before, "/draw station_curve C4 0").code == "not_joined"


@pytest.mark.rule("railroad_ink 12.1", "railroad_ink 12.2")
@pytest.mark.parametrize(
    ("text", "code"),
    [("/1A4", "occupied"), ("/draw rc C4", "not_joined"), ("/s4D4", "nothing_leads_there")],
)
def test_without_any_legal_turn_one_may_be_left_out(text: str, code: str) -> None:
    before = table(HERE, dice=DICE)
    assert refusal(before, typed(before, text)).code == code


@pytest.mark.rule("railroad_ink 12.1")
def test_a_turn_that_is_left_out_is_requested() -> None:
    with pytest.raises(Ambiguous) as caught:
        typed(table(HERE, dice=DICE), "/2C4")
    assert caught.value.candidates == (
        "/draw road_t C4 new",
        "/draw road_t C4 esw",
        "/draw road_t C4 nsw",
    )


@pytest.mark.rule("railroad_ink 12.1")
def test_a_die_that_is_drawn_names_what_is_left() -> None:
    after = play(table(HERE, dice=DICE), "/draw road_t C4 2")
    with pytest.raises(NotAllowed) as caught:
        typed(after, "/draw 2 D4 0")
    assert (caught.value.code, caught.value.rule) == ("die_drawn", "4.2")
    assert refusal_text(caught.value) == (
        "Die 2, road T, is drawn already."
        " Still to draw: railway curve, straight road, curved station."
    )


def test_the_second_of_two_equal_dice_may_be_named_first() -> None:
    before = table(HERE, dice="road_t road_t rail_t overpass")
    assert typed(before, "/2C4esw") == "/draw road_t C4 2"
    after = play(before, "/draw road_t C4 2")
    assert typed(after, "/1D4esw") == "/draw road_t D4 2"


def test_nothing_is_prompted_about_a_drawing_after_the_round() -> None:
    before = table(dice="rail_curve rail_curve rail_straight overpass", seats=2)
    after = play(
        before,
        "/draw rail_curve A2 2",
        "/draw rail_curve A6 3",
        "/draw rail_straight D1 0",
        "/draw overpass B1 0",
        "/done",
    )
    for text in ("/1C4", "/draw overpass F1", "/draw rail curve A6", "/special 3 F1"):
        with pytest.raises(NotAllowed) as caught:
            typed(after, text)
        assert (caught.value.code, caught.value.rule) == ("already_done", "4.3")


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize(
    ("text", "code", "near"),
    [
        ("/draw raod_t C4 2", "bad_argument", "road_t"),
        ("/draw road_t H4 2", "bad_argument", "G4"),
        ("/draw road_t C4 5", "bad_argument", "2"),
        ("/draw road_t C4 left", "bad_argument", "esw"),
        ("/draw road_t Z9 2", "bad_argument", "A1-G7"),
        ("/draw 5 C4 2", "bad_argument", "1-4"),
        ("/draw 5 C4 2", "bad_argument", "road_t"),
        ("/draw straight C4", "ambiguous", "road_straight"),
        ("/special 7 C4 2", "bad_argument", "1-6"),
        ("/special straight C4 2", "bad_argument", "1-6"),
    ],
)
def test_wrong_terms_are_answered_with_right_ones(text: str, code: str, near: str) -> None:
    with pytest.raises((NotUnderstood, Ambiguous)) as caught:
        typed(table(HERE, dice=DICE), text)
    assert caught.value.code == code
    assert near in caught.value.candidates


@pytest.mark.rule("railroad_ink 12.1")
@pytest.mark.parametrize("lang", LANGS)
def test_what_the_dice_are_called_on_the_table_names_them_in_lines(lang: Lang) -> None:
    for face in FACES:
        before = table("D4 special_3 0, C5 special_4 0", dice=" ".join([face.value] * 4))
        name = GAME.phrases.label("dice", face, lang)
        registered = {typed(before, f"/draw {name} {square} 0") for square in ("D5", "d5", "Ｄ５")}
        assert registered == {f"/draw {face} D5 0"}


@pytest.mark.rule("railroad_ink 12.2")
@pytest.mark.parametrize(
    ("line", "en", "ja"),
    [
        (
            "/draw rail_curve A4 3",
            "West side: a railway arm would meet the road exit at A4.",
            "西側: 線路がA4の道路の出口にぶつかります。",
        ),
        (
            "/draw rail_curve C5 0",
            "North side: a railway arm would meet a road of C4.",
            "北側: 線路がC4の道路にぶつかります。",
        ),
    ],
)
def test_a_refusal_names_the_side_and_what_it_meets(line: str, en: str, ja: str) -> None:
    why = refusal(table("C4 road_t 2", dice=DICE), line)
    assert refusal_text(why) == en
    assert refusal_text(why, "ja") == ja


@pytest.mark.rule("railroad_ink 12.2")
def test_a_refusal_names_what_would_be_right() -> None:
    why = refusal(table("C4 road_t 2", dice=DICE), "/draw rail_curve A6 0")
    assert why.code == "not_joined"
    assert why.candidates == ("/draw rail_curve A6 sw", "/draw rail_curve A6 nw")


@pytest.mark.rule("railroad_ink 12.2", "railroad_ink 6.1")
@pytest.mark.parametrize(
    "line", ["/draw road_t D1 0", "/draw rail_curve D4 0", "/special 5 C4 0", "/done"]
)
def test_what_a_refusal_names_may_be_drawn(line: str) -> None:
    before = table("C3 rail_straight 0, B4 road_straight 1", dice=DICE)
    named = refusal(before, line).candidates
    assert named
    for text in named:
        play(before, typed(before, text))


@pytest.mark.rule("railroad_ink 12.1")
def test_completion_offers_only_what_is_legal_now() -> None:
    grammar, before = GAME.grammar, table("D1 special_4 0", dice=DICE)
    legal = list(GAME.legal(before, A))
    draw, special = grammar.verbs["draw"], grammar.verbs["special"]
    assert grammar.complete(draw, "", legal) == sorted(DICE.split())
    assert grammar.complete(draw, "road_t a", legal) == ["A4"]
    assert grammar.complete(draw, "road_t a4 ", legal) == ["0", "2", "3"]
    assert grammar.complete(draw, "三叉道路 a4 ", legal) == ["0", "2", "3"]
    assert grammar.complete(special, "", legal) == ["1", "2", "3", "5", "6"]


@pytest.mark.rule("railroad_ink 12.1")
def test_legal_moves_are_listed_by_piece_square_and_sides() -> None:
    before = table(
        "G2 special_4 0, B7 special_3 0, F7 special_1 1",
        dice="rail_curve road_t road_straight overpass",
    )
    after = play(before, "/draw overpass B1 0", "/draw rail_curve A2 2", "/draw road_t A4 3")
    assert GAME.text(after, frozenset(), PLAIN).show_moves(
        list(GAME.legal(after, A))
    ).splitlines() == [
        "What may be drawn, by square and sides of the arms, e.g. /draw road_straight A5",
        "  ns (/draw road_straight A5 0)",
        "straight road (road_straight): A5:ns A7:ew B2:ns B6:ns C7:ew F1:ns F6:ns G4:ew",
        "  G7:ew",
        "May be taken back with /erase: A2 A4 B1",
    ]
    done = play(after, "/draw road_straight F1 0")
    assert GAME.text(done, frozenset(), TextPage(lang="ja")).show_moves(
        list(GAME.legal(done, A))
    ).splitlines() == [
        "/戻す で消せるマス: A2 A4 B1 F1",
        "/完了 でこのラウンドを終えられます。",
    ]


def fit(square: str, before_text: str = HERE) -> list[str]:
    before = table(before_text, dice=DICE)
    view = GAME.seen(before, eyes(A))
    return GAME.text(view, eyes(A), PLAIN).answer("fit", {"square": square}).splitlines()


@pytest.mark.rule("railroad_ink 12.1")
def test_what_fits_into_a_square() -> None:
    assert fit("D1") == [
        "Leading to D1: railway from north",
        "railway curve (rail_curve): ne nw",
        "curved station (station_curve): e-n w-n",
        "special route 1 (special_1): esw-n",
        "special route 2 (special_2): s-new w-nes e-nsw",
        "special route 4 (special_4): nesw",
        "special route 5 (special_5): es-nw sw-ne",
        "special route 6 (special_6): ew-ns",
    ]
    assert fit("D4") == ["Leading to D4: nothing", "Nothing that you have left fits there."]


def test_a_drawn_square_and_a_spectator_have_nothing_to_fit() -> None:
    with pytest.raises(NotAllowed) as caught:
        fit("A4")
    assert caught.value.code == "occupied"
    view = GAME.seen(table(dice=DICE), eyes())
    with pytest.raises(NotAllowed) as caught:
        GAME.text(view, eyes(), PLAIN).answer("fit", {"square": "A4"})
    assert caught.value.code == "no_board"
    with pytest.raises(NotAllowed) as caught:
        GAME.text(view, eyes(), PLAIN).answer("odds", {})
    assert caught.value.code == "no_such_query"


def test_who_is_done_has_nothing_to_fit() -> None:
    dice = "rail_curve rail_curve rail_straight overpass"
    before = table("", "", dice=dice)
    for line in ("rail_curve A2 2", "rail_curve A6 3", "rail_straight D1 0", "overpass B1 0"):
        before = play(before, f"/draw {line}")
    for state, code in (
        (play(before, "/done"), "already_done"),
        (but(before, over=True), "game_over"),
    ):
        with pytest.raises(NotAllowed) as caught:
            GAME.text(GAME.seen(state, eyes(A)), eyes(A), PLAIN).answer("fit", {"square": "D7"})
        assert caught.value.code == code
        assert refusal_text(caught.value)


def test_what_a_seat_may_do_is_read_from_its_view_equally() -> None:
    after = play(table(HERE, "", dice=DICE), "/draw road_t C4 2", "/special 4 D1 0")
    view = GAME.seen(after, eyes(B))
    assert GAME.text(view, eyes(B)).expand(B, "done", "") is None
    assert GAME.text(view, eyes(B)).expand(B, "draw", "road_t A4 2") is None
    assert any(line.startswith("/special 4") for line in lines(after, B))
