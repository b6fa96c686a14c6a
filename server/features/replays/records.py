"""The course of a finished game: from its record, with all that was secret while it went on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bluebear.rules.core.game import Game, Standing
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import (
    RECORDED_BOT,
    Digested,
    EndReason,
    Head,
    Hinted,
    Moment,
    Moved,
    Peeked,
    Record,
    RecordLine,
    Resigned,
    Seated,
    Undone,
    house_bot_name,
    replaying,
)
from bluebear.rules.core.visibility import Event, Seat, but
from bluebear.server.features.replays.course import Course, Station
from bluebear.server.room import events
from bluebear.server.room.game_flow import places_of, told_of_end
from bluebear.server.room.state import (
    TABLE,
    Chair,
    Ending,
    ForkOf,
    Line,
    Peek,
    Phase,
    Privacy,
    Table,
    new_chair,
)


async def finished_course(
    game: Game[Any],  # Any: each game has a state class of its own
    record: Record,
    times: Sequence[int],
) -> Course:
    """The course of a whole record; `times` are those of its lines in ms, where they are known.

    Raises RecordError where the record does not play as it stands.
    """
    course = Course(game, record.head.id)
    play = _Play(game, record, times)
    for index, moment in enumerate(replaying(game, record)):
        if not isinstance(moment.line, Digested):
            course.stations.append(play.station(index, moment))
        await asyncio.sleep(0)
    return course


class _Play:
    """A table at which a record is played again; owned by the making of one course."""

    def __init__(self, game: Game[Any], record: Record, times: Sequence[int]) -> None:
        self._game = game
        self._record = record
        self._times = times
        self._last = max(
            (n for n, line in enumerate(record.lines, 1) if not isinstance(line, Digested)),
            default=0,
        )
        self._table = _table(record.head)
        self._state: Any = None  # Any: the state of whatever game is played
        self._movers: list[Seat] = []
        self._steps = 0

    def station(self, index: int, moment: Moment) -> Station:
        """What line `index`, counted from 1, has led to; 0 is the set-up."""
        before, old = self._table, self._state
        reported = self._fold(moment)
        turn = tuple(sorted(self._game.to_move(moment.state)))
        self._table = but(self._table, turn=turn)
        if index == self._last:
            reported += self._end(moment.state)
        station = self._difference(before, old, moment.state)
        self._state = moment.state
        self._steps += index > 0
        return but(
            station,
            version=self._steps,
            at=self._times[index - 1] if 0 < index <= len(self._times) else 0,
            events=reported,
        )

    def _difference(self, before: Table, old: Any, new: Any) -> Station:
        table = self._table
        station = Station(0, 0, table, new, ())
        if old is None:
            return station
        patches = self._game.tree.changes(old, new)
        return but(
            station,
            table_patch=TABLE.changes(before, table).public,
            game_patch=patches.public,
            owns=patches.private,
        )

    def _fold(self, moment: Moment) -> tuple[Event, ...]:
        """Whatever a line of the record does beside the game; its events."""
        line: RecordLine | None = moment.line
        match line:
            case Moved(seat=seat, by_clock=by_clock):
                self._movers.append(seat)
                return (events.TimedOut(seat), *moment.events) if by_clock else moment.events
            case Undone(count=count):
                seat = self._movers[-count] if count else self._movers[-1]
                del self._movers[len(self._movers) - count :]
                return (events.Undone(seat, self._name_of(seat), count),)
            case Resigned(seat=seat):
                resigned = sum(chair.resigned is not None for chair in self._table.seats.values())
                self._seat(seat, but(self._table.seats[seat], resigned=resigned + 1))
                return (events.Resigned(seat, self._name_of(seat)),)
            case Peeked(seat=seat, minutes=minutes, name=name):
                self._seat(seat, but(self._table.seats[seat], peek=Peek(name, 0, "")))
                return (events.PeekAllowed(seat, self._name_of(seat), name, minutes),)
            case Hinted(seat=seat):
                hints = (self._table.seats[seat].hints or 0) + 1
                self._seat(seat, but(self._table.seats[seat], hints=hints))
                return (events.HintAsked(seat, self._name_of(seat)),)
            case Seated(seat=seat, occupant=occupant):
                return (self._take_seat(seat, occupant),)
            case _:
                names = tuple(chair.name for chair in self._table.seats.values())
                return (events.Started(names, self._record.head.id), *moment.events)

    def _take_seat(self, seat: Seat, occupant: str) -> Event:
        chair = self._table.seats[seat]
        if occupant.startswith(RECORDED_BOT):
            self._seat(seat, but(chair, bot=occupant.removeprefix(RECORDED_BOT)))
            return events.StoodIn(seat, chair.name)
        self._seat(seat, but(chair, name=occupant, human=True, bot=None))
        if occupant == chair.name:
            return events.CameBack(seat, occupant)
        return events.TookOver(seat, occupant, int(seat), chair.name)

    def _seat(self, seat: Seat, chair: Chair) -> None:
        self._table = but(self._table, seats=Keyed({**self._table.seats, seat: chair}))

    def _end(self, state: Any) -> tuple[Event, ...]:  # Any: the state of whatever game is played
        end = self._record.end
        if end is None:
            return ()
        result = self._game.result(state)
        standings: Sequence[Standing] = () if result is None else result.standings
        if end.how is EndReason.RESIGNED:
            staying = (s for s, chair in self._table.seats.items() if chair.resigned is None)
            standings = [Standing(seat, 1, 0) for seat in staying]
        is_void = end.how is EndReason.VOID
        ending = Ending(
            how=end.how.value,
            seed=end.secret or "",
            places=Keyed() if is_void else places_of(self._table.seats, standings),
            breakdown=tuple(
                Line(line.seat, line.key, line.points, line.rule)
                for line in (() if result is None else result.breakdown)
            ),
        )
        self._table = but(self._table, phase=Phase.OVER, turn=(), ending=ending)
        return tuple(told_of_end(ending, self._name_of))

    def _name_of(self, seat: int) -> str:
        return self._table.seats[Seat(seat)].name


def _table(head: Head) -> Table:
    """The table as it stood when the game began, as far as a record says."""
    return Table(
        id="",
        game=head.game,
        privacy=Privacy.PUBLIC,
        phase=Phase.PLAYING,
        host="",
        options=Keyed(dict(head.options)),
        seats=Keyed(_chairs(head)),
        turn=(),
        ready=(),
        votes=Keyed(),
        game_id=head.id,
        commit=head.commit,
        locked=False,
        rated=False,
        paused_at=None,
        ending=None,
        host_person="",
        secret="",
        password=None,
        invites=Keyed(),
        admitted=Keyed(),
        banned=Keyed(),
        votes_made=0,
        fork=_fork(head),
    )


def _fork(head: Head) -> ForkOf | None:
    return None if head.fork is None else ForkOf(head.fork.id, head.fork.move, ())


def _chairs(head: Head) -> Mapping[Seat, Chair]:
    made = {}
    seeds = dict(head.seeds)
    for number, joined in enumerate(head.order, 1):
        seat, name = Seat(number), head.joined[joined - 1]
        if name.startswith(RECORDED_BOT):
            bot = name.removeprefix(RECORDED_BOT)
            chair = new_chair(house_bot_name(bot, seat), None, human=False, bot=bot)
        else:
            chair = new_chair(name, None, human=True)
        made[seat] = but(chair, seed=seeds.get(joined))
    return made
