"""The other edges of this server, as one edge speaks to them; in one process there are none.

Who has a question waits for the answer; who has news tells it and goes on. Either reaches an edge
once, as long as that edge lives and an engine that both are linked to.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from inspect import isawaitable
from typing import Any, Final, Protocol, TypeVar

import msgspec

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.edge.words import PersonMessage, Reached, Word
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.observe import count, log
from bluebear.server.store import Deposed, JournalError
from bluebear.server.tasks import Tasks

W = TypeVar("W", bound=Word)

TURN_SECONDS: Final = 5.0
"""So long somebody waits for what another edge does for him."""
AGAIN_SECONDS: Final = 0.05
TELLING_MAX: Final = 2_000
"""News that are on their way at once; more are dropped, and counted."""

_ENCODER: Final = msgspec.msgpack.Encoder()


class Way(Protocol):
    """How words get to other edges, and where people are."""

    @property
    def node(self) -> str:
        """The id of this edge."""

    @property
    def edges(self) -> Sequence[str]:
        """The ids of the other edges that live."""

    def name_of(self, node: str) -> str:
        """What an edge was started under, by its id."""

    async def ask(self, node: str, body: bytes) -> bytes:
        """What an edge answers. Raises Refusal: its own, or not_saved where it is not reached."""

    async def where(self, people: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """At which edges people are. Raises JournalError."""

    async def crowd(self, limit: int) -> tuple[Sequence[tuple[str, str]], int]:
        """Ids and names of up to so many who are connected, and how many are. Raises
        JournalError.
        """

    async def attend(self, come: Sequence[str], gone: Sequence[str]) -> None:
        """Note who is connected at this edge, and who is not any more. Raises JournalError."""

    async def reserve(self, key: str) -> bool:
        """Have something for this edge alone; False: another has it. Raises JournalError."""

    async def unreserve(self, key: str) -> None:
        """Let it be anybody's again. Raises JournalError."""


