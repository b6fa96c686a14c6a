"""Sends what waits in the outbox: at least once, each under one id, later again where it fails."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from msgspec.structs import replace

from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.journal import JournalError, Outgoing
from bluebear.server.limits import HOOK_WAITS_SECONDS, HOOKS_AT_ONCE
from bluebear.server.observe import count, log
from bluebear.server.people.account import Hook
from bluebear.server.people.people import People
from bluebear.server.resources import Resources
from bluebear.server.rooms.notices import Notice, notice_of, packed
from bluebear.server.rooms.webhooks import WebhookCall, check_url, signed
from bluebear.server.sentences import say, span

_GONE: Final = 410
"""The answer of who does not want to be called any more."""

Post = Callable[[WebhookCall], Coroutine[Any, Any, int]]


class Notifier:
    """Owned by the app."""

    def __init__(
        self,
        resources: Resources,
        people: People,
        post: Post,
    ) -> None:
        self._store = resources.store
        self._clock = resources.clock
        self._games = resources.games
        self._own = people.own
        self._post = post
        self._hosts = resources.config.notify_hosts
        self._start = resources.tasks.start
        self._sending = False

    def look(self) -> None:
        """Send what is due, if that is not being done already."""
        if self._hosts and not self._sending:
            self._sending = True
            self._start(self._send_due())

    async def _send_due(self) -> None:
        try:
            while due := await self._store.outbox(self._clock.now(), HOOKS_AT_ONCE):
                tried = await asyncio.gather(*map(self._send, due))
                later = [each for each in tried if each is not None]
                gone = [each.id for each, after in zip(due, tried, strict=True) if after is None]
                await self._store.settle(gone, later)
        except JournalError as problem:
            log(logging.WARNING, "outbox not used", why=str(problem))
        finally:
            self._sending = False

    async def _send(self, outgoing: Outgoing) -> Outgoing | None:
        """Try to send one; the same for later where it failed, None where it is done with."""
        notice = notice_of(outgoing)
        try:
            hook = (await self._own(notice.person)).hook
            if hook is None:
                return None
            check_url(hook.url, self._hosts)
        except NotAllowed as refusal:
            # The disk may say it later; an address that is not allowed any more never will.
            return self._later(outgoing, notice) if refusal.code == "not_saved" else None
        except Refusal:
            return None
        body = json.dumps(self._body(notice, hook), ensure_ascii=False).encode()
        seconds = self._clock.now() // 1000
        status = await self._post(signed(hook.url, hook.secret, outgoing.id, body, seconds))
        if 200 <= status < 300 or status == _GONE:
            count("hooks.sent")
            return None
        count("hooks.failed")
        return self._later(outgoing, notice)

    def _later(self, outgoing: Outgoing, notice: Notice) -> Outgoing | None:
        if notice.tries >= len(HOOK_WAITS_SECONDS):
            count("hooks.given_up")
            return None
        due = self._clock.now() + int(HOOK_WAITS_SECONDS[notice.tries] * 1000)
        return Outgoing(outgoing.id, due, packed(replace(notice, tries=notice.tries + 1)))

    def _body(self, notice: Notice, hook: Hook) -> dict[str, Any]:  # Any: a plain tree
        lang: Lang = next((each for each in LANGS if each == hook.lang), "en")
        game = self._games.get(notice.game)
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
