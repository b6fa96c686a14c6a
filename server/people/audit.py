"""The audit log of operators, and the sanctions in force, which are its fold.

An act is appended to the stream `audit` before it takes effect. Operators and sanctioned people are
ids; the names in the log are those of that time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.people.people import needs_store
from bluebear.server.runtime import Clock, log
from bluebear.server.store import (
    Append,
    Entry,
    Fenced,
    GroupWriter,
    Json,
    NotRead,
    Store,
    StreamId,
    Written,
    streams,
)

_T = TypeVar("_T")

AUDIT: Final = StreamId("audit")
MACHINE: Final = "server"
"""The actor of acts from the server's command line."""

_IN_FACTS: Final = {"by": "actor", "by_name": "by", "person": "whom"}
"""What the fields of an act are called in its entry, whose facts have all but kind and actor."""


class ModerationAct(Struct, frozen=True, omit_defaults=True, rename=_IN_FACTS):
    """An act of an operator: `kind` (the entry's line without `@`), the operator `by`, the person
    that it concerns (an id, and `name`), its end `until` (ms, 0: none) and the reason `why`;
    a `report` is by any person, with the `talk` that they had read last.
    """

    kind: str
    by: str
    by_name: str
    person: str = ""
    name: str = ""
    until: int = 0
    why: str = ""
    talk: tuple[str, ...] = ()


class Sanction(Struct, frozen=True):
    """A sanction of the person `name`: until a time (ms), and why."""

    name: str
    until: int
    why: str


Sanctions = Mapping[str, Sanction]


class ModerationState(Struct, frozen=True):
    """Operators (names by id) and sanctions (by id) after entry `seq`.

    `locked` is the reason of a lockdown; None without one. A person in `forgotten` may set a new
    password without the old one.
    """

    seq: int = 0
    operators: Mapping[str, str] = field(default_factory=dict)
    silenced: Sanctions = field(default_factory=dict)
    banished: Sanctions = field(default_factory=dict)
    forgotten: Sanctions = field(default_factory=dict)
    locked: str | None = None


def entry_of(state: ModerationState, act: ModerationAct, now: int) -> Entry:
    """The next entry of the stream, with an act."""
    facts: dict[str, Json] = msgspec.to_builtins(act)
    line, by = f"@{facts.pop('kind')}", facts.pop("actor")
    return Entry(AUDIT, state.seq + 1, f"p:{by}" if by else MACHINE, "", (line,), facts, now)


def act_of(entry: Entry) -> ModerationAct:
    """The act of an entry."""
    actor = "" if entry.actor == MACHINE else entry.actor.removeprefix("p:")
    return msgspec.convert(
        {**entry.facts, "kind": entry.lines[0][1:], "actor": actor}, ModerationAct
    )


def folded(state: ModerationState, entry: Entry) -> ModerationState:
    """The state after an entry, without the sanctions that had expired by then."""
    act = act_of(entry)
    fold = _FOLDS.get(act.kind)
    after = state if fold is None else fold(state, act)
    return replace(
        after,
        seq=entry.seq,
        silenced=_lasting(after.silenced, entry.at),
        banished=_lasting(after.banished, entry.at),
        forgotten=_lasting(after.forgotten, entry.at),
    )


def _lasting(sanctions: Sanctions, now: int) -> Sanctions:
    return {person: each for person, each in sanctions.items() if each.until > now}


def _with(sanctions: Sanctions, act: ModerationAct) -> Sanctions:
    return {**sanctions, act.person: Sanction(act.name, act.until, act.why)}


def _without(people: Mapping[str, _T], act: ModerationAct) -> Mapping[str, _T]:
    return {person: each for person, each in people.items() if person != act.person}


_FOLDS: Final[Mapping[str, Callable[[ModerationState, ModerationAct], ModerationState]]] = {
    "operator": lambda state, act: replace(
        state, operators={**state.operators, act.person: act.name}
    ),
    "no_operator": lambda state, act: replace(state, operators=_without(state.operators, act)),
    "lockdown": lambda state, act: replace(state, locked=act.why),
    "lockdown_over": lambda state, act: replace(state, locked=None),
    "silence_over": lambda state, act: replace(state, silenced=_without(state.silenced, act)),
    "banish_over": lambda state, act: replace(state, banished=_without(state.banished, act)),
    "silence": lambda state, act: replace(state, silenced=_with(state.silenced, act)),
    "banish": lambda state, act: replace(state, banished=_with(state.banished, act)),
    "forgotten": lambda state, act: replace(state, forgotten=_with(state.forgotten, act)),
}
"""The kinds that change the state; other kinds are only logged."""


