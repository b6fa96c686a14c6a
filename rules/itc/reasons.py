"""Why a line that leaves something out fits no legal move, as a refusal that helps.

What is left out is guessed, and the guess is tried: what the rules say against it is the reason.
Rule: itc 17.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.slots import Slot
from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc import turns
from bluebear.rules.itc.commands import GRAMMAR
from bluebear.rules.itc.data import CARDS
from bluebear.rules.itc.legality import legal
from bluebear.rules.itc.moves import Side
from bluebear.rules.itc.state import Table, Under
from bluebear.rules.itc.stores import cheapest_sellable
from bluebear.rules.itc.terms import GOODS, ROUTES, Good, Place, TCard
from bluebear.rules.itc.tracks import Found, loads, loads_of

Values = Mapping[str, Any]
"""Values of slots by the names of the slots. Any: each slot has values of its own kind."""

_FROM_HAND: Final = frozenset({"load", "hide", "mega"})
_FROM_ROUTES: Final = frozenset({"move", "express", "drop", "keep", "land"})


def reason(table: Table, seat: Seat, verb: str, words: Sequence[str]) -> NotAllowed | None:
    """What stands against every move of a verb that begins with these words.

    None where some legal move does, where the words are no beginning of a line, or where nothing
    can be guessed.
    """
    read = _read(GRAMMAR.verbs[verb].slots, words)
    if table.mover != seat or read is None or not read[1]:
        return None
    given, missing = read
    kind = GRAMMAR.verbs[verb].move
    for move in legal(table):
        if type(move) is kind and all(getattr(move, name) == given[name] for name in given):
            return None
    guess = {**given}
    for slot in missing:
        value = _guess(table, seat, verb, slot.name, guess)
        if value is None:
            return None
        guess[slot.name] = value
    return turns.why_not(table, kind(**guess))


def _read(slots: Sequence[Slot], words: Sequence[str]) -> tuple[Values, Sequence[Slot]] | None:
    """The values that are given, and the slots without one; None for what is no line.

    A word may name its slot: `under=express`.
    """
    named = dict(word.split("=", 1) for word in words if "=" in word)
    plain = [word for word in words if "=" not in word]
    given: dict[str, Any] = {}
    at = 0
    try:
        for slot in slots:
            if slot.name in named:
                given[slot.name], _ = slot.read([named[slot.name]], 0)
            elif at < len(plain):
                given[slot.name], at = slot.read(plain, at)
    except Refusal:
        return None
    missing = [slot for slot in slots if slot.name not in given]
    return (given, missing) if at == len(plain) else None


def _guess(table: Table, seat: Seat, verb: str, slot: str, given: Values) -> object:
    """A value for a slot that was left out, None if nothing offers itself."""
    match slot:
        case "card":
            return next(iter(_cards(table, seat, verb)), None)
        case "other":
            own = require(table.seats[seat].hand)
            return next((card for card in own if card > given["card"]), None)
        case "route":
            return CARDS[given["card"]].routes[0]
        case "good":
            return _good(table, verb, given)
        case "seat":
            return next((each for each in table.seats if each != seat), None)
        case "place" | "origin":
            return next((place for place in Place if place not in given.values()), None)
        case _:
            return {"column": 1, "side": Side.STRAIGHT, "under": Under.SMUGGLING}.get(slot)


def _cards(table: Table, seat: Seat, verb: str) -> Sequence[TCard]:
    if verb in _FROM_HAND:
        return require(table.seats[seat].hand)
    found = loads_of(table, seat) if verb in _FROM_ROUTES else loads(table)
    return [each.load.cards[0] for each in sorted(found, key=_from_the_left)]


def _from_the_left(found: Found) -> int:
    """By what loads are sorted route by route."""
    return ROUTES.index(found.route)


def _good(table: Table, verb: str, given: Values) -> Good:
    if verb == "drop":
        return CARDS[given["card"]].goods[0]
    rank = cheapest_sellable(table.places[given["place"]])
    return GOODS[rank or 0]
