"""What operators do: each act is written to their log first, and holds from then on."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, assert_never

from bluebear.protocol import Bye, Close, Note
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.clock import Clock
from bluebear.server.commands.acts import (
    Announce,
    BackUp,
    Call,
    LockDown,
    OperatorAct,
    Sanction,
    SaveAll,
    ShowAudit,
    ShowServer,
)
from bluebear.server.edge.calling import Calling
from bluebear.server.edge.connection import Connection
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.whole import Whole
from bluebear.server.edge.words import Decided
from bluebear.server.journal import Entry, JournalError, NotRead, PersonRow, Store
from bluebear.server.journal.backup import back_up
from bluebear.server.limits import FORGOTTEN_MS
from bluebear.server.observe import log
from bluebear.server.people.account import account_of
from bluebear.server.people.audit import Audit, in_brackets, minutes_left
from bluebear.server.people.names import name_key
from bluebear.server.people.people import People
from bluebear.server.people.standing import Deed, Sentences, deed_of
from bluebear.server.sentences import say

_MIB: Final = 2**20
_MACHINE: Final = "bluebear operator"
"""Who has named an operator, in the log: whoever sits at the machine."""


class Operating:
    """Owned by the app."""

    def __init__(
        self,
        audit: Audit,
        people: People,
        presence: Presence,
        calling: Calling,
        others: Others,
        save_all: Callable[[], Awaitable[int]],
        store: Store,
        data: Path,
        clock: Clock,
        whole: Whole,
    ) -> None:
        self._audit = audit
        self._people = people
        self._presence = presence
        self._calling = calling
        self._others = others
        self._save_all = save_all
        self._store = store
        self._data = data
        self._clock = clock
        self._whole = whole
        self._saving = False
        presence.heed(self._stands, lambda gone: None)
        others.hears(Decided, lambda word: self.look())

    def _stands(self, connection: Connection) -> None:
        """A connection is told what holds of whom it speaks for."""
        connection.operator = self._audit.is_operator(connection.person)
        people = filter(None, (connection.person, connection.owner))
        connection.silent_until = self._audit.silent_until(*people)
        connection.renewed()

    async def perform(self, connection: Connection, act: OperatorAct) -> tuple[str, str]:
        """Carry out an act; the code and text of its answer. Raises Refusal."""
        lang = connection.lang
        match act:
            case Announce():
                await self._write(connection, "announce", why=act.text)
                self._announce(act.text)
                return "announced", say("note.announced", lang)
            case LockDown():
                return await self._lock(connection, act)
            case Sanction() if act.lasts_ms:
                return await self._sentence(connection, act)
            case Sanction():
                return await self._release(connection, act)
            case ShowAudit():
                return "audit", await self._shown(act.page, lang)
            case ShowServer():
                return "serverstats", await self._whole.told(lang)
            case SaveAll():
                return "saved", say("note.saved", lang, count=await self._saved(connection))
            case BackUp():
                name, size = await self._copied(connection)
                return "backup", say("note.backup", lang, name=name, size=size)
            case _:
                assert_never(act)

    async def _write(
        self,
        connection: Connection,
        kind: str,
        whom: str = "",
        name: str = "",
        until: int = 0,
        why: str = "",
    ) -> None:
        by, by_name = connection.person, connection.name
        await self._audit.write(Deed(kind, by, by_name, whom, name, until, why))
        self._others.tell(Decided())

    def _announce(self, text: str) -> None:
        texts = {lang: say("note.announce", lang, text=text) for lang in LANGS}
        self._calling.tell_everybody(Call("announce", texts, said=text))

    # The door.

    async def _lock(self, connection: Connection, act: LockDown) -> tuple[str, str]:
        locked = self._audit.standing.locked is not None
        if not (act.on or locked):
            raise NotAllowed("not_locked")
        await self._write(connection, "lockdown" if act.on else "lockdown_over", why=act.text)
        if act.on:
            return "locked", say("note.locked", connection.lang)
        return "unlocked", say("note.unlocked", connection.lang)

    # People who disturb.

    async def _sentence(self, connection: Connection, act: Sanction) -> tuple[str, str]:
        if self._audit.is_operator(act.person):
            raise NotAllowed("operator_spared", given=act.name)
        until = self._clock.now() + act.lasts_ms
        everybody = await self._with_bots(act.person)
        await self._write(connection, act.kind, act.person, act.name, until, act.text)
        self._sentenced_are_told(act.kind, everybody, until, act.text)
        lang, name, day = connection.lang, act.name, _time(until)
        if act.kind == "banish":
            return "banish", say("note.banish_done", lang, name=name, until=day)
        return "silence", say("note.silence_done", lang, name=name, until=day)

    async def _release(self, connection: Connection, act: Sanction) -> tuple[str, str]:
        silence = act.kind == "silence"
        person = await self._sentenced(act.name, silence=silence)
        if person is None and silence:
            raise NotAllowed("not_silenced", given=act.name)
        if person is None:
            raise NotAllowed("not_banished", given=act.name)
        everybody = await self._with_bots(person)
        await self._write(connection, f"{act.kind}_over", person, act.name, why=act.text)
        self._released_are_told(everybody, silence=silence)
        if silence:
            return "silence", say("note.silence_over", connection.lang, name=act.name)
        return "banish", say("note.banish_over", connection.lang, name=act.name)

    def _sentenced_are_told(
        self, kind: str, everybody: Sequence[str], until: int, words: str
    ) -> None:
        minutes, why = minutes_left(until, self._clock.now()), in_brackets(words)
        for other in self._here(everybody):
            self._stands(other)
            if kind == "banish":
                text = say("bye.banished", other.lang, minutes=minutes, why=why)
                other.send(Bye(why="banished", text=text))
                other.close(Close.BYE, "banished")
            else:
                text = say("note.silenced", other.lang, minutes=minutes, why=why)
                other.send(Note(code="silenced", text=text))

    def _released_are_told(self, everybody: Sequence[str], *, silence: bool) -> None:
        for each in self._here(everybody):
            self._stands(each)
            if silence:
                each.send(Note(code="may_talk", text=say("note.may_talk", each.lang)))

    def _here(self, everybody: Sequence[str]) -> list[Connection]:
        return [each for person in everybody for each in self._presence.of(person)]

    async def _sentenced(self, name: str, *, silence: bool) -> str | None:
        """Whom a sentence that still holds is about: by the name of then, or by that of today."""
        row = await self._people.named(name)
        standing, now = self._audit.standing, self._clock.now()
        sentences = standing.silenced if silence else standing.banished
        found = _named(sentences, name, now)
        if found is None and row is not None and row.id in sentences:
            return row.id if sentences[row.id].until > now else None
        return found

    async def _with_bots(self, person: str) -> list[str]:
        row = await self._people.person(person)
        bots = () if row is None else account_of(row).bots
        return [person, *(bot.person for bot in bots)]

    # What operators elsewhere have done.

    async def look(self) -> None:
        """Let hold here what other processes over the same store have written in the log."""
        try:
            deeds = await self._audit.look()
        except NotRead as problem:
            log(logging.WARNING, "audit not read", why=str(problem))
            return
        for deed in deeds:
            everybody = [deed.whom]
            with suppress(NotRead):  # who cannot be looked up is told by his next line
                everybody = await self._with_bots(deed.whom)
            self._holds(deed, everybody)

    def _holds(self, deed: Deed, everybody: Sequence[str]) -> None:
        match deed.kind:
            case "announce":
                self._announce(deed.why)
            case "silence" | "banish":
                self._sentenced_are_told(deed.kind, everybody, deed.until, deed.why)
            case "silence_over" | "banish_over":
                self._released_are_told(everybody, silence=deed.kind == "silence_over")
            case _:
                for connection in self._here(everybody):
                    self._stands(connection)

    # Looking and keeping.

    async def _shown(self, number: int, lang: Lang) -> str:
        entries, pages = await self._audit.page(number)
        if not entries:
            return say("answer.audit_empty", lang)
        head = say("answer.audit_head", lang, page=number, pages=pages)
        return "\n".join((head, *(_line(entry, lang) for entry in entries)))

    async def _saved(self, connection: Connection) -> int:
        self._begin_saving()
        try:
            await self._write(connection, "saveall")
            return await self._save_all()
        finally:
            self._saving = False

    async def _copied(self, connection: Connection) -> tuple[str, str]:
        """A copy's file name and its size in MiB; it is in the log once it is there."""
        self._begin_saving()
        try:
            copied = await back_up(self._store, self._data, self._clock.now())
            await self._write(connection, "backup", why=copied.path.name)
        except JournalError as problem:
            log(logging.ERROR, "backup failed", why=str(problem))
            raise NotAllowed("backup_failed") from problem
        finally:
            self._saving = False
        return copied.path.name, f"{copied.bytes / _MIB:.1f}"

    def _begin_saving(self) -> None:
        if self._saving:
            raise NotAllowed("busy")
        self._saving = True

    # At the server's own machine.

    async def appoint(self, given: str) -> dict[str, object]:
        """`+NAME` names an operator, `-NAME` takes that back, nothing lists them.

        Answers {"operators": names}, or {"error": the code of a refusal}.
        """
        try:
            if given:
                await self._appoint(given[1:].strip(), on=given[0] == "+")
        except Refusal as refusal:
            return {"error": refusal.code}
        return {"operators": sorted(self._audit.standing.operators.values())}

    async def forgive(self, name: str) -> dict[str, object]:
        """Somebody has forgotten his password, and may set another for a while.

        Answers {"minutes": the while}, or {"error": the code of a refusal}.
        """
        try:
            row = await self._registered(name)
            until = self._clock.now() + FORGOTTEN_MS
            await self._audit.write(Deed("forgotten", "", _MACHINE, row.id, row.name, until))
        except Refusal as refusal:
            return {"error": refusal.code}
        self._others.tell(Decided())
        return {"minutes": FORGOTTEN_MS // 60_000}

    async def _registered(self, name: str) -> PersonRow:
        row = await self._people.named(name)
        if row is None:
            raise NotAllowed("no_such_person", given=name)
        if not row.kept or account_of(row).owner:
            raise NotAllowed("register_first")
        return row

    async def _appoint(self, name: str, *, on: bool) -> None:
        if on:
            row = await self._registered(name)
            person, called = row.id, row.name
        else:
            known = self._audit.standing.operators.items()
            key = name_key(name)
            found = next(((p, n) for p, n in known if name_key(n) == key), None)
            if found is None:
                raise NotAllowed("no_such_person", given=name)
            person, called = found
        kind = "operator" if on else "no_operator"
        await self._audit.write(Deed(kind, "", _MACHINE, person, called))
        self._others.tell(Decided())
        for connection in self._presence.of(person):
            self._stands(connection)


def _named(sentences: Sentences, name: str, now: int) -> str | None:
    """Whom a sentence that still holds is about."""
    key = name_key(name)
    for person, sentence in sentences.items():
        if sentence.until > now and name_key(sentence.name) == key:
            return person
    return None


def _line(entry: Entry, lang: Lang) -> str:
    deed = deed_of(entry)
    details = f" {deed.name}" if deed.name else ""
    details += f" → {_time(deed.until)}" if deed.until else ""
    details += in_brackets(deed.why)
    at, name = _time(entry.at), deed.by_name
    return say("answer.audit_line", lang, at=at, name=name, deed=deed.kind, details=details)


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
