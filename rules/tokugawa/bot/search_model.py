"""What Tokugawa knows about thinking: playouts over two turns, and how both sides stand then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.search_model import POINT, SearchModel, Stage, Terms, stage_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokugawa.bot import evaluation
from bluebear.rules.tokugawa.bot.evaluation import HIT, Worth
from bluebear.rules.tokugawa.data.map_tables import TOWNS
from bluebear.rules.tokugawa.rules.building import LAST_CONTRACT
from bluebear.rules.tokugawa.rules.moves import Attack
from bluebear.rules.tokugawa.rules.scoring import Points, buildings_of, points_of
from bluebear.rules.tokugawa.rules.state import SEATS, Phase, State, Work

_TURNS: Final = 2
"""A playout goes on until each seat had a turn."""
_FIRST_TURN: Final = 1
"""Before it each seat places; then both have that turn, too."""
_TENTH: Final = POINT // 10
"""Worths are in tenths of a koku, terms in hundredths of one."""
_TOWNS: Final = {town: at for at, town in enumerate(TOWNS)}
_PHASES: Final = {phase: at for at, phase in enumerate(Phase)}
_WALL: Final = 250
_CASTLE: Final = 350
_SHRINE: Final = 60
"""What protects the own capital, in tenths of a koku."""
_BUILDING: Final = 25
_MAJORITY: Final = 6
"""Each point of the three majorities, which change hands until the end (Rule: tokugawa 11.3)."""
_SPREAD: Final = 250
_EARLY: Final = 10
"""So many turns of both are told apart before anything is decided."""
_RESTING: Final = (Phase.PLACING, Phase.ACTING)


class Model(SearchModel[State]):
    """The judgement of Tokugawa; a point of its terms is a koku."""

    named = ("contracts", "koku", "samurai", "capital", "buildings")
    sure = 70
    near = 10

    def worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return evaluation.worths(state, seat, moves)

    def beginner_worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return evaluation.worths(state, seat, moves, rivals=False)

    def candidates(self, state: State, seat: Seat) -> int:
        return 6

    def rests(self, state: State, since: State) -> bool:
        """Whether each seat had a turn, and no battle is under way (Rule: tokugawa 4.1)."""
        begun = max(since.number, _FIRST_TURN)
        return state.number >= begun + _TURNS and state.phase in _RESTING

    def stage(self, state: State) -> Stage:
        """The first half until a contract is taken or a capital hit, by turns; then by contracts:
        the third of a seat ends the game (Rule: tokugawa 11.2).
        """
        if not state.decided:
            return stage_of(len(SEATS), min(state.number, _EARLY - 1), 2 * _EARLY)
        most = max(len(clan.contracts) for clan in state.seats.values())
        return stage_of(len(SEATS), LAST_CONTRACT + most, 2 * LAST_CONTRACT)

    def rolled_for(self, state: State, seat: Seat, move: Move) -> tuple[int, ...]:
        """The turn, the phase, and the town that is fought for."""
        battle = state.battle
        town = move.town if isinstance(move, Attack) else battle.town if battle else None
        return (state.number, _PHASES[state.phase], -1 if town is None else _TOWNS[town])

    def terms(self, state: State) -> list[Terms]:
        made = points_of(state)
        return [_terms(state, seat, made[seat]) for seat in SEATS]

    def spread(self, state: State) -> int:
        return _SPREAD * _TENTH


def _terms(table: State, seat: Seat, points: Points) -> Terms:
    ours = Worth(table, seat)
    clan = ours.clan
    capital = -HIT if table.pieces[clan.capital].back else 0
    site = table.sites.get(clan.capital)
    if site is not None:
        capital += _WALL * site.wall + _CASTLE * (site.castle is not Work.NONE)
        capital += _SHRINE * (site.shrine is not Work.NONE)
    majorities = points.koku + points.samurai + points.buildings
    return (
        _TENTH * (ours.now + ours.taken() + _MAJORITY * majorities),
        _TENTH * ours.purse(),
        _TENTH * ours.samurai(),
        _TENTH * capital,
        _TENTH * _BUILDING * buildings_of(table, seat),
    )
