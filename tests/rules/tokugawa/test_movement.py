"""Moving by land and by sea: section 6 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.tokugawa.bot.odds import moves
from bluebear.rules.tokugawa.data.terms import Building, Terrain, Town, Weather
from bluebear.rules.tokugawa.rules.events import Declared, Failed, Moved, Razed, Storm, Thrown
from bluebear.rules.tokugawa.rules.state import Kind, State
from tests.rules.tokugawa.worked import (
    RAIN,
    STORM,
    SUN,
    A,
    B,
    dice,
    done,
    happened,
    lines,
    position,
    why,
)


def goals(table: State, origin: str) -> list[str]:
    """Where the samurai on a town may go, each with its way."""
    head = f"/move {origin} "
    return [line.removeprefix(head) for line in lines(table, A) if line.startswith(head)]


@pytest.mark.rule("tokugawa 6.1")
def test_the_goal_is_named_before_any_die() -> None:
    table = position("A nara spear")
    made = done(table, A, "/move nara osaka forest", dice(2, weather=SUN))
    assert made.events == (
        Declared(A, Kind.SPEAR, Town("nara"), Town("osaka"), Terrain.FOREST),
        Thrown(A, Weather.SUN, die=2, needs=2),
        Moved(A, Kind.SPEAR, Town("nara"), Town("osaka")),
    )
    assert made.state.actions == 2
    assert made.state.seats[A].koku == 15


@pytest.mark.rule("tokugawa 6.1", "tokugawa 3.4")
def test_only_the_players_samurai_move() -> None:
    table = position("A nara spear", "B hikone archer")
    assert why(table, A, "/move kyoto osaka plain").code == "capital_stays"
    no = why(table, A, "/move hikone tsuruga land")
    assert (no.code, no.rule) == ("no_samurai", "6.1")


@pytest.mark.rule("tokugawa 6.2")
def test_all_towns_that_one_terrain_reaches_are_open() -> None:
    """Nara: plain over Kyoto to six towns, forest to Osaka, over Ueno stops at the own Kyoto."""
    table = position("A nara spear")
    assert goals(table, "nara") == [
        "hikone plain",
        "himeji plain",
        "okayama plain",
        "osaka forest",
        "osaka plain",
        "tokushima plain",
        "ueno forest",
    ]


@pytest.mark.rule("tokugawa 6.2")
def test_the_players_samurai_are_passed_and_the_enemy_is_not() -> None:
    state = position("A nara spear", "A himeji archer", "A osaka archer")
    assert "okayama plain" in goals(state, "nara")
    assert "tokushima plain" in goals(state, "nara")
    against = position("A nara spear", "B himeji archer", "B osaka archer")
    assert goals(against, "nara") == ["hikone plain", "ueno forest"]
    assert why(against, A, "/move nara okayama plain").code == "no_way"


@pytest.mark.rule("tokugawa 6.2")
def test_archers_go_over_any_one_terrain() -> None:
    assert goals(position("A nara archer"), "nara") == [
        "hikone land",
        "himeji land",
        "okayama land",
        "osaka land",
        "tokushima land",
        "ueno land",
    ]
    # Plain to Hikone, then mountain to Kano, is two terrains for an archer, too.
    assert why(position("A nara archer"), A, "/move nara kano land").code == "no_way"


@pytest.mark.rule("tokugawa 6.2")
def test_the_route_is_named_as_the_samurai_needs_it() -> None:
    table = position("A nara spear", "A himeji archer")
    assert why(table, A, "/move nara osaka land").code == "name_the_terrain"
    assert why(table, A, "/move himeji okayama plain").code == "archers_go_by_land"
    no = why(table, A, "/move nara ueno mountain")
    assert (no.code, no.rule, no.params["terrain"]) == ("other_terrain", "6.2", (Terrain.FOREST,))


@pytest.mark.rule("tokugawa 6.2")
def test_a_move_ends_on_an_empty_town() -> None:
    table = position("A nara spear", "A osaka archer", "B uraga archer")
    codes = {
        "osaka": "occupied",
        "kyoto": "occupied",
        "uraga": "enemy_there",
        "nara": "stays_there",
    }
    for town, code in codes.items():
        no = why(table, A, f"/move nara {town} plain")
        assert (no.code, no.rule) == (code, "6.2")


@pytest.mark.rule("tokugawa 6.2")
def test_what_is_passed_stays_as_it_is() -> None:
    table = position("A nara archer", built=["B osaka garden wall", "B tokushima wall"])
    made = done(table, A, "/move nara tokushima land")
    assert list(made.state.sites) == ["osaka"]
    assert happened(made, Razed) == [Razed(B, Town("tokushima"), (Building.WALL,))]


@pytest.mark.rule("tokugawa 6.3")
def test_an_archer_by_land_draws_nothing() -> None:
    made = done(position("A nara archer"), A, "/move nara okayama land")
    assert made.events == (Moved(A, Kind.ARCHER, Town("nara"), Town("okayama")),)
    assert made.state.actions == 2


@pytest.mark.rule("tokugawa 6.5")
def test_a_failed_move_changes_nothing_but_the_actions() -> None:
    table = position("A nara spear")
    made = done(table, A, "/move nara ueno forest", dice(3, weather=STORM))
    assert made.events[1:] == (
        Thrown(A, Weather.STORM, die=3, needs=4),
        Failed(A, Kind.SPEAR, Town("nara")),
    )
    assert (made.state.pieces, made.state.banks) == (table.pieces, table.banks)
    assert made.state.actions == 2


@pytest.mark.rule("tokugawa 6.6")
def test_with_a_ship_every_other_empty_port_is_open() -> None:
    table = position("A osaka sword", "A uraga archer", "B sendai archer", built=["A osaka ship"])
    by_sea = [goal for goal in goals(table, "osaka") if goal.endswith("sea")]
    assert len(by_sea) == 15 - 3
    assert "niigata sea" in by_sea
    assert not {"uraga sea", "sendai sea", "nara sea"} & set(by_sea)


@pytest.mark.rule("tokugawa 6.6")
def test_the_ship_moves_along_and_carries_one() -> None:
    table = position("A osaka sword", built=["A osaka ship ship wall"])
    made = done(table, A, "/move osaka niigata sea", dice(3, weather=RAIN))
    ships = {town: site.ships for town, site in made.state.sites.items()}
    assert ships == {"osaka": 1, "niigata": 1}
    assert made.state.seats[A].pieces[Building.SHIP] == 3
    assert made.state.pieces[Town("niigata")].kind is Kind.SWORD


@pytest.mark.rule("tokugawa 6.6")
def test_the_last_ship_leaves_an_empty_site_behind() -> None:
    table = position("A osaka sword", built=["A osaka ship"])
    made = done(table, A, "/move osaka niigata sea", dice(2, weather=SUN))
    assert list(made.state.sites) == ["niigata"]


@pytest.mark.rule("tokugawa 6.6", "tokugawa 6.4")
def test_a_storm_stops_every_ship() -> None:
    table = position("A osaka archer", built=["A osaka ship"])
    made = done(table, A, "/move osaka niigata sea", dice(6, weather=STORM))
    assert made.events[1:] == (
        Storm(A, Weather.STORM, die=6),
        Failed(A, Kind.ARCHER, Town("osaka")),
    )
    assert made.state.sites == table.sites


@pytest.mark.rule("tokugawa 6.6")
def test_without_port_or_ship_no_person_sails() -> None:
    table = position("A osaka archer", "A nara archer", built=["B uraga ship"])
    assert why(table, A, "/move nara niigata sea").code == "no_port"
    assert why(table, A, "/move osaka kano sea").code == "no_port"
    no = why(table, A, "/move osaka niigata sea")
    assert (no.code, no.rule, no.params) == ("no_ship", "6.6", {"town": "osaka"})


@pytest.mark.rule("tokugawa 6.7")
def test_land_and_sea_are_two_moves() -> None:
    """Nara has no port: a player who wants to sail from Osaka has to go there first."""
    table = position("A nara archer", built=["A osaka ship"])
    assert not [goal for goal in goals(table, "nara") if goal.endswith("sea")]
    assert "niigata land" not in goals(table, "nara")


@pytest.mark.rule("tokugawa 6.7")
@pytest.mark.parametrize(
    ("terrain", "chance"),
    [("plain", "8/9"), ("forest", "13/18"), ("mountain", "5/9"), ("sea", "23/36")],
)
def test_chances_of_a_move_over_all_weathers(terrain: str, chance: str) -> None:
    assert str(moves(Terrain(terrain))) == chance
