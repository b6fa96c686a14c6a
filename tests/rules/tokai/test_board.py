"""The table as text: complete enough to play from, in both languages, within the page."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import Eyes, Seat, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.network import LINES
from bluebear.rules.tokai.rules.state import Auction, Basket, Ending, Leg, Phase, State
from tests.rules.tokai.scene import EN, JA, A, B, C, all_but, eyes, table, traveller


def name_of(seat: int) -> str:
    return ["", "Ayu", "Ben", "ちか"][seat]


def page(lang: Lang, width: int = 80) -> TextPage:
    return TextPage(lang=lang, width=width, name_of=name_of)


def shown(made: State, lang: Lang = "en", who: Eyes = frozenset()) -> list[str]:
    """The board."""
    return GAME.text(GAME.seen(made, who), who, page(lang)).board().splitlines()


def status(made: State, lang: Lang = "en", who: Eyes = frozenset()) -> list[str]:
    """What `/info` says."""
    return list(GAME.text(GAME.seen(made, who), who, page(lang)).status())


def in_transit(**changes: Any) -> State:  # Any: fields of the table
    """A rides from Otai to Nagoya; nearly everything belongs to C, who has no destination."""
    made = table(
        traveller("otai", to="nagoya", cash=12, through=["subway_tsurumai"]),
        traveller("kozoji", to="owari_seto", cash=3, express=True),
        traveller("tsu", cash=0),
        roll=7,
        owners=all_but("jr_tokaido", "linimo", "aonami", owner=C)
        | {"meitetsu_seto": B, "johoku": A},
        dues=[(0, 1)],
        granted=True,
    )
    return but(made, **changes)


@pytest.mark.rule("tokai 11.12", "tokai 15.1", "tokai 2.1")
def test_the_board_tells_where_all_people_is_and_leaves_and_what_he_has() -> None:
    owners = {"meitetsu_seto": B, "johoku": A, "subway_meijo": C, "subway_tsurumai": C}
    owners |= {line.id: C for line in LINES if line.price < 8}
    lines = shown(in_transit(owners=table(owners=owners).owners))
    assert lines[:15] == [
        "Tokai Danshaku, turn 11 of at most 400.",
        "Ayu is to ride to Nagoya: 7 of 7 steps left.",
        "An extra half follows.",
        "Fare of this turn so far: bank 1,000 yen.",
        "",
        "    Player          Cash    Assets",
        "> A Ayu           12,000    20,000",
        "    at Otai, from Otai to Nagoya for 4,000 yen, 3 steps to go",
        "    owns: Johoku Line 8",
        "    through ticket: Subway Tsurumai Line (C)",
        "  B Ben            3,000    20,000  express ticket",
        "    at Kozoji, from Kozoji to Owari-Seto for 5,000 yen, 4 steps to go",
        "    owns: Meitetsu Seto Line 17",
        "  C ちか               0    74,000",
        "    at Tsu, no destination yet",
    ]


@pytest.mark.rule("tokai 11.12", "tokai 15.1")
def test_the_board_in_japanese() -> None:
    assert shown(in_transit(), "ja")[:11] == [
        "東海男爵 第11手番(上限400)。",
        "Ayuが名古屋へ進む番です。出た目7、残り7駅。",
        "この後に追加手番があります。",
        "この手番の交通費: 銀行へ1,000円。",
        "",
        "    プレイヤー    所持金      資産",
        "> A Ayu           12,000    20,000",
        "    現在地 小田井、小田井から名古屋へ(収益4,000円)、あと3駅",
        "    所有路線: 城北線 8",
        "    通し切符: 地下鉄鶴舞線 (C)",
        "  B Ben            3,000    20,000  急行券",
    ]
    assert shown(in_transit(), "ja")[-1] == (
        "所有者のいない路線と額面(千円、3路線): JR東海道本線 40、あおなみ線 10、リニモ 8"
    )


def test_legs_that_are_not_committed_are_shown_with_what_they_cost() -> None:
    leg = Leg(LineId("meitetsu_inuyama"), PointId("biwajima"), "")
    biwajima = in_transit(legs=(leg,))
    assert status(biwajima)[1:] == [
        "Ayu is to ride to Nagoya: 5 of 7 steps left.",
        "An extra half follows.",
        "Ridden so far: Meitetsu Inuyama & Kakamigahara Line to Biwajima",
        "Fare of this turn so far: bank 1,000 yen, C 5,000 yen.",
    ]


@pytest.mark.rule("tokai 7.2.7")
def test_who_has_no_route_left_can_see_it() -> None:
    rider = traveller("inazawa", "ichinomiya", "oku_cho", "tamanoi", to="sukaguchi")
    text = "    at Tamanoi, from Inazawa to Sukaguchi for 5,000 yen, no way left"
    assert text in shown(table(rider, traveller("tsu"), active=B, phase=Phase.BUY))


@pytest.mark.rule("tokai 13.2")
def test_who_is_out_is_shown_as_out() -> None:
    removed = but(traveller(cash=0), destination=None)
    board = shown(table(removed, traveller("tsu", to="nagoya"), active=B, seats=3, fallen=(A,)))
    assert "  A Ayu         out of the game" in board
    assert "    at Yokkaichi" not in board


@pytest.mark.rule("tokai 3.1.5", "tokai 15.1")
def test_before_the_game_only_the_owner_sees_what_he_has_picked() -> None:
    hand = tuple(map(LineId, ("jr_taita", "johoku", "meitetsu_seto", "linimo", "aonami")))
    waiting = but(traveller(cash=0), hand=hand, chosen=False)
    picked = but(waiting, chosen=True, basket=Basket(hand[:3], express=True))
    made = table(waiting, picked, phase=Phase.PREBUY, turns=0)
    owned_items = [
        "Ben has picked: JR Taita Line 8, Johoku Line 8, Meitetsu Seto Line 17, express",
        "    ticket.",
    ]
    assert status(made, who=eyes(B)) == [
        "Tokai Danshaku, before the first turn. Ayu plays first.",
        "Still picking lines for 20,000 yen to 40,000 yen: Ayu.",
        *owned_items,
    ]
    assert owned_items[0] not in status(made, who=eyes(A)) + status(made)
    assert "> A Ayu                0         0" in shown(made)
    assert "    dealt: JR Taita Line 8, Johoku Line 8, Meitetsu Seto Line 17, Linimo 8," in shown(
        made
    )


@pytest.mark.parametrize(
    ("changes", "english", "japanese"),
    [
        (
            {"phase": Phase.START},
            "Ayu is to name a start city.",
            "Ayuがスタート都市を指定する番です。",
        ),
        ({"phase": Phase.REGION}, "Ayu is to name a region.", "Ayuが地域を指定する番です。"),
        ({"phase": Phase.DEST}, "Ayu is to name a destination.", "Ayuが目的地を指定する番です。"),
        ({"phase": Phase.BUY}, "Ayu may buy one property.", "Ayuは物件を1つ買えます。"),
        (
            {"phase": Phase.SELL, "dues": table(dues=[(C, 5)]).dues},
            "Ayu owes 5,000 yen, has 12,000 yen, and must sell a line.",
            "Ayuは交通費5,000円に対し所持金が12,000円しかなく、路線を売る番です。",
        ),
        (
            {"extra": True},
            "Ayu is to ride to Nagoya in the extra half: 7 of 7 steps left.",
            "Ayuが名古屋へ進む番です(追加手番)。出た目7、残り7駅。",
        ),
    ],
)
def test_the_status_says_who_has_to_do_what(
    changes: dict[str, Any], english: str, japanese: str
) -> None:
    assert status(in_transit(**changes))[1] == english
    assert status(in_transit(**changes), "ja")[1] == japanese


@pytest.mark.parametrize(
    ("best", "by", "phase", "english", "japanese"),
    [
        (
            0,
            None,
            Phase.AUCTION,
            "Ayu's Johoku Line is up for auction. Nobody has bid yet; Ben is to bid.",
            "Ayuの城北線が競売中です。入札はまだなく、Benの手番です。",
        ),
        (
            5,
            C,
            Phase.AUCTION,
            "Ayu's Johoku Line is up for auction. Highest bid: 5,000 yen by ちか. Ben is to",
            "Ayuの城北線が競売中です。最高額はちかの5,000円。Benが競り上げるか降りる番です。",
        ),
        (
            6,
            B,
            Phase.DEAL,
            "Ayu is to sell the Johoku Line to Ben for 6,000 yen, or to the bank.",
            "Ayuが城北線をBenに6,000円で売るか、銀行に売るかを決める番です。",
        ),
    ],
)
def test_an_auction_is_shown_with_its_best_bid(
    best: int, by: Seat | None, phase: Phase, english: str, japanese: str
) -> None:
    auction = Auction(LineId("johoku"), best=best, by=by, bidders=(B, C))
    made = in_transit(phase=phase, auction=auction)
    assert status(made)[1] == english
    assert status(made, "ja")[1] == japanese
    mark = "> A" if phase is Phase.DEAL else "> B"
    assert [line[:3] for line in shown(made) if line.startswith(">")] == [mark]


@pytest.mark.parametrize(
    ("ending", "ending_text"),
    [
        (Ending.LAST_LINE, "The last line is sold: the game is over. Winner: ちか."),
        (Ending.ALONE, "Nobody else is left: the game is over. Winner: ちか."),
        (Ending.TURN_LIMIT, "The last turn is played: the game is over. Winner: ちか."),
    ],
)
def test_the_end_says_why_and_who_has_won(ending: Ending, ending_text: str) -> None:
    made = in_transit(phase=Phase.OVER, ending=ending, roll=0, dues=())
    assert status(made)[1] == ending_text
    assert not [line for line in shown(made) if line.startswith(">")]


def test_without_a_turn_limit_none_is_shown() -> None:
    assert status(in_transit(turnlimit=0))[0] == "Tokai Danshaku, turn 11."


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [50, 60, 80, 100])
def test_no_line_is_wider_than_the_page(lang: Lang, width: int) -> None:
    view = GAME.seen(in_transit(), eyes(A))
    text = GAME.text(view, eyes(A), page(lang, width)).board()
    assert [line for line in text.splitlines() if columns(line) > width] == []


def test_in_english_only_names_of_people_are_not_ascii() -> None:
    view = GAME.seen(in_transit(), eyes())
    assert GAME.text(view, eyes(), TextPage(lang="en", ascii=True)).board().isascii()


def test_unnamed_seats_are_reported_by_number() -> None:
    view = GAME.seen(in_transit(), eyes())
    assert "> A Seat 1" in GAME.text(view, eyes(), EN).board()
    assert "> A 席1" in GAME.text(view, eyes(), JA).board()


def test_chapter_12_has_assets_once_cash_was_dealt() -> None:
    def figures(made: State) -> str | None:
        return GAME.text(made, frozenset(), page("en")).on_this_table().get("12")

    worth = "Ayu: 20,000 yen, Ben: 20,000 yen, ちか: 483,000 yen"
    assert figures(in_transit()) == f"Cash and lines are worth: {worth}."
    assert figures(in_transit(phase=Phase.PREBUY)) is None
