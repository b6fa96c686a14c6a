"""The worked examples K1 to K10: money, placing, taxes, levies, moving; by name.

Written from the texts alone, with positions of their own (`worked`). K29 is in `test_map`.
"""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa import GAME
from bluebear.rules.tokugawa.data.map_tables import TOWNS_OF
from bluebear.rules.tokugawa.data.terms import Province, Town
from bluebear.rules.tokugawa.rules.events import Failed, Moved, Taxed
from bluebear.rules.tokugawa.rules.state import Kind, Phase, State
from tests.rules.scripted_chance import ScriptedChance
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
    koku_of,
    lines,
    position,
    why,
)

OSAKA = Town("osaka")
KINKI = Province("kinki")
CHUBU = Province("chubu")
OPTIONS = {"short": False, "max_rounds": 60, "rules": 1}


def begun(kyoto: Seat = A, start: Seat = A) -> State:
    """A new game in which these have been drawn."""
    draws = ScriptedChance(kyoto - 1, start - 1, 0, 0, 0)
    return GAME.setup(OPTIONS, 2, draws).state


@pytest.mark.rule("tokugawa 3.1", "tokugawa 1.4")
def test_k1_money_is_75_at_the_start_and_after_every_move() -> None:
    table = begun()
    assert [clan.koku for clan in table.seats.values()] == [15, 15]
    assert list(table.banks.values()) == [5] * 9
    chance = FastChance(11)
    while table.decides is not None and table.number < 40:
        moves = GAME.legal(table, table.decides)
        table = GAME.play(table, table.decides, moves[chance.pick(len(moves))], chance).state
        assert koku_of(table) == 75


@pytest.mark.rule("tokugawa 3.6", "tokugawa 4.1")
@pytest.mark.parametrize("start", [A, B])
def test_k2_placing_order_and_the_first_actions(start: Seat) -> None:
    table = begun(start=start)
    order, chance = [], FastChance(3)
    while table.phase is Phase.PLACING:
        assert table.decides is not None
        order.append(table.decides)
        table = done(table, table.decides, lines(table, table.decides)[0], chance).state
    second = Seat(3 - start)
    twos = [second, second, start, start] * 4
    assert order == [start, *twos[:14], start]
    assert order.count(start) == order.count(second) == 8
    actions = []
    for _ in range(4):
        assert table.decides is not None
        actions.append((table.decides, table.actions))
        table = done(table, table.decides, "/pass").state
    assert actions == [(start, 1), (second, 2), (start, 3), (second, 3)]
    assert why(table, start, "/place archer nara").code == "act_now"


@pytest.mark.rule("tokugawa 3.5")
def test_k3_placing_limits() -> None:
    table = begun()
    table = done(table, A, "/place archer osaka").state
    for town in TOWNS_OF[Province("kinki")]:
        assert why(table, B, f"/place archer {town}").rule == "3.5"
    table = done(table, B, "/place archer takasaki").state
    table = done(table, B, "/place archer odawara").state
    assert why(table, A, "/place archer nara").code == "province_taken"
    for town in TOWNS_OF[Province("kanto")]:
        assert why(table, A, f"/place archer {town}").rule == "3.5"
    fresh = begun(start=B)
    fresh = done(fresh, B, "/place archer kubota").state
    assert why(fresh, A, "/place archer takasaki").code == "next_to_capital"
    assert why(fresh, A, "/place archer odawara").code == "next_to_capital"


@pytest.mark.rule("tokugawa 3.5")
def test_k3_a_sixth_archer_is_refused() -> None:
    table = begun()
    of_seat = ["osaka", "okayama", "hagi", "kanazawa", "kano"]
    theirs = iter(["uraga", "shirakawa", "kubota", "takada", "suwa", "hamamatsu", "hiroshima"])
    for town in of_seat:
        while table.decides == B:
            table = done(table, B, f"/place archer {next(theirs)}").state
        table = done(table, A, f"/place archer {town}").state
    while table.decides == B:
        table = after(table, lines(table, B)[-1])
    refused = why(table, A, "/place archer sendai")
    assert (refused.code, refused.rule) == ("none_to_place", "3.5")
    assert {line.split()[1] for line in lines(table, A)} == {"spear", "sword"}


