"""How a Duel goes on from one decision to the next; what is forced happens by itself."""

from __future__ import annotations

from typing import assert_never

from rules.core.chance import Chance
from rules.core.game import Outcome
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but
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
    """What the seat that is to move may do, sorted by canonical line."""
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
    """Why a move is none of the choices."""
    match ring.phase, move:
        case Auction(still=still, high=high), Bid():
            most = ring.seats[still[0]].coins
            return NotAllowed("bid_out_of_range", rule="2.1", low=high + 1, high=most)
        case Strike(), Attack(target=target):
            return NotAllowed("no_target", rule="3.1", other=target)
        case _:
            return NotAllowed("wrong_phase", rule="2.1", verb=verb)


def begin(ring: Ring) -> Outcome:
    """The auction of a round; Rule: duel 4.1 if there is none."""
    alive = _alive(ring)
    if ring.round > ring.rounds or len(alive) == 1:
        return Outcome(but(ring, phase=Over()), ())
    order = [seat for seat in alive if seat >= ring.first]
    order += [seat for seat in alive if seat < ring.first]
    started = but(ring, phase=Auction(tuple(order), 0), first=order[0])
    return Outcome(started, (e.RoundBegun(order[0], ring.round),))


def after(ring: Ring, move: Move, chance: Chance) -> Outcome:
    """The outcome of one of the choices, run on to the next decision with more than one."""
    told: list[Event] = []
    while True:
        ring, happened = _step(ring, move, chance)
        told += happened
        following = choices(ring)
        if len(following) != 1:
            return Outcome(ring, tuple(told))
        move = following[0]


def _step(ring: Ring, move: Move, chance: Chance) -> Outcome:
    match ring.phase, move:
        case Auction(still=still), Bid(coins=coins):
            turned = Auction((*still[1:], still[0]), coins)
            return Outcome(but(ring, phase=turned), (e.BidMade(still[0], coins),))
        case Auction(still=still, high=high), Pass():
            passed = e.Passed(still[0])
            if len(still) > 2:
                return Outcome(but(ring, phase=Auction(still[1:], high)), (passed,))
            paid = _pay(ring, still[1], high)
            return Outcome(but(paid, phase=Strike(still[1])), (passed, e.SwordWon(still[1], high)))
        case Strike(seat=seat), Attack(target=other):
            roll = chance.die()
            attacked = e.Attacked(seat, other, roll)
            return Outcome(but(ring, phase=Answer(seat, other, roll)), (attacked,))
        case Answer(other=other), Duck():
            return _next_round(_pay(ring, other, 1), (e.Ducked(other),))
        case Answer(seat=seat, other=other, roll=roll), Parry():
            parry = chance.die()
            return _judge(ring, Again(seat, other, roll, parry), e.Parried(other, parry))
        case Again(seat=seat) as phase, Reroll():
            roll = chance.die()
            return _judge(_pay(ring, seat, 1), but(phase, roll=roll), e.Rerolled(seat, roll))
        case _:
            return _next_round(ring, ())  # the attacker stands


def _judge(ring: Ring, phase: Again, told: Event) -> Outcome:
    """Rule: duel 3.4, and 3.3 where the parry holds."""
    if phase.roll <= phase.parry:
        if ring.rerolls:
            return Outcome(but(ring, phase=phase), (told,))
        return _next_round(ring, (told,))
    hit = but(ring.seats[phase.other], lives=ring.seats[phase.other].lives - 1)
    struck = e.Struck(phase.other, hit.lives)
    return _next_round(but(ring, seats=ring.seats.put(phase.other, hit)), (told, struck))


def _next_round(ring: Ring, told: tuple[Event, ...]) -> Outcome:
    first = Seat(ring.first % len(ring.seats) + 1)
    begun, started = begin(but(ring, first=first, round=ring.round + 1))
    return Outcome(begun, told + started)


def _pay(ring: Ring, seat: Seat, coins: int) -> Ring:
    payer = ring.seats[seat]
    return but(ring, seats=ring.seats.put(seat, but(payer, coins=payer.coins - coins)))


def _alive(ring: Ring) -> list[Seat]:
    return [seat for seat, one in ring.seats.items() if one.lives]
