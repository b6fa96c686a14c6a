"""Questions over a link that have an answer: numbered, and refused where the link breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeAlias

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.link.frames import Call, Told, pack
from bluebear.server.link.values import pack_refusal, refusal_of
from bluebear.server.link.wire import Link
from bluebear.server.observe import count
from bluebear.server.tasks import Tasks

Work: TypeAlias = Callable[[Link, bytes], Coroutine[Any, Any, object]]
"""Answers one kind of call; what it gives is packed. It may raise Refusal."""


class Calls:
    """The calls of one side; owned by it."""

    def __init__(
        self,
        works: Mapping[str, Work],
        tasks: Tasks,
    ) -> None:
        self._works = works
        self._start = tasks.start
        self._number = 0
        self._waiting: dict[tuple[Link, int], asyncio.Future[bytes]] = {}

    async def ask(self, link: Link, what: str, args: object) -> bytes:
        """What the other side answers. Raises Refusal: its own, or not_saved if it is gone."""
        if not link.is_open:
            raise NotAllowed("not_saved")
        self._number += 1
        key = link, self._number
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[key] = future
        link.send(Call(self._number, what, pack(args)))
        try:
            return await future
        finally:
            self._waiting.pop(key, None)

    def told(self, link: Link, told: Told) -> None:
        """An answer has come."""
        future = self._waiting.pop((link, told.number), None)
        if future is None or future.done():
            return
        if told.refusal:
            future.set_exception(refusal_of(told.refusal))
        else:
            future.set_result(told.body)

    def broken(self, link: Link) -> None:
        """A link is no more: nobody answers what was asked over it."""
        for key in [key for key in self._waiting if key[0] is link]:
            future = self._waiting.pop(key)
            if not future.done():
                future.set_exception(NotAllowed("not_saved"))

    def called(self, link: Link, call: Call) -> None:
        """Somebody asks: the answer goes out when it is there."""
        self._start(self._answer(link, call))

    async def _answer(self, link: Link, call: Call) -> None:
        # Whoever asks waits until he hears something, also of a bug.
        failed = NotAllowed("internal", reference=call.what)
        told = Told(call.number, refusal=pack_refusal(failed))
        try:
            work = self._works.get(call.what)
            if work is None:
                # A later version asks for it; whoever asks goes on as if nobody were there.
                count("links.unknown")
                raise NotAllowed("not_saved")
            told = Told(call.number, pack(await work(link, call.args)))
        except Refusal as refusal:
            told = Told(call.number, refusal=pack_refusal(refusal))
        finally:
            link.send(told)
