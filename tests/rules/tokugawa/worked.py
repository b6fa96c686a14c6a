"""Positions for worked examples: what stands where in words, lines typed, dice by their faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

import pytest

from bluebear.rules.core.chance import Chance, NoChance
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Event, Seat
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import (
    ARMS,
    CAPITALS,
    PLANS,
    PROVINCES,
    STACKS,
    START_PLAYER,
    START_PROVINCE,
)
from bluebear.rules.tokugawa.data.terms import Building, Contract, Province, Side, Town, Weapon
from bluebear.rules.tokugawa.rules.building import OPENED_AT_THE_END
from bluebear.rules.tokugawa.rules.state import Clan, Kind, Phase, Piece, Site, State, Work
from bluebear.rules.tokugawa.text.commands import GRAMMAR
from tests.rules.scripted_chance import ScriptedChance

E = TypeVar("E", bound=Event)

A, B = Seat(1), Seat(2)
"""A has Kyoto, B has Yedo, unless a position says otherwise."""

SUN: Final = 0
RAIN: Final = 3
STORM: Final = 5
"""Faces of the weather die, as a draw counts them."""

_SEAT: Final = {"A": A, "B": B}
_OPEN: Final = {Side.WEST: "W2", Side.CENTRE: "C4", Side.EAST: "E2"}


def position(
    *placed: str,
    built: Sequence[str] = (),
    turn: Seat = A,
    actions: int = 3,
    number: int = 5,
    koku: tuple[int, int] = (START_PLAYER, START_PLAYER),
    banks: Mapping[str, int] | None = None,
    cards: Mapping[Side, str] | None = None,
    taken: Mapping[Seat, Sequence[str]] | None = None,
    hit: Sequence[Seat] = (),
    taxed: Sequence[str] = (),
    short: bool = False,
    max_rounds: int = 60,
    decided: int = 0,
    rules: int = OPENED_AT_THE_END,
    contracts_at_once: bool = False,
    run_up: bool = False,
) -> State:
    """A turn in which these stand: `A nara spear`, `B odawara archer forged weak`.

    `built`: `A kyoto castle wall new-shrine`. The contracts that lie open are hard to fulfil.
    """
    pieces, sites, contracts = _pieces(placed, hit), _sites(built), taken or {}
    shown = {**_OPEN, **(cards or {})}
    clans = {
        seat: Clan(
            capital=capital,
            koku=koku[seat - 1],
            samurai=_samurai_left(seat, pieces),
            pieces=_pieces_left(seat, sites),
            contracts=tuple(map(Contract, contracts.get(seat, ()))),
        )
        for seat, capital in zip((A, B), CAPITALS, strict=True)
    }
    return State(
        rules=rules,
        short=short,
        contracts_at_once=contracts_at_once or None,
        run_up=run_up or None,
        max_rounds=max_rounds,
        phase=Phase.ACTING,
        start=A,
        turn=turn,
        number=number,
        actions=actions,
        seats=Keyed(clans),
        banks=Keyed({each: (banks or {}).get(each, START_PROVINCE) for each in PROVINCES}),
        pieces=Keyed(pieces),
        sites=Keyed(sites),
        supply=Keyed(_supply(sites)),
        open=Keyed({side: Contract(card) for side, card in shown.items()}),
        stacks=Keyed(_stacks([shown.values(), *contracts.values()])),
        taxed=tuple(map(Province, taxed)),
        decided=decided,
        ship_at=None,
        battle=None,
        ending=None,
        winner=None,
    )


def _pieces(placed: Sequence[str], hit: Sequence[Seat]) -> dict[Town, Piece]:
    pieces = {
        capital: Piece(seat, Kind.CAPITAL, seat in hit, weak=False)
        for seat, capital in zip((A, B), CAPITALS, strict=True)
    }
    for each in placed:
        owner, town, kind, *more = each.split()
        pieces[Town(town)] = Piece(_SEAT[owner], Kind(kind), "forged" in more, "weak" in more)
    return pieces


def _sites(built: Sequence[str]) -> dict[Town, Site]:
    split = (each.split() for each in built)
    return {Town(town): _site(_SEAT[owner], things) for owner, town, *things in split}


def _supply(sites: Mapping[Town, Site]) -> dict[Building, int]:
    gardens = sum(site.garden for site in sites.values())
    walls = sum(site.wall for site in sites.values())
    return {
        Building.GARDEN: PLANS[Building.GARDEN].limit - gardens,
        Building.WALL: PLANS[Building.WALL].limit - walls,
    }


def _stacks(drawn: Sequence[Iterable[str]]) -> dict[Side, tuple[Contract, ...]]:
    removed = {card for cards in drawn for card in cards}
    return {side: tuple(card for card in STACKS[side] if card not in removed) for side in Side}


def _site(owner: Seat, things: Sequence[str]) -> Site:
    count = Counter(things)
    return Site(
        owner,
        castle=Work.DONE if count["castle"] else Work(count["new-castle"]),
        shrine=Work.DONE if count["shrine"] else Work(count["new-shrine"]),
        wall=bool(count["wall"]),
        smithy=bool(count["smithy"]),
        garden=bool(count["garden"]),
        ships=count["ship"],
    )


def _samurai_left(seat: Seat, pieces: Mapping[Town, Piece]) -> Keyed[Weapon, int]:
    on_board = Counter(piece.kind.value for piece in pieces.values() if piece.owner == seat)
    return Keyed({weapon: ARMS[weapon].stock - on_board[weapon.value] for weapon in Weapon})


def _pieces_left(seat: Seat, sites: Mapping[Town, Site]) -> Keyed[Building, int]:
    of_seat = [site for site in sites.values() if site.owner == seat]
    used = {
        Building.SHIP: sum(site.ships for site in of_seat),
        Building.SMITHY: sum(site.smithy for site in of_seat),
        Building.CASTLE: sum(site.castle is not Work.NONE for site in of_seat),
        Building.SHRINE: sum(site.shrine is not Work.NONE for site in of_seat),
    }
    return Keyed({building: PLANS[building].limit - count for building, count in used.items()})


def dice(*faces: int, weather: int | None = None) -> Chance:
    """Draws: the weather, if one is thrown, then dice by their faces from 1 to 6."""
    first = () if weather is None else (weather,)
    return ScriptedChance(*first, *(face - 1 for face in faces))


def done(table: State, seat: Seat, line: str, chance: Chance | None = None) -> Outcome[State]:
    """What comes of a canonical line; without a chance nothing may be drawn."""
    return GAME.play(table, seat, GRAMMAR.parse(line), chance or NoChance())


def after(table: State, *lines: str, chance: Chance | None = None) -> State:
    """The table after canonical lines of the player who decides; draws come from one chance."""
    for line in lines:
        seat = table.decides
        assert seat is not None, f"the game is over before {line}"
        table = done(table, seat, line, chance).state
    return table


def why(table: State, seat: Seat, line: str) -> NotAllowed:
    """Why a canonical line is not allowed; it must be refused before anything is drawn."""
    with pytest.raises(NotAllowed) as caught:
        done(table, seat, line)
    return caught.value


def lines(table: State, seat: Seat) -> list[str]:
    """What a seat may do."""
    return [GRAMMAR.format(move) for move in GAME.legal(table, seat)]


def happened(outcome: Outcome[State], kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in outcome.events if isinstance(event, kind)]


def koku_of(table: State) -> int:
    """All koku of both seats and nine banks."""
    return sum(clan.koku for clan in table.seats.values()) + sum(table.banks.values())
