"""Does every move have exactly one line, and is what people type understood?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.grammar import CONCEALED, Grammar, GrammarError, Query, Shorthand, Verb
from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.refusal import Ambiguous, NotUnderstood, Refusal
from bluebear.rules.core.slots import (
    Choice,
    FlagSlot,
    InputToken,
    NumberListSlot,
    NumberSlot,
    WordSlot,
    tokens_of,
)
from bluebear.rules.core.visibility import Move, Owner, Public, Visibility


class Build(Move):
    block: Public[int]
    city: Public[str]
    site: Public[int]


class Take(Move):
    blocks: Public[tuple[int, ...]]


class Bid(Move):
    """The seat is public, the coins are the bidder's own."""

    seat: Public[int]
    coins: Owner[int]


class Seal(Move):
    sight: ClassVar[Visibility] = Visibility.OWNER
    card: Owner[int]


class Sell(Move):
    goods: Public[int]
    all: Public[bool]


CITIES = (Choice("cairo", ("カイロ",)), Choice("frankfurt", ("フランクフルト",), ("f",)))
GRAMMAR = Grammar(
    [
        Verb(
            "build",
            Build,
            (NumberSlot("block", 1, 4), WordSlot("city", CITIES), NumberSlot("site", 1, 9)),
            ("建てる",),
            ("b",),
        ),
        Verb("take", Take, (NumberListSlot("blocks", 1, 4, most=6),), ("取る",)),
        Verb("bid", Bid, (NumberSlot("seat", 1, 4), NumberSlot("coins", 0, 99))),
        Verb("seal", Seal, (NumberSlot("card", 1, 6),)),
        Verb("sell", Sell, (NumberSlot("goods", 1, 9), FlagSlot("all"))),
    ],
    queries=[
        Query("show", (WordSlot("city", CITIES),), optional=True),
        Query("odds", (NumberSlot("site", 1, 9),)),
    ],
    shorthands=[Shorthand(re.compile(r"(?P<block>\d)f(?P<site>\d)"), "build {block} f {site}")],
)
LEGAL = [Build(1, "cairo", 4), Build(3, "frankfurt", 4), Build(3, "frankfurt", 5)]


def understand(verb: str, text: str, legal: Iterable[Move] = LEGAL) -> Move:
    """What a verb and the text after it mean."""
    return GRAMMAR.understand(GRAMMAR.verbs[verb], text, lambda: legal)


def refused(verb: str, text: str, legal: Iterable[Move] = LEGAL) -> Refusal:
    """Why a verb and the text after it mean nothing."""
    with pytest.raises(Refusal) as caught:
        understand(verb, text, legal)
    return caught.value


moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Build, st.integers(1, 4), st.sampled_from(["cairo", "frankfurt"]), st.integers(1, 9)),
    st.lists(st.integers(1, 4), min_size=1, max_size=6).map(
        lambda blocks: Take(tuple(sorted(blocks, reverse=True)))
    ),
    st.builds(Bid, st.integers(1, 4), st.integers(0, 99)),
    st.builds(Seal, st.integers(1, 6)),
    st.builds(Sell, st.integers(1, 9), st.booleans()),
)


@given(moves)
def test_parsing_a_formatted_move_gives_the_move(move: Move) -> None:
    line = GRAMMAR.format(move)
    assert GRAMMAR.parse(line) == move
    assert line.isascii()


@given(moves)
def test_a_canonical_line_is_understood_without_looking_at_the_game(move: Move) -> None:
    verb = GRAMMAR.verb_of(move)
    _, _, text = GRAMMAR.format(move).partition(" ")
    assert understand(verb.name, text, legal=()) == move


