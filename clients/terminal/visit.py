"""One visit to a server: log in, then print events and read input until either ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Final

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import ClientClosed
from bluebear.clients.terminal.chat import Conversation, Screen, settings_of
from bluebear.clients.terminal.fullscreen.window import FullScreen, Log
from bluebear.clients.terminal.login import LoginRequest, enter
from bluebear.clients.terminal.pipe_mode import PlainScreen, run_piped
from bluebear.clients.terminal.prompt_mode import Prompt, PromptScreen
from bluebear.clients.terminal.saved_state import Memory
from bluebear.clients.terminal.secret_prompt import ask_secret

SERVER_LOST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """The login and the first action: an invite, or `play`."""

    guest: LoginRequest
    invite: str | None
    play: bool
    ascii_only: bool
    colours: bool = True


async def visit_with_pipe(
    visit: Visit, memory: Memory, texts: Texts, source: IO[str], out: IO[str]
) -> int:
    """Send the lines of a pipe; returns an exit code. Raises Unreachable or HelloRefused."""
    screen = PlainScreen(out, ascii_only=visit.ascii_only)
    async with AsyncExitStack() as stack:
        conversation = await _come_in(visit, memory, texts, screen, stack)
        lines = run_piped(conversation, screen, source, invite=visit.invite, play=visit.play)
        return await _until_either(conversation, lines, texts, screen)


async def visit_at_terminal(visit: Visit, memory: Memory, texts: Texts) -> int:
    """Run prompt mode; returns an exit code. Raises Unreachable or HelloRefused."""
    screen = PromptScreen(ascii_only=visit.ascii_only)
    async with AsyncExitStack() as stack:
        conversation = await _come_in(visit, memory, texts, screen, stack, greets=True)
        prompt = Prompt(
            conversation,
            screen,
            texts,
            history=_history(memory),
            keep_settings=lambda: _keep_settings(conversation, memory),
        )
        room = memory.recall(visit.guest.url, visit.guest.name).room

        async def type_lines() -> int:
            offer = await _open(visit, conversation, texts, screen, room)
            await prompt.run(offer=offer)
            return 0

        return await _until_either(conversation, type_lines(), texts, screen)


async def visit_on_screen(visit: Visit, memory: Memory, texts: Texts) -> int:
    """Run full-screen mode; returns an exit code. Raises Unreachable or HelloRefused."""
    log = Log(ascii_only=visit.ascii_only)
    async with AsyncExitStack() as stack:
        conversation = await _come_in(visit, memory, texts, log, stack, greets=True)
        full = FullScreen(
            conversation,
            log,
            texts,
            history=_history(memory),
            ascii_only=visit.ascii_only,
            colours=visit.colours,
            keep_settings=lambda: _keep_settings(conversation, memory),
        )
        room = memory.recall(visit.guest.url, visit.guest.name).room

        async def type_lines() -> int:
            opening = asyncio.create_task(_open(visit, conversation, texts, log, room))
            opening.add_done_callback(lambda done: full.offer(done.result()))
            try:
                await full.run()
            finally:
                opening.cancel()
                await asyncio.wait([opening])
            return 0

        code = await _until_either(conversation, type_lines(), texts, log)
    if code:
        # The screen is closed with its log; the reason of the end must stay readable.
        PromptScreen(ascii_only=visit.ascii_only).show("\n".join(log.texts[-1:]))
    return code


def _keep_settings(conversation: Conversation, memory: Memory) -> None:
    with suppress(OSError):
        memory.keep_settings(asdict(conversation.settings))


async def _come_in(
    visit: Visit,
    memory: Memory,
    texts: Texts,
    screen: Screen,
    stack: AsyncExitStack,
    *,
    greets: bool = False,
) -> Conversation:
    guest = visit.guest
    ask = ask_secret if greets else None
    client = await enter(guest, memory, texts, screen.show, stack, ask)

    def remember(room: str) -> None:
        # A file that cannot be written was reported with the token.
        with suppress(OSError):
            memory.keep_room(guest.url, guest.name, room)

    conversation = Conversation(
        client,
        texts,
        screen,
        remember=remember,
        downloads=Path.cwd() if greets else None,
        greets=greets,
    )
    conversation.settings = settings_of(memory.settings())
    return conversation


async def _open(
    visit: Visit, conversation: Conversation, texts: Texts, screen: Screen, room: str
) -> str:
    """Send the opening lines at a terminal; returns the line that the person is left to send."""
    if visit.invite is not None:
        await conversation.type_lines("line_room", room=visit.invite)
    elif room:
        await conversation.type_lines("line_my_rooms")
        screen.show(texts.say("offer", room=room))
        return texts.say("line_room", room=room)
    elif not visit.play:
        await conversation.type_lines("line_rooms")
    elif await conversation.type_lines("line_new_room"):
        await conversation.type_lines("lines_join")
    return ""


async def _until_either(
    conversation: Conversation,
    typing: Coroutine[object, object, int],
    texts: Texts,
    screen: Screen,
) -> int:
    """Print events and read input until one of the two ends; then end the other."""
    listens = asyncio.create_task(conversation.listen())
    types = asyncio.create_task(typing)
    try:
        await asyncio.wait((listens, types), return_when=asyncio.FIRST_COMPLETED)
        if types.done() and not conversation.client.ended:
            return types.result()
        _explain(await listens, texts, screen)
        return SERVER_LOST
    finally:
        for task in (types, listens):
            task.cancel()
        await asyncio.wait((listens, types))


def _explain(closed: ClientClosed, texts: Texts, screen: Screen) -> None:
    """Print why the client has ended: the server's text, if it sent one."""
    if closed.text:
        screen.show(closed.text)
    elif closed.code in ("lost", "replaced"):
        screen.show(texts.say(f"closed_{closed.code}"))


def _history(memory: Memory) -> Path | None:
    try:
        return memory.history()
    except OSError:
        return None