class Others:
    """Owned by the app; `way` is None where this process is the only one with connections."""

    def __init__(self, way: Way | None, tasks: Tasks) -> None:
        self.way = way
        self._start = tasks.start
        # Any: each hears his own.
        self._hearers: dict[type[Word], list[Callable[[Any], object]]] = {}
        self._decoder: msgspec.msgpack.Decoder[Word] | None = None
        self._telling = 0
        self._held: set[str] = set()
        """What this edge does alone just now."""
        self._losers: list[Callable[[str], None]] = []
        self._changers: list[Callable[[], None]] = []

    def hears(self, kind: type[W], hearer: Callable[[W], object]) -> None:
        """Who does what others say; what the first one gives, or that awaits, is the answer."""
        self._hearers.setdefault(kind, []).append(hearer)
        self._decoder = None

    @property
    def node(self) -> str:
        """The id of this edge; "" where it is the only one."""
        return "" if self.way is None else self.way.node

    @property
    def edges(self) -> Sequence[str]:
        """The ids of the other edges that live."""
        return () if self.way is None else self.way.edges

    @property
    def desk(self) -> str:
        """The id of the edge at which what is one for all of them is kept."""
        return "" if self.way is None else min((self.way.node, *self.way.edges))

    def heed_loss(self, loser: Callable[[str], None]) -> None:
        """Who wants to hear of every edge (its id) that is no more."""
        self._losers.append(loser)

    def heed_change(self, changer: Callable[[], None]) -> None:
        """Who wants to hear whenever the edges have become others."""
        self._changers.append(changer)

    def changed(self, lost: Collection[str]) -> None:
        """The edges have become others; these are no more."""
        for node in lost:
            for loser in self._losers:
                loser(node)
        for changer in self._changers:
            changer()

    async def heard(self, body: bytes) -> bytes:
        """Do what another edge says; the answer. Raises Refusal.

        That is NotAllowed (version_gap) for a word that this version does not know: during an
        upgrade two versions speak to each other.
        """
        if self._decoder is None:
            kinds: Any = tuple(self._hearers)  # Any: a union that is made of what is heard
            union = kinds[0]
            for kind in kinds[1:]:
                union |= kind
            self._decoder = msgspec.msgpack.Decoder(union)
        try:
            word = self._decoder.decode(body)
        except msgspec.ValidationError as problem:
            log(logging.WARNING, "unknown word", why=str(problem))
            count("edges.unknown")
            raise NotAllowed("version_gap", given="") from problem
        answers = [hearer(word) for hearer in self._hearers[type(word)]]
        known = [await each if isawaitable(each) else each for each in answers]
        return _ENCODER.encode(known[0])

    def done_here(self, word: Word) -> Any:  # Any: `word.answer`, or what awaits it
        """Do a word of this edge itself."""
        return self._hearers[type(word)][0](word)

    async def elsewhere(self, people: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """At which other edges people are; whoever is at none is left out.

        Nobody is where the store cannot say: then nothing can be said to him either.
        """
        way = self.way
        if way is None or not way.edges or not people:
            return {}
        try:
            found = await way.where(people)
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))
            return {}
        known = ((person, [n for n in nodes if n != way.node]) for person, nodes in found.items())
        return {person: tuple(nodes) for person, nodes in known if nodes}

    async def ask(self, nodes: Collection[str], word: Word) -> list[Any]:  # Any: `word.answer`
        """What some edges answer; those that are not reached are left out."""
        way = self.way
        if way is None or not nodes:
            return []
        body = _ENCODER.encode(word)
        told = await asyncio.gather(
            *(way.ask(each, body) for each in nodes), return_exceptions=True
        )
        made = []
        for each in told:
            if isinstance(each, bytes):
                made.append(msgspec.msgpack.decode(each, type=word.answer))
            elif not isinstance(each, Refusal):
                raise each
            else:
                count("edges.not_reached")
        return made

    async def ask_of(
        self, person: str, word: Word, but: str = ""
    ) -> list[Any]:  # Any: `word.answer`
        """What the other edges answer at which somebody is, but for one of them."""
        nodes = (await self.elsewhere([person])).get(person, ())
        return await self.ask([node for node in nodes if node != but], word)

    async def reach(self, message: PersonMessage, name: str = "") -> Reached:
        """Send a message to a person at every edge where they are; what it led to in all.

        Raises NotAllowed for the person called `name`, if one is given: not_wanted where they keep
        the sender off, no_such_person where they are nowhere.
        """
        reached: Reached = self.done_here(message)
        if not reached.blocked:
            far: list[Reached] = await self.ask_of(message.person, message)
            found = [each for each in (reached, *far) if each.there]
            reached = Reached(
                there=bool(found),
                blocked=any(each.blocked for each in found),
                away=next((each.away for each in found if each.away is not None), None),
                wait=min((each.wait for each in found), default=0.0),
            )
        if name and reached.blocked:
            raise NotAllowed("not_wanted", given=name)
        if name and not reached.there:
            raise NotAllowed("no_such_person", given=name)
        return reached

    @asynccontextmanager
    async def only_here(self, key: str) -> AsyncIterator[None]:
        """Do something that no other edge does meanwhile, and nobody else here, by its key.

        Raises NotAllowed: not_saved, busy.
        """
        if self.way is None:
            yield
            return
        self._held.add(key)
        try:
            await self._reserve(self.way, key)
            yield
        finally:
            self._held.discard(key)
            if not await self._unreserve(self.way, key):
                self._start(self._unreserve_later(self.way, key))

    async def _reserve(self, way: Way, key: str) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN_SECONDS
        while loop.time() < until:
            try:
                if await way.reserve(key):
                    return
            except JournalError as problem:
                log(logging.WARNING, "nothing reserved", why=str(problem))
                raise NotAllowed("not_saved") from problem
            await asyncio.sleep(AGAIN_SECONDS)
        raise NotAllowed("busy")

    async def _unreserve(self, way: Way, key: str) -> bool:
        try:
            await way.unreserve(key)
        except Deposed:
            return True
        except JournalError as problem:
            log(logging.WARNING, "nothing let go", why=str(problem))
            return False
        return True

    async def _unreserve_later(self, way: Way, key: str) -> None:
        """Unless it is wanted here again: then that lets go of it."""
        done = False
        while not done:
            await asyncio.sleep(DISK_RETRY_SECONDS)
            done = key in self._held or await self._unreserve(way, key)

    def tell(self, word: Word) -> None:
        """Tell all other edges something, and go on."""
        way = self.way
        if way is not None and way.edges:
            self._go(partial(self.ask, tuple(way.edges), word))

    def tell_at(self, node: str, word: Word) -> None:
        """Tell something to one edge, if it is another one, and go on."""
        if self.way is not None and node != self.node:
            self._go(partial(self.ask, [node], word))

    def tell_of(self, person: str, word: Word, but: str = "") -> None:
        """Tell something to the other edges at which somebody is, but for one, and go on."""
        if self.way is not None and self.way.edges:
            self._go(partial(self.ask_of, person, word, but))

    def _go(self, ask: partial[Coroutine[Any, Any, list[Any]]]) -> None:  # Any: any reply
        if self._telling >= TELLING_MAX:
            count("edges.not_told")
            return
        self._telling += 1
        self._start(self._told(ask))

    async def _told(self, ask: partial[Coroutine[Any, Any, list[Any]]]) -> None:
        try:
            await ask()
        finally:
            self._telling -= 1
