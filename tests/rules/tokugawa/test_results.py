"""What becomes of winner and loser: section 9 of the rules."""

from __future__ import annotations

import pytest

from bluebear.rules.core.game import Outcome
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.data.terms import Building, Province, Town, Weapon
from bluebear.rules.tokugawa.rules.events import (
    CapitalFell,
    CapitalHit,
    Captured,
    Conquered,
    Lost,
    Razed,
    Recovered,
    Removed,
    Retreated,
    Rewarded,
    Sunk,
    Thrown,
    Trampled,
    Weathered,
    Won,
)
from bluebear.rules.tokugawa.rules.state import Ending, Kind, Phase, Piece, State
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

NARA, UENO, OSAKA, URAGA = map(Town, ("nara", "ueno", "osaka", "uraga"))
KINKI, KANTO = Province("kinki"), Province("kanto")


def fought(table: State, line: str, *faces: int, weather: int = SUN) -> Outcome[State]:
    """The result of an attack in which no player supports."""
    return done(table, A, line, dice(*faces, weather=weather))


@pytest.mark.rule("tokugawa 9.1")
@pytest.mark.parametrize(("reply", "event"), [(3, Won), (4, Won), (5, Lost)])
def test_equal_is_enough_for_the_attacker(reply: int, event: type[Won | Lost]) -> None:
    table = position("A ueno archer", "B nara archer", koku=(1, 0))
    assert happened(fought(table, "/attack ueno nara road", 4, 4, reply, 4), event)


@pytest.mark.rule("tokugawa 9.2")
def test_after_a_failure_all_people_stays() -> None:
    table = position("A osaka archer", "B uraga archer", built=["A osaka ship"], koku=(1, 0))
    made = fought(table, "/attack osaka uraga sea", 6, 1, 1, 6, 6)
    assert happened(made, Lost) == [Lost(A, 2, B, 12, URAGA)]
    assert (made.state.pieces, made.state.sites) == (table.pieces, table.sites)
    assert (made.state.phase, made.state.battle) == (Phase.ACTING, None)
    assert (made.state.turn, made.state.actions) == (A, 2)


@pytest.mark.rule("tokugawa 9.3")
@pytest.mark.parametrize(("reply", "winner", "koku"), [(1, A, (15, 14)), (6, B, (13, 16))])
def test_two_koku_for_each_supporter_of_the_winner(
    reply: int, winner: Seat, koku: tuple[int, int]
) -> None:
    table = position("A suwa archer", "A takada archer", "B takasaki archer", banks={"chubu": 0})
    chance = dice(3, 3, reply, reply, weather=SUN)
    made = done(table, A, "/attack suwa takasaki road", chance)
    for seat, line in ((A, "/support takada"), (B, "/support edo"), (A, "/stand")):
        made = done(made.state, seat, line, chance)
    made = done(made.state, B, "/stand")
    chubu = Province("chubu")
    assert happened(made, Rewarded) == [Rewarded(winner, count=1, koku=2, province=chubu)]
    assert tuple(clan.koku for clan in made.state.seats.values()) == koku
    # One for the attack, two for the supporters, less two.
    assert made.state.banks[chubu] == 1


@pytest.mark.rule("tokugawa 9.3")
def test_the_bank_pays_what_it_has() -> None:
    three = ("A suwa archer", "A takada archer", "A niigata archer")
    table = position(*three, "B takasaki archer", banks={"chubu": 0}, koku=(15, 0))
    chance = dice(3, 3, 1, 1, weather=SUN)
    made = done(table, A, "/attack suwa takasaki road", chance)
    for line in ("/support takada", "/support niigata", "/stand"):
        made = done(made.state, A, line, chance)
    assert [(each.count, each.koku) for each in happened(made, Rewarded)] == [(2, 3)]
    assert (made.state.seats[A].koku, made.state.banks[Province("chubu")]) == (15, 0)


