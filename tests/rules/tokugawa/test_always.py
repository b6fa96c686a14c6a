"""What always holds, in random games and in games of the house bot: section 17 of the rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Outcome
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, but
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import (
    ARMS,
    CAPITALS,
    DEALS,
    PLANS,
    PORTS,
    PROVINCE_OF,
    PROVINCES,
    TOWNS,
)
from bluebear.rules.tokugawa.data.terms import Building, Town, Weapon
from bluebear.rules.tokugawa.rules.events import Taxed, TurnBegan
from bluebear.rules.tokugawa.rules.moves import (
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
from bluebear.rules.tokugawa.rules.state import (
    SEATS,
    Approach,
    Kind,
    Phase,
    Piece,
    Site,
    State,
    Work,
)
from tests.rules.tokugawa.worked import A, B, koku_of, position

OPTIONS = st.fixed_dictionaries({"short": st.booleans(), "max_rounds": st.integers(1, 25)})
games = given(seed=st.integers(0, 2**32), options=OPTIONS, greedy=st.booleans())
few = settings(max_examples=5, deadline=None)


def outcomes(seed: int, options: dict[str, bool | int], greedy: bool) -> Iterator[Outcome[State]]:
    """A game from its set-up to its end, played at random or by the house bot."""
    chance = FastChance(seed)
    made = GAME.setup(GAME.info.complete(options), 2, chance)
    yield made
    while (seat := made.state.decides) is not None:
        legal = GAME.plain(made.state, seat)
        if greedy and chance.pick(4):
            view = GAME.seen(made.state, frozenset({seat}))
            move = GAME.bots["greedy"](view, seat, legal, chance)
        else:
            move = legal[chance.pick(len(legal))]
        made = GAME.play(made.state, seat, move, chance)
        yield made


@pytest.mark.rule("tokugawa 17.1", "tokugawa 1.4")
@few
@games
def test_75_koku_are_somewhere(seed: int, options: dict[str, bool | int], greedy: bool) -> None:
    for made in outcomes(seed, options, greedy):
        table = made.state
        assert koku_of(table) == 75
        assert min(clan.koku for clan in table.seats.values()) >= 0
        assert min(table.banks.values()) >= 0


@pytest.mark.rule("tokugawa 17.2", "tokugawa 1.5", "tokugawa 1.7")
@few
@games
def test_every_piece_is_in_stock_or_on_the_board(
    seed: int, options: dict[str, bool | int], greedy: bool
) -> None:
    for made in outcomes(seed, options, greedy):
        table = made.state
        for seat, clan in table.seats.items():
            placed = [p.kind.value for p in table.pieces.values() if p.owner == seat]
            for weapon in Weapon:
                assert clan.samurai[weapon] + placed.count(weapon.value) == ARMS[weapon].stock
            for building, left in clan.pieces.items():
                assert left + built(table, building, seat) == PLANS[building].limit
        for building, left in table.supply.items():
            used = sum(built(table, building, seat) for seat in SEATS)
            assert left + used == PLANS[building].limit


def built(table: State, building: Building, seat: int) -> int:
    """How many of a building a seat has on the board."""
    made = 0
    for site in table.sites.values():
        if site.owner == seat:
            made += site.ships if building is Building.SHIP else bool(getattr(site, building.value))
    return made


@pytest.mark.rule("tokugawa 17.3", "tokugawa 17.4", "tokugawa 17.5", "tokugawa 5.8")
@few
@games
def test_towns_hold_what_they_may(seed: int, options: dict[str, bool | int], greedy: bool) -> None:
    for made in outcomes(seed, options, greedy):
        table = made.state
        for town, piece in table.pieces.items():
            assert (piece.kind is Kind.CAPITAL) is (town in CAPITALS)
            site = table.sites.get(town)
            assert site is None or site.owner == piece.owner
        for town, site in table.sites.items():
            assert not site.ships or town in PORTS
        for seat in SEATS:
            castles = [
                PROVINCE_OF[town]
                for town, site in table.sites.items()
                if site.owner == seat and site.castle
            ]
            assert len(castles) == len(set(castles)) <= 3


@pytest.mark.rule("tokugawa 17.6", "tokugawa 4.1", "tokugawa 5.4")
@few
@games
def test_a_turn_has_its_actions_and_taxes_a_province_once(
    seed: int, options: dict[str, bool | int], greedy: bool
) -> None:
    taxed: list[str] = []
    begun = 0
    for made in outcomes(seed, options, greedy):
        for event in made.events:
            if isinstance(event, TurnBegan):
                begun += 1
                taxed = []
                assert event.actions == min(begun, 3)
            if isinstance(event, Taxed):
                assert event.province not in taxed
                assert event.koku > 0
                taxed.append(event.province)
        table = made.state
        assert 0 <= table.actions <= min(table.number, 3)


@pytest.mark.rule("tokugawa 17.7", "tokugawa 11.6")
@few
@games
def test_every_game_ends_within_its_rounds(
    seed: int, options: dict[str, bool | int], greedy: bool
) -> None:
    *_, last = outcomes(seed, options, greedy)
    table = last.state
    assert table.phase is Phase.OVER
    assert table.round <= options["max_rounds"]
    result = GAME.result(table)
    assert result is not None
    assert [rank.seat for rank in result.standings] == list(SEATS)


@pytest.mark.rule("tokugawa 17.8")
@few
@games
def test_twelve_contracts_are_somewhere(
    seed: int, options: dict[str, bool | int], greedy: bool
) -> None:
    for made in outcomes(seed, options, greedy):
        table = made.state
        cards = [*table.open.values()]
        cards += [card for stack in table.stacks.values() for card in stack]
        cards += [card for clan in table.seats.values() for card in clan.contracts]
        if table.ending is None or len(cards) == len(DEALS):
            assert sorted(cards) == sorted(DEALS)


@few
@games
def test_all_invariants_hold_in_every_position(
    seed: int, options: dict[str, bool | int], greedy: bool
) -> None:
    for made in outcomes(seed, options, greedy):
        assert list(GAME.invariants(made.state)) == []


@few
@games
def test_a_fallback_is_always_at_hand_and_loses_nothing(
    seed: int, options: dict[str, bool | int], greedy: bool
) -> None:
    for made in outcomes(seed, options, greedy):
        table = made.state
        if table.decides is not None:
            assert GAME.fallback(table, table.decides) in GAME.plain(table, table.decides)


def _everything() -> Iterator[Move]:
    """Every move that can be written down."""
    for town in TOWNS:
        yield from (kind(town) for kind in (Forge, Dismiss, Retreat, Support))
        yield from (kind(weapon, town) for kind in (Place, Levy) for weapon in Weapon)
        yield from (Build(building, town) for building in Building)
        for goal in TOWNS:
            yield from (March(town, goal, transport) for transport in Way)
            yield from (Attack(town, goal, approach) for approach in Approach)
    yield from (Tax(province) for province in PROVINCES)
    yield from (Support(DONE), Reroll(), Stand(), Stay(), Pass())


@pytest.mark.rule("tokugawa 4.5", "tokugawa 4.3")
def test_what_is_not_listed_is_refused_and_what_is_listed_is_not() -> None:
    universe = list(_everything())
    seen = dict.fromkeys(Phase, 0)
    for table in _some_of_each_phase(seen):
        seat = table.decides
        assert seat is not None
        legal = set(GAME.legal(table, seat))
        refused = {move: why for move in universe if (why := _refusal(table, seat, move))}
        assert universe_without(universe, refused) == legal
        assert all(why.rule in GAME.rules for why in refused.values())
        assert not list(GAME.legal(table, Seat(3 - seat)))


def _some_of_each_phase(seen: dict[Phase, int]) -> Iterator[State]:
    """The first position of each phase, in as many games as that takes; `seen` counts them."""
    seed = 0
    while not all(seen.values()):
        seed += 1
        for made in outcomes(seed, {}, greedy=True):
            table = made.state
            seen[table.phase] += 1
            if seen[table.phase] == 1 and table.decides is not None:
                yield table


def _refusal(table: State, seat: Seat, move: Move) -> NotAllowed | None:
    try:
        GAME.play(table, seat, move, FastChance(1))
    except NotAllowed as refusal:
        return refusal
    return None


def universe_without(universe: list[Move], refused: dict[Move, NotAllowed]) -> set[Move]:
    """The moves that were not refused."""
    return {move for move in universe if move not in refused}


def broken(table: State) -> str:
    """Everything that the game says is wrong with a table."""
    return "; ".join(GAME.invariants(table))


@pytest.mark.rule("tokugawa 17.1", "tokugawa 17.2", "tokugawa 17.3")
@pytest.mark.rule("tokugawa 17.4", "tokugawa 17.5", "tokugawa 17.8")
def test_what_is_broken_is_reported() -> None:
    complete = position("A nara archer", built=["A kyoto castle"])
    assert broken(complete) == ""
    seat_state = complete.seats[A]
    site = complete.sites[Town("kyoto")]
    ship = Site(A, Work.NONE, Work.NONE, wall=False, smithy=False, garden=False, ships=1)
    homeless = Keyed({at: each for at, each in complete.pieces.items() if at != "kyoto"})
    wrong = {
        "koku": but(complete, seats=complete.seats.put(A, but(seat_state, koku=16))),
        "samurai": but(
            complete, pieces=complete.pieces.put(Town("uraga"), Piece(A, Kind.SWORD, False, False))
        ),
        "capital": but(complete, pieces=homeless),
        "ship": but(complete, sites=complete.sites.put(Town("nara"), ship)),
        "castles": but(complete, sites=complete.sites.put(Town("nara"), site)),
        "contracts": but(complete, stacks=complete.stacks.put(next(iter(complete.stacks)), ())),
        "enemy": but(complete, sites=complete.sites.put(Town("nara"), but(site, owner=B))),
    }
    parsed = {name: broken(table) for name, table in wrong.items()}
    assert all(parsed.values()), parsed
