"""The house bot `greedy`: what it decides, and that its games end and are won."""

from __future__ import annotations

import pytest

from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.bot.expected_fares import FULL, destination_weights, usefulness
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.network import DESTINATIONS, LINES
from bluebear.rules.tokai.rules.state import Auction, Ending, Phase, State
from tests.rules.scripted_chance import ScriptedChance
from tests.rules.tokai.scene import A, B, C, all_but, eyes, table, traveller


def choice(made: State, seat: Seat = A) -> str:
    """What greedy plays from what the seat sees; it draws nothing."""
    view = GAME.seen(made, eyes(seat))
    moves = GAME.plain(made, seat)
    move = GAME.bots["greedy"](view, seat, moves, ScriptedChance())
    assert move in moves
    return GAME.grammar.format(move)


def test_it_picks_what_is_ridden_most_and_the_ticket() -> None:
    hand = tuple(map(LineId, ("subway_higashiyama", "sangi_railway", "linimo", "aonami")))
    waiting = but(traveller(cash=0), hand=hand, chosen=False)
    made = table(waiting, waiting, phase=Phase.PREBUY, turns=0)
    assert choice(made) == "/prebuy subway_higashiyama sangi_railway express"


def test_it_starts_in_the_middle() -> None:
    made = table(traveller(), traveller("tsu"), phase=Phase.START, turns=0)
    assert choice(made) == "/dest nagoya"


def test_it_moves_where_a_turn_earns_most() -> None:
    assert choice(table(traveller("nagoya"), phase=Phase.REGION)).startswith("/region ")
    far = choice(table(traveller("sekigahara"), phase=Phase.DEST))
    assert far != "/dest sekigahara"


def test_it_rides_the_free_route_if_that_is_not_much_longer() -> None:
    """From Kamimaezu to Motoyama: 6 steps over Chikusa, 9 over Yagoto."""
    rider = traveller("kamimaezu", to="motoyama", through=["subway_tsurumai"])
    owners = {"subway_meijo": B, "subway_tsurumai": B, "subway_higashiyama": A}
    assert choice(table(rider, roll=6, owners=owners)) == "/go subway_tsurumai tsurumai"


def test_it_takes_the_shinkansen_for_a_long_route_and_not_for_a_short_one() -> None:
    assert choice(table(traveller("nagoya", to="toyohashi"), roll=5)) == (
        "/go jr_shinkansen toyohashi"
    )
    rivals = {"jr_shinkansen": B}
    close = table(traveller("toyohashi", to="anjo"), roll=5, owners=rivals)
    assert choice(close) == "/go jr_tokaido gamagori"


def test_it_buys_the_line_that_is_ridden_most_and_keeps_a_reserve() -> None:
    owners = all_but("jr_tokaido", "meitetsu_komaki", "sangi_railway", *_FREE)
    rich = table(traveller("nagoya", cash=46, express=True), phase=Phase.BUY, owners=owners)
    assert choice(rich) == "/buy jr_tokaido"
    poorer = but(rich, seats=rich.seats.put(A, traveller("nagoya", cash=45, express=True)))
    assert choice(poorer) != "/buy jr_tokaido"
    poor = but(rich, seats=rich.seats.put(A, traveller("nagoya", cash=9, express=True)))
    assert choice(poor) == "/buy none"


_FREE = ("jr_iida", "linimo", "aonami", "johoku", "jr_taita", "subway_meiko", "yoro_railway")


def test_it_buys_the_ticket_early_and_not_late() -> None:
    early = table(traveller("nagoya", cash=11), phase=Phase.BUY)
    assert choice(early) == "/buy express"
    late = table(traveller("nagoya", cash=11), phase=Phase.BUY, owners=all_but("jr_chuo", "linimo"))
    assert choice(late) == "/buy none"


@pytest.mark.rule("tokai 9.4", "tokai 12.1")
def test_it_buys_the_last_line_only_if_it_is_ahead() -> None:
    behind = table(traveller("nagoya", cash=50), phase=Phase.BUY, owners=all_but("linimo", owner=B))
    assert choice(behind) == "/buy none"
    ahead = table(traveller("nagoya", cash=50), phase=Phase.BUY, owners=all_but("linimo", owner=A))
    assert choice(ahead) == "/buy linimo"


@pytest.mark.rule("tokai 11.2.1", "tokai 11.2.3")
def test_it_sells_the_cheapest_line_that_is_enough_by_auction() -> None:
    owners = {"linimo": A, "johoku": A, "jr_chuo": A, "sangi_railway": A}
    made = table(
        traveller("nagoya", cash=2), phase=Phase.SELL, owners=owners, dues=[(B, 5), (0, 1)]
    )
    assert choice(made) == "/sell johoku auction"
    owing = but(made, dues=table(dues=[(B, 10), (C, 10)]).dues)
    assert choice(owing) == "/sell jr_chuo auction"


