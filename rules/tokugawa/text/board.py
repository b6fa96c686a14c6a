"""The table as text, province by province: complete enough to play from (Rule: tokugawa 13.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from bluebear.rules.core.ascii_map import Road, Spot, sketch
from bluebear.rules.core.slots import Choice
from bluebear.rules.core.text_layout import columns, fit, listed, wrapped
from bluebear.rules.core.texts import SummaryBlock
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.terms import Building, Contract, Province, Side, Town, Weapon
from bluebear.rules.tokugawa.rules.economy import income, led_by, samurai_in
from bluebear.rules.tokugawa.rules.pieces import power
from bluebear.rules.tokugawa.rules.scoring import buildings_of, points_of, samurai_of
from bluebear.rules.tokugawa.rules.setup import left, placed
from bluebear.rules.tokugawa.rules.state import Battle, Clan, Phase
from bluebear.rules.tokugawa.text.commands import expand
from bluebear.rules.tokugawa.text.move_list import format_moves
from bluebear.rules.tokugawa.text.names import EXPLAINED, PROVINCE_CHOICES, TOWN_CHOICES, TownTexts
from bluebear.rules.tokugawa.text.queries import FIGURES, battle_text, forecast, throws

_STANDS: Final = 16
_BUILT: Final = 6
"""All buildings and a ship are longer and push what follows, which is rare."""
_INDENT: Final = 4
_PER_SEAT: Final = (Building.SHIP, Building.SMITHY, Building.CASTLE, Building.SHRINE)
"""What a seat has a stock of its own of (Rule: tokugawa 1.5)."""
_ALONE: Final = {
    Phase.SAILING: "sailing",
    Phase.ATTACK_SUPPORT: "support",
    Phase.DEFENCE_SUPPORT: "support",
    Phase.RETREATING: "retreating",
}
_LEGEND: Final = ("legend_pieces", "legend_buildings", "legend_roads")
_ROLLS: Final = (Phase.ATTACK_ROLL, Phase.DEFENCE_ROLL)
_ROWS: Final = 14
_ROWS_AROUND: Final = 8
"""A map with the lines about its towns fits into a window of 24 rows."""


_FROM_THE_WEST: Final[tuple[str, ...]] = (
    *map_tables.PROVINCES,
    *(town for province in map_tables.PROVINCES for town in map_tables.TOWNS_OF[province]),
)
AREAS: Final[tuple[Choice, ...]] = tuple(
    sorted(
        (*PROVINCE_CHOICES, *TOWN_CHOICES), key=lambda choice: _FROM_THE_WEST.index(choice.value)
    )
)
"""What `/look` shows: the provinces, then their towns, both from west to east."""


class BoardText(TownTexts):
    """The texts about one table, on a page."""

    areas = AREAS
    explained = EXPLAINED
    figures = FIGURES

    @cached_property
    def _town_width(self) -> int:
        return max(columns(self.label("town", town)) for town in map_tables.TOWNS)

    @cached_property
    def _port_width(self) -> int:
        return max(columns(self.port(town)) for town in map_tables.PORTS)

    def board(self) -> str:
        """Everything that one has to see in order to play."""
        lines = [*self.status(), "", *self._seats(), "", *self._open()]
        for province in map_tables.PROVINCES:
            lines += ["", *self.province(province)]
        lines += ["", *self._legend()]
        return "\n".join(lines)

    def summary_blocks(self) -> Iterator[SummaryBlock]:
        """The table in parts: a line for each clan and province, the contracts where they fit."""
        yield SummaryBlock(0, self.status())
        yield SummaryBlock(1, [line for seat in self.view.seats for line in self._clan(seat)])
        yield SummaryBlock(
            2, [line for each in map_tables.PROVINCES for line in self._at_a_glance(each)]
        )
        yield SummaryBlock(3, list(self._open()))
        yield SummaryBlock(4, list(self._legend()))

    def linear_board(self) -> str:
        """The table in sentences: every road said by its terrain."""
        lines = [*self.status(), *self._seats(), *self._open()]
        for province in map_tables.PROVINCES:
            lines += self.lines(self._head_of(province))
            for town in map_tables.TOWNS_OF[province]:
                lines += self.lines(self._town_line(town))
        return "\n".join([*lines, *self._legend()])

    def status(self) -> list[str]:
        """Where the game stands, who has to do what, and the battle under way."""
        return [line for text in self._status() for line in self.lines(text)]

    def _status(self) -> Iterator[str]:
        table = self.view
        if table.ending is not None:
            ending = self.label("ending", table.ending)
            key = "drawn" if table.winner is None else "won"
            yield self.say(key, ending=ending, winner=table.winner)
        elif table.phase is Phase.PLACING:
            yield self.say("start_phase", count=placed(table) + 1)
            yield self._placing()
        else:
            seat = table.turn
            params = {"round": table.round, "actions": table.actions}
            yield self.say("head", seat=seat, letter=self.owner(seat), **params)
            if table.battle is not None:
                yield from self._battle(table.battle)
                for text in throws(self):
                    yield "  " + text
            if table.phase is not Phase.ACTING:
                yield self._prompt()

    def province(self, province: Province) -> Iterator[str]:
        """A province: its bank, who is in it, and its towns."""
        yield self._head_of(province)
        for town in map_tables.TOWNS_OF[province]:
            yield from self.town(town)

    def _head_of(self, province: Province) -> str:
        table = self.view
        counts = [
            f"{self.owner(seat)} {samurai_in(table, seat, province)[0]}" for seat in table.seats
        ]
        text = self.say(
            "province_taxed" if province in table.taxed else "province",
            province=province,
            side=map_tables.CHART.provinces[province].side,
            count=table.banks[province],
            samurai="  ".join(counts),
        )
        return text if province in table.taxed else self._with_tax(text, province)

    def _at_a_glance(self, province: Province) -> list[str]:
        """A province and its towns in a line: `Kinki 12: Kyoto K2 WC, Nara -, ...`."""
        table = self.view
        towns = []
        for town in map_tables.TOWNS_OF[province]:
            piece = table.pieces.get(town)
            here = f"{self.owner(piece.owner)}{power(piece)}" if piece else self.stands(town)
            shown = (self.label("town", town), here, self.built(town))
            towns.append(" ".join(filter(None, shown)))
        head = f"{self.label('province', province)} {table.banks[province]}: "
        return self.listed(head, towns)

    def _town_line(self, town: Town) -> str:
        """A town as one says it: port, who stands there, what is built, the roads by terrain."""
        roads = [
            self.say("roads", terrain=terrain, towns=tuple(near))
            for terrain in map_tables.LAND
            if (near := map_tables.BY_TERRAIN[terrain][town])
        ]
        stands = self.stands(town) if town in self.view.pieces else ""
        facts = (self.port(town), stands, self.built(town))
        items = [self.label("town", town), *filter(None, facts), *roads]
        return "  " + "".join(listed(items, self.page.lang))

    def _with_tax(self, text: str, province: Province) -> str:
        """A line about a province with what taxing it would bring to who could."""
        for seat in self.view.seats:
            samurai, against = samurai_in(self.view, seat, province)
            koku = income(self.view, seat, province)
            if samurai > against and koku:
                return self.say("tax", told=text, letter=self.owner(seat), koku=koku)
        return text

    def town(self, town: Town) -> Iterator[str]:
        """A town: port, who stands there, what is built, where its roads lead."""
        cells = [
            fit("  " + self.label("town", town), 2 + self._town_width),
            fit(self.port(town), self._port_width),
            _filled(self.stands(town), _STANDS),
            _filled(self.built(town), _BUILT),
        ]
        head = " ".join(cells)
        yield from wrapped([head, *self.roads(town)], self.page.width, columns(head) + 1)

    def contracts(self) -> Iterator[str]:
        """All contracts: the open ones, those in the stacks, those that were taken."""
        table = self.view
        yield from self._open()
        for side in Side:
            for contract in table.stacks[side]:
                yield from self._deal("in_stack", contract, side=side)
        for seat, clan in table.seats.items():
            for contract in clan.contracts:
                yield from self._deal("taken", contract, seat=seat)

    def _placing(self) -> str:
        table = self.view
        seat = table.turn
        counts = {weapon: left(table, seat, weapon) for weapon in Weapon}
        rest = [self._stock("weapon", each, count) for each, count in counts.items() if count]
        return self.say("placing", seat=seat, letter=self.owner(seat), weapons=tuple(rest))

    def _prompt(self) -> str:
        """What is asked of the seat that decides."""
        table = self.view
        seat = table.decides
        key = _ALONE.get(table.phase, "rolling")
        params: dict[str, Any] = {}  # Any: what the phrase names
        if table.phase is Phase.SAILING:
            params["town"] = table.ship_at
        if table.phase in _ROLLS and table.battle is not None:
            params["count"] = table.battle.rerolls
        return self.say(key, seat=seat, letter=self.owner(seat or table.turn), **params)

    def _battle(self, battle: Battle) -> Iterator[str]:
        """The attack under way: pieces, weather, supporters and dice."""
        pieces = self.view.pieces
        attacker, target = pieces[battle.origin], pieces[battle.town]
        yield self.say(
            "battle",
            piece=self.piece(attacker),
            origin=battle.origin,
            approach=battle.approach,
            target=self.fighter(battle.town),
            town=battle.town,
            weather=battle.weather,
        )
        for towns, dice, seat in (
            (battle.allies, battle.dice, attacker.owner),
            (battle.guards, battle.reply, target.owner),
        ):
            if towns:
                yield self.say("helped", letter=self.owner(seat), towns=towns)
            if dice:
                text = " + ".join(map(str, dice))
                yield self.say("threw", letter=self.owner(seat), dice=text, count=sum(dice))

    def _seats(self) -> Iterator[str]:
        for seat, clan in self.view.seats.items():
            yield from self._seat(seat, clan)
        rest = [self._stock("building", each, n) for each, n in self.view.supply.items()]
        yield from self.lines(self.say("common", pieces=tuple(rest)))

    def _clan(self, seat: Seat) -> list[str]:
        """What a seat has, without its stock."""
        table, clan = self.view, self.view.seats[seat]
        text = self.say(
            "clan",
            letter=self.owner(seat),
            seat=seat,
            capital=clan.capital,
            koku=clan.koku,
            samurai=samurai_of(table, seat),
            buildings=buildings_of(table, seat),
            points=points_of(table)[seat].total,
        )
        mark = ">" if seat == table.decides else " "
        return self.lines(f"{mark} {text}")

    def _seat(self, seat: Seat, clan: Clan) -> Iterator[str]:
        yield from self._clan(seat)
        taken = [f"{each}({map_tables.DEALS[each].points})" for each in clan.contracts]
        stock = [
            *(self._stock("weapon", each, n) for each, n in clan.samurai.items()),
            *(self._stock("building", each, clan.pieces[each]) for each in _PER_SEAT),
        ]
        text = "    " + self.say("stock", contracts=" ".join(taken) or "-")
        *before, last = stock
        shown = [text, *(self.say("before_more", item=each) for each in before), last]
        yield from wrapped(shown, self.page.width, _INDENT)

    def _stock(self, slot: str, value: Weapon | Building, count: int) -> str:
        return self.say("stocked", piece=self.label(slot, value), count=count)

    def _open(self) -> Iterator[str]:
        yield self.say("contracts")
        for side in Side:
            contract = self.view.open.get(side)
            if contract is None:
                yield self.say("no_contract", side=side)
            else:
                yield from self._deal("open", contract, side=side)

    def _deal(self, key: str, contract: Contract, **params: Any) -> Iterator[str]:
        """A contract with its towns, each with the letter of who stands there."""
        deal = map_tables.DEALS[contract]
        items = [self.say(key, contract=contract, count=deal.points, **params)]
        items += [self._wanted(town) for town in deal.towns]
        if deal.ships:
            items.append(self.say("ships_in", count=deal.ships))
        yield from wrapped(items, self.page.width, _INDENT)

    def _wanted(self, town: Town) -> str:
        piece = self.view.pieces.get(town)
        name = self.label("town", town)
        return name if piece is None else f"{name}({self.owner(piece.owner)})"

    def _legend(self) -> Iterator[str]:
        for key in _LEGEND:
            yield from self.lines(self.say(key))

    def look(self, area: str) -> str:
        """A province or a town."""
        if area in map_tables.TOWNS:
            return "\n".join(self._closely(Town(area)))
        lines = self._drawn(map_tables.TOWNS_OF[Province(area)], _ROWS)
        gap = [""] if lines else []
        return "\n".join([*lines, *gap, *self.province(Province(area))])

    def _drawn(self, towns: Sequence[Town], height: int) -> list[str]:
        """A map of some towns and of those next to them, with the letter of who stands there."""
        if self.page.linear:
            return []
        shown = dict.fromkeys(
            [*towns, *(near for town in towns for near in map_tables.NEIGHBOURS[town])]
        )
        spots = {}
        for town in shown:
            piece = self.view.pieces.get(town)
            letter = "" if piece is None else f"[{self.owner(piece.owner)}]"
            name = self.label("town", town)
            x, y = map_tables.CHART.towns[town].x, map_tables.CHART.towns[town].y
            spots[str(town)] = Spot((name if town in towns else f"({name})") + letter, x, y)
        roads = [
            Road(str(road.a), str(road.b), self.label("road", road.terrain))
            for road in map_tables.CHART.roads
            if road.a in shown and road.b in shown and (road.a in towns or road.b in towns)
        ]
        return sketch(spots, roads, width=self.page.width, height=height)

    def _closely(self, town: Town) -> Iterator[str]:
        """A town with its surroundings and its way to both capitals."""
        facts = (self.label("town", town), self.port(town), self.stands(town), self.built(town))
        province = self.label("province", map_tables.PROVINCE_OF[town])
        yield " ".join(filter(None, (*facts, f"({province})")))
        yield from self._drawn((town,), _ROWS_AROUND)
        first, second = (map_tables.STEPS[capital][town] for capital in map_tables.CAPITALS)
        yield self.say("apart", capitals=map_tables.CAPITALS, counts=(first, second))
        for terrain in map_tables.LAND:
            for other in map_tables.BY_TERRAIN[terrain][town]:
                stands = " ".join(filter(None, (self.stands(other), self.built(other))))
                yield self.say("road", terrain=terrain, town=other, stands=stands)
        if town in map_tables.PORTS:
            yield self.say("by_sea")

    def answer(self, query: str, arguments: Mapping[str, Any]) -> str:  # Any: values of slots
        """`/contracts`, `/battle`, and `/odds FROM TO [sea]`."""
        if query == "battle":
            return battle_text(self)
        if query == "contracts":
            return "\n".join(self.contracts())
        return forecast(self, **arguments)

    def points_now(self) -> Mapping[Seat, int]:
        return {seat: points.total for seat, points in points_of(self.view).items()}

    def chapter_figures(self) -> Mapping[str, tuple[str, ...]]:
        """Provinces with more samurai, contracts, points."""
        table = self.view
        if table.ending is not None:
            return {}
        return {
            "5": self.by_seat({seat: len(led_by(table, seat)) for seat in table.seats}),
            "10": self.by_seat({seat: len(clan.contracts) for seat, clan in table.seats.items()}),
            "11": self.by_seat(self.points_now()),
        }

    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return expand(self.view, seat, verb, text)

    show_moves = format_moves


def _filled(text: str, width: int) -> str:
    """A text filled with spaces to at least so many columns, never cut."""
    return text + " " * (width - columns(text))
