"""A part of the map looked at closely, and what may still come of a move or a throw.

Paragraph 13.3 of the rules.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import to_builtins

from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import columns
from bluebear.rules.core.texts import TextPage, permille
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import NEIGHBOURS, PROVINCES, TOWNS, TOWNS_OF
from bluebear.rules.tokugawa.data.terms import Province, Town
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.test_board import NO_SEATS, answer, everything, look, page, status
from tests.rules.tokugawa.worked import SUN, A, after, done, position


@pytest.mark.rule("tokugawa 13.3", "tokugawa 9.1")
def test_dice_that_decide_are_reported_as_such() -> None:
    for ours, theirs, reply in (
        ((5, 5), (0, 0), "Y adds 0 and cannot hold with any dice."),
        ((0, 0), (0, 0), "Y adds 4 and holds with any dice."),
    ):
        weak = "A nara sword forged" if ours == (5, 5) else "A nara archer"
        built = [] if ours == (5, 5) else ["B ueno castle wall"]
        target = "B ueno archer" if ours == (5, 5) else "B ueno spear"
        table = position(weak, "A kano archer", target, built=built)
        move = (5,) if ours == (5, 5) else ()
        chance = ScriptedChance(SUN, *move, *ours, *theirs)
        fight = done(table, A, "/attack nara ueno road", chance).state
        fight = after(fight, "/support kyoto", chance=chance)
        assert reply in " ".join(status(fight))


@pytest.mark.rule("tokugawa 13.3")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("area", [*PROVINCES, *TOWNS])
def test_what_one_looks_at_is_drawn(area: str, lang: Lang) -> None:
    """Every town of the part and every one next to it, whole, in a window of 24 rows."""
    lines = look(everything(), area, lang)
    assert len(lines) <= 24
    assert max(map(columns, lines)) <= 80
    text = "\n".join(lines)
    towns = TOWNS_OF[Province(area)] if area in PROVINCES else (Town(area),)
    for town in {*towns, *(near for each in towns for near in NEIGHBOURS[each])}:
        assert GAME.phrases.label("town", town, lang) in text
    stands = GAME.phrases.label("owner", "kyoto", lang)
    assert (f"[{stands}]" in text) == any(
        town in everything().pieces and everything().pieces[town].owner == A
        for town in {*towns, *(near for each in towns for near in NEIGHBOURS[each])}
    )


@pytest.mark.rule("tokugawa 13.3", "tokugawa 5.1")
def test_the_tax_that_is_shown_is_the_tax_that_is_paid() -> None:
    table = position("A nara archer", "A osaka archer", built=["A nara garden"], banks={"kinki": 9})
    assert look(table, "kinki")[-6].endswith(", tax K 4")
    assert look(done(table, A, "/tax kinki").state, "kinki")[-6].endswith("taxed in this turn")
    assert "tax" not in look(position(banks={"kinki": 0}), "kinki")[-6]


@pytest.mark.rule("tokugawa 13.3", "tokugawa 6.4")
def test_odds_of_a_move() -> None:
    table = position("A nara sword", "A tokushima archer", built=["A tokushima ship"])
    assert answer(table, "odds", origin=Town("nara"), town=Town("osaka"), sea=False) == [
        "K sword 2 of Nara to Osaka:",
        "  over plain: 88.9% (8/9); sun 100.0%, rain 83.3%, storm 66.7%",
        "  over forest: 72.2% (13/18); sun 83.3%, rain 66.7%, storm 50.0%",
    ]
    outcomes = answer(table, "odds", origin=Town("tokushima"), town=Town("osaka"), sea=False)
    assert outcomes[1:] == [
        "  by land: always, in any weather",
        "  over sea: 63.9% (23/36); sun 83.3%, rain 66.7%, storm 0.0%",
    ]
    only = answer(table, "odds", origin=Town("tokushima"), town=Town("mito"), sea=True)
    assert only[1:] == outcomes[2:]
    with pytest.raises(NotAllowed) as caught:
        answer(table, "odds", origin=Town("nara"), town=Town("mito"), sea=False)
    assert caught.value.code == "no_way"
    arguments = {"origin": Town("tokushima"), "town": Town("osaka"), "sea": False}
    texts = GAME.text(GAME.seen(table, NO_SEATS), NO_SEATS, TextPage())
    figures = to_builtins(texts.figures["odds"](texts, **arguments), enc_hook=permille)
    assert [each["way"] for each in figures["ways"]] == ["land", "sea"]
    assert figures["ways"][1]["arrives"] == 639


@pytest.mark.rule("tokugawa 13.3")
def test_who_hears_the_board_hears_no_drawing() -> None:
    view = GAME.seen(everything(), NO_SEATS)
    for area in ("kinki", "nara"):
        seen, received = (
            GAME.text(view, NO_SEATS, replace(page(), linear=linear)).look(area).splitlines()
            for linear in (False, True)
        )
        assert len(received) < len(seen)
        assert "^^" not in "".join(received)
