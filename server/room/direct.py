"""The direct way of a plain move: nearly every entry of a room is one.

Made of the pieces of which the general fold is made, for the case in which most of these have
nothing to do: a seat's owner or its house bot makes one move, no vote is open, and the game goes
on. Whatever is otherwise is left to `fold`. Tests fold every kept journal both ways.
"""

from __future__ import annotations

from msgspec import Struct

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.game import NO_CHANGES
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Move, Seat, Visibility, but
from bluebear.server.journal import Entry
from bluebear.server.room.actor import HOUSE
from bluebear.server.room.changes import Folded, RoomChanges
from bluebear.server.room.clocks import clock_of, move_clocks
from bluebear.server.room.log import with_told
from bluebear.server.room.playing import digest_is_due, with_past
from bluebear.server.room.quiet import marked
from bluebear.server.room.state import TABLE, Past, Phase, Recorded, Room, Table
from bluebear.server.room.step import touched
from bluebear.server.room.versions import AnyGame


class Played(Struct, frozen=True):
    """A line that was read as a move already: whose, and which. The entry has it as text."""

    seat: Seat
    move: Move


def play_directly(room: Room, entry: Entry, played: Played, game: AnyGame) -> Folded | None:
    """The room after a plain move by the rules of `game`; None where it is not plain.

    Raises Refusal as `fold` does. `takes_plain_moves` holds for its table.
    """
    seat, move = played.seat, played.move
    chair = room.table.seats.get(seat)
    if move.takes_back or chair is None or chair.timeouts:
        return None
    if (chair.bot is not None) != entry.actor.startswith(HOUSE):
        return None
    chance = HmacChance(room.key, room.counter)
    outcome = game.play(room.game, seat, move, chance, patches=True)
    if game.result(outcome.state) is not None:
        return None
    chain, steps = room.recorded, room.steps + 1
    quiet = () if chain is None else chain.quiet
    chain = Recorded(chain, f"{seat} {entry.lines[0]}", entry.seq, entry.at, quiet)
    digest = game.tree.digest(outcome.state) if digest_is_due(steps) else ""
    if digest:
        chain = but(chain, before=chain, line=f"= {digest}")
    past = Past(room.version + 1, seat, room.game, chance.counter != room.counter, room.steps)
    log, older = with_told(room, entry, outcome.events)
    table, before, patches = room.table, room.table.turn, NO_CHANGES
    turn = tuple(sorted(outcome.to_move))
    if turn != before:
        table, patches = _with_turn(table, turn, entry.at)
    since = touched(room.since, (seat, *set(turn).difference(before)), entry.seq)
    after = Room(
        table=table,
        game=outcome.state,
        version=entry.seq,
        at=entry.at,
        counter=chance.counter,
        key=room.key,
        since=since,
        past=with_past(room.past, past),
        head=room.head,
        recorded=chain,
        steps=steps,
        log=log,
        older=older,
        made=room.made,
        origin=room.origin,
    )
    changes = RoomChanges(room, after, game, patches, outcome.changes)
    if turn == before and move.sight is Visibility.OWNER:
        after = marked(room, after, changes, seat, outcome.events)
    return Folded(after, outcome.events, changes, digest)


def takes_plain_moves(table: Table) -> bool:
    """Whether a move at a table may change no more than game, record, turn and clocks."""
    return table.phase is Phase.PLAYING and not table.votes


def _with_turn(table: Table, turn: tuple[int, ...], now: int) -> tuple[Table, Changes]:
    """A table where other seats are to move, their clocks running, and how it differs."""
    if clock_of(table) is None:
        return but(table, turn=turn), Changes({"turn": list(turn)}, {}, secret=False)
    draft = TABLE.draft(table)
    draft.turn = turn
    move_clocks(draft, table.turn, now)
    return TABLE.settle(draft, table)
