"""The worked examples K11 to K19: attacks, supporters, capitals; by name."""

from __future__ import annotations

import pytest

from bluebear.rules.tokugawa.data.terms import Building, Province, Town, Weapon
from bluebear.rules.tokugawa.rules.events import Conquered, Removed, Retreated, Won
from bluebear.rules.tokugawa.rules.state import Ending, Kind, Phase
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import (
    RAIN,
    SUN,
    A,
    B,
    after,
    dice,
    done,
    happened,
    koku_of,
    lines,
    position,
    why,
)

KYOTO, YEDO, NARA, UENO = map(Town, ("kyoto", "edo", "nara", "ueno"))
KINKI = Province("kinki")


@pytest.mark.rule("tokugawa 7.2")
@pytest.mark.parametrize("die", [1, 2])
def test_k11_attack_fee_passes_to_the_defenders_province(die: int) -> None:
    table = position("A uraga archer", "B ueno sword", turn=B)
    made = done(table, B, "/attack ueno kyoto road", ScriptedChance(SUN, die - 1, 0, 0, 5, 5)).state
    assert made.banks[KINKI] == 6
    assert made.banks[Province("tokai")] == 5
    assert (made.seats[B].koku, made.actions) == (14, 2)


@pytest.mark.rule("tokugawa 7.4", "tokugawa 8.1", "tokugawa 9.3")
@pytest.mark.parametrize("wins", [True, False])
def test_k12_support(wins: bool) -> None:
    table = position("A nara sword", "A nagoya archer", "B ueno archer", "B osaka archer")
    # Nagoya and the own capital are beside Ueno, no town of the defender is.
    chance = ScriptedChance(SUN, 5, *((5, 5) if wins else (0, 0)), *((0, 0) if wins else (5, 5)))
    fight = done(table, A, "/attack nara ueno road", chance).state
    assert lines(fight, A) == ["/support done", "/support kyoto", "/support nagoya"]
    helped = after(fight, "/support kyoto", "/support nagoya", chance=chance)
    bank = helped.banks[Province("tokai")]
    assert (helped.seats[A].koku, bank) == (12, 8)
    assert helped.battle is not None
    assert helped.battle.rerolls == 2
    ended = after(helped, "/stand", chance=chance)
    while ended.phase is Phase.RETREATING:
        ended = after(ended, lines(ended, B)[0], chance=chance)
    assert ended.seats[A].koku == (16 if wins else 12)
    assert ended.banks[Province("tokai")] == (4 if wins else 8)
    assert koku_of(ended) == 75


@pytest.mark.rule("tokugawa 7.4", "tokugawa 9.3")
@pytest.mark.parametrize("wins", [True, False])
def test_k12_both_sides_support_and_the_winner_is_paid(wins: bool) -> None:
    strike, parry = ((5, 5), (0, 0)) if wins else ((0, 0), (5, 5))
    chance = ScriptedChance(SUN, *strike, *parry)
    table = position("A hamamatsu archer", "A kano archer", "B nagoya archer", "B ueno archer")
    fight = done(table, A, "/attack hamamatsu nagoya road", chance).state
    helped = after(fight, "/support kano", chance=chance)
    assert helped.decides == B
    helped = after(helped, "/support ueno", chance=chance)
    assert helped.banks[Province("tokai")] == 5 + 1 + 1 + 1
    ended = after(helped, "/stand", chance=chance)
    while ended.phase in (Phase.DEFENCE_ROLL, Phase.RETREATING):
        ended = after(ended, "/stand" if ended.phase is Phase.DEFENCE_ROLL else lines(ended, B)[0])
    assert ended.seats[A].koku == 13 + (2 if wins else 0)
    assert ended.seats[B].koku == 14 + (0 if wins else 2)


@pytest.mark.rule("tokugawa 9.3")
def test_k12_an_empty_bank_pays_what_it_has() -> None:
    table = position(
        "A nara sword", "A nagoya archer", "B ueno archer", banks={"tokai": 0}, koku=(15, 20)
    )
    chance = ScriptedChance(SUN, 5, 5, 5, 0, 0)
    fight = done(table, A, "/attack nara ueno road", chance).state
    ended = after(fight, "/support kyoto", "/support nagoya", "/stand", chance=chance)
    assert ended.banks[Province("tokai")] == 0
    assert ended.seats[A].koku == 15


