"""Acts before and after a game: seats, house bots, names, options, start, clearing the board."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from bluebear.rules.core.chance import SEAT_SEED_BYTES
from bluebear.rules.core.game import Game
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import RECORDED_BOT, house_bot_name
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.server.room import events
from bluebear.server.room.fold_context import RoomAct, Step
from bluebear.server.room.game_flow import start
from bluebear.server.room.options import choice, game_options, is_fixed, is_on, seats_of
from bluebear.server.room.rated_games import RATED, wants_rating
from bluebear.server.room.spectators import check_has_not_peeked
from bluebear.server.room.stand_ins import clear_seat, leave_seat
from bluebear.server.room.state import Chair, Phase, Table, VoteKind
from bluebear.server.room.votes import open_vote, voters_of

REMOVE: Final = "remove"
"""In place of a strategy: remove the bot."""


class SetOption(RoomAct, frozen=True):
    """Set an option; its name and value are canonical."""

    head = "/option"
    option: str
    value: str

    def fold(self, step: Step) -> None:
        fork = step.current.fork
        if fork is not None and is_fixed(step.current, self.option, step.game.info):
            raise NotAllowed("fork_options", option=self.option, id=fork.id)
        step.table.options[self.option] = self.value
        if self.option == RATED:
            step.table.rated = wants_rating(step.table)
        step.table.ready = ()
        step.tell(events.OptionSet(self.option, self.value))


def _seat_taken(step: Step, game: Game[Any]) -> None:  # Any: each game has its own state class
    """Follow-up of a seat taken before the game.

    The game may propose options for this number of seats. It starts when the number in the option
    `start` is reached.
    """
    table = step.table
    count = len(table.seats)
    if table.fork is None:
        options = game_options(table, game.info, game.info.rules)
        for name, option in game.info.options.items():
            value = option.proposed.get(str(count))
            if value is not None and value != options.get(name, option.default):
                line = SetOption(name, option.write(value)).line
                step.tell(events.Proposed(line, f"proposal.{name}"))
    wanted = int(choice(table, "start"))
    if not wanted or is_on(table, "confirm"):
        return
    if count >= wanted >= seats_of(table, game.info)[0]:
        start(step, rated=True)


class Start(RoomAct, frozen=True):
    """Start the game; with the option `confirm` mark the seat as ready until all are.

    With `confirm`, a host without a seat starts only after all players are ready. Fact: `begins`,
    False if only the host starts games and the actor is another player.
    """

    head = "/start"
    rated: ClassVar[bool] = True

    def fold(self, step: Step) -> None:
        if not is_on(step.table, "confirm"):
            start(step, rated=self.rated)
            return
        seat, before = step.seat_or_none(), step.table.ready
        ready = before if seat is None else tuple(sorted({*before, int(seat)}))
        step.table.ready = ready
        missing = [
            s for s, c in step.table.seats.items() if c.person is not None and s not in ready
        ]
        begins = step.facts.get("begins") is not False
        if begins and not missing:
            start(step, rated=self.rated)
        elif seat is None:
            raise NotAllowed("not_all_ready", seats=missing)
        elif ready != before:
            step.tell(events.Ready(seat, step.name_of(seat)))
            if not missing:
                step.tell(events.AllReady(step.table.host))
        elif missing:
            raise NotAllowed("already_ready")
        else:
            raise NotAllowed("host_begins", name=step.table.host)


class StartUnrated(Start, frozen=True):
    """Start a game that does not count for ratings."""

    head = "/startnosave"
    rated = False


class Reset(RoomAct, frozen=True):
    """Clear the board for a new game with its own id and commitment.

    Facts: `game_id`, `commit`, `seed`.
    """

    head = "/reset"

    def fold(self, step: Step) -> None:
        table = step.table
        table.seats = self.chairs(table)
        table.phase = Phase.OPEN
        table.turn, table.ready, table.votes = (), (), Keyed()
        table.ending = table.paused_at = table.players = None
        table.rated = wants_rating(table)
        table.game_id, table.commit = step.fact("game_id"), step.fact("commit")
        table.secret = step.fact("seed")
        step.state = None
        step.past, step.head, step.recorded, step.steps, step.since = (), None, None, 0, ()
        step.counter, step.key = 0, b""
        step.tell(events.Cleared(table.game_id))

    def chairs(self, table: Table) -> Keyed[Seat, Chair]:
        """The chairs that remain."""
        return Keyed()


class Again(Reset, frozen=True):
    """Clear the board for a new game in which all players keep their seats."""

    head = "/again"

    def chairs(self, table: Table) -> Keyed[Seat, Chair]:
        chairs = {}
        for seat, chair in table.seats.items():
            if chair.person is None and chair.bot is None:
                continue
            bot = chair.bot if chair.person is None else None
            chairs[seat] = Chair(
                chair.name, chair.human, bot, person=chair.person, account=chair.account
            )
        return Keyed(chairs)


class Join(RoomAct, frozen=True):
    """Take a seat before the game; in a running game return to it, or open a vote on it.

    Facts: `name`, `kind`, `voters`, `account`.
    """

    head = "/join"
    named = frozenset({"seed"})
    seat: Seat
    seed: str | None = None

    def fold(self, step: Step) -> None:
        seat, table = self.seat, step.table
        if table.phase is not Phase.OPEN:
            _join_running(step, seat)
            return
        before, game = step.seat_or_none(), step.game
        if before is not None:
            raise NotAllowed("already_seated", number=before)
        if not 1 <= seat <= seats_of(table, game.info)[1]:
            raise NotAllowed("no_such_seat", given=seat)
        if seat in table.seats:
            raise NotAllowed("seat_taken", seat=seat)
        name, account = step.fact("name"), bool(step.facts.get("account"))
        human = step.fact("kind") != "bot"
        seed = None if self.seed is None else _checked(self.seed)
        table.seats[seat] = Chair(name, human, seed=seed, person=step.person, account=account)
        step.tell(events.Joined(seat, name))
        _seat_taken(step, game)


def _join_running(step: Step, seat: Seat) -> None:
    current = step.seat_or_none()
    if current is not None:
        # The line itself has returned the seat; from a player who had it, it would mean nothing.
        if seat != current or step.before.seats[current].bot is None:
            raise NotAllowed("already_seated", number=current)
        return
    if step.table.phase is Phase.OVER:
        raise NotAllowed("not_playing")
    chair = step.chair(seat)
    if chair.person is not None:
        raise NotAllowed("seat_taken", seat=seat)
    check_has_not_peeked(step)
    voters = voters_of(step)
    if not voters:
        _check_unowned(step)
    open_vote(step, VoteKind.SEAT, voters, about=chair.name, seat=seat)


def _check_unowned(step: Step) -> None:
    """Raise NotAllowed unless the host takes a seat of a game that only house bots play.

    no_player_here: the game has players, who are all away. host_takes_seat: the actor is not the
    host, or has the role only while the host is away.
    """
    new_room = (f"/newroom {step.table.game}",)
    if any(chair.person is not None for chair in step.table.seats.values()):
        raise NotAllowed("no_player_here", candidates=new_room)
    if step.table.host_person != step.person or step.table.owner is not None:
        raise NotAllowed("host_takes_seat", candidates=new_room)


def _checked(text: str) -> str:
    """A player's seed in lower case. Raises NotAllowed (bad_seed) if it is none."""
    try:
        if len(bytes.fromhex(text)) == SEAT_SEED_BYTES:
            return text.lower()
    except ValueError:
        pass
    raise NotAllowed("bad_seed", length=2 * SEAT_SEED_BYTES)


