"""A table that some eyes cannot tell from the real one: everything unseen is dealt by chance."""

from __future__ import annotations

from collections import Counter
from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Eyes, Seat, but
from bluebear.rules.itc.data.card_data import Time
from bluebear.rules.itc.data.tables import ACTIONS, CARDS
from bluebear.rules.itc.data.terms import ACard, TCard
from bluebear.rules.itc.rules.continents import CARD_UNDER
from bluebear.rules.itc.rules.route_state import loads
from bluebear.rules.itc.rules.state import Load, State, Under

_COVERS: Final = tuple(CARD_UNDER)
_CODES: Final = tuple(ACTIONS)
_IN_HANDS: Final = tuple(code for code in _CODES if ACTIONS[code].time is not Time.AT_ONCE)
"""The action cards that stay in hands (Rule: itc 11.1)."""

Covered = dict[Seat, dict[TCard, Under]]
"""What lies under loads, by their owners and first cards."""


def determinize(view: State, eyes: Eyes, chance: Chance) -> State:
    """A table that looks to the same eyes as the view does.

    Cards that the eyes do not see are dealt to unseen hands and under unseen loads, the rest lies
    in the piles. No hand has a neutral card or one that is done at once (Rule: itc 5.3, 11.1).
    """
    actions = _unseen_actions(view)
    covered = _covered(view, actions, chance)
    seats = dict(view.seats.items())
    unseen = [seat for seat, trader in seats.items() if trader.hand is None]
    hidden: dict[Seat, list[ACard]] = {}
    for seat in unseen:
        hidden[seat] = [_drawn(actions, chance) for _ in range(seats[seat].actions)]
    pile = _unseen_transports(view)
    for seat in unseen:
        drawable = [card for card in pile if not CARDS[card].neutral]
        hand = sorted(
            drawable.pop(chance.pick(len(drawable))) for _ in range(seats[seat].transports)
        )
        pile = [card for card in pile if card not in hand]
        seats[seat] = but(
            seats[seat],
            hand=tuple(hand),
            kept=tuple(sorted(hidden[seat], key=_CODES.index)),
            under=Keyed(covered.get(seat, {})),
        )
    return but(
        view,
        seats=Keyed(seats),
        transport_pile=tuple(pile),
        action_pile=tuple(actions[code] for code in _CODES),
    )


def _unseen_transports(view: State) -> list[TCard]:
    """The transport cards that the view does not show, by number."""
    seen = {*view.used_transports, *view.turn.stranded}
    for _, _, load in loads(view):
        seen.update(load.cards)
    for trader in view.seats.values():
        seen.update(trader.hand or ())
    return [card for card in CARDS if card not in seen]


def _unseen_actions(view: State) -> Counter[ACard]:
    """How many of each action card the view does not show."""
    left = Counter({code: card.copies for code, card in ACTIONS.items()})
    left.subtract(dict(view.used_actions.items()))
    for trader in view.seats.values():
        left.subtract(trader.kept or ())
        if trader.under is not None:
            left.subtract(CARD_UNDER[under] for under in trader.under.values())
    for _, _, load in loads(view):
        if load.under is Under.EXPRESS and view.seats[load.owner].under is None:
            left[CARD_UNDER[Under.EXPRESS]] -= 1
    return left


def _covered(view: State, actions: Counter[ACard], chance: Chance) -> Covered:
    """What lies under all loads whose owners are unseen.

    What no viewer sees is taken by chance out of the unseen actions. Two loads covered in the same
    turn come first: one has the one card, one the other (Rule: itc 11.1).
    """
    made: Covered = {}
    hidden: list[Load] = []
    for _, _, load in loads(view):
        if load.under is Under.EXPRESS:
            made.setdefault(load.owner, {})[load.cards[0]] = Under.EXPRESS
        elif load.under is Under.HIDDEN and view.seats[load.owner].under is None:
            hidden.append(load)
    fresh = [load for load in hidden if load.fresh]
    first: Under | None = None
    for load in (*fresh, *(load for load in hidden if not load.fresh)):
        counts = [actions[code] for code in CARD_UNDER.values()]
        if first is not None and len(fresh) == 2 and load is fresh[1]:
            counts[_COVERS.index(first)] = 0
        under = _COVERS[chance.weighted(counts)]
        first = first or under
        actions[CARD_UNDER[under]] -= 1
        made.setdefault(load.owner, {})[load.cards[0]] = under
    return made


def _drawn(actions: Counter[ACard], chance: Chance) -> ACard:
    """An unseen action card that a hand may have; it is taken out of them."""
    code = _IN_HANDS[chance.weighted([actions[code] for code in _IN_HANDS])]
    actions[code] -= 1
    return code
