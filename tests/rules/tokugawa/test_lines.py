"""What people type: paragraph 13.1 of the rules, and what they are told when it is not allowed."""

from __future__ import annotations

import pytest

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import TOWNS
from bluebear.rules.tokugawa.rules.state import Phase, State
from bluebear.rules.tokugawa.text.commands import GRAMMAR
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import SUN, A, B, dice, done, lines, position, why

MANY = (
    "A osaka sword",
    "A nara archer",
    "A himeji spear",
    "A kano archer",
    "B tokushima archer",
    "B uraga archer",
)


def table(phase: Phase = Phase.ACTING) -> State:
    """A position in a phase in which A decides."""
    acting = position(*MANY, built=["A kyoto smithy", "A osaka ship"])
    if phase is Phase.SAILING:
        return done(acting, A, "/build ship osaka").state
    if phase is Phase.ATTACK_SUPPORT:
        start = position("A suwa archer", "A takada archer", "A niigata archer", "B takasaki spear")
        return done(start, A, "/attack suwa takasaki road", ScriptedChance(SUN)).state
    return acting


def typed(at: State, seat: Seat, text: str) -> list[str]:
    """The canonical lines of what a seat types, as a server finds them."""
    head, _, rest = text.removeprefix("/").partition(" ")
    (name,) = GRAMMAR.heads.find(fold(head))
    view = GAME.seen(at, frozenset({seat}))
    moves = GAME.text(view, frozenset((seat,))).expand(seat, name, rest)
    if moves is None:
        verb = GRAMMAR.verbs[name]
        moves = (GRAMMAR.understand(verb, rest, lambda: GAME.legal(at, seat)),)
    return [GRAMMAR.format(move) for move in moves]


@pytest.mark.rule("tokugawa 13.1")
@pytest.mark.parametrize(
    ("english", "japanese", "line"),
    [
        ("/place archer nara", "/配置 弓使い 奈良", "/place archer nara"),
        ("/tax kinki", "/徴税 近畿", "/tax kinki"),
        ("/levy spear ueno", "/徴兵 槍使い 上野", "/levy spear ueno"),
        ("/move himeji okayama plain", "/移動 姫路 岡山 平原", "/move himeji okayama plain"),
        ("/move himeji okayama", "/移動 ひめじ おかやま", "/move himeji okayama plain"),
        ("/move nara ueno", "/移動 奈良 上野", "/move nara ueno land"),
        ("/move osaka niigata", "/移動 大坂 新潟", "/move osaka niigata sea"),
        ("/attack osaka tokushima", "/攻撃 大坂 徳島", "/attack osaka tokushima road"),
        ("/attack osaka tokushima sea", "/攻撃 大坂 徳島 海路", "/attack osaka tokushima sea"),
        ("/attack osaka uraga", "/攻撃 大坂 浦賀", "/attack osaka uraga sea"),
        ("/attack osaka mito", "/攻撃 大坂 水戸", "/attack osaka mito sea"),
        ("/attack nara uraga", "/攻撃 奈良 浦賀", "/attack nara uraga road"),
        ("/attack osaka uraga ship", "/攻撃 大坂 浦賀 海洋", "/attack osaka uraga sea"),
        ("/attack osaka uraga sea", "/攻撃 大坂 浦賀 船", "/attack osaka uraga sea"),
        ("/move osaka niigata ship", "/移動 大坂 新潟 海路", "/move osaka niigata sea"),
        ("/move osaka niigata sea", "/移動 大坂 新潟 船", "/move osaka niigata sea"),
        ("/move osaka niigata sea", "/移動 おおさか にいがた うみ", "/move osaka niigata sea"),
        ("/support kyoto", "/援軍 京都", "/support kyoto"),
        ("/support done", "/援軍 終わり", "/support done"),
        ("/reroll", "/振り直し", "/reroll"),
        ("/stand", "/決定", "/stand"),
        ("/retreat kano", "/退却 加納", "/retreat kano"),
        ("/build castle kyoto", "/建設 城 京都", "/build castle kyoto"),
        ("/build wall yedo", "/建設 城壁 江戸", "/build wall edo"),
        ("/build wall kyoto", "/建設 壁 京都", "/build wall kyoto"),
        ("/build shrine kyoto", "/建設 社 京都", "/build shrine kyoto"),
        ("/place bow nara", "/置く 弓 奈良", "/place archer nara"),
        ("/levy katana ueno", "/徴兵 刀 上野", "/levy sword ueno"),
        ("/stay", "/留まる", "/stay"),
        ("/forge nara", "/鍛造 奈良", "/forge nara"),
        ("/dismiss nara", "/除去 奈良", "/dismiss nara"),
        ("/pass", "/パス", "/pass"),
    ],
)
def test_every_decision_in_both_languages(english: str, japanese: str, line: str) -> None:
    assert typed(table(), A, english) == typed(table(), A, japanese) == [line]
    assert GRAMMAR.format(GRAMMAR.parse(line)) == line


