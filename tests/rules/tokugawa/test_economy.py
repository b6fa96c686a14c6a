"""Tax, levy, dismissal and coming to a town: section 5 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import NoChance
from bluebear.rules.tokugawa.data.terms import Building, Province, Town, Weapon
from bluebear.rules.tokugawa.rules.economy import income
from bluebear.rules.tokugawa.rules.events import Captured, Dismissed, Levied, Razed, Sunk, Taxed
from bluebear.rules.tokugawa.rules.state import Kind, Piece, Site, State, Work
from tests.rules.tokugawa.worked import SUN, A, B, after, dice, done, happened, lines, position, why

CHUBU, KINKI = Province("chubu"), Province("kinki")
EVERYTHING = ("castle", "shrine", "wall", "smithy", "garden", "ship", "ship")


def taxable(table: State) -> list[str]:
    """The provinces that A may tax."""
    return [line.split()[1] for line in lines(table, A) if line.startswith("/tax")]


@pytest.mark.rule("tokugawa 5.1", "tokugawa 5.2", "tokugawa 5.3")
def test_only_provinces_with_more_friendly_samurai_are_listed() -> None:
    table = position(
        "A osaka archer",
        "A kano spear",
        "A suwa sword",
        "B takasaki archer",
        "A nagoya archer",
        "B sunpu archer",
        "B sendai archer",
        banks={"chubu": 3},
    )
    assert taxable(table) == ["chubu", "kinki"]
    assert [income(table, A, province) for province in (CHUBU, KINKI)] == [1, 2]


@pytest.mark.rule("tokugawa 5.1")
def test_gardens_count_for_their_builder_only_even_without_a_samurai_beside() -> None:
    table = position("A kano archer", built=["A hikone garden", "B suwa garden"])
    made = done(table, A, "/tax chubu")
    assert made.events[0] == Taxed(A, CHUBU, 2)
    assert (made.state.seats[A].koku, made.state.banks[CHUBU]) == (17, 3)


@pytest.mark.rule("tokugawa 5.3")
def test_an_enemy_capital_counts_against_one() -> None:
    table = position("A uraga archer", "A kamakura archer")
    assert done(table, A, "/tax kanto").state.seats[A].koku == 16
    lonely = position("A uraga archer")
    no = why(lonely, A, "/tax kanto")
    assert (no.code, no.rule) == ("no_majority", "5.2")
    assert no.params == {"province": "kanto", "count": 1, "against": 1}


@pytest.mark.rule("tokugawa 5.4")
def test_each_province_is_taxed_once_in_a_turn_and_again_in_the_next() -> None:
    table = after(position("A kano archer"), "/tax chubu")
    no = why(table, A, "/tax chubu")
    assert (no.code, no.rule) == ("taxed_already", "5.4")
    assert taxable(table) == ["kinki"]
    later = after(table, "/pass", "/pass")
    assert (later.taxed, taxable(later)) == ((), ["chubu", "kinki"])


@pytest.mark.rule("tokugawa 5.4")
def test_an_empty_bank_is_not_taxed() -> None:
    table = position("A kano archer", banks={"chubu": 0})
    no = why(table, A, "/tax chubu")
    assert (no.code, no.rule, no.params) == ("empty_bank", "5.4", {"province": "chubu"})
    assert taxable(table) == ["kinki"]


@pytest.mark.rule("tokugawa 5.5")
def test_a_levy_is_open_on_every_empty_town_and_nowhere_else() -> None:
    table = position("A nara archer", "B uraga archer", koku=(2, 15))
    levies = [line.split()[1:] for line in lines(table, A) if line.startswith("/levy")]
    assert [weapon for weapon, _ in levies] == ["archer"] * 39 + ["spear"] * 39
    towns = [town for _, town in levies[:39]]
    assert not {"nara", "uraga", "kyoto", "edo"} & set(towns)
    assert "kamakura" in towns


@pytest.mark.rule("tokugawa 5.5")
def test_a_levy_beside_the_enemy_capital() -> None:
    made = done(position(), A, "/levy sword kamakura")
    assert made.events[0] == Levied(A, Kind.SWORD, Town("kamakura"), 5)
    assert made.state.pieces[Town("kamakura")] == Piece(A, Kind.SWORD, back=False, weak=False)
    assert (made.state.seats[A].koku, made.state.banks[Province("kanto")]) == (10, 10)


@pytest.mark.rule("tokugawa 5.5", "tokugawa 11.7")
def test_a_levy_too_dear_or_out_of_stock() -> None:
    poor = why(position(koku=(4, 15)), A, "/levy sword nara")
    assert (poor.code, poor.rule, poor.params) == ("too_dear", "5.5", {"cost": 5, "koku": 4})
    swords = [f"A {town} sword" for town in ("nara", "osaka", "himeji", "hikone", "ueno")]
    none = why(position(*swords), A, "/levy sword kano")
    assert (none.code, none.rule) == ("none_in_stock", "5.5")


@pytest.mark.rule("tokugawa 5.6", "tokugawa 9.11")
def test_a_dismissed_samurai_returns_front_up_and_fresh() -> None:
    table = position("A nara sword forged weak", built=["A nara castle"])
    made = done(table, A, "/dismiss nara")
    assert made.events[0] == Dismissed(A, Kind.SWORD, Town("nara"))
    assert made.state.seats[A].samurai[Weapon.SWORD] == 5
    assert made.state.sites[Town("nara")].castle is Work.DONE
    again = after(made.state, "/levy sword nara")
    assert again.pieces[Town("nara")] == Piece(A, Kind.SWORD, back=False, weak=False)


@pytest.mark.rule("tokugawa 5.6", "tokugawa 3.4")
def test_neither_a_capital_nor_the_enemy_nor_no_person_is_dismissed() -> None:
    table = position("A nara archer", "B uraga archer")
    assert why(table, A, "/dismiss kyoto").code == "capital_no_samurai"
    for town in ("uraga", "kano", "edo"):
        no = why(table, A, f"/dismiss {town}")
        assert (no.code, no.rule, no.params["towns"]) == ("no_samurai", "5.6", ("nara",))
    assert why(position(), A, "/dismiss nara").code == "no_samurai_at_all"


@pytest.mark.rule("tokugawa 5.7")
def test_buildings_and_ships_leave_a_town_empty() -> None:
    table = position(built=["A osaka castle garden ship", "B uraga wall ship"])
    listed = lines(table, A)
    assert "/levy archer osaka" in listed
    assert "/levy archer uraga" in listed
    assert why(table, A, "/levy archer kyoto").rule == "5.5"


def taken_over(made: State) -> None:
    """All that B had in Uraga is gone, and two ships are A's."""
    assert made.sites[Town("uraga")] == Site(
        A, Work.NONE, Work.NONE, wall=False, smithy=False, garden=False, ships=2
    )
    assert dict(made.seats[B].pieces) == {"castle": 3, "ship": 5, "shrine": 10, "smithy": 1}
    assert made.seats[A].pieces[Building.SHIP] == 3
    assert dict(made.supply) == {"garden": 8, "wall": 8}


