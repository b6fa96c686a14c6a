"""The course of a game: its start, moves, fallback moves after a time-out, undo and end; clocks.

A seat's `bank` is its remaining time in ms. While the seat is to move it has a `deadline`; after
its move the remaining time and the increment go back into the bank. In a correspondence game each
turn begins with a full bank, after the player's vacation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bluebear.rules.core.chance import (
    Chance,
    HmacChance,
    NoChance,
    WouldDraw,
    chance_key,
    commitment,
    seat_order,
)
from bluebear.rules.core.draft import freeze
from bluebear.rules.core.game import Game, Outcome, Standing
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.phrases import Namer
from bluebear.rules.core.record import RECORDED_BOT, Head, Hex, chance_header, house_bot_name
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Event, Move, Seat, Visibility, but, require
from bluebear.server.limits import TURN_LEAST_MS, UNDO_ENTRIES
from bluebear.server.room import events
from bluebear.server.room.creation import lines_before
from bluebear.server.room.fold_context import RoomAct, Step, digest_is_due, with_past
from bluebear.server.room.options import check_seats, choice, clock_setting, game_options, is_on
from bluebear.server.room.rated_games import (
    abandoned_seats,
    could_be_rated,
    players_of,
    why_unrated,
)
from bluebear.server.room.stand_ins import give_to_house
from bluebear.server.room.state import (
    Chair,
    Ending,
    Line,
    Origin,
    Past,
    Phase,
    Recorded,
    Room,
    SeatResult,
    Table,
    by_days,
)


def fallback_lines(room: Room, game: Game[Any], seat: Seat) -> tuple[str, ...]:
    """Fallback moves until the seat has nothing to decide or one of them uses chance.

    They complete a started turn. Raises NotAllowed (not_your_turn) if the seat is not to move.
    """
    if room.table.phase is not Phase.PLAYING or seat not in game.to_move(room.game):
        raise NotAllowed("not_your_turn", seats=room.table.turn)
    state = room.game
    lines: list[str] = []
    while seat in game.to_move(state) and len(lines) < UNDO_ENTRIES:
        move = game.fallback(state, seat)
        lines.append(game.grammar.format(move))
        try:
            state = game.play(state, seat, move, NoChance(room.counter)).state
        except WouldDraw:
            break
    return tuple(lines)


def start(step: Step, *, rated: bool) -> None:
    """Start the game: draw the seats if the option says so, fix the chance, set up.

    Fact: `rules`, the rules version for the entire game (without it: the newest). A fork continues
    from its position by the rules of the finished game, and is never rated.
    """
    fact, origin = step.facts.get("rules"), step.before.origin
    if origin is not None:
        fact = origin.record.head.rules
    game = step.game_by(fact if isinstance(fact, int) else None)
    table, info = step.table, game.info
    rules = fact if isinstance(fact, int) else info.rules
    count = len(table.seats)
    check_seats(table, info)
    if not table.secret or commitment(bytes.fromhex(table.secret)) != table.commit:
        raise NotAllowed("internal", reference="commitment")
    joined = list(freeze(table.seats).items())
    options = game_options(table, info, rules)
    seats = tuple(range(1, count + 1))
    head = _head(table, rules, info.texts_of(options), [chair for _, chair in joined], seats)
    secret = bytes.fromhex(table.secret)
    if is_on(table, "drawseat") and origin is None:
        order = seat_order(secret, chance_header(head, options, None), seats)
        head = replace(head, order=order)
    step.head, step.key = head, chance_key(secret, chance_header(head, options, head.order))
    chairs = Keyed({Seat(new): joined[old - 1][1] for new, old in enumerate(head.order, 1)})
    chairs = Keyed({seat: _at_start(chair, seat) for seat, chair in chairs.items()})
    table.phase, table.seats, table.ready = Phase.PLAYING, chairs, ()
    table.ending, table.votes, table.peeked = None, Keyed(), None
    step.tell(events.Started(tuple(chair.name for chair in chairs.values()), table.game_id))
    _settle_rating(step, rated=rated and origin is None)
    if origin is None:
        _set_up(step, game, options, count)
    else:
        _go_on(step, origin)
    # The record has no digest here; the journal has, so that a different set-up is noticed.
    step.digest = game.tree.digest(step.state)
    step.since = (step.version,) * count
    start_clocks(step)
    _after_moves(step, frozenset())


def _settle_rating(step: Step, *, rated: bool) -> None:
    """Decide whether the starting game counts for ratings; `rated`: it may."""
    table = step.table
    reason, who = why_unrated(table) if rated else ("practice", "")
    table.players = None if reason else players_of(table.seats)
    table.rated = not reason
    if not reason:
        step.tell(events.RatedStart())
    elif who and could_be_rated(table):
        step.tell(events.UnratedStart(who))


def _set_up(step: Step, game: Game[Any], options: Options, count: int) -> None:
    chance = HmacChance(step.key)
    outcome = game.setup(options, count, chance)
    step.state, step.counter = outcome.state, chance.counter
    step.past, step.recorded, step.steps = (), None, 0
    step.events.extend(outcome.events)


def _go_on(step: Step, origin: Origin) -> None:
    """Start a fork from its position; undo cannot go back to before it."""
    step.state, step.counter, step.steps = origin.state, origin.counter, origin.steps
    step.past, step.recorded = (), lines_before(origin, step.version)
    if step.head is not None:
        step.head = replace(step.head, fork=origin.record.head.fork)


def _at_start(chair: Chair, seat: Seat) -> Chair:
    """A chair at the start: no hints are counted, and a house bot is named after its seat."""
    if chair.hints is not None:
        chair = but(chair, hints=None, hinted_at=None)
    if chair.person is None and chair.bot is not None:
        return but(chair, name=house_bot_name(chair.bot, seat))
    return chair


def _head(
    table: Table,
    rules: int,
    options: tuple[tuple[str, str], ...],
    joined: Sequence[Chair],
    order: tuple[int, ...],
) -> Head:
    """The record's header: options, players in order of joining, order of seats, seeds."""
    return Head(
        game=table.game,
        rules=rules,
        id=table.game_id,
        options=options,
        joined=tuple(c.name if c.person else f"{RECORDED_BOT}{c.bot}" for c in joined),
        order=order,
        commit=Hex(table.commit),
        seeds=tuple((seat, Hex(c.seed)) for seat, c in enumerate(joined, 1) if c.seed),
    )


