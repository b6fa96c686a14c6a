"""Declaring an attack, its movement, supporters, dice: sections 7 and 8 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.game import Outcome
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.data.terms import Province, Terrain, Town, Weather
from bluebear.rules.tokugawa.rules.combat import terrain_of
from bluebear.rules.tokugawa.rules.events import (
    Attacked,
    Failed,
    Lost,
    Restruck,
    Storm,
    Struck,
    Supported,
    Thrown,
    Weathered,
    Won,
)
from bluebear.rules.tokugawa.rules.state import Approach, Kind, Phase, State
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import (
    RAIN,
    STORM,
    SUN,
    A,
    B,
    after,
    dice,
    done,
    happened,
    lines,
    position,
    why,
)

KINKI = Province("kinki")


def attacks(table: State) -> list[str]:
    """What A may attack, from where and how."""
    return [line.removeprefix("/attack ") for line in lines(table, A) if line.startswith("/att")]


def totals(made: Outcome[State]) -> tuple[int, int]:
    """What attacker and defender came to."""
    for event in made.events:
        if isinstance(event, Won | Lost):
            return event.total, event.against
    raise AssertionError("nobody has fought")


@pytest.mark.rule("tokugawa 7.1")
def test_neighbours_by_road_and_ports_by_ship_are_attacked() -> None:
    table = position(
        "A osaka sword",
        "A nara archer",
        "B tokushima archer",
        "B himeji archer",
        "B uraga archer",
        built=["A osaka ship"],
    )
    assert attacks(table) == [
        "osaka tokushima road",
        "osaka tokushima sea",
        "osaka uraga sea",
    ]


@pytest.mark.rule("tokugawa 7.1")
def test_the_enemy_capital_is_attacked_by_road() -> None:
    table = position("A takasaki sword", "A uraga sword", built=["A uraga ship"])
    assert attacks(table) == ["takasaki edo road", "uraga edo road"]
    assert why(table, A, "/attack uraga edo sea").code == "no_port"


@pytest.mark.rule("tokugawa 7.1")
def test_an_attack_needs_an_enemy_and_a_route() -> None:
    table = position("A nara sword", "A osaka archer", "B himeji archer", "B uraga archer")
    refused = {
        "/attack nara himeji road": "not_adjacent",
        "/attack nara ueno road": "no_enemy_at_all",
        "/attack nara osaka road": "no_enemy_at_all",
        "/attack osaka uraga sea": "no_ship",
        "/attack nara uraga sea": "no_port",
        "/attack himeji kyoto road": "no_samurai",
        "/attack ueno kyoto road": "no_samurai",
    }
    assert {line: why(table, A, line).code for line in refused} == refused
    assert {why(table, A, line).rule for line in refused} == {"7.1"}
    far = why(table, A, "/attack nara himeji road")
    assert far.params["towns"] == ("kyoto", "osaka", "ueno")


@pytest.mark.rule("tokugawa 7.6")
def test_with_a_run_up_roads_of_one_terrain_lead_to_the_attack() -> None:
    placed = ("A nara sword", "B himeji archer", "B okayama archer")
    assert attacks(position(*placed)) == []
    table = position(*placed, run_up=True)
    assert attacks(table) == ["nara himeji road"], "over the plain, by way of the own capital"
    no = why(table, A, "/attack nara okayama road")
    assert (no.code, no.rule) == ("no_run_up", "7.6"), "an enemy is in the way"
    on = ["/attack nara himeji road", "/support done", "/support done"]
    won = after(table, *on, chance=dice(1, 6, 6, 1, 1, weather=SUN))
    assert (won.pieces[Town("himeji")].owner, won.pieces.get(Town("nara"))) == (A, None)


@pytest.mark.rule("tokugawa 7.6")
def test_a_run_up_takes_the_easiest_terrain_also_to_the_next_town() -> None:
    for run_up, terrain in ((False, Terrain.FOREST), (True, Terrain.PLAIN)):
        table = position("A osaka sword", "B nara sword", run_up=run_up)
        assert terrain_of(table, Town("osaka"), Town("nara"), Approach.ROAD) is terrain


@pytest.mark.rule("tokugawa 7.2")
def test_who_cannot_pay_cannot_attack() -> None:
    table = position("A nara sword", "B osaka archer", koku=(0, 15))
    assert attacks(table) == []
    no = why(table, A, "/attack nara osaka road")
    assert (no.code, no.rule, no.params) == ("too_dear", "7.2", {"cost": 1, "koku": 0})


@pytest.mark.rule("tokugawa 7.2", "tokugawa 7.3")
def test_the_fee_has_left_when_the_movement_fails() -> None:
    table = position("A nara sword", "B osaka archer")
    made = done(table, A, "/attack nara osaka road", dice(1, weather=SUN))
    assert made.events == (
        Attacked(
            A, Kind.SWORD, Town("nara"), B, Kind.ARCHER, Town("osaka"), koku=1, province=KINKI
        ),
        Thrown(A, Weather.SUN, die=1, needs=2),
        Failed(A, Kind.SWORD, Town("nara")),
    )
    assert (made.state.seats[A].koku, made.state.banks[KINKI]) == (14, 6)
    assert (made.state.actions, made.state.phase) == (2, Phase.ACTING)


@pytest.mark.rule("tokugawa 7.3")
@pytest.mark.parametrize("weather", [SUN, RAIN, STORM])
def test_archers_by_land_throw_the_weather_only(weather: int) -> None:
    table = position("A ueno archer", "B nara archer", koku=(1, 0))
    made = done(table, A, "/attack ueno nara road", dice(5, 5, 1, 1, weather=weather))
    reported = happened(made, Weathered)
    modifier = {SUN: 0, RAIN: -1, STORM: -2}[weather]
    assert len(reported) == 1
    assert totals(made) == (10 + modifier, 2)


@pytest.mark.rule("tokugawa 7.3", "tokugawa 6.6")
def test_archers_by_sea_throw_like_the_rest() -> None:
    table = position("A osaka archer", "B uraga archer", built=["A osaka ship"])
    made = done(table, A, "/attack osaka uraga sea", dice(6, weather=STORM))
    assert happened(made, Storm)
    assert (made.state.seats[A].koku, made.state.actions) == (14, 2)


@pytest.mark.rule("tokugawa 7.3", "tokugawa 6.4")
def test_an_attack_over_a_mountain_needs_more() -> None:
    table = position("A takada sword", "B takasaki archer", koku=(1, 0))
    failed = done(table, A, "/attack takada takasaki road", dice(2, weather=SUN))
    assert happened(failed, Failed)
    reached = done(table, A, "/attack takada takasaki road", dice(3, 6, 6, 1, 1, weather=SUN))
    assert happened(reached, Won)


@pytest.mark.rule("tokugawa 7.4")
def test_supporters_come_from_neighbours_of_the_attacked_town_by_road() -> None:
    """Osaka's neighbours are Kyoto, Nara and Tokushima; a ship in Hagi helps no player."""
    table = position(
        "A nara archer",
        "A hagi archer",
        "A ueno archer",
        "B osaka archer",
        "B tokushima archer",
        built=["A hagi ship"],
    )
    begun = done(table, A, "/attack nara osaka road", ScriptedChance(SUN)).state
    assert lines(begun, A) == ["/support done", "/support kyoto"]
    no = why(begun, A, "/support ueno")
    assert (no.code, no.rule, no.params["towns"]) == ("no_supporter", "7.4", ("kyoto",))
    for town in ("nara", "osaka", "tokushima", "hagi", "hiroshima"):
        assert why(begun, A, f"/support {town}").code == "no_supporter"


