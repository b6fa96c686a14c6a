"""The worked examples of the rule text and of the specification: fares, sales, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from bluebear.rules.core.chance import NoChance
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.events import (
    Arrived,
    AuctionWon,
    Bought,
    ExtraGranted,
    GameOver,
    LinesReturned,
    PaidBank,
    PaidOwner,
    SetOff,
    SoldToBank,
    ThroughEnded,
    ThroughGot,
    WentBankrupt,
)
from bluebear.rules.tokai.rules.fares import tally
from bluebear.rules.tokai.rules.moves import Choice, Deal
from bluebear.rules.tokai.rules.state import BANK, Auction, Phase, State, Traveller
from tests.rules.tokai.scene import (
    A,
    B,
    C,
    D,
    all_but,
    dice,
    events_of,
    lines,
    owed,
    play,
    refusal,
    sound,
    table,
    traveller,
)


def riding(rider: Traveller, roll: int, owners: Mapping[str, Seat], *, seats: int = 3) -> State:
    return sound(table(rider, roll=roll, owners=owners, seats=seats))


def ridden(before: State, *legs: str) -> State:
    """The table after A's legs; the last one ends the movement."""
    for leg in legs:
        before, _ = play(before, A, f"/go {leg}")
    return before


def dues_of(before: State, *legs: str) -> dict[int, int]:
    """What A owes after all legs but the last are said, and the last is added."""
    *first, last = legs
    before = ridden(before, *first)
    after, events = play(before, A, f"/go {last}")
    if after.phase is Phase.BUY:
        return owed(after)
    banked = [event.amount for event in events if isinstance(event, PaidBank)]
    paid: dict[int, int] = dict.fromkeys([BANK] * len(banked), sum(banked))
    paid.update({e.other: e.amount for e in events if isinstance(e, PaidOwner)})
    return paid


def again(after: State, roll: int) -> State:
    """A's next turn in the middle, as if B had played in between."""
    return but(after, active=A, phase=Phase.MOVE, roll=roll, dues=(), legs=(), extra=False)


def at_kamimaezu(roll: int, to: str, **owners: Seat) -> State:
    """B, who owns the Meijo Line, has just bought the Tsurumai Line under A at Kamimaezu."""
    owned = {"subway_meijo": B, **owners}
    waiting = table(
        traveller("kamimaezu", to=to),
        traveller("handa", cash=25),
        phase=Phase.BUY,
        active=B,
        owners=owned,
        seats=3,
    )
    bought, events = play(waiting, B, "/buy 鶴舞線")
    assert events_of(events, ThroughGot) == [ThroughGot(A, LineId("subway_tsurumai"), B)]
    assert bought.seats[A].through == ("subway_tsurumai",)
    return sound(again(bought, roll))


@pytest.mark.rule("tokai 9.5", "tokai 11.6", "tokai 11.2")
def test_x17_x18_from_kamimaezu_to_yagoto_a_pays_b_1_000_yen() -> None:
    assert dues_of(at_kamimaezu(6, "yagoto"), "subway_tsurumai yagoto") == {B: 1}


@pytest.mark.rule("tokai 11.3", "tokai 11.7")
def test_x19_on_to_motoyama_by_the_meijo_line_it_is_5_000_yen_and_not_6_000() -> None:
    before = at_kamimaezu(9, "motoyama")
    after = ridden(before, "subway_tsurumai yagoto", "subway_meijo motoyama ccw")
    assert owed(after) == {B: 5}
    assert after.seats[A].through == ()


@pytest.mark.rule("tokai 11.4")
def test_x20_over_sakae_it_is_6_000_yen_to_b_and_the_bank() -> None:
    before = at_kamimaezu(8, "motoyama", subway_higashiyama=A)
    assert dues_of(before, "subway_meijo sakae cw", "subway_higashiyama motoyama") == {
        B: 5,
        BANK: 1,
    }


@pytest.mark.rule("tokai 11.3", "tokai 11.4")
def test_x21_over_tsurumai_and_chikusa_it_is_2_000_yen() -> None:
    before = at_kamimaezu(6, "motoyama", subway_higashiyama=A)
    legs = ("subway_tsurumai tsurumai", "jr_chuo chikusa", "subway_higashiyama motoyama")
    assert dues_of(before, *legs) == {B: 1, BANK: 1}


