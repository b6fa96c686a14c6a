"""A game step by step: what each entry changed, for which viewers, and its events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from msgspec import Struct

from bluebear.rules.core.game import Game, Standing
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.merge_patch import Branch, Shaped, merged
from bluebear.rules.core.record import (
    HOUSE_BOT_PREFIX,
    RECORDED_BOT,
    Digested,
    EndReason,
    Fork,
    ForkSection,
    Head,
    Hinted,
    Moment,
    Moved,
    Peeked,
    Record,
    RecordError,
    RecordLine,
    Resigned,
    Seated,
    Undone,
    replaying,
)
from bluebear.rules.core.visibility import Event, Eyes, Seat, but
from bluebear.server.room import events
from bluebear.server.room.game_flow import end_events, seat_results
from bluebear.server.room.state import (
    TABLE,
    Chair,
    Ending,
    ForkOf,
    Line,
    Peek,
    Phase,
    Privacy,
    Quiet,
    Table,
    unknown_to,
)

NO_OWNS: Final[Mapping[Seat, Branch]] = {}


class Station(Struct, frozen=True):
    """The table and the game after one entry, and how they differ from those before.

    `table_patch` and `game_patch` are what all viewers see of that, None where it is nothing;
    `owns` has what only one seat sees, `quiet` how many entries so far only one seat knows of.
    """

    version: int
    at: int
    table: Table
    state: Any  # Any: the state of whatever game is played
    events: tuple[Event, ...]
    table_patch: Branch | None = None
    game_patch: Branch | None = None
    owns: Mapping[Seat, Branch] = NO_OWNS
    quiet: Quiet = ()

    def changing(
        self,
        table: Branch | None,
        game: Branch | None,
        owns: Mapping[Seat, Branch],
        quiet: Quiet = (),
    ) -> Station:
        """The same with how it differs from those before."""
        was = self.version, self.at, self.table, self.state, self.events
        return Station(*was, table, game, owns, quiet)

    def is_step(self, eyes: Eyes) -> bool:
        """Whether these eyes see anything else than before."""
        is_public = self.table_patch is not None or self.game_patch is not None
        return is_public or not self.owns.keys().isdisjoint(eyes)

    def version_for(self, eyes: Eyes) -> int:
        """Its version as these eyes count."""
        return self.version - unknown_to(eyes, self.quiet)

    def patch(self, eyes: Eyes) -> Shaped:
        """The merge patch from the view before to this one."""
        parts = [] if self.game_patch is None else [self.game_patch]
        parts += [self.owns[seat] for seat in sorted(eyes) if seat in self.owns]
        made: Shaped = {}
        if self.table_patch is not None:
            made["room"] = self.table_patch
        if parts:
            made["game"] = reduce(merged, parts)
        return made

    def name_of(self, seat: int) -> str:
        """What a seat was called then."""
        chair = self.table.seats.get(Seat(seat))
        return f"{HOUSE_BOT_PREFIX}{seat}" if chair is None else chair.name


class Course:
    """One game from the moment after its set-up; its maker adds to it."""

    def __init__(self, game: Game[Any], game_id: str) -> None:
        # Any: each game has a state class of its own.
        self.game = game
        self.game_id = game_id
        self.stations: list[Station] = []
        self.sentences: dict[tuple[int, Eyes, str], list[str]] = {}  # by version, eyes, language

    def until(self, version: int) -> Course:
        """The course as it was up to a version; itself where it has not come further."""
        if not self.stations or self.stations[-1].version <= version:
            return self
        made = Course(self.game, self.game_id)
        made.sentences = self.sentences
        made.stations = [each for each in self.stations if each.version <= version]
        return made

    def steps(self, eyes: Eyes) -> list[Station]:
        """The beginning, and every station at which these eyes saw something new."""
        return [
            station
            for number, station in enumerate(self.stations)
            if number == 0 or station.is_step(eyes)
        ]

    def view(self, station: Station, eyes: Eyes) -> Shaped:
        """The whole view of a station, as it was sent then."""
        return {"room": TABLE.view(station.table), "game": self.game.tree.view(station.state, eyes)}


async def finished_course(
    game: Game[Any],  # Any: each game has a state class of its own
    record: Record,
    times: Sequence[int],
) -> Course:
    """The course of a whole record; `times` are those of its lines in ms, where they are known.

    Raises RecordError where the record does not play as it stands.
    """
    course = Course(game, record.head.id)
    play, ends = _Play(game, record), ends_of(record)
    for index, moment in enumerate(replaying(game, record)):
        if not isinstance(moment.line, Digested):
            at = times[index - 1] if 0 < index <= len(times) else 0
            is_last = len(course.stations) == len(ends)
            course.stations.append(play.station(course.stations[-1:], moment, at, is_last=is_last))
        await asyncio.sleep(0)
    return course


def ends_of(record: Record) -> list[int]:
    """How many lines of a record lead to each of its steps: digests are none."""
    return [n for n, line in enumerate(record.lines, 1) if not isinstance(line, Digested)]


class _Play:
    """A table at which a record is played again; owned by the making of one course."""

    def __init__(self, game: Game[Any], record: Record) -> None:
        self._game = game
        self._record = record
        self._table = _table(record.head)
        self._movers: list[Seat] = []

    def station(
        self, before: Sequence[Station], moment: Moment, at: int, *, is_last: bool
    ) -> Station:
        """What a line at a time (ms) has led to; there is no station before the set-up."""
        reported = self._fold(moment)
        turn = tuple(sorted(self._game.to_move(moment.state)))
        self._table = but(self._table, turn=turn)
        if is_last:
            reported += self._end(moment.state)
        if not before:
            return Station(0, at, self._table, moment.state, reported)
        made = Station(before[0].version + 1, at, self._table, moment.state, reported)
        table = TABLE.changes(before[0].table, made.table).public
        game = self._game.tree.changes(before[0].state, made.state)
        return made.changing(table, game.public, game.private)

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
            places=Keyed() if is_void else seat_results(self._table.seats, standings),
            breakdown=tuple(
                Line(line.seat, line.key, line.points, line.rule)
                for line in (() if result is None else result.breakdown)
            ),
        )
        self._table = but(self._table, phase=Phase.OVER, turn=(), ending=ending)
        return tuple(end_events(ending, self._name_of))

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
        game_id=head.id,
        commit=head.commit,
        fork=None if head.fork is None else ForkOf(head.fork.id, head.fork.move, ()),
    )


def _chairs(head: Head) -> Mapping[Seat, Chair]:
    made, seeds = {}, dict(head.seeds)
    for seat, (joined, name) in enumerate(zip(head.order, head.names, strict=True), 1):
        recorded = head.joined[joined - 1]
        bot = None if recorded == name else recorded.removeprefix(RECORDED_BOT)
        made[Seat(seat)] = Chair(name, human=bot is None, bot=bot, seed=seeds.get(joined))
    return made


def beginning(record: Record, lines: int, move: int) -> Record:
    """The first `lines` lines of a finished game; `move` is their last move in a replay.

    The result has that game's head and no end. Its `fork` has the input of the draws, so it can be
    replayed alone. Only moves, undos and digests are in it. RecordError (unsealed) without a seed.
    """
    if record.end is None or record.end.secret is None:
        raise RecordError(record.end_number, "unsealed")
    head = record.head
    if isinstance(next(iter(record.lines[lines:]), None), Digested):
        lines += 1
    left_out = Seated | Resigned | Peeked | Hinted
    played = tuple(line for line in record.lines[:lines] if not isinstance(line, left_out))
    before = () if head.fork is None else head.fork.parts
    parts = tuple(section for section in before if section.lines < lines)
    # The lines before a fork contain none that are left out, so their numbers are unchanged.
    last = next((section for section in before if section.lines >= lines), None)
    if last is None:
        last = ForkSection(head.id, len(played), head.order, record.end.secret, head.seeds)
    fork = Fork(head.id, move, (*parts, replace(last, lines=len(played))))
    return Record(replace(head, fork=fork), played)
