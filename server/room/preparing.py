"""What goes before a game: options, the start, and a clear board for the next one."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.game_info import Option
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room import events
from bluebear.server.room.act import RoomAct
from bluebear.server.room.forking import is_fixed, seats_of
from bluebear.server.room.options import is_on, options_for, value_of
from bluebear.server.room.playing import game_options, start
from bluebear.server.room.rating import RATED, wants_rating
from bluebear.server.room.state import Chair, Phase, Table, new_chair
from bluebear.server.room.step import Step


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


def propose(step: Step) -> None:
    """What the game advises for so many seats, unless the option has that value already."""
    if step.current.fork is not None:
        return
    known = options_for(step.game)
    options = game_options(step.table, step.game.info, step.game.info.rules)
    for proposal in step.game.propose(options, len(step.table.seats)):
        option: Option = known[proposal.option]
        line = SetOption(option.name, option.write(proposal.value)).line
        step.tell(events.Proposed(line, proposal.phrase))


def start_when_full(step: Step) -> None:
    """Begin when as many sit as the option `start` wants."""
    if is_on(step.table, "confirm"):
        return
    known = options_for(step.game)
    wanted = int(value_of(step.table, known, "start"))
    least, _ = seats_of(step.current, step.game.info)
    if wanted and len(step.table.seats) >= wanted >= least:
        start(step, rated=True)


class Start(RoomAct, frozen=True):
    """Begin, or note that this seat is ready where all must press start.

    There a host without a seat begins only what every player has agreed to. Fact: `begins`, False
    where only the host begins and this is another player.
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
    """The same for a game that does not count."""

    head = "/startnosave"
    rated = False


class Reset(RoomAct, frozen=True):
    """Make the room ready for a new game, which has its own id and commitment.

    Facts: `game_id`, `commit`, `seed`.
    """

    head = "/reset"

    def fold(self, step: Step) -> None:
        step.table.seats = self.chairs(step.table)
        _clear_board(step)

    def chairs(self, table: Table) -> Keyed[Seat, Chair]:
        """Who sits there then."""
        return Keyed()


class Again(Reset, frozen=True):
    """The same, and everybody keeps the seat."""

    head = "/again"

    def chairs(self, table: Table) -> Keyed[Seat, Chair]:
        kept = {}
        for seat, chair in table.seats.items():
            if chair.person is None and chair.bot is None:
                continue
            bot = chair.bot if chair.person is None else None
            account = require(chair.account)
            kept[seat] = new_chair(
                chair.name, chair.person, human=chair.human, bot=bot, account=account
            )
        return Keyed(kept)


def _clear_board(step: Step) -> None:
    table = step.table
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