@pytest.mark.rule("tokai 11.2", "tokai 11.3")
@pytest.mark.parametrize(
    ("owners", "dues"),
    [({}, {BANK: 6}), ({"jr_shinkansen": A}, {BANK: 2}), ({"jr_shinkansen": B}, {B: 10, BANK: 1})],
    ids=["unowned", "own", "of B"],
)
def test_x22_x23_gifu_hashima_to_okazaki_by_shinkansen(
    owners: Mapping[str, Seat], dues: Mapping[int, int]
) -> None:
    before = riding(traveller("gifu_hashima", to="okazaki"), 5, owners)
    assert dues_of(before, "jr_shinkansen mikawa_anjo", "jr_tokaido okazaki") == dues


@pytest.mark.rule("tokai 11.1", "tokai 11.3")
def test_x22_by_nagoya_only_the_turn_with_the_shinkansen_costs_6_000_yen() -> None:
    before = riding(traveller("gifu_hashima", to="okazaki"), 12, {})
    before = ridden(before, "jr_shinkansen nagoya")
    after, events = play(before, A, "/go jr_tokaido higashi_kariya")
    assert events_of(events, PaidBank) == [PaidBank(A, 6)]
    assert dues_of(again(after, 4), "jr_tokaido okazaki") == {BANK: 1}


def on_the_inuyama_line() -> State:
    """B buys the Inuyama Line under A, who stands at Nagoya and is bound for Inuyama."""
    waiting = table(
        traveller("nagoya", to="inuyama", cash=40),
        traveller("handa", cash=30),
        phase=Phase.BUY,
        active=B,
        seats=3,
    )
    bought, _ = play(waiting, B, "/buy 名鉄犬山・各務原線")
    return again(bought, 8)


def at_inuyama() -> State:
    """The same after two turns: A has arrived, still with the through ticket."""
    after, events = play(on_the_inuyama_line(), A, "/go meitetsu_inuyama ishibotoke")
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 1)]
    arrived, _ = play(again(after, 6), A, "/go meitetsu_inuyama inuyama")
    assert owed(arrived) == {B: 1}
    return arrived


def bound_for_gifu(roll: int) -> State:
    """A's next turn from Inuyama to Gifu."""
    arrived = at_inuyama()
    rider = traveller("inuyama", to="gifu", through=arrived.seats[A].through)
    return again(but(arrived, seats=arrived.seats.put(A, rider)), roll)


@pytest.mark.rule("tokai 11.6", "tokai 11.7")
def test_x24_from_nagoya_to_inuyama_every_turn_costs_1_000_yen() -> None:
    assert at_inuyama().seats[A].through == ("meitetsu_inuyama",)


@pytest.mark.rule("tokai 11.7")
def test_x25_the_ticket_outlasts_the_arrival_and_leads_on_to_gifu() -> None:
    after, events = play(bound_for_gifu(9), A, "/go meitetsu_inuyama takada_bashi")
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 1)]
    assert dues_of(again(after, 3), "meitetsu_inuyama gifu") == {B: 1}


@pytest.mark.rule("tokai 11.7")
def test_x26_a_short_cut_by_the_takayama_line_ends_the_ticket() -> None:
    before = ridden(bound_for_gifu(7), "meitetsu_inuyama unuma")
    assert owed(but(before, dues=tally(before).dues)) == {B: 1}
    before = ridden(before, "jr_takayama naka")
    after, events = play(before, A, "/go meitetsu_inuyama tejikara")
    assert events_of(events, PaidOwner, PaidBank) == [PaidOwner(A, B, 5), PaidBank(A, 1)]
    assert events_of(events, ThroughEnded) == [ThroughEnded(A, (LineId("meitetsu_inuyama"),))]
    assert after.seats[A].through == ()


@pytest.mark.rule("tokai 4.5", "tokai 11.8", "tokai 11.9")
def test_x27_lines_bought_before_the_game_give_through_tickets_at_the_start_city() -> None:
    hands = (("subway_higashiyama",), ("meitetsu_inuyama",), ("subway_sakuradori", "jr_taita"))
    seats = [but(traveller(cash=0), chosen=False, hand=tuple(map(LineId, hand))) for hand in hands]
    before = table(*seats, phase=Phase.PREBUY, seats=3, turns=0)
    before, _ = play(before, B, "/prebuy meitetsu_inuyama")
    before, _ = play(before, C, "/prebuy subway_sakuradori jr_taita")
    # Start cities: Nagoya, Akaike, Handa. A's first turn: East, Motoyama, two steps.
    handa, nagoya, akaike = (3, 4, 2, 3, 3, 1), (1, 5, 1, 1, 5, 1), (3, 4, 5, 5, 4, 3)
    rolls = (*nagoya, *akaike, *handa, 3, 4, 1, 4, 4, 1, 1, 1)
    started, events = play(before, A, "/prebuy subway_higashiyama", dice(*rolls))
    assert events_of(events, ThroughGot) == [
        ThroughGot(A, LineId("meitetsu_inuyama"), B),
        ThroughGot(A, LineId("subway_sakuradori"), C),
    ]
    after, events = play(started, A, "/go subway_sakuradori marunouchi")
    assert events_of(events, PaidOwner, PaidBank) == [PaidOwner(A, C, 1)]
    assert after.seats[A].through == ("subway_sakuradori",)


