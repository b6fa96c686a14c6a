"""A table that some eyes cannot tell from the real one: everything unseen is dealt by chance."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.plans import Tree
from rules.core.tree import tree_of
from rules.core.vision import Eyes
from rules.itc.card_file import Time
from rules.itc.data import ACTIONS, CARDS
from rules.itc.state import Table, Under
from rules.itc.terms import ACard, TCard

_UNDER: Final = {Under.SMUGGLING: ACard("1"), Under.EXPRESS: ACard("10")}
_COVERS: Final = tuple(_UNDER)
_CODES: Final = tuple(ACTIONS)


def deal(view: Tree, eyes: Eyes, chance: Chance) -> Table:
    """A table that looks to these eyes as the view does.

    Cards that the eyes do not see are dealt to unseen hands and under unseen loads, the rest lies
    in the piles. No hand has a neutral card or one that is done at once (Rule: itc 5.3, 11.1).
    """
    unseen = [key for key in view["seats"] if int(key) not in eyes]
    actions = _unseen_actions(view)
    seats = dict(view["seats"])
    covered = _covered(view, actions, chance)
    for key in unseen:
        seats[key] = {**seats[key], "under": covered.get(key, {})}
    for key in unseen:
        kept = [_drawn(actions, chance) for _ in range(seats[key]["actions"])]
        seats[key] = {**seats[key], "kept": sorted(kept, key=_CODES.index)}
    pile = _unseen_transports(view)
    for key in unseen:
        mine = [card for card in pile if not CARDS[TCard(card)].neutral]
        hand = sorted(mine.pop(chance.pick(len(mine))) for _ in range(seats[key]["transports"]))
        seats[key] = {**seats[key], "hand": hand}
        pile = [card for card in pile if card not in hand]
    action_pile = [actions[code] for code in _CODES]
    whole = {**view, "seats": seats, "transport_pile": pile, "action_pile": action_pile}
    return tree_of(Table).load(whole)


def _unseen_transports(view: Tree) -> list[int]:
    """The transport cards that the view does not show, by number."""
    seen = {int(card) for card in view["used_transports"]}
    seen.update(view["turn"]["stranded"])
    for cards, *_ in _loads(view):
        seen.update(cards)
    for part in view["seats"].values():
        seen.update(part.get("hand", ()))
    return [int(card) for card in CARDS if card not in seen]


def _unseen_actions(view: Tree) -> Counter[ACard]:
    """How many of each action card the view does not show."""
    left = Counter({code: card.copies for code, card in ACTIONS.items()})
    left.subtract({ACard(code): count for code, count in view["used_actions"].items()})
    for part in view["seats"].values():
        left.subtract(map(ACard, part.get("kept", ())))
        left.subtract(_UNDER[Under(each)] for each in part.get("under", {}).values())
    for _, owner, under, _ in _loads(view):
        if under == Under.EXPRESS and "under" not in view["seats"][str(owner)]:
            left[_UNDER[Under.EXPRESS]] -= 1
    return left


def _covered(view: Tree, actions: Counter[ACard], chance: Chance) -> dict[str, dict[str, str]]:
    """What lies under all loads whose owners are unseen, by seat and first card.

    What nobody knows is taken by chance out of the unseen actions. Two loads covered in the same
    turn come first: one has the one card, one the other (Rule: itc 11.1).
    """
    made: dict[str, dict[str, str]] = {}
    hidden: list[tuple[str, str, bool]] = []
    for cards, owner, under, new in _loads(view):
        if under == Under.HIDDEN and "under" not in view["seats"][str(owner)]:
            hidden.append((str(owner), str(cards[0]), new))
        elif under == Under.EXPRESS:
            made.setdefault(str(owner), {})[str(cards[0])] = Under.EXPRESS.value
    fresh = [each for each in hidden if each[2]]
    first: Under | None = None
    for owner, card, _ in [*fresh, *(each for each in hidden if not each[2])]:
        counts = [actions[code] for code in _UNDER.values()]
        if first is not None and len(fresh) == 2 and card == fresh[1][1]:
            counts[_COVERS.index(first)] = 0
        under = _COVERS[chance.weighted(counts)]
        first = first or under
        actions[_UNDER[under]] -= 1
        made.setdefault(owner, {})[card] = under.value
    return made


def _loads(view: Tree) -> list[list[Any]]:  # Any: rows of a view
    return [load for spaces in view["routes"].values() for load in spaces.values()]


def _drawn(actions: Counter[ACard], chance: Chance) -> ACard:
    """An unseen action card that a hand may have; it is taken out of them."""
    counts = [actions[code] if _kept(code) else 0 for code in _CODES]
    code = _CODES[chance.weighted(counts)]
    actions[code] -= 1
    return code


def _kept(code: ACard) -> bool:
    return ACTIONS[code].time is not Time.AT_ONCE
