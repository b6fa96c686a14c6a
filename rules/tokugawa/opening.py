"""Setting the game up: capitals, koku, contracts (Rule: tokugawa 3.1 to 3.4)."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.draft import draft_of, freeze
from bluebear.rules.core.game import Tell
from bluebear.rules.core.game_info import RULES_OPTION, Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokugawa.atlas import (
    ARMS,
    CAPITALS,
    PLANS,
    PROVINCES,
    STACKS,
    START_PLAYER,
    START_PROVINCE,
)
from bluebear.rules.tokugawa.chips import chip
from bluebear.rules.tokugawa.contracts import open_next
from bluebear.rules.tokugawa.events import Began
from bluebear.rules.tokugawa.state import SEATS, Clan, Kind, Phase, Table, other
from bluebear.rules.tokugawa.terms import Side


def set_up(options: Options, seats: int, chance: Chance, tell: Tell) -> Table:
    """The table before the first samurai is placed (Rule: tokugawa 3.1 to 3.4)."""
    kyoto = SEATS[chance.pick(len(SEATS))]
    start = SEATS[chance.pick(len(SEATS))]
    tell(Began(kyoto, other(kyoto), start))
    table = draft_of(_bare(options, kyoto, start))
    for side in Side:
        open_next(table, side, chance, tell)
    return freeze(table)


def _bare(options: Options, kyoto: Seat, start: Seat) -> Table:
    """The table before any contract lies open."""
    capitals = dict(zip((kyoto, other(kyoto)), CAPITALS, strict=True))
    clan = Clan(
        capital=CAPITALS[0],
        koku=START_PLAYER,
        samurai=Keyed({weapon: arms.stock for weapon, arms in ARMS.items()}),
        pieces=Keyed({each: plan.limit for each, plan in PLANS.items() if not plan.shared}),
        contracts=(),
    )
    return Table(
        rules=int(options[RULES_OPTION]),
        short=bool(options["short"]),
        max_rounds=int(options["max_rounds"]),
        phase=Phase.PLACING,
        start=start,
        turn=start,
        number=0,
        actions=0,
        seats=Keyed({seat: but(clan, capital=town) for seat, town in capitals.items()}),
        banks=Keyed(dict.fromkeys(PROVINCES, START_PROVINCE)),
        pieces=Keyed({town: chip(seat, Kind.CAPITAL) for seat, town in capitals.items()}),
        sites=Keyed(),
        supply=Keyed({each: plan.limit for each, plan in PLANS.items() if plan.shared}),
        open=Keyed(),
        stacks=Keyed(STACKS),
        taxed=(),
        decided=0,
        ship_at=None,
        battle=None,
        ending=None,
        winner=None,
    )
