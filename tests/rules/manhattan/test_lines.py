"""What people type: paragraph 9.1 of the rules, and the sentences that they get back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.manhattan import GAME
from bluebear.rules.manhattan.rules.moves import Build, Take
from bluebear.rules.manhattan.rules.state import City, Site
from tests.rules.manhattan.scene import (
    PLAIN,
    A,
    B,
    building_turn,
    choosing,
    eyes,
    lines,
    refusal,
    typed,
)


@pytest.mark.rule("manhattan 9.1")
@pytest.mark.parametrize(
    "text",
    [
        "/take 4 3 2 2 1 1",
        "/take 1 2 1 3 2 4",
        "/take 1x2 2x2 3 4",
        "/take 1,1,2,2,3,4",
        "/t 4 3 2x2 1x2",
        "/取る 4 3 2 2 1 1",
        "/取る ４、３、２ｘ２、１ｘ２",
    ],
)
def test_blocks_are_taken_in_many_forms(text: str) -> None:
    assert typed(choosing(), A, text) == "/take 4 3 2 2 1 1"


@pytest.mark.rule("manhattan 9.1")
@pytest.mark.parametrize(
    "text",
    [
        "/build 3 frankfurt 5",
        "/BUILD 3 Frankfurt 5",
        "/b 3 F 5",
        "/build block=3 site=5 city=fra",
        "/建てる 3 フランクフルト 5",
        "/建てる ３ フラン ５",
        "/3F5",
        "/3f5",
        "/3フランクフルト5",
        "/３Ｆ５",
    ],
)
def test_a_block_is_built_in_many_forms(text: str) -> None:
    table = building_turn(hand=(5, 5, 5, 5), chosen=(3, 2))
    assert typed(table, A, text) == "/build 3 frankfurt 5"


@pytest.mark.rule("manhattan 9.1")
def test_what_is_left_out_is_filled_in_when_only_one_line_fits() -> None:
    table = building_turn(hand=(5, 5, 5, 5), chosen=(3,))
    assert typed(table, A, "/build 3 cairo") == "/build 3 cairo 5"


@pytest.mark.rule("manhattan 9.1")
def test_what_is_left_out_is_requested_when_several_lines_fit() -> None:
    table = building_turn(hand=(4, 5, 5, 5), chosen=(3,))
    with pytest.raises(Ambiguous) as caught:
        typed(table, A, "/build 3 cairo")
    assert caught.value.candidates == ("/build 3 cairo 4", "/build 3 cairo 5")


@pytest.mark.rule("manhattan 9.1")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("/take 5 1 1 1 1 1", "bad_argument"),
        ("/take 1x7", "too_many"),
        ("/take", "missing_argument"),
        ("/build 9 cairo 1", "bad_argument"),
        ("/build 1 atlantis 1", "bad_argument"),
        ("/build 1 cairo 10", "bad_argument"),
        ("/build 1 cairo 1 1", "extra_argument"),
    ],
)
def test_absurd_arguments_are_not_understood(text: str, code: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed(choosing(), A, text)
    assert caught.value.code == code


@pytest.mark.rule("manhattan 3.2", "manhattan 9.1")
@pytest.mark.parametrize("text", ["4", "4 3", "4 3 2 2 1 1 1", "1x7", "2x2 1"])
@pytest.mark.parametrize("sixrounds", [False, True])
def test_a_choice_names_the_number_of_this_options_round(text: str, *, sixrounds: bool) -> None:
    table = choosing(sixrounds=sixrounds)
    with pytest.raises(NotAllowed) as caught:
        GAME.text(GAME.seen(table, eyes(A)), eyes(A)).expand(A, "take", text)
    assert (caught.value.code, caught.value.rule) == ("wrong_number", "3.2")
    assert caught.value.params["count"] == (4 if sixrounds else 6)
    assert GAME.text(GAME.seen(table, eyes(A)), eyes(A)).expand(A, "take", "4 x") is None
    assert GAME.text(GAME.seen(table, eyes(A)), eyes(A)).expand(A, "take", "") is None
    assert GAME.text(GAME.seen(table, eyes(B)), eyes(B)).expand(B, "take", text) is None


@pytest.mark.rule("manhattan 9.1")
def test_a_mistyped_city_gets_the_nearest_names() -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed(building_turn(), A, "/build 1 franfurt 1")
    assert caught.value.candidates == ("frankfurt",)


@pytest.mark.rule("manhattan 9.1")
@pytest.mark.parametrize(
    ("line", "en", "ja"),
    [
        (
            "/build 4 cairo 1",
            "You have no block of 4 floors left this round. You have: 1, 2.",
            "このラウンドに4階のコマは残っていません。あるのは 1、2 です。",
        ),
        (
            "/build 1 cairo 9",
            "None of your cards opens site 9. You can build on the sites 1, 2, 3, 4.",
            "エリア9のカードがありません。建てられるのはエリア 1、2、3、4 です。",
        ),
        (
            "/build 2 cairo 2",
            "Cairo 2 belongs to Seat 2: it takes a block of at least 3, and 1 floor is missing.",
            "カイロのエリア2は席2のビルです。3階以上のコマが必要で、あと1階足りません。",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_in_both_languages(line: str, en: str, ja: str) -> None:
    table = building_turn({City.CAIRO: ". A1B4 .  . . .  . . ."}, chosen=(2, 1))
    no = refusal(table, A, line)
    assert GAME.phrases.say(f"refusal.{no.code}", "en", no.params) == en
    assert GAME.phrases.say(f"refusal.{no.code}", "ja", no.params) == ja


@given(st.integers(1, 4), st.sampled_from(City), st.integers(1, 9))
def test_builds_are_read_as_they_are_written(block: int, city: City, site: int) -> None:
    move = Build(block, city, Site(site))
    assert GAME.grammar.parse(GAME.grammar.format(move)) == move


@given(st.lists(st.integers(1, 4), min_size=4, max_size=6))
def test_choices_are_read_as_they_are_written(blocks: list[int]) -> None:
    move = Take(tuple(sorted(blocks, reverse=True)))
    assert GAME.grammar.parse(GAME.grammar.format(move)) == move


def test_legal_lines_stand_in_the_order_of_their_text() -> None:
    for table in (choosing(), building_turn(chosen=(4, 3, 2, 1), hand=(2, 7, 7, 9))):
        assert lines(table, A) == sorted(lines(table, A))


def test_completion_offers_the_next_terms_of_legal_lines() -> None:
    table = building_turn(hand=(3, 3, 3, 3), chosen=(4, 2))
    build = GAME.grammar.verbs["build"]
    offered = [GAME.grammar.complete(build, text, GAME.legal(table, A)) for text in ("", "2 s")]
    assert offered == [["2", "4"], ["saopaulo", "sydney"]]


@pytest.mark.rule("manhattan 9.3")
@pytest.mark.parametrize("text", ["frankfurt", "F", "フランク"])
def test_show_tells_every_players_floors(text: str) -> None:
    table = building_turn({City.FRANKFURT: ". . .  . A3B4 .  A9 . ."})
    query = GAME.grammar.queries["show"]
    shown = GAME.text(GAME.seen(table, eyes(B)), eyes(B), PLAIN).answer(
        "show", GAME.grammar.arguments(query, text)
    )
    assert shown.splitlines() == [
        "Frankfurt (F)",
        "  5 (middle), 7 floors: A 3, needs 1 / B 4, on top",
        "  7 (bottom left), 9 floors: A 9, on top / B 0, needs 9",
    ]


@pytest.mark.rule("manhattan 9.3")
def test_show_without_a_city_tells_all_of_them() -> None:
    table = building_turn()
    shown = GAME.text(GAME.seen(table, eyes()), eyes(), PLAIN).answer("show", {})
    assert shown.splitlines()[:2] == ["New York (N)", "  no buildings"]
    assert len(shown.splitlines()) == 2 * len(City)


@pytest.mark.rule("manhattan 9.1")
def test_legal_builds_are_shown_by_site_and_city() -> None:
    table = building_turn({City.CAIRO: "B1 B2 B3  B4 . .  . . ."}, hand=(1, 3, 4, 4), chosen=(3, 2))
    assert GAME.text(table, frozenset(), PLAIN).show_moves(
        list(GAME.legal(table, A))
    ).splitlines() == [
        "Blocks that may be built, by site and city, e.g. /build 3 sydney 4",
        "Site 1 (top left): N:23 P:23 F:23 C:23 H:23 S:23",
        "Site 3 (top right): N:23 P:23 F:23 C:3 H:23 S:23",
        "Site 4 (middle left): N:23 P:23 F:23 H:23 S:23",
    ]


@pytest.mark.rule("manhattan 9.1")
def test_legal_choices_are_shown_in_columns() -> None:
    table = choosing(stock=(5, 1, 0, 2))
    assert GAME.text(table, frozenset(), TextPage(lang="ja", width=30)).show_moves(
        list(GAME.legal(table, A))
    ).splitlines() == [
        "選べるコマの組み合わせ。例: /取る 4 4 2 1 1 1",
        "  2 1 1 1 1 1  4 1 1 1 1 1",
        "  4 2 1 1 1 1  4 4 1 1 1 1",
        "  4 4 2 1 1 1",
    ]


@pytest.mark.parametrize(
    ("area", "shown"),
    [
        ("hand", ["Cards of A: 2 (top middle) 5 (middle) 5 (middle) 9 (bottom right)"]),
        ("frankfurt", ["Frankfurt (F)", "  5 (middle), 4 floors: A 0, needs 4 / B 4, on top"]),
    ],
)
def test_looking_at_an_area(area: str, shown: list[str]) -> None:
    table = building_turn({City.FRANKFURT: ". . .  . B4 .  . . ."}, hand=(2, 5, 5, 9))
    view = GAME.seen(table, eyes(A))
    assert area in [choice.value for choice in GAME.texts.areas]
    assert GAME.text(view, eyes(A), PLAIN).look(area).splitlines() == shown


def test_a_spectator_has_no_hand_to_look_at() -> None:
    view = GAME.seen(building_turn(), eyes())
    assert GAME.text(view, eyes(), PLAIN).look("hand") == "You have no cards in this game."


def test_another_query_is_not_answered() -> None:
    with pytest.raises(NotAllowed) as caught:
        GAME.text(GAME.seen(building_turn(), eyes()), eyes(), PLAIN).answer("odds", {})
    assert caught.value.code == "no_such_query"
