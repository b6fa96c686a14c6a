"""Setting up, and the hand limit at the end of a turn (Rule: itc 6, 11.3)."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.game_info import RULES_OPTION, Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc.data.tables import LIMITS, NEUTRAL_CARDS, PLAYER_CARDS
from bluebear.rules.itc.data.terms import ACard, Place, Route, TCard
from bluebear.rules.itc.rules import state, turn_context
from bluebear.rules.itc.rules.events import Began, Dealt, Discarded, MafiaBegan, StonePlaced
from bluebear.rules.itc.rules.moves import Discard, HandCard, Stone

# First cards, placing stones in turn, the first stone in the grey market (Rule: itc 6).

Hand = tuple[TCard, ...]
"""Transport cards, sorted."""


def set_up(options: Options, seats: int, chance: Chance, emit: Emit) -> state.State:
    """The table before the first stone (Rule: itc 6.1, 6.2, 6.3)."""
    start = Seat(chance.die(seats))
    goal = int(options["goal"])
    emit(Began(start, goal))
    store = state.Store(goods=state.NO_GOODS, fresh=state.NO_GOODS, stones=(0,) * seats)
    hands, pile = _dealt(seats, chance)
    for seat, hand in hands.items():
        emit(Dealt(seat, hand))
    return state.State(
        rules=int(options[RULES_OPTION]),
        goal=goal,
        attack_limit=bool(options["attack_limit"]),
        transport_pay=bool(options["transport_pay"]),
        move_loaded=bool(options.get("move_loaded")) or None,
        express_blue=bool(options.get("express_blue")) or None,
        green_die=int(options["green_die"]),
        max_rounds=int(options["max_rounds"]),
        phase=state.Phase.PLACING,
        round=0,
        start=start,
        last=False,
        turn=state.Turn(start),
        routes=Keyed({route: Keyed() for route in Route}),
        places=Keyed(dict.fromkeys(Place, store)),
        seats=Keyed(
            {seat: state.Trader(transports=len(hand), hand=hand) for seat, hand in hands.items()}
        ),
        used_transports=Keyed(),
        used_actions=turn_context.NO_ACTIONS_USED,
        transport_pile=pile,
        action_pile=turn_context.FULL_ACTION_PILE,
    )


def _dealt(seats: int, chance: Chance) -> tuple[dict[Seat, Hand], Hand]:
    """Two player cards each, no neutral ones, and the cards that are left (Rule: itc 6.1)."""
    pile = list(PLAYER_CARDS)
    hands: dict[Seat, Hand] = {}
    for seat in map(Seat, range(1, seats + 1)):
        drawn = [pile.pop(chance.pick(len(pile))) for _ in range(LIMITS.dealt)]
        hands[seat] = tuple(sorted(drawn))
    return hands, tuple(sorted((*pile, *NEUTRAL_CARDS)))


def no_first(table: state.State, move: Stone) -> NotAllowed | None:
    """What forbids to place a stone of the set-up somewhere (Rule: itc 6.4, 6.5)."""
    if move.place is Place.MARKET:
        return NotAllowed("no_market_yet", rule="6.4")
    seat, stones = table.turn.seat, table.places[move.place].stones
    most = max(count for at, count in enumerate(stones, start=1) if at != seat) + LIMITS.lead
    if stones[seat - 1] < most:
        return None
    return NotAllowed("too_far_ahead", rule="6.5", place=move.place, most=most)


def place_first(desk: turn_context.Desk, move: Stone) -> bool:
    """A stone of the set-up; whether it was the last one (Rule: itc 6.4, 6.5, 6.6)."""
    table, seat = desk.table, desk.seat
    desk.place_stones(move.place, seat, 1)
    desk.emit(StonePlaced(seat, move.place))
    seats = len(table.seats)
    placed = sum(LIMITS.stones - trader.stock for trader in table.seats.values())
    if placed == seats * LIMITS.placing_rounds:
        first = state.seat_after(table.start, LIMITS.placing_rounds, seats)
        desk.place_stones(Place.MARKET, first, 1)
        desk.emit(MafiaBegan(first))
        return True
    placing_round, at = divmod(placed, seats)
    table.turn = state.Turn(state.seat_after(table.start, placing_round + at, seats))
    return False


# The hand limit at the end of a turn (Rule: itc 11.3).


def is_over_limit(trader: state.Trader) -> bool:
    """Whether a seat has to discard at the end of its turn."""
    return trader.cards > LIMITS.hand


def no_discard(table: state.State, move: Discard) -> NotAllowed | None:
    """What forbids to discard a card: it is not in the hand."""
    trader = table.seats[table.turn.seat]
    return None if move.card in hand_cards(trader) else not_in_hand(trader, move.card)


def discard(desk: turn_context.Desk, move: Discard) -> None:
    """A card goes openly to its discard pile."""
    trader = desk.trader
    if ACard(move.card) in require(trader.kept):
        turn_context.give_action(trader, ACard(move.card))
        turn_context.discard_action(desk.table, ACard(move.card))
    else:
        card = TCard(int(move.card))
        turn_context.give_transport(trader, card)
        turn_context.discard_transport(desk.table, card)
    desk.emit(Discarded(desk.seat, move.card))


def not_in_hand(trader: state.Trader, given: str) -> NotAllowed:
    """Why something that is not in a hand cannot be discarded."""
    return NotAllowed("not_held", rule="11.3", held=given, hand=tuple(hand_cards(trader)))


def hand_cards(trader: state.Trader) -> list[HandCard]:
    """The cards in a hand, each sort once: transport cards, then action cards."""
    hand = [HandCard(str(card)) for card in require(trader.hand)]
    return hand + [HandCard(card) for card in dict.fromkeys(require(trader.kept))]
