"""The table, areas, moves and chances as text: paragraphs 12.1 and 13.3 of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.visibility import Eyes, but
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.bot.odds import wins
from bluebear.rules.tokugawa.data.map_tables import CHART, PROVINCES, ROAD, TOWNS
from bluebear.rules.tokugawa.data.terms import Side, Town
from bluebear.rules.tokugawa.rules.state import Approach, Ending, State
from bluebear.rules.tokugawa.text.queries import percent
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.page_game import beginning
from tests.rules.tokugawa.worked import STORM, SUN, A, B, after, done, position

NO_SEATS: Eyes = frozenset()


def name_of(seat: int) -> str:
    return ["", "あゆ", "Ben"][seat]


def page(lang: Lang = "en", width: int = 80) -> TextPage:
    return TextPage(lang=lang, width=width, name_of=name_of)


def board(table: State, lang: Lang = "en", width: int = 80) -> list[str]:
    """The lines of the board in the public view."""
    view = GAME.seen(table, NO_SEATS)
    return GAME.text(view, NO_SEATS, page(lang, width)).board().splitlines()


def status(table: State, lang: Lang = "en") -> list[str]:
    return list(GAME.text(GAME.seen(table, NO_SEATS), NO_SEATS, page(lang)).status())


def look(table: State, area: str, lang: Lang = "en") -> list[str]:
    view = GAME.seen(table, NO_SEATS)
    return GAME.text(view, NO_SEATS, page(lang)).look(area).splitlines()


def answer(table: State, query: str, lang: Lang = "en", **arguments: object) -> list[str]:
    view = GAME.seen(table, NO_SEATS)
    return GAME.text(view, NO_SEATS, page(lang)).answer(query, arguments).splitlines()


FULL = (
    "A kyoto wall castle shrine garden smithy",
    "A osaka ship ship",
    "B edo new-castle new-shrine",
    "B mito garden",
)


def everything() -> State:
    """A table on which everything that a board can show stands somewhere."""
    return position(
        "A osaka sword forged",
        "A nara archer weak",
        "A mito archer",
        "B ueno spear forged weak",
        built=FULL,
        hit=[B],
        koku=(8, 9),
        banks={"kinki": 12, "kanto": 11},
        taxed=["tokai"],
        taken={A: ["C1"], B: ["W3"]},
        cards={Side.WEST: "W1"},
        actions=1,
    )


@pytest.mark.rule("tokugawa 13.3")
def test_the_head_of_the_board_in_english() -> None:
    assert board(everything())[:15] == [
        "Tokugawa, round 3. あゆ (K) has 1 action left.",
        "",
        "> K あゆ (Kyoto): 8 koku, 3 samurai, 6 buildings; 13 victory points so far",
        "    contracts C1(3); in stock: archer 8, spearman 7, swordsman 4, ship 3,",
        "    smithy 0, castle 2, shrine 9",
        "  Y Ben (Yedo): 9 koku, 1 samurai, 3 buildings; 10 victory points so far",
        "    contracts W3(5); in stock: archer 10, spearman 6, swordsman 5, ship 5,",
        "    smithy 1, castle 2, shrine 9",
        "In the common stock: garden 6, wall 7",
        "",
        "Contracts (points; who stands in a town):",
        "  west: W1 Home provinces of the court (3): Osaka(K) Nara(K) Himeji",
        "  centre: C4 Heart of the land (7): Kano Matsumoto Suwa Kanazawa Nagoya",
        "    Hamamatsu Sunpu",
        "  east: E2 Oshu road (4): Shirakawa Sendai Morioka Matsumae",
    ]


@pytest.mark.rule("tokugawa 13.3")
def test_provinces_in_english() -> None:
    assert look(everything(), "kinki")[-6:] == [
        "Kinki (west): bank 12, samurai K 3  Y 0, tax K 4",
        "  Kyoto           K capital 2      WCTGF  -Hikone -Himeji -Nara -Osaka *Ueno",
        "  Osaka      yard K sword+ 3       S2     -Kyoto -Tokushima *Nara",
        "  Nara            K archer weak -1        -Kyoto *Osaka *Ueno",
        "  Himeji          -                       -Kyoto -Okayama ^Tottori",
        "  Tokushima  port -                       -Osaka ^Matsuyama",
    ]
    kanto, oshu = look(everything(), "kanto")[-7:], look(everything(), "oshu")[-6:]
    assert kanto[1].startswith("  Yedo            Y capital- 1     ct     ")
    assert oshu[5] == "  Mito       port K archer 0       G      -Sendai ^Tateyama"
    tokai = look(everything(), "tokai")[-6:]
    assert tokai[0] == "Tokai (centre): bank 5, samurai K 0  Y 1, taxed in this turn"
    assert tokai[1] == "  Ueno            Y spear+ weak 1         *Kyoto *Nara ^Nagoya"


@pytest.mark.rule("tokugawa 13.3")
def test_the_board_in_japanese() -> None:
    lines = board(everything(), "ja")
    assert lines[:6] == [
        "徳川 ラウンド3。あゆ(京)の手番、残り1アクション。",
        "",
        "> 京 あゆ(京都): 8石 侍3枚 建物6 現在の勝利点13",
        "    契約 C1(3) ストック: 弓使い8 槍使い7 刀使い4 船3 鍛冶屋0 城2 神社9",
        "  江 Ben(江戸): 9石 侍1枚 建物3 現在の勝利点10",
        "    契約 W3(5) ストック: 弓使い10 槍使い6 刀使い5 船5 鍛冶屋1 城2 神社9",
    ]
    assert "近畿(西) 銀行12石 侍 京 3  江 0 徴税額 京4石" in lines
    assert "  京都        京 首都 2        壁城社庭鍛 -彦根 -姫路 -奈良 -大坂 *上野" in lines
    assert "  大坂   造船 京 刀+ 3         船2    -京都 -徳島 *奈良" in lines
    assert "東海(中央) 銀行5石 侍 京 0  江 1 徴税済み" in lines
    assert "  上野        江 槍+ 弱 1             *京都 *奈良 ^名古屋" in lines


@pytest.mark.rule("tokugawa 13.3")
@pytest.mark.parametrize("lang", LANGS)
def test_the_board_names_every_province_and_town_with_all_its_roads(lang: Lang) -> None:
    text = " ".join("\n".join(board(everything(), lang)).split())
    for province in PROVINCES:
        assert GAME.phrases.label("province", province, lang) in text
    marks = {"plain": "-", "forest": "*", "mountain": "^"}
    for town in TOWNS:
        for a, b in ROAD:
            if a == town:
                assert marks[ROAD[a, b].value] + GAME.phrases.label("town", b, lang) in text


@pytest.mark.rule("tokugawa 13.3")
@pytest.mark.parametrize("lang", LANGS)
def test_the_board_explains_its_marks_in_three_lines(lang: Lang) -> None:
    keys = ("legend_pieces", "legend_buildings", "legend_roads")
    legend = [GAME.phrases.say(f"board.{key}", lang) for key in keys]
    assert board(everything(), lang)[-3:] == legend


@pytest.mark.rule("tokugawa 13.3", "tokugawa 3.5")
def test_what_is_still_to_be_placed_leaves_out_what_is_not() -> None:
    # Draws: A has Kyoto and begins, a card of each stack.
    table = GAME.setup(GAME.info.complete({}), 2, ScriptedChance(0, 0, 0, 0, 0)).state
    table = after(table, "/place sword nara", "/place archer sendai", "/place archer hagi")
    assert status(table)[1:] == [
        "あゆ (K) is to place a samurai. Still to place: archer 5, spearman 2."
    ]


@pytest.mark.rule("tokugawa 13.3")
def test_areas_are_listed_from_west_to_east() -> None:
    listed = [choice.value for choice in GAME.texts.areas]
    assert listed[:2] == ["kinki", "chugoku"]
    assert listed[8:11] == ["michinoku", "kyoto", "osaka"]
    assert len(listed) == len(PROVINCES) + len(TOWNS)


@pytest.mark.rule("tokugawa 12.1")
def test_all_people_sees_the_same() -> None:
    table = everything()
    views = [GAME.tree.view(table, frozenset(eyes)) for eyes in ((), (A,), (B,), (A, B))]
    assert all(view == views[0] for view in views)
    assert GAME.determinize(GAME.seen(table, NO_SEATS), NO_SEATS, ScriptedChance()) == table


@pytest.mark.rule("tokugawa 12.1")
def test_the_stacks_show_which_cards_are_left_and_not_in_what_order() -> None:
    for side, stack in everything().stacks.items():
        assert list(stack) == sorted(stack), side


@pytest.mark.rule("tokugawa 13.3")
@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("lang", LANGS)
def test_texts_keep_within_the_width_of_the_page(lang: Lang, width: int) -> None:
    table = everything()
    made = page(lang, width)
    view = GAME.seen(table, NO_SEATS)
    texts = [
        GAME.text(view, NO_SEATS, made).board(),
        GAME.text(view, NO_SEATS, made).answer("contracts", {}),
    ]
    texts.append(GAME.text(table, frozenset(), made).show_moves(list(GAME.legal(table, A))))
    arguments = {"origin": Town("nara"), "town": Town("ueno"), "sea": False}
    texts.append(GAME.text(view, NO_SEATS, made).answer("odds", arguments))
    for text in texts:
        assert max(map(columns, text.splitlines())) <= width


@pytest.mark.rule("tokugawa 13.3")
def test_a_battle_is_reported_step_by_step() -> None:
    table = position("A nara sword", "A hamamatsu archer", "B nagoya archer", "B ueno spear")
    chance = ScriptedChance(SUN, 5, 1, 3)
    fight = done(table, A, "/attack nara ueno road", chance).state
    assert status(fight) == [
        "Tokugawa, round 3. あゆ (K) has 2 actions left.",
        "Battle: K sword 2 of Nara attacks Y spear 1 of Ueno by road; weather: sun.",
        "あゆ (K) is to choose supporters.",
    ]
    fight = after(fight, "/support kyoto", chance=chance)
    assert status(fight)[2:] == [
        "  Supporters of K: Kyoto.",
        "Ben (Y) is to choose supporters.",
    ]
    fight = after(fight, "/support nagoya", chance=chance)
    assert status(fight, "ja") == [
        "徳川 ラウンド3。あゆ(京)の手番、残り2アクション。",
        "戦闘: 奈良の京 刀 2 対 上野の江 槍 1(陸路、天候は晴れ)。",
        "  京の援軍: 京都。",
        "  京のダイス: 2 + 4 = 6。",
        "  江の援軍: 名古屋。",
        "  京は合計8。江は1を足すので、出目が8以上なら守りきれます。",
        "  京の攻撃が成功する確率は、この目に決めると34.0%、振り直すと51.4%。",
        "あゆ(京)は振り直す(あと1回)か、この目に決めます。",
    ]


@pytest.mark.rule("tokugawa 13.3", "tokugawa 8.1")
def test_how_a_battle_stands() -> None:
    table = position("A nara sword", "A hamamatsu archer", "B nagoya archer", "B ueno spear")
    chance = ScriptedChance(SUN, 5, 1, 3, 2, 2, 0, 0)
    fight = done(table, A, "/attack nara ueno road", chance).state
    bare = ["K adds 2 to the dice.", "Y adds 1 to the dice."]
    so_far = "With the supporters named so far the attack of K succeeds with"
    assert answer(fight, "battle") == [
        *bare,
        f"{so_far} {percent(wins(1))} ({wins(1)}).",
        f"With one more supporter the attack of K succeeds with {percent(wins(1, 1))}.",
    ]
    fight = after(fight, "/support kyoto", chance=chance)
    fight = after(fight, "/support nagoya", chance=chance)
    # 8 stand; the defender misses with 7 or less, twice. Or K throws again.
    stored = Fraction(21, 36) ** 2
    assert max(stored, wins(1, 0, 1)) == wins(1, 0, 1)
    assert answer(fight, "battle") == [
        "K: dice 6 and 2, together 8.",
        bare[1],
        f"From here the attack of K succeeds with {percent(wins(1, 0, 1))} ({wins(1, 0, 1)}).",
        "K has 8 in all. Y adds 1 and holds with dice of 8 or more.",
        f"K succeeds with {percent(stored)} if these dice stand, with"
        f" {percent(wins(1, 0, 1))} if thrown again.",
    ]
    fight = after(fight, "/stand", chance=chance)
    # 3 and 3 and 1 against 8: the attack holds, unless one throw of 8 or more mends it.
    assert answer(fight, "battle") == [
        "K: dice 6 and 2, together 8.",
        "Y: dice 6 and 1, together 7.",
        f"From here the attack of K succeeds with 58.3% ({Fraction(21, 36)}).",
        "K has 8 in all. Y adds 1 and holds with dice of 8 or more.",
        "With 7 against 8 Y loses the town.",
        "K succeeds with 100.0% if these dice stand, with 58.3% if thrown again.",
    ]


@pytest.mark.rule("tokugawa 13.3")
def test_where_no_person_fights_no_battle_stands() -> None:
    with pytest.raises(NotAllowed) as caught:
        answer(position(), "battle")
    assert (caught.value.code, caught.value.rule) == ("no_battle", "13.3")
    for lang in LANGS:
        assert GAME.phrases.say("refusal.no_battle", lang, caught.value.params, name_of)


@pytest.mark.rule("tokugawa 13.3")
def test_other_decisions_and_the_end_are_reported() -> None:
    sailing = done(position("A osaka archer"), A, "/build ship osaka").state
    assert status(sailing)[1:] == ["あゆ (K) may sail with the ship just built in Osaka, or stay."]
    table = position("A uraga sword", koku=(3, 27), hit=[B])
    over = after(table, "/attack uraga edo road", chance=ScriptedChance(SUN, 5, 5, 5, 0, 0))
    assert status(over) == ["The game is over. A capital has fallen. Winner: あゆ."]
    assert status(over, "ja") == ["ゲーム終了。首都が陥落しました。勝者: あゆ。"]


@pytest.mark.rule("tokugawa 13.3")
def test_a_town_in_detail() -> None:
    kitanosho = look(beginning(), "kitanosho")
    assert kitanosho[0] == "Kitanosho Y spear 1 G (Hokuriku)"
    assert kitanosho[-5:] == [
        "  steps from Kyoto, Yedo: 2, 4",
        "  plain to Tsuruga: K archer 0",
        "  forest to Kanazawa: K sword 2",
        "  mountain to Hikone: -",
        "  mountain to Kano: Y archer 0",
    ]
    tsuruga = look(beginning(), "tsuruga", "ja")
    assert tsuruga[0] == "敦賀 造船 京 弓 0 (北陸)"
    assert tsuruga[-5:] == [
        "  京都、江戸からの街道の数: 2、5",
        "  平原 北庄: 江 槍 1 庭",
        "  森林 彦根: -",
        "  森林 鳥取: -",
        "  船でほかのすべての港街へ",
    ]


@pytest.mark.rule("tokugawa 13.3")
def test_all_contracts_are_listed_wherever_they_are() -> None:
    lines = answer(everything(), "contracts")
    text = " ".join(lines)
    for contract, named in CHART.deals.items():
        assert text.count(f"{contract} {named.en}") == 1
    assert "  taken by あゆ: C1 Three fleets (3): ships in 3 ports" in lines
    assert "  west, still in the stack: W4 Inland sea (6): Osaka(K) Tokushima Matsuyama" in lines
    empty = position(taken={A: ["C1", "C2"], B: ["C3"]}, cards={Side.CENTRE: "C4"})
    assert "  centre: C4" in " ".join(answer(empty, "contracts"))


@pytest.mark.rule("tokugawa 13.3", "tokugawa 14.1")
def test_odds_tell_the_numbers_of_section_14() -> None:
    table = position("A uraga sword", "A odawara sword", koku=(15, 15))
    plain = answer(table, "odds", origin=Town("uraga"), town=Town("edo"), sea=False)
    forest = answer(table, "odds", origin=Town("odawara"), town=Town("edo"), sea=False)
    assert plain[0] == "K sword 2 of Uraga against Y capital 2 of Yedo, over plain:"
    assert plain[5].startswith("  the whole attack succeeds, without supporters: 43.9% (")
    assert forest[5].startswith("  the whole attack succeeds, without supporters: 35.8% (")
    exact = Fraction(plain[5].rpartition("(")[2].rstrip(")"))
    # Sun 721, rain 575, storm 435 of 1,296; the road is open in 6, 5 and 4 of 6 throws.
    assert exact == Fraction(3 * 6 * 721 + 2 * 5 * 575 + 1 * 4 * 435, 36 * 1296)


@pytest.mark.rule("tokugawa 13.3")
def test_odds_tell_what_supporters_change() -> None:
    lines = answer(beginning(), "odds", origin=Town("kanazawa"), town=Town("kitanosho"), sea=False)
    assert lines[-3:] == ["          0      1", "   0  43.7%  32.4%", "   1  52.3%  42.3%"]


@pytest.mark.rule("tokugawa 13.3", "tokugawa 7.1")
def test_odds_by_sea_where_that_is_intended_or_the_only_route() -> None:
    table = position("A osaka archer", "B tokushima spear", "B mito spear", built=["A osaka ship"])
    by_road = answer(table, "odds", origin=Town("osaka"), town=Town("tokushima"), sea=False)
    assert "over plain" in by_road[0]
    assert "arrives 100.0%" in by_road[1]
    by_sea = answer(table, "odds", origin=Town("osaka"), town=Town("tokushima"), sea=True)
    assert "over sea" in by_sea[0]
    assert by_sea[4] == "  the movement succeeds: 63.9% (23/36)"
    far = answer(table, "odds", origin=Town("osaka"), town=Town("mito"), sea=False)
    assert "over sea" in far[0]


@pytest.mark.rule("tokugawa 13.3", "tokugawa 7.1")
@pytest.mark.parametrize(
    ("origin", "town", "sea", "code", "rule"),
    [
        ("kyoto", "ueno", False, "odds_without_attacker", "13.3"),
        ("himeji", "ueno", False, "odds_without_attacker", "13.3"),
        ("nara", "kyoto", False, "odds_without_enemy", "13.3"),
        ("nara", "edo", False, "not_adjacent", "7.1"),
        ("nara", "ueno", True, "odds_without_ship", "7.1"),
    ],
)
def test_odds_of_what_is_no_attack(origin: str, town: str, sea: bool, code: str, rule: str) -> None:
    table = position("A nara sword", "B ueno archer")
    query = {"origin": Town(origin), "town": Town(town), "sea": sea}
    with pytest.raises(NotAllowed) as caught:
        GAME.text(table, frozenset()).answer("odds", query)
    assert (caught.value.code, caught.value.rule) == (code, rule)
    for lang in LANGS:
        assert GAME.phrases.say(f"refusal.{code}", lang, caught.value.params, name_of)


@pytest.mark.rule("tokugawa 13.1")
def test_moves_are_listed_thing_by_thing() -> None:
    table = position(
        "A nara spear", "A mito archer", "B ueno archer", koku=(2, 28), taxed=["kinki"]
    )
    lines = (
        GAME.text(table, frozenset(), page()).show_moves(list(GAME.legal(table, A))).splitlines()
    )
    assert lines[:6] == [
        "/tax: take koku from a province",
        "  Oshu",
        "/attack: from where, how, and which town",
        "  Nara by road: Ueno",
        "/move: from where, over what, and where to",
        "  Mito by land: Sendai Tateyama",
    ]
    assert "  Nara plain: Hikone Himeji Okayama Osaka Tokushima" in lines
    assert "/levy: a new samurai on an empty town" in lines
    assert any(line.startswith("  archer, spearman: ") for line in lines)
    assert lines[-3:] == [
        "/dismiss: a samurai goes back to the stock",
        "  Mito Nara",
        "/pass: end the turn",
    ]


@pytest.mark.rule("tokugawa 13.1")
def test_moves_of_other_phases_are_listed_too() -> None:
    table = position("A nara sword", "A hamamatsu archer", "B nagoya archer", "B ueno spear")
    fight = done(table, A, "/attack nara ueno road", ScriptedChance(STORM, 5)).state
    listed = (
        GAME.text(fight, frozenset(), page("ja"))
        .show_moves(list(GAME.legal(fight, A)))
        .splitlines()
    )
    assert listed == ["/援軍: 1枚ずつ選び、最後に「終わり」", "  終わり 京都"]
    rolling = after(fight, "/support kyoto", "/support done", chance=ScriptedChance(0, 0))
    assert GAME.text(rolling, frozenset(), page()).show_moves(
        list(GAME.legal(rolling, A))
    ).splitlines() == [
        "/reroll: throw both dice again",
        "/stand: let the dice stand",
    ]


def test_static_data_is_the_map_that_clients_draw() -> None:
    made = GAME.static
    assert len(made["towns"]) == 43
    assert made["towns"]["osaka"] == {
        "en": "Osaka",
        "ja": "大坂",
        "province": "kinki",
        "x": 455,
        "y": 692,
        "port": True,
        "shipyard": True,
        "capital": False,
    }
    assert len(made["roads"]) == len(ROAD) // 2
    assert made["contracts"]["W4"]["points"] == 6
    assert made["needed"]["sea"] == {"sun": 2, "rain": 3}


def test_an_approach_is_reported_in_both_languages() -> None:
    for approach in Approach:
        phrases = [GAME.phrases.label("approach", approach, lang) for lang in LANGS]
        assert phrases[0].isascii()
        assert not phrases[1].isascii()


def test_chapters_say_nothing_of_a_table_that_is_over() -> None:
    def figures(table: State) -> Mapping[str, str]:
        return GAME.text(table, NO_SEATS, page()).on_this_table()

    assert figures(beginning())["11"] == "If points decided now: あゆ: 0, Ben: 10."
    assert figures(but(beginning(), ending=Ending.CAPITAL)) == {}