@pytest.mark.rule("tokugawa 7.4")
def test_the_attacker_names_his_before_the_defender() -> None:
    table = position("A nara archer", "B osaka archer", "B tokushima archer")
    begun = done(table, A, "/attack nara osaka road", ScriptedChance(SUN)).state
    assert (begun.phase, begun.decides) == (Phase.ATTACK_SUPPORT, A)
    named = done(begun, A, "/support kyoto")
    assert named.events == (Supported(A, Kind.CAPITAL, Town("kyoto"), koku=1, province=KINKI),)
    assert (named.state.phase, named.state.decides) == (Phase.DEFENCE_SUPPORT, B)
    assert lines(named.state, B) == ["/support done", "/support tokushima"]


@pytest.mark.rule("tokugawa 7.4")
def test_only_as_many_as_can_be_paid() -> None:
    around = ("A matsumoto archer", "A hikone archer", "A nagoya archer")
    table = position(*around, "B kano archer", koku=(2, 0))
    begun = done(table, A, "/attack matsumoto kano road", ScriptedChance(SUN)).state
    assert lines(begun, A) == ["/support done", "/support hikone", "/support nagoya"]
    made = done(begun, A, "/support nagoya", dice(5, 5))
    assert (made.state.phase, made.state.seats[A].koku) == (Phase.ATTACK_ROLL, 0)
    none = position(*around, "B kano archer", koku=(1, 0))
    made = done(none, A, "/attack matsumoto kano road", dice(5, 5, 6, 6, weather=SUN))
    assert not happened(made, Supported)
    assert happened(made, Lost)


