"""What is printed on boards, cards and chips, entry by entry, as the second reader has typed it."""

from __future__ import annotations

import pytest

from bluebear.rules.itc.data import tables as itc
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, ROUTES, Place
from bluebear.rules.tokai.rules import network as tokai
from bluebear.rules.tokugawa.data import map_tables as tokugawa
from tests.oracle.itc import cards as itc_typed
from tests.oracle.itc import positions as itc_positions
from tests.oracle.tokai import stations as tokai_typed
from tests.oracle.tokugawa import board as tokugawa_typed


@pytest.mark.rule("itc 2.1", "itc 2.2", "itc 2.4", "itc 2.5", "itc 2.6", "itc 3.1", "itc 3.2")
def test_the_board_of_itc() -> None:
    assert GOODS == tuple(itc.VALUE) == tuple(itc.SALE) == itc_typed.COLOURS
    assert itc.VALUE == itc_typed.LOAD_PRICES
    assert itc.SALE == itc_typed.SOLD
    assert tuple(itc.ROUTE) == ROUTES == itc_typed.ROUTES
    assert {route: facts.columns for route, facts in itc.ROUTE.items()} == itc_typed.COLUMNS
    assert {route: facts.rows for route, facts in itc.ROUTE.items()} == itc_typed.ROWS
    assert {route: facts.smuggling for route, facts in itc.ROUTE.items()} == itc_typed.SMUGGLED
    assert CONTINENTS == itc_typed.CONTINENTS
    assert {position: itc.PLACE[position].refuses for position in CONTINENTS} == dict(
        itc_typed.REFUSED
    )
    assert itc.PLACE[Place.MARKET].refuses is None
    assert {itc.PLACE[position].spaces for position in CONTINENTS} == {itc_positions.ON_A_CONTINENT}
    assert itc.PLACE[Place.MARKET].spaces == itc_positions.IN_THE_MARKET


@pytest.mark.rule("itc 4.1", "itc 4.3", "itc 4.4", "itc 4.6", "itc 5.1")
def test_the_transport_cards_of_itc() -> None:
    assert set(itc.NEUTRAL_CARDS) == set(itc_typed.NEUTRALS)
    assert set(itc.CARDS) == set(itc_typed.TRANSPORTS)
    for number, card in itc.CARDS.items():
        typed = itc_typed.TRANSPORTS[number]
        assert card.routes == typed.routes
        assert card.goods == tuple(sorted(typed.goods, key=itc_typed.COLOURS.index))
        assert card.counts == tuple(typed.goods.count(colour) for colour in itc_typed.COLOURS)
        assert card.at_risk == typed.at_risk()
        assert (card.destination or "") == typed.destination
        assert tuple(card.full.values()) == typed.full
        assert tuple(card.robbed.values()) == typed.robbed
        assert tuple(card.full) == tuple(card.robbed) == (() if card.neutral else card.routes)


@pytest.mark.rule("itc 1.4", "itc 11.1")
def test_the_action_cards_of_itc() -> None:
    assert {code: card.copies for code, card in itc.ACTIONS.items()} == itc_typed.ACTIONS
    for code, card in itc.ACTIONS.items():
        named = itc_typed.named_on(code)
        assert card.code == code
        assert card.kind == itc_typed.number_of(code)
        assert [*card.places, *([card.route] if card.route else [])] == named
        assert (card.time == "at_once") == (card.kind in itc_typed.AT_ONCE)


@pytest.mark.rule("tokai 1.1", "tokai 1.2", "tokai 7.2.1", "tokai 7.2.2.1")
def test_the_map_of_tokai() -> None:
    assert {line.id: line.price for line in tokai.LINES} == tokai_typed.PRICES
    for line in tokai.LINES:
        typed = [tuple(path) for path in tokai_typed.PATHS[line.id]]
        assert line.loop == (line.id == tokai_typed.LOOP)
        assert line.shinkansen == (line.id == tokai_typed.SHINKANSEN)
        assert list(line.paths) == typed
    assert {point.id for point in tokai.POINTS} == set(tokai_typed.JOINED)
    for point in tokai.POINTS:
        assert set(point.lines) == set(tokai_typed.JOINED[point.id])
        assert point.skip == (point.id in tokai_typed.SKIPPED)
        assert point.region == tokai_typed.DESTINATIONS.get(point.id)
    assert set(tokai.DESTINATIONS) == set(tokai_typed.DESTINATIONS)


@pytest.mark.rule("tokai 4.1.1", "tokai 4.1.2", "tokai 4.3")
def test_the_tables_of_tokai() -> None:
    assert [region.id for region in tokai.REGIONS] == list(tokai_typed.REGIONS)
    for coloured in range(1, 7):
        for total in range(2, 13):
            dice = {"coloured": coloured, "whites": (1, total - 1)}
            typed = tokai_typed.table_of("regions", dice)
            assert tokai.region_rolled(coloured, total) == typed
            for region in tokai.REGIONS:
                named = tokai.city_rolled(region.id, coloured, total) or tokai_typed.FREE
                assert named == tokai_typed.table_of(region.id, dice)


@pytest.mark.rule("tokai 8.2")
def test_the_payoffs_of_tokai() -> None:
    for one in tokai.DESTINATIONS:
        for other in tokai.DESTINATIONS:
            if one != other:
                assert tokai.payoff(one, other) == tokai_typed.payoff(one, other)


@pytest.mark.rule("tokugawa 2.1", "tokugawa 2.2", "tokugawa 2.3", "tokugawa 10.4")
def test_the_board_of_tokugawa() -> None:
    assert tokugawa.PROVINCE_OF == tokugawa_typed.PROVINCE
    assert set(tokugawa.CAPITALS) == set(tokugawa_typed.CAPITALS)
    assert set(tokugawa.PORTS) == tokugawa_typed.PORTS
    assert set(tokugawa.SHIPYARDS) == tokugawa_typed.SHIPYARDS
    roads = {(road.a, road.b): road.terrain for road in tokugawa.CHART.roads}
    assert {**roads, **{(b, a): terrain for (a, b), terrain in roads.items()}} == (
        tokugawa_typed.ROAD
    )
    assert set(tokugawa.DEALS) == set(tokugawa_typed.CARDS)
    for name, deal in tokugawa.DEALS.items():
        typed = tokugawa_typed.CARDS[name]
        assert (deal.side, deal.ships, deal.towns) == (typed.stack, typed.ships, typed.towns)
        assert deal.points == typed.points()
        assert name in tokugawa.STACKS[deal.side]


@pytest.mark.rule("tokugawa 1.5", "tokugawa 1.6", "tokugawa 3.1", "tokugawa 3.5", "tokugawa 6.4")
def test_the_pieces_of_tokugawa() -> None:
    assert {
        weapon: (arms.strength[0], arms.cost, arms.stock, arms.start)
        for weapon, arms in tokugawa.ARMS.items()
    } == tokugawa_typed.SAMURAI
    assert {
        building: (plan.cost, plan.action, plan.limit, plan.shared)
        for building, plan in tokugawa.PLANS.items()
    } == tokugawa_typed.BUILDINGS
    assert dict(tokugawa.MODIFIER) == tokugawa_typed.WEATHER
    needs = {terrain: entry.needs for terrain, entry in tokugawa.PIECES.terrain.items()}
    assert needs == tokugawa_typed.NEEDED
    assert tokugawa.START_PLAYER == tokugawa_typed.START_KOKU
    assert tokugawa.START_PROVINCE == tokugawa_typed.BANK_KOKU