@pytest.mark.rule("tokugawa 13.1")
@pytest.mark.parametrize("text", ["/MOVE Himeji Okayama", "/mo hime oka", "/移動 姫路　岡山"])
def test_case_beginnings_and_wide_spaces(text: str) -> None:
    assert typed(table(), A, text) == ["/move himeji okayama plain"]


@pytest.mark.rule("tokugawa 13.1")
def test_a_terrain_is_requested_where_several_lead_there() -> None:
    """From Nara to Osaka: plain over Kyoto, or forest."""
    at = position("A nara spear")
    with pytest.raises(Ambiguous) as caught:
        typed(at, A, "/move nara osaka")
    assert caught.value.candidates == ("/move nara osaka forest", "/move nara osaka plain")


@pytest.mark.rule("tokugawa 13.1")
@pytest.mark.parametrize(
    ("text", "code", "refusal_text"),
    [
        ("/move himeji tokushima", "enemy_there", "The enemy holds Tokushima, and"),
        ("/move himeji osaka", "occupied", "Osaka is not empty."),
        ("/move himeji himeji", "stays_there", "That is Himeji twice;"),
        ("/move uraga mito", "no_samurai", "You have no samurai in Uraga. You have some in "),
        (
            "/move himeji mito",
            "no_way",
            "By land you can go from Himeji to Hikone, Okayama, Tottori.",
        ),
        ("/attack nara himeji", "no_enemy_at_all", "There is no enemy in Himeji, nor anywhere"),
        ("/attack osaka nara", "no_enemy", "From Osaka you can attack Tokushima, Uraga."),
        ("/attack kano uraga", "not_adjacent", "From Kano roads lead to Hikone,"),
        ("/attack kyoto edo", "capital_never_attacks", "A capital never attacks;"),
    ],
)
def test_where_nothing_leads_the_answer_is_why_and_not_what_is_missing(
    text: str, code: str, refusal_text: str
) -> None:
    at = table()
    (line,) = typed(at, A, text)
    no = why(at, A, line)
    assert no.code == code
    assert refusal_text in GAME.phrases.say(f"refusal.{code}", "en", no.params)


@pytest.mark.rule("tokugawa 13.1", "tokugawa 4.3")
def test_without_an_action_no_terrain_is_requested() -> None:
    at = position("A nara spear", actions=0)
    (line,) = typed(at, A, "/move nara osaka")
    assert why(at, A, line).code == "no_action_left"


@pytest.mark.rule("tokugawa 13.1", "tokugawa 6.2")
def test_who_is_shut_in_is_informed() -> None:
    at = position("A hachinohe spear", "B morioka archer", "B matsumae archer")
    assert why(at, A, "/move hachinohe mito plain").code == "no_way_out"


@pytest.mark.rule("tokugawa 13.1", "tokugawa 10.5")
def test_a_new_ship_sails_without_saying_so() -> None:
    """An archer could also go to some ports by land, but not now."""
    at = table(Phase.SAILING)
    assert typed(at, A, "/move osaka niigata") == ["/move osaka niigata sea"]
    assert why(at, A, *typed(at, A, "/move osaka hikone")).code == "sail_from_here"


@pytest.mark.rule("tokugawa 13.1", "tokugawa 13.2")
@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("/levy archer matsu", ("matsue", "matsumae", "matsumoto", "matsuyama")),
        ("/levy archer taka", ("takada", "takasaki")),
        ("/levy archer ka", ("kagoshima", "kamakura", "kanazawa", "kano")),
    ],
)
def test_a_beginning_of_several_towns_names_them(text: str, candidates: tuple[str, ...]) -> None:
    with pytest.raises(Ambiguous) as caught:
        typed(table(), A, text)
    assert caught.value.candidates == candidates


@pytest.mark.rule("tokugawa 13.2")
def test_a_mistyped_town_gets_the_nearest_names() -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed(table(), A, "/levy archer hirosima")
    assert caught.value.candidates[0] == "hiroshima"


@pytest.mark.rule("tokugawa 13.1")
@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("/support takada niigata", ["/support takada", "/support niigata"]),
        ("/support takada done", ["/support takada", "/support done"]),
        # No player is left to be asked for, so that `done` says nothing.
        ("/support niigata takada done", ["/support niigata", "/support takada"]),
        ("/援軍 高田 新潟 終わり", ["/support takada", "/support niigata"]),
        ("/support takada, niigata", ["/support takada", "/support niigata"]),
    ],
)
def test_several_supporters_in_one_line(text: str, made: list[str]) -> None:
    at = table(Phase.ATTACK_SUPPORT)
    assert typed(at, A, text) == made
    for line in made:
        at = done(at, A, line, dice(1, 1)).state


