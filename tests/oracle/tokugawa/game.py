"""Tokugawa, implemented independently from the rule text.

What the text leaves open was read so:

| point | reading |
|---|---|
| 3.4, 3.5 | the own capital does not fill its province when samurai are placed |
| 4.2, 10.1 | a castle built in turn n of the game stands from turn n + 2 on, its owner's next |
| 10.1 | a shrine is usable from the turn after that in which it was built |
| 7.4, 8.1 | a player with no seat to name, too little money or no rerolls gets no choice |
| 5.8, 9.4 | a retreat is complete, ships and all, before the attacker comes |
| 11.1 | the player who takes the capital wins; the victory points are counted as ever |
| 11.6 | 500 turns of each in a row: 1,000 turns of the game, one after the other |
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar

from tests.oracle.differential import Reports
from tests.oracle.tokugawa.battle import Battle
from tests.oracle.tokugawa.board import (
    BUILDINGS,
    CARDS_IN_STACK,
    NEEDED,
    PLACING,
    SAMURAI,
    STACKS,
    WEATHER,
)
from tests.oracle.tokugawa.lines import free_lines, placing_lines, sailing_lines, turn_lines
from tests.oracle.tokugawa.recorded_draws import Luck
from tests.oracle.tokugawa.table import SEATS, Man, Table, Thing, rival

ATTACK_FEE = 1
FIRST_ACTIONS = {1: 1, 2: 2}
ACTIONS = 3
"""Rule: tokugawa 4.1."""

CONTRACTS_END = 3
SHORT_END = 10
"""Contracts that end a game; contract points that end a short one. Rule: tokugawa 11.2, 11.5."""

IDLE_END = 1000
"""Turns of the game without a contract or a hit, where rounds have no limit. Rule: 11.6."""

OPENS_AT_THE_END = 2
"""From this version of the rules on a card is opened behind the last contract. Rule: 10.2."""


class Tokugawa:
    """The oracle of Tokugawa."""

    luck: ClassVar[Collection[str]] = frozenset(
        {"began", "opened", "thrown", "storm", "weathered", "struck", "restruck"}
    )

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        """Rule: tokugawa 3.1 to 3.4."""
        if seats != len(SEATS):
            raise ValueError("a game for two")
        self._short, self._max_rounds = options["short"], options["max_rounds"]
        self._opens_at_the_end = options["rules"] >= OPENS_AT_THE_END
        self._luck = Luck(reports)
        began = self._luck.next("began")
        self._table = Table(run_up=options.get("run_up", False))
        self._table.men["kyoto"] = Man(began["seat"], "capital")
        self._table.men["edo"] = Man(began["other"], "capital")
        self._first = began["by"]
        self._open: dict[str, str] = {stack: self._luck.card(stack) for stack in STACKS}
        self._left = dict.fromkeys(STACKS, CARDS_IN_STACK - 1)
        self._luck.close()
        self._placed = 0
        self._active = self._first
        self._actions = 0
        self._taxed: set[str] = set()
        self._idle = 0
        self._is_idle = True
        self._is_sailing = False
        self._battle: Battle | None = None
        self._winner: int | None = None
        self._is_over = False
        self._mover = self._first
        self._lines: AbstractSet[str] = placing_lines(self._table, self._first)

    def movers(self) -> AbstractSet[int]:
        """The one whose decision it is."""
        return frozenset() if self._is_over else frozenset({self._mover})

    def legal(self, seat: int) -> AbstractSet[str]:
        """All legal lines of a player."""
        return self._lines if seat == self._mover else frozenset()

    def play(self, seat: int, line: str, reports: Sequence[Reports]) -> None:
        """One decision, and what follows from it up to the next one."""
        if line not in self.legal(seat):
            raise ValueError(f"{line} is not legal")
        self._luck = Luck(reports)
        verb, *arguments = line.removeprefix("/").split()
        acts: dict[str, Callable[..., None]] = {
            "place": self._put,
            "tax": self._tax,
            "levy": self._levy,
            "move": self._move,
            "attack": self._attack,
            "support": self._support,
            "reroll": self._reroll,
            "stand": self._stand,
            "retreat": self._retreat,
            "build": self._build,
            "stay": self._stay,
            "forge": self._forge,
            "dismiss": self._dismiss,
            "pass": self._end_turn,
        }
        acts[verb](*arguments)
        self._luck.close()

    def points(self) -> Mapping[int, int]:
        """Rule: tokugawa 11.3."""
        return {seat: self._table.victory_points(seat) for seat in SEATS}

    def ranks(self) -> Mapping[int, int]:
        """Rule: tokugawa 11.1 to 11.4."""
        if self._winner is not None:
            return {self._winner: 1, rival(self._winner): 2}
        merit = {
            seat: (self._table.victory_points(seat), self._table.contract_points(seat))
            for seat in SEATS
        }
        return {seat: 1 + (merit[rival(seat)] > merit[seat]) for seat in SEATS}

    def _ask(self, seat: int, lines: AbstractSet[str]) -> None:
        self._mover, self._lines = seat, lines

    # The turn

    def _put(self, kind: str, town: str) -> None:
        """Rule: tokugawa 3.5, 3.6."""
        self._table.men[town] = Man(self._mover, kind)
        self._placed += 1
        if self._placed == len(PLACING):
            self._begin_turn(self._first)
            return
        seat = rival(self._first) if PLACING[self._placed] else self._first
        self._ask(seat, placing_lines(self._table, seat))

    def _begin_turn(self, seat: int) -> None:
        """Rule: tokugawa 4.1, 4.2."""
        self._table.turn += 1
        self._active = seat
        self._actions = FIRST_ACTIONS.get(self._table.turn, ACTIONS)
        self._taxed = set()
        self._is_idle = True
        self._go_on()

    def _go_on(self) -> None:
        """Back in the turn, after whatever was done in it. Rule: tokugawa 4, 10.2."""
        self._battle = None
        self._take_contracts()
        if self._is_over:
            return
        if self._actions or free_lines(self._table, self._active):
            lines = turn_lines(self._table, self._active, self._actions, self._taxed)
            self._ask(self._active, lines)
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """Rule: tokugawa 4.3, 11.6."""
        self._idle = self._idle + 1 if self._is_idle else 0
        if self._table.turn == 2 * self._max_rounds or self._idle == IDLE_END:
            self._is_over = True
        else:
            self._begin_turn(rival(self._active))

    def _take_contracts(self) -> None:
        """Rule: tokugawa 10.2, 11.2, 11.5."""
        table, seat = self._table, self._active
        for stack in STACKS:
            while stack in self._open and table.fulfils(seat, self._open[stack]):
                table.taken[seat].append(self._open.pop(stack))
                self._is_idle = False
                self._is_over = len(table.taken[seat]) >= CONTRACTS_END or (
                    self._short and table.contract_points(seat) >= SHORT_END
                )
                if self._left[stack] and (self._opens_at_the_end or not self._is_over):
                    self._left[stack] -= 1
                    self._open[stack] = self._luck.card(stack)
                if self._is_over:
                    return

    # Actions

    def _tax(self, province: str) -> None:
        """Rule: tokugawa 5.1, 5.4."""
        self._actions -= 1
        self._taxed.add(province)
        self._table.draw(self._active, self._table.tax(self._active, province), province)
        self._go_on()

    def _levy(self, kind: str, town: str) -> None:
        """Rule: tokugawa 5.5, 5.8."""
        self._actions -= 1
        self._table.pay(self._active, SAMURAI[kind].cost, town)
        self._table.men[town] = Man(self._active, kind)
        self._table.arrive(self._active, town)
        self._go_on()

    def _dismiss(self, town: str) -> None:
        """Rule: tokugawa 5.6."""
        del self._table.men[town]
        self._go_on()

    def _forge(self, town: str) -> None:
        """Rule: tokugawa 10.1, smithy."""
        self._actions -= 1
        self._table.men[town].forged = True
        self._go_on()

    def _build(self, kind: str, town: str) -> None:
        """Rule: tokugawa 10.1."""
        self._table.pay(self._active, BUILDINGS[kind].cost, town)
        self._table.things.append(Thing(self._active, kind, town, self._table.turn))
        if BUILDINGS[kind].action:
            self._actions -= 1
        sails = sailing_lines(self._table, town) if kind == "ship" else set()
        if sails:
            self._is_sailing = True
            self._ask(self._active, sails | {"/stay"})
        else:
            self._go_on()

    def _stay(self) -> None:
        """Rule: tokugawa 10.1, ship."""
        self._is_sailing = False
        self._go_on()

    def _move(self, start: str, end: str, route: str) -> None:
        """Rule: tokugawa 6.3 to 6.6; 10.1: the first voyage of a new ship takes no action."""
        self._actions -= 0 if self._is_sailing else 1
        self._is_sailing = False
        if route == "land" or self._arrives(route, *self._luck.weather_and_battle_die()):
            self._table.walk(start, end, by_sea=route == "sea")
        self._go_on()

    def _arrives(self, route: str, weather: str, die: int) -> bool:
        """Rule: tokugawa 6.4."""
        if route == "sea" and weather == "storm":
            return False
        return die + WEATHER[weather] >= NEEDED[route]

    # Attacks

    def _attack(self, start: str, town: str, approach: str) -> None:
        """Rule: tokugawa 7.2, 7.3."""
        self._actions -= 1
        self._table.pay(self._active, ATTACK_FEE, town)
        is_archer, by_sea = self._table.men[start].kind == "archer", approach == "sea"
        if is_archer and not by_sea:
            weather = self._luck.weather()
        else:
            weather, die = self._luck.weather_and_battle_die()
            route = "sea" if by_sea else self._table.terrain_to(self._active, start, town)
            assert route is not None
            if not self._arrives(route, weather, die):
                self._go_on()
                return
        self._battle = Battle(self._table, self._active, start, town, by_sea, WEATHER[weather])
        self._ask_supporters(self._active)

    def _ask_supporters(self, seat: int) -> None:
        """Players with no seat to name are skipped. Rule: tokugawa 7.4."""
        helpers = self._fight.helpers(seat)
        if helpers:
            self._ask(seat, {"/support done", *(f"/support {town}" for town in helpers)})
        elif seat == self._active:
            self._ask_supporters(rival(seat))
        else:
            self._throw(self._active)

    def _support(self, term: str) -> None:
        """Rule: tokugawa 7.4."""
        seat = self._mover
        if term != "done":
            self._fight.support(seat, term)
            self._ask_supporters(seat)
        elif seat == self._active:
            self._ask_supporters(rival(seat))
        else:
            self._throw(self._active)

    def _throw(self, seat: int, *, again: bool = False) -> None:
        """Both battle dice. Rule: tokugawa 8.1."""
        self._fight.dice[seat] = self._luck.dice(again=again)
        if self._fight.rerolls(seat):
            self._ask(seat, {"/reroll", "/stand"})
        else:
            self._accept(seat)

    def _reroll(self) -> None:
        """Rule: tokugawa 8.1."""
        self._fight.thrown_again[self._mover] += 1
        self._throw(self._mover, again=True)

    def _stand(self) -> None:
        """Rule: tokugawa 8.1."""
        self._accept(self._mover)

    def _accept(self, seat: int) -> None:
        """The dice of a seat count: the other throws, or all is decided. Rule: tokugawa 8.1."""
        if seat == self._active:
            self._throw(rival(seat))
        else:
            self._decide()

    def _decide(self) -> None:
        """Rule: tokugawa 9.1 to 9.4, 9.10."""
        fight = self._fight
        if not fight.is_won():
            fight.reward(fight.defender)
            self._go_on()
            return
        fight.reward(fight.seat)
        if fight.is_on_capital():
            self._is_idle = False
            if fight.hit_capital():
                self._winner, self._is_over = fight.seat, True
            else:
                self._go_on()
            return
        towns = fight.retreats()
        if len(towns) > 1:
            self._ask(fight.defender, {f"/retreat {town}" for town in towns})
        else:
            self._retreat(*towns)

    def _retreat(self, town: str | None = None) -> None:
        """Rule: tokugawa 9.4 to 9.9."""
        self._fight.retreat(town)
        self._fight.advance()
        self._go_on()

    @property
    def _fight(self) -> Battle:
        if self._battle is None:
            raise ValueError("there is no battle")
        return self._battle
