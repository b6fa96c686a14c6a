"""What `/fares`, `/route`, `/look` and `/moves` answer, and the map that clients get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import to_builtins

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import Lexicon, fold
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.bot.route_search import routes
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.movement import stand
from bluebear.rules.tokai.rules.moves import Bid, Buy, Sell
from bluebear.rules.tokai.rules.network import (
    DESTINATIONS,
    LINE_AT,
    LINES,
    POINT_AT,
    POINTS,
    REGIONS,
    payoff,
)
from bluebear.rules.tokai.rules.state import Auction, Leg, Phase, State
from tests.rules.tokai.scene import A, B, C, all_but, eyes, lines, table, traveller, typed


def page(lang: Lang = "en", width: int = 80) -> TextPage:
    return TextPage(lang=lang, width=width, name_of=lambda seat: ["", "Ayu", "Ben", "Chika"][seat])


def answered(
    made: State, query: str, seat: Seat | None = A, lang: Lang = "en", **arguments: Any
) -> list[str]:
    """What a seat, or a spectator, reads (Any: values of slots)."""
    who = eyes() if seat is None else eyes(seat)
    view = GAME.seen(made, who)
    return GAME.text(view, who, page(lang)).answer(query, arguments).splitlines()


def looked(made: State, area: str, seat: Seat | None = A, lang: Lang = "en") -> list[str]:
    who = eyes() if seat is None else eyes(seat)
    return GAME.text(GAME.seen(made, who), who, page(lang)).look(area).splitlines()


def at_kamimaezu(**changes: Any) -> State:  # Any: fields of the table
    """The example of the text: B owns Meijo and Tsurumai, A holds a ticket and owns Higashiyama."""
    owners = {"subway_meijo": B, "subway_tsurumai": B, "subway_higashiyama": A}
    rider = traveller("kamimaezu", to="motoyama", cash=7, through=["subway_tsurumai"])
    return but(table(rider, roll=9, owners=owners, seats=3), **changes)


@pytest.mark.rule("tokai 11.12")
def test_fares_tells_what_each_line_from_here_would_add() -> None:
    assert answered(at_kamimaezu(), "fares") == [
        "Ayu has not ridden any line in this turn.",
        "Cash: 7,000 yen.",
        "What each line from Kamimaezu would add to this turn's fare:",
        "Subway Meijo Line     5,000 yen  (rate 5,000 yen, B)",
        "Subway Tsurumai Line  1,000 yen  (rate 1,000 yen, B)",
    ]


@pytest.mark.rule("tokai 11.12", "tokai 11.3")
def test_fares_counts_the_legs_that_are_not_committed() -> None:
    at_yagoto = at_kamimaezu(legs=(Leg(LineId("subway_tsurumai"), PointId("yagoto"), ""),))
    assert answered(at_yagoto, "fares", lang="ja") == [
        "この手番でAyuが払う交通費はいまのところ1,000円です(Bへ1,000円)。",
        "所持金: 7,000円。",
        "八事から各路線に乗ったとき、この手番の交通費に加わる額:",
        "地下鉄名城線  4,000円  (料金5,000円、所有者B)",
        "地下鉄鶴舞線      0円  (料金1,000円、所有者B)",
    ]


@pytest.mark.rule("tokai 11.12")
def test_fares_between_turns_and_while_a_person_buys() -> None:
    buying = at_kamimaezu(phase=Phase.BUY, roll=0, dues=table(dues=[(B, 5), (0, 1)]).dues)
    assert answered(buying, "fares", B) == [
        "Ayu pays 6,000 yen for this turn so far: B 5,000 yen, bank 1,000 yen.",
        "Cash: 7,000 yen.",
    ]
    no_player = ["Nobody is on the way now, so there is no fare."]
    assert answered(at_kamimaezu(phase=Phase.PREBUY), "fares") == no_player


@pytest.mark.rule("tokai 16.3")
def test_route_offers_the_shortest_and_the_cheapest_route() -> None:
    """The three ways of the text from Kamimaezu to Motoyama, reckoned with nothing ridden yet."""
    assert answered(at_kamimaezu(), "route", station=PointId("motoyama")) == [
        "Ayu, from Kamimaezu to Motoyama, with usual rolls of 7:",
        "Shortest and cheapest: 6 steps, 1 turn, 2,000 yen more (B 1,000 yen, bank 1,000",
        "    yen)",
        "  Subway Tsurumai Line to Tsurumai (1), JR Chuo Main Line to Chikusa (1),",
        "    Subway Higashiyama Line to Motoyama (4)",
    ]
    dear = at_kamimaezu(owners=table(owners={**_THREE, "jr_chuo": C}).owners)
    assert answered(dear, "route", lang="ja", station=PointId("motoyama")) == [
        "Ayu: 上前津から本山へ(1手番に7駅進むとして)",
        "最短: 6駅、1手番、交通費の増加7,000円(Bへ1,000円、Cへ5,000円、銀行へ1,000円)",
        "  地下鉄鶴舞線で鶴舞(1)、JR中央本線で千種(1)、地下鉄東山線で本山(4)",
        "最安: 8駅、1手番、交通費の増加2,000円(Bへ1,000円、銀行へ1,000円)",
        "  地下鉄鶴舞線で御器所(3)、地下鉄桜通線で今池(2)、地下鉄東山線で本山(3)",
    ]


_THREE = {"subway_meijo": B, "subway_tsurumai": B, "subway_higashiyama": A}


@pytest.mark.rule("tokai 16.3", "tokai 11.1")
def test_a_route_over_several_turns_pays_its_owner_in_each() -> None:
    """All lines belong to B: 15 steps from Fujigaoka to Takabata are three usual turns."""
    made = table(traveller("fujigaoka", to="takabata"), roll=7, owners=all_but(owner=B))
    result = routes(made, A, stand(made), POINT_AT[PointId("takabata")])
    assert result is not None
    route = result.shortest
    assert (route.steps, route.turns, route.cost) == (15, 3, 15)
    rolled = but(made, roll=12)
    shorter = routes(rolled, A, stand(rolled), POINT_AT[PointId("takabata")])
    assert shorter is not None
    assert (shorter.shortest.turns, shorter.shortest.cost) == (2, 10)


@pytest.mark.rule("tokai 11.3")
def test_what_is_owed_in_this_turn_anyway_is_no_cost_of_the_route() -> None:
    made = at_kamimaezu(dues=table(dues=[(B, 5)]).dues)
    result = routes(made, A, stand(made), POINT_AT[PointId("yagoto")])
    assert result is not None
    assert (result.cheapest.cost, result.cheapest.dues) == (0, ())
    assert answered(made, "route", station=PointId("yagoto"))[1] == (
        "Shortest and cheapest: 6 steps, 1 turn, 0 yen more (nobody)"
    )


@pytest.mark.rule("tokai 7.2.3", "tokai 7.2.7")
def test_route_says_when_there_is_no_route_or_none_to_go() -> None:
    caught = traveller("inazawa", "ichinomiya", "oku_cho", "tamanoi", to="sukaguchi")
    made = table(caught, roll=0, phase=Phase.BUY, active=B)
    assert answered(made, "route", station=PointId("sukaguchi")) == [
        "No way to Sukaguchi is left on this trip."
    ]
    with pytest.raises(NotAllowed) as refused:
        answered(made, "route", station=PointId("tamanoi"))
    assert refused.value.code == "stands_there"
    nowhere = table(traveller(), traveller("tsu"), phase=Phase.START, turns=0)
    assert answered(nowhere, "route", station=PointId("tsu")) == [
        "There is no pawn on the map to look from."
    ]


def test_a_spectator_asks_for_the_one_whose_turn_it_is() -> None:
    assert answered(at_kamimaezu(), "route", None, station=PointId("yagoto"))[0] == (
        "Ayu, from Kamimaezu to Yagoto, with usual rolls of 7:"
    )


@pytest.mark.rule("tokai 7.2.1", "tokai 7.2.2.1")
def test_a_line_is_shown_with_its_stations_owner_and_pawns() -> None:
    made = table(traveller("handa", to="nagoya"), owners={"meitetsu_kowa": B})
    assert looked(made, "meitetsu_kowa") == [
        "Meitetsu Kowa & Chita New Line, face 14,000 yen, owned by Ben:",
        "  Otagawa*, (Taka-Yokosuka), Minami-Kagiya, Tatsumigaoka, (Shirasawa), (Sakabe),",
        "    Agui, (Uedai), Sumiyoshi-cho, Handa*[A], Aoyama, Taketoyo*, Fuki,",
        "    Kowa-guchi, Kowa",
        "  Fuki, Kami-Noma, Chita-Okuda, Noma, Utsumi",
        "* = one may change there; in brackets: passed with an express ticket; [A] = a",
        "    pawn.",
    ]
    assert looked(made, "subway_meijo", lang="ja")[:2] == [
        "地下鉄名城線 額面26,000円 所有者なし:",
        "環状線です。最後の駅の次は最初の駅です。",
    ]


@pytest.mark.rule("tokai 4.1.1", "tokai 4.1.2")
def test_a_region_is_shown_with_chances_and_payoffs() -> None:
    made = table(traveller("nagoya", to="tsu"), seats=2)
    assert looked(made, "mie")[-4:] == [
        "Mie: destinations, each with its chances out of 72",
        "  Kuwana 15 (7,000 yen), Yokkaichi 18 (9,000 yen), Tsu 17 (13,000 yen),",
        "    Kameyama 8 (11,000 yen), Shiroko 8 (11,000 yen),",
        "    Nishi-Fujiwara 3 (12,000 yen), Yunoyama Onsen 3 (10,000 yen)",
    ]
    shown = "\n".join(looked(made, "tables", lang="ja"))
    assert "東(72通り中10)" in shown
    assert "任意 6" in shown
    assert all(region.ja in shown for region in REGIONS)


@pytest.mark.rule("tokai 7.2.3")
def test_the_surroundings_end_where_the_trip_has_been() -> None:
    made = table(traveller("kanayama", "nagoya", to="gifu"), roll=5)
    text = looked(made, "here")
    assert (
        text[0] == "Along the lines from Nagoya, with the steps of Ayu (* = one may change there):"
    )
    assert "JR Tokaido Main Line: 1 Otobashi, then a station already visited" in text
    assert "Aonami Line: 1 Sasashima Live, 10 Kinjo-futo" in text
    assert not [line for line in text if line.startswith("JR Chuo")]


def test_every_area_is_matched_by_its_names_and_shown() -> None:
    made = at_kamimaezu()
    lexicon = Lexicon(GAME.texts.areas)
    for line in LINES:
        assert lexicon.find(fold(line.ja)) == (line.id,)
    for lang in LANGS:
        for area in lexicon.values:
            shown = looked(made, area, lang=lang)
            assert [line for line in shown if columns(line) > 80] == []
            assert lexicon.exact(fold(GAME.phrases.label("area", area, lang))) == area
    assert lexicon.find("三河") == lexicon.find("mikawa") == ("mikawa",)


def choosing() -> State:
    hand = tuple(map(LineId, ("jr_taita", "johoku", "meitetsu_seto", "aonami", "linimo")))
    waiting = but(traveller(cash=0), hand=hand, chosen=False)
    return table(waiting, waiting, phase=Phase.PREBUY, turns=0)


def selling(phase: Phase) -> State:
    auction = None
    if phase is not Phase.SELL:
        auction = Auction(LineId("johoku"), best=5, by=B, bidders=(A, B))
    active = B if phase is Phase.AUCTION else A
    owners = {"johoku": active, "meitetsu_seto": active}
    return table(
        traveller("nagoya", cash=2), phase=phase, owners=owners, auction=auction, active=active
    )


def bidding() -> State:
    made = selling(Phase.AUCTION)
    return but(made, seats=made.seats.put(A, traveller("nagoya", cash=30)))


EVERY_PHASE = {
    "prebuy": choosing(),
    "start": table(traveller(), traveller("tsu"), phase=Phase.START, turns=0),
    "region": table(traveller("nagoya"), phase=Phase.REGION),
    "dest": table(traveller("nagoya"), phase=Phase.DEST),
    "move": at_kamimaezu(),
    "back": at_kamimaezu(legs=(Leg(LineId("subway_tsurumai"), PointId("yagoto"), ""),)),
    "buy": table(traveller("nagoya", cash=40), phase=Phase.BUY),
    "sell": selling(Phase.SELL),
    "auction": bidding(),
    "deal": selling(Phase.DEAL),
}


def examples(text: str) -> list[str]:
    """The lines that a listing shows as examples."""
    parts = [section for line in text.splitlines() for section in line.split("/")[1:]]
    return [
        f"/{section.split('; ')[0].split('。')[0].split('、')[0].strip(' .')}" for section in parts
    ]


@pytest.mark.rule("tokai 16.1")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("made", EVERY_PHASE.values(), ids=EVERY_PHASE)
def test_what_moves_shows_as_an_example_can_be_typed(made: State, lang: Lang) -> None:
    moves: Sequence[Move] = list(GAME.legal(made, A))
    shown = GAME.text(made, frozenset(), page(lang)).show_moves(moves)
    assert [line for line in shown.splitlines() if columns(line) > 80] == []
    legal = lines(made, A)
    result = examples(GAME.text(made, frozenset(), page(lang, width=1000)).show_moves(moves))
    assert result
    for line in result:
        assert [each for each in typed(made, A, line) if each not in legal] == []


def test_moves_lists_stations_by_line_and_direction() -> None:
    made = table(traveller("sakae", to="tsu"), roll=3)
    shown = (
        GAME.text(made, frozenset(), page(width=100))
        .show_moves(list(GAME.legal(made, A)))
        .splitlines()
    )
    assert shown[1:] == [
        "  Meitetsu Seto Line: Higashi-Ote, Shimizu, Morishita",
        "  Subway Higashiyama Line: Kamejima, Nagoya, Fushimi, Shinsakae-machi, Chikusa, Imaike",
        "  Subway Meijo Line counterclockwise (ccw): Yaba-cho, Kamimaezu, Higashi-Betsuin",
        "  Subway Meijo Line clockwise (cw): Hisaya-odori, Shiyakusho (City Hall), Meijo Koen",
    ]


def test_moves_lists_an_arc_of_the_loop_across_the_ends_of_its_list() -> None:
    made = table(traveller("nagoya", "nishi_takakura", to="tsu"), roll=3)
    shown = (
        GAME.text(made, frozenset(), page("ja", width=100))
        .show_moves(list(GAME.legal(made, A)))
        .splitlines()
    )
    assert shown[1:] == [
        "  地下鉄名城線 右回り(cw): 金山、東別院、上前津",
        "  地下鉄名城線 左回り(ccw): 神宮西、伝馬町、堀田",
    ]


def test_moves_lists_purchases_sales_and_bids_with_their_prices() -> None:
    rich = table(traveller("nagoya", cash=8), phase=Phase.BUY, owners=all_but("linimo", "jr_chuo"))
    text = GAME.text(rich, frozenset(), page()).show_moves(
        [m for m in GAME.legal(rich, A) if isinstance(m, Buy)]
    )
    assert text.splitlines()[1:] == ["  ticket 5, Linimo 8"]
    sold = selling(Phase.SELL)
    text = GAME.text(sold, frozenset(), page("ja")).show_moves(
        [m for m in GAME.legal(sold, A) if isinstance(m, Sell)]
    )
    assert text.splitlines()[-1] == "  城北線 4、名鉄瀬戸線 8"
    text = GAME.text(bidding(), frozenset(), page()).show_moves(
        [m for m in GAME.legal(bidding(), A) if isinstance(m, Bid)]
    )
    assert text == "Bids from 6,000 yen to 30,000 yen: /bid 6000; no bid: /bid pass"
    poor = table(traveller("nagoya", cash=1), phase=Phase.BUY)
    assert (
        GAME.text(poor, frozenset(), page()).show_moves([Buy("none")])
        == "You may only decline: /buy none"
    )
    assert lines(poor, A) == ["/buy none"]


def test_the_map_is_given_to_clients_complete() -> None:
    drawing = GAME.static
    assert [line["id"] for line in drawing["lines"]] == list(LINE_AT)
    assert list(drawing["points"]) == list(POINT_AT)
    assert len(drawing["payoffs"]) == len(DESTINATIONS)
    assert drawing["payoffs"][0][0] == payoff(DESTINATIONS[0], DESTINATIONS[1])
    assert all(len(row) == len(DESTINATIONS) - at - 1 for at, row in enumerate(drawing["payoffs"]))
    for point in POINTS:
        shown = drawing["points"][point.id]
        assert (shown["x"], shown["y"], shown["ja"]) == (point.x, point.y, point.ja)
        assert shown.get("skip", False) == point.skip


def figures(made: State, query: str, **arguments: Any) -> Any:  # Any: values of slots, a plain tree
    view = GAME.seen(made, eyes(A))
    texts = GAME.text(view, eyes(A), TextPage())
    return to_builtins(texts.figures[query](texts, **arguments))


@pytest.mark.rule("tokai 11.12")
def test_the_figures_of_fares_are_those_of_the_terms() -> None:
    assert figures(at_kamimaezu(), "fares") == {
        "seat": 1,
        "cash": 7,
        "dues": (),
        "lines": (
            {"line": "subway_meijo", "payee": 2, "fare": 5, "adds": 5},
            {"line": "subway_tsurumai", "payee": 2, "fare": 1, "adds": 1},
        ),
    }


@pytest.mark.rule("tokai 11.12")
def test_the_figures_of_a_route_are_those_of_the_routes() -> None:
    made = at_kamimaezu(owners=table(owners={**_THREE, "jr_chuo": C}).owners)
    reply = figures(made, "route", station=PointId("motoyama"))
    result = routes(made, A, stand(made), POINT_AT[PointId("motoyama")])
    assert result is not None
    assert result.shortest != result.cheapest
    for shown, route in zip(reply["routes"], result, strict=True):
        assert (shown["steps"], shown["turns"]) == (route.steps, route.turns)
        assert (shown["cost"], shown["legs"][-1]["to"]) == (route.cost, "motoyama")
        assert sum(leg["steps"] for leg in shown["legs"]) == route.steps
