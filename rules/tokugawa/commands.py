"""The lines of the game: `/place archer nara`, `/move nara osaka forest`, `/odds ueno kyoto`.

Rule: tokugawa 13.1, 13.2.
"""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.grammar import Grammar, Query, Verb
from bluebear.rules.core.slots import Choice, FlagSlot, WordSlot
from bluebear.rules.tokugawa.moves import (
    DONE,
    Attack,
    Build,
    Dismiss,
    Forge,
    Levy,
    March,
    Pass,
    Place,
    Reroll,
    Retreat,
    Stand,
    Stay,
    Support,
    Tax,
    Way,
)
from bluebear.rules.tokugawa.names import (
    BUILDING_CHOICES,
    PROVINCE_CHOICES,
    TERRAIN_CHOICES,
    TOWN_CHOICES,
    WEAPON_CHOICES,
)
from bluebear.rules.tokugawa.state import Approach
from bluebear.rules.tokugawa.terms import Building, Province, Terrain, Town, Weapon

_TOWN: Final = WordSlot("town", TOWN_CHOICES, kind=Town)
ORIGIN: Final = WordSlot("origin", TOWN_CHOICES, kind=Town)
GOAL: Final = _TOWN
_WEAPON: Final = WordSlot("weapon", WEAPON_CHOICES, kind=Weapon)
_PROVINCE: Final = WordSlot("province", PROVINCE_CHOICES, kind=Province)
_BUILDING: Final = WordSlot("building", BUILDING_CHOICES, kind=Building)
_AT_SEA: Final = ("海洋", "海路", "海", "船", "船で", "かいよう", "かいろ", "うみ", "ふね", "ship")
"""Whatever people call the way of a ship, in every line that has one."""
_ON_LAND: Final = ("陸路", "街道", "陸", "りくろ", "かいどう", "りく")


def _with_sea(choice: Choice) -> Choice:
    """A terrain, the sea by all its names."""
    if choice.value != Terrain.SEA:
        return choice
    return Choice(choice.value, tuple(dict.fromkeys((*choice.names, *_AT_SEA))), choice.short)


_WAY: Final = WordSlot(
    "way", (*map(_with_sea, TERRAIN_CHOICES), Choice("land", _ON_LAND, ("road",))), kind=Way
)
_APPROACH: Final = WordSlot(
    "approach", (Choice("road", _ON_LAND, ("land",)), Choice("sea", _AT_SEA)), kind=Approach
)
SUPPORTER: Final = WordSlot(
    "supporter",
    (*TOWN_CHOICES, Choice(DONE, ("終わり", "おわり", "なし", "以上", "いじょう"))),
)

BY_SEA: Final = "sea"
"""The flag of `/odds` for an attack with a ship."""

GRAMMAR: Final = Grammar(
    verbs=[
        Verb("place", Place, (_WEAPON, _TOWN), names=("配置", "置く")),
        Verb("tax", Tax, (_PROVINCE,), names=("徴税",)),
        Verb("levy", Levy, (_WEAPON, _TOWN), names=("徴兵",)),
        Verb("move", March, (ORIGIN, GOAL, _WAY), names=("移動",)),
        Verb("attack", Attack, (ORIGIN, GOAL, _APPROACH), names=("攻撃",)),
        Verb("support", Support, (SUPPORTER,), names=("援軍",)),
        Verb("reroll", Reroll, (), names=("振り直し", "振り直す")),
        Verb("stand", Stand, (), names=("決定",)),
        Verb("retreat", Retreat, (_TOWN,), names=("退却", "撤退")),
        Verb("build", Build, (_BUILDING, _TOWN), names=("建設", "建てる")),
        Verb("stay", Stay, (), names=("留まる",)),
        Verb("forge", Forge, (_TOWN,), names=("鍛造", "鍛える")),
        Verb("dismiss", Dismiss, (_TOWN,), names=("除去",)),
        Verb("pass", Pass, (), names=("パス",)),
    ],
    queries=[
        Query("odds", (ORIGIN, GOAL, FlagSlot(BY_SEA, names=_AT_SEA)), names=("勝率",)),
        Query("battle", (), names=("戦況",), optional=True),
        Query("contracts", (), names=("契約",), optional=True),
    ],
)
