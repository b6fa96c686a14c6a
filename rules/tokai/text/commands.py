"""The lines of the game: `/go linimo yakusa`, `/bid 17000` (Rule: tokai 16.1 to 16.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from bluebear.rules.core.grammar import Grammar, Query, Verb
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import FlagSlot, Lexicon, Slot, SlotForm, WordListSlot, WordSlot
from bluebear.rules.core.suggest import NEAREST, nearest
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules import moves
from bluebear.rules.tokai.rules.market import HIGHEST_BID
from bluebear.rules.tokai.rules.moves import EXPRESS, NOTHING, PASS
from bluebear.rules.tokai.text import names

CLOCKWISE, COUNTER = (FlagSlot(each.value, names=each.names) for each in names.CHOICES["turn"])

_TICKET: Final = names.CHOICES["item"][0]

_MAN: Final = re.compile(
    r"(?:(?P<man>[0-9]{1,4})(?:\.(?P<tenths>[0-9]{1,4}))?万)?"
    r"(?:(?P<sen>[0-9]{1,4})(?:\.0+)?千)?(?P<yen>[0-9]{1,4})?"
)
"""`1万7千`, `1.7万` and `1万7000` are 17 thousand yen, `5千` is 5."""


class Lines(WordListSlot):
    """A list of lines to the end of the line, each at most once, in the order of the map."""

    offered = NEAREST

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        try:
            return super().read(tokens, at)
        except NotUnderstood as refusal:
            given = refusal.params["given"]
            if refusal.code == "stands_twice":
                raise NotUnderstood("line_twice", line=given) from None
            if nearest(given, (EXPRESS, *_TICKET.names)):
                refusal.params["slot"], refusal.candidates = "item", (EXPRESS,)
            raise


class Item(Slot):
    """A property to buy: a line, the express ticket, or nothing."""

    _extras: Final = Lexicon(names.CHOICES["item"])

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        given = tokens[at]
        if (exact := self._extras.exact(given)) is not None:
            return exact, at + 1
        prefixed = self._extras.prefixed(given)
        try:
            line, after = names.LINE.read(tokens, at)
        except NotUnderstood:
            if len(prefixed) == 1:
                return prefixed[0], at + 1
            raise
        return str(line), after

    def write(self, value: Any) -> str:
        return str(value)

    def values(self) -> Sequence[str]:
        return [EXPRESS, NOTHING, *names.LINE.values()]

    def names(self, value: str) -> Sequence[str]:
        return self._extras.names.get(value) or names.LINE.names(value)


class Salable(names.Named):
    """A line to sell; the express ticket is refused by its name (Rule: tokai 11.2.7)."""

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        if tokens[at] in (EXPRESS, *_TICKET.names):
            raise NotAllowed("ticket_not_sold", rule="11.2.7")
        return super().read(tokens, at)


class Amount(Slot):
    """A bid in yen, or a pass; below 1,000 it means thousands (Rule: tokai 16.4)."""

    _pass: Final = Lexicon(names.CHOICES["bid"])

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        given = tokens[at]
        if self._pass.find(given):
            return PASS, at + 1
        text, after = given, at + 1
        if after < len(tokens) and re.fullmatch(r"000(円|yen)?", tokens[after]):
            text, after = given + tokens[after], after + 1  # `17,000`: a comma separates words
        if after < len(tokens) and tokens[after] in ("円", "yen"):
            after += 1
        number = _thousands(re.sub(r"円$|yen$|¥|\\", "", text))
        if number is None or not 0 < number <= HIGHEST_BID:
            raise NotUnderstood(
                "bad_amount", given=given, highest=HIGHEST_BID, candidates=("17000", "17", "pass")
            )
        return number, after

    def write(self, value: Any) -> str:
        return "pass" if value == PASS else str(value * names.YEN)

    def describe(self) -> SlotForm:
        return {"name": self.name, "low": 1, "high": HIGHEST_BID}


def _thousands(text: str) -> int | None:
    """An amount in thousands of yen; None if it is none, or not whole."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        number = int(text)
        if number < names.YEN:
            return number
        return number // names.YEN if number % names.YEN == 0 else None
    match = _MAN.fullmatch(text)
    if match is None or not text:
        return None
    tenths = (match["tenths"] or "").ljust(4, "0")
    yen = 10 * names.YEN * int(match["man"] or 0) + int(tenths)
    yen += names.YEN * int(match["sen"] or 0) + int(match["yen"] or 0)
    return yen // names.YEN if yen % names.YEN == 0 else None


_LINES: Final = Lines("lines", names.LINE_NAMES, kind=LineId)
_SALABLE: Final = Salable("line", names.LINE_NAMES, kind=LineId)
_SALE: Final = WordSlot("sale", names.CHOICES["sale"], kind=moves.Sale)

GRAMMAR: Final = Grammar(
    verbs=[
        Verb("prebuy", moves.Prebuy, (_LINES, FlagSlot(EXPRESS, names=_TICKET.names))),
        Verb("region", moves.NameRegion, (names.REGION,)),
        Verb("dest", moves.NameDestination, (names.DESTINATION,)),
        Verb("go", moves.Go, (names.LINE, names.POINT, CLOCKWISE, COUNTER)),
        Verb("back", moves.Back),
        Verb("buy", moves.Buy, (Item("item"),)),
        Verb("sell", moves.Sell, (_SALABLE, _SALE)),
        Verb("bid", moves.Bid, (Amount("bid"),)),
        Verb("deal", moves.Deal, (WordSlot("deal", names.CHOICES["deal"], kind=moves.Choice),)),
    ],
    queries=[Query("fares"), Query("route", (names.STATION,))],
    names=names.CHOICES["verb"],
)
