"""The fold: (room, entry) -> room. All that changes a room for its members goes through here.

An entry's first line says what it is: a game's move, talk, a command (`/join 2`), or an act of the
server or the clock (`@clock 2`). `fold` is also the judge: it raises Refusal for what is not
allowed, and then nothing has changed. Loading a room is folding its entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from rules.core.keyed import Keyed
from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, held
from server.journal import Entry
from server.limits import TIMEOUTS_IN_A_ROW
from server.room import events, hosting, playing, seating, standins, votes
from server.room.actor import CLOCK, SERVER
from server.room.changes import Folded
from server.room.clocks import restart_clock, shift_clocks, shift_votes
from server.room.direct import Played, play_directly
from server.room.options import choice
from server.room.state import Phase, Privacy, Room, Table, VoteKind
from server.room.step import Games, Step

Words = list[str]


def fold(room: Room | None, entry: Entry, games: Games, played: Played | None = None) -> Folded:
    """Apply an entry; raises Refusal if it is not allowed, and then nothing has changed.

    `played`: the move that the entry's line says, by its actor's seat, where somebody has read it.
    """
    if room is None:
        return _make(entry, games)
    if played is not None:
        direct = play_directly(room, entry, played, games)
        if direct is not None:
            return direct
    step = Step(room, entry, games)
    standins.claim(step)
    line = entry.lines[0]
    mark = line[:1]
    if mark == "@" and step.actor.text in (CLOCK, SERVER):
        _system(step, line)
    elif mark == "/" and line[:2] != "//":
        head, _, rest = line[1:].partition(" ")
        act = _ACTS.get(head)
        if act is None:
            _move(step)
        else:
            act(step, rest.split(" ") if rest else [])
    else:
        _talk(step, line)
    return _folded(step)


def fold_all(room: Room | None, entries: Iterable[Entry], games: Games) -> Room | None:
    """Fold entries one after the other: loading a room."""
    for entry in entries:
        room = fold(room, entry, games).room
    return room


def _make(entry: Entry, games: Games) -> Folded:
    """The first entry: `/newroom GAME PRIVACY`."""
    _, game, privacy = entry.lines[0].split(" ")
    facts = entry.facts
    name = str(facts["name"])
    person = entry.actor.removeprefix("p:")
    hashed = facts.get("hash")
    table = Table(
        id=entry.stream,
        game=game,
        privacy=Privacy(privacy),
        phase=Phase.OPEN,
        host=name,
        options=Keyed(),
        seats=Keyed(),
        turn=(),
        ready=(),
        votes=Keyed(),
        game_id=str(facts["game_id"]),
        commit=str(facts["commit"]),
        locked=hashed is not None,
        rated=True,
        paused_at=None,
        ending=None,
        host_person=person,
        secret=str(facts["seed"]),
        password=str(hashed) if hashed else None,
        invites=Keyed(),
        admitted=Keyed({person: name}),
        banned=Keyed(),
        votes_made=0,
    )
    room = Room(
        table=table,
        game=None,
        version=0,
        at=entry.at,
        counter=0,
        key=b"",
        since=(),
        past=(),
        head=None,
        recorded=None,
        steps=0,
        log=(),
    )
    step = Step(room, entry, games)
    step.tell(events.RoomMade(name, game))
    return _folded(step)


def _folded(step: Step) -> Folded:
    room, changes = step.done()
    return Folded(room, tuple(step.events), changes, step.digest)


def _move(step: Step) -> None:
    """Moves of the game: all lines of the entry, or none."""
    seat = step.seat()
    if step.current.phase is not Phase.PLAYING:
        raise NotAllowed("not_playing")
    if step.current.votes:
        votes.drop_votes(step, VoteKind.UNDO)
    if step.actor.person and step.current.seats[seat].timeouts:
        step.chair(seat).timeouts = 0
    playing.play(step, seat, step.entry.lines)


def _talk(step: Step, line: str) -> None:
    text = line[1:] if line.startswith("//") else line
    seated = step.seat_or_none() is not None
    rule = choice(step.current, "watchchat")
    running = step.current.phase in (Phase.PLAYING, Phase.PAUSED)
    if not seated and running and rule == "off":
        raise NotAllowed("watchers_quiet")
    apart = not seated and running and rule == "apart"
    step.tell(events.Said(step.actor_name(), text, apart))


def _system(step: Step, line: str) -> None:
    head, *words = line.split(" ")
    _SYSTEM[head](step, words)


def _seat_word(words: Words) -> Seat:
    return Seat(int(words[0]))


def _join(step: Step, words: Words) -> None:
    seed = next((w.removeprefix("seed=") for w in words if w.startswith("seed=")), None)
    seating.join(step, _seat_word(words), seed)


def _bot(step: Step, words: Words) -> None:
    if words[0] == "remove":
        seating.remove_bot(step, Seat(int(words[1])))
    else:
        seating.seat_bot(step, words[0], Seat(int(words[1])))


def _vote_number(words: Words) -> int | None:
    return int(words[0]) if words else None


def _ask_pause(step: Step, words: Words) -> None:
    votes.open_vote(step, VoteKind.PAUSE, votes.voters_of(step))


def _ask_masterreset(step: Step, words: Words) -> None:
    votes.open_vote(step, VoteKind.MASTERRESET, votes.voters_of(step))


_ACTS: Final[Mapping[str, Callable[[Step, Words], None]]] = {
    "join": _join,
    "seed": lambda step, words: seating.give_seed(step, words[0]),
    "leave": lambda step, words: seating.leave(step),
    "option": lambda step, words: seating.set_option(step, words[0], words[1]),
    "bot": _bot,
    "start": lambda step, words: seating.press_start(step, rated=True),
    "startnosave": lambda step, words: seating.press_start(step, rated=False),
    "undo": lambda step, words: votes.ask_undo(step, _vote_number(words)),
    "resign": lambda step, words: playing.resign(step),
    "remove": lambda step, words: votes.ask_remove(step, _seat_word(words)),
    "masterreset": _ask_masterreset,
    "pause": _ask_pause,
    "resume": lambda step, words: votes.resume(step),
    "accept": lambda step, words: votes.ballot(step, _vote_number(words), yes=True),
    "refuse": lambda step, words: votes.ballot(step, _vote_number(words), yes=False),
    "reset": lambda step, words: seating.clear_board(step, keep_seats=False),
    "again": lambda step, words: seating.clear_board(step, keep_seats=True),
    "admit": lambda step, words: hosting.admit(step, step.fact("invite")),
    "invite": lambda step, words: hosting.make_invite(
        step, step.fact("guest"), step.fact("guest_name")
    ),
    "uninvite": lambda step, words: hosting.drop_invites(step, step.fact("invite") or "all"),
    "password": lambda step, words: hosting.set_password(step),
    "host": lambda step, words: hosting.hand_over(step, step.fact("whom"), words[0]),
    "kick": lambda step, words: hosting.kick(step, step.fact("whom"), words[0]),
    "ban": lambda step, words: hosting.ban(step, step.fact("whom"), words[0]),
    "unban": lambda step, words: hosting.unban(step, step.fact("whom")),
}
"""The commands that make an entry, by their canonical name."""


def _clock(step: Step, words: Words) -> None:
    """The fallback for a seat whose time is up, or whose house bot is silent."""
    seat = _seat_word(words)
    chair = step.chair(seat)
    if step.table.votes:
        votes.drop_votes(step, VoteKind.UNDO)
    step.tell(events.TimedOut(seat))
    playing.play(step, seat, step.entry.lines[1:], record_as=f"@clock {seat} ")
    if step.table.phase is not Phase.PLAYING or chair.bot is not None:
        return
    chair.timeouts = held(chair.timeouts) + 1
    restart_clock(step, seat)
    if chair.timeouts >= TIMEOUTS_IN_A_ROW:
        standins.stand_in(step, seat)


def _wake(step: Step, words: Words) -> None:
    """The room was asleep: the deadlines move by that time, but no clock runs in a pause."""
    slept = int(words[0])
    shift_votes(step, slept)
    if step.table.phase is Phase.PLAYING:
        shift_clocks(step, slept)


def _freeze(step: Step, words: Words) -> None:
    """The game is broken: it ends void, so that its record is whole and kept."""
    if step.table.phase in (Phase.PLAYING, Phase.PAUSED):
        playing.finish(step, "void", ())
    step.table.phase, step.table.turn, step.table.votes = Phase.FROZEN, (), Keyed()
    step.tell(events.FrozeUp())


_SYSTEM: Final[Mapping[str, Callable[[Step, Words], None]]] = {
    "@clock": _clock,
    "@wake": _wake,
    "@freeze": _freeze,
    "@vote": lambda step, words: votes.time_is_up(step, int(words[0])),
    "@remove": lambda step, words: votes.ask_remove(step, _seat_word(words)),
    "@back": lambda step, words: standins.come_back(step, _seat_word(words)),
    "@nick": lambda step, words: seating.rename(step, step.fact("whom"), words[0]),
    "@host": lambda step, words: hosting.hand_over(step, step.fact("whom"), words[0]),
}
"""The acts of the server and the clock."""

ACT_NAMES: Final = frozenset(_ACTS)