@pytest.mark.rule("tokugawa 13.1", "tokugawa 7.4")
def test_a_refused_list_of_supporters_speaks_of_koku() -> None:
    """With the last koku gone the asking ends, and the second name would come too late."""
    at = table(Phase.ATTACK_SUPPORT)
    poor = but(at, seats=at.seats.put(A, but(at.seats[A], koku=1)))
    with pytest.raises(NotAllowed) as caught:
        typed(poor, A, "/support takada niigata done")
    assert (caught.value.code, caught.value.rule) == ("too_dear", "7.4")
    assert caught.value.params == {"cost": 2, "koku": 1}


@pytest.mark.rule("tokugawa 13.1", "tokugawa 9.4")
def test_supporters_named_in_a_retreat_are_refused_for_the_retreat() -> None:
    start = position("A okayama archer", "B hiroshima archer", "B matsue archer", koku=(1, 0))
    chance = dice(6, 6, 1, 1, weather=SUN)
    at = done(start, A, "/attack okayama hiroshima road", chance).state
    assert (at.phase, at.decides) == (Phase.RETREATING, B)
    for text in ("/support matsue", "/support matsue done"):
        assert why(at, B, typed(at, B, text)[0]).code == "retreat_now"


@pytest.mark.rule("tokugawa 13.1")
def test_done_in_the_middle_is_no_list() -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed(table(Phase.ATTACK_SUPPORT), A, "/support takada done niigata")
    assert caught.value.code == "extra_argument"


@pytest.mark.rule("tokugawa 13.1")
def test_supporters_of_a_battle_that_is_over_are_a_list_all_the_same() -> None:
    assert typed(table(), A, "/support nara kyoto done") == [
        "/support nara",
        "/support kyoto",
        "/support done",
    ]


@pytest.mark.rule("tokugawa 13.1")
@pytest.mark.parametrize("phase", [Phase.ACTING, Phase.SAILING, Phase.ATTACK_SUPPORT])
def test_what_is_listed_can_be_typed_as_it_stands(phase: Phase) -> None:
    at = table(phase)
    for line in lines(at, A):
        assert typed(at, A, line) == [line]


REFUSED = {
    "/place archer nara": "act_now",
    "/stay": "act_now",
    "/support nara": "act_now",
    "/tax hokuriku": "no_majority",
    "/levy archer nara": "occupied",
    "/move uraga mito land": "no_samurai",
    "/move kyoto mito plain": "capital_stays",
    "/move himeji okayama mountain": "other_terrain",
    "/move himeji mito plain": "no_way",
    "/move himeji okayama land": "name_the_terrain",
    "/move nara ueno forest": "archers_go_by_land",
    "/move nara niigata sea": "no_port",
    "/attack kyoto edo road": "capital_never_attacks",
    "/attack nara uraga road": "not_adjacent",
    "/attack osaka himeji road": "no_enemy",
    "/attack nara himeji road": "no_enemy_at_all",
    "/move osaka tokushima plain": "enemy_there",
    "/move himeji himeji plain": "stays_there",
    "/build castle edo": "not_yours",
    "/build ship nara": "no_shipyard",
    "/build smithy nara": "no_piece_left",
    "/dismiss mito": "no_samurai",
    "/forge kyoto": "capital_no_samurai",
}


@pytest.mark.rule("tokugawa 13.1")
@pytest.mark.parametrize(("line", "code"), list(REFUSED.items()))
def test_a_refusal_is_one_sentence_in_both_languages(line: str, code: str) -> None:
    no = why(table(), A, line)
    assert (no.code, no.rule in GAME.rules) == (code, True)
    for lang in LANGS:
        text = GAME.phrases.say(f"refusal.{code}", lang, no.params)
        assert text
        assert "{" not in text


@pytest.mark.rule("tokugawa 13.1")
def test_refusals_name_towns_and_numbers() -> None:
    far = why(table(), A, "/attack nara uraga road")
    text = GAME.phrases.say("refusal.not_adjacent", "en", far.params)
    assert text == "No road joins Nara and Uraga. From Nara roads lead to Kyoto, Osaka, Ueno."
    poor = why(position("A nara archer", koku=(3, 15)), A, "/build castle nara")
    assert GAME.phrases.say("refusal.too_dear", "ja", poor.params) == (
        "4石かかりますが、手元には3石しかありません。"
    )


def test_every_refusal_and_every_term_of_a_town_is_in_both_languages() -> None:
    for lang in LANGS:
        for slot in ("town", "origin", "towns", "supporter", "capital"):
            for town in TOWNS:
                term = GAME.phrases.label(slot, town, lang)
                assert term != town


def test_it_is_never_the_turn_of_a_person_who_has_nothing_to_say() -> None:
    no = why(table(), B, "/pass")
    assert GAME.phrases.say("refusal.not_your_turn", "en", no.params, lambda seat: f"P{seat}") == (
        "It is for P1 to decide now."
    )
