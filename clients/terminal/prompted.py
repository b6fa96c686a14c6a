"""At a terminal: a prompt with history and completion, and what happens is printed above it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import cast

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import clear

from clients.sdk import AskRefused, ClientClosed, NotInRoomError, RoomId
from clients.terminal.chat import Conversation, Screen
from clients.terminal.clean import printable, without_drawing
from clients.terminal.local import NAMES, LocalWord, change_settings, local_word
from clients.terminal.secrecy import is_secret
from clients.words import Words
from protocol.limits import SAY_TEXT_MAX

BOARD = "/board"


class PromptScreen:
    """Prints above the prompt, wherever `patch_stdout` puts it."""

    def __init__(self, *, ascii_only: bool) -> None:
        self._ascii_only = ascii_only

    def show(self, text: str) -> None:
        clean = printable(text)
        print(without_drawing(clean) if self._ascii_only else clean)

    def bell(self) -> None:
        sys.stdout.write("\a")
        sys.stdout.flush()


class QuietHistory(History):
    """A history that forgets passwords before it knows them."""

    def __init__(self, kept: History) -> None:
        super().__init__()
        self._kept = kept

    def append_string(self, string: str) -> None:
        if not is_secret(string):
            super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        return self._kept.load_history_strings()

    def store_string(self, string: str) -> None:
        self._kept.store_string(string)


def history_in(path: Path | None) -> History:
    """What was typed, kept in a file if there can be one."""
    return QuietHistory(InMemoryHistory() if path is None else FileHistory(path))


class LineCompleter(Completer):
    """Asks the server what may come next; passwords are not shown to anybody on the way."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Nothing at once: the server has to be asked."""
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        text = document.text_before_cursor
        for name in NAMES:
            if text and f"/{name}".startswith(text):
                yield Completion(f"/{name}", start_position=-len(text))
        client = self._conversation.client
        if is_secret(text) or len(text) > SAY_TEXT_MAX or not client.connected:
            return
        try:
            found = await client.ask("complete", room=self._conversation.room, args={"text": text})
        except (AskRefused, ClientClosed, NotInRoomError):
            return
        start = cast(int, found.get("start", len(text)))
        for candidate in cast("list[str]", found.get("candidates", ())):
            yield Completion(printable(candidate), start_position=start - len(text))


class Prompt:
    """The keyboard of one conversation. Everything that it starts ends with `run`."""

    def __init__(
        self,
        conversation: Conversation,
        screen: Screen,
        words: Words,
        *,
        history: Path | None,
        keyboard: Input | None = None,
        display: Output | None = None,
    ) -> None:
        self._conversation = conversation
        self._screen = screen
        self._words = words
        conversation.turn = self._look
        self._typing = set[asyncio.Task[object]]()
        self._session: PromptSession[str] = PromptSession(
            history=history_in(history),
            completer=LineCompleter(conversation),
            complete_while_typing=False,
            input=keyboard,
            output=display,
        )

    def _look(self, room: RoomId) -> None:
        """It has become the person's turn: look at the board, visibly."""
        if room == self._conversation.room and self._conversation.settings.board:
            self._type(BOARD, echo=True)

    async def run(self, *, offer: str = "") -> None:
        """Read lines until /quit or the end of input; `offer` stands in the first line."""
        with patch_stdout():
            try:
                while (line := await self._read(offer)) is not None:
                    offer = ""
                    if not self._obey(line):
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
            return None

    def _message(self) -> str:
        return printable(f"{self._conversation.room or self._words.say('lobby')}> ")

    def _obey(self, line: str) -> bool:
        """Carry out or send a line; False if it was the last one."""
        match local_word(line):
            case LocalWord.QUIT:
                return False
            case LocalWord.CLEAR:
                clear()
            case LocalWord.SET:
                settings = self._conversation.settings
                self._screen.show(change_settings(settings, line, self._words))
            case None:
                if line:
                    self._type(line, echo=False)
        return True

    def _type(self, line: str, *, echo: bool) -> None:
        """Say a line without keeping the prompt from the next one."""
        task = asyncio.create_task(self._conversation.type(line, echo=echo, aimed=not echo))
        self._typing.add(task)
        task.add_done_callback(self._typing.discard)
