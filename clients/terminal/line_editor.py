"""The input line: history without passwords, completion by the server, asterisks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path
from typing import Final, cast

from prompt_toolkit.application.current import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import fragment_list_to_text
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

from bluebear.clients.sdk import AskRefused, ClientClosed, NotInRoomError
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.client_commands import NAMES
from bluebear.clients.terminal.sanitize import printable
from bluebear.clients.terminal.secret_lines import covered, is_secret, lacks_password
from bluebear.protocol.limits import SAY_TEXT_MAX

STILL_SECONDS: Final = 0.15
"""The pause in typing, in seconds, after which the server is queried for completions."""

SPEAKS: Final = ("/", "／", "・", ";", "；")
"""First characters of lines that the server can complete; it cannot complete talk."""


Hides = Callable[[], bool]
"""Whether the whole input is a password."""


class QuietHistory(History):
    """A history that drops passwords before storing them."""

    def __init__(self, stored: History, hides: Hides) -> None:
        super().__init__()
        self._stored = stored
        self._hides = hides

    def append_string(self, string: str) -> None:
        lines = string.splitlines()  # of a pasted text
        if not (self._hides() or any(is_secret(line) or lacks_password(line) for line in lines)):
            for line in lines:
                super().append_string(line)

    def load_history_strings(self) -> Iterable[str]:
        return self._stored.load_history_strings()

    def store_string(self, string: str) -> None:
        self._stored.store_string(string)


def history_in(path: Path | None, hides: Hides) -> History:
    """The history of typed lines, in a file if there is one."""
    return QuietHistory(InMemoryHistory() if path is None else FileHistory(path), hides)


class LineCompleter(Completer):
    """Queries the server for completions; lines with passwords are never sent.

    `still` is the time in seconds for which the text must be unchanged before a query.
    """

    def __init__(self, conversation: Conversation, *, hides: Hides, still: float = 0) -> None:
        self._conversation = conversation
        self._still = still
        self._hides = hides

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Empty: the server must be queried asynchronously."""
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        text = document.text_before_cursor
        if self._hides() or not text.lstrip().startswith(SPEAKS):
            return
        if self._still and not complete_event.completion_requested:
            await asyncio.sleep(self._still)
            if get_app().current_buffer.document != document:
                return
        for name in NAMES:
            if text and f"/{name}".startswith(text):
                yield Completion(f"/{name}", start_position=-len(text))
        client = self._conversation.client
        if is_secret(text) or len(text) > SAY_TEXT_MAX or not client.connected:
            return
        try:
            result = await client.ask("complete", room=self._conversation.room, args={"text": text})
        except (AskRefused, ClientClosed, NotInRoomError):
            return
        start = cast(int, result.get("start", len(text)))
        for candidate in cast("list[str]", result.get("candidates", ())):
            yield Completion(printable(candidate), start_position=start - len(text))


class PasswordMask(Processor):
    """Shows asterisks instead of a typed password."""

    def __init__(self, hides: Hides) -> None:
        self._hides = hides

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """The masked line; of equal length, so the cursor does not move."""
        shown = transformation_input.fragments
        text = fragment_list_to_text(shown)
        hidden = "*" * len(text) if self._hides() else covered(text)
        return Transformation(shown if hidden == text else [("", hidden)])
