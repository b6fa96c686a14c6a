"""Who made an entry: a person, a house bot at its seat, the clock, or the server."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from bluebear.rules.core.visibility import Seat

CLOCK: Final = "clock"
SERVER: Final = "server"
HOUSE: Final = "h:"
"""How the texts of house bots begin."""


class Actor(Struct, frozen=True):
    """The text form is what the journal stores: "p:ID", "h:SEAT", "clock" or "server"."""

    text: str

    @classmethod
    def of_person(cls, person: str) -> Actor:
        """A human, or a bot of somebody else."""
        return cls(f"p:{person}")

    @classmethod
    def of_house(cls, seat: Seat) -> Actor:
        """A house bot at its seat."""
        return cls(f"{HOUSE}{seat}")

    @property
    def person(self) -> str:
        """The person's id; empty for the others."""
        return self.text[2:] if self.text.startswith("p:") else ""

    @property
    def house_seat(self) -> Seat | None:
        """The seat that a house bot plays."""
        return Seat(int(self.text[2:])) if self.text.startswith(HOUSE) else None


CLOCK_ACTOR: Final = Actor(CLOCK)
SERVER_ACTOR: Final = Actor(SERVER)
