"""I.T.C., read a second time from the rule text; paragraphs as in the game's `rules.md`.

Ambiguities that the project has decided are cited as A1 to A54. Where neither text nor decisions
speak, this reading decides:

| question | reading |
|---|---|
| what ends card 16 or 17 half done (11) | any other act but card 8, which ends nothing (A28) |
| when a good may be given up (12.2) | when the load could land now |
| two loads with goods to give up (17.3) | giving up of one takes back the other's |
| the dearest good for card 11, if it is fresh | it is the dearest all the same (12.8) |
| goods of a pair to give up (A17) | of the lower card first, then of the other |
| may a fresh load be the way out of a jam (9.4) | yes; it never matters |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Final

from tests.oracle.differential import Reports
from tests.oracle.itc.acts import act, at_once, lose_jammed
from tests.oracle.itc.cards import AT_ONCE, MARKET, number_of
from tests.oracle.itc.lines import first_stones, lines
from tests.oracle.itc.table import Table, Turn

PLACING_ROUNDS: Final = 5
HAND_LIMIT: Final = 6


class Itc:
    """One game."""

    luck: ClassVar[Collection[str]] = (
        "began",
        "dealt",
        "drew_action",
        "at_once",
        "drew_transports",
        "neutral_entered",
        "neutral_stranded",
        "rolled",
        "theft_rolled",
        "clashed",
    )

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        self.table = Table(options, seats, reports)
        first: int = self.table.chance("began")["seat"]
        for seat in self.table.seats:
            dealt = self.table.chance("dealt")
            if dealt["seat"] != seat:
                raise ValueError(f"seat {seat} was to get cards: {dealt}")
            self.table.deal(seat, dealt["cards"])
        self.to_put = [
            self.table.after(first, number + step)
            for number in range(PLACING_ROUNDS)
            for step in range(seats)
        ]
        """Rule: itc 6.4."""
        self.boss = self.table.after(first, PLACING_ROUNDS)
        self.beginner = self.table.after(first, PLACING_ROUNDS + 1)
        """Rule: itc 6.6."""
        self.round = 1

    def movers(self) -> AbstractSet[int]:
        """Rule: itc 6.4, 7.2."""
        if self.to_put:
            return {self.to_put[0]}
        return set() if self.table.turn is None else {self.table.turn.seat}

    def legal(self, seat: int) -> AbstractSet[str]:
        """Rule: itc 6.5, 7."""
        if self.to_put:
            return set(first_stones(self.table.positions, seat))
        return set() if self.table.turn is None else set(lines(self.table, self.table.turn))

    def play(self, seat: int, line: str, reports: Sequence[Reports]) -> None:
        """Rule: itc 6.4, 7."""
        self.table.reports = list(reports)
        verb, *arguments = line.removeprefix("/").split()
        turn = self.table.turn
        if self.to_put:
            self._put(arguments[0])
        elif turn is None:
            raise ValueError("the game is over")
        elif verb == "discard":
            self._discard(turn, arguments[0])
        elif verb == "end":
            lose_jammed(self.table, turn)
            self._end_if_hand_fits(turn)
        else:
            act(self.table, turn, verb, arguments)
        if self.table.reports:
            raise ValueError(f"chance brought more than the rules ask for: {self.table.reports}")

    def points(self) -> Mapping[int, int]:
        """Rule: itc 13.2."""
        return self.table.money

    def ranks(self) -> Mapping[int, int]:
        """Equal money is an equal place (Rule: itc 13.2)."""
        money = self.table.money
        return {
            seat: 1 + sum(more > value for more in money.values()) for seat, value in money.items()
        }

    def _put(self, continent: str) -> None:
        """One stone before the first turn; after the last the mafia begins (Rule: itc 6.4, 6.6)."""
        self.table.positions.put(self.to_put.pop(0), continent)
        if not self.to_put:
            self.table.positions.put(self.boss, MARKET)
            self._begin_turn(self.beginner)

    def _begin_turn(self, seat: int) -> None:
        """Duties first, then a card (Rule: itc 7, 9.2, 11.1)."""
        table = self.table
        table.turn = Turn(seat)
        table.traffic.note(seat)
        drawn = table.chance("drew_action", "at_once")
        card: str = drawn["action"]
        table.actions.draw([card])
        if (drawn["event"] == "at_once") != (number_of(card) in AT_ONCE):
            raise ValueError(f"{drawn} although it is one of {AT_ONCE} or is not")
        if number_of(card) in AT_ONCE:
            at_once(table, card)
        else:
            table.actions_in_hand[seat].append(card)

    def _end_if_hand_fits(self, turn: Turn) -> None:
        """Rule: itc 11.3, 13.1, 13.3."""
        table, seat = self.table, turn.seat
        if len(table.in_hand[seat]) + len(table.actions_in_hand[seat]) > HAND_LIMIT:
            turn.stage = "discard"
            return
        following = table.after(seat)
        if following == self.beginner:
            if table.is_last_round or self.round == table.max_rounds:
                table.turn = None
                return
            self.round += 1
        self._begin_turn(following)

    def _discard(self, turn: Turn, card: str) -> None:
        """Rule: itc 11.3."""
        table = self.table
        if card in table.actions_in_hand[turn.seat]:
            table.actions_in_hand[turn.seat].remove(card)
            table.actions.discard([card])
        else:
            table.in_hand[turn.seat].remove(int(card))
            table.transports.discard([int(card)])
        self._end_if_hand_fits(turn)
