"""Seats before and during a game: taking, leaving, house bots, stand-ins, coming back."""

from __future__ import annotations

from rules.core.chance import SEAT_SEED_BYTES
from rules.core.info import Option
from rules.core.keyed import Keyed
from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, but
from server.room import events
from server.room.options import is_on, options_for, value_of
from server.room.playing import start
from server.room.standins import give_to_house
from server.room.state import Chair, Phase, house_name
from server.room.step import Step
from server.room.votes import open_seat_vote


def new_chair(name: str, person: str | None, *, human: bool, bot: str | None = None) -> Chair:
    """A chair as somebody sits down on it."""
    return Chair(
        name=name,
        human=human,
        bot=bot,
        seed=None,
        resigned=None,
        bank=None,
        deadline=None,
        person=person,
        timeouts=0,
    )


def first_free(step: Step) -> Seat:
    """The lowest seat that nobody has; NotAllowed (room_full) if there is none."""
    for number in range(1, step.game.info.max_seats + 1):
        if Seat(number) not in step.table.seats:
            return Seat(number)
    raise NotAllowed("room_full", most=step.game.info.max_seats)


def join(step: Step, seat: Seat, seed: str | None) -> None:
    """Take a seat before the game; in a running one take it back, or ask for it by a vote."""
    if step.table.phase is not Phase.OPEN:
        _join_running(step, seat)
        return
    if step.seat_or_none() is not None:
        raise NotAllowed("already_seated", number=step.seat())
    if not 1 <= seat <= step.game.info.max_seats:
        raise NotAllowed("no_such_seat", given=seat)
    if seat in step.table.seats:
        raise NotAllowed("seat_taken", seat=seat)
    name = step.fact("name")
    chair = new_chair(name, step.actor.person, human=step.fact("kind") != "bot")
    step.table.seats[seat] = but(chair, seed=_seed(seed))
    step.tell(events.Joined(seat, name))
    _propose(step)
    _start_when_full(step)


def _join_running(step: Step, seat: Seat) -> None:
    mine = step.seat_or_none()
    if mine is not None:
        # The line itself has given the seat back; said by one who had it, it would mean nothing.
        if seat != mine or step.before.seats[mine].bot is None:
            raise NotAllowed("already_seated", number=mine)
        return
    if step.table.phase is Phase.OVER:
        raise NotAllowed("not_playing")
    chair = step.chair(seat)
    if chair.person is not None:
        raise NotAllowed("seat_taken", seat=seat)
    open_seat_vote(step, seat)