@pytest.mark.parametrize(
    "line",
    [
        "",
        "/",
        "build 3 cairo 5",
        "/build 3 cai 5",
        "/build 3 カイロ 5",
        "/build  3 cairo 5",
        "/build 3 cairo 5 ",
        "/build 3 cairo",
        "/build 3 cairo 5 5",
        "/build 03 cairo 5",
        "/build 3 cairo site=5",
        "/b 3 cairo 5",
        "/Build 3 cairo 5",
        "/take 1 2",
        "/take",
        "/take 2x2",
        "/sell all 3",
        "/fly 3",
        "/show cairo",
        "?",
    ],
)
def test_a_line_that_is_not_canonical_is_not_parsed(line: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        GRAMMAR.parse(line)
    assert (caught.value.code, caught.value.params["given"]) == ("bad_line", line)


@given(st.text(alphabet="/abtkeilduscfro 1234569x=?", max_size=24))
def test_any_text_is_a_move_or_no_canonical_line(line: str) -> None:
    try:
        move = GRAMMAR.parse(line)
    except NotUnderstood:
        return
    assert GRAMMAR.format(move) == line


def test_other_people_see_a_question_mark_for_what_is_the_owners() -> None:
    assert GRAMMAR.format(Bid(2, 17), sees_owner=False) == f"/bid 2 {CONCEALED}"
    assert GRAMMAR.format(Bid(2, 17)) == "/bid 2 17"


def test_other_people_see_nothing_of_a_line_that_is_hidden_as_a_complete() -> None:
    assert GRAMMAR.format(Seal(3), sees_owner=False) == CONCEALED


@pytest.mark.parametrize(
    "text", ["3 f 5", "３、フランクフルト、５", "3 fra 5", "site=5 3 f", "block=3 site=5 city=f"]
)
def test_people_may_write_it_in_many_forms(text: str) -> None:
    assert understand("build", text) == Build(3, "frankfurt", 5)


def test_what_is_left_out_is_filled_in_if_one_move_fits() -> None:
    assert understand("build", "1") == Build(1, "cairo", 4)
    assert understand("build", "site=5") == Build(3, "frankfurt", 5)


def test_what_is_left_out_is_requested_if_several_fit() -> None:
    refusal = refused("build", "3 f")
    assert isinstance(refusal, Ambiguous)
    assert refusal.candidates == ("/build 3 frankfurt 4", "/build 3 frankfurt 5")
    assert refusal.params == {"slot": "site", "verb": "build"}


def test_what_is_left_out_is_missing_if_nothing_fits() -> None:
    refusal = refused("build", "4")
    assert (refusal.code, refusal.params["slot"]) == ("missing_argument", "city")


def test_too_many_candidates_are_not_all_listed() -> None:
    refusal = refused("build", "", [Build(1, "cairo", site) for site in range(1, 10)] * 2)
    assert (refusal.code, len(refusal.candidates)) == ("missing_argument", 8)


def test_what_is_too_much_is_named() -> None:
    refusal = refused("build", "3 f 5 now please")
    assert (refusal.code, refusal.params["given"]) == ("extra_argument", "now please")


def test_a_flag_may_stand_anywhere() -> None:
    assert understand("sell", "all 3") == Sell(3, all=True)
    assert understand("sell", "3") == Sell(3, all=False)


def test_a_shorthand_stands_for_a_line() -> None:
    assert GRAMMAR.expand("３Ｆ５") == "build 3 f 5"
    assert GRAMMAR.expand("3X5") is None


def test_completion_offers_what_can_come_next() -> None:
    build = GRAMMAR.verbs["build"]
    assert GRAMMAR.complete(build, "", LEGAL) == ["1", "3"]
    assert GRAMMAR.complete(build, "3 ", LEGAL) == ["frankfurt"]
    assert GRAMMAR.complete(build, "3 fr", LEGAL) == ["frankfurt"]
    assert GRAMMAR.complete(build, "3 フラ", LEGAL) == ["frankfurt"]
    assert GRAMMAR.complete(build, "3 frankfurt ", LEGAL) == ["4", "5"]
    assert GRAMMAR.complete(GRAMMAR.verbs["take"], "", LEGAL) == []


def test_completion_finds_capitals_by_small_letters() -> None:
    square = WordSlot("city", (Choice("C4"), Choice("C5"), Choice("D1")))
    grammar = Grammar(
        [Verb("build", Build, (NumberSlot("block", 1, 4), square, NumberSlot("site", 1, 9)))]
    )
    legal = [Build(3, "C4", 1), Build(3, "C5", 1), Build(3, "D1", 1)]
    assert grammar.complete(grammar.verbs["build"], "3 c", legal) == ["C4", "C5"]
    assert grammar.complete(grammar.verbs["build"], "3 c4 ", legal) == ["1"]


def test_heads_are_matched_by_any_of_their_names() -> None:
    assert GRAMMAR.heads.find("建てる") == ("build",)
    assert GRAMMAR.heads.find("b") == ("build",)
    assert GRAMMAR.heads.find("se") == ("seal", "sell")
    assert GRAMMAR.heads.find("sh") == ("show",)


def test_a_query_that_may_stand_alone_has_no_arguments_then() -> None:
    assert GRAMMAR.arguments(GRAMMAR.queries["show"], " ") == {}
    assert GRAMMAR.arguments(GRAMMAR.queries["show"], "f") == {"city": "frankfurt"}


def test_a_query_says_what_it_misses() -> None:
    with pytest.raises(NotUnderstood) as caught:
        GRAMMAR.arguments(GRAMMAR.queries["odds"], "")
    assert caught.value.params == {"verb": "odds", "slot": "site"}


def test_usage_names_the_slots_in_the_readers_language() -> None:
    phrases = Phrases(
        {
            "slot.city": Phrase("city", "都市"),
            "slot.blocks": Phrase("blocks", "ブロック"),
            "slot.goods": Phrase("goods", "商品"),
            "slot.all": Phrase("all", "全部"),
        }
    )
    assert GRAMMAR.usage("show", phrases, "en") == "/show [CITY]"
    assert GRAMMAR.usage("show", phrases, "ja") == "/show [都市]"
    assert GRAMMAR.usage("take", phrases, "en") == "/take BLOCKS..."
    assert GRAMMAR.usage("sell", phrases, "en") == "/sell GOODS [ALL]"


def test_a_verb_whose_slots_are_not_its_moves_fields_is_an_error() -> None:
    with pytest.raises(TypeError, match="/seal fills"):
        Grammar([Verb("seal", Seal, (NumberSlot("site", 1, 9),))])


def test_many_lines_do_not_fill_the_memory() -> None:
    grammar = Grammar([Verb("bid", Bid, (NumberSlot("seat", 1, 99), NumberSlot("coins", 0, 99)))])
    for seat in range(1, 100):
        for coins in range(100):
            grammar.parse(f"/bid {seat} {coins}")
    assert grammar.parse("/bid 1 0") == Bid(1, 0)


def test_terms_know_where_they_stood() -> None:
    text = " ３、ｃairo  ㍿ 9"
    assert [
        text[term.start : term.end] for term in tokens_of(text) if isinstance(term, InputToken)
    ] == [
        "３",
        "ｃairo",
        "㍿",
        "9",
    ]


def test_all_that_is_too_much_is_one_refused_text_with_one_position() -> None:
    with pytest.raises(NotUnderstood) as raised:
        GRAMMAR.understand(GRAMMAR.verbs["build"], "3 cairo  5  9 9", lambda: LEGAL)
    given = raised.value.params["given"]
    assert (given, given.start, given.end) == ("9 9", 12, 15)


def test_verbs_and_queries_may_have_their_names_from_a_list() -> None:
    names = (Choice("bid", ("入札",), ("b",)), Choice("odds", ("勝率",)))
    verb = Verb("bid", Bid, (NumberSlot("seat", 1, 4), NumberSlot("coins", 0, 99)))
    grammar = Grammar([verb], [Query("odds")], names=names)
    assert [grammar.heads.find(name) for name in ("入札", "b", "勝率")] == [
        ("bid",),
        ("bid",),
        ("odds",),
    ]
    assert grammar.verbs["bid"].names == ("入札",)
    with pytest.raises(GrammarError, match="names of odds"):
        Grammar([verb], names=names)