@pytest.mark.rule("tokugawa 8.1")
def test_k13_a_worse_reroll_stands() -> None:
    table = position("A nara sword", "B ueno archer")
    chance = ScriptedChance(SUN, 5, 4, 3, 1, 0, 0, 0)
    fight = done(table, A, "/attack nara ueno road", chance).state
    fight = after(fight, "/support kyoto", chance=chance)
    assert fight.battle is not None
    assert fight.battle.dice == (5, 4)
    outcome = done(fight, A, "/reroll", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert won.total == 3 + 2


@pytest.mark.rule("tokugawa 8.2", "tokugawa 8.3", "tokugawa 9.1")
def test_k14_totals() -> None:
    table = position("A nara spear", "B ueno archer", built=["A nara shrine", "B ueno wall castle"])
    # Spear 1, shrine 1, rain -1: 8 becomes 9. Archer 0, wall 1, castle 2: 6 becomes 9.
    chance = ScriptedChance(RAIN, 5, 3, 3, 2, 2)
    outcome = done(table, A, "/attack nara ueno road", chance)
    outcome = done(outcome.state, A, "/support done", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert (won.total, won.against) == (9, 9)


@pytest.mark.rule("tokugawa 8.2", "tokugawa 8.3", "tokugawa 9.4", "tokugawa 9.6")
def test_k15_weakened() -> None:
    table = position("A nara spear weak", "B ueno archer weak")
    chance = ScriptedChance(SUN, 5, 3, 3, 2, 3)
    outcome = done(table, A, "/attack nara ueno road", chance)
    outcome = done(outcome.state, A, "/support done", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert (won.total, won.against) == (8 + 1 - 1, 7 - 1)
    assert happened(outcome, Removed)
    assert not happened(outcome, Retreated)
    piece = outcome.state.pieces[UENO]
    assert (piece.owner, piece.weak) == (A, False)
    assert outcome.state.seats[B].samurai[Weapon.ARCHER] == 10


@pytest.mark.rule("tokugawa 7.4")
def test_k15_a_weakened_samurai_supports_like_another() -> None:
    table = position("A nara spear", "A nagoya archer weak", "B ueno archer")
    fight = done(table, A, "/attack nara ueno road", dice(6, weather=SUN)).state
    assert "/support nagoya" in lines(fight, A)


@pytest.mark.rule("tokugawa 9.4")
def test_k16_without_a_route_back_the_samurai_is_removed() -> None:
    table = position("A nara sword", "A nagoya archer", "B ueno archer", koku=(1, 29))
    outcome = done(table, A, "/attack nara ueno road", ScriptedChance(SUN, 5, 5, 5, 0, 0))
    assert happened(outcome, Removed) == [Removed(B, Kind.ARCHER, UENO)]
    assert outcome.state.pieces[UENO].owner == A
    assert NARA not in outcome.state.pieces


@pytest.mark.rule("tokugawa 9.4", "tokugawa 9.5")
def test_k16_one_route_back_over_a_mountain_is_taken() -> None:
    table = position("A nara sword", "B ueno archer", koku=(1, 29))
    outcome = done(table, A, "/attack nara ueno road", ScriptedChance(SUN, 5, 5, 5, 0, 0))
    assert happened(outcome, Retreated) == [Retreated(B, Kind.ARCHER, UENO, Town("nagoya"))]
    assert outcome.state.pieces[Town("nagoya")].weak
    assert happened(outcome, Conquered)


@pytest.mark.rule("tokugawa 9.7", "tokugawa 9.8", "tokugawa 9.9")
def test_k17_loss_of_a_town() -> None:
    table = position(
        "A uraga sword",
        "A kamakura archer",
        "B tateyama archer",
        built=[
            "B tateyama smithy castle wall shrine garden ship ship",
            "A kamakura garden",
            "B utsunomiya garden",
            "B mito garden",
        ],
        koku=(1, 29),
    )
    chance = ScriptedChance(SUN, 5, 5, 5, 0, 0)
    made = done(table, A, "/attack uraga tateyama road", chance).state
    site = made.sites[Town("tateyama")]
    assert (site.owner, site.ships) == (A, 2)
    assert not any((site.smithy, site.castle, site.wall, site.shrine, site.garden))
    assert Town("kamakura") not in made.sites
    assert Town("utsunomiya") not in made.sites
    assert made.sites[Town("mito")].garden
    assert made.seats[A].pieces[Building.SHIP] == 3
    back = made.seats[B].pieces
    assert [back[each] for each in back] == [3, 5, 10, 1]
    assert (made.supply[Building.WALL], made.supply[Building.GARDEN]) == (8, 7)


@pytest.mark.rule("tokugawa 9.10", "tokugawa 11.1")
def test_k18_capital() -> None:
    table = position("A uraga sword", koku=(3, 27), taken={B: ["W1", "C1"]})
    chance = ScriptedChance(SUN, 5, 5, 5, 0, 0, SUN, 5, 5, 5, 0, 0)
    hit = after(table, "/attack uraga edo road", chance=chance)
    assert (hit.pieces[YEDO].back, hit.pieces[Town("uraga")].owner) == (True, A)
    assert hit.phase is Phase.ACTING
    fallen = after(hit, "/attack uraga edo road", chance=chance)
    assert (fallen.phase, fallen.ending, fallen.winner) == (Phase.OVER, Ending.CAPITAL, A)
    assert fallen.decides is None


@pytest.mark.rule("tokugawa 7.5", "tokugawa 7.4")
def test_k19_a_capital_supports_and_never_attacks() -> None:
    table = position("A nara sword", "B osaka archer")
    assert why(table, A, "/attack kyoto osaka road").rule == "7.5"
    fight = done(table, A, "/attack nara osaka road", dice(6, weather=SUN)).state
    made = done(fight, A, "/support kyoto", dice(1, 1)).state
    assert made.seats[A].koku == 13
    assert made.battle is not None
    assert made.battle.allies == (KYOTO,)