class GiveSeed(RoomAct, frozen=True):
    """Contribute to the game's seed, after its commitment is public."""

    head = "/seed"
    seed: str

    def fold(self, step: Step) -> None:
        seat = step.seat()
        step.chair(seat).seed = _checked(self.seed)
        step.tell(events.SeedGiven(seat, step.name_of(seat)))


class Bot(RoomAct, frozen=True):
    """Put a house bot on a free seat before the game, or change the strategy of one later.

    With REMOVE the house bot leaves its seat, before the game only.
    """

    head = "/bot"
    strategy: str
    seat: Seat

    def fold(self, step: Step) -> None:
        strategy, seat = self.strategy, self.seat
        if strategy == REMOVE:
            chair = step.chair(seat)
            if chair.person is not None or step.table.phase is not Phase.OPEN:
                raise NotAllowed("no_bot_there", seat=seat)
            clear_seat(step, seat, chair)
            return
        game = step.game
        if strategy not in game.players:
            raise NotAllowed("no_such_bot", given=strategy, candidates=game.players)
        if not 1 <= seat <= seats_of(step.current, game.info)[1]:
            raise NotAllowed("no_such_seat", given=seat)
        if step.table.phase is Phase.OPEN:
            _seat_bot(step, game, strategy, seat)
            return
        chair = step.chair(seat)
        if chair.person is not None:
            raise NotAllowed("seat_taken", seat=seat)
        before, chair.name, chair.bot = chair.name, house_bot_name(strategy, seat), strategy
        step.record(f"@seat {seat} {RECORDED_BOT}{strategy}")
        step.tell(events.Vacated(seat, before, strategy))


def _seat_bot(
    step: Step, game: Game[Any], strategy: str, seat: Seat
) -> None:  # Any: as in `_seat_taken`
    if seat in step.table.seats:
        raise NotAllowed("seat_taken", seat=seat)
    name = house_bot_name(strategy, seat)
    account = bool(step.facts.get("account"))
    step.table.seats[seat] = Chair(name, human=False, bot=strategy, account=account)
    step.tell(events.Joined(seat, name))
    _seat_taken(step, game)


class Leave(RoomAct, frozen=True):
    """Give up the seat: it becomes free, or in a running game a house bot plays it on."""

    head = "/leave"

    def fold(self, step: Step) -> None:
        leave_seat(step, step.seat())


class HasAccount(RoomAct, frozen=True):
    """A person with a seat has registered an account. Fact: `whom`, the person's id."""

    head = "@account"

    def fold(self, step: Step) -> None:
        seat = step.seat_of(step.fact("whom"))
        if seat is None:
            raise NotAllowed("not_seated")
        step.chair(seat).account = True


class Rename(RoomAct, frozen=True):
    """A person has a new name. Fact: `whom`, the person's id."""

    head = "@nick"
    name: str

    def fold(self, step: Step) -> None:
        person = step.fact("whom")
        seat = step.seat_of(person)
        before = step.table.host if seat is None else step.name_of(seat)
        if seat is not None:
            step.chair(seat).name = self.name
        if step.table.host_person == person:
            step.table.host = self.name
        if before != self.name:
            step.tell(events.Renamed(before, self.name))
