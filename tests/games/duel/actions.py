"""Legal moves of Duel and their effects; forced moves are played without a decision."""

from __future__ import annotations

from typing import assert_never

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from tests.games.duel import events as e
from tests.games.duel.state import (
    Again,
    Answer,
    Attack,
    Auction,
    Bid,
    Duck,
    Over,
    Parry,
    Pass,
    Reroll,
    Ring,
    Stand,
    Strike,
)


def choices(ring: Ring) -> list[Move]:
    """The legal moves of the seat that is to move, sorted by canonical line."""
    match ring.phase:
        case Auction(still=still, high=high):
            return [*map(Bid, range(high + 1, ring.seats[still[0]].coins + 1)), Pass()]
        case Strike(seat=seat):
            return [Attack(other) for other in _alive(ring) if other != seat]
        case Answer(other=other):
            return [Duck(), Parry()] if ring.seats[other].coins else [Parry()]
        case Again(seat=seat):
            return [Reroll(), Stand()] if ring.seats[seat].coins else [Stand()]
        case Over():
            return []
        case phase:
            assert_never(phase)


def refusal(ring: Ring, move: Move, verb: str) -> NotAllowed:
    """The refusal of a move that is not among the choices."""
    match ring.phase, move:
        case Auction(still=still, high=high), Bid():
            most = ring.seats[still[0]].coins
            return NotAllowed("bid_out_of_range", rule="2.1", low=high + 1, high=most)
        case Strike(), Attack(target=target):
            return NotAllowed("no_target", rule="3.1", other=target)
        case _:
            return NotAllowed("wrong_phase", rule="2.1", verb=verb)


def begin(ring: Ring, emit: Emit) -> None:
    """The auction of a round; Rule: duel 4.1 if there is none."""
    alive = _alive(ring)
    if ring.round > ring.rounds or len(alive) == 1:
        ring.phase = Over()
        return
    order = [seat for seat in alive if seat >= ring.first]
    order += [seat for seat in alive if seat < ring.first]
    ring.phase, ring.first = Auction(tuple(order), 0), order[0]
    emit(e.RoundBegun(order[0], ring.round))


def step(ring: Ring, move: Move, chance: Chance, emit: Emit) -> None:
    """Carry out one of the choices."""
    match ring.phase, move:
        case Auction(still=still), Bid(coins=coins):
            ring.phase = Auction((*still[1:], still[0]), coins)
            emit(e.BidMade(still[0], coins))
        case Auction(still=still, high=high), Pass():
            emit(e.Passed(still[0]))
            if len(still) > 2:
                ring.phase = Auction(still[1:], high)
                return
            ring.seats[still[1]].coins -= high
            ring.phase = Strike(still[1])
            emit(e.SwordWon(still[1], high))
        case Strike(seat=seat), Attack(target=other):
            roll = chance.die()
            ring.phase = Answer(seat, other, roll)
            emit(e.Attacked(seat, other, roll))
        case Answer(other=other), Duck():
            ring.seats[other].coins -= 1
            emit(e.Ducked(other))
            _next_round(ring, emit)
        case Answer(seat=seat, other=other, roll=roll), Parry():
            parry = chance.die()
            ring.phase = Again(seat, other, roll, parry)
            emit(e.Parried(other, parry))
            _judge(ring, emit)
        case Again(seat=seat) as phase, Reroll():
            phase.roll = chance.die()
            ring.seats[seat].coins -= 1
            emit(e.Rerolled(seat, phase.roll))
            _judge(ring, emit)
        case _:
            _next_round(ring, emit)  # the attacker stands


def _judge(ring: Ring, emit: Emit) -> None:
    """Rule: duel 3.4, and 3.3 where the parry holds."""
    phase = ring.phase
    assert isinstance(phase, Again)
    if phase.roll <= phase.parry:
        if not ring.rerolls:
            _next_round(ring, emit)
        return
    hit = ring.seats[phase.other]
    hit.lives -= 1
    emit(e.Struck(phase.other, hit.lives))
    _next_round(ring, emit)


def _next_round(ring: Ring, emit: Emit) -> None:
    ring.first = Seat(ring.first % len(ring.seats) + 1)
    ring.round += 1
    begin(ring, emit)


def _alive(ring: Ring) -> list[Seat]:
    return [seat for seat, one in ring.seats.items() if one.lives]
