"""Does every sentence exist in both languages, with the same parameters, well filled in?"""

from __future__ import annotations

from enum import StrEnum

import pytest

from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.phrases import LANGS, Phrases, seat_namer
from tests.rules.core.phrase_texts import phrases_of


class City(StrEnum):
    CAIRO = "cairo"


CORE = phrases_of("[refusal.other]\nen = 'other'\nja = '別'\n[refusal.full]\nen = 'x'\nja = 'y'")
PHRASES = phrases_of(
    """
        [event.built]
        en = "{seat} builds in {city}: {floors} {floors:plural floor,floors}."
        ja = "{seat}は{city}に{floors}階{floors:plural 、,、}建てました。"
        [event.met]
        en = "{seats} meet at {city}."
        ja = "{seats}が{city}で会いました。"
        [refusal.full]
        en = "{city} is full."
        ja = "{city}は満杯です。"
        [word.city.cairo]
        en = "Cairo"
        ja = "カイロ"
        """,
    fallback=CORE,
)


def test_a_sentence_is_filled_in_both_languages() -> None:
    params = {"seat": 2, "city": City.CAIRO, "floors": 3}
    assert PHRASES.say("event.built", "en", params) == "Seat 2 builds in Cairo: 3 floors."
    assert PHRASES.say("event.built", "ja", params) == "席2はカイロに3階、建てました。"


def test_one_is_singular() -> None:
    params = {"seat": 2, "city": "cairo", "floors": 1}
    assert PHRASES.say("event.built", "en", params) == "Seat 2 builds in Cairo: 1 floor."


def test_seats_are_called_as_the_room_calls_them() -> None:
    params = {"seats": (2, 1), "city": "atlantis"}
    reply = PHRASES.say("event.met", "en", params, lambda seat: ["Ayu", "Bo"][seat - 1])
    assert reply == "Bo, Ayu meet at atlantis."


def test_lists_are_joined_as_each_language_does() -> None:
    params = {"seats": frozenset({3, 1}), "city": "cairo"}
    assert PHRASES.say("event.met", "ja", params) == "席1、席3がカイロで会いました。"


def test_a_game_precedes_what_all_games_share() -> None:
    assert PHRASES.say("refusal.full", "en", {"city": "cairo"}) == "Cairo is full."
    assert PHRASES.say("refusal.other", "ja") == "別"


def test_an_unknown_key_is_an_error() -> None:
    assert "event.flown" not in PHRASES
    with pytest.raises(KeyError, match=r"event\.flown"):
        PHRASES.say("event.flown", "en")


def test_a_missing_parameter_is_an_error() -> None:
    with pytest.raises(KeyError, match="city"):
        PHRASES.say("refusal.full", "en", {})


def test_values_are_never_taken_for_patterns() -> None:
    assert PHRASES.say("refusal.full", "en", {"city": "{seat}"}) == "{seat} is full."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a]\n[a.b]\nen = 'only English'", "line 2: a b: missing required field ja"),
        ("[a.b]\nen = 'x'\nja = 'y'\nfr = 'z'", "line 1: a b: contains unknown field fr"),
        ("[a.b]\nen = '{seat}'\nja = '{city}'", "line 1: a b: different parameters in en and ja"),
        ("[a.b]\nen = '{'\nja = '{'", "line 1: a b: Single '{' encountered"),
        ("[a.b]\nen = 'x'\nja = ' '", "line 3: a b ja: Expected str matching regex"),
        ("[a]\nb = 3", "line 2: a b: Expected object, got int"),
        ("[a.b]\nen = 'x'\nja = 'y'\n[a.b.c]\nen = 'x'\nja = 'y'", "contains unknown field c"),
    ],
)
def test_a_broken_catalogue_says_where(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        phrases_of(text)


def test_the_cores_catalogue_is_complete() -> None:
    core = Phrases.load("bluebear.rules.core", "phrases.toml")
    keys = list(core)
    assert "refusal.bad_line" in keys
    for key in keys:
        phrase = core.find(key)
        assert phrase is not None
        assert all(phrase.text(lang).strip() for lang in LANGS)


def test_seats_have_numbers_outside_of_rooms() -> None:
    assert [seat_namer(lang)(3) for lang in LANGS] == ["Seat 3", "席3"]
