"""Reading `pieces.toml`: money, weapons, buildings, weather and terrain, each number checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from bluebear.rules.core.tables import Constraint, DataFile, Entry
from bluebear.rules.tokugawa.data.terms import Building, Named, Terrain, Weapon, Weather

DIE: Final = 6
"""The faces of every die."""

Number = Annotated[int, Constraint(ge=0, le=99)]
Some = Annotated[int, Constraint(ge=1, le=99)]
Faces = Annotated[int, Constraint(ge=1, le=DIE)]
Strength = Annotated[int, Constraint(ge=0, le=DIE)]


class Money(Entry):
    """Koku of a seat and a bank at the start, and all that there are (Rule: tokugawa 1.4, 3.1)."""

    player: Number
    province: Number
    all: Some


class Arms(Named, kw_only=True):
    """Samurai: price, pieces, strength of front and forged side (Rule: tokugawa 1.5, 1.6)."""

    id: Weapon
    cost: Number
    stock: Some
    start: Number
    strength: tuple[Strength, Strength]
    rolls: bool

    def __post_init__(self) -> None:
        if self.start > self.stock:
            raise ValueError(f"start is at most the stock, not {self.start}")


class Capital(Named, kw_only=True):
    """The strength of a capital: untouched, hit once (Rule: tokugawa 1.6)."""

    id: str
    strength: tuple[Strength, Strength]


class Plan(Named, kw_only=True):
    """What a building costs and does; `limit` counts pieces (Rule: tokugawa 1.5, 10.1)."""

    id: Building
    cost: Number
    action: bool
    attack: Strength
    defence: Strength
    limit: Some
    shared: bool


class WeatherEntry(Named, kw_only=True):
    """How many faces of the weather die show it, and what it adds (Rule: tokugawa 6.4)."""

    id: Weather
    faces: Faces
    modifier: Annotated[int, Constraint(ge=-2, le=0)]


class TerrainEntry(Named, kw_only=True):
    """What a roll must reach to move over it, also in a storm or not (Rule: tokugawa 6.4)."""

    id: Terrain
    needs: Faces
    storm: bool


class _File(Entry):
    money: tuple[Money]
    weapon: tuple[Arms, ...]
    capital: tuple[Capital]
    building: tuple[Plan, ...]
    weather: tuple[WeatherEntry, ...]
    terrain: tuple[TerrainEntry, ...]


class Pieces(NamedTuple):
    """All that `pieces.toml` says; `labels` are the names of everything by id."""

    money: Money
    arms: Mapping[Weapon, Arms]
    capital: Capital
    plans: Mapping[Building, Plan]
    weather: Mapping[Weather, WeatherEntry]
    terrain: Mapping[Terrain, TerrainEntry]

    @property
    def labels(self) -> Mapping[str, Named]:
        """The names of everything by its id."""
        kinds = (self.arms, self.plans, self.weather, self.terrain)
        return {
            "capital": self.capital,
            **{str(e): named for kind in kinds for e, named in kind.items()},
        }


def read_pieces(text: str, name: str) -> Pieces:
    """The pieces that a text describes; DataError names the line that is wrong."""
    file = DataFile(_File, text, name)
    made = Pieces(
        money=file.value.money[0],
        arms=file.by_id("weapon", file.value.weapon, Weapon),
        capital=file.value.capital[0],
        plans=file.by_id("building", file.value.building, Building),
        weather=file.by_id("weather", file.value.weather, Weather),
        terrain=file.by_id("terrain", file.value.terrain, Terrain),
    )
    if (faces := sum(each.faces for each in made.weather.values())) != DIE:
        raise file.fault(f"{faces} faces, not {DIE}", "weather")
    return made