def play(step: Step, seat: Seat, lines: Sequence[str], *, record_as: str = "") -> None:
    """Play canonical lines for a seat: all or none. Only the last may use chance."""
    game = step.game
    before, counter = step.state, step.counter
    moves = [game.grammar.parse(line) for line in lines]
    for move in moves[:-1]:
        _play_one(step, seat, move, NoChance(counter))
    chance = HmacChance(step.key, counter)
    outcome = _play_one(step, seat, moves[-1], chance)
    if len(moves) == 1:
        step.patches = outcome.changes
    step.counter = chance.counter
    drew = chance.counter != counter
    past = Past(version=step.version, seat=seat, game=before, drew=drew, steps=step.steps)
    step.past = with_past(step.past, past)
    step.record((record_as or f"{seat} ") + " ; ".join(lines))
    step.steps += 1
    if all(move.sight is Visibility.OWNER for move in moves):
        step.hidden_by = seat
    if len(moves) == 1 and moves[0].takes_back:
        _forget_taken_back(step, seat)
    _after_moves(step, frozenset((seat,)))


def _play_one(step: Step, seat: Seat, move: Move, chance: Chance) -> Outcome[Any]:
    try:
        outcome = step.game.play(step.state, seat, move, chance, patches=True)
    except WouldDraw:
        raise NotAllowed("one_at_a_time") from None
    step.state = outcome.state
    step.events.extend(outcome.events)
    return outcome


def _forget_taken_back(step: Step, seat: Seat) -> None:
    """Drop the undo positions of a take-back and of the moves that it took back.

    Otherwise the next undo would restore the move that was taken back.
    """
    for index in range(len(step.past) - 2, -1, -1):
        past = step.past[index]
        if past.seat != seat or past.drew:
            return
        if past.game == step.state:
            step.past = step.past[:index]
            return


