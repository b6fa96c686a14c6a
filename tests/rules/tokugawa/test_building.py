"""Building and forging: section 10 of the rules, without the contracts."""

from __future__ import annotations

import pytest

from bluebear.rules.tokugawa.data.terms import Building, Province, Town
from bluebear.rules.tokugawa.rules.events import Built, Failed, Forged, Moved, Stayed
from bluebear.rules.tokugawa.rules.state import Kind, Phase, Piece, State, Work
from tests.rules.tokugawa.worked import (
    RAIN,
    STORM,
    SUN,
    A,
    B,
    after,
    dice,
    done,
    happened,
    lines,
    position,
    why,
)

NARA, OSAKA, KYOTO = map(Town, ("nara", "osaka", "kyoto"))


def builds(table: State, building: str) -> list[str]:
    """Where A may build something."""
    head = f"/build {building} "
    return [line.removeprefix(head) for line in lines(table, A) if line.startswith(head)]


@pytest.mark.rule("tokugawa 10.1")
@pytest.mark.parametrize(
    ("building", "cost", "actions"),
    [
        ("ship", 2, 1),
        ("garden", 1, 1),
        ("smithy", 1, 1),
        ("castle", 4, 0),
        ("shrine", 3, 1),
        ("wall", 2, 0),
    ],
)
def test_the_bank_of_the_province_is_paid(building: str, cost: int, actions: int) -> None:
    table = position("A hagi archer")
    made = done(table, A, f"/build {building} hagi")
    assert made.events[0] == Built(A, Building(building), Town("hagi"), cost)
    assert made.state.seats[A].koku == 15 - cost
    assert made.state.banks[Province("saigoku")] == 5 + cost
    assert made.state.actions == 3 - actions
    poor = why(position("A hagi archer", koku=(cost - 1, 0)), A, f"/build {building} hagi")
    assert (poor.code, poor.params) == ("too_dear", {"cost": cost, "koku": cost - 1})


@pytest.mark.rule("tokugawa 10.1", "tokugawa 3.4")
def test_one_builds_on_towns_of_the_players_samurai_and_on_the_players_capital() -> None:
    table = position("A nara archer", "B hikone archer", built=["A himeji wall"])
    assert builds(table, "wall") == ["kyoto", "nara"]
    for town in ("himeji", "hikone", "edo", "osaka"):
        no = why(table, A, f"/build wall {town}")
        assert (no.code, no.rule, no.params) == ("not_yours", "10.1", {"town": town})


@pytest.mark.rule("tokugawa 10.1")
@pytest.mark.parametrize("building", ["castle", "wall", "shrine", "garden", "smithy"])
def test_one_of_a_kind_on_a_town(building: str) -> None:
    table = after(position("A nara archer"), f"/build {building} nara")
    no = why(table, A, f"/build {building} nara")
    assert (no.code, no.rule) == ("stands_already", "10.1")
    assert "nara" not in builds(table, building)


@pytest.mark.rule("tokugawa 10.1")
def test_all_kinds_may_stand_on_one_town() -> None:
    table = position("A osaka archer", koku=(20, 10))
    kinds = ("castle", "wall", "shrine", "garden", "smithy")
    table = after(table, *[f"/build {kind} osaka" for kind in kinds])
    site = table.sites[OSAKA]
    assert (site.castle, site.shrine) == (Work.NEW, Work.NEW)
    assert site.wall
    assert site.garden
    assert site.smithy


@pytest.mark.rule("tokugawa 10.1")
def test_buildings_stay_when_the_samurai_leaves_and_serve_when_one_is_back() -> None:
    table = position("A nara archer", built=["A nara castle shrine wall"])
    left = after(table, "/move nara osaka land")
    assert left.sites == table.sites
    assert why(left, A, "/build garden nara").code == "not_yours"
    assert after(left, "/levy archer nara").sites == table.sites


