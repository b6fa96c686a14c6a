"""The answer to `/battle`: how the battle under way stands, in sums and chances.

Rule: tokugawa 13.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.text_layout import flowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.attacking import supports
from bluebear.rules.tokugawa.fighting import strengths, totals
from bluebear.rules.tokugawa.forecast import percent
from bluebear.rules.tokugawa.marks import Marks
from bluebear.rules.tokugawa.material import DIE
from bluebear.rules.tokugawa.odds import from_here, still_open, with_one_more
from bluebear.rules.tokugawa.state import Phase, Table, other

_INDENT: Final = 2
_ROLLS: Final = (Phase.ATTACK_ROLL, Phase.DEFENCE_ROLL)
_SUPPORT: Final = (Phase.ATTACK_SUPPORT, Phase.DEFENCE_SUPPORT)


def standing(table: Table, page: TextPage, phrases: Phrases) -> str:
    """Sums of both sides and the attacker's chance; NotAllowed where nobody fights."""
    if table.battle is None:
        raise NotAllowed("no_battle", rule="13.3")
    lines = _lines(table, page, phrases)
    return "\n".join(line for each in lines for line in flowed(each, page.width, _INDENT))


def _lines(table: Table, page: TextPage, phrases: Phrases) -> Iterator[str]:
    def say(key: str, **params: Any) -> str:  # Any: whatever the phrase names
        return page.say(phrases, f"battle.{key}", **params)

    marks, battle = Marks(table, page, phrases), table.fight
    letters = (marks.owner(table.turn), marks.owner(other(table.turn)))
    sides = zip(
        letters,
        strengths(table, battle),
        (battle.dice, battle.reply),
        totals(table, battle),
        strict=True,
    )
    for letter, adds, dice, total in sides:
        if dice:
            yield say("thrown", letter=letter, adds=adds, count=sum(dice), total=total)
        else:
            yield say("adds", letter=letter, adds=adds)
    if table.phase is not Phase.RETREATING:
        chance = from_here(table)
        key = "so_far" if table.phase in _SUPPORT else "chance"
        yield say(key, letter=letters[0], chance=percent(chance), exact=str(chance))
    if table.phase in _SUPPORT and len(supports(table, _asked(table))) > 1:
        yield say("one_more", letter=letters[0], chance=percent(with_one_more(table)))
    yield from throws(table, page, phrases)


def _asked(table: Table) -> Seat:
    return table.turn if table.phase is Phase.ATTACK_SUPPORT else other(table.turn)


def throws(table: Table, page: TextPage, phrases: Phrases) -> Iterator[str]:
    """While dice may be thrown again: what is needed, and what either decision leads to."""
    if table.battle is None or table.phase not in _ROLLS:
        return

    def say(key: str, **params: Any) -> str:  # Any: whatever the phrase names
        return page.say(phrases, f"battle.{key}", **params)

    marks, battle = Marks(table, page, phrases), table.fight
    attacker, defender = marks.owner(table.turn), marks.owner(other(table.turn))
    attack, defence = totals(table, battle)
    adds = strengths(table, battle)[1]
    needs = attack - adds + 1
    told = {"letter": attacker, "total": attack, "against": defender, "adds": adds}
    if needs > 2 * DIE:
        yield say("never_holds", **told)
    elif needs <= 2:
        yield say("always_holds", **told)
    else:
        yield say("needs", **told, needs=needs)
    if battle.reply:
        key = "holds" if defence > attack else "falls"
        yield say(key, letter=defender, total=defence, against=attack)
    found = still_open(table)
    if found is not None:
        stands, again = map(percent, found)
        yield say("open", letter=attacker, stands=stands, again=again)