@pytest.mark.rule("tokugawa 7.4")
def test_no_player_supports_twice_in_a_battle() -> None:
    two = position("A suwa archer", "A takada archer", "A niigata archer", "B takasaki spear")
    begun = after(
        done(two, A, "/attack suwa takasaki road", ScriptedChance(SUN)).state, "/support niigata"
    )
    no = why(begun, A, "/support niigata")
    assert (no.code, no.rule) == ("supports_already", "7.4")
    assert lines(begun, A) == ["/support done", "/support takada"]


@pytest.mark.rule("tokugawa 7.4")
def test_an_attacker_from_the_sea_is_supported_by_road_and_not_by_himself() -> None:
    table = position(
        "A osaka archer", "A nara archer", "B tokushima archer", built=["A osaka ship"]
    )
    made = done(table, A, "/attack osaka tokushima sea", dice(6, 6, 6, 1, 1, weather=SUN))
    # Tokushima's only neighbours are Osaka, where the attacker comes from, and Matsuyama.
    assert not happened(made, Supported)
    assert made.state.pieces[Town("tokushima")].owner == A


@pytest.mark.rule("tokugawa 7.5")
def test_a_capital_is_not_moved_to_attack() -> None:
    no = why(position("B nara archer"), A, "/attack kyoto nara road")
    assert (no.code, no.rule) == ("capital_never_attacks", "7.5")
    assert attacks(position("B nara archer")) == []


@pytest.mark.rule("tokugawa 8.1")
def test_each_supporter_is_one_reroll_and_need_not_be_used() -> None:
    table = position("A suwa archer", "A takada archer", "A niigata archer", "B takasaki spear")
    chance = dice(1, 2, 3, 4, 6, 5, 4, 4, weather=SUN)
    made = done(table, A, "/attack suwa takasaki road", chance)
    for line in ("/support niigata", "/support takada"):
        made = done(made.state, A, line, chance)
    # The capital of B helps B.
    made = done(made.state, B, "/support done", chance)
    assert made.events == (Struck(A, (1, 2), 3, rerolls=2),)
    made = done(made.state, A, "/reroll", chance)
    assert made.events == (Restruck(A, (3, 4), 7, rerolls=1),)
    assert lines(made.state, A) == ["/reroll", "/stand"]
    made = done(made.state, A, "/stand", chance)
    assert made.events[0] == Struck(B, (6, 5), 11, rerolls=0)
    assert totals(made) == (7, 12)


@pytest.mark.rule("tokugawa 8.1")
def test_without_supporters_both_throw_once_and_at_once() -> None:
    table = position("A ueno archer", "B nara archer", koku=(1, 0))
    made = done(table, A, "/attack ueno nara road", dice(6, 5, 1, 2, weather=SUN))
    assert happened(made, Struck) == [Struck(A, (6, 5), 11, 0), Struck(B, (1, 2), 3, 0)]


