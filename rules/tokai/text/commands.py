"""The lines of the game: `/go subway_meijo motoyama cw`, `/buy linimo`, `/bid 17000`.

Rule: tokai 16.1 to 16.4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.grammar import Grammar, Query, Verb
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice, FlagSlot, Lexicon, Slot, WordListSlot, WordSlot
from bluebear.rules.core.suggest import NEAREST, nearest
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules import moves
from bluebear.rules.tokai.rules.market import HIGHEST_BID
from bluebear.rules.tokai.rules.moves import EXPRESS, NOTHING, PASS
from bluebear.rules.tokai.text.names import (
    LINE_NAMES,
    YEN,
    Named,
    destination_slot,
    line_slot,
    point_slot,
    region_slot,
)

CLOCKWISE: Final = FlagSlot("cw", names=("clockwise", "右回り", "右まわり", "時計回り", "右"))
COUNTER: Final = FlagSlot(
    "ccw", names=("counterclockwise", "左回り", "左まわり", "反時計回り", "左")
)

_EXPRESS_NAMES: Final = ("急行券", "急行", "ticket")
_LINE: Final = line_slot()

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
            if nearest(given, (EXPRESS, *_EXPRESS_NAMES)):
                refusal.params["slot"], refusal.candidates = "item", (EXPRESS,)
            raise


class Item(Slot):
    """A property to buy: a line, the express ticket, or nothing."""

    _extras: Final = Lexicon(
        [
            Choice(EXPRESS, _EXPRESS_NAMES),
            Choice(NOTHING, ("なし", "無し", "買わない", "nothing")),
        ]
    )

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        given = tokens[at]
        if (exact := self._extras.exact(given)) is not None:
            return exact, at + 1
        prefixed = self._extras.prefixed(given)
        try:
            line, after = _LINE.read(tokens, at)
        except NotUnderstood:
            if len(prefixed) == 1:
                return prefixed[0], at + 1
            raise
        return str(line), after

    def write(self, value: Any) -> str:
        return str(value)

    def values(self) -> Sequence[str]:
        return [EXPRESS, NOTHING, *_LINE.values()]

    def names(self, value: str) -> Sequence[str]:
        return self._extras.names.get(value) or _LINE.names(value)


class Salable(Named):
    """A line to sell. The express ticket, which no seat may sell, is answered by name.

    Rule: tokai 11.2.7.
    """

    def read(self, tokens: Sequence[str], at: int) -> tuple[Any, int]:
        if tokens[at] in (EXPRESS, *_EXPRESS_NAMES):
            raise NotAllowed("ticket_not_sold", rule="11.2.7")
        return super().read(tokens, at)


class Amount(Slot):
    """A bid in yen, or a pass; fewer than 1,000 yen are read as thousands.

    Rule: tokai 16.4.
    """

    _pass: Final = Lexicon([Choice("pass", ("パス", "降りる", "下りる"), ("p",))])

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
        return "pass" if value == PASS else str(value * YEN)

    def describe(self) -> Mapping[str, Any]:
        return {"name": self.name, "low": 1, "high": HIGHEST_BID}


def _thousands(text: str) -> int | None:
    """An amount in thousands of yen; None if it is none, or not whole."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        number = int(text)
        if number < YEN:
            return number
        return number // YEN if number % YEN == 0 else None
    match = _MAN.fullmatch(text)
    if match is None or not text:
        return None
    tenths = (match["tenths"] or "").ljust(4, "0")
    yen = 10 * YEN * int(match["man"] or 0) + int(tenths)
    yen += YEN * int(match["sen"] or 0) + int(match["yen"] or 0)
    return yen // YEN if yen % YEN == 0 else None


GRAMMAR: Final = Grammar(
    verbs=[
        Verb(
            "prebuy",
            moves.Prebuy,
            (
                Lines("lines", LINE_NAMES, kind=LineId),
                FlagSlot("express", names=_EXPRESS_NAMES),
            ),
            names=("事前購入", "先買い"),
        ),
        Verb("region", moves.NameRegion, (region_slot(),), names=("地域",)),
        Verb("dest", moves.NameDestination, (destination_slot("destination"),), names=("目的地",)),
        Verb(
            "go",
            moves.Go,
            (_LINE, point_slot(), CLOCKWISE, COUNTER),
            names=("行く", "進む", "乗る"),
            short=("g",),
        ),
        Verb("back", moves.Back, names=("戻る",)),
        Verb("buy", moves.Buy, (Item("item"),), names=("買う", "購入")),
        Verb(
            "sell",
            moves.Sell,
            (
                Salable("line", LINE_NAMES, kind=LineId),
                WordSlot(
                    "sale",
                    [
                        Choice(moves.Sale.BANK.value, ("銀行",)),
                        Choice(moves.Sale.AUCTION.value, ("競売",)),
                    ],
                    kind=moves.Sale,
                ),
            ),
            names=("売る", "売却"),
        ),
        Verb("bid", moves.Bid, (Amount("bid"),), names=("入札",)),
        Verb(
            "deal",
            moves.Deal,
            (
                WordSlot(
                    "deal",
                    [
                        Choice(moves.Choice.BID.value, ("落札", "売る", "accept")),
                        Choice(moves.Choice.BANK.value, ("銀行",)),
                    ],
                    kind=moves.Choice,
                ),
            ),
            names=("取引", "決める"),
        ),
    ],
    queries=[
        Query("fares", names=("交通費", "運賃")),
        Query("route", (point_slot("station"),), names=("経路", "道順")),
    ],
)