@pytest.mark.rule("tokugawa 10.5")
def test_ships_are_built_in_shipyards_any_number() -> None:
    table = position("A osaka archer", "A tokushima archer", "A nara archer")
    assert builds(table, "ship") == ["osaka"]
    for town in ("tokushima", "nara", "kyoto"):
        no = why(table, A, f"/build ship {town}")
        assert (no.code, no.rule) == ("no_shipyard", "10.5")
        assert len(no.params["towns"]) == 8
    table = after(table, "/build ship osaka", "/stay", "/build ship osaka", "/stay")
    assert table.sites[OSAKA].ships == 2


@pytest.mark.rule("tokugawa 10.5")
def test_the_sixth_ship_is_refused() -> None:
    table = position("A osaka archer", built=["A uraga ship ship ship", "A hagi ship ship"])
    no = why(table, A, "/build ship osaka")
    assert (no.code, no.rule, no.params) == (
        "no_piece_left",
        "10.5",
        {"building": "ship", "count": 5},
    )


@pytest.mark.rule("tokugawa 10.5")
def test_a_new_ship_sails_at_once_without_an_action() -> None:
    table = position("A osaka sword", actions=1)
    made = done(table, A, "/build ship osaka")
    assert (made.state.phase, made.state.ship_at) == (Phase.SAILING, OSAKA)
    moves = lines(made.state, A)
    assert (len(moves), moves[0], moves[-1]) == (15, "/move osaka hagi sea", "/stay")
    sailed = done(made.state, A, "/move osaka hagi sea", dice(2, weather=SUN))
    assert happened(sailed, Moved) == [Moved(A, Kind.SWORD, OSAKA, Town("hagi"))]
    assert (sailed.state.phase, sailed.state.actions) == (Phase.ACTING, 0)


@pytest.mark.rule("tokugawa 10.5", "tokugawa 6.5")
def test_a_new_ship_that_fails_stays_and_the_turn_continues() -> None:
    table = after(position("A osaka archer"), "/build ship osaka")
    made = done(table, A, "/move osaka hagi sea", dice(2, weather=RAIN))
    assert happened(made, Failed)
    assert (made.state.phase, made.state.actions) == (Phase.ACTING, 2)
    assert made.state.sites[OSAKA].ships == 1
    storm = done(table, A, "/move osaka hagi sea", dice(6, weather=STORM))
    assert happened(storm, Failed)


@pytest.mark.rule("tokugawa 10.5", "tokugawa 4.5")
def test_only_the_new_ship_sails_and_nothing_else_is_done() -> None:
    table = position("A osaka archer", "A hagi archer", built=["A hagi ship"])
    table = after(table, "/build ship osaka")
    for line in ("/move hagi uraga sea", "/move osaka nara land", "/move osaka hagi sea"):
        no = why(table, A, line)
        assert (no.code, no.rule, no.params) == ("sail_from_here", "10.5", {"town": "osaka"})
    for line in ("/tax kinki", "/pass", "/attack osaka uraga sea", "/build wall osaka"):
        assert why(table, A, line).code == "sail_now"
    made = done(table, A, "/stay")
    assert made.events == (Stayed(A, OSAKA),)


@pytest.mark.rule("tokugawa 10.5", "tokugawa 4.5")
def test_no_player_is_requested_to_sail_where_every_port_is_taken() -> None:
    ports = "hagi hamamatsu hiroshima kubota matsumae matsuyama mito nagasaki niigata"
    owned_items = [f"A {town} archer" for town in ports.split()]
    theirs = [f"B {town} archer" for town in ("sendai", "tateyama", "tokushima", "tsuruga")]
    table = position("A osaka sword", *owned_items, *theirs, "B uraga spear")
    made = done(table, A, "/build ship osaka")
    assert (made.state.phase, made.state.ship_at) == (Phase.ACTING, None)


