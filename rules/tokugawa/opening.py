"""Setting the game up: capitals, koku, contracts (Rule: tokugawa 3.1 to 3.4)."""

from __future__ import annotations

from rules.core.chance import Chance
from rules.core.info import RULES_OPTION, Options
from rules.core.keyed import Keyed
from rules.core.old import Outcome
from rules.core.vision import Event, but
from rules.tokugawa import contracts
from rules.tokugawa.atlas import (
    ARMS,
    CAPITALS,
    PLANS,
    PROVINCES,
    START_PLAYER,
    START_PROVINCE,
)
from rules.tokugawa.chips import chip
from rules.tokugawa.events import Began
from rules.tokugawa.state import SEATS, Clan, Kind, Phase, Table, other


def set_up(options: Options, seats: int, chance: Chance) -> Outcome:
    """The table before the first samurai is placed (Rule: tokugawa 3.1 to 3.4)."""
    kyoto = SEATS[chance.pick(len(SEATS))]
    start = SEATS[chance.pick(len(SEATS))]
    events: list[Event] = [Began(kyoto, other(kyoto), start)]
    owners = (kyoto, other(kyoto))
    stacks, shown = contracts.first_cards(chance, events)
    clan = Clan(
        capital=CAPITALS[0],
        koku=START_PLAYER,
        samurai=Keyed({weapon: arms.stock for weapon, arms in ARMS.items()}),
        pieces=Keyed({each: plan.limit for each, plan in PLANS.items() if not plan.shared}),
        contracts=(),
    )
    table = Table(
        rules=int(options[RULES_OPTION]),
        short=bool(options["short"]),
        max_rounds=int(options["max_rounds"]),
        phase=Phase.PLACING,
        start=start,
        turn=start,
        number=0,
        actions=0,
        seats=Keyed(
            {
                seat: but(clan, capital=capital)
                for seat, capital in zip(owners, CAPITALS, strict=True)
            }
        ),
        banks=Keyed(dict.fromkeys(PROVINCES, START_PROVINCE)),
        pieces=Keyed(
            {
                capital: chip(seat, Kind.CAPITAL)
                for seat, capital in zip(owners, CAPITALS, strict=True)
            }
        ),
        sites=Keyed(),
        supply=Keyed({each: plan.limit for each, plan in PLANS.items() if plan.shared}),
        open=shown,
        stacks=stacks,
        taxed=(),
        decided=0,
        ship_at=None,
        battle=None,
        ending=None,
        winner=None,
    )
    return Outcome(table, tuple(events))