def there_and_back(coloured: int) -> tuple[State, list[object]]:
    """A owns the Aichi Loop and a ticket; C the Seto Line; A rolls 2-2 at Kozoji, and so on."""
    rider = traveller("kozoji", express=True, cash=10)
    owners = {"aichi_loop": A, "meitetsu_seto": C}
    before = table(rider, phase=Phase.DEST, owners=owners, seats=3)
    before, events = play(before, A, "/dest owari_seto", dice(2, 2))
    assert events_of(events, ExtraGranted) == [ExtraGranted(A)]
    before = ridden(before, "aichi_loop seto_shi")
    before, events = play(before, A, "/go meitetsu_seto owari_seto")
    assert events_of(events, Arrived) == [Arrived(A, PointId("owari_seto"), 5, 15)]
    # North, Kozoji again, and the coloured die for the extra half.
    after, happened = play(before, A, "/buy none", dice(4, 4, 1, 5, 6, 1, coloured))
    return after, list(happened)


@pytest.mark.rule("tokai 10.1", "tokai 11.1", "tokai 11.3")
def test_x28_x30_there_and_back_in_one_turn_pays_the_seto_line_once() -> None:
    before, _ = there_and_back(4)
    before = ridden(before, "meitetsu_seto seto_shi")
    after, _ = play(before, A, "/go aichi_loop kozoji")
    assert owed(after) == {BANK: 1, C: 5}
    _, events = play(after, A, "/buy none")
    assert events_of(events, PaidBank, PaidOwner) == [PaidBank(A, 1), PaidOwner(A, C, 5)]


@pytest.mark.rule("tokai 11.1")
def test_x28_with_a_1_the_seto_line_must_be_paid_once_more() -> None:
    before, _ = there_and_back(1)
    after, events = play(before, A, "/go meitetsu_seto seto_shiyakusho_mae")
    assert events_of(events, PaidOwner) == [PaidOwner(A, C, 5)]
    before = ridden(again(after, 4), "meitetsu_seto seto_shi")
    assert owed(but(before, dues=tally(before).dues)) == {C: 5}


@pytest.mark.rule("tokai 7.2.4")
def test_x28_a_double_one_does_not_arrive() -> None:
    before = table(traveller("kozoji", express=True), phase=Phase.DEST, seats=3)
    before, _ = play(before, A, "/dest owari_seto", dice(1, 1))
    after = ridden(before, "aichi_loop seto_shi")
    assert after.seats[A].trail[-1] == "seto_shi"
    assert after.seats[A].destination == "owari_seto"


@pytest.mark.rule("tokai 11.11")
def test_x29_what_was_earned_pays_the_fare() -> None:
    rider = traveller("kani", "hozumi", to="ogaki", cash=0)
    before = table(rider, roll=1, owners={"jr_tokaido": B}, dues=[(BANK, 1)])
    arrived, events = play(before, A, "/go jr_tokaido ogaki")
    assert events_of(events, Arrived) == [Arrived(A, PointId("ogaki"), 10, 10)]
    after, _ = play(arrived, A, "/buy none")
    assert after.seats[A].cash == 4


def short(owned: Sequence[str], *, cash: int, b_cash: int = 0) -> State:
    """A owes B 5,000 yen and must sell."""
    rider = traveller("nagoya", to="sakae", cash=cash)
    theirs = traveller("yokkaichi", to="nagoya", cash=b_cash)
    owners = dict.fromkeys(owned, A)
    made = table(rider, theirs, phase=Phase.SELL, owners=owners, dues=[(B, 5)], seats=3)
    return sound(made)


@pytest.mark.rule("tokai 11.2.4", "tokai 11.2.6")
def test_x31_who_is_owed_5_000_yen_buys_for_5_000_yen_without_cash() -> None:
    before = short(["johoku"], cash=0)
    poor = but(before, seats=before.seats.put(C, traveller("tsu", to="nagoya", cash=0)))
    requested, _ = play(poor, A, "/sell johoku auction")
    requested, _ = play(requested, B, "/bid 5000")
    after, events = play(requested, A, "/deal bid")
    assert events_of(events, AuctionWon) == [AuctionWon(B, LineId("johoku"), A, 5)]
    assert events_of(events, SetOff) == [SetOff(A, B, 5)]
    assert events_of(events, PaidOwner, WentBankrupt) == []
    assert (after.owners[LineId("johoku")], after.seats[A].cash, after.seats[B].cash) == (B, 0, 0)
    assert after.fallen == ()


