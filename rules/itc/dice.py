"""Choosing, rolling and using dice, and drawing with the red one (Rule: itc 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.itc.course_events import DrewTransports, Rolled, Used
from bluebear.rules.itc.data import CARDS, LIMITS, SIDES
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.moves import Roll, Use
from bluebear.rules.itc.neutral import advance, enter
from bluebear.rules.itc.piles import draw_transport, take_transport
from bluebear.rules.itc.state import Phase, Table
from bluebear.rules.itc.terms import DICE, Die, TCard

PAIRS: Final = tuple(Roll((one, other)) for at, one in enumerate(DICE) for other in DICE[at + 1 :])
"""The three ways to choose two dice (Rule: itc 8.1)."""
USES: Final = {die: Use(die) for die in DICE}
"""The choice of each die."""


def no_roll(table: Table, move: Roll) -> NotAllowed | None:
    """What forbids a choice of dice: there are not two of them (Rule: itc 8.1)."""
    return None if move in PAIRS else NotAllowed("two_dice", rule="8.1")


def roll(desk: Desk, move: Roll) -> None:
    """Two dice are rolled together (Rule: itc 8.1)."""
    roll_dice(desk, move.dice)


def roll_dice(desk: Desk, dice: tuple[Die, ...]) -> None:
    """Dice are rolled and lie open."""
    rolled: dict[Die, int] = {}
    for die in dice:
        sides = desk.table.green_die if die is Die.GREEN else SIDES[die]
        rolled[die] = desk.chance.die(sides)
        desk.tell(Rolled(desk.seat, die, rolled[die]))
    desk.table.turn.dice = Keyed(rolled)
    desk.table.phase = Phase.ROLLED


def uses(table: Table) -> Iterator[Use]:
    """The dice of which one may be used now."""
    return map(USES.__getitem__, table.turn.dice)


def no_use(table: Table, move: Use) -> NotAllowed | None:
    """What forbids to use a die: it does not lie open (Rule: itc 8.1)."""
    dice = table.turn.dice
    if move.die in dice:
        return None
    return NotAllowed("die_not_rolled", rule="8.1", die=move.die, dice=tuple(dice))


def use(desk: Desk, move: Use) -> None:
    """One of the dice is used; the red one draws first (Rule: itc 8.1, 8.2, 8.3, 8.4)."""
    turn, seat = desk.table.turn, desk.seat
    points = turn.dice[move.die]
    desk.table.phase = Phase.ACTING
    if move.die is Die.RED:
        points = LIMITS.red_points - _draw(desk, points)
    turn.used, turn.points = move.die, points
    desk.tell(Used(seat, move.die, points))


def _draw(desk: Desk, count: int) -> int:
    """Transport cards are drawn, neutral ones advance and enter; how many (Rule: itc 8.5)."""
    hand: list[TCard] = []
    neutral: list[TCard] = []
    for _ in range(count):
        card = draw_transport(desk)
        if card is None:
            break
        (neutral if CARDS[card].neutral else hand).append(card)
    for card in hand:
        take_transport(desk.trader, card)
    if hand:
        desk.tell(DrewTransports(desk.seat, len(hand), tuple(sorted(hand))))
    if neutral:
        advance(desk)
        for card in neutral:
            enter(desk, card)
    return len(hand) + len(neutral)