@pytest.mark.rule("tokugawa 9.4")
def test_the_owner_of_a_beaten_samurai_says_where_it_moves() -> None:
    table = position("A ueno archer", "B nagoya spear forged", koku=(1, 0))
    made = fought(table, "/attack ueno nagoya road", 6, 6, 1, 1)
    assert (made.state.phase, made.state.decides) == (Phase.RETREATING, B)
    assert lines(made.state, B) == ["/retreat hamamatsu", "/retreat kano"]
    no = why(made.state, B, "/retreat ueno")
    assert (no.code, no.rule, no.params["towns"]) == ("no_retreat", "9.4", ("hamamatsu", "kano"))
    removed = done(made.state, B, "/retreat kano")
    assert removed.state.pieces[Town("kano")] == Piece(B, Kind.SPEAR, back=True, weak=True)
    assert [type(event) for event in removed.events] == [Retreated, Conquered]


@pytest.mark.rule("tokugawa 9.4")
def test_a_single_route_back_is_taken_by_itself_whatever_its_terrain() -> None:
    """From Hachinohe roads lead to Matsumae (plain) and Morioka (mountain)."""
    table = position("A matsumae archer", "B hachinohe sword", koku=(1, 0))
    made = fought(table, "/attack matsumae hachinohe road", 6, 6, 1, 1)
    assert made.state.pieces[Town("morioka")] == Piece(B, Kind.SWORD, back=False, weak=True)
    assert made.state.phase is Phase.ACTING


@pytest.mark.rule("tokugawa 9.4")
def test_the_town_of_the_attacker_is_no_route_back() -> None:
    table = position("A matsumae archer", "A morioka archer", "B hachinohe sword", koku=(1, 0))
    made = fought(table, "/attack matsumae hachinohe road", 6, 6, 1, 1)
    assert happened(made, Removed) == [Removed(B, Kind.SWORD, Town("hachinohe"))]
    assert made.state.pieces[Town("hachinohe")].owner == A


@pytest.mark.rule("tokugawa 9.4", "tokugawa 9.11")
def test_a_weakened_samurai_is_removed_though_there_is_a_route_back() -> None:
    table = position("A ueno archer", "B nagoya sword forged weak", koku=(1, 0))
    made = fought(table, "/attack ueno nagoya road", 6, 6, 1, 1)
    assert happened(made, Removed) == [Removed(B, Kind.SWORD, Town("nagoya"))]
    assert made.state.seats[B].samurai[Weapon.SWORD] == 5
    again = after(made.state, "/pass", "/tax kanto")
    again = after(again, "/levy archer kamakura")
    assert again.pieces[Town("kamakura")] == Piece(B, Kind.ARCHER, back=False, weak=False)


@pytest.mark.rule("tokugawa 9.5")
def test_the_attacker_moves_onto_the_town_with_his_ship() -> None:
    table = position("A osaka archer", "B uraga archer weak", built=["A osaka ship"])
    made = done(table, A, "/attack osaka uraga sea", dice(6, 6, 6, 1, 1, weather=SUN))
    made = done(made.state, B, "/support done", dice(6, 6, 1, 1))
    assert happened(made, Conquered) == [Conquered(A, Kind.ARCHER, OSAKA, URAGA)]
    assert made.state.pieces[URAGA].owner == A
    assert OSAKA not in made.state.pieces
    assert {town: (site.owner, site.ships) for town, site in made.state.sites.items()} == {
        URAGA: (A, 1)
    }


@pytest.mark.rule("tokugawa 9.6")
@pytest.mark.parametrize(("reply", "weak"), [(1, False), (6, True)])
def test_only_a_successful_attacker_recovers(reply: int, weak: bool) -> None:
    table = position("A ueno sword weak", "B nara archer weak", koku=(1, 0))
    made = fought(table, "/attack ueno nara road", 6, 3, 3, reply, reply)
    assert bool(happened(made, Recovered)) is not weak
    assert made.state.pieces[UENO if weak else NARA] == Piece(A, Kind.SWORD, False, weak)
    if weak:
        # The defender has won, and still bears the marker.
        assert made.state.pieces[NARA].weak


