"""What chance brought, taken one by one; nothing may be missing and nothing left over."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.differential import Reports


class Luck:
    """The throws and cards after one line, in their order."""

    def __init__(self, reports: Sequence[Reports]) -> None:
        self._reports_of = list(reports)

    def next(self, *names: str) -> Reports:
        """The next one, which must be one of these."""
        if not self._reports_of or self._reports_of[0]["event"] not in names:
            raise ValueError(f"{names} was to come, not {self._reports_of}")
        return self._reports_of.pop(0)

    def close(self) -> None:
        """Nothing more was thrown or drawn."""
        if self._reports_of:
            raise ValueError(f"nothing was to come, not {self._reports_of}")

    def weather_and_battle_die(self) -> tuple[str, int]:
        """Both dice of a movement."""
        reply = self.next("thrown", "storm")
        return str(reply["weather"]), int(reply["die"])

    def weather(self) -> str:
        """The weather die alone."""
        return str(self.next("weathered")["weather"])

    def dice(self, *, again: bool) -> int:
        """The sum of both battle dice."""
        one, other = self.next("restruck" if again else "struck")["dice"]
        return int(one) + int(other)

    def card(self, stack: str) -> str:
        """The card that was opened, of this stack."""
        reply = self.next("opened")
        if reply["side"] != stack:
            raise ValueError(f"a card of {stack} was to come, not {reply}")
        return str(reply["deal"])