@pytest.mark.rule("tokai 11.2.2")
def test_x32_the_bank_gives_8_000_yen_for_a_line_of_17_000_yen() -> None:
    after, events = play(short(["meitetsu_seto"], cash=0), A, "/sell meitetsu_seto bank")
    assert events_of(events, SoldToBank) == [SoldToBank(A, LineId("meitetsu_seto"), 8)]
    assert ("meitetsu_seto" in after.owners, after.seats[A].cash) == (False, 8 - 5)
    buying = but(
        after, active=B, phase=Phase.BUY, seats=after.seats.put(B, traveller("handa", cash=17))
    )
    _, events = play(buying, B, "/buy meitetsu_seto")
    assert events_of(events, Bought) == [Bought(B, LineId("meitetsu_seto"), 17, 0)]


@pytest.mark.rule("tokai 11.2.3")
@pytest.mark.parametrize(("choice", "cash"), [(Choice.BID, 9), (Choice.BANK, 8)])
def test_x33_after_the_auction_the_seller_takes_9_000_from_b_or_8_000_from_the_bank(
    choice: Choice, cash: int
) -> None:
    before = but(
        short(["meitetsu_seto"], cash=0, b_cash=20),
        phase=Phase.DEAL,
        auction=Auction(LineId("meitetsu_seto"), best=9, by=C, bidders=(C,)),
    )
    before = but(before, seats=before.seats.put(C, traveller("tsu", to="nagoya", cash=9)))
    after = GAME.play(before, A, Deal(choice), dice(1, 1)).state
    assert after.seats[A].cash == cash - 5
    assert after.owners.get(LineId("meitetsu_seto")) == (C if choice is Choice.BID else None)


@pytest.mark.rule("tokai 11.2.1")
def test_x34_not_one_line_more_than_the_fare_takes() -> None:
    before = short(["johoku", "subway_higashiyama"], cash=3)
    after, events = play(before, A, "/sell johoku bank")
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 5)]
    assert (after.seats[A].cash, after.active) == (2, B)
    assert after.owners[LineId("subway_higashiyama")] == A
    assert refusal(but(after, phase=Phase.MOVE), A, "/sell subway_higashiyama bank").code


def kani_to_ogaki(roll: int, *, express: bool = False) -> State:
    rider = traveller("kani", to="ogaki", cash=8, express=express)
    owners = {"jr_taita": B, "jr_takayama": C, "jr_tokaido": D}
    before = riding(rider, roll, owners, seats=4)
    return ridden(before, "jr_taita mino_ota", "jr_takayama gifu")


@pytest.mark.rule("tokai 14.1.1", "tokai 11.2.7")
@pytest.mark.parametrize("express", [False, True], ids=["X-35", "X-36"])
@pytest.mark.parametrize(("roll", "end"), [(10, "nishi_gifu"), (11, "hozumi")])
def test_x35_x36_from_kani_to_ogaki_in_bankruptcy(roll: int, end: str, express: bool) -> None:
    after, events = play(kani_to_ogaki(roll, express=express), A, f"/go jr_tokaido {end}")
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 5), PaidOwner(A, C, 3)]
    assert events_of(events, WentBankrupt) == [WentBankrupt(A, 7)]
    assert after.fallen == (A,)
    assert (after.seats[A].cash, after.seats[A].express) == (0, False)
    assert [after.seats[seat].cash for seat in (B, C, D)] == [25, 23, 20]


@pytest.mark.rule("tokai 11.11")
def test_x35_with_a_12_he_arrives_and_can_pay() -> None:
    arrived, _ = play(kani_to_ogaki(12), A, "/go jr_tokaido ogaki")
    after, events = play(arrived, A, "/buy none")
    assert events_of(events, PaidOwner) == [PaidOwner(A, seat, 5) for seat in (B, C, D)]
    assert (after.seats[A].cash, after.fallen) == (8 + 10 - 15, ())


@pytest.mark.rule("tokai 9.4", "tokai 12.1", "tokai 12.2")
def test_x37_the_last_line_ends_the_game_at_once() -> None:
    owners = {**all_but("johoku"), "subway_higashiyama": A}
    rider = traveller("otai", cash=20, express=True)
    before = table(rider, phase=Phase.BUY, owners=owners, granted=True, dues=[(B, 5)])
    after, events = play(before, A, "/buy johoku", NoChance())
    assert (after.phase, after.seats[A].cash) == (Phase.OVER, 12)
    assert events_of(events, PaidOwner) == []
    result = GAME.result(after)
    assert result is not None
    scores = {each.seat: each.score for each in result.standings}
    assert scores[A] == 50
    assert events_of(events, GameOver) == [GameOver((B,), scores[B])]
    assert scores[B] == 20 + 566 - 38