def auctioned(phase: Phase, *, best: int, cash: int = 30, seats: int = 2) -> State:
    """B has to sell the Seto Line of 17,000 yen; or A has, and B has bid."""
    seller = A if phase is Phase.DEAL else B
    by = B if phase is Phase.DEAL else (C if best else None)
    return table(
        traveller("nagoya", cash=cash if phase is Phase.AUCTION else 0),
        phase=phase,
        active=seller,
        owners={"meitetsu_seto": seller},
        dues=[(0, 1)],
        auction=Auction(LineId("meitetsu_seto"), best=best, by=by, bidders=(A, B)),
        seats=seats,
    )


@pytest.mark.rule("tokai 11.2.5")
@pytest.mark.parametrize(
    ("best", "cash", "line"),
    [
        (0, 30, "/bid 8000"),
        (12, 30, "/bid 13000"),
        (16, 30, "/bid pass"),
        (12, 18, "/bid pass"),
        (12, 19, "/bid 13000"),
    ],
)
def test_it_bids_below_the_face_and_keeps_a_reserve(best: int, cash: int, line: str) -> None:
    assert choice(auctioned(Phase.AUCTION, best=best, cash=cash, seats=3)) == line


@pytest.mark.rule("tokai 11.2.3")
@pytest.mark.parametrize(
    ("best", "seats", "line"),
    [(8, 2, "/deal bank"), (12, 2, "/deal bank"), (13, 2, "/deal bid"), (11, 4, "/deal bid")],
)
def test_it_makes_no_rival_a_present(best: int, seats: int, line: str) -> None:
    assert choice(auctioned(Phase.DEAL, best=best, seats=seats)) == line


def test_lines_are_worth_what_trips_use_them() -> None:
    use = usefulness()
    assert set(use) == {line.id for line in LINES}
    assert all(0 <= each <= FULL for each in use.values())
    assert max(use, key=lambda line: use[line]) in ("jr_chuo", "jr_tokaido")
    assert use[LineId("sangi_railway")] < use[LineId("subway_higashiyama")]
    assert set(destination_weights()) == set(DESTINATIONS)
    weights = destination_weights()
    assert weights[PointId("nagoya")] == 11 * 20


def ended(seed: int, seats: int, bot_seat: Seat | None) -> State:
    """The end of a game: greedy on one seat among random players, or on all."""
    chance = FastChance(seed)
    made: State = GAME.setup(GAME.info.complete({}), seats, chance).state
    while deciding := GAME.to_move(made):
        seat = min(deciding)
        moves = GAME.plain(made, seat)
        if bot_seat in (None, seat):
            move = GAME.bots["greedy"](GAME.seen(made, eyes(seat)), seat, moves, chance)
        else:
            move = moves[chance.pick(len(moves))]
        made = GAME.play(made, seat, move, chance).state
    return made


def wins(seed: int, seats: int) -> bool:
    """Whether greedy, on one seat among random players, wins alone."""
    bot_seat = Seat(seed % seats + 1)
    result = GAME.result(ended(seed, seats, bot_seat))
    assert result is not None
    return [each.seat for each in result.standings if each.place == 1] == [bot_seat]


@pytest.mark.parametrize("seats", [2, 3])
def test_it_beats_random_players_in_95_of_100_games(seats: int) -> None:
    assert sum(wins(seed, seats) for seed in range(100)) >= 95


@pytest.mark.parametrize("requested", [Phase.REGION, Phase.DEST, Phase.MOVE, Phase.BUY, Phase.SELL])
def test_it_takes_the_first_of_moves_that_are_of_another_moment(requested: Phase) -> None:
    """A client's lines and its view come one after the other."""
    riding = table(traveller("nagoya", to="toyohashi"), roll=5)
    here = table(traveller("nagoya", to="toyohashi"), roll=5, phase=requested)
    moment = table(traveller("nagoya"), phase=Phase.REGION) if requested is Phase.MOVE else riding
    moves = GAME.plain(moment, A)
    assert GAME.bots["greedy"](GAME.seen(here, eyes(A)), A, moves, ScriptedChance()) == moves[0]


@pytest.mark.rule("tokai 7.2.7", "tokai 12.1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_among_themselves_they_sell_out_in_about_a_hundred_turns(seats: int) -> None:
    tables = [ended(seed, seats, None) for seed in range(4)]
    assert [made.ending for made in tables] == [Ending.LAST_LINE] * 4
    assert all(75 <= made.turns <= 150 for made in tables)
