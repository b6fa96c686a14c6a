"""The map, the contracts and the pieces: paragraphs 1, 2 and 10.4 of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from bluebear.rules.core.slots import Lexicon, fold
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.map_tables import (
    ARMS,
    BY_TERRAIN,
    CAPITALS,
    CHART,
    DEALS,
    KOKU,
    LAND,
    NEIGHBOURS,
    PIECES,
    PLANS,
    PORTS,
    PROVINCE_OF,
    PROVINCES,
    ROAD,
    SHIPYARDS,
    STEPS,
    TOWNS,
    TOWNS_OF,
    WEATHER_FACES,
)
from bluebear.rules.tokugawa.data.terms import (
    Building,
    Contract,
    Province,
    Side,
    Terrain,
    Town,
    Weapon,
    Weather,
)
from bluebear.rules.tokugawa.text.names import PROVINCE_CHOICES, TOWN_CHOICES

KYOTO, YEDO = Town("kyoto"), Town("edo")


@pytest.mark.rule("tokugawa 1.1")
def test_there_are_43_towns_in_nine_provinces() -> None:
    assert len(TOWNS) == 43
    assert list(TOWNS) == sorted(TOWNS)
    assert len(PROVINCES) == 9
    assert sorted(town for towns in TOWNS_OF.values() for town in towns) == list(TOWNS)


@pytest.mark.rule("tokugawa 1.2")
def test_there_are_twelve_contracts_and_two_capitals() -> None:
    assert len(DEALS) == 12
    assert CAPITALS == (KYOTO, YEDO)


@pytest.mark.rule("tokugawa 1.3")
def test_the_faces_of_the_weather_die() -> None:
    assert Counter(WEATHER_FACES) == {Weather.SUN: 3, Weather.RAIN: 2, Weather.STORM: 1}


@pytest.mark.rule("tokugawa 1.4")
def test_75_koku_are_what_players_and_banks_begin_with() -> None:
    assert KOKU == 75 == 2 * map_tables.START_PLAYER + len(PROVINCES) * map_tables.START_PROVINCE
    assert KOKU == 30 * 1 + 15 * 3


@pytest.mark.rule("tokugawa 1.6")
@pytest.mark.parametrize(
    ("weapon", "strength", "cost"),
    [(Weapon.ARCHER, (0, 1), 1), (Weapon.SPEAR, (1, 2), 2), (Weapon.SWORD, (2, 3), 5)],
)
def test_strength_and_cost_of_samurai(weapon: Weapon, strength: tuple[int, int], cost: int) -> None:
    assert (ARMS[weapon].strength, ARMS[weapon].cost) == (strength, cost)


@pytest.mark.rule("tokugawa 1.6")
def test_a_capital_loses_one_of_its_two_points() -> None:
    assert map_tables.CAPITAL_STRENGTH == (2, 1)


@pytest.mark.rule("tokugawa 2.1")
def test_the_provinces_of_each_stack() -> None:
    sides = {side: [p for p in PROVINCES if CHART.provinces[p].side is side] for side in Side}
    assert sides == {
        Side.WEST: ["kinki", "chugoku", "saigoku"],
        Side.CENTRE: ["hokuriku", "chubu", "tokai"],
        Side.EAST: ["kanto", "oshu", "michinoku"],
    }
    assert [len(TOWNS_OF[p]) for p in PROVINCES] == [5, 5, 4, 5, 5, 5, 5, 5, 4]
    assert (PROVINCE_OF[KYOTO], PROVINCE_OF[YEDO]) == ("kinki", "kanto")


@pytest.mark.rule("tokugawa 2.2")
def test_the_roads_and_their_terrains() -> None:
    assert Counter(road.terrain for road in CHART.roads) == {
        Terrain.PLAIN: 24,
        Terrain.FOREST: 22,
        Terrain.MOUNTAIN: 22,
    }
    assert len(ROAD) == 2 * 68
    assert all(ROAD[a, b] is ROAD[b, a] for a, b in ROAD)
    for town in TOWNS:
        there = [other for terrain in LAND for other in BY_TERRAIN[terrain][town]]
        assert sorted(there) == list(NEIGHBOURS[town])


@pytest.mark.rule("tokugawa 2.3", "tokugawa 17.4")
def test_shipyards_are_the_ports_on_a_forest_road() -> None:
    assert len(PORTS) == 15
    assert SHIPYARDS == (
        "hagi",
        "hiroshima",
        "kubota",
        "niigata",
        "osaka",
        "sendai",
        "tsuruga",
        "uraga",
    )
    for port in PORTS:
        on_forest = any(
            road.terrain is Terrain.FOREST and port in (road.a, road.b) for road in CHART.roads
        )
        assert (port in SHIPYARDS) is on_forest


@pytest.mark.rule("tokugawa 2.4")
def test_the_capitals_are_no_ports_and_six_steps_apart() -> None:
    assert not {*CAPITALS} & {*PORTS}
    assert STEPS[KYOTO][YEDO] == STEPS[YEDO][KYOTO] == 6
    near = Counter(
        (STEPS[KYOTO][town] > STEPS[YEDO][town]) - (STEPS[KYOTO][town] < STEPS[YEDO][town])
        for town in TOWNS
    )
    assert near == {-1: 20, 0: 3, 1: 20}


@pytest.mark.rule("tokugawa 2.4")
def test_three_methods_of_six_steps_join_the_capitals() -> None:
    def routes(town: Town) -> list[list[Town]]:
        if town == YEDO:
            return [[town]]
        nearer = [n for n in NEIGHBOURS[town] if STEPS[YEDO][n] == STEPS[YEDO][town] - 1]
        return [[town, *route] for each in nearer for route in routes(each)]

    result = routes(KYOTO)
    assert len(result) == 3
    assert sorted(("hikone" in route) + ("takasaki" in route) for route in result) == [0, 2, 2]


@pytest.mark.rule("tokugawa 2.5")
def test_k29_the_mirror_maps_the_map_onto_itself() -> None:
    mirror = CHART.mirror

    def mirrored(towns: tuple[Town, ...]) -> list[Town]:
        return sorted(Town(mirror[town]) for town in towns)

    assert {(mirror[a], mirror[b]): terrain for (a, b), terrain in ROAD.items()} == ROAD
    assert mirrored(PORTS) == list(PORTS)
    assert mirrored(SHIPYARDS) == list(SHIPYARDS)
    assert mirrored(CAPITALS) == sorted(CAPITALS)
    for town, province in PROVINCE_OF.items():
        assert PROVINCE_OF[Town(mirror[town])] == mirror[province]
    for contract, deal in DEALS.items():
        other = DEALS[Contract(mirror[contract])]
        assert mirrored(deal.towns) == sorted(other.towns)
        assert deal.ships == other.ships


@pytest.mark.rule("tokugawa 2.6")
@pytest.mark.parametrize("province", [None, *PROVINCES])
def test_the_country_and_each_province_hang_together(province: Province | None) -> None:
    area = TOWNS if province is None else TOWNS_OF[province]
    reached = [area[0]]
    for town in reached:
        reached += [each for each in NEIGHBOURS[town] if each in area and each not in reached]
    assert sorted(reached) == sorted(area)


@pytest.mark.rule("tokugawa 2.6")
def test_only_two_towns_cut_the_rest_off() -> None:
    def reached_without(removed: Town) -> int:
        reached = [next(town for town in TOWNS if town != removed)]
        for town in reached:
            reached += [t for t in NEIGHBOURS[town] if t != removed and t not in reached]
        return len(reached)

    assert {t: reached_without(t) for t in TOWNS if reached_without(t) < 42} == {
        "kokura": 40,
        "morioka": 40,
    }


@pytest.mark.rule("tokugawa 2.6")
def test_each_player_has_room_to_begin_in_each_of_his_provinces() -> None:
    for enemy in CAPITALS:
        for province in PROVINCES:
            if province != PROVINCE_OF[enemy]:
                free = [t for t in TOWNS_OF[province] if t not in (*NEIGHBOURS[enemy], *CAPITALS)]
                assert len(free) >= 3


@pytest.mark.rule("tokugawa 2.7")
@pytest.mark.parametrize(
    ("town", "names"),
    [
        ("kitanosho", ("北庄", "きたのしょう", "Fukui", "福井")),
        ("edo", ("江戸", "Yedo", "えど")),
        ("osaka", ("大坂", "大阪", "ＯＳＡＫＡ")),
        ("takada", ("高田", "takad")),
    ],
)
def test_towns_are_matched_by_their_names_of_1615_and_of_today(
    town: str, names: tuple[str, ...]
) -> None:
    towns = Lexicon(TOWN_CHOICES)
    assert [towns.find(fold(name)) for name in names] == [(town,)] * len(names)


@pytest.mark.rule("tokugawa 13.2")
@pytest.mark.parametrize("choices", [TOWN_CHOICES, PROVINCE_CHOICES], ids=["towns", "provinces"])
def test_every_full_name_denotes_one_thing(choices: tuple[object, ...]) -> None:
    lexicon = Lexicon(choices)  # type: ignore[arg-type]  # both are choices
    for choice in choices:
        value: str = choice.value  # type: ignore[attr-defined]
        for name in (value, *choice.names, *choice.short):  # type: ignore[attr-defined]
            assert lexicon.find(fold(name)) == (value,)


@pytest.mark.rule("tokugawa 13.2")
@pytest.mark.parametrize(
    ("given", "towns"),
    [
        ("matsu", ("matsue", "matsumae", "matsumoto", "matsuyama")),
        ("ka", ("kagoshima", "kamakura", "kanazawa", "kano")),
        ("kan", ("kanazawa", "kano")),
        ("kano", ("kano",)),
        ("kana", ("kanazawa",)),
        ("ta", ("takada", "takasaki", "tateyama")),
        ("松", ("hamamatsu", "matsue", "matsumae", "matsumoto", "matsuyama")[1:]),
        ("松山", ("matsuyama",)),
        ("まつも", ("matsumoto",)),
        ("y", ("edo", "yamagata")),
        ("ye", ("edo",)),
    ],
)
def test_a_beginning_denotes_every_town_that_has_it(given: str, towns: tuple[str, ...]) -> None:
    assert Lexicon(TOWN_CHOICES).find(given) == towns


@pytest.mark.rule("tokugawa 10.5", "tokugawa 10.6", "tokugawa 10.7")
@pytest.mark.rule("tokugawa 10.8", "tokugawa 10.9", "tokugawa 10.10")
@pytest.mark.parametrize(
    ("building", "cost", "action", "attack", "defence"),
    [
        (Building.SHIP, 2, True, 0, 0),
        (Building.GARDEN, 1, True, 0, 0),
        (Building.SMITHY, 1, True, 0, 0),
        (Building.CASTLE, 4, False, 0, 2),
        (Building.SHRINE, 3, True, 1, 1),
        (Building.WALL, 2, False, 0, 1),
    ],
)
def test_what_buildings_cost_and_add(
    building: Building, cost: int, action: bool, attack: int, defence: int
) -> None:
    plan = PLANS[building]
    assert (plan.cost, plan.action, plan.attack, plan.defence) == (cost, action, attack, defence)


@pytest.mark.rule("tokugawa 6.4")
@pytest.mark.parametrize(
    ("terrain", "sun", "rain", "storm"),
    [
        (Terrain.PLAIN, 1, 2, 3),
        (Terrain.FOREST, 2, 3, 4),
        (Terrain.MOUNTAIN, 3, 4, 5),
        (Terrain.SEA, 2, 3, None),
    ],
)
def test_every_number_of_the_weather_table(
    terrain: Terrain, sun: int, rain: int, storm: int | None
) -> None:
    needed = map_tables.NEEDED[terrain]
    assert (needed[Weather.SUN], needed[Weather.RAIN], needed[Weather.STORM]) == (sun, rain, storm)


def test_towns_stand_apart_on_the_canvas_and_no_roads_cross() -> None:
    position = {town: (entry.x, entry.y) for town, entry in CHART.towns.items()}
    for a in TOWNS:
        for b in TOWNS:
            apart = (position[a][0] - position[b][0]) ** 2 + (position[a][1] - position[b][1]) ** 2
            assert a == b or apart >= 62**2
    roads = CHART.roads
    for number, one in enumerate(roads):
        for other in roads[:number]:
            if not {one.a, one.b} & {other.a, other.b}:
                assert not _cross(*(position[town] for town in (one.a, one.b, other.a, other.b)))


_At = tuple[int, int]


def _cross(a: _At, b: _At, c: _At, d: _At) -> bool:
    turn: Callable[[_At, _At, _At], bool] = lambda p, q, r: (  # noqa: E731 - one line of geometry
        (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])
    )
    return turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)


def test_every_thing_has_a_name_in_both_languages() -> None:
    named = [*CHART.towns.values(), *CHART.provinces.values(), *CHART.deals.values()]
    for each in (*named, *PIECES.labels.values()):
        assert each.en.isascii()
        assert not each.ja.isascii()