@pytest.mark.rule("tokai 9.1", "tokai 10.1", "tokai 11.1")
def test_x39_two_arrivals_in_a_turn_are_two_payoffs_two_purchases_and_one_fare() -> None:
    before, _ = there_and_back(4)
    before = ridden(before, "meitetsu_seto seto_shi")
    arrived, events = play(before, A, "/go aichi_loop kozoji")
    assert events_of(events, Arrived) == [Arrived(A, PointId("kozoji"), 5, 20)]
    bought, events = play(arrived, A, "/buy linimo")
    assert events_of(events, Bought) == [Bought(A, LineId("linimo"), 8, 12)]
    assert events_of(events, PaidBank, PaidOwner) == [PaidBank(A, 1), PaidOwner(A, C, 5)]
    assert bought.seats[A].cash == 10 + 5 + 5 - 8 - 6


@pytest.mark.rule("tokai 9.5", "tokai 11.6")
def test_x40_a_pawn_on_a_skipped_stop_is_on_the_line_too() -> None:
    waiting = table(
        traveller(
            *["kanayama", "jingu_mae", "horita", "moto_kasadera", "narumi", "arimatsu"], to="chiryu"
        ),
        traveller("handa", cash=40),
        phase=Phase.BUY,
        active=B,
    )
    _, events = play(waiting, B, "/buy meitetsu_main")
    assert events_of(events, ThroughGot) == [ThroughGot(A, LineId("meitetsu_main"), B)]


@pytest.mark.rule("tokai 7.1.4")
def test_x41_a_ticket_bought_after_a_double_grants_nothing() -> None:
    before = table(traveller("nagoya", cash=9), phase=Phase.DEST)
    before, events = play(before, A, "/dest sakae", dice(4, 4))
    assert events_of(events, ExtraGranted) == []
    arrived, _ = play(before, A, "/go subway_higashiyama sakae")
    after, _ = play(arrived, A, "/buy 急行券")
    assert (after.seats[A].express, after.active, after.extra) == (True, B, False)


@pytest.mark.rule("tokai 11.9")
def test_x42_another_line_on_the_same_stretch_ends_the_ticket() -> None:
    rider = traveller("nagoya", to="gifu", through=["meitetsu_inuyama"])
    before = riding(rider, 1, {"meitetsu_inuyama": B})
    after, events = play(before, A, "/go meitetsu_main sako")
    assert events_of(events, ThroughEnded) == [ThroughEnded(A, (LineId("meitetsu_inuyama"),))]
    assert after.seats[A].through == ()


def b_sells_linimo() -> State:
    """B must sell Linimo, for which A has a through ticket; C has money."""
    return sound(
        table(
            traveller("yakusa", to="nagoya", through=["linimo"]),
            traveller("tsu", to="nagoya", cash=0),
            traveller("handa", cash=30),
            phase=Phase.SELL,
            active=B,
            owners={"linimo": B},
            dues=[(BANK, 1)],
        )
    )


@pytest.mark.rule("tokai 11.10")
def test_x43_a_line_that_returned_to_the_bank_gives_the_ticket_anew() -> None:
    sold, _ = play(b_sells_linimo(), B, "/sell linimo bank")
    assert sold.seats[A].through == ()
    buying = but(sold, active=C, phase=Phase.BUY, roll=0)
    bought, events = play(buying, C, "/buy linimo")
    assert events_of(events, ThroughGot) == [ThroughGot(A, LineId("linimo"), C)]
    assert bought.seats[A].through == ("linimo",)


@pytest.mark.rule("tokai 11.10")
def test_x43_an_auction_leaves_the_ticket() -> None:
    requested, _ = play(b_sells_linimo(), B, "/sell linimo auction")
    requested, _ = play(requested, C, "/bid 4")
    if A in GAME.to_move(requested):
        requested, _ = play(requested, A, "/bid pass")
    after, events = play(requested, B, "/deal bid")
    assert events_of(events, AuctionWon) == [AuctionWon(C, LineId("linimo"), B, 4)]
    assert events_of(events, SetOff) == []
    assert (after.owners[LineId("linimo")], after.seats[A].through) == (C, ("linimo",))
    assert events_of(events, LinesReturned) == []
    assert lines(after, B) == []