@pytest.mark.rule("tokugawa 5.1", "tokugawa 5.2", "tokugawa 5.4")
@pytest.mark.parametrize(
    ("samurai", "foes", "gardens", "bank", "koku"),
    [
        (3, 1, 0, 5, 2),
        (3, 1, 1, 5, 3),
        (3, 1, 2, 5, 3),
        (3, 1, 0, 1, 1),
        (3, 1, 0, 0, None),
        (1, 1, 1, 5, None),
        (1, 2, 0, 5, None),
    ],
)
def test_k4_tax(samurai: int, foes: int, gardens: int, bank: int, koku: int | None) -> None:
    towns = TOWNS_OF[CHUBU]
    placed = [f"A {town} archer" for town in towns[:samurai]]
    placed += [f"B {town} archer" for town in towns[samurai : samurai + foes]]
    built = [f"A {town} garden" for town in towns[:gardens]]
    # Where there is one own samurai only, its garden is in a town of the province all the same.
    rest = 15 + 5 - bank
    table = position(*placed, built=built, koku=(15, rest), banks={CHUBU: bank})
    if koku is None:
        assert why(table, A, "/tax chubu").rule == ("5.4" if bank == 0 else "5.2")
        return
    outcome = done(table, A, "/tax chubu")
    assert happened(outcome, Taxed) == [Taxed(A, CHUBU, koku)]
    assert (outcome.state.seats[A].koku, outcome.state.banks[CHUBU]) == (15 + koku, bank - koku)
    assert outcome.state.actions == 2
    assert why(outcome.state, A, "/tax chubu").code == "taxed_already"
    assert "/tax kinki" in lines(outcome.state, A)


@pytest.mark.rule("tokugawa 5.3")
def test_k4_the_capital_pays_tax_like_a_samurai() -> None:
    (taxed,) = happened(done(position(), A, "/tax kinki"), Taxed)
    assert taxed == Taxed(A, KINKI, 1)


@pytest.mark.rule("tokugawa 5.5", "tokugawa 1.6")
@pytest.mark.parametrize(("weapon", "cost"), [("archer", 1), ("spear", 2), ("sword", 5)])
def test_k5_levy_is_paid_to_the_bank_of_the_province(weapon: str, cost: int) -> None:
    table = position("A nara archer", "B odawara archer")
    made = done(table, A, f"/levy {weapon} uraga").state
    assert made.seats[A].koku == 15 - cost
    assert made.banks[Province("kanto")] == 5 + cost
    piece = made.pieces[Town("uraga")]
    assert (piece.kind, piece.back, piece.weak) == (Kind(weapon), False, False)


@pytest.mark.rule("tokugawa 5.5", "tokugawa 5.7")
def test_k5_what_cannot_be_levied() -> None:
    table = position("A nara archer", "B odawara archer", koku=(4, 26))
    assert why(table, A, "/levy archer nara").code == "occupied"
    assert why(table, A, "/levy archer odawara").code == "occupied"
    assert why(table, A, "/levy archer kyoto").code == "occupied"
    assert why(table, A, "/levy archer edo").code == "occupied"
    assert why(table, A, "/levy sword osaka").code == "too_dear"
    swords = [f"A {town} sword" for town in ("osaka", "nara", "himeji", "hagi", "ueno")]
    assert why(position(*swords), A, "/levy sword mito").code == "none_in_stock"


MOVED = {
    # terrain: origin, town, the number in sun, rain and storm
    "plain": ("nara", "kyoto", "osaka", (1, 2, 3)),
    "forest": ("nara", "", "osaka", (2, 3, 4)),
    "mountain": ("hikone", "", "kano", (3, 4, 5)),
}


@pytest.mark.rule("tokugawa 6.4", "tokugawa 6.5")
@pytest.mark.parametrize("weapon", ["spear", "sword"])
@pytest.mark.parametrize(("weather", "column"), [(SUN, 0), (RAIN, 1), (STORM, 2)])
@pytest.mark.parametrize("terrain", list(MOVED))
def test_k6_movement_table_by_land(terrain: str, weather: int, column: int, weapon: str) -> None:
    origin, _, town, numbers = MOVED[terrain]
    table = position(f"A {origin} {weapon}")
    line = f"/move {origin} {town} {terrain}"
    needed = numbers[column]
    if needed > 1:
        failed = done(table, A, line, dice(needed - 1, weather=weather))
        assert happened(failed, Failed)
        assert (failed.state.actions, Town(origin) in failed.state.pieces) == (2, True)
    moved = done(table, A, line, dice(needed, weather=weather))
    assert happened(moved, Moved)
    assert Town(town) in moved.state.pieces
    assert (moved.state.actions, moved.state.seats[A].koku) == (2, 15)


