"""Moderation: what operators do, and `/report`, is in the audit log first, and holds from then."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from bluebear.protocol import Bye, Close, Note
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice
from bluebear.server.cluster.news import status_text
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.cluster.presence import Announcement, broadcast
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Arguments, Command, Topic, anywhere, operators
from bluebear.server.commands.scene import ONLINE, Scene
from bluebear.server.features.feature import Context, Control, Feature, Services
from bluebear.server.limits import FORGOTTEN_MS, TALK_REPORTED
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.account import account_of
from bluebear.server.people.audit import ModerationAct, act_of, in_brackets, minutes_left
from bluebear.server.people.names import name_key
from bluebear.server.room.events import Said
from bluebear.server.room.options import minute_of
from bluebear.server.runtime import log
from bluebear.server.sentences import say
from bluebear.server.store import Entry, JournalError, NotRead, PersonRow
from bluebear.server.store.backup import copy_path

_MACHINE: Final = "bluebear operator"
"""Who has appointed an operator, in the log: the administrator at the machine."""
_SPANS: Final = {
    "silence": ("minutes", 60_000, 30 * 24 * 60, ("60", "43200", "0")),
    "banish": ("hours", 3_600_000, 366 * 24, ("24", "8784", "0")),
}
"""The unit of a sanction, also in ms; the most, as none is for ever; what may be typed, by use."""


_command: Final = partial(Command, allowed=operators(), not_for_bots=True)


class Decided(NodeMessage, frozen=True):
    """An operator has acted: the audit log has it."""


class SaveAll(NodeMessage, frozen=True):
    """Store a snapshot of every room in memory."""


def _talk(scene: Scene, given: Arguments) -> Arguments:
    """With the last words in the room that all in it have read."""
    past = () if scene.room is None else scene.room.log
    talk = [it for logged in past for it in logged.events if isinstance(it, Said) and not it.apart]
    return {**given, "talk": tuple(f"{each.name}: {each.text}" for each in talk[-TALK_REPORTED:])}


class Moderation(Feature):
    """What operators do, here and at other nodes."""

    name = "moderation"
    topic = Topic.OPERATOR

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._audit = services.resources.audit
        self._people = services.people
        self._clock = services.clock
        self._saving = asyncio.Lock()
        self.bus.hears(Decided, lambda message: self.refresh())
        self.bus.hears(SaveAll, lambda message: services.rooms.save_all())

    @property
    def control(self) -> Control:
        """Hook: what the administrator may order at the machine."""
        return {"operator": self.appoint, "forgotten": self.forgive}

    @_command("announce text", names=("お知らせ",), needs_full_name=True)
    async def announce(self, ctx: Context, text: str) -> Tell:
        """`/announce`: words for all who are connected."""
        await self._act(ModerationAct("announce", *_by(ctx), why=text))
        return Tell("announced", say("note.announced", ctx.lang))

    @_command(
        "lockdown switch text?",
        names=("新規停止",),
        needs_full_name=True,
        choices={"switch": (Choice("on", ("オン",)), Choice("off", ("オフ",)))},
    )
    async def lockdown(self, ctx: Context, switch: str, text: str = "") -> Tell:
        """`/lockdown`: whether no new people come in and no rooms are made, and why."""
        on = switch == "on"
        if not (on or self._audit.state.locked is not None):
            raise NotAllowed("not_locked")
        kind, key = ("lockdown", "note.locked") if on else ("lockdown_over", "note.unlocked")
        await self._act(ModerationAct(kind, *_by(ctx), why=text))
        return Tell(key.removeprefix("note."), say(key, ctx.lang))

    @_command(
        "silence name minutes:number? text?",
        names=("発言停止",),
        needs_full_name=True,
        offers=ONLINE,
    )
    async def silence(self, ctx: Context, name: str, minutes: int = 60, text: str = "") -> Tell:
        """`/silence`: a person may not talk for so many minutes; 0 ends it."""
        return await self._sanction(ctx, "silence", name, minutes, text)

    @_command(
        "banish name hours:number? text?", names=("追放",), needs_full_name=True, offers=ONLINE
    )
    async def banish(self, ctx: Context, name: str, hours: int = 24, text: str = "") -> Tell:
        """`/banish`: a person may not come in for so many hours; 0 ends it."""
        return await self._sanction(ctx, "banish", name, hours, text)

    @_command("audit page?", names=("運営記録",))
    async def audit(self, ctx: Context, page: int = 1) -> Tell:
        """`/audit`: a page of the audit log, from 1, the newest first."""
        entries, pages = await self._audit.page(page)
        if not entries:
            return Tell("audit", say("answer.audit_empty", ctx.lang))
        head = say("answer.audit_head", ctx.lang, page=page, pages=pages)
        return Tell("audit", "\n".join((head, *(_line(entry, ctx.lang) for entry in entries))))

    @_command("serverstats", names=("サーバー状況",))
    async def serverstats(self, ctx: Context) -> Tell:
        """`/serverstats`."""
        people = await self.services.look_ups.count_online()
        text = status_text(self.bus, self.services.stats(), ctx.lang, people)
        return Tell("serverstats", text)

    @_command("saveall", names=("全部屋保存",))
    async def saveall(self, ctx: Context) -> Tell:
        """`/saveall`: snapshots of all rooms in memory; the reply counts those of this node."""
        if self._saving.locked():
            raise NotAllowed("busy")
        async with self._saving:
            await self._act(ModerationAct("saveall", *_by(ctx)))
            self.bus.tell(SaveAll())
            count = await self.services.rooms.save_all()
        return Tell("saved", say("note.saved", ctx.lang, count=count))

    @_command("backup", names=("バックアップ",))
    async def backup(self, ctx: Context) -> Tell:
        """`/backup`: a copy of the journal; it is in the log once it is there."""
        copy = copy_path(self.services.resources.config.data, self._clock.now())
        if self._saving.locked():
            raise NotAllowed("busy")
        async with self._saving:
            try:
                size = await self.services.store.copy_to(copy) / 2**20
            except JournalError as problem:
                log(logging.ERROR, "backup failed", why=str(problem))
                raise NotAllowed("backup_failed") from problem
            await self._act(ModerationAct("backup", *_by(ctx), why=copy.name))
        return Tell("backup", say("note.backup", ctx.lang, name=copy.name, size=f"{size:.1f}"))

    @Command(
        *("report name text", anywhere(), _talk, ("通報",)),
        not_for_bots=True,
        offers=ONLINE,
        topic=Topic.PEOPLE,
    )
    async def report(self, ctx: Context, name: str, text: str, talk: tuple[str, ...]) -> Tell:
        """Tell the operators of a person, and why, with their whispers and the room's talk."""
        person, name = await self.services.look_ups.find_person(name)
        if person == ctx.connection.person:
            raise NotAllowed("list_self")
        ctx.connection.spend(Cost.REPORT)
        talk = (*(text for by, text in ctx.connection.whispers if by == person), *talk)
        await self._act(ModerationAct("report", *_by(ctx), person, name, why=text, talk=talk))
        return Tell("reported", say("note.reported", ctx.lang, name=name))

    async def _act(self, act: ModerationAct) -> None:
        """Write an act, which then is in force at all nodes."""
        await self._audit.write(act)
        await self.refresh()
        self.bus.tell(Decided())

    # Sanctions.

    async def _sanction(self, ctx: Context, kind: str, name: str, lasts: int, why: str) -> Tell:
        """0 ends it, by the name alone, which may be another person's by now."""
        unit, unit_ms, most, candidates = _SPANS[kind]
        if lasts > most:
            raise NotUnderstood("bad_word", argument=unit, given=lasts, candidates=candidates)
        if not lasts:
            return await self._release(ctx, kind, name, why)
        person, name = await self.services.look_ups.find_person(name)
        if person in self._audit.state.operators:
            raise NotAllowed("operator_spared", given=name)
        until = self._clock.now() + lasts * unit_ms
        await self._act(ModerationAct(kind, *_by(ctx), person, name, until, why))
        key = "note.banish_done" if kind == "banish" else "note.silence_done"
        return Tell(kind, say(key, ctx.lang, name=name, until=minute_of(until)))

    async def _release(self, ctx: Context, kind: str, name: str, why: str) -> Tell:
        silence, row = kind == "silence", await self._people.find_by_name(name)
        state, now, key = self._audit.state, self._clock.now(), name_key(name)
        sanctions = state.silenced if silence else state.banished
        running = {person: it for person, it in sanctions.items() if it.until > now}
        # By the name of then, or by that of today.
        today = row.id if row is not None and row.id in running else None
        person = next((each for each, it in running.items() if name_key(it.name) == key), today)
        if person is None and silence:
            raise NotAllowed("not_silenced", given=name)
        if person is None:
            raise NotAllowed("not_banished", given=name)
        await self._act(ModerationAct(f"{kind}_over", *_by(ctx), person, name, why=why))
        key = "note.silence_over" if silence else "note.banish_over"
        return Tell(kind, say(key, ctx.lang, name=name))

    async def refresh(self) -> None:
        """Hook: apply what was written in the log, also by other processes over the store."""
        try:
            acts = await self._audit.look()
        except NotRead as problem:
            log(logging.WARNING, "audit not read", why=str(problem))
            return
        for act in acts:
            self._apply(act)

    def _apply(self, act: ModerationAct) -> None:
        """Show an act to the people of this node that it concerns."""
        minutes, why = minutes_left(act.until, self._clock.now()), in_brackets(act.why)
        if act.kind == "announce":
            texts = {lang: say("note.announce", lang, text=act.why) for lang in LANGS}
            announcement = Announcement("announce", texts, text=act.why)
            self.services.tasks.start(broadcast(self.presence.connections(), announcement, ""))
        for each in self.presence.connections() if act.person else ():
            if act.kind == "report" and each.person in self._audit.state.operators:
                text = say("note.report", each.lang, by=act.by_name, name=act.name, why=act.why)
                each.send(Note(code="report", text=text))
            elif act.person not in (each.person, each.owner):
                continue
            elif act.kind == "banish":
                text = say("bye.banished", each.lang, minutes=minutes, why=why)
                each.send(Bye(why="banished", text=text))
                each.close(Close.BYE, "banished")
            elif act.kind == "silence":
                text = say("note.silenced", each.lang, minutes=minutes, why=why)
                each.send(Note(code="silenced", text=text))
            elif act.kind == "silence_over":
                each.send(Note(code="may_talk", text=say("note.may_talk", each.lang)))

    # At the machine of the server.

    async def appoint(self, given: str) -> dict[str, object]:
        """`+NAME` appoints an operator, `-NAME` dismisses one, nothing lists them.

        Returns {"operators": names}. Raises NotAllowed: no_such_person, register_first, not_saved.
        """
        if given:
            await self._appoint(given[1:].strip(), on=given[0] == "+")
        return {"operators": sorted(self._audit.state.operators.values())}

    async def forgive(self, name: str) -> dict[str, object]:
        """A person has forgotten their password, and may set another for a while.

        Returns {"minutes": the while}. Raises what `appoint` raises.
        """
        row = await self._registered(name)
        until = self._clock.now() + FORGOTTEN_MS
        await self._act(ModerationAct("forgotten", "", _MACHINE, row.id, row.name, until))
        return {"minutes": FORGOTTEN_MS // 60_000}

    async def _registered(self, name: str) -> PersonRow:
        row = await self._people.find_by_name(name)
        if row is None:
            raise NotAllowed("no_such_person", given=name)
        if not row.kept or account_of(row).owner:
            raise NotAllowed("register_first")
        return row

    async def _appoint(self, name: str, *, on: bool) -> None:
        if on:
            row = await self._registered(name)
            person, exact = row.id, row.name
        else:
            entries, key = self._audit.state.operators.items(), name_key(name)
            result = next(((p, n) for p, n in entries if name_key(n) == key), None)
            if result is None:
                raise NotAllowed("no_such_person", given=name)
            person, exact = result
        kind = "operator" if on else "no_operator"
        await self._act(ModerationAct(kind, "", _MACHINE, person, exact))


def _by(ctx: Context) -> tuple[str, str]:
    return ctx.connection.person, ctx.connection.name


def _line(entry: Entry, lang: Lang) -> str:
    act = act_of(entry)
    details = f" {act.name}" if act.name else ""
    details += f" → {minute_of(act.until)}" if act.until else ""
    details += in_brackets(act.why) + "".join(f"\n    {each}" for each in act.talk)
    at, name = minute_of(entry.at), act.by_name
    return say("answer.audit_line", lang, at=at, name=name, deed=act.kind, details=details)
