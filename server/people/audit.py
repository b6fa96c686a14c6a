"""The operators' log: written before anything of it holds, read back page by page.

The stream `audit` is the log and the state in one, by its fold: what holds stands in it, and what
stands in it held. An operator is a person's id; names are stored as they were, for reading.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.observe import log
from bluebear.server.runtime import Clock
from bluebear.server.store import Answer as Answered
from bluebear.server.store import (
    Append,
    Entry,
    Fenced,
    GroupWriter,
    JournalError,
    Json,
    NotRead,
    NotSaved,
    Store,
    StreamId,
    Written,
    streams,
)

AUDIT: Final = StreamId("audit")
MACHINE: Final = "server"
"""The actor of what was said on the server's own machine."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What an operator does, before its entry is written.

    `kind` is the head of the line; `until` is in ms, 0 where the kind has no time or it is over;
    `why` are the operator's words.
    """

    kind: str
    by: str
    by_name: str
    whom: str = ""
    name: str = ""
    until: int = 0
    why: str = ""

    @property
    def facts(self) -> Mapping[str, Json]:
        """What its entry keeps beside the line."""
        facts: dict[str, Json] = {"by": self.by_name}
        if self.whom:
            facts.update(whom=self.whom, name=self.name)
        if self.until:
            facts["until"] = self.until
        if self.why:
            facts["why"] = self.why
        return facts


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that somebody may not do, until a time in ms, and why."""

    name: str
    until: int
    why: str


