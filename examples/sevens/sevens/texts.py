"""What people read: rows, hands, whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.core.slots import Choice
from bluebear.rules.core.text_layout import flowed
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Seat, require
from sevens.table import CARDS, RANKS, Table


class SevensTexts(GameTexts[Table]):
    areas = (Choice("hand", ("手札",)),)

    def board(self) -> str:
        laid = [card if card in self.view.laid else "-" for card in CARDS]
        rows = (laid[at : at + len(RANKS)] for at in range(0, len(laid), len(RANKS)))
        table = [" ".join(f"{card:3}" for card in row).rstrip() for row in rows]
        lines = [*table, "", *map(self.seat, self.view.seats), "", *self.status()]
        return "\n".join([*lines, self.look("hand")]).rstrip()

    def seat(self, seat: Seat) -> str:
        """One seat's public cards and passes, or its rank."""
        hand = self.view.seats[seat]
        if hand.score is not None:
            return self.say("ranked", seat=seat, rank=len(self.view.seats) - hand.score)
        return self.say("playing", seat=seat, count=hand.count, left=hand.passes)

    def look(self, area: str) -> str:
        hands = {seat: require(self.view.seats[seat].cards) for seat in sorted(self.eyes)}
        texts = [self.say("hand", seat=seat, cards=hand or ("-",)) for seat, hand in hands.items()]
        return "\n".join(line for text in texts for line in flowed(text, self.page.width, 2))

    def status(self) -> Sequence[str]:
        key = "turn" if self.game.to_move(self.view) else "over"
        return [self.say(key, seat=self.view.turn, cards=self.view.fitting())]