@pytest.mark.rule("tokugawa 6.4", "tokugawa 6.6")
@pytest.mark.parametrize("weapon", ["archer", "spear", "sword"])
@pytest.mark.parametrize(("weather", "needed"), [(SUN, 2), (RAIN, 3), (STORM, None)])
def test_k6_k7_movement_table_at_sea_for_all_people(
    weapon: str, weather: int, needed: int | None
) -> None:
    table = position(f"A osaka {weapon}", built=["A osaka ship"])
    line = "/move osaka mito sea"
    failed = done(table, A, line, dice(6 if needed is None else needed - 1, weather=weather))
    assert failed.state.sites[OSAKA].ships == 1
    assert Town("mito") not in failed.state.pieces
    if needed is not None:
        moved = done(table, A, line, dice(needed, weather=weather)).state
        assert (moved.sites[Town("mito")].ships, OSAKA in moved.sites) == (1, False)
        assert Town("mito") in moved.pieces


@pytest.mark.rule("tokugawa 6.3")
def test_k7_archers_move_by_land_without_dice() -> None:
    made = done(position("A hikone archer"), A, "/move hikone kano land").state
    assert Town("kano") in made.pieces


@pytest.mark.rule("tokugawa 6.2")
def test_k8_one_terrain_as_far_as_one_likes() -> None:
    table = position("A nara spear", "A osaka archer")
    made = done(table, A, "/move nara tokushima plain", dice(1, weather=SUN)).state
    assert Town("tokushima") in made.pieces
    alone = position("A nara spear")
    made = done(alone, A, "/move nara tokushima plain", dice(1, weather=SUN)).state
    assert Town("tokushima") in made.pieces


@pytest.mark.rule("tokugawa 6.2")
def test_k8_no_person_passes_the_enemy_or_changes_terrain() -> None:
    table = position("B nara spear", turn=B)
    assert why(table, B, "/move nara tokushima plain").rule == "6.2"
    assert why(position("A himeji spear"), A, "/move himeji matsue mountain").rule == "6.2"
    assert why(position("A himeji archer"), A, "/move himeji matsue land").rule == "6.2"
    blocked = position("A nara spear", "B osaka archer")
    assert why(blocked, A, "/move nara tokushima plain").rule == "6.2"
    assert why(blocked, A, "/move nara osaka plain").code == "enemy_there"


@pytest.mark.rule("tokugawa 6.5")
def test_k9_a_failed_move_may_be_retried() -> None:
    table = position("A hikone spear")
    failed = done(table, A, "/move hikone kano mountain", dice(2, weather=SUN)).state
    assert failed.actions == 2
    assert "/move hikone kano mountain" in lines(failed, A)
    made = done(failed, A, "/move hikone kano mountain", dice(3, weather=SUN)).state
    assert (made.actions, Town("kano") in made.pieces) == (1, True)


@pytest.mark.rule("tokugawa 10.5")
@pytest.mark.parametrize(
    ("weather", "die", "sails"),
    [(SUN, 1, False), (SUN, 2, True), (RAIN, 2, False), (RAIN, 3, True), (STORM, 6, False)],
)
def test_k10_ship(weather: int, die: int, sails: bool) -> None:
    table = position("A osaka archer", "A tokushima archer", "A nara archer")
    assert why(table, A, "/build ship tokushima").code == "no_shipyard"
    assert why(table, A, "/build ship nara").code == "no_shipyard"
    built = done(table, A, "/build ship osaka").state
    assert (built.actions, built.seats[A].koku, built.phase) == (2, 13, Phase.SAILING)
    assert "/stay" in lines(built, A)
    made = done(built, A, "/move osaka niigata sea", dice(die, weather=weather)).state
    assert (made.actions, made.phase) == (2, Phase.ACTING)
    assert (Town("niigata") in made.pieces) is sails
    assert made.sites[Town("niigata") if sails else OSAKA].ships == 1


@pytest.mark.rule("tokugawa 10.5")
def test_k10_the_new_ship_does_not_attack() -> None:
    table = position("A osaka archer", "B niigata archer")
    built = done(table, A, "/build ship osaka").state
    assert not [line for line in lines(built, A) if line.startswith("/attack")]
    assert why(built, A, "/attack osaka niigata sea").code == "sail_now"