@pytest.mark.rule("tokugawa 8.2", "tokugawa 8.3", "tokugawa 8.4", "tokugawa 10.8")
@pytest.mark.parametrize(
    ("attacker", "target", "built", "attack", "defence"),
    [
        ("archer", "archer", [], 0, 0),
        ("spear", "sword", [], 1, 2),
        ("sword", "spear", [], 2, 1),
        ("sword forged", "spear forged", [], 3, 2),
        ("archer forged weak", "archer weak", [], 0, -1),
        ("sword", "archer", ["A ueno shrine"], 3, 0),
        ("sword", "archer", ["A ueno new-shrine"], 2, 0),
        ("sword", "archer", ["A ueno castle wall"], 2, 0),
        ("sword", "archer", ["A hikone shrine", "A kyoto shrine"], 2, 0),
        ("sword", "archer", ["B nara wall"], 2, 1),
        ("sword", "archer", ["B nara shrine"], 2, 1),
        ("sword", "archer", ["B nara castle"], 2, 2),
        ("sword", "archer", ["B nara new-castle"], 2, 0),
        ("sword", "archer", ["B nara castle wall shrine smithy garden"], 2, 4),
        ("sword", "archer", ["B osaka castle wall"], 2, 0),
    ],
)
def test_what_is_added_to_the_dice(
    attacker: str, target: str, built: list[str], attack: int, defence: int
) -> None:
    table = position(f"A ueno {attacker}", f"B nara {target}", built=built, koku=(1, 0))
    rolls = () if attacker.startswith("archer") else (6,)
    made = done(table, A, "/attack ueno nara road", dice(*rolls, 3, 3, 4, 4, weather=SUN))
    assert totals(made) == (6 + attack, 8 + defence)


@pytest.mark.rule("tokugawa 8.2", "tokugawa 8.3")
@pytest.mark.parametrize(("weather", "less"), [(SUN, 0), (RAIN, 1), (STORM, 2)])
def test_weather_counts_against_the_attacker_only(weather: int, less: int) -> None:
    table = position("A ueno sword", "B nara sword", koku=(1, 0))
    made = done(table, A, "/attack ueno nara road", dice(6, 3, 3, 3, 3, weather=weather))
    assert totals(made) == (8 - less, 8)


@pytest.mark.rule("tokugawa 8.3", "tokugawa 3.4")
@pytest.mark.parametrize(("hit", "strength"), [((), 2), ((B,), 1)])
def test_the_strength_of_a_capital(hit: tuple[Seat, ...], strength: int) -> None:
    table = position("A kamakura archer", built=["B edo wall"], hit=hit, koku=(1, 0))
    made = done(table, A, "/attack kamakura edo road", dice(1, 1, 6, 6, weather=SUN))
    assert totals(made) == (2, 12 + strength + 1)


@pytest.mark.rule("tokugawa 8.4")
def test_supporters_add_no_strength() -> None:
    table = position("A suwa archer", "A takada sword forged", "B takasaki archer", koku=(15, 0))
    chance = dice(2, 2, 2, 2, weather=SUN)
    begun = done(table, A, "/attack suwa takasaki road", chance).state
    begun = done(begun, A, "/support takada", chance).state
    made = done(begun, A, "/stand", chance)
    assert totals(made) == (4, 4)


@pytest.mark.rule("tokugawa 7.4")
def test_battle_is_public_while_it_lasts() -> None:
    table = position("A osaka sword", "B uraga spear", "A kamakura archer", built=["A osaka ship"])
    begun = done(table, A, "/attack osaka uraga sea", dice(6, weather=RAIN)).state
    battle = begun.battle
    assert battle is not None
    assert (battle.origin, battle.town) == ("osaka", "uraga")
    assert (battle.approach, battle.weather) == (Approach.SEA, Weather.RAIN)
    assert (battle.allies, battle.guards, battle.dice, battle.reply) == ((), (), (), ())
