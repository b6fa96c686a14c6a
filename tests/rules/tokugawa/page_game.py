"""The game that docs/games/tokugawa.md tells: a position, what is typed, what is drawn."""

from __future__ import annotations

from typing import Final, NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.tokugawa.data.terms import Side
from bluebear.rules.tokugawa.rules.state import State
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokugawa.worked import SUN, position


class Step(NamedTuple):
    """A line of the story: as Ayu types it in both languages, empty for Ben's, and canonical."""

    en: str
    ja: str
    line: str


STORY: Final = (
    Step("/tax hokuriku", "/徴税 北陸", "/tax hokuriku"),
    Step("/attack kanazawa kitanosho", "/攻撃 金沢 北庄", "/attack kanazawa kitanosho road"),
    Step("/support tsuruga", "/援軍 敦賀", "/support tsuruga"),
    Step("", "", "/support kano"),
    Step("/reroll", "/振り直し", "/reroll"),
    Step("", "", "/reroll"),
    Step("/build castle kyoto", "/建設 城 京都", "/build castle kyoto"),
    Step("/pass", "/パス", "/pass"),
)


def beginning() -> State:
    """Ayu has Kyoto, and it is her third turn."""
    return position(
        "A kanazawa sword",
        "A tsuruga archer",
        "A takada archer",
        "A niigata spear",
        "A nara archer",
        "B kitanosho spear",
        "B kano archer",
        "B takasaki archer",
        "B odawara sword",
        "B uraga archer",
        built=["A kyoto wall", "B edo wall castle", "B kitanosho garden"],
        koku=(8, 9),
        banks={"kinki": 12, "kanto": 11},
        cards={Side.WEST: "W1", Side.CENTRE: "C2", Side.EAST: "E1"},
    )


def draws() -> Chance:
    """Sun, 4; Ayu 1 and 3, again 6 and 4; Ben 3 and 2, again 5 and 1; then the card C1."""
    return ScriptedChance(SUN, 3, 0, 2, 5, 3, 2, 1, 4, 0, 0)