@pytest.mark.rule("tokugawa 10.6", "tokugawa 1.5")
def test_the_ninth_garden_and_wall_are_refused() -> None:
    towns = ("kano", "suwa", "ueno", "sunpu")
    theirs = ("mito", "sendai", "yamagata", "kubota")
    built = [f"A {town} garden wall" for town in towns] + [f"B {t} garden wall" for t in theirs]
    table = position("A nara archer", built=built)
    for building, rule in (("garden", "10.6"), ("wall", "10.10")):
        no = why(table, A, f"/build {building} nara")
        assert (no.code, no.rule, no.params["count"]) == ("none_in_supply", rule, 8)
        assert builds(table, building) == []


@pytest.mark.rule("tokugawa 10.7")
def test_with_a_smithy_any_samurai_is_forged_once() -> None:
    table = position("A nara archer", "A kubota sword weak", built=["A kyoto smithy"])
    assert [line for line in lines(table, A) if line.startswith("/forge")] == [
        "/forge kubota",
        "/forge nara",
    ]
    made = done(table, A, "/forge kubota")
    assert made.events == (Forged(A, Kind.SWORD, Town("kubota")),)
    assert made.state.pieces[Town("kubota")] == Piece(A, Kind.SWORD, back=True, weak=True)
    assert (made.state.seats[A].koku, made.state.actions) == (15, 2)
    no = why(made.state, A, "/forge kubota")
    assert (no.code, no.rule) == ("forged_already", "10.7")


@pytest.mark.rule("tokugawa 10.7")
def test_without_a_players_smithy_nothing_is_forged() -> None:
    table = position("A nara archer", built=["B edo smithy"])
    no = why(table, A, "/forge nara")
    assert (no.code, no.rule) == ("no_smithy", "10.7")
    state = position("A nara archer", "B uraga archer", built=["A kano smithy"])
    assert why(state, A, "/forge uraga").rule == "10.7"
    assert why(state, A, "/forge kyoto").code == "capital_no_samurai"
    second = why(state, A, "/build smithy nara")
    assert (second.code, second.rule) == ("no_piece_left", "10.7")


@pytest.mark.rule("tokugawa 10.8", "tokugawa 17.5")
def test_one_castle_in_a_province_and_three_in_all_for_each() -> None:
    table = position("A nara archer", "A hikone archer", "A ueno archer", built=["A nara castle"])
    no = why(table, A, "/build castle kyoto")
    assert (no.code, no.rule) == ("castle_in_province", "10.8")
    assert no.params == {"province": "kinki", "town": "nara"}
    assert builds(table, "castle") == ["hikone", "ueno"]
    three = position("A hagi archer", built=["A nara castle", "A kano castle", "A ueno new-castle"])
    last = why(three, A, "/build castle hagi")
    assert (last.code, last.rule, last.params["count"]) == ("no_piece_left", "10.8", 3)


@pytest.mark.rule("tokugawa 10.8")
def test_a_castle_of_the_enemy_in_the_province_is_no_obstacle() -> None:
    table = position("A nara archer", built=["B osaka castle"])
    assert builds(table, "castle") == ["kyoto", "nara"]


@pytest.mark.rule("tokugawa 10.9")
def test_a_new_shrine_serves_from_the_end_of_the_turn() -> None:
    table = after(position("A nara archer"), "/build shrine nara")
    assert table.sites[NARA].shrine is Work.NEW
    ended = after(table, "/pass")
    assert (ended.turn, ended.sites[NARA].shrine) == (B, Work.DONE)


@pytest.mark.rule("tokugawa 10.10")
def test_a_wall_serves_at_once() -> None:
    table = after(position("A nara archer", "B osaka sword"), "/build wall nara", "/pass")
    assert table.sites[NARA].wall


@pytest.mark.rule("tokugawa 11.7")
def test_without_koku_only_what_is_free_is_left() -> None:
    table = position("A nara archer", "B osaka archer", koku=(0, 15), built=["A kyoto smithy"])
    verbs = dict.fromkeys(line.split()[0] for line in lines(table, A))
    assert list(verbs) == ["/dismiss", "/forge", "/move", "/pass", "/tax"]