@pytest.mark.rule("tokugawa 9.7", "tokugawa 9.8", "tokugawa 1.7")
def test_a_conquered_town_loses_everything_and_the_province_its_gardens() -> None:
    table = position(
        "A ueno archer",
        "B nara archer",
        built=[
            "B nara new-castle wall shrine smithy garden",
            "A osaka garden wall",
            "B himeji garden castle",
            "A ueno garden",
            "B hikone garden",
        ],
        koku=(1, 0),
    )
    made = fought(table, "/attack ueno nara road", 6, 6, 1, 1)
    assert made.state.phase is Phase.ACTING, "Osaka is the only way back"
    assert made.state.pieces[OSAKA] == Piece(B, Kind.ARCHER, back=False, weak=True)
    assert happened(made, Trampled) == [
        Trampled(B, KINKI, (Town("himeji"), NARA)),
    ]
    assert [(each.seat, each.town) for each in happened(made, Razed)] == [(A, OSAKA), (B, NARA)]
    assert {town: site.garden for town, site in made.state.sites.items()} == {
        "hikone": True,
        "himeji": False,
        "ueno": True,
    }
    assert dict(made.state.supply) == {"garden": 6, "wall": 8}
    assert dict(made.state.seats[B].pieces) == {
        "castle": 2,
        "ship": 5,
        "shrine": 10,
        "smithy": 1,
    }


@pytest.mark.rule("tokugawa 9.8")
def test_the_players_gardens_are_trampled_too() -> None:
    table = position("A ueno archer", "B nara archer weak", built=["A osaka garden"], koku=(1, 0))
    made = fought(table, "/attack ueno nara road", 6, 6, 1, 1)
    assert happened(made, Trampled) == [Trampled(A, KINKI, (OSAKA,))]


@pytest.mark.rule("tokugawa 9.8", "tokugawa 9.2")
def test_a_failed_attack_tramples_nothing() -> None:
    table = position("A ueno archer", "B nara archer", built=["A osaka garden"], koku=(1, 0))
    made = fought(table, "/attack ueno nara road", 1, 1, 6, 6)
    assert made.state.sites == table.sites


@pytest.mark.rule("tokugawa 9.9")
def test_captured_ships_are_exchanged_while_there_are_the_players() -> None:
    table = position(
        "A kamakura archer",
        "B uraga archer weak",
        built=["B uraga ship ship ship", "A osaka ship ship ship"],
    )
    made = done(table, A, "/attack kamakura uraga road", dice(6, 6, 1, 1, weather=SUN))
    made = done(made.state, B, "/support done", dice(6, 6, 1, 1))
    assert happened(made, Captured) == [Captured(A, B, URAGA, 2)]
    assert happened(made, Sunk) == [Sunk(A, B, URAGA, 1)]
    assert made.state.sites[URAGA].ships == 2
    ships = [made.state.seats[seat].pieces[Building.SHIP] for seat in (A, B)]
    assert ships == [0, 5]


@pytest.mark.rule("tokugawa 9.9", "tokugawa 9.5")
def test_the_players_ship_arrives_beside_the_captured_ones() -> None:
    table = position(
        "A osaka archer", "B mito archer weak", built=["A osaka ship", "B mito ship"], koku=(1, 0)
    )
    made = done(table, A, "/attack osaka mito sea", dice(6, 6, 6, 1, 1, weather=SUN))
    assert made.state.sites[Town("mito")].ships == 2
    assert made.state.seats[A].pieces[Building.SHIP] == 3


@pytest.mark.rule("tokugawa 9.10", "tokugawa 9.6", "tokugawa 9.8")
def test_the_first_success_against_a_capital() -> None:
    table = position(
        "A kamakura archer weak",
        built=["B edo castle wall shrine smithy garden", "A kamakura garden"],
        koku=(1, 0),
    )
    made = fought(table, "/attack kamakura edo road", 6, 6, 1, 1)
    assert happened(made, CapitalHit) == [CapitalHit(A, B, Town("edo"))]
    state = made.state
    assert state.pieces[Town("edo")] == Piece(B, Kind.CAPITAL, back=True, weak=False)
    assert state.pieces[Town("kamakura")] == Piece(A, Kind.ARCHER, back=False, weak=False)
    assert list(state.sites) == ["edo"]
    site = state.sites[Town("edo")]
    assert (bool(site.castle), site.wall, bool(site.shrine), site.smithy) == (True,) * 4
    assert not site.garden
    assert (state.phase, state.decided) == (Phase.ACTING, state.number)