def _pass_turn(step: Step, touched: Iterable[Seat], *, undone: bool = False) -> None:
    """Update the turn and the clocks from the game; older lines of these seats become stale."""
    before, timed = step.current.turn, clock_of(step.current) is not None
    turn = tuple(sorted(step.game.to_move(step.state)))
    if turn != before:
        step.table.turn = turn
    step.touch((*touched, *(seat for seat in turn if undone or seat not in before)))
    if timed:
        move_clocks(step.table, before, step.now, undone=undone)


def _after_moves(step: Step, moved: frozenset[Seat]) -> None:
    """Pass the turn, record a digest if one is due, and finish a game that has a result."""
    _pass_turn(step, moved)
    if moved and digest_is_due(step.steps):
        step.record_digest()
    result = step.game.result(step.state)
    if result is not None:
        breakdown = tuple(
            Line(line.seat, line.key, line.points, line.rule) for line in result.breakdown
        )
        finish(step, "score", result.standings, breakdown)


def finish(
    step: Step, how: str, standings: Sequence[Standing], breakdown: tuple[Line, ...] = ()
) -> None:
    """End the game and publish its seed."""
    if not digest_is_due(step.steps):
        step.record_digest()
    table = step.table
    ending = Ending(
        how=how,
        seed=require(table.secret),
        places=seat_results(table.seats, standings),
        breakdown=breakdown,
        given_up=abandoned_seats(table),
    )
    table.phase, table.ending, table.paused_at = Phase.OVER, ending, None
    table.turn, table.votes = (), Keyed()
    for seat in table.seats:
        chair = step.chair(seat)
        chair.deadline = chair.peek = None
    step.past = ()
    step.events.extend(end_events(ending, step.name_of))
    if ending.given_up or (table.players is not None and how == "void"):
        step.tell(events.RatingsUnchanged())


def end_events(ending: Ending, name_of: Namer) -> Iterator[Event]:
    """The events of the end of a game: its outcome, then the seats by rank."""
    if ending.how == "void":
        yield events.Aborted()
        return
    winners = tuple(name_of(seat) for seat, result in ending.places.items() if result.place == 1)
    yield events.GameEnded(ending.how, winners)
    for seat, result in sorted(ending.places.items(), key=lambda item: item[1].place):
        yield events.Ranked(seat, result.place, result.score)


def seat_results(
    seats: Mapping[Seat, Chair], standings: Sequence[Standing]
) -> Keyed[Seat, SeatResult]:
    """The final ranks: seats that resigned rank last, the first to resign lowest."""
    resigned = {s: c.resigned for s, c in seats.items() if c.resigned is not None}
    staying = [each for each in standings if each.seat not in resigned]
    ranked = [
        Standing(each.seat, 1 + sum(o.place < each.place for o in staying), each.score)
        for each in staying
    ]
    scores = {each.seat: each.score for each in standings}
    last = sorted(resigned, key=lambda seat: -(resigned[seat] or 0))
    for rank, seat in enumerate(last, len(staying) + 1):
        ranked.append(Standing(seat, rank, scores.get(seat, 0)))
    return Keyed({each.seat: SeatResult(each.place, each.score) for each in ranked})


class Resign(RoomAct, frozen=True):
    """Resign: with two seats the game ends, else a house bot plays the seat on."""

    head = "/resign"

    def fold(self, step: Step) -> None:
        seat = step.seat()
        chair = step.chair(seat)
        chair.resigned = 1 + sum(each.resigned is not None for each in step.table.seats.values())
        step.record(f"@resign {seat}")
        step.tell(events.Resigned(seat, chair.name))
        if len(step.table.seats) <= 2:
            standings = [Standing(each, 1, 0) for each in step.table.seats if each != seat]
            finish(step, "resigned", standings)
            return
        give_to_house(step, seat)


def undo_target(past: Sequence[Past], seat: Seat) -> int:
    """The index in `past` of a seat's newest move. Raises NotAllowed (nothing_to_undo)."""
    for index in range(len(past) - 1, -1, -1):
        if past[index].seat == seat:
            return index
    raise NotAllowed("nothing_to_undo")


def undo_is_free(game: Game[Any], past: Sequence[Past], state: object, index: int) -> bool:
    """Whether an undo needs no vote: the newest move, without chance or change of a secret, while
    no other seat may be making quiet moves.
    """
    before = past[index]
    if index != len(past) - 1 or before.drew or _has_hidden_movers(game, state, before.seat):
        return False
    return not game.tree.changes(before.game, state).secret


