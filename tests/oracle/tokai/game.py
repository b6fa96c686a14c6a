"""Tokai, implemented independently from the rule text.

What the text leaves open, and what is read here:

| paragraph | reading |
|---|---|
| 3.1.3, 17.5 | sealed picks are paid when all have picked, open ones at once |
| 7.2.6 | a ride is any chain of steps, found by trying them one after the other |
| 9.1 | a player who can pay for nothing on arrival gets no choice |
| 11.2.5 | a line may be put up though no player can bid: then the bank takes it |
| 12.3 | a player who is out has nothing |
| 16.1 | a leg may end where the next goes on along the same line |
| 17.2 | with `strict`, a leg needs a ride behind it whose end leaves a way to the destination |
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Any, ClassVar, Final

from tests.oracle.differential import Reports
from tests.oracle.tokai.player import Player
from tests.oracle.tokai.rides import legs_of
from tests.oracle.tokai.stations import (
    DESTINATIONS,
    FREE,
    JOINED,
    PRICES,
    REGIONS,
    SHINKANSEN,
    payoff,
    table_of,
)

BANK: Final = 0
"""As a payee, beside the seats."""

TICKET_PRICE: Final = 5
START_MONEY: Final = 50
HIGHEST_BID: Final = 400

Question = Mapping[int, AbstractSet[str]]
"""Every legal line of each seat that is to move."""
Answer = tuple[int, str]
Script = Generator[Question, Answer, None]


class Tokai:
    """The game, told as one story that stops at each decision."""

    luck: ClassVar[Collection[str]] = {
        "rolled_for_order",
        "dealt",
        "rolled_region",
        "rolled_city",
        "rolled_free",
        "rolled_steps",
        "rolled_extra",
    }

    def __init__(self, options: Mapping[str, Any], seats: int, reports: Sequence[Reports]) -> None:
        self._options = options
        self._players = {seat: Player(seat) for seat in range(1, seats + 1)}
        self._owners: dict[str, int] = {}
        self._out: list[int] = []
        self._dues: dict[int, int] = {}
        self._is_over = False
        self._dice = deque(reports)
        self._story = self._run_from_start()
        self._question: Question = next(self._story)

    def movers(self) -> AbstractSet[int]:
        return set(self._question)

    def legal(self, seat: int) -> AbstractSet[str]:
        return self._question[seat]

    def play(self, seat: int, line: str, reports: Sequence[Reports]) -> None:
        if line not in self._question[seat]:
            raise ValueError(line)
        self._dice.extend(reports)
        try:
            self._question = self._story.send((seat, line.removeprefix("/")))
        except StopIteration:
            self._question = {}
        if self._dice:
            raise ValueError(f"nobody would have rolled {self._dice[0]}")

    def points(self) -> Mapping[int, int]:
        """Cash, and lines at their face (Rule: tokai 12.2).

        On the way people are told yen; the result counts thousands.
        """
        unit = 1000 if self._question else 1
        return {
            seat: unit * (player.cash + sum(PRICES[line] for line in self._lines_of(seat)))
            for seat, player in self._players.items()
        }

    def ranks(self) -> Mapping[int, int]:
        """The most assets; players who are out come last, the later the better (12.3)."""
        points = self.points()
        ranks = {
            seat: (0, self._out.index(seat)) if seat in self._out else (1, points[seat])
            for seat in self._players
        }
        return {
            seat: 1 + sum(other > value for other in ranks.values())
            for seat, value in ranks.items()
        }

    def _rolled(self, name: str, seat: int) -> Reports:
        """What chance brought next, which must be this."""
        reply = self._dice.popleft()
        if reply["event"] != name or reply["seat"] != seat:
            raise ValueError(f"seat {seat} would have rolled {name}, not {reply}")
        return reply

    def _lines_of(self, seat: int) -> list[str]:
        return [line for line, owner in self._owners.items() if owner == seat]

    def _rivals_in(self, me: Player) -> list[Player]:
        """The other players who are in the game, clockwise from a seat."""
        seats = len(self._players)
        turned = [self._players[(me.seat - 1 + ahead) % seats + 1] for ahead in range(1, seats)]
        return [player for player in turned if player.is_in]

    def _run_from_start(self) -> Script:
        """Order, purchases, start cities, then turn after turn (Rule: tokai 3, 4, 5.1, 12)."""
        first = self._players[self._first_seat()]
        order = [first, *self._rivals_in(first)]
        yield from self._prebuying()
        for player in order:
            yield from self._starting(player)
        self._through_tickets_at_the_start()
        turns = 0
        while True:
            for player in order:
                if not player.is_in:
                    continue
                yield from self._turn(player)
                turns += 1
                is_alone = len(order) - len(self._out) == 1
                if self._is_over or is_alone or turns == self._options["turnlimit"]:
                    return

    def _first_seat(self) -> int:
        """The highest total; players who share it roll again (Rule: tokai 3.1, 3.2)."""
        rolling = list(self._players)
        while True:
            totals = {seat: sum(self._rolled("rolled_for_order", seat)["dice"]) for seat in rolling}
            rolling = [seat for seat in rolling if totals[seat] == max(totals.values())]
            if len(rolling) == 1:
                return rolling[0]

    def _prebuying(self) -> Script:
        """Lines of the own hand and a ticket for 20 to 40, sealed (Rule: tokai 3.1.1 to 3.1.5)."""
        open_picks: dict[int, AbstractSet[str]] = {}
        for seat in self._players:
            hand = self._rolled("dealt", seat)["lines"]
            open_picks[seat] = {"/prebuy " + " ".join(picked) for picked in picks(hand)}
        picked: list[tuple[int, list[str]]] = []
        while open_picks:
            seat, line = yield open_picks
            open_picks = {other: lines for other, lines in open_picks.items() if other != seat}
            picked.append((seat, line.split()[1:]))
            if self._options["openchoices"] or not open_picks:
                for buyer, items in picked:
                    self._take_picks(self._players[buyer], items)
                picked.clear()

    def _take_picks(self, me: Player, items: Sequence[str]) -> None:
        """Lines, the ticket, and 50 less what they cost (Rule: tokai 3.1.3)."""
        me.cash = START_MONEY - cost(items)
        me.has_ticket = "express" in items
        self._owners.update({item: me.seat for item in items if item in PRICES})

    def _starting(self, me: Player) -> Script:
        """Region and city are rolled until the city is free (Rule: tokai 4.1 to 4.4)."""
        taken = {player.origin for player in self._players.values()}
        city = self._rolled_city(me, self._rolled_region(me))
        while city in taken:
            city = self._rolled_city(me, self._rolled_region(me))
        if city == FREE:
            _, line = yield {
                me.seat: {f"/dest {each}" for each in DESTINATIONS if each not in taken}
            }
            city = line.split()[1]
        me.at = me.origin = city
        me.visited = {city}

    def _through_tickets_at_the_start(self) -> None:
        """Lines bought before the game count as just bought (Rule: tokai 4.5, 11.8)."""
        for line, owner in self._owners.items():
            self._give_through_tickets(line, owner)

    def _give_through_tickets(self, line: str, buyer: int) -> None:
        """To every other pawn that is on the line (Rule: tokai 9.5, 11.6)."""
        for player in self._players.values():
            if player.is_in and player.seat != buyer and line in JOINED[player.at]:
                player.through.add(line)

    def _rolled_region(self, me: Player) -> str:
        dice = self._rolled("rolled_region", me.seat)
        return agreed(table_of("regions", dice), dice["region"])

    def _rolled_city(self, me: Player, region: str) -> str:
        if self._dice[0]["event"] == "rolled_free":
            dice = self._rolled("rolled_free", me.seat)
            return agreed(table_of(region, dice), FREE)
        dice = self._rolled("rolled_city", me.seat)
        return agreed(table_of(region, dice), dice["point"])

    def _turn(self, me: Player) -> Script:
        """One half or two, then the fare of both (Rule: tokai 5.1, 12.1, 13.1, 17.1)."""
        self._dues = {}
        is_extra_granted = yield from self._half(me, is_extra=False)
        if is_extra_granted and me.is_in and not self._is_over:
            yield from self._half(me, is_extra=True)
        if me.is_in and (not self._is_over or self._options["settlelast"]):
            yield from self._paying(me)

    def _half(self, me: Player, *, is_extra: bool) -> Generator[Question, Answer, bool]:
        """Destination, roll, ride, payoff, purchase; whether the roll grants an extra half."""
        if me.destination is None:
            yield from self._setting_out(me)
        if me.destination is None:
            return False  # 6.4
        whites: list[int] = []
        if is_extra:
            roll = self._rolled("rolled_extra", me.seat)["steps"]
        else:
            whites = self._rolled("rolled_steps", me.seat)["whites"]
            roll = sum(whites)
        is_double = len(whites) == 2 and whites[0] == whites[1]
        is_granted = is_double and (me.has_ticket or roll == 12)  # 7.1.2, 7.1.4
        yield from self._riding(me, roll)
        if me.at == me.destination:
            me.cash += payoff(me.origin, me.at)  # 8.1
            me.origin, me.destination, me.visited = me.at, None, {me.at}  # 7.2.3, 9.6
            yield from self._buying(me)
        return is_granted

    def _setting_out(self, me: Player) -> Script:
        """A region, or any at home; a city in it, or any but this one (Rule: tokai 6)."""
        region = self._rolled_region(me)
        if region == DESTINATIONS[me.at]:
            _, line = yield {me.seat: {f"/region {each}" for each in REGIONS}}
            region = line.split()[1]
        city = self._rolled_city(me, region)
        if city == FREE:
            _, line = yield {me.seat: {f"/dest {each}" for each in DESTINATIONS if each != me.at}}
            city = line.split()[1]
        if city != me.at:
            me.destination = city

    def _riding(self, me: Player, roll: int) -> Script:
        """Legs until the roll is used up or the pawn arrives (Rule: tokai 7.2, 16.1)."""
        before: list[tuple[str, set[str], set[str], dict[int, int], int]] = []
        left = roll
        while left and me.at != me.destination:
            legs = legs_of(me, left, strict=self._options["strict"])
            if not legs:
                self._leave(me)  # 7.2.6, 13.1
                return
            _, line = yield {me.seat: {*legs, *(["/back"] if before else [])}}
            if line == "back":
                me.at, me.visited, me.through, self._dues, left = before.pop()
                continue
            before.append((me.at, set(me.visited), set(me.through), dict(self._dues), left))
            leg = legs["/" + line]
            self._charge(me, leg.line)
            me.at = leg.passed[-1]
            me.visited.update(leg.passed)
            left -= leg.steps

    def _charge(self, me: Player, line: str) -> None:
        """What a ride on a line makes due, and what it ends (Rule: tokai 11.2 to 11.7)."""
        payee, rate = self._fare(me, line)
        self._dues[payee] = max(self._dues.get(payee, 0), rate)
        me.through &= {line}

    def _fare(self, me: Player, line: str) -> tuple[int, int]:
        """The owner that a line is paid to, and how much (Rule: tokai 11.2, 17.3)."""
        owner = self._owners.get(line)
        is_shinkansen = line == SHINKANSEN
        if owner is None:
            return BANK, 6 if is_shinkansen else 1
        if owner == me.seat:
            return BANK, 2 if is_shinkansen else 1
        if line in me.through:
            return owner, int(self._options["through"]) if is_shinkansen else 1
        return owner, 10 if is_shinkansen else 5

    def _buying(self, me: Player) -> Script:
        """One property, paid at once; the last line ends the game (Rule: tokai 9, 12.1)."""
        offered = [line for line in PRICES if line not in self._owners and PRICES[line] <= me.cash]
        if not me.has_ticket and me.cash >= TICKET_PRICE:
            offered.append("express")
        if not offered:
            return
        _, line = yield {me.seat: {"/buy none", *(f"/buy {item}" for item in offered)}}
        item = line.split()[1]
        if item == "none":
            return
        me.cash -= cost([item])
        if item == "express":
            me.has_ticket = True
            return
        self._owners[item] = me.seat
        self._give_through_tickets(item, me.seat)
        self._is_over = len(self._owners) == len(PRICES)

    def _leave(self, me: Player) -> None:
        """All that a player has goes back to the bank (Rule: tokai 13.1, 13.2, 11.10)."""
        for line in self._lines_of(me.seat):
            self._make_unowned(line)
        me.cash, me.has_ticket, me.is_in, me.destination = 0, False, False, None
        me.through.clear()
        self._out.append(me.seat)

    def _make_unowned(self, line: str) -> None:
        """Make a line unowned, and end every through ticket for it (Rule: tokai 11.10)."""
        del self._owners[line]
        for player in self._players.values():
            player.through.discard(line)

    def _paying(self, me: Player) -> Script:
        """The fare of the turn; lines are sold only as long as it needs them (11.1, 11.2)."""
        while me.cash < sum(self._dues.values()):
            of_seat = self._lines_of(me.seat)
            if not of_seat:
                self._pay_out(me)  # 11.2.7, 14.1.1
                self._leave(me)
                return
            methods = ("bank", "auction")
            _, sent = yield {
                me.seat: {f"/sell {line} {method}" for line in of_seat for method in methods}
            }
            _, line, method = sent.split()
            if method == "bank":
                self._sell_to_bank(me, line)
            else:
                yield from self._auction(me, line)
        self._pay_out(me)

    def _pay_out(self, me: Player) -> None:
        """Each payee in full in the order of the ride, until the money ends (14.1.1)."""
        for payee, due in self._dues.items():
            paid = min(due, me.cash)
            me.cash -= paid
            if payee != BANK:
                self._players[payee].cash += paid

    def _sell_to_bank(self, me: Player, line: str) -> None:
        """For half the face, rounded down (Rule: tokai 11.2.2)."""
        me.cash += PRICES[line] // 2
        self._make_unowned(line)

    def _auction(self, me: Player, line: str) -> Script:
        """Bids go round until one bidder is left (Rule: tokai 11.2.3 to 11.2.6)."""
        bidding = deque(self._rivals_in(me))
        highest: Player | None = None
        least = PRICES[line] // 2
        while bidding and (len(bidding) > 1 or bidding[0] is not highest):
            bidder = bidding.popleft()
            most = min(bidder.cash + self._dues.get(bidder.seat, 0), HIGHEST_BID)
            if most < least:
                continue
            bids = {f"/bid {bid}000" for bid in range(least, most + 1)}
            _, sent = yield {bidder.seat: {"/bid pass", *bids}}
            if sent != "bid pass":
                least = int(sent.split()[1]) // 1000 + 1
                highest = bidder
                bidding.append(bidder)
        if highest is None:
            self._sell_to_bank(me, line)
            return
        _, sent = yield {me.seat: {"/deal bid", "/deal bank"}}
        if sent == "deal bank":
            self._sell_to_bank(me, line)
            return
        price = least - 1
        set_off = min(price, self._dues.get(highest.seat, 0))
        if set_off:
            self._dues[highest.seat] -= set_off
        highest.cash -= price - set_off
        me.cash += price - set_off
        self._owners[line] = highest.seat
        highest.through.discard(line)  # 11.10


def agreed(ours: str, reports: str) -> str:
    if ours != reports:
        raise ValueError(f"the dice say {ours}, not {reports}")
    return ours


def cost(items: Sequence[str]) -> int:
    return sum(PRICES.get(item, TICKET_PRICE) for item in items)


def picks(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of lines dealt and a ticket that costs 20 to 40 (Rule: tokai 3.1.2)."""
    offered = [*hand, "express"]
    for number in range(len(offered) + 1):
        for picked in combinations(offered, number):
            if 20 <= cost(picked) <= 40:
                yield picked