Sentences = Mapping[str, Sentence]


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds after entry `seq`. `locked` is why nobody new comes in; None: the door is open.

    Who has `forgotten` his password may set another without it.
    """

    seq: int = 0
    operators: Mapping[str, str] = field(default_factory=dict)
    silenced: Sentences = field(default_factory=dict)
    banished: Sentences = field(default_factory=dict)
    forgotten: Sentences = field(default_factory=dict)
    locked: str | None = None


def entry_of(standing: Standing, deed: Deed, now: int) -> Entry:
    """The next entry of the stream."""
    actor = f"p:{deed.by}" if deed.by else MACHINE
    line = f"@{deed.kind}"
    return Entry(AUDIT, standing.seq + 1, actor, "", (line,), deed.facts, now)


def deed_of(entry: Entry) -> Deed:
    """What an entry says."""
    facts = entry.facts
    until = facts.get("until", 0)
    return Deed(
        kind=entry.lines[0][1:],
        by=entry.actor.removeprefix("p:") if entry.actor != MACHINE else "",
        by_name=str(facts["by"]),
        whom=str(facts.get("whom", "")),
        name=str(facts.get("name", "")),
        until=until if isinstance(until, int) else 0,
        why=str(facts.get("why", "")),
    )


def folded(standing: Standing, entry: Entry) -> Standing:
    """What holds after an entry; what was over by then is forgotten."""
    deed = deed_of(entry)
    fold = _FOLDS.get(deed.kind)
    after = standing if fold is None else fold(standing, deed)
    return replace(
        after,
        seq=entry.seq,
        silenced=_lasting(after.silenced, entry.at),
        banished=_lasting(after.banished, entry.at),
        forgotten=_lasting(after.forgotten, entry.at),
    )


def _lasting(sentences: Sentences, now: int) -> Sentences:
    return {person: each for person, each in sentences.items() if each.until > now}


def _with(sentences: Sentences, deed: Deed) -> Sentences:
    return {**sentences, deed.whom: Sentence(deed.name, deed.until, deed.why)}


def _without(sentences: Sentences, deed: Deed) -> Sentences:
    return {person: each for person, each in sentences.items() if person != deed.whom}


def _operator(standing: Standing, deed: Deed) -> Standing:
    return replace(standing, operators={**standing.operators, deed.whom: deed.name})


def _no_operator(standing: Standing, deed: Deed) -> Standing:
    left = {person: name for person, name in standing.operators.items() if person != deed.whom}
    return replace(standing, operators=left)


_FOLDS: Final[Mapping[str, Callable[[Standing, Deed], Standing]]] = {
    "operator": _operator,
    "no_operator": _no_operator,
    "lockdown": lambda standing, deed: replace(standing, locked=deed.why),
    "lockdown_over": lambda standing, deed: replace(standing, locked=None),
    "silence_over": lambda standing, deed: replace(
        standing, silenced=_without(standing.silenced, deed)
    ),
    "banish_over": lambda standing, deed: replace(
        standing, banished=_without(standing.banished, deed)
    ),
    "silence": lambda standing, deed: replace(standing, silenced=_with(standing.silenced, deed)),
    "banish": lambda standing, deed: replace(standing, banished=_with(standing.banished, deed)),
    "forgotten": lambda standing, deed: replace(
        standing, forgotten=_with(standing.forgotten, deed)
    ),
}
"""Kinds that change what holds; the others are only in the log."""


PAGE_SIZE: Final = 20
"""Entries that `/audit` shows at once."""
_TRIES: Final = 5
_DISK_RETRY_MS: Final = 60_000


class Audit:
    """Owned by the app; `open` it before people come. `disk_is_low` is asked at each newcomer."""

    def __init__(
        self,
        store: Store,
        writer: GroupWriter,
        clock: Clock,
        disk_is_low: Callable[[], bool] = lambda: False,
    ) -> None:
        self._disk_is_low = disk_is_low
        self._store = store
        self._writer = writer
        self._clock = clock
        self._turn = asyncio.Lock()
        self._news: list[Deed] = []
        self.standing = Standing()

    async def open(self) -> None:
        """Read what holds; a disk with a bad moment is asked again. Raises NotRead."""
        for _ in range(_TRIES):
            try:
                await self.look()
            except NotRead as problem:
                log(logging.ERROR, "audit not read", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                return
        await self.look()

    async def look(self) -> list[Deed]:
        """What others have written since the last look, where several processes share the log.

        It holds here from now on. Raises NotRead.
        """
        async with self._turn:
            await self._catch_up()
            news, self._news = self._news, []
            return news

    async def _catch_up(self) -> None:
        for entry in await self._store.read(streams.load, AUDIT, self.standing.seq):
            self.standing = folded(self.standing, entry)
            self._news.append(deed_of(entry))

    async def write(self, deed: Deed) -> None:
        """Write what an operator does; it holds then. Raises NotAllowed (not_saved).

        One after the other, so that each is judged by what the others have left.
        """
        async with self._turn:
            for _ in range(_TRIES):
                entry = entry_of(self.standing, deed, self._clock.now())
                answer = await self._append(entry)
                if isinstance(answer, NotSaved) and not answer.certain:
                    answer = await self._read_back(entry)
                if isinstance(answer, Written):
                    self.standing = folded(self.standing, entry)
                    return
                if not isinstance(answer, Fenced):
                    break
                await self._look_again()
            raise NotAllowed("not_saved")

    async def _look_again(self) -> None:
        try:
            await self._catch_up()
        except JournalError as problem:
            log(logging.ERROR, "audit not read", why=str(problem))
            raise NotAllowed("not_saved") from problem

    async def _append(self, entry: Entry) -> Answered:
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

        def answered(answer: Answered) -> None:
            if not future.done():
                future.set_result(answer)

        self._writer.submit(Append(entry), answered)
        return await future

    async def _read_back(self, entry: Entry) -> Answered:
        """Whether an entry was written, where the commit could not tell."""
        while True:
            try:
                found = await self._store.read(streams.load, AUDIT, entry.seq - 1)
            except JournalError as problem:
                log(logging.ERROR, "audit not read back", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
                continue
            mine = bool(found) and found[0].facts == entry.facts and found[0].at == entry.at
            return Written(entry.seq) if mine else NotSaved("not written")

    async def page(self, number: int) -> tuple[list[Entry], int]:
        """One page of the log, the newest entry first, and how many pages there are.

        Raises NotAllowed (not_saved) where the disk cannot say.
        """
        newest = self.standing.seq
        last = newest - PAGE_SIZE * (number - 1)
        pages = -(-newest // PAGE_SIZE)
        if last <= 0:
            return [], pages
        try:
            found = await self._store.read(streams.load, AUDIT, max(0, last - PAGE_SIZE))
        except JournalError as problem:
            log(logging.ERROR, "audit not read", why=str(problem))
            raise NotAllowed("not_saved") from problem
        return [each for each in found if each.seq <= last][::-1], pages

    # What holds now.

    def is_operator(self, person: str) -> bool:
        """Whether somebody is an operator."""
        return person in self.standing.operators

    def silent_until(self, *people: str) -> int:
        """Until when (ms) one of these may not talk; 0: all may."""
        known = self.standing.silenced
        return max((self._until(known, each) for each in people), default=0)

    def has_forgotten(self, person: str) -> bool:
        """Whether somebody may set another password without the one that he has."""
        return bool(self._until(self.standing.forgotten, person))

    def check_may_enter(self, *people: str) -> None:
        """NotAllowed (banished) where one of these may not come in."""
        known = self.standing.banished
        for each in people:
            until = self._until(known, each)
            if until:
                minutes = minutes_left(until, self._clock.now())
                raise NotAllowed("banished", minutes=minutes, why=in_brackets(known[each].why))

    def check_open(self) -> None:
        """NotAllowed (lockdown, disk_low) while nobody new comes in and no rooms are made.

        What is left of the disk is for the games that go on.
        """
        if self.standing.locked is not None:
            raise NotAllowed("lockdown", why=in_brackets(self.standing.locked))
        if self._disk_is_low():
            raise NotAllowed("disk_low", retry_ms=_DISK_RETRY_MS)

    def _until(self, sentences: Sentences, person: str) -> int:
        found = sentences.get(person)
        return found.until if found is not None and found.until > self._clock.now() else 0


def minutes_left(until: int, now: int) -> int:
    """The begun minutes until a time in ms."""
    return -(-(until - now) // 60_000)


def in_brackets(words: str) -> str:
    """Somebody's words after a sentence, in either language; nothing where he has said none."""
    return f" ({words})" if words else ""
