"""Longer and shorter forms that people type, and refusals where a form fits no move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood, Refusal
from bluebear.rules.core.slots import Slot, fold, tokens_of
from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.itc.data.card_data import Time
from bluebear.rules.itc.data.tables import ACTIONS, CARDS
from bluebear.rules.itc.data.terms import GOODS, ROUTES, Kind, Place, TCard
from bluebear.rules.itc.rules import turns
from bluebear.rules.itc.rules.cards import PLAIN_KINDS, RECRUITS, SETTLERS
from bluebear.rules.itc.rules.continents import cheapest_sellable
from bluebear.rules.itc.rules.moves import Discard, Drop, Fetch, HandCard, Land, Side
from bluebear.rules.itc.rules.route_state import loads, loads_of
from bluebear.rules.itc.rules.setup import not_in_hand
from bluebear.rules.itc.rules.state import Phase, State, Under
from bluebear.rules.itc.text import commands
from bluebear.rules.itc.text.names import CHOICES

# Why a line that leaves something out fits no legal move, as a refusal that helps.
#
# What is left out is guessed, and the guess is tried: what the rules say against it is the reason.
# Rule: itc 17.2.

Values = Mapping[str, Any]
"""Values of slots by the names of the slots. Any: each slot has values of its own kind."""

_FROM_HAND: Final = frozenset({"load", "hide", "mega"})
_FROM_ROUTES: Final = frozenset({"move", "express", "drop", "keep", "land"})


def reason(table: State, seat: Seat, verb: str, tokens: Sequence[str]) -> NotAllowed | None:
    """What stands against every move of a verb that begins with these tokens.

    None where some legal move does, where the tokens are no beginning of a line, or where nothing
    can be guessed.
    """
    read = _read(commands.GRAMMAR.verbs[verb].slots, tokens)
    if table.mover != seat or read is None or not read[1]:
        return None
    given, missing = read
    kind = commands.GRAMMAR.verbs[verb].move
    for move in commands.legal(table):
        if type(move) is kind and all(getattr(move, name) == given[name] for name in given):
            return None
    guess = {**given}
    for slot in missing:
        if (value := _guess(table, seat, verb, slot.name, guess)) is None:
            return None
        guess[slot.name] = value
    return turns.why_not(table, seat, kind(**guess))


def _read(slots: Sequence[Slot], tokens: Sequence[str]) -> tuple[Values, Sequence[Slot]] | None:
    """The values that are given, and the slots without one; None for what is no line.

    A token may name its slot: `under=express`.
    """
    named = dict(token.split("=", 1) for token in tokens if "=" in token)
    plain = [token for token in tokens if "=" not in token]
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


def _guess(table: State, seat: Seat, verb: str, slot: str, given: Values) -> object:
    """A value for a slot that was left out, None if nothing offers itself."""
    match slot:
        case "card":
            return next(iter(_cards(table, seat, verb)), None)
        case "other":
            hand = require(table.seats[seat].hand)
            return next((card for card in hand if card > given["card"]), None)
        case "route":
            return CARDS[given["card"]].routes[0]
        case "good" if verb == "drop":
            return CARDS[given["card"]].goods[0]
        case "good":
            return GOODS[cheapest_sellable(table.places[given["place"]]) or 0]
        case "seat":
            return next((each for each in table.seats if each != seat), None)
        case "place" | "origin":
            return next((place for place in Place if place not in given.values()), None)
        case _:
            return {"column": 1, "side": Side.STRAIGHT, "under": Under.SMUGGLING}.get(slot)


def _cards(table: State, seat: Seat, verb: str) -> Sequence[TCard]:
    if verb in _FROM_HAND:
        return require(table.seats[seat].hand)
    found = loads_of(table, seat) if verb in _FROM_ROUTES else loads(table)
    return [each.load.cards[0] for each in sorted(found, key=lambda each: ROUTES.index(each.route))]


# Longer and shorter forms that people type, and the moves that they stand for.
#
# - `/load 195 grey 1 smuggling` is `/hide 195 grey 1 smuggling`;
# - `/load 195 grey 1 mega 205` is `/mega 195 205 grey 1`;
# - `/play 11 africa` is `/rob africa`, and so on for every card with a verb of its own;
# - `/play 16 asia europe 2 africa` and `/play 17 asia 1 3` name all their stones;
# - `/land 170 asia drop green 2` names the goods that are not delivered;
# - `/discard 11 africa`, or `/discard 11`, is `/discard 11-africa`;
# - a pair answers to both indices: `/move 205` is `/move 195 ...`.
#
# What is left out in them is filled in as everywhere. Rule: itc 17.2, 17.3.

_UNDER: Final = {
    fold(name): each.value for each in CHOICES["under"] for name in (each.value, *each.names)
}
_MEGA: Final = frozenset(map(fold, ("mega", "メガ", "メガ輸送")))
_DROP: Final = frozenset(map(fold, ("drop", "手放す")))

_CARD_VERBS: Final = {
    Kind.RELOCATE_RIVAL: "transfer",
    Kind.RELOCATE_OWN: "shift",
    Kind.OBSTACLE: "obstacle",
    Kind.ROBBERY: "rob",
    Kind.UNREST: "unrest",
    Kind.NEW_LOCATION: "resettle",
    Kind.ORGANIZATION: "organize",
}
"""The verbs of cards that need a further choice."""

_MOST: Final = 20
"""More goods than any load has, and more stones than any card moves; a longer list is a slip."""


class _Reader(NamedTuple):
    """Reads lines for one seat, from what it sees."""

    table: State
    seat: Seat

    def move(self, verb: str, tokens: Sequence[str]) -> Move:
        """The move of a verb and its tokens, with what is left out filled in."""
        try:
            return commands.GRAMMAR.understand(
                commands.GRAMMAR.verbs[verb], " ".join(tokens), self._legal
            )
        except NotUnderstood:
            if (refusal := reason(self.table, self.seat, verb, tokens)) is None:
                raise
            raise refusal from None

    def _legal(self) -> Sequence[Move]:
        return commands.legal(self.table) if self.seat == self.table.mover else ()


def expand(view: State, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
    """The moves of a long form; None if the line is an ordinary one.

    Raises Refusal where a long form is begun and does not go on.
    """
    tokens = tokens_of(text)
    form = _FORMS.get(verb)
    made = form(_Reader(view, seat), tokens) if form is not None and tokens else None
    if made is None and len(tokens) < len(commands.GRAMMAR.verbs[verb].slots):
        if (refusal := reason(view, seat, verb, tokens)) is not None:
            raise refusal
    return made


def _load(reader: _Reader, tokens: list[str]) -> tuple[Move, ...] | None:
    under = [token for token in tokens if token in _UNDER]
    if len(under) > 1 or (under and not _MEGA.isdisjoint(tokens)):
        raise NotAllowed("one_card_with_a_load", rule="11.11")
    if under:
        rest = [token for token in tokens if token not in _UNDER]
        return (reader.move("hide", [*rest, f"under={_UNDER[under[0]]}"]),)
    at = next((at for at, token in enumerate(tokens) if token in _MEGA), None)
    if at is None:
        return None
    if at in (0, len(tokens) - 1):
        raise NotUnderstood("missing_argument", verb="load", slot="other")
    card, other = tokens[0], tokens[at + 1]
    rest = [*tokens[1:at], *tokens[at + 2 :]]
    return _mega(reader, [card, other, *rest]) or (reader.move("mega", [card, other, *rest]),)


def _mega(reader: _Reader, tokens: list[str]) -> tuple[Move, ...] | None:
    """The lower index is named first, whatever the order in which a person names them."""
    if len(tokens) < 2:
        return None
    card, _ = commands.HAND_CARD.read(tokens, 0)
    other, _ = commands.HAND_CARD.read(tokens, 1)
    if card <= other:
        return None
    return (reader.move("mega", [tokens[1], tokens[0], *tokens[2:]]),)


def _play(reader: _Reader, tokens: list[str]) -> tuple[Move, ...] | None:
    try:
        kind, at = commands.KIND_SLOT.read(tokens, 0)
    except Refusal:
        return None
    rest = tokens[at:]
    if kind in PLAIN_KINDS:
        return None
    if kind not in _CARD_VERBS:
        if any(card.kind is kind and card.time is Time.AT_ONCE for card in ACTIONS.values()):
            raise NotAllowed("done_at_once", rule="11.1", kind=kind)
        raise NotAllowed("played_with_load", rule="11.2", kind=kind)
    if kind is Kind.NEW_LOCATION:
        return _resettle(reader, rest)
    if kind is Kind.ORGANIZATION:
        return _organize(reader, rest)
    return (reader.move(_CARD_VERBS[kind], rest),)


def _resettle(reader: _Reader, tokens: list[str]) -> tuple[Move, ...]:
    """`asia europe 2 africa`: to Asia two stones from Europe, one from Africa."""
    if len(tokens) < 2:
        return (reader.move("resettle", tokens),)
    place, at = commands.PLACE_SLOT.read(tokens, 0)
    origins = _counted(commands.PLACE_SLOT, " ".join(tokens[at:]).replace("=", " ").split())
    if len(origins) > SETTLERS:
        raise NotAllowed("too_many_settlers", rule="11.26", count=len(origins), most=SETTLERS)
    first = reader.move(
        "resettle", [commands.PLACE_SLOT.write(each) for each in (place, *origins[:1])]
    )
    return (first, *map(Fetch, origins[1:]))


def _organize(reader: _Reader, tokens: list[str]) -> tuple[Move, ...]:
    """`asia 1 3`: from Asia a stone of seat 1 and one of seat 3."""
    _, at = commands.PLACE_SLOT.read(tokens, 0) if tokens else (None, 0)
    seats = tokens[at + 1 :]
    if len(seats) >= RECRUITS:
        raise NotAllowed("too_many_recruits", rule="11.27", count=len(seats) + 1, most=RECRUITS)
    first = reader.move("organize", tokens[: at + 1])
    return (first, *(reader.move("recruit", [token]) for token in seats))


def _land(reader: _Reader, tokens: list[str]) -> tuple[Move, ...] | None:
    at = next((at for at, token in enumerate(tokens) if token in _DROP), None)
    if at is None:
        return _paired("land")(reader, tokens)
    if at == len(tokens) - 1:
        raise NotUnderstood("missing_argument", verb="drop", slot="good")
    landing = reader.move("land", _with_lower(reader, tokens[:at]))
    if not isinstance(landing, Land):
        raise NotUnderstood("bad_line", given=" ".join(tokens))
    drops = (Drop(landing.card, good) for good in _counted(commands.GOOD_SLOT, tokens[at + 1 :]))
    return (*drops, landing)


def _counted(slot: Slot, tokens: Sequence[str]) -> list[Any]:  # Any: values of the slot
    """`green 2 red`: two green ones and a red one; more than can be meant are cut off."""
    values: list[Any] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.isascii() and token.isdigit() and values:
            values[-1:] = values[-1:] * min(int(token), _MOST)
            at += 1
        else:
            value, at = slot.read(tokens, at)
            values.append(value)
    return values[:_MOST]


def _discard(reader: _Reader, tokens: list[str]) -> tuple[Move, ...] | None:
    """An action card by its number or name, and its continent where there are several of it."""
    table, seat = reader
    if table.phase is not Phase.DISCARDING or table.mover != seat:
        return None
    try:
        kind, at = commands.KIND_SLOT.read(tokens, 0)
    except Refusal:
        try:
            commands.HAND_SLOT.read(tokens[:1], 0)
        except Refusal:
            raise not_in_hand(table.seats[seat], tokens[0]) from None
        return None
    number, rest = int(kind), tokens[at:]
    actions = require(table.seats[seat].kept)
    codes = sorted({code for code in actions if ACTIONS[code].kind is kind})
    if not codes:
        raise not_in_hand(table.seats[seat], tokens[0])
    if rest:
        place, _ = commands.PLACE_SLOT.read(rest, 0)
        return (Discard(HandCard(f"{number}-{place}")),)
    if len(codes) > 1:
        lines = [f"/discard {code}" for code in codes]
        raise Ambiguous("ambiguous_move", verb="discard", slot="card", candidates=lines)
    return (Discard(HandCard(codes[0])),)


def _paired(verb: str) -> Callable[[_Reader, list[str]], tuple[Move, ...] | None]:
    def read(reader: _Reader, tokens: list[str]) -> tuple[Move, ...] | None:
        """A pair that is named by its higher index, by the lower one."""
        lower = _with_lower(reader, tokens)
        return None if lower == tokens else (reader.move(verb, lower),)

    return read


def _with_lower(reader: _Reader, tokens: list[str]) -> list[str]:
    if not tokens or not tokens[0].isdigit():
        return tokens
    card = TCard(int(tokens[0]))
    for found in loads_of(reader.table, reader.seat):
        if card in found.load.cards[1:]:
            return [str(found.load.cards[0]), *tokens[1:]]
    return tokens


_FORMS: Final[Mapping[str, Callable[[_Reader, list[str]], tuple[Move, ...] | None]]] = {
    "load": _load,
    "mega": _mega,
    "play": _play,
    "land": _land,
    "discard": _discard,
    **{verb: _paired(verb) for verb in ("move", "express", "drop", "keep", "obstacle")},
}
