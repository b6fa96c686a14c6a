"""Names that people may type, and how money, goods and cards are said."""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import Ambiguous, NotUnderstood
from bluebear.rules.core.slots import Choice, WordSlot, fold, tokens_of
from bluebear.rules.itc import GAME
from bluebear.rules.itc.data.tables import ACTIONS, CARDS, NEUTRAL_CARDS
from bluebear.rules.itc.data.terms import ACard, Good, Kind, Place, TCard
from bluebear.rules.itc.rules.turn_context import listed
from bluebear.rules.itc.text.names import (
    CHOICES,
    SEAT_CHOICES,
    label_of,
)

PLACE = WordSlot("place", CHOICES["place"], kind=Place)


def read(text: str) -> Place:
    position = PLACE.read(tokens_of(text), 0)[0]
    assert isinstance(position, Place)
    return position


@pytest.mark.rule("itc 17.1")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("na", Place.NORTH_AMERICA),
        ("northamerica", Place.NORTH_AMERICA),
        ("North-America", Place.NORTH_AMERICA),
        ("nor", Place.NORTH_AMERICA),
        ("北米", Place.NORTH_AMERICA),
        ("北ア", Place.NORTH_AMERICA),
        ("ＳＡ", Place.SOUTH_AMERICA),
        ("eu", Place.EUROPE),
        ("オースト", Place.AUSTRALIA),
        ("グレイマーケット", Place.MARKET),
        ("灰色市場", Place.MARKET),
        ("grey-market", Place.MARKET),
        ("gm", Place.MARKET),
    ],
)
def test_ranks_have_names_in_both_languages(text: str, place: Place) -> None:
    assert read(text) is place


@pytest.mark.rule("itc 17.1")
def test_an_unclear_beginning_names_what_it_could_be() -> None:
    with pytest.raises(Ambiguous) as caught:
        read("a")
    assert caught.value.candidates == ("africa", "asia", "australia")


def test_a_slip_names_the_nearest() -> None:
    with pytest.raises(NotUnderstood) as caught:
        read("austria")
    assert caught.value.candidates[0] == "australia"


@pytest.mark.rule("itc 17.1")
@pytest.mark.parametrize(
    "choices",
    [SEAT_CHOICES, *CHOICES.values()],
    ids=["seat", *CHOICES],
)
def test_every_name_denotes_one_thing(choices: tuple[Choice, ...]) -> None:
    slot = WordSlot("word", choices)
    for choice in choices:
        for name in (choice.value, *choice.names, *choice.short):
            assert slot.read(tokens_of(name), 0)[0] == choice.value
    names = [name for choice in choices for name in (choice.value, *choice.names, *choice.short)]
    assert len(names) == len(set(names))


def test_cards_are_labelled_as_they_are_typed() -> None:
    assert label_of(TCard(7)) == "n07"
    assert label_of(TCard(195)) == "195"
    labels = [label_of(card) for card in CARDS]
    assert len(set(labels)) == 93
    for label in labels:
        assert GAME.texts.things().find(fold(label)) == (label,)


def test_money_is_written_in_groups_of_three() -> None:
    for slot in ("amount", "money", "goal", "price"):
        assert GAME.phrases.label(slot, 200_000, "en") == "200,000"
        assert GAME.phrases.label(slot, -5_000, "ja") == "-5,000"
    assert GAME.phrases.label("count", 200_000, "en") == "200000"


def test_goods_are_counted_by_colour() -> None:
    goods = CARDS[TCard(170)].goods
    assert goods == (Good.RED, *(Good.GREEN,) * 4)
    assert CARDS[TCard(170)].counts == (0, 0, 1, 4, 0, 0)
    assert listed((0, 0, 1, 4, 0, 0)) == goods
    assert GAME.phrases.goods(goods, "en") == "red, green x4"
    assert GAME.phrases.goods(goods, "ja") == "赤、緑4個"


def test_cards_are_reported_with_what_they_name() -> None:
    phrases = GAME.phrases
    assert phrases.label("card", TCard(170), "en") == "170"
    assert phrases.label("card", TCard(15), "en") == "n15 (to Europe)"
    assert phrases.label("cards", TCard(15), "ja") == "中立n15(ヨーロッパ行き)"
    assert phrases.label("action", ACard("12-africa"), "en") == "12 Political unrest (Africa)"
    assert phrases.label("action", ACard("9-grey"), "ja") == "9番「査察」(グレイ)"
    assert phrases.label("action", ACard("4"), "ja") == "4番「中立の前進」"
    assert phrases.label("kind", Kind.MEGA, "en") == "18 Mega transport"
    assert phrases.label("origin", Place.ASIA, "ja") == "アジア"
    assert phrases.label("other_good", Good.WHITE, "en") == "white"


@pytest.mark.parametrize("code", ACTIONS)
def test_every_action_card_has_a_separate_name_in_both_languages(code: ACard) -> None:
    number = str(int(ACTIONS[code].kind))
    for lang in ("en", "ja"):
        names = [GAME.phrases.label("action", each, lang) for each in ACTIONS]
        assert len(set(names)) == len(names)
        assert GAME.phrases.label("action", code, lang).startswith(number)


def test_every_neutral_card_says_where_it_moves() -> None:
    for card in NEUTRAL_CARDS:
        position = CARDS[card].destination
        assert GAME.phrases.label("place", position, "en") in GAME.phrases.label("card", card, "en")
