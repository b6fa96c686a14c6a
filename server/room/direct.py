"""The direct way of a plain move: nearly every entry of a room is one.

Made of the pieces of which the general fold is made, for the case in which these have nothing to
do: somebody at his own seat makes one move, no clock runs, no vote is open, and the game goes on.
Whatever is otherwise is left to `fold`. Tests fold every kept journal both ways.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.game import NO_CHANGES, Game
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Move, Seat, Visibility, but
from bluebear.server.journal import Entry
from bluebear.server.room.changes import Folded, RoomChanges
from bluebear.server.room.clocks import clock_of
from bluebear.server.room.log import with_told
from bluebear.server.room.playing import digest_is_due, with_past
from bluebear.server.room.quiet import marked
from bluebear.server.room.state import Past, Phase, Recorded, Room, Table
from bluebear.server.room.step import Games, touched
from bluebear.server.room.versions import game_of


class Played(Struct, frozen=True):
    """A line that was read as a move already: whose, and which. The entry has it as text."""

    seat: Seat
    move: Move


def play_directly(room: Room, entry: Entry, played: Played, games: Games) -> Folded | None:
    """The room after a plain move; None where it is not plain. Raises Refusal as `fold` does."""
    game = game_of(games, room)
    if game is None or not _is_plain(room, played):
        return None
    seat, move = played.seat, played.move
    chance = HmacChance(room.key, room.counter)
    outcome = game.play(room.game, seat, move, chance, patches=True)
    if game.result(outcome.state) is not None:
        return None
    past = Past(room.version + 1, seat, room.game, chance.counter != room.counter, room.steps)
    recorded = Recorded(room.recorded, f"{seat} {entry.lines[0]}", entry.seq, entry.at, room.quiet)
    log, older = with_told(room, entry, outcome.events)
    digest = _digest(room, game, outcome.state)
    before = room.table.turn
    turn = tuple(sorted(outcome.to_move))
    since = touched(room.since, (seat, *(each for each in turn if each not in before)), entry.seq)
    after = Room(
        table=room.table if turn == before else but(room.table, turn=turn),
        game=outcome.state,
        version=entry.seq,
        at=entry.at,
        counter=chance.counter,
        key=room.key,
        since=since,
        past=with_past(room.past, past),
        head=room.head,
        recorded=_with_digest(recorded, digest) if digest else recorded,
        steps=room.steps + 1,
        log=log,
        older=older,
        made=room.made,
        origin=room.origin,
    )
    same_turn = turn == before
    patches = NO_CHANGES if same_turn else Changes({"turn": list(turn)}, {}, secret=False)
    changes = RoomChanges(room, after, games, patches, outcome.changes)
    if same_turn and move.sight is Visibility.OWNER:
        after = marked(room, after, changes, seat, outcome.events)
    return Folded(after, outcome.events, changes, digest)


def takes_plain_moves(table: Table) -> bool:
    """Whether a move at a table may change no more than the game, its record and the turn."""
    return table.phase is Phase.PLAYING and not table.votes and clock_of(table) is None


def _is_plain(room: Room, played: Played) -> bool:
    """Whether nothing but the game, its record and whose turn it is will be another."""
    if played.move.takes_back or not takes_plain_moves(room.table):
        return False
    chair = room.table.seats.get(played.seat)
    return chair is not None and chair.bot is None and not chair.timeouts


def _with_digest(recorded: Recorded, digest: str) -> Recorded:
    return but(recorded, before=recorded, line=f"= {digest}")


def _digest(room: Room, game: Game[Any], state: Any) -> str:  # Any: the game's own state class
    return game.tree.digest(state) if digest_is_due(room.steps + 1) else ""