def _seed(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        if len(bytes.fromhex(text)) == SEAT_SEED_BYTES:
            return text.lower()
    except ValueError:
        pass
    raise NotAllowed("bad_seed", length=2 * SEAT_SEED_BYTES)


def give_seed(step: Step, seed: str) -> None:
    """A seat's own part of the seed, after the commitment is public."""
    seat = step.seat()
    step.chair(seat).seed = _seed(seed)
    step.tell(events.SeedGiven(seat, step.name_of(seat)))


def _propose(step: Step) -> None:
    """What the game advises for so many seats, unless the option has that value already."""
    known = options_for(step.game)
    chosen = {name: known[name].read(text) for name, text in step.table.options.items()}
    options = step.game.info.complete(
        {
            name: value
            for name, value in chosen.items()
            if value is not None and name in step.game.info.options
        }
    )
    for proposal in step.game.propose(options, len(step.table.seats)):
        option: Option = known[proposal.option]
        line = f"/option {option.name} {option.write(proposal.value)}"
        step.tell(events.Proposed(line, proposal.phrase))


def _start_when_full(step: Step) -> None:
    if is_on(step.table, "confirm"):
        return
    known = options_for(step.game)
    wanted = int(value_of(step.table, known, "start"))
    if wanted and len(step.table.seats) >= wanted and wanted >= step.game.info.min_seats:
        start(step, rated=True)


def seat_bot(step: Step, strategy: str, seat: Seat) -> None:
    """Put a house bot on a free seat before the game, or choose who plays a house seat."""
    if strategy not in (*step.game.bots, "random"):
        raise NotAllowed("no_such_bot", given=strategy, candidates=(*step.game.bots, "random"))
    if not 1 <= seat <= step.game.info.max_seats:
        raise NotAllowed("no_such_seat", given=seat)
    name = house_name(strategy, seat)
    if step.table.phase is Phase.OPEN:
        if seat in step.table.seats:
            raise NotAllowed("seat_taken", seat=seat)
        step.table.seats[seat] = new_chair(name, None, human=False, bot=strategy)
        step.tell(events.Joined(seat, name))
        _propose(step)
        _start_when_full(step)
        return
    chair = step.chair(seat)
    if chair.person is not None:
        raise NotAllowed("seat_taken", seat=seat)
    before, chair.name, chair.bot = chair.name, name, strategy
    step.record(f"@seat {seat} bot:{strategy}")
    step.tell(events.Vacated(seat, before, strategy))


def remove_bot(step: Step, seat: Seat) -> None:
    """Take a house bot from its seat before the game."""
    chair = step.chair(seat)
    if chair.person is not None or step.table.phase is not Phase.OPEN:
        raise NotAllowed("no_bot_there", seat=seat)
    _clear(step, seat, chair)


def leave(step: Step) -> None:
    """Give up the seat: free it before the game and after it, hand it to the house during it."""
    leave_seat(step, step.seat())


def leave_seat(step: Step, seat: Seat) -> None:
    """Somebody's seat becomes free, or the house's while a game runs.

    After a game the chair still tells who played; only its owner is gone, and `/again` without him.
    """
    chair = step.chair(seat)
    match step.table.phase:
        case Phase.PLAYING | Phase.PAUSED:
            give_to_house(step, seat)
        case Phase.OPEN:
            _clear(step, seat, chair)
        case Phase.OVER | Phase.FROZEN:
            chair.person = chair.bot = None
            step.tell(events.Left(chair.name))


def _clear(step: Step, seat: Seat, chair: Chair) -> None:
    step.table.ready = tuple(each for each in step.table.ready if each != seat)
    del step.table.seats[seat]
    step.tell(events.Left(chair.name))


def rename(step: Step, person: str, name: str) -> None:
    """Somebody is called otherwise from now on."""
    seat = step.seat_of(person)
    old = step.table.host if seat is None else step.chair(seat).name
    if seat is not None:
        step.chair(seat).name = name
    if step.table.host_person == person:
        step.table.host = name
    if old != name:
        step.tell(events.Renamed(old, name))


def set_option(step: Step, name: str, value: str) -> None:
    """Set an option; its name and value are canonical."""
    step.table.options[name] = value
    step.table.ready = ()
    step.tell(events.OptionSet(name, value))


def press_start(step: Step, *, rated: bool) -> None:
    """Begin, or note that this seat is ready where all must press start.

    There a host without a seat begins only what every player has agreed to.
    """
    if not is_on(step.table, "confirm"):
        start(step, rated=rated)
        return
    seat, before = step.seat_or_none(), step.table.ready
    ready = before if seat is None else tuple(sorted({*before, int(seat)}))
    step.table.ready = ready
    if all(s in ready for s, c in step.table.seats.items() if c.person is not None):
        start(step, rated=rated)
    elif seat is None:
        raise NotAllowed("not_seated")
    elif ready != before:
        step.tell(events.Ready(seat, step.name_of(seat)))
    else:
        raise NotAllowed("already_ready")


def clear_board(step: Step, *, keep_seats: bool) -> None:
    """Make the room ready for a new game, which has its own id and commitment."""
    table = step.table
    chairs = {}
    if keep_seats:
        for seat, chair in table.seats.items():
            if chair.person is None and chair.bot is None:
                continue
            fresh = new_chair(chair.name, chair.person, human=chair.human)
            chairs[seat] = but(fresh, bot=chair.bot if chair.person is None else None)
    table.phase, table.seats = Phase.OPEN, Keyed(chairs)
    table.turn, table.ready, table.votes = (), (), Keyed()
    table.ending = table.paused_at = None
    table.game_id, table.commit = step.fact("game_id"), step.fact("commit")
    table.secret = step.fact("seed")
    step.state = None
    step.past, step.head, step.recorded, step.steps, step.since = (), None, None, 0, ()
    step.counter, step.key = 0, b""
    step.tell(events.Cleared(step.fact("game_id")))
