"""The worked examples K1 to K29, and what the rule text itself spells out, by name.

Written from the texts alone, with positions of their own (`worked`).
"""

from __future__ import annotations

import pytest

from rules.core.chance import Fast, Scripted
from rules.core.vision import Seat
from rules.tokugawa import opening, scoring, turns
from rules.tokugawa.atlas import PROVINCES, TOWNS_OF
from rules.tokugawa.battle_events import Conquered, Removed, Retreated, Won
from rules.tokugawa.events import Completed, Failed, Fulfilled, Moved, Opened, Taxed
from rules.tokugawa.state import Ending, Kind, Phase, Table, Work
from rules.tokugawa.terms import Building, Province, Side, Town, Weapon
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

KYOTO, YEDO, NARA, OSAKA, UENO = map(Town, ("kyoto", "edo", "nara", "osaka", "ueno"))
KINKI, CHUBU = Province("kinki"), Province("chubu")
OPTIONS = {"short": False, "max_rounds": 60, "rules": 1}


def begun(kyoto: Seat = A, start: Seat = A) -> Table:
    """A new game in which these have been drawn."""
    draws = Scripted(kyoto - 1, start - 1, 0, 0, 0)
    table: Table = opening.set_up(OPTIONS, 2, draws).state
    return table


@pytest.mark.rule("tokugawa 3.1", "tokugawa 1.4")
def test_k1_money_is_75_at_the_start_and_after_every_move() -> None:
    table = begun()
    assert [clan.koku for clan in table.seats.values()] == [15, 15]
    assert list(table.banks.values()) == [5] * 9
    chance = Fast(11)
    while table.decides is not None and table.number < 40:
        moves = turns.legal(table, table.decides)
        table = turns.play(table, table.decides, moves[chance.pick(len(moves))], chance).state
        assert koku_of(table) == 75


