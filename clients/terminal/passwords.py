"""The password prompt of a terminal: it completes a line that lacks its password.

While it is open, all input is the password, whatever it begins with: it is shown as asterisks, not
completed and not stored in a history.
"""

from __future__ import annotations

from collections.abc import Callable

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import Conversation


class PasswordQuestion:
    """The password prompt of one terminal. Opened by `ask`, or by a reply of the server.

    `show` prints a sentence; `redraw` is called after the prompt has opened.
    """

    def __init__(
        self,
        conversation: Conversation,
        texts: Texts,
        show: Callable[[str], None],
        redraw: Callable[[], None] = lambda: None,
    ) -> None:
        self._conversation = conversation
        self._texts = texts
        self._show = show
        self._redraw = redraw
        self._line = ""
        self._first = ""
        conversation.asks = self.ask

    def is_open(self) -> bool:
        """Whether the prompt is open, so that the next input is a password."""
        return bool(self._line)

    @property
    def text(self) -> str:
        """The text of the prompt."""
        if self._first:
            return f"{self._texts.say('password_again')} "
        if self._is_new:
            return f"{self._texts.say('new_password')} "
        return f"{self._texts.say('password_of', name=self._line.split()[1])} "

    @property
    def _is_new(self) -> bool:
        """Whether a new password is chosen: such a line has no name before it."""
        return len(self._line.split()) == 1

    def ask(self, line: str) -> None:
        """Open the prompt for a line that lacks its password."""
        if not self.is_open():
            self._line = line
            self._redraw()

    def answer(self, typed: str) -> str:
        """The line with its password; "" while it is incomplete or was cancelled."""
        password = typed.strip()
        if not password:
            return self._close("password_dropped")
        if self._is_new and not self._first:
            # A new password is typed twice, since a typing error is invisible.
            self._first = password
            return ""
        if self._first not in ("", password):
            return self._close("passwords_differ")
        line = f"{self._line} {password}"
        self._line = self._first = ""
        return line

    def drop(self) -> bool:
        """Cancel the prompt; returns whether it was open."""
        return self.is_open() and self.answer("") == ""

    def _close(self, why: str) -> str:
        self._show(self._texts.say(why, line=self._line))
        self._line = self._first = ""
        self._conversation.expect_no_password()
        return ""
