"""Hints that are being thought about: which seat asked, what the house's child answers.

A worker beside the child thinks, by what the wire shows to the seat and by nothing else. Nobody
waits for it: the answer is a note, and where the game has moved on there is none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bluebear.protocol import Note, Think
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Branch
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import Seat
from bluebear.server.journal import Entry
from bluebear.server.limits import HINT_PATIENCE_SECONDS, HINTS_WAITING
from bluebear.server.observe import count
from bluebear.server.room.act import Actor
from bluebear.server.room.state import Phase, Room
from bluebear.server.room.system_acts import Hint
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.rooms.advice import BadAdvice, advice_text, read_advice
from bluebear.server.rooms.house_bots import BotDispatcher
from bluebear.server.rooms.updates import view_of
from bluebear.server.sentences import say

THOUGHT: Final = "/thought "
"""What the child's line begins with: then comes the number of the question, and the answer."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question to the child."""

    number: int
    live: ActiveRoom
    seat: Seat
    person: str
    since: int
    """What is meant for an older version is stale for the seat."""
    lines: tuple[str, ...]
    patience: asyncio.TimerHandle


class Hints:
    """All hints of one engine; owned by it. One at a time for a person."""

    def __init__(self, desk: BotDispatcher) -> None:
        self._desk = desk
        self._asked: dict[int, _Asked] = {}
        desk.answers(THOUGHT, self)

    def is_pending(self, room: str) -> bool:
        """Whether a hint is being made for a seat of a room: a move there may end that."""
        return any(asked.live.id == room for asked in self._asked.values())

    def committed(self, live: ActiveRoom, entry: Entry) -> None:
        """An entry of a room is committed: it may ask for a hint, or make one idle."""
        # Most entries are moves, while nobody waits for a hint.
        for asked in list(self._asked.values()) if self._asked else ():
            if asked.live.id == live.id and not _still_wanted(asked):
                self._drop(asked)
        if entry.lines[0] == Hint.head and (person := Actor(entry.actor).person):
            self._ask(live, person)

    def _ask(self, live: ActiveRoom, person: str) -> None:
        """Ask the child; who waits for another hint, here or elsewhere, does not get that one."""
        for asked in list(self._asked.values()):
            if asked.person == person:
                self._fail(asked)
        room, game, seat = live.room, live.game, live.room.seat_of(person)
        if game is None or seat is None:
            return
        number = self._desk.number()
        lines = tuple(map(game.grammar.format, game.plain(room.game, seat)))
        patience = asyncio.get_running_loop().call_later(
            HINT_PATIENCE_SECONDS, self._out_of_patience, number
        )
        asked = self._asked[number] = _Asked(
            number, live, seat, person, room.since[seat - 1], lines, patience
        )
        question = Think(
            number=number,
            room=live.id,
            game=game.info.key,
            rules=None if room.head is None else room.head.rules,
            seat=int(seat),
            view=_seen(room, game, seat),
            lines=lines,
        )
        if len(self._asked) > HINTS_WAITING or not self._desk.ask(question):
            self._fail(asked)

    def heard(self, told: str) -> None:
        """See `BotRequester`. An answer that nobody waits for any more is passed over."""
        number, _, told = told.partition(" ")
        asked = self._asked.get(int(number)) if number.isdecimal() else None
        if asked is None:
            return
        try:
            advice = read_advice(told, asked.lines)
        except BadAdvice:
            self._fail(asked)
            return
        self._forget(asked)
        count("hints.given")
        game = asked.live.game
        if game is not None:
            self._tell(asked, lambda lang: advice_text(advice, game, lang))

    def _out_of_patience(self, number: int) -> None:
        asked = self._asked.get(number)
        if asked is not None:
            self._fail(asked)

    def lost(self) -> None:
        """See `BotRequester`."""
        for asked in list(self._asked.values()):
            self._fail(asked)

    def _fail(self, asked: _Asked) -> None:
        """There will be no answer; who asked is told."""
        self._drop(asked)
        count("hints.failed")
        self._tell(asked, lambda lang: say("note.hint_failed", lang))

    def _drop(self, asked: _Asked) -> None:
        """Nobody waits for an answer any more: the child need not think on."""
        self._forget(asked)
        self._desk.ask(Think(number=asked.number))

    def _forget(self, asked: _Asked) -> None:
        asked.patience.cancel()
        self._asked.pop(asked.number, None)

    def _tell(self, asked: _Asked, text: Callable[[Lang], str]) -> None:
        """A note to whoever asked, wherever he is in that room, in his language."""
        for client in list(asked.live.present.members):
            if client.person == asked.person:
                number = asked.live.number_of(client)
                client.send(Note(room=number, code="hint", text=text(client.lang)))

    def close(self) -> None:
        """Nothing is answered any more."""
        for asked in list(self._asked.values()):
            self._forget(asked)


def _seen(room: Room, game: Game[Any], seat: Seat) -> Branch:
    """The game as the wire shows it to a seat."""
    view = view_of(room, game, frozenset((seat,)))
    assert isinstance(view, Mapping)  # the tree `{room, game}`
    state = view["game"]
    assert isinstance(state, dict)
    return state


def _still_wanted(asked: _Asked) -> bool:
    """Whether a line for the seat would not be stale, and he who asked would say it."""
    live, seat = asked.live, asked.seat
    if live.closed or live.room.table.phase is not Phase.PLAYING:
        return False
    if seat not in live.room.table.turn or live.room.seat_of(asked.person) != seat:
        return False
    return live.room.since[seat - 1] == asked.since