@pytest.mark.rule("tokugawa 3.6", "tokugawa 4.1")
@pytest.mark.parametrize("start", [A, B])
def test_k2_placing_order_and_the_first_actions(start: Seat) -> None:
    table = begun(start=start)
    order, chance = [], Fast(3)
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
    mine = ["osaka", "okayama", "hagi", "kanazawa", "kano"]
    theirs = iter(["uraga", "shirakawa", "kubota", "takada", "suwa", "hamamatsu", "hiroshima"])
    for town in mine:
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
    ("own", "foes", "gardens", "bank", "koku"),
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
def test_k4_tax(own: int, foes: int, gardens: int, bank: int, koku: int | None) -> None:
    towns = TOWNS_OF[CHUBU]
    standing = [f"A {town} archer" for town in towns[:own]]
    standing += [f"B {town} archer" for town in towns[own : own + foes]]
    built = [f"A {town} garden" for town in towns[:gardens]]
    # Where there is one own samurai only, its garden is in a town of the province all the same.
    rest = 15 + 5 - bank
    table = position(*standing, built=built, koku=(15, rest), banks={CHUBU: bank})
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
def test_k6_k7_movement_table_at_sea_for_everybody(
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
    assert done(
        position("A nara spear"), A, "/move nara tokushima plain", dice(1, weather=SUN)
    ).state.pieces[Town("tokushima")]


@pytest.mark.rule("tokugawa 6.2")
def test_k8_nobody_passes_the_enemy_or_changes_terrain() -> None:
    table = position("B nara spear", turn=B)
    assert why(table, B, "/move nara tokushima plain").rule == "6.2"
    assert why(position("A himeji spear"), A, "/move himeji matsue mountain").rule == "6.2"
    assert why(position("A himeji archer"), A, "/move himeji matsue land").rule == "6.2"
    blocked = position("A nara spear", "B osaka archer")
    assert why(blocked, A, "/move nara tokushima plain").rule == "6.2"
    assert why(blocked, A, "/move nara osaka plain").code == "occupied"


@pytest.mark.rule("tokugawa 6.5")
def test_k9_a_failed_move_may_be_tried_again() -> None:
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


@pytest.mark.rule("tokugawa 7.2")
@pytest.mark.parametrize("die", [1, 2])
def test_k11_attack_fee_goes_to_the_defenders_province(die: int) -> None:
    table = position("A uraga archer", "B ueno sword", turn=B)
    made = done(table, B, "/attack ueno kyoto road", Scripted(SUN, die - 1, 0, 0, 5, 5)).state
    assert made.banks[KINKI] == 6
    assert made.banks[Province("tokai")] == 5
    assert (made.seats[B].koku, made.actions) == (14, 2)


@pytest.mark.rule("tokugawa 7.4", "tokugawa 8.1", "tokugawa 9.3")
@pytest.mark.parametrize("wins", [True, False])
def test_k12_support(wins: bool) -> None:
    table = position("A nara sword", "A nagoya archer", "B ueno archer", "B osaka archer")
    # Nagoya and the own capital are beside Ueno, for the defender nobody.
    chance = Scripted(SUN, 5, *((5, 5) if wins else (0, 0)), *((0, 0) if wins else (5, 5)))
    fight = done(table, A, "/attack nara ueno road", chance).state
    assert lines(fight, A) == ["/support done", "/support kyoto", "/support nagoya"]
    helped = after(fight, "/support kyoto", "/support nagoya", chance=chance)
    bank = helped.banks[Province("tokai")]
    assert (helped.seats[A].koku, bank) == (12, 8)
    assert helped.battle is not None
    assert helped.battle.rerolls == 2
    ended = after(helped, "/stand", chance=chance)
    while ended.phase is Phase.RETREATING:
        ended = after(ended, lines(ended, B)[0], chance=chance)
    assert ended.seats[A].koku == (16 if wins else 12)
    assert ended.banks[Province("tokai")] == (4 if wins else 8)
    assert koku_of(ended) == 75


@pytest.mark.rule("tokugawa 7.4", "tokugawa 9.3")
@pytest.mark.parametrize("wins", [True, False])
def test_k12_both_sides_support_and_the_winner_is_paid(wins: bool) -> None:
    strike, parry = ((5, 5), (0, 0)) if wins else ((0, 0), (5, 5))
    chance = Scripted(SUN, *strike, *parry)
    table = position("A hamamatsu archer", "A kano archer", "B nagoya archer", "B ueno archer")
    fight = done(table, A, "/attack hamamatsu nagoya road", chance).state
    helped = after(fight, "/support kano", chance=chance)
    assert helped.decides == B
    helped = after(helped, "/support ueno", chance=chance)
    assert helped.banks[Province("tokai")] == 5 + 1 + 1 + 1
    ended = after(helped, "/stand", chance=chance)
    while ended.phase in (Phase.DEFENCE_ROLL, Phase.RETREATING):
        ended = after(ended, "/stand" if ended.phase is Phase.DEFENCE_ROLL else lines(ended, B)[0])
    assert ended.seats[A].koku == 13 + (2 if wins else 0)
    assert ended.seats[B].koku == 14 + (0 if wins else 2)


@pytest.mark.rule("tokugawa 9.3")
def test_k12_an_empty_bank_pays_what_it_has() -> None:
    table = position(
        "A nara sword", "A nagoya archer", "B ueno archer", banks={"tokai": 0}, koku=(15, 20)
    )
    chance = Scripted(SUN, 5, 5, 5, 0, 0)
    fight = done(table, A, "/attack nara ueno road", chance).state
    ended = after(fight, "/support kyoto", "/support nagoya", "/stand", chance=chance)
    assert ended.banks[Province("tokai")] == 0
    assert ended.seats[A].koku == 15


@pytest.mark.rule("tokugawa 8.1")
def test_k13_a_worse_reroll_stands() -> None:
    table = position("A nara sword", "B ueno archer")
    chance = Scripted(SUN, 5, 4, 3, 1, 0, 0, 0)
    fight = done(table, A, "/attack nara ueno road", chance).state
    fight = after(fight, "/support kyoto", chance=chance)
    assert fight.battle is not None
    assert fight.battle.dice == (5, 4)
    outcome = done(fight, A, "/reroll", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert won.total == 3 + 2


@pytest.mark.rule("tokugawa 8.2", "tokugawa 8.3", "tokugawa 9.1")
def test_k14_totals() -> None:
    table = position("A nara spear", "B ueno archer", built=["A nara shrine", "B ueno wall castle"])
    # Spear 1, shrine 1, rain -1: 8 becomes 9. Archer 0, wall 1, castle 2: 6 becomes 9.
    chance = Scripted(RAIN, 5, 3, 3, 2, 2)
    outcome = done(table, A, "/attack nara ueno road", chance)
    outcome = done(outcome.state, A, "/support done", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert (won.total, won.against) == (9, 9)


@pytest.mark.rule("tokugawa 8.2", "tokugawa 8.3", "tokugawa 9.4", "tokugawa 9.6")
def test_k15_weakened() -> None:
    table = position("A nara spear weak", "B ueno archer weak")
    chance = Scripted(SUN, 5, 3, 3, 2, 3)
    outcome = done(table, A, "/attack nara ueno road", chance)
    outcome = done(outcome.state, A, "/support done", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert (won.total, won.against) == (8 + 1 - 1, 7 - 1)
    assert happened(outcome, Removed)
    assert not happened(outcome, Retreated)
    piece = outcome.state.pieces[UENO]
    assert (piece.owner, piece.weak) == (A, False)
    assert outcome.state.seats[B].samurai[Weapon.ARCHER] == 10


@pytest.mark.rule("tokugawa 7.4")
def test_k15_a_weakened_samurai_supports_like_another() -> None:
    table = position("A nara spear", "A nagoya archer weak", "B ueno archer")
    fight = done(table, A, "/attack nara ueno road", dice(6, weather=SUN)).state
    assert "/support nagoya" in lines(fight, A)


@pytest.mark.rule("tokugawa 9.4")
def test_k16_without_a_way_back_the_samurai_is_removed() -> None:
    table = position("A nara sword", "A nagoya archer", "B ueno archer", koku=(1, 29))
    outcome = done(table, A, "/attack nara ueno road", Scripted(SUN, 5, 5, 5, 0, 0))
    assert happened(outcome, Removed) == [Removed(B, Kind.ARCHER, UENO)]
    assert outcome.state.pieces[UENO].owner == A
    assert NARA not in outcome.state.pieces


@pytest.mark.rule("tokugawa 9.4", "tokugawa 9.5")
def test_k16_one_way_back_over_a_mountain_is_taken() -> None:
    table = position("A nara sword", "B ueno archer", koku=(1, 29))
    outcome = done(table, A, "/attack nara ueno road", Scripted(SUN, 5, 5, 5, 0, 0))
    assert happened(outcome, Retreated) == [Retreated(B, Kind.ARCHER, UENO, Town("nagoya"))]
    assert outcome.state.pieces[Town("nagoya")].weak
    assert happened(outcome, Conquered)


@pytest.mark.rule("tokugawa 9.7", "tokugawa 9.8", "tokugawa 9.9")
def test_k17_loss_of_a_town() -> None:
    table = position(
        "A uraga sword",
        "A kamakura archer",
        "B tateyama archer",
        built=[
            "B tateyama smithy castle wall shrine garden ship ship",
            "A kamakura garden",
            "B utsunomiya garden",
            "B mito garden",
        ],
        koku=(1, 29),
    )
    chance = Scripted(SUN, 5, 5, 5, 0, 0)
    made = done(table, A, "/attack uraga tateyama road", chance).state
    site = made.sites[Town("tateyama")]
    assert (site.owner, site.ships) == (A, 2)
    assert not any((site.smithy, site.castle, site.wall, site.shrine, site.garden))
    assert Town("kamakura") not in made.sites
    assert Town("utsunomiya") not in made.sites
    assert made.sites[Town("mito")].garden
    assert made.seats[A].pieces[Building.SHIP] == 3
    back = made.seats[B].pieces
    assert [back[each] for each in back] == [3, 5, 10, 1]
    assert (made.supply[Building.WALL], made.supply[Building.GARDEN]) == (8, 7)


@pytest.mark.rule("tokugawa 9.10", "tokugawa 11.1")
def test_k18_capital() -> None:
    table = position("A uraga sword", koku=(3, 27), taken={B: ["W1", "C1"]})
    chance = Scripted(SUN, 5, 5, 5, 0, 0, SUN, 5, 5, 5, 0, 0)
    hit = after(table, "/attack uraga edo road", chance=chance)
    assert (hit.pieces[YEDO].back, hit.pieces[Town("uraga")].owner) == (True, A)
    assert hit.phase is Phase.ACTING
    fallen = after(hit, "/attack uraga edo road", chance=chance)
    assert (fallen.phase, fallen.ending, fallen.winner) == (Phase.OVER, Ending.CAPITAL, A)
    assert fallen.decides is None


@pytest.mark.rule("tokugawa 7.5", "tokugawa 7.4")
def test_k19_a_capital_supports_and_never_attacks() -> None:
    table = position("A nara sword", "B osaka archer")
    assert why(table, A, "/attack kyoto osaka road").rule == "7.5"
    fight = done(table, A, "/attack nara osaka road", dice(6, weather=SUN)).state
    made = done(fight, A, "/support kyoto", dice(1, 1)).state
    assert made.seats[A].koku == 13
    assert made.battle is not None
    assert made.battle.allies == (KYOTO,)


@pytest.mark.rule("tokugawa 10.8", "tokugawa 4.2", "tokugawa 8.3")
def test_k20_castle() -> None:
    table = position("A nara archer", "A hagi archer", "A kano archer", "B osaka sword")
    table = done(table, A, "/build castle nara").state
    assert (table.actions, table.seats[A].koku) == (3, 11)
    assert table.sites[NARA].castle is Work.NEW
    assert why(table, A, "/build castle kyoto").code == "castle_in_province"
    theirs = done(table, A, "/pass").state
    chance = Scripted(SUN, 5, 0, 0, 5, 5)
    fight = after(theirs, "/attack osaka nara road", chance=chance)
    # The capital could support the defender, who needs no help.
    outcome = done(fight, A, "/support done", chance)
    assert outcome.events[-1].against == 12  # type: ignore[attr-defined]  # Lost has totals
    begun_turn = done(outcome.state, B, "/pass")
    assert happened(begun_turn, Completed) == [Completed(A, NARA)]
    assert begun_turn.state.sites[NARA].castle is Work.DONE
    made = after(begun_turn.state, "/build castle hagi")
    rich = position(
        "A nara archer",
        "A hagi archer",
        "A kano archer",
        "A ueno archer",
        built=["A nara castle", "A hagi castle", "A kano new-castle"],
    )
    assert made.seats[A].pieces[Building.CASTLE] == 1
    assert why(rich, A, "/build castle ueno").code == "no_piece_left"


@pytest.mark.rule("tokugawa 10.9", "tokugawa 8.2")
def test_k21_shrine() -> None:
    table = position("A nara spear", "B ueno spear", koku=(15, 15))
    built = done(table, A, "/build shrine nara").state
    assert (built.actions, built.seats[A].koku) == (2, 12)
    chance = Scripted(SUN, 5, 2, 2, 2, 2)
    fight = done(built, A, "/attack nara ueno road", chance).state
    outcome = done(fight, A, "/support done", chance)
    (won,) = happened(outcome, Won)
    assert isinstance(won, Won)
    assert won.total == 6 + 1

    theirs = done(built, A, "/pass").state
    chance = Scripted(SUN, 5, 2, 2, 2, 2)
    fight = done(theirs, B, "/attack ueno nara road", chance).state
    outcome = done(fight, A, "/support done", chance)
    assert outcome.events[-1].against == 6 + 1 + 1  # type: ignore[attr-defined]  # Lost has totals


@pytest.mark.rule("tokugawa 10.10", "tokugawa 4.4")
def test_k22_wall() -> None:
    table = position("A nara spear", "B ueno spear")
    walled = done(table, A, "/build wall nara").state
    assert (walled.actions, walled.seats[A].koku) == (3, 13)
    chance = Scripted(SUN, 5, 2, 2, 2, 2)
    fight = done(walled, A, "/attack nara ueno road", chance).state
    (won,) = happened(done(fight, A, "/support done", chance), Won)
    assert isinstance(won, Won)
    assert (won.total, won.against) == (7, 7)


@pytest.mark.rule("tokugawa 10.7")
def test_k23_smithy() -> None:
    table = position("A nara spear", "A hagi archer weak")
    assert why(table, A, "/forge hagi").code == "no_smithy"
    built = done(table, A, "/build smithy nara").state
    assert (built.actions, built.seats[A].koku) == (2, 14)
    forged = done(built, A, "/forge hagi").state
    piece = forged.pieces[Town("hagi")]
    assert (piece.back, piece.weak, forged.actions, forged.seats[A].koku) == (True, True, 1, 14)
    assert why(forged, A, "/forge hagi").code == "forged_already"
    lost = position("A nara spear", "A hagi archer")
    assert why(lost, A, "/forge nara").code == "no_smithy"


@pytest.mark.rule("tokugawa 10.3", "tokugawa 10.2")
@pytest.mark.parametrize(
    ("ports", "taken"), [(("osaka", "hagi"), True), (("osaka", "osaka"), False)]
)
def test_k24_contract_of_three_ships(ports: tuple[str, str], taken: bool) -> None:
    first, second = ports
    built = [f"A {first} ship", f"A {second} ship"] if first != second else ["A osaka ship ship"]
    table = position("A tsuruga archer", built=built, cards={Side.CENTRE: "C1"})
    made = done(table, A, "/build ship tsuruga").state
    outcome = done(made, A, "/stay", Scripted(0))
    assert bool(happened(outcome, Fulfilled)) is taken
    if taken:
        assert outcome.state.seats[A].contracts == ("C1",)
        assert happened(outcome, Opened) == [
            Opened(Side.CENTRE, outcome.state.open[Side.CENTRE], 4)
        ]


@pytest.mark.rule("tokugawa 11.2", "tokugawa 11.3")
def test_k25_the_third_contract_ends_the_game_and_may_lose_it() -> None:
    theirs = ["mito archer", "sendai archer", "kubota archer", "morioka archer", "hagi archer"]
    table = position(
        "A osaka archer",
        "A nara archer",
        *(f"B {each}" for each in theirs),
        built=["B mito garden", "B sendai garden"],
        koku=(20, 10),
        cards={Side.WEST: "W1"},
        taken={A: ["C2", "C3"], B: ["E2", "E3"]},
    )
    ended = done(table, A, "/levy archer himeji").state
    assert (ended.phase, ended.ending, ended.winner) == (Phase.OVER, Ending.CONTRACTS, B)
    points = scoring.points_of(ended)
    assert (points[A].total, points[B].total) == (17, 19)
    assert (points[A].contracts, points[B].contracts) == (12, 9)


@pytest.mark.rule("tokugawa 11.3")
def test_k26_majorities() -> None:
    table = position("A nara archer", built=["A nara wall", "B edo garden"], koku=(15, 15))
    points = scoring.points_of(table)
    assert (points[A].koku, points[B].koku) == (0, 0)
    assert (points[A].samurai, points[B].samurai) == (5, 0)
    assert (points[A].buildings, points[B].buildings) == (0, 5)


@pytest.mark.rule("tokugawa 11.5")
@pytest.mark.parametrize("short", [True, False])
def test_k27_short_game(short: bool) -> None:
    table = position(
        "A nara archer",
        "A osaka archer",
        cards={Side.WEST: "W1"},
        taken={A: ["C4"]},
        short=short,
    )
    ended = done(table, A, "/levy archer himeji", Scripted(0)).state
    assert ended.ending is (Ending.SHORT if short else None)


@pytest.mark.rule("tokugawa 11.7")
def test_k28_no_koku() -> None:
    banks = {str(province): 0 for province in PROVINCES}
    table = position("A nara archer", "B ueno archer", koku=(0, 75), banks=banks)
    assert why(table, A, "/levy archer osaka").code == "too_dear"
    assert why(table, A, "/build wall nara").code == "too_dear"
    assert why(table, A, "/attack nara ueno road").rule == "7.2"
    assert why(table, A, "/tax kinki").rule == "5.4"
    can = {line.split()[0] for line in lines(table, A)}
    assert can == {"/move", "/dismiss", "/pass"}
