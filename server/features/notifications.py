"""Notifications: `/notify`, and webhooks that say to absent players that it is their turn.

A notice of a game by days goes into the outbox with the entry that makes it true. What waits there
is sent at least once, under one id, and later again where it fails. A call is signed as Standard
Webhooks says (https://www.standardwebhooks.com): who has the secret can see that it is ours, what
it is about, and that it was not sent before.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.slots import fold
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Command, Topic, anywhere
from bluebear.server.features.feature import OFF, ROW_BYTES, Context, Feature, Services
from bluebear.server.limits import HOOK_URL_MAX_CHARS, HOOK_WAITS_SECONDS, HOOKS_AT_ONCE
from bluebear.server.net.http_client import PORTS, HttpRequest
from bluebear.server.people.account import Hook
from bluebear.server.room.state import Phase, Room, by_days
from bluebear.server.runtime import count, log
from bluebear.server.sentences import say, span
from bluebear.server.store import JournalError, Outgoing, Summary, outbox

_UNSUBSCRIBED: Final = 410
"""The answer of a server that wants no calls any more."""
_PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 24


class Notice(Struct, frozen=True, omit_defaults=True):
    """One notice on its way to one person; `tries` counts those that failed. Times are in ms."""

    kind: Literal["turn", "over"]
    person: str
    room: str
    game: str
    game_id: str
    seat: int
    version: int
    at: int
    deadline: int = 0
    tries: int = 0


_DECODER: Final = msgspec.msgpack.Decoder(Notice)
_ENCODER: Final = msgspec.msgpack.Encoder()


class Notifications(Feature):
    """The webhooks of people, and what is sent to them from the rooms of this process."""

    name = "notifications"
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._hosts = services.resources.config.notify_hosts
        self.is_idle = not self._hosts
        self._sending = False

    @Command("notify address?", anywhere(), names=("通知",), secret=True)
    async def notify(self, ctx: Context, address: str = "") -> Tell:
        """`/notify`: the address of a webhook, or a word for "off"; "" shows the webhook."""
        ctx.connection.pay(ROW_BYTES)
        return Tell("own", await self._set_webhook(ctx, address))

    async def _set_webhook(self, ctx: Context, url: str) -> str:
        people, person, lang = self.services.people, ctx.connection.person, ctx.lang
        hosts = self._hosts
        if not url:
            hook = (await people.preferences(person)).hook
            if hook is not None:
                return say("answer.hook", lang, host=urlsplit(hook.url).hostname or "")
            names = ", ".join(hosts)
            return say("answer.no_hook", lang, hosts=names) if hosts else say("answer.hooks", lang)
        if fold(url) in OFF:
            await people.update_preferences(person, lambda current: replace(current, hook=None))
            return say("answer.hook_off", lang)
        check_url(url, hosts)
        hook = Hook(url, new_secret(self.services.resources.fresh(64)), lang)
        await people.update_preferences(person, lambda current: replace(current, hook=hook))
        return say("answer.hook_on", lang, secret=hook.secret)

    def row_changed(self, row: Summary) -> None:
        """Hook: a game may have gone on, or ended."""
        if row.deadline is not None or row.phase == Phase.OVER:
            self.every_minute()

    def every_minute(self) -> None:
        """Hook: send what is due, if that is not being done already."""
        if self._hosts and not self._sending:
            self._sending = True
            self.services.tasks.start(self._send_due())

    async def _send_due(self) -> None:
        try:
            store, now = self.services.store, self.services.clock.now
            while due := await store.write(outbox.claim, store.writer, now(), HOOKS_AT_ONCE):
                attempts = await asyncio.gather(*map(self._send, due))
                later = [each for each in attempts if each is not None]
                done = [each.id for each, after in zip(due, attempts, strict=True) if after is None]
                await store.write(outbox.settle, done, later)
        except JournalError as problem:
            log(logging.WARNING, "outbox not used", why=str(problem))
        finally:
            self._sending = False

    async def _send(self, outgoing: Outgoing) -> Outgoing | None:
        """Try to send one; the same for later where it failed, None where it is done with."""
        notice = _DECODER.decode(outgoing.body)
        try:
            hook = (await self.services.people.preferences(notice.person)).hook
            if hook is None:
                return None
            check_url(hook.url, self._hosts)
        except NotAllowed as refusal:
            # The disk may say it later; an address that is not allowed any more never will.
            return self._later(outgoing, notice) if refusal.code == "not_saved" else None
        except Refusal:
            return None
        body = json.dumps(self._body(notice, hook), ensure_ascii=False).encode()
        seconds = self.services.clock.now() // 1000
        status = await self.services.send_request(
            signed(hook.url, hook.secret, outgoing.id, body, seconds)
        )
        if 200 <= status < 300 or status == _UNSUBSCRIBED:
            count("hooks.sent")
            return None
        count("hooks.failed")
        return self._later(outgoing, notice)

    def _later(self, outgoing: Outgoing, notice: Notice) -> Outgoing | None:
        if notice.tries >= len(HOOK_WAITS_SECONDS):
            count("hooks.given_up")
            return None
        due = self.services.clock.now() + int(HOOK_WAITS_SECONDS[notice.tries] * 1000)
        return Outgoing(outgoing.id, due, _ENCODER.encode(replace(notice, tries=notice.tries + 1)))

    def _body(self, notice: Notice, hook: Hook) -> dict[str, Any]:  # Any: a plain tree
        lang: Lang = next((each for each in LANGS if each == hook.lang), "en")
        game = self.services.games.get(notice.game)
        name = notice.game if game is None else game.info.name(lang)
        key = "note.hook_turn" if notice.kind == "turn" else "note.hook_over"
        time = span(notice.deadline - notice.at, lang)
        text = say(key, lang, game=name, number=notice.room, time=time)
        return {
            "type": notice.kind,
            "room": notice.room,
            "game": notice.game,
            "game_id": notice.game_id,
            "seat": notice.seat,
            "version": notice.version,
            "at": notice.at,
            "deadline": notice.deadline or None,
            # Chat programs show the one or the other.
            "text": text,
            "content": text,
        }

    def outgoing(
        self, old: Room | None, new: Room, here: Mapping[str, str]
    ) -> tuple[Outgoing, ...]:
        """Hook: what an entry makes true for players who are not in the room, in a game by days."""
        if not by_days(new.table):
            return ()
        return tuple(
            Outgoing(f"{each.game_id}-{each.version}-{each.seat}", new.at, _ENCODER.encode(each))
            for each in _notices(old, new)
            if each.person not in here
        )


def _notices(old: Room | None, new: Room) -> Iterator[Notice]:
    table, before = new.table, None if old is None else old.table
    was = None if before is None else before.phase
    for seat, chair in table.seats.items():
        waited = was is Phase.PLAYING and before is not None and int(seat) in before.turn
        is_over = table.phase is Phase.OVER and was in (Phase.PLAYING, Phase.PAUSED)
        is_to_move = table.phase is Phase.PLAYING and chair.bot is None and int(seat) in table.turn
        if chair.person is not None and (is_over or (is_to_move and not waited)):
            kind: Literal["turn", "over"] = "over" if is_over else "turn"
            subject = kind, chair.person, table.id, table.game, table.game_id
            yield Notice(*subject, int(seat), new.version, new.at, chair.deadline or 0)


def check_url(url: str, hosts: Sequence[str]) -> None:
    """NotAllowed: no_hooks, hook_bad, hook_host for an address that may not be called."""
    if not hosts:
        raise NotAllowed("no_hooks")
    plain = url.isascii() and url.isprintable() and not set(url) & set(" \\#@")
    if not plain or len(url) > HOOK_URL_MAX_CHARS:
        raise NotAllowed("hook_bad")
    # In an operator's setting `host` stands for `https://host`; ports count.
    origins = (host if "://" in host else f"https://{host}" for host in hosts)
    if _origin(url) not in set(map(_origin, origins)):
        raise NotAllowed("hook_host", candidates=tuple(hosts))


def _origin(url: str) -> str:
    """Scheme, host and port; NotAllowed (hook_bad) where there are none."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise NotAllowed("hook_bad") from None
    if not parts.hostname or parts.username is not None:
        raise NotAllowed("hook_bad")
    return f"{parts.scheme}://{parts.hostname}:{port}"


def new_secret(fresh: bytes) -> str:
    """The secret of a new address; told once."""
    secret = hashlib.sha256(b"hook" + fresh).digest()[:_SECRET_BYTES]
    return _PREFIX + base64.b64encode(secret).decode()


def signed(url: str, secret: str, call_id: str, body: bytes, seconds: int) -> HttpRequest:
    """A call with its signature, at a time in seconds."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    text = f"{call_id}.{seconds}.".encode() + body
    signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    headers = (
        ("Content-Type", "application/json"),
        ("User-Agent", "bluebear"),
        ("webhook-id", call_id),
        ("webhook-timestamp", str(seconds)),
        ("webhook-signature", f"v1,{signature}"),
    )
    return HttpRequest(url, headers, body)