@pytest.mark.rule("tokugawa 5.8", "tokugawa 1.7")
def test_a_levy_takes_over_what_the_enemy_left() -> None:
    table = position(built=["B uraga " + " ".join(EVERYTHING)])
    made = done(table, A, "/levy archer uraga")
    taken_over(made.state)
    assert happened(made, Razed) == [
        Razed(
            B,
            Town("uraga"),
            (
                Building.GARDEN,
                Building.SMITHY,
                Building.CASTLE,
                Building.SHRINE,
                Building.WALL,
            ),
        )
    ]
    assert happened(made, Captured) == [Captured(A, B, Town("uraga"), 2)]


@pytest.mark.rule("tokugawa 5.8")
def test_a_move_takes_over_what_the_enemy_left() -> None:
    table = position("A kamakura archer", built=["B uraga " + " ".join(EVERYTHING)])
    taken_over(done(table, A, "/move kamakura uraga land").state)


@pytest.mark.rule("tokugawa 5.8", "tokugawa 9.4")
def test_a_retreat_takes_over_what_the_enemy_left() -> None:
    table = position(
        "B tateyama archer",
        "A uraga archer",
        "B mito archer",
        built=["B kamakura castle garden"],
        turn=B,
        koku=(15, 1),
    )
    chance = dice(6, 6, 1, 1, weather=SUN)
    made = done(table, B, "/attack tateyama uraga road", chance)
    assert made.state.pieces[Town("kamakura")] == Piece(A, Kind.ARCHER, back=False, weak=True)
    assert Town("kamakura") not in made.state.sites


@pytest.mark.rule("tokugawa 5.8", "tokugawa 9.9")
def test_ships_for_which_there_is_no_one_are_removed() -> None:
    of_seat = ["A osaka ship ship ship ship"]
    table = position(built=[*of_seat, "B uraga ship ship ship"])
    made = done(table, A, "/levy archer uraga", NoChance())
    assert happened(made, Captured) == [Captured(A, B, Town("uraga"), 1)]
    assert happened(made, Sunk) == [Sunk(A, B, Town("uraga"), 2)]
    assert made.state.sites[Town("uraga")].ships == 1
    assert [made.state.seats[seat].pieces[Building.SHIP] for seat in (A, B)] == [0, 5]


@pytest.mark.rule("tokugawa 5.8")
def test_private_things_are_listed_as_they_were_left() -> None:
    table = position(built=["A osaka castle shrine garden ship"])
    made = done(table, A, "/levy archer osaka")
    assert made.state.sites == table.sites
    assert not happened(made, Razed)
