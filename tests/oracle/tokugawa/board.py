"""What is printed on Tokugawa's board, chips and cards, typed again from its description."""

from __future__ import annotations

from typing import Final, NamedTuple

STACKS: Final = ("west", "centre", "east")
"""The stacks of contracts, in the order in which several are taken. Rule: tokugawa 10.2."""

_PROVINCES: Final = {
    "kinki": "kyoto osaka* nara himeji tokushima*",
    "chugoku": "okayama tottori matsue hiroshima* matsuyama*",
    "saigoku": "hagi* kokura nagasaki* kagoshima",
    "hokuriku": "tsuruga* kitanosho kanazawa takada niigata*",
    "chubu": "hikone kano matsumoto suwa takasaki",
    "tokai": "ueno nagoya hamamatsu* sunpu odawara",
    "kanto": "edo uraga* kamakura utsunomiya tateyama*",
    "oshu": "shirakawa wakamatsu yamagata sendai* mito*",
    "michinoku": "kubota* morioka hachinohe matsumae*",
}
"""The towns of each province; a star is a port. Rule: tokugawa 2.1, 2.3."""

_ROADS: Final = {
    "plain": """
        kyoto-osaka edo-uraga kyoto-nara edo-kamakura kyoto-himeji edo-utsunomiya osaka-tokushima
        uraga-tateyama kyoto-hikone edo-takasaki nagoya-hamamatsu sunpu-hamamatsu tsuruga-kitanosho
        niigata-takada himeji-okayama utsunomiya-shirakawa tottori-matsue wakamatsu-yamagata
        hiroshima-matsuyama sendai-mito kokura-nagasaki morioka-matsumae nagasaki-kagoshima
        matsumae-hachinohe""",
    "forest": """
        osaka-nara uraga-kamakura kyoto-ueno edo-odawara nara-ueno kamakura-odawara kano-nagoya
        suwa-sunpu hikone-tsuruga takasaki-niigata kitanosho-kanazawa takada-kanazawa
        tsuruga-tottori niigata-wakamatsu okayama-hiroshima shirakawa-sendai matsue-hagi
        yamagata-kubota hagi-kokura kubota-morioka hiroshima-kokura sendai-morioka""",
    "mountain": """
        ueno-nagoya odawara-sunpu hikone-kano takasaki-suwa kano-matsumoto suwa-matsumoto
        hikone-kitanosho takasaki-takada kitanosho-kano takada-suwa himeji-tottori
        utsunomiya-wakamatsu okayama-matsue shirakawa-yamagata hiroshima-matsue sendai-yamagata
        tokushima-matsuyama tateyama-mito kokura-kagoshima morioka-hachinohe kanazawa-matsumoto
        matsumoto-hamamatsu""",
}
"""The roads of each terrain. Rule: tokugawa 2.2."""

_CONTRACTS: Final = """
    west W1 0 osaka nara himeji
    west W2 0 okayama hiroshima kokura nagasaki
    west W3 0 tottori matsue hagi kokura kagoshima
    west W4 2 osaka tokushima matsuyama hiroshima
    centre C1 3
    centre C2 0 tsuruga kitanosho takada niigata
    centre C3 0 ueno nagoya hamamatsu sunpu odawara
    centre C4 0 kano matsumoto suwa kanazawa nagoya hamamatsu sunpu
    east E1 0 uraga kamakura utsunomiya
    east E2 0 shirakawa sendai morioka matsumae
    east E3 0 wakamatsu yamagata kubota morioka hachinohe
    east E4 2 uraga tateyama mito sendai
"""
"""Stack, name, ships and towns of each contract. Rule: tokugawa 10.4."""

CAPITALS: Final = ("kyoto", "edo")

TERRAINS: Final = tuple(_ROADS)

PROVINCE: Final = {
    town.rstrip("*"): name for name, towns in _PROVINCES.items() for town in towns.split()
}
"""The province of each town."""

PROVINCES: Final = tuple(_PROVINCES)

TOWNS: Final = tuple(PROVINCE)

PORTS: Final = frozenset(
    town.rstrip("*")
    for towns in _PROVINCES.values()
    for town in towns.split()
    if town.endswith("*")
)


def _roads() -> dict[tuple[str, str], str]:
    """The terrain of each road, both ways."""
    results = {}
    for terrain, roads in _ROADS.items():
        for road in roads.split():
            one, other = road.split("-")
            results[one, other] = results[other, one] = terrain
    return results


ROAD: Final = _roads()

NEIGHBOURS: Final = {town: tuple(b for a, b in ROAD if a == town) for town in TOWNS}
"""The towns joined with each by a road: "adjacent"."""

SHIPYARDS: Final = frozenset(
    port for port in PORTS if any(ROAD[port, town] == "forest" for town in NEIGHBOURS[port])
)
"""The ports on a forest road. Rule: tokugawa 2.3."""


class Card(NamedTuple):
    """A contract. Rule: tokugawa 10.4."""

    stack: str
    ships: int
    towns: tuple[str, ...]

    def points(self) -> int:
        """One for each town or ship."""
        return self.ships + len(self.towns)


def _cards() -> dict[str, Card]:
    results = {}
    for line in _CONTRACTS.strip().splitlines():
        stack, name, ships, *towns = line.split()
        results[name] = Card(stack, int(ships), tuple(towns))
    return results


CARDS: Final = _cards()

CARDS_IN_STACK: Final = 4
"""Rule: tokugawa 3.2."""


class Samurai(NamedTuple):
    """A type of samurai. Rule: tokugawa 1.5, 1.6, 3.5."""

    strength: int
    cost: int
    chips: int
    placed: int


SAMURAI: Final = {
    "archer": Samurai(strength=0, cost=1, chips=10, placed=5),
    "spear": Samurai(strength=1, cost=2, chips=7, placed=2),
    "sword": Samurai(strength=2, cost=5, chips=5, placed=1),
}


class Building(NamedTuple):
    """A kind of building: `chips` for each player, or for both. Rule: tokugawa 1.5, 10.1."""

    cost: int
    action: bool
    chips: int
    common: bool = False


BUILDINGS: Final = {
    "ship": Building(cost=2, action=True, chips=5),
    "garden": Building(cost=1, action=True, chips=8, common=True),
    "smithy": Building(cost=1, action=True, chips=1),
    "castle": Building(cost=4, action=False, chips=3),
    "shrine": Building(cost=3, action=True, chips=10),
    "wall": Building(cost=2, action=False, chips=8, common=True),
}

WEATHER: Final = {"sun": 0, "rain": -1, "storm": -2}
"""What the weather adds to the die of a movement and to an attacker's total. Rule: 6.4, 8.2."""

NEEDED: Final = {"plain": 1, "forest": 2, "mountain": 3, "sea": 2}
"""What battle die and weather have to reach. Rule: tokugawa 6.4."""

START_KOKU: Final = 15
BANK_KOKU: Final = 5
"""Rule: tokugawa 3.1."""

PLACING: Final = (0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0)
"""Who places next: 0 the starting player. Rule: tokugawa 3.6."""
