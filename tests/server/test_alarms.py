"""Alarms: when a room wants to be woken, and for what; pure, with times as parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat, but
from bluebear.server.limits import (
    ALARM_SECONDS_MAX,
    AWAY_SECONDS,
    BOT_PACE_SECONDS,
    HOUSE_BOT_SECONDS,
    LEVEL_SECONDS,
    STAND_IN_PACE_SECONDS,
)
from bluebear.server.room.state import Chair, Phase, Privacy, Room, Table, Vote, VoteKind
from bluebear.server.rooms.timers import Deadline, RoomTimer, pace_of
from bluebear.server.rooms.views import Members

AYU, BEN = "pAyu", "pBen"


def chair(person: str | None, *, bot: str | None = None, deadline: int | None = None) -> Chair:
    return Chair(
        name="name",
        human=person is not None,
        bot=bot,
        seed=None,
        resigned=None,
        bank=None,
        deadline=deadline,
        person=person,
        timeouts=0,
    )


def room(
    one: Chair, other: Chair, *, turn: tuple[int, ...] = (1,), clock: str = "off", votes: int = 0
) -> Room:
    """Two seats and whose turn it is."""
    vote = Vote(VoteKind.PAUSE, "", (1,), (), (), 30_000, None, None, None, True)
    table = Table(
        id="123456",
        game="journey",
        privacy=Privacy.PUBLIC,
        phase=Phase.PLAYING,
        host="Ayu",
        options=Keyed({"clock": clock} if clock != "off" else {}),
        seats=Keyed({Seat(1): one, Seat(2): other}),
        turn=turn,
        ready=(),
        votes=Keyed(dict.fromkeys(range(1, votes + 1), vote)),
        game_id="g",
        commit="",
        locked=False,
        rated=True,
        paused_at=None,
        ending=None,
        host_person=AYU,
        secret="",
        password=None,
        invites=Keyed(),
        admitted=Keyed(),
        banned=Keyed(),
        votes_made=votes,
    )
    return Room(
        table=table,
        game=None,
        version=1,
        at=0,
        counter=0,
        key=b"",
        since=(0, 0),
        past=(),
        head=None,
        recorded=None,
        steps=0,
        log=(),
    )


class Watch(RoomTimer):
    """The timer of a room in which these people are, at one moment of both clocks."""

    def __init__(self, here: Sequence[str], loop_now: float, now: int) -> None:
        self.people = Members()
        self.people.here = {person: person for person in here}
        super().__init__(Moment(now), self.people, None)
        self.loop_now = loop_now


@dataclass(frozen=True)
class Moment:
    """A clock that stands still."""

    at: int

    def now(self) -> int:
        return self.at


def watch(*here: str, loop_now: float = 0.0, now: int = 0) -> Watch:
    return Watch(here, loop_now, now)


def next_alarm(room: Room, seen: Watch) -> float | None:
    return seen.next_alarm(room, seen.loop_now)


def due(room: Room, seen: Watch) -> list[Deadline]:
    return seen.due(room, seen.loop_now)


def test_nothing_is_due_while_all_people_is_there() -> None:
    seen = watch(AYU, BEN, loop_now=9999.0)
    assert next_alarm(room(chair(AYU), chair(BEN)), seen) is None
    assert due(room(chair(AYU), chair(BEN)), seen) == []


def test_a_house_bot_to_move_is_given_its_seconds() -> None:
    playing = room(chair(None, bot="random"), chair(AYU))
    assert next_alarm(playing, watch(AYU)) == HOUSE_BOT_SECONDS
    assert due(playing, watch(AYU, loop_now=HOUSE_BOT_SECONDS)) == [Deadline("clock", 1)]


def test_a_house_bot_that_stands_in_is_given_a_persons_time() -> None:
    playing = room(chair(BEN, bot="random"), chair(AYU))
    assert next_alarm(playing, watch(AYU)) == HOUSE_BOT_SECONDS + STAND_IN_PACE_SECONDS


def test_other_bots_of_that_room_are_given_the_same_time() -> None:
    playing = room(chair(BEN, bot="random"), chair(None, bot="random"), turn=(2,))
    assert next_alarm(playing, watch(AYU)) == HOUSE_BOT_SECONDS + STAND_IN_PACE_SECONDS


def test_no_clock_rings_for_bots_that_are_slowed_down() -> None:
    overdue = chair(BEN, bot="random", deadline=-1)
    seen = watch(AYU, loop_now=1.0)
    assert due(room(overdue, chair(AYU), clock="10+0"), seen) == []
    assert due(room(chair(None, bot="random", deadline=-1), chair(AYU), clock="10+0"), seen) != []
    assert due(room(overdue, chair(AYU, deadline=-1), clock="10+0"), seen) == [Deadline("clock", 2)]


def test_a_clock_that_continues_rings_not_before_the_least_time() -> None:
    playing = room(chair(BEN, deadline=-1), chair(AYU), clock="10+0")
    seen = watch(AYU, BEN, loop_now=1.0)
    seen.spared_until = {Seat(1): 6.0}
    assert next_alarm(playing, seen) == 6.0
    assert due(playing, seen) == []
    seen.loop_now = 6.0
    assert due(playing, seen) == [Deadline("clock", 1)]


def test_a_time_that_is_far_away_is_looked_at_again_before() -> None:
    playing = room(chair(BEN, deadline=10**9), chair(AYU), clock="3600+30")
    assert next_alarm(playing, watch(AYU, BEN, loop_now=5.0)) == 5.0 + ALARM_SECONDS_MAX


def test_a_house_bot_that_is_not_to_move_is_not_watched() -> None:
    playing = room(chair(AYU), chair(None, bot="random"))
    assert next_alarm(playing, watch(AYU)) is None


def test_an_absent_player_to_move_is_prompted_about() -> None:
    playing = room(chair(BEN), chair(AYU))
    assert next_alarm(playing, watch(AYU)) == AWAY_SECONDS
    assert due(playing, watch(AYU, loop_now=AWAY_SECONDS)) == [Deadline("remove", 1)]


def test_absence_counts_from_when_it_began_or_from_the_turn() -> None:
    playing = room(chair(BEN), chair(AYU))
    seen = watch(AYU)
    seen.people.absent_since = {BEN: 50.0}
    assert next_alarm(playing, seen) == 50 + AWAY_SECONDS
    seen.turn_since = 80.0
    assert next_alarm(playing, seen) == 80 + AWAY_SECONDS


def test_an_absent_player_is_prompted_about_once() -> None:
    playing = room(chair(BEN), chair(AYU))
    seen = watch(AYU, loop_now=9999.0)
    seen.voted_about = {BEN}
    assert due(playing, seen) == []


def test_no_person_is_prompted_where_no_person_can_vote() -> None:
    playing = room(chair(AYU), chair(BEN))
    assert due(playing, watch("pEva", loop_now=9999.0)) == []


def test_with_a_clock_absence_does_not_matter() -> None:
    playing = room(chair(BEN), chair(AYU), clock="60+0")
    assert next_alarm(playing, watch(AYU)) is None


def test_a_clock_rings_at_its_deadline() -> None:
    playing = room(chair(AYU, deadline=60_000), chair(BEN), clock="60+0")
    assert next_alarm(playing, watch(AYU, BEN, loop_now=3.0, now=20_000)) == 43.0
    assert due(playing, watch(AYU, BEN, now=59_999)) == []
    assert due(playing, watch(AYU, BEN, now=60_000)) == [Deadline("clock", 1)]


def test_a_silent_bot_whose_clock_runs_out_as_well_rings_once() -> None:
    bot = chair(None, bot="random", deadline=5_000)
    playing = room(bot, chair(AYU), clock="60+0")
    assert due(playing, watch(AYU, loop_now=60.0, now=60_000)) == [Deadline("clock", 1)]


def test_in_a_pause_no_clock_rings() -> None:
    playing = room(chair(AYU, deadline=60_000), chair(BEN), clock="60+0")
    paused = but(playing, table=but(playing.table, phase=Phase.PAUSED))
    assert next_alarm(paused, watch(AYU, BEN)) is None
    assert due(paused, watch(AYU, BEN, now=99_999)) == []


def test_a_vote_rings_at_its_deadline() -> None:
    voting = room(chair(AYU), chair(BEN), votes=2)
    assert next_alarm(voting, watch(AYU, BEN)) == 30.0
    assert due(voting, watch(AYU, BEN, now=30_000)) == [Deadline("vote", 1), Deadline("vote", 2)]


def test_a_host_who_has_left_is_replaced() -> None:
    playing = room(chair(BEN), chair(AYU))
    assert next_alarm(playing, watch(BEN)) == AWAY_SECONDS
    assert due(playing, watch(BEN, loop_now=AWAY_SECONDS)) == [Deadline("host", 0)]


def test_a_host_is_not_absent_while_the_room_sleeps() -> None:
    playing = room(chair(BEN), chair(AYU))
    woken = watch(BEN, loop_now=1000.0)
    woken.awake_since, woken.people.absent_since = 1000.0, {AYU: 5.0}
    assert next_alarm(playing, woken) == 1000 + AWAY_SECONDS


def test_moves_of_the_rest_do_not_keep_the_hosts_position() -> None:
    playing = room(chair(BEN), chair(AYU))
    busy = watch(BEN, loop_now=AWAY_SECONDS)
    busy.turn_since = AWAY_SECONDS - 1
    assert due(playing, busy) == [Deadline("host", 0)]


def test_a_bot_that_looks_ahead_plays_slowly_for_people_and_at_once_among_bots() -> None:
    strong, greedy = chair(None, bot="strong"), chair(None, bot="greedy")
    stood_in = chair(BEN, bot="strong")
    assert pace_of(room(chair(AYU), strong), strong) == BOT_PACE_SECONDS
    assert pace_of(room(strong, strong), strong) == 0
    assert pace_of(room(chair(AYU), greedy), greedy) == 0
    assert pace_of(room(chair(AYU), stood_in), stood_in) == STAND_IN_PACE_SECONDS


def test_a_bot_that_looks_ahead_may_be_silent_for_longer() -> None:
    waits = [
        next_alarm(room(chair(None, bot=bot), chair(AYU)), watch(AYU))
        for bot in ("greedy", "master")
    ]
    assert waits[0] is not None
    assert waits[1] is not None
    assert round(waits[1] - waits[0], 3) == LEVEL_SECONDS + BOT_PACE_SECONDS
