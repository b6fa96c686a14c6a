"""Do slots read what people type, and write what the journal stores?"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.refusal import Ambiguous, NotUnderstood
from bluebear.rules.core.slots import (
    Choice,
    FlagSlot,
    Lexicon,
    NumberListSlot,
    NumberSlot,
    Slot,
    WordListSlot,
    WordSlot,
    fold,
    read_choices,
    tokens_of,
)
from bluebear.rules.core.suggest import nearest
from bluebear.rules.core.visibility import Seat


class City(StrEnum):
    CAIRO = "cairo"
    HONGKONG = "hongkong"
    HANOI = "hanoi"


CHOICES = (
    Choice("cairo", ("カイロ",), ("c",)),
    Choice("hongkong", ("香港", "hong-kong"), ("hk",)),
    Choice("hanoi", ("ハノイ",)),
)
CITY = WordSlot("city", CHOICES, kind=City)
SITE = NumberSlot("site", 1, 9)
BLOCKS = NumberListSlot("blocks", 1, 4, most=6)
CITIES = WordListSlot("cities", CHOICES, kind=City)


def read(slot: Slot, text: str) -> Any:
    """What a slot reads from a typed text."""
    value, after = slot.read(tokens_of(text), 0)
    assert after <= len(tokens_of(text))
    return value


@pytest.mark.parametrize(
    ("typed", "city"),
    [
        ("cairo", City.CAIRO),
        ("CAIRO", City.CAIRO),
        ("ｃａｉｒｏ", City.CAIRO),
        ("カイロ", City.CAIRO),
        ("ｶｲﾛ", City.CAIRO),
        ("c", City.CAIRO),
        ("ca", City.CAIRO),
        ("hon", City.HONGKONG),
        ("香", City.HONGKONG),
        ("hk", City.HONGKONG),
    ],
)
def test_a_term_is_matched_by_name_short_name_and_prefix(typed: str, city: City) -> None:
    assert read(CITY, typed) is city


@pytest.mark.parametrize("typed", ["C4", "c4", "ｃ４"])
def test_a_canonical_term_may_have_capitals(typed: str) -> None:
    square = WordSlot("square", (Choice("C4"), Choice("C5")))
    assert read(square, typed) == "C4"
    assert square.read(["C4"], 0) == ("C4", 1), "as a canonical line has it, which is not folded"


def test_a_prefix_of_two_terms_is_ambiguous() -> None:
    with pytest.raises(Ambiguous) as caught:
        read(CITY, "h")
    assert (caught.value.code, caught.value.candidates) == ("ambiguous", ("hongkong", "hanoi"))


def test_a_mistyped_term_names_the_nearest() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(CITY, "hanio")
    assert (caught.value.code, caught.value.candidates[0]) == ("bad_argument", "hanoi")


def test_a_strange_term_names_all_if_they_are_few() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(CITY, "zzz")
    assert caught.value.candidates == ("cairo", "hongkong", "hanoi")


@pytest.mark.parametrize(("typed", "site"), [("1", 1), ("９", 9), ("007", 7)])
def test_a_number_is_read_however_its_digits_are_typed(typed: str, site: int) -> None:
    assert read(SITE, typed) == site


@pytest.mark.parametrize("typed", ["0", "10", "-1", "1.5", "one", "٣", "1" * 30, "1e3", "+1"])
def test_what_is_no_number_in_range_is_refused(typed: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(SITE, typed)
    assert (caught.value.code, caught.value.candidates) == ("bad_argument", ("1-9",))


def test_a_number_can_be_of_a_kind() -> None:
    assert read(NumberSlot("seat", 1, 4, kind=Seat), "2") == Seat(2)


@pytest.mark.parametrize(
    "typed",
    [
        "4 3 2 2 1 1",
        "1 1 2 2 3 4",
        "4,3,2,2,1,1",
        "4、3、2x2、1x2",
        "1*2 2×2 3 4",
        "４ ３ ２ｘ２ １ｘ２",
    ],
)
def test_a_list_of_numbers_has_one_order(typed: str) -> None:
    assert read(BLOCKS, typed) == (4, 3, 2, 2, 1, 1)


def test_too_many_numbers_are_refused() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(BLOCKS, "1x7")
    assert (caught.value.code, caught.value.params["most"]) == ("too_many", 6)


def test_an_absurd_repetition_is_refused_without_being_made() -> None:
    with pytest.raises(NotUnderstood):
        read(BLOCKS, "1x999999999")


def test_a_list_of_terms_has_one_order() -> None:
    assert read(CITIES, "hanoi カイロ") == (City.CAIRO, City.HANOI)


def test_a_term_that_stands_twice_is_refused() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(CITIES, "cairo c")
    assert (caught.value.code, caught.value.params["given"]) == ("stands_twice", "cairo")


def test_a_flag_is_there_or_not() -> None:
    flag = FlagSlot("all", names=("全部",))
    assert (read(flag, "全部"), flag.write(True), flag.write(False)) == (True, "all", "")


def test_a_strange_term_is_no_flag() -> None:
    with pytest.raises(NotUnderstood):
        read(FlagSlot("all"), "some")


def test_an_exact_name_wins_over_a_longer_one() -> None:
    lexicon = Lexicon([Choice("go"), Choice("gone", short=("gon",))])
    assert lexicon.find("go") == ("go",)
    assert lexicon.find("gon") == ("gone",)
    assert lexicon.find("x") == ()


def test_folding_takes_width_and_case_away() -> None:
    assert fold("ＡbＣ１") == "abc1"


def test_the_nearest_names_come_best_first() -> None:
    assert nearest("tkae", ["take", "cake", "build"])[0] == "take"


@given(st.sampled_from(City))
def test_what_a_term_writes_it_reads(city: City) -> None:
    assert read(CITY, CITY.write(city)) is city
    assert CITY.write(city) in CITY.values()


@given(st.integers(1, 9))
def test_what_a_number_writes_it_reads(site: int) -> None:
    assert read(SITE, SITE.write(site)) == site
    assert SITE.write(site) in SITE.values()


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_what_numbers_write_they_read(blocks: list[int]) -> None:
    value = tuple(sorted(blocks, reverse=True))
    assert read(BLOCKS, BLOCKS.write(value)) == value


@given(st.lists(st.sampled_from(City), min_size=1, unique=True))
def test_what_terms_write_they_read(cities: list[City]) -> None:
    value = read(CITIES, CITIES.write(tuple(cities)))
    assert sorted(value) == sorted(cities)
    assert read(CITIES, CITIES.write(value)) == value


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    for slot in (CITY, SITE, BLOCKS, CITIES, FlagSlot("all")):
        if tokens_of(text):
            try:
                read(slot, text)
            except (NotUnderstood, Ambiguous):
                continue


def test_the_domain_is_reported_as_data() -> None:
    assert SITE.describe() == {"name": "site", "low": 1, "high": 9}
    assert BLOCKS.describe() == {"name": "blocks", "low": 1, "high": 4, "most": 6}
    assert CITIES.describe() == {"name": "cities", "values": ["cairo", "hongkong", "hanoi"]}


def test_what_may_be_typed_for_nouns_and_verbs_is_a_file_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {
        "good": '[city]\ncairo = { names = ["カイロ"], short = ["C"] }\nsydney = {}',
        "bad": '[city]\ncairo = { nick = "C" }',
    }
    monkeypatch.setattr("bluebear.rules.core.tables.find_file", lambda package, name: name)
    monkeypatch.setattr("bluebear.rules.core.tables.read_text", lambda package, *_: files[package])
    cities = (Choice("cairo", ("カイロ",), ("C",)), Choice("sydney"))
    assert read_choices("good") == {"city": cities}
    assert read_choices("good", city=("sydney", City.CAIRO)) == {"city": cities[::-1]}
    with pytest.raises(DataError, match=r"^bad/names\.toml line 2: city cairo: .*nick"):
        read_choices("bad")
    for values in (("cairo",), ("cairo", "oslo", "sydney")):
        with pytest.raises(DataError, match=r"^good/names\.toml line 1: city: \w+ is missing"):
            read_choices("good", city=values)
    with pytest.raises(DataError, match=r"^good/names\.toml: face: die is missing or unknown"):
        read_choices("good", face=("die",))
