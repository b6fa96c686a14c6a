"""The state of a game of Tokugawa: all of it is open to all viewers.

Nothing is hidden: the cards of a stack are known as a set, and chance draws the next one when it
is opened (Rule: tokugawa 12.1). The view of a state is read by clients under these very names.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Node, Public, Row, Seat
from bluebear.rules.tokugawa.data import terms

SEATS: Final = (Seat(1), Seat(2))
START_SAMURAI: Final = 8
"""How many samurai each seat places before the first turn (Rule: tokugawa 3.5)."""


class Phase(StrEnum):
    """What is to be decided (Rule: tokugawa 4.5)."""

    PLACING = "placing"
    ACTING = "acting"
    SAILING = "sailing"
    ATTACK_SUPPORT = "attack_support"
    DEFENCE_SUPPORT = "defence_support"
    ATTACK_ROLL = "attack_roll"
    DEFENCE_ROLL = "defence_roll"
    RETREATING = "retreating"
    OVER = "over"


DEFENDER_DECIDES: Final = (Phase.DEFENCE_SUPPORT, Phase.DEFENCE_ROLL, Phase.RETREATING)
"""The phases in which the seat decides whose turn it is not."""


class Kind(StrEnum):
    """What may stand on a town: a samurai by its weapon, or a capital."""

    ARCHER = terms.Weapon.ARCHER.value
    SPEAR = terms.Weapon.SPEAR.value
    SWORD = terms.Weapon.SWORD.value
    CAPITAL = "capital"


class Approach(StrEnum):
    """How an attacker comes (Rule: tokugawa 7.1)."""

    ROAD = "road"
    SEA = "sea"


class Work(IntEnum):
    """The state of a castle or a shrine: a new one serves less (Rule: tokugawa 10.8, 10.9)."""

    NONE = 0
    NEW = 1
    DONE = 2


class Ending(StrEnum):
    """What ended the game (Rule: tokugawa 11.1, 11.2, 11.5, 11.6)."""

    CAPITAL = "capital"
    CONTRACTS = "contracts"
    SHORT = "short"
    ROUNDS = "rounds"


class Piece(Row):
    """A samurai or a capital on a town.

    `back`: the chip shows its back, the forged side of a samurai, the weaker side of a capital.
    `weak`: it bears a marker (Rule: tokugawa 1.6, 9.4).
    """

    owner: Public[Seat]
    kind: Public[Kind]
    back: Public[bool]
    weak: Public[bool]


class Site(Row):
    """What one seat has built on a town; things of both never stand on one (Rule: tokugawa 5.8)."""

    owner: Public[Seat]
    castle: Public[Work]
    shrine: Public[Work]
    wall: Public[bool]
    smithy: Public[bool]
    garden: Public[bool]
    ships: Public[int]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of it."""
        return not (
            self.castle or self.shrine or self.wall or self.smithy or self.garden or self.ships
        )


class Clan(Node):
    """What belongs to one seat: its capital's town, koku, pieces in stock, contracts taken."""

    capital: Public[terms.Town]
    koku: Public[int]
    samurai: Public[Keyed[terms.Weapon, int]]
    pieces: Public[Keyed[terms.Building, int]]
    contracts: Public[tuple[terms.Contract, ...]]


class Battle(Node):
    """An attack whose movement has succeeded (Rule: tokugawa 7, 8).

    `allies` support the attacker, `guards` the defender; `dice` are the attacker's, `reply` the
    defender's, empty before they are thrown; `rerolls` are left to the seat that is to decide.
    """

    origin: Public[terms.Town]
    town: Public[terms.Town]
    approach: Public[Approach]
    weather: Public[terms.Weather]
    allies: Public[tuple[terms.Town, ...]] = ()
    guards: Public[tuple[terms.Town, ...]] = ()
    dice: Public[tuple[int, ...]] = ()
    reply: Public[tuple[int, ...]] = ()
    rerolls: Public[int] = 0


class State(Node):
    """The whole game.

    `turn` is the seat whose turn it is, `number` counts the turns of both seats from 1 (0 in the
    start phase), `actions` are left in this turn, `taxed` are the provinces taxed in it. `supply`
    counts the walls and gardens that are not built, `stacks` the cards below the open ones.
    `decided` is the turn in which a contract was taken or a capital hit last; `ship_at` is where a
    ship was built that may sail; `winner` is absent in a drawn game.
    """

    rules: Public[int]
    short: Public[bool]
    contracts_at_once: Public[bool | None]
    """Absent where it is off, as in games from before this option."""
    run_up: Public[bool | None]
    """As `contracts_at_once`."""
    max_rounds: Public[int]
    phase: Public[Phase]
    start: Public[Seat]
    turn: Public[Seat]
    number: Public[int]
    actions: Public[int]
    seats: Public[Keyed[Seat, Clan]]
    banks: Public[Keyed[terms.Province, int]]
    pieces: Public[Keyed[terms.Town, Piece]]
    sites: Public[Keyed[terms.Town, Site]]
    supply: Public[Keyed[terms.Building, int]]
    open: Public[Keyed[terms.Side, terms.Contract]]
    stacks: Public[Keyed[terms.Side, tuple[terms.Contract, ...]]]
    taxed: Public[tuple[terms.Province, ...]] = ()
    decided: Public[int] = 0
    ship_at: Public[terms.Town | None] = None
    battle: Public[Battle | None] = None
    ending: Public[Ending | None] = None
    winner: Public[Seat | None] = None

    @property
    def decides(self) -> Seat | None:
        """Whose decision it is, None when the game is over (Rule: tokugawa 4.5)."""
        if self.phase is Phase.OVER:
            return None
        return other(self.turn) if self.phase in DEFENDER_DECIDES else self.turn

    @property
    def fight(self) -> Battle:
        """The battle under way; to be asked in the phases of an attack only."""
        battle = self.battle
        if battle is None:
            raise TypeError(f"no battle in the phase {self.phase}")
        return battle

    @property
    def round(self) -> int:
        """The turns of each seat that have begun."""
        return (self.number + 1) // 2


def other(seat: Seat) -> Seat:
    return SEATS[2 - seat]