PAGE_SIZE: Final = 20
"""Entries on a page of `/audit`."""
_TRIES: Final = 5
_DISK_RETRY_MS: Final = 60_000


class Disk(Protocol):
    """The disk of the store."""

    @property
    def disk_is_low(self) -> bool:
        """Whether it is nearly full."""


class Audit:
    """The audit log and its state. Owned by the app; `open` it before people connect."""

    def __init__(
        self, store: Store, writer: GroupWriter, clock: Clock, disk: Disk | None = None
    ) -> None:
        self._disk = disk
        self._store = store
        self._writer = writer
        self._clock = clock
        self._turn = asyncio.Lock()
        self._news: list[ModerationAct] = []
        self.state = ModerationState()

    async def open(self) -> None:
        """Read the log, with retries. Raises NotRead."""
        for _ in range(_TRIES):
            try:
                await self.look()
            except NotRead as problem:
                log(logging.ERROR, "audit not read", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                return
        await self.look()

    async def look(self) -> list[ModerationAct]:
        """Read and fold the acts of all nodes since the last call. Raises NotRead."""
        async with self._turn:
            await self._catch_up()
            news, self._news = self._news, []
            return news

    async def _catch_up(self) -> None:
        for entry in await self._store.read(streams.load, AUDIT, self.state.seq):
            self.state = folded(self.state, entry)
            self._news.append(act_of(entry))

    async def write(self, act: ModerationAct) -> None:
        """Append an act, which then is in force. Raises NotAllowed (not_saved)."""
        async with self._turn:
            for _ in range(_TRIES):
                entry = entry_of(self.state, act, self._clock.now())
                answer = await self._writer.store(Append(entry))
                if isinstance(answer, Written):
                    self.state = folded(self.state, entry)
                    self._news.append(act)
                    return
                if not isinstance(answer, Fenced):
                    break
                with needs_store(logging.ERROR, "audit not read"):
                    await self._catch_up()
            raise NotAllowed("not_saved")

    async def page(self, number: int) -> tuple[list[Entry], int]:
        """A page of the log (from 1), newest entry first, and the number of pages.

        Raises NotAllowed (not_saved) if the log cannot be read.
        """
        newest = self.state.seq
        last = newest - PAGE_SIZE * (number - 1)
        pages = -(-newest // PAGE_SIZE)
        if last <= 0:
            return [], pages
        with needs_store(logging.ERROR, "audit not read"):
            entries = await self._store.read(streams.load, AUDIT, max(0, last - PAGE_SIZE))
        return [each for each in entries if each.seq <= last][::-1], pages

    # Sanctions in force.

    def silent_until(self, *people: str) -> int:
        """The latest end (ms) of the silences of these people; 0 if none is silenced."""
        silenced = self.state.silenced
        return max((self._until(silenced, each) for each in people), default=0)

    def has_forgotten(self, person: str) -> bool:
        """Whether a person may set a new password without the old one."""
        return bool(self._until(self.state.forgotten, person))

    def check_may_enter(self, *people: str) -> None:
        """Raise NotAllowed (banished) if one of these people is banished."""
        banished = self.state.banished
        for each in people:
            until = self._until(banished, each)
            if until:
                minutes = minutes_left(until, self._clock.now())
                raise NotAllowed("banished", minutes=minutes, why=in_brackets(banished[each].why))

    def check_open(self) -> None:
        """Raise NotAllowed (lockdown, disk_low) if no new guests and rooms are accepted.

        A nearly full disk is reserved for running games.
        """
        if self.state.locked is not None:
            raise NotAllowed("lockdown", why=in_brackets(self.state.locked))
        if self._disk is not None and self._disk.disk_is_low:
            raise NotAllowed("disk_low", retry_ms=_DISK_RETRY_MS)

    def _until(self, sanctions: Sanctions, person: str) -> int:
        sanction = sanctions.get(person)
        return sanction.until if sanction and sanction.until > self._clock.now() else 0


def minutes_left(until: int, now: int) -> int:
    """The minutes until a time (ms), rounded up."""
    return -(-(until - now) // 60_000)


def in_brackets(reason: str) -> str:
    """A reason in brackets, to follow a sentence in either language; "" without a reason."""
    return f" ({reason})" if reason else ""
