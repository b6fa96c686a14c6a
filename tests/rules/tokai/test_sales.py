"""When the cash does not cover the dues: sections 11.2.x and 14.1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules.events import (
    AuctionBegan,
    AuctionWon,
    CannotBid,
    HasBid,
    NobodyBid,
    PaidBank,
    PaidOwner,
    SetOff,
    Short,
    SoldToBank,
    WentBankrupt,
)
from bluebear.rules.tokai.rules.market import HIGHEST_BID, face_half
from bluebear.rules.tokai.rules.network import LINES
from bluebear.rules.tokai.rules.state import Phase, State
from tests.rules.tokai.scene import (
    JA,
    A,
    B,
    C,
    D,
    dice,
    events_of,
    lines,
    misunderstood,
    names,
    play,
    reason,
    refusal,
    sentence,
    sound,
    table,
    traveller,
    typed,
)


def selling(
    *cash: int,
    dues: Sequence[tuple[int, int]] = ((2, 5),),
    owners: Mapping[str, Seat] | None = None,
) -> State:
    """A has to sell; so much cash each seat has, A first."""
    homes = ("nagoya", "yokkaichi", "gifu", "toyohashi")
    seats = [
        traveller(home, cash=each, to=None if number == 0 else "nagoya")
        for number, (home, each) in enumerate(zip(homes, cash, strict=False))
    ]
    owned = owners or {"johoku": A, "subway_higashiyama": A}
    return sound(table(*seats, phase=Phase.SELL, owners=owned, dues=dues))


def auction(
    *cash: int,
    dues: Sequence[tuple[int, int]] = ((2, 5),),
    owners: Mapping[str, Seat] | None = None,
    line: str = "johoku",
) -> State:
    """A has put a line up for auction."""
    made, _ = play(selling(*cash, dues=dues, owners=owners), A, f"/sell {line} auction")
    return made


@pytest.mark.rule("tokai 11.2.1")
def test_a_seat_that_cannot_pay_must_sell() -> None:
    rider = traveller("nagoya", to="tsu", cash=3)
    made = table(rider, roll=3, owners={"jr_kansai": B, "johoku": A, "subway_higashiyama": A})
    made, events = play(made, A, "/go jr_kansai kanie")
    assert events_of(events, Short) == [Short(A, 3, 5)]
    assert (made.phase, made.active) == (Phase.SELL, A)
    assert lines(made, A) == [
        "/sell johoku auction",
        "/sell johoku bank",
        "/sell subway_higashiyama auction",
        "/sell subway_higashiyama bank",
    ]
    assert refusal(made, A, "/sell linimo bank").code == "not_yours"
    assert refusal(made, B, "/sell jr_kansai bank").code == "not_your_turn"


@pytest.mark.rule("tokai 11.2.1")
def test_not_one_more_than_is_needed() -> None:
    """X-34: dues 5, cash 3; the line of face 8 brings 4, and 2 are left."""
    made, events = play(selling(3, 20), A, "/sell johoku bank", dice(1, 2))
    assert names(events) == ["SoldToBank", "PaidOwner", "TurnBegan", "RolledSteps"]
    assert made.seats[A].cash == 2
    assert made.lines_of(A) == ("subway_higashiyama",)


@pytest.mark.rule("tokai 11.2.1")
def test_one_sells_on_until_it_is_enough() -> None:
    owners = {"subway_kamiiida": A, "johoku": A}
    made, events = play(selling(0, 20, owners=owners), A, "/sell subway_kamiiida bank")
    assert names(events) == ["SoldToBank", "Short"]
    made, events = play(made, A, "/sell johoku bank", dice(1, 2))
    assert events_of(events, PaidOwner) == [PaidOwner(A, B, 5)]
    assert made.seats[A].cash == 1


@pytest.mark.rule("tokai 11.2.2")
def test_the_bank_gives_half_the_face_rounded_down() -> None:
    """X-32: 17 brings 8; the next buyer pays 17."""
    assert face_half(LineId("meitetsu_seto")) == 8
    made, events = play(
        selling(0, 20, owners={"meitetsu_seto": A}), A, "/売る 瀬戸線 銀行", dice(1, 2)
    )
    assert events_of(events, SoldToBank) == [SoldToBank(A, LineId("meitetsu_seto"), 8)]
    assert LineId("meitetsu_seto") not in made.owners
    buyer = table(traveller("nagoya", cash=16), phase=Phase.BUY, owners=dict(made.owners.items()))
    assert refusal(buyer, A, "/buy meitetsu_seto").params["price"] == 17


@pytest.mark.rule("tokai 11.2.3")
def test_after_an_auction_the_seller_may_still_choose_the_bank() -> None:
    """X-33."""
    made = auction(0, 20, owners={"meitetsu_seto": A}, line="meitetsu_seto")
    made, events = play(made, B, "/bid 9000")
    assert (made.phase, made.active) == (Phase.DEAL, A)
    assert lines(made, A) == ["/deal bank", "/deal bid"]
    assert refusal(made, B, "/deal bid").code == "not_your_turn"
    to_bank, events = play(made, A, "/deal bank", dice(1, 2))
    assert events_of(events, SoldToBank) == [SoldToBank(A, LineId("meitetsu_seto"), 8)]
    assert to_bank.seats[A].cash == 3
    sold, events = play(made, A, "/取引 落札", dice(1, 2))
    won = [AuctionWon(B, LineId("meitetsu_seto"), A, 9), SetOff(A, B, 5)]
    assert events_of(events, AuctionWon, SetOff) == won
    assert sold.seats[A].cash == 4


@pytest.mark.rule("tokai 11.2.4", "tokai 11.2.6")
def test_who_is_owed_5000_yen_buys_at_5000_without_cash() -> None:
    """X-31."""
    made = auction(0, 0, owners={"johoku": A})
    assert lines(made, B) == ["/bid 4000", "/bid 5000", "/bid pass"]
    made, _ = play(made, B, "/bid 5000")
    made, events = play(made, A, "/deal bid", dice(1, 2))
    won = events_of(events, AuctionWon, SetOff)
    assert won == [AuctionWon(B, LineId("johoku"), A, 5), SetOff(A, B, 5)]
    assert [made.seats[seat].cash for seat in (A, B)] == [0, 0]
    assert made.owners[LineId("johoku")] == B
    assert (made.dues, made.fallen) == ((), ())
    assert [sentence(event) for event in won] == [
        "The Johoku Line goes from Seat 1 to Seat 2 for 5,000 yen.",
        "5,000 yen of that is set off against the fare that Seat 1 owes Seat 2 (11.2.6).",
    ]


@pytest.mark.rule("tokai 11.2.6")
def test_the_debt_is_first_and_the_rest_is_cash() -> None:
    made = auction(0, 20, 20, dues=[(2, 5), (3, 5)])
    made, _ = play(made, B, "/bid 4000")
    made, _ = play(made, C, "/bid 8")
    made, _ = play(made, B, "/bid pass")
    made, events = play(made, A, "/deal bid")
    won = [AuctionWon(C, LineId("johoku"), A, 8), SetOff(A, C, 5)]
    assert events_of(events, AuctionWon, SetOff) == won
    assert made.seats[C].cash == 17
    # 3 in cash do not reach for what is owed to B.
    assert events_of(events, Short) == [Short(A, 3, 5)]


@pytest.mark.rule("tokai 11.2.6")
def test_a_debt_larger_than_the_price_is_cancelled_partly() -> None:
    made = auction(0, 20, dues=[(2, 10)])
    made, _ = play(made, B, "/bid 4")
    made, events = play(made, A, "/deal bid")
    won = [AuctionWon(B, LineId("johoku"), A, 4), SetOff(A, B, 4)]
    assert events_of(events, AuctionWon, SetOff) == won
    assert [(due.payee, due.amount) for due in made.dues] == [(B, 6)]
    assert made.seats[B].cash == 20


@pytest.mark.rule("tokai 11.2.5")
def test_bids_go_round_from_the_next_seat_and_up() -> None:
    made = auction(0, 20, 20, 20)
    assert (made.phase, made.auction and made.auction.bidders) == (Phase.AUCTION, (B, C, D))
    assert refusal(made, C, "/bid 9000").code == "not_your_turn"
    assert refusal(made, B, "/bid 3000").code == "bid_does_not_fit"
    made, events = play(made, B, "/bid 4000")
    assert events == [HasBid(B, LineId("johoku"), 4)]
    assert "from 5,000 yen to 20,000 yen" in reason(refusal(made, C, "/bid 4000"))
    made, _ = play(made, C, "/bid 5000")
    made, _ = play(made, D, "/bid pass")
    made, _ = play(made, B, "/bid 6000")
    assert lines(made, D) == []
    made, _ = play(made, C, "/bid pass")
    assert (made.phase, made.auction and made.auction.by) == (Phase.DEAL, B)


@pytest.mark.rule("tokai 11.2.5")
def test_it_begins_at_half_the_face() -> None:
    made, events = play(selling(0, 40), A, "/sell subway_higashiyama auction")
    assert events == [AuctionBegan(A, LineId("subway_higashiyama"), 15)]
    assert lines(made, B)[0] == "/bid 15000"


@pytest.mark.rule("tokai 11.2.5")
def test_no_person_bids_more_than_cash_and_what_is_owed_to_him() -> None:
    made = auction(0, 20, 20)
    refused = refusal(made, B, "/bid 26000")
    assert refused.params["highest"] == 25
    made, _ = play(made, B, "/bid 25000")
    # C has 20,000 yen and is not asked.
    assert made.phase is Phase.DEAL


@pytest.mark.rule("tokai 11.2.5")
def test_who_cannot_make_the_least_bid_is_not_prompted() -> None:
    made, events = play(selling(0, 20, 3, 20), A, "/sell johoku auction")
    made, events = play(made, B, "/bid pass")
    assert events_of(events, CannotBid) == [CannotBid(C)]
    assert made.auction is not None
    assert made.auction.bidders == (D,)


@pytest.mark.rule("tokai 11.2.5")
def test_the_last_one_is_still_prompted_while_no_person_has_bid() -> None:
    made = auction(0, 20, 20)
    made, _ = play(made, B, "/bid pass")
    assert lines(made, C)[:2] == ["/bid 10000", "/bid 11000"]
    made, _ = play(made, C, "/bid 4000")
    assert made.phase is Phase.DEAL


@pytest.mark.rule("tokai 11.2.5")
def test_without_a_bid_the_bank_takes_the_line() -> None:
    made = auction(1, 20, 20)
    made, _ = play(made, B, "/bid pass")
    made, events = play(made, C, "/入札 パス", dice(1, 2))
    assert names(events)[:3] == ["Passed", "NobodyBid", "SoldToBank"]
    assert events_of(events, NobodyBid) == [NobodyBid(LineId("johoku"))]
    assert made.seats[A].cash == 0


@pytest.mark.rule("tokai 11.2.5")
def test_where_no_person_can_bid_the_bank_takes_it_at_once() -> None:
    made, events = play(selling(1, 0, 0, dues=[(0, 2)]), A, "/sell johoku auction", dice(1, 2))
    assert names(events)[:5] == [
        "AuctionBegan",
        "CannotBid",
        "CannotBid",
        "NobodyBid",
        "SoldToBank",
    ]
    assert made.seats[A].cash == 3


@pytest.mark.rule("tokai 11.2.3", "tokai 11.10")
def test_an_auction_changes_no_through_ticket_but_the_new_owners() -> None:
    """X-43, the second half."""
    made = table(
        traveller("nagoya", cash=0),
        traveller("kozoji", to="nagoya", through=("aichi_loop",), cash=20),
        traveller("okazaki", to="nagoya", through=("aichi_loop",)),
        phase=Phase.SELL,
        owners={"aichi_loop": A},
        dues=[(int(B), 5)],
    )
    made, _ = play(made, A, "/sell aichi_loop auction")
    made, _ = play(made, B, "/bid 10")
    made, _ = play(made, C, "/bid pass")
    made, _ = play(made, A, "/deal bid", dice(1, 2))
    assert made.owners[LineId("aichi_loop")] == B
    assert made.seats[B].through == ()
    assert made.seats[C].through == ("aichi_loop",)


@pytest.mark.rule("tokai 11.2.7", "tokai 14.1.1", "tokai 13.2")
def test_a_bankrupt_pays_in_the_order_of_the_route() -> None:
    """X-35: 8,000 yen for three debts of 5,000."""
    rider = traveller("kani", to="ogaki", cash=8)
    owners = {"jr_taita": B, "jr_takayama": C, "jr_tokaido": D}
    made = table(rider, seats=4, roll=10, owners=owners)
    ride = "/go jr_taita mino_ota jr_takayama gifu jr_tokaido nishi_gifu"
    made, events = play(made, A, ride, dice(1, 2))
    assert events_of(events, PaidOwner, WentBankrupt) == [
        PaidOwner(A, B, 5),
        PaidOwner(A, C, 3),
        WentBankrupt(A, 7),
    ]
    assert [made.seats[seat].cash for seat in (A, B, C, D)] == [0, 25, 23, 20]
    assert made.fallen == (A,)
    assert made.active == B


@pytest.mark.rule("tokai 11.2.7")
def test_a_ticket_saves_no_person() -> None:
    """X-36."""
    rider = traveller("kani", to="ogaki", cash=8, express=True)
    owners = {"jr_taita": B, "jr_takayama": C, "jr_tokaido": D}
    made = table(rider, seats=4, roll=10, owners=owners)
    ride = "/go jr_taita mino_ota jr_takayama gifu jr_tokaido nishi_gifu"
    made, events = play(made, A, ride, dice(1, 2))
    assert made.fallen == (A,)
    assert not made.seats[A].express
    assert sentence(events_of(events, WentBankrupt)[0], JA) == (
        "席1は7,000円を支払えず破産し、ゲームから除外されます(11.2.7)。"
    )


@pytest.mark.rule("tokai 14.1.1")
def test_the_bank_stands_in_the_order_of_the_route_too() -> None:
    rider = traveller("kani", to="ogaki", cash=3)
    owners = {"jr_takayama": C, "jr_tokaido": D}
    made = table(rider, seats=4, roll=10, owners=owners)
    ride = "/go jr_taita mino_ota jr_takayama gifu jr_tokaido nishi_gifu"
    made, events = play(made, A, ride, dice(1, 2))
    assert events_of(events, PaidBank, PaidOwner) == [PaidBank(A, 1), PaidOwner(A, C, 2)]


@pytest.mark.rule("tokai 16.4")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/bid 17000", "/bid 17000"),
        ("/bid 17", "/bid 17000"),
        ("/bid 17,000", "/bid 17000"),
        ("/入札 17000円", "/bid 17000"),
        ("/入札 １万７千円", "/bid 17000"),
        ("/入札 2万", "/bid 20000"),
        ("/入札 パス", "/bid pass"),
        ("/bid p", "/bid pass"),
    ],
)
def test_amounts_are_typed_as_people_do(text: str, line: str) -> None:
    assert typed(auction(0, 40), B, text) == [line]


@pytest.mark.rule("tokai 16.4")
@pytest.mark.parametrize("amount", ["17500", "0", "-3", "401", "400001", "much", "1万7"])
def test_what_is_no_amount_is_refused_with_examples(amount: str) -> None:
    refused = misunderstood(auction(0, 40), B, f"/bid {amount}")
    assert refused.code == "bad_amount"
    assert "up to 400,000 yen" in reason(refused)


@pytest.mark.rule("tokai 16.4")
def test_no_bid_is_above_the_bound() -> None:
    made = auction(0, 2000)
    assert max(int(line.split()[1]) for line in lines(made, B)[:-1]) == HIGHEST_BID * 1000
    assert len(lines(made, B)) == HIGHEST_BID - 4 + 2
    assert max(line.price for line in LINES) * 10 == HIGHEST_BID
