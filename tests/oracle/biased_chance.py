"""Games in which chance leans to one side, so that they get to where fair chance hardly does.

Hands of four equal cards, dice that stay low for a whole game: rules for what almost never happens
are rules all the same.
"""

from __future__ import annotations

import hashlib
from typing import Final

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.conformance.case import Case

LEANS_IN: Final = 3
"""Of so many draws all but one have the first of their results."""


class Leaning(HmacChance):
    """Draws that have their first result most of the time; no order of things repeats for ever."""

    __slots__ = ()

    def _below(self, bound: int, index: int) -> int:
        leans = super()._below(LEANS_IN, index) != 0
        drawn = super()._below(bound, index)
        return 0 if leans else drawn


class LeaningCase(Case):
    """A way to set a game up at which chance leans."""

    __slots__ = ()

    def chance(self, seed: int, counter: int = 0) -> HmacChance:
        """The draws of a run, from the draw after `counter` on."""
        key = hashlib.sha256(f"leaning {self} {seed}".encode()).digest()
        return Leaning(key, counter)
