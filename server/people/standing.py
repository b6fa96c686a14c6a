"""What operators have decided, and what of it holds: the fold of the stream `audit`.

The stream is the log and the state in one: whatever holds stands in it, and whatever stands in it
held. An operator is a person's id; names are kept as they were, for reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from bluebear.server.journal import Entry, Json, StreamId

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
