"""The reducer of rooms: (room, entry) -> room, pure. All changes of a room are made here.

An entry's first line decides its kind: an act of a member (`/join 2`), an act of the server or the
clock (`@clock 2`), a move of the game, or chat. `fold` also checks entries: it raises Refusal for
an entry that is not allowed, and changes nothing. Loading a room folds its entries.

Nearly all entries are plain moves: a seat's owner or its house bot makes one move, no vote is open,
and the game continues. `play_directly` folds these on a shorter path. Tests fold all stored
journals on both paths.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from bluebear.rules.core.chance import HmacChance
from bluebear.rules.core.game import NO_CHANGES
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Move, Seat, Visibility, but
from bluebear.server.room import (
    events,
    game_flow,
    game_setup,
    hosting,
    spectators,
    stand_ins,
    system_acts,
    votes,
)
from bluebear.server.room.creation import MakeRoom, forked, is_fork
from bluebear.server.room.fold_context import (
    ACTS,
    AnyGame,
    Folded,
    Games,
    RoomAct,
    RoomChanges,
    Step,
    append_events,
    digest_is_due,
    game_of,
    marked,
    touched,
    with_past,
)
from bluebear.server.room.game_flow import move_clocks
from bluebear.server.room.options import choice
from bluebear.server.room.state import (
    CLOCK,
    HOUSE,
    SERVER,
    TABLE,
    Origin,
    Past,
    Phase,
    Recorded,
    Room,
    Table,
    VoteKind,
)
from bluebear.server.store import Entry

_DECLARING: Final = (game_flow, game_setup, hosting, spectators, stand_ins, system_acts, votes)
"""The modules that declare the acts of all rooms; features declare their own."""


class Played(Struct, frozen=True):
    """The seat and the parsed move of an entry's only line."""

    seat: Seat
    move: Move


def play_directly(room: Room, entry: Entry, played: Played, game: AnyGame) -> Folded | None:
    """Fold a plain move by the rules of `game`; None if the move is not plain.

    The caller has checked `takes_plain_moves`. Raises Refusal if the move is not allowed.
    """
    seat, move = played.seat, played.move
    chair = room.table.seats.get(seat)
    if move.takes_back or chair is None or chair.timeouts:
        return None
    if (chair.bot is not None) != entry.actor.startswith(HOUSE):
        return None
    chance = HmacChance(room.key, room.counter)
    outcome = game.play(room.game, seat, move, chance, patches=True)
    if not outcome.to_move:  # the game is over
        return None
    chain, steps = room.recorded, room.steps + 1
    quiet = () if chain is None else chain.quiet
    chain = Recorded(chain, f"{seat} {entry.lines[0]}", entry.seq, entry.at, quiet)
    digest = game.tree.digest(outcome.state) if digest_is_due(steps) else ""
    if digest:
        chain = but(chain, before=chain, line=f"= {digest}")
    past = Past(room.version + 1, seat, room.game, chance.counter != room.counter, room.steps)
    log, older = append_events(room, entry, outcome.events, room.table.seats)
    table, before, patches = room.table, room.table.turn, NO_CHANGES
    turn = tuple(sorted(outcome.to_move))
    if turn != before:
        if "clock" in table.options:
            draft = TABLE.draft(table)
            draft.turn = turn
            move_clocks(draft, before, entry.at)
            table, patches = TABLE.settle(draft, table)
        else:
            table, patches = but(table, turn=turn), Changes({"turn": list(turn)}, {}, secret=False)
    since = touched(room.since, (seat, *set(turn).difference(before)), entry.seq)
    after = but(
        room,
        table=table,
        game=outcome.state,
        version=entry.seq,
        at=entry.at,
        counter=chance.counter,
        since=since,
        past=with_past(room.past, past),
        recorded=chain,
        steps=steps,
        log=log,
        older=older,
    )
    changes = RoomChanges(room, after, game, patches, outcome.changes)
    if turn == before and move.sight is Visibility.OWNER:
        after = marked(room, after, changes, seat, outcome.events)
    return Folded(after, outcome.events, changes, digest)


def takes_plain_moves(table: Table) -> bool:
    """Whether a move at this table may be plain: change only game, record, turn and clocks."""
    return table.phase is Phase.PLAYING and not table.votes and table.lesson is None


def fold(
    room: Room | None,
    entry: Entry,
    games: Games,
    act: RoomAct | None = None,
    played: Played | Origin | None = None,
) -> Folded:
    """Fold an entry into a room. Raises Refusal, without any change, if it is not allowed.

    `act` and `played` spare the parsing of the entry's lines, if the caller has done it: its act,
    its only move, or the start of the fork that it creates.
    """
    line = entry.lines[0]
    if room is None:
        made = MakeRoom.read(line)
        new = made.room(entry)
        if is_fork(entry):
            new = forked(new, entry, games, played if isinstance(played, Origin) else None)
        step = Step(new, entry, games)
        if system_acts.LESSON_FACT in entry.facts:
            system_acts.open_lesson(step)
        else:
            made.fold(step)
        return step.done()
    if isinstance(played, Played) and takes_plain_moves(room.table):
        game = game_of(games, room)
        direct = None if game is None else play_directly(room, entry, played, game)
        if direct is not None:
            return direct
    step = Step(room, entry, games)
    for seat, chair in room.table.seats.items():
        # A person whose seat a house bot plays has it back by anything they send in the room.
        if chair.bot is not None and chair.person == step.person:
            if stand_ins.stands_in(room.table, seat):
                stand_ins.come_back(step, seat)
    act = act or _read(line, step)
    if room.table.votes and not isinstance(act, votes.Accept):
        votes.end_absence_vote(step)
    if act is not None:
        act.fold(step)
    elif line[:1] == "/" and line[:2] != "//":
        _move(step)
    else:
        _talk(step, line)
    return step.done()


def _read(line: str, step: Step) -> RoomAct | None:
    """Parse the act of a line; None for a move or chat. A person's line is never an `@` act."""
    is_system = step.actor.text in (CLOCK, SERVER)
    kind = None if line[:1] == "@" and not is_system else ACTS.get(line.partition(" ")[0])
    if kind is not None:
        return kind.read(line)
    if is_system:
        raise NotUnderstood("bad_line", given=line)
    return None


def _move(step: Step) -> None:
    """Play the entry's lines as moves: all or none."""
    seat = step.seat()
    if step.current.phase is Phase.PAUSED:
        raise NotAllowed("paused")
    if step.current.phase is not Phase.PLAYING:
        raise NotAllowed("not_playing")
    if step.current.lesson is not None:
        system_acts.play_lesson(step, step.entry.lines)
        return
    if step.current.votes:
        votes.drop_votes(step, VoteKind.UNDO)
    if step.person and step.current.seats[seat].timeouts:
        step.chair(seat).timeouts = 0
    game_flow.play(step, seat, step.entry.lines)


def _talk(step: Step, line: str) -> None:
    """Send a line as chat; a leading `//` stands for `/`."""
    text = line[1:] if line[:2] == "//" else line
    table, seat = step.current, step.seat_or_none()
    apart = False
    if seat is None and table.phase in (Phase.PLAYING, Phase.PAUSED):
        rule = choice(table, "watchchat")
        if rule == "off":
            raise NotAllowed("watchers_quiet")
        apart = rule == "apart"
    step.tell(events.Said(step.actor_name(seat), text, apart))
