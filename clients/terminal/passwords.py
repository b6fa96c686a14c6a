"""Which password is asked for at a keyboard? The one that a line lacks; it is said with that line.

What is typed meanwhile is an answer, whatever it begins with: it is shown as asterisks, completed
by nobody, and kept in no history.
"""

from __future__ import annotations

from collections.abc import Callable

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import Conversation


class PasswordQuestion:
    """The question of one keyboard, open or not. Opened by `ask`, or by what the server answers.

    `show` prints a sentence, `redraw` is called when the question has been opened.
    """

    def __init__(
        self,
        conversation: Conversation,
        words: Texts,
        show: Callable[[str], None],
        redraw: Callable[[], None] = lambda: None,
    ) -> None:
        self._conversation = conversation
        self._words = words
        self._show = show
        self._redraw = redraw
        self._line = ""
        self._first = ""
        conversation.asks = self.ask

    @property
    def open(self) -> bool:
        """Whether what is typed now is an answer."""
        return bool(self._line)

    @property
    def text(self) -> str:
        """The question, in front of which the person sits."""
        if self._first:
            return f"{self._words.say('password_again')} "
        if self._is_new:
            return f"{self._words.say('new_password')} "
        return f"{self._words.say('password_of', name=self._line.split()[1])} "

    @property
    def _is_new(self) -> bool:
        """Whether the password is one to be chosen: no name stands before it."""
        return len(self._line.split()) == 1

    def ask(self, line: str) -> None:
        """Open the question for a line that lacks its password."""
        if not self.open:
            self._line = line
            self._redraw()

    def answer(self, typed: str) -> str:
        """The line with its password; "" while it is not complete, or was given up."""
        password = typed.strip()
        if not password:
            return self._close("password_dropped")
        if self._is_new and not self._first:
            # Nobody sees a slip of the finger in a password that is being chosen.
            self._first = password
            return ""
        if self._first not in ("", password):
            return self._close("passwords_differ")
        line = f"{self._line} {password}"
        self._line = self._first = ""
        return line

    def drop(self) -> bool:
        """Give the question up; whether there was one."""
        return self.open and self.answer("") == ""

    def _close(self, why: str) -> str:
        self._show(self._words.say(why, line=self._line))
        self._line = self._first = ""
        self._conversation.expect_no_password()
        return ""