@pytest.mark.rule("tokugawa 9.10", "tokugawa 11.1")
def test_the_second_success_ends_the_game_after_pay_and_gardens() -> None:
    table = position(
        "A kamakura archer",
        "A uraga archer",
        built=["B utsunomiya garden"],
        hit=[B],
        koku=(15, 0),
    )
    chance = dice(6, 6, 1, 1, weather=SUN)
    made = done(table, A, "/attack kamakura edo road", chance)
    made = done(made.state, A, "/support uraga", chance)
    made = done(made.state, A, "/stand", chance)
    kinds = [type(event) for event in made.events]
    assert kinds[2:5] == [Rewarded, CapitalFell, Trampled]
    assert (made.state.phase, made.state.ending, made.state.winner) == (
        Phase.OVER,
        Ending.CAPITAL,
        A,
    )
    assert lines(made.state, A) == lines(made.state, B) == []
    no = why(made.state, B, "/pass")
    assert (no.code, no.rule) == ("game_over", "11.1")


@pytest.mark.rule("tokugawa 9.12")
def test_one_may_attack_again_with_the_weather_thrown_anew() -> None:
    weak = ("B matsue archer weak", "B hagi archer weak")
    table = position("A okayama archer", *weak, koku=(2, 0))
    first = done(table, A, "/attack okayama matsue road", dice(6, 6, 1, 1, weather=SUN))
    assert first.state.actions == 2
    again = done(first.state, A, "/attack matsue hagi road", dice(6, 6, 1, 1, weather=RAIN))
    assert [event.weather for event in happened(again, Weathered)] == ["rain"]
    assert again.state.pieces[Town("hagi")].owner == A
    assert again.state.actions == 1


@pytest.mark.rule("tokugawa 9.12", "tokugawa 7.3")
def test_a_failed_movement_may_be_retried_for_another_koku() -> None:
    table = position("A ueno spear", "B nara archer weak", koku=(2, 0))
    first = done(table, A, "/attack ueno nara road", dice(3, weather=STORM))
    assert [event.needs for event in happened(first, Thrown)] == [4]
    again = done(first.state, A, "/attack ueno nara road", dice(2, 6, 6, 1, 1, weather=SUN))
    assert again.state.pieces[NARA].owner == A
    assert again.state.seats[A].koku == 0


@pytest.mark.rule("tokugawa 9.4", "tokugawa 5.8")
def test_the_retreat_is_finished_before_the_attacker_arrives() -> None:
    """B's samurai takes A's ships first; then A takes B's on the conquered town."""
    table = position(
        "A tokushima archer",
        "B matsuyama archer",
        built=["A hiroshima ship ship", "B matsuyama ship"],
        koku=(1, 0),
    )
    made = done(table, A, "/attack tokushima matsuyama road", dice(6, 6, 1, 1, weather=SUN))
    assert happened(made, Captured) == [
        Captured(B, A, Town("hiroshima"), 2),
        Captured(A, B, Town("matsuyama"), 1),
    ]
    assert [made.state.seats[seat].pieces[Building.SHIP] for seat in (A, B)] == [4, 3]


@pytest.mark.rule("tokugawa 8.1")
def test_after_the_first_throw_no_other_person_is_called() -> None:
    table = position("A suwa archer", "A takada archer", "B takasaki archer", koku=(15, 0))
    chance = dice(3, 3, 6, 6, weather=SUN)
    made = done(table, A, "/attack suwa takasaki road", chance)
    made = done(made.state, A, "/support takada", chance)
    assert why(made.state, A, "/support niigata").code == "roll_now"
    assert happened(done(made.state, A, "/stand", chance), Lost)
