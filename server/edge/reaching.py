"""What is said to people, as it reaches their connections at this edge, whoever says it.

The bounds on how often somebody is asked or rung for are kept here, where he is: so they hold
from wherever that is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Final

from bluebear.protocol import Codec, Note
from bluebear.rules.core.phrases import Lang
from bluebear.server.commands.acts import Call
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.words import PeekAsked, Reached, Rung, Shouted, WentAway, Whispered
from bluebear.server.net.budget import Budgets, TokenBuckets
from bluebear.server.net.rate_limits import NUDGES, REQUESTS, YELLS, Cost
from bluebear.server.people.lists import Kind
from bluebear.server.sentences import say

_AT_ONCE: Final = 200
"""So many get their frame before others have a turn of the loop."""


class Reaching:
    """Owned by the app."""

    def __init__(
        self,
        presence: Presence,
        budgets: Budgets,
        others: Others,
        start: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._presence = presence
        self._budgets = budgets
        self._start = start
        self._yells = TokenBuckets(YELLS)
        self._nudges = TokenBuckets(NUDGES)
        self._requests = TokenBuckets(REQUESTS)
        others.hears(Whispered, self.whisper)
        others.hears(Rung, self.ring)
        others.hears(PeekAsked, self.ask_peek)
        others.hears(Shouted, self._shouted)
        others.hears(WentAway, lambda word: self._presence.goes_away(word.person, word.text))

    def whisper(self, word: Whispered) -> Reached:
        """Tell somebody something, unless he keeps the speaker off.

        Who only does not hear the speaker counts as reached: nobody learns that.
        """
        others = self._presence.of(word.person)
        if _blocks(others, word.by):
            return Reached(there=True, blocked=True)
        for other in _heeding(others, word.by):
            number = other.number_of(word.room) if word.room else None
            if not word.room or number is not None:
                text = say("note.whisper", other.lang, name=word.name, text=word.text)
                code = "whisper"
                other.send(Note(room=number, code=code, text=text, name=word.name, said=word.text))
        return Reached(there=bool(others), away=self._presence.away(word.person))

    def ring(self, word: Rung) -> Reached:
        """Ring for somebody on his connections in a room, if that was not done just now."""
        others = self._presence.of(word.person)
        wait = self._take(self._nudges, word.room + word.person) if others else 0.0
        if wait <= 0:
            self._note(others, word, "nudge", "note.nudge")
        return Reached(there=bool(others), wait=wait)

    def ask_peek(self, word: PeekAsked) -> Reached:
        """Ask somebody whether another one may look into his hand."""
        others = self._presence.of(word.person)
        if _blocks(others, word.by):
            return Reached(there=True, blocked=True)
        key = f"{word.room} {word.by} {word.person}"
        wait = self._take(self._requests, key) if others else 0.0
        if wait <= 0:
            self._note(others, word, "peek_wanted", "note.peek")
        return Reached(there=bool(others), wait=wait)

    def _note(
        self, others: Sequence[Connection], word: Rung | PeekAsked, code: str, key: str
    ) -> None:
        for other in _heeding(others, word.by):
            number = other.number_of(word.room)
            if number is not None:
                text = say(key, other.lang, name=word.name)
                other.send(Note(room=number, code=code, text=text))

    def wait_for_yell(self, room: str) -> float:
        """The seconds until a room may be praised again in the lobby."""
        now = asyncio.get_running_loop().time()
        return self._yells.wait(Cost.CALL, room, now) if room else 0.0

    def shout(self, word: Shouted, speaker: Connection | None = None) -> None:
        """Tell everybody in the lobby, and whoever has said it here."""
        if word.act.room:
            self._yells.charge(Cost.CALL, word.act.room, asyncio.get_running_loop().time())
        lobby = (each for each in self._presence.in_lobby() if each is not speaker)
        first = () if speaker is None else (speaker,)
        self.spread([*first, *_heeding(lobby, word.by)], word.act, word.name)

    def _shouted(self, word: Shouted) -> None:
        self._budgets.add_remote_cost(Cost.CALL, asyncio.get_running_loop().time())
        self.shout(word)

    def spread(self, listeners: Sequence[Connection], act: Call, name: str) -> None:
        """Tell some connections the same, some at a time."""
        self._start(_spread(listeners, act, name))

    def _take(self, buckets: TokenBuckets, key: str) -> float:
        """Spend, or the seconds that have to be waited before."""
        return buckets.consume(Cost.CALL, key, asyncio.get_running_loop().time())


def _blocks(others: Iterable[Connection], person: str) -> bool:
    return any(each.lists.has(Kind.BLOCK, person) for each in others)


def _heeding(others: Iterable[Connection], person: str) -> list[Connection]:
    """Those that hear what somebody says."""
    return [each for each in others if person not in each.unheard]


async def _spread(listeners: Sequence[Connection], act: Call, name: str) -> None:
    """Frames are made once for each codec and language."""
    frames: dict[tuple[Codec, Lang], bytes] = {}
    for first in range(0, len(listeners), _AT_ONCE):
        for each in listeners[first : first + _AT_ONCE]:
            form = each.codec, each.lang
            if form not in frames:
                text, said = act.texts[each.lang], act.said or None
                note = Note(code=act.code, text=text, name=name, said=said)
                frames[form] = each.codec.encode(note)
            each.push(frames[form])
        await asyncio.sleep(0)
