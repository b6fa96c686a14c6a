"""Prompt mode: a prompt at the bottom, events printed above it.

For screen readers, dumb terminals, and people who prefer their terminal's scrollback.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import clear

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import RoomId
from bluebear.clients.terminal.chat import ECHO, Conversation, Screen
from bluebear.clients.terminal.client_commands import ClientCommand, change_settings, client_command
from bluebear.clients.terminal.legal_verbs import verbs_of_now
from bluebear.clients.terminal.line_editor import LineCompleter, PasswordMask, history_in
from bluebear.clients.terminal.passwords import PasswordQuestion
from bluebear.clients.terminal.sanitize import printable
from bluebear.clients.terminal.secret_lines import lacks_password, masked

MARK: Final = "* "
"""Before the prompt at the person's turn."""
BOARD: Final = "/board"


class PromptScreen:
    """Prints above the prompt, by `patch_stdout`."""

    def __init__(self, *, ascii_only: bool) -> None:
        self._ascii_only = ascii_only

    def show(self, text: str) -> None:
        print(printable(text, ascii_only=self._ascii_only))

    def bell(self) -> None:
        sys.stdout.write("\a")
        sys.stdout.flush()


class Prompt:
    """The keyboard of one conversation. All its tasks end with `run`."""

    def __init__(
        self,
        conversation: Conversation,
        screen: Screen,
        texts: Texts,
        *,
        history: Path | None,
        keyboard: Input | None = None,
        display: Output | None = None,
        keep_settings: Callable[[], None] = lambda: None,
    ) -> None:
        self._conversation = conversation
        self._screen = screen
        self._texts = texts
        self._keep_settings = keep_settings
        conversation.turn = self._look
        self._question = PasswordQuestion(conversation, texts, screen.show, self._redraw)
        self._typing = set[asyncio.Task[object]]()
        self._session: PromptSession[str] = PromptSession(
            history=history_in(history, self._question.is_open),
            completer=LineCompleter(conversation, hides=self._question.is_open),
            complete_while_typing=False,
            input_processors=[PasswordMask(self._question.is_open)],
            erase_when_done=True,
            input=keyboard,
            output=display,
        )

    def _redraw(self) -> None:
        self._session.app.invalidate()

    def _look(self, room: RoomId) -> None:
        """At the person's turn: print the board and the legal verbs."""
        if room != self._conversation.room:
            return
        if self._conversation.settings.board:
            self._type(BOARD, echo=True)
        self._start(self._tell_verbs(room))

    async def _tell_verbs(self, room: RoomId) -> None:
        verbs = await verbs_of_now(self._conversation, room)
        if verbs:
            self._screen.show(self._texts.say("your_turn", verbs=verbs))

    async def run(self, *, offer: str = "") -> None:
        """Read lines until /quit or the end of input; `offer` is the first line's initial text."""
        with patch_stdout():
            try:
                while (text := await self._read(offer)) is not None:
                    offer = ""
                    # A pasted text may have several lines.
                    if not all(self._obey(line.strip()) for line in text.splitlines() or [""]):
                        return
            finally:
                for task in self._typing:
                    task.cancel()

    async def _read(self, offer: str) -> str | None:
        try:
            return (await self._session.prompt_async(self._message, default=offer)).strip()
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return "" if self._question.is_open() else None

    def _message(self) -> str:
        """The prompt: the room, with a mark at the person's turn; or the open question."""
        if self._question.is_open():
            return printable(self._question.text)
        conversation = self._conversation
        mark = MARK if conversation.is_turn else ""
        return printable(f"{mark}{conversation.room or self._texts.say('lobby')}> ")

    def _obey(self, line: str) -> bool:
        """Run or send a line; returns False if it was the last one."""
        if self._question.is_open():
            line = self._question.answer(line)
            if line:
                self._type(line, echo=False)
            return True
        match client_command(line):
            case ClientCommand.QUIT:
                return False
            case ClientCommand.CLEAR:
                clear()
            case ClientCommand.SET:
                settings = self._conversation.settings
                self._screen.show(change_settings(settings, line, self._texts))
                self._keep_settings()
            case None:
                if lacks_password(line):
                    self._question.ask(line)
                elif line:
                    self._type(line, echo=False)
        return True

    def _type(self, line: str, *, echo: bool) -> None:
        """Send a line without delaying the next prompt."""
        if not echo:
            # The prompt was erased with its text, so passwords do not stay on the screen.
            self._screen.show(f"{ECHO}{masked(line)}")
        self._start(self._conversation.type(line, echo=echo, aimed=not echo))

    def _start(self, work: Coroutine[object, object, object]) -> None:
        task = asyncio.create_task(work)
        self._typing.add(task)
        task.add_done_callback(self._typing.discard)