def _has_hidden_movers(game: Game[Any], state: object, seat: Seat) -> bool:
    """Whether other seats may be making quiet moves now, judged by public information.

    Nothing may reveal the number of such moves, since they can be taken back.
    """
    verbs = game.grammar.verbs.values()
    silent = any(verb.move.takes_back and verb.move.sight is Visibility.OWNER for verb in verbs)
    return silent and bool(game.to_move(state) - {seat})


def undo(step: Step, index: int) -> None:
    """Go back to before the entry `step.past[index]`; its draws are never repeated."""
    past = step.past[index]
    undone, count = step.past[index:], step.steps - past.steps
    visible = max(1, count - _quiet_since(step.recorded, past.version))
    step.state = past.game
    step.past = step.past[:index]
    step.steps = past.steps
    step.record(f"@undo {count}")
    step.tell(events.Undone(past.seat, step.name_of(past.seat), visible))
    on_turn = (seat for seat in step.table.seats if seat in step.table.turn)
    _pass_turn(step, (*on_turn, *(each.seat for each in undone)), undone=True)


def _quiet_since(recorded: Recorded | None, version: int) -> int:
    """How many entries from `version` on were quiet; this number is secret."""
    if recorded is None or not recorded.quiet:
        return 0
    newest = sum(recorded.quiet)
    link: Recorded | None = recorded
    while link is not None and link.version >= version:
        link = link.before
    return newest - (0 if link is None else sum(link.quiet))


# Clocks: deadlines in the state, never ticks.


def clock_of(table: Table) -> tuple[int, int] | None:
    """Bank and increment in ms; None if the room plays without clocks."""
    text = table.options.get("clock")
    return None if text is None else clock_setting(text)


def start_clocks(step: Step) -> None:
    """Fill each seat's bank at the start of a game; None where there is no clock."""
    setting = clock_setting(choice(step.table, "clock"))
    for seat in step.table.seats:
        chair = step.chair(seat)
        chair.bank = None if setting is None else setting[0]
        chair.deadline, chair.timeouts = None, 0
    step.table.turn = ()


def move_clocks(table: Table, before: tuple[int, ...], now: int, *, undone: bool = False) -> None:
    """Stop the clocks of seats that have moved and start those of seats that are to move now.

    `table` is a draft, `before` the seats that were to move until now, `now` in ms. After an undo
    no increment is added, and a seat that is to move again returns the increment of the undone
    turn: otherwise moving and undoing would create time.
    """
    setting = clock_of(table)
    if setting is None:
        return
    turn = table.turn
    earned, given_back = (0, setting[1]) if undone else (setting[1], 0)
    is_refilled = by_days(table) and not undone
    for seat, chair in table.seats.items():
        if seat in turn and seat not in before:
            bank = setting[0] if is_refilled else chair.bank or 0
            left = max(bank - given_back, TURN_LEAST_MS)
            table.seats[seat].deadline = runs_from(chair, now) + left
        elif seat in before and seat not in turn and chair.deadline is not None:
            left = max(0, chair.deadline - runs_from(chair, now)) + earned
            changed = table.seats[seat]
            changed.bank, changed.deadline = left, None


def runs_from(chair: Chair, now: int) -> int:
    """When a seat's clock starts (ms): `now`, or at the end of its owner's vacation."""
    return max(now, chair.away_until or 0)


def restart_clock(step: Step, seat: Seat) -> None:
    """Give a seat that is to move again after a time-out the least time (`TURN_LEAST_MS`)."""
    chair = step.chair(seat)
    if seat in step.table.turn and chair.deadline is not None:
        chair.deadline = step.now + TURN_LEAST_MS


def shift_clocks(step: Step, by: int) -> None:
    """Move the deadline of every seat by `by` ms."""
    for seat, chair in step.table.seats.items():
        if chair.deadline is not None:
            step.chair(seat).deadline = chair.deadline + by


def shift_votes(step: Step, by: int) -> None:
    """Move the deadline of every vote by `by` ms."""
    for number in step.table.votes:
        step.table.votes[number].deadline += by
