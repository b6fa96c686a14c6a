"""Logs a person in: with the stored token, else as a guest under a free name."""

from __future__ import annotations

import getpass
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Final

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Backoff, Client, HelloRefused
from bluebear.clients.terminal.saved_state import Memory
from bluebear.protocol import Code, Lang, Want

AGENT: Final = "bluebear-terminal"

NAMES_MAX: Final = 20
"""Maximum number appended to a name that is taken, before a person must choose another name."""

_NO_TOKEN: Final = (Code.UNAUTHORIZED, Code.TOKEN_REPLACED)
"""Refusals after which the person becomes a new guest."""

_PASSWORD: Final = (Code.ENTRY_PASSWORD, Code.WRONG_ENTRY_PASSWORD)
"""Refusals after which the client asks for the server's password."""

PASSWORD_TRIES: Final = 3
"""Maximum number of password attempts before the program ends."""

Ask = Callable[[str], Awaitable[str]]
"""Prompts for a secret, which is neither shown nor stored; "" for none."""

NAME_SIGNS: Final = 16
"""Maximum length of a name; the account name of a machine may be longer."""

SUPERUSER: Final = "root"
"""The account in containers, not the name of a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginRequest:
    """The server to log in to, and the name to use."""

    url: str
    name: str
    """The value of `--name`, else empty: the key of the stored token."""
    lang: Lang
    backoff: Backoff
    password: str = ""
    """The server's password for newcomers, if the environment has it."""
    wants: frozenset[Want] = frozenset()
    """How the server renders boards: `ascii`, `linear`."""


class StoredToken:
    """The token of one person in the file that all terminals of this user share."""

    def __init__(self, memory: Memory, guest: LoginRequest) -> None:
        self._memory = memory
        self._guest = guest
        self._forgotten = ""

    def recall(self) -> str | None:
        """See `Tokens.recall`."""
        token = self._memory.recall(self._guest.url, self._guest.name).token
        return token if token not in ("", self._forgotten) else None

    def keep(self, token: str) -> None:
        """See `Tokens.keep`."""
        # If the file cannot be written, `enter` reports that.
        with suppress(OSError):
            self._memory.renew_token(self._guest.url, self._guest.name, token)

    def forget(self) -> None:
        """Delete a rejected token, and forget its person."""
        token = self.recall()
        self._forgotten = token or ""
        with suppress(OSError):
            self._memory.keep_token(self._guest.url, self._guest.name, "")


def account_name(account: Callable[[], str] = getpass.getuser) -> str:
    """The machine's account name, as far as it is a valid name on a server; else empty.

    >>> account_name(lambda: "mika.m"), account_name(lambda: "root")
    ('mikam', '')
    """
    try:
        given = account()
    except (OSError, KeyError):
        return ""
    plain = "".join(sign for sign in given if sign.isalnum())[:NAME_SIGNS]
    return "" if plain == SUPERUSER else plain


async def enter(
    guest: LoginRequest,
    memory: Memory,
    texts: Texts,
    show: Callable[[str], None],
    stack: AsyncExitStack,
    ask: Ask | None = None,
) -> Client:
    """Return a connected client, which the stack closes. Raises Unreachable or HelloRefused.

    `ask` prompts for the server's password for newcomers; None if no person is at the terminal.
    """
    stored = StoredToken(memory, guest)
    if stored.recall() is not None:
        try:
            return await stack.enter_async_context(_client(guest, stored))
        except HelloRefused as refused:
            if refused.code not in _NO_TOKEN:
                raise
            show(refused.text)
            stored.forget()
    client = await _as_guest(guest, stored, texts, show, stack, ask)
    try:
        memory.keep_token(guest.url, guest.name, client.token or "")
    except OSError:
        show(texts.say("not_kept", name=client.name, path=memory.path))
    return client


async def _as_guest(
    guest: LoginRequest,
    stored: StoredToken,
    texts: Texts,
    show: Callable[[str], None],
    stack: AsyncExitStack,
    ask: Ask | None,
) -> Client:
    """A new guest, with a number after the name if the name is taken."""
    default = texts.say("default_name")
    wanted = guest.name or account_name() or default
    name, number = wanted, 1
    password, tries = guest.password, PASSWORD_TRIES if ask else 0
    while True:
        client = _client(guest, stored, name=name, password=password)
        try:
            return await stack.enter_async_context(client)
        except HelloRefused as refused:
            if refused.code in _PASSWORD and ask is not None and tries:
                tries -= 1
                password = await ask(f"{refused.text}\n{texts.say('entry_password')} ")
                if not password:
                    raise
                continue
            number += 1
            if refused.code == Code.NAME_TAKEN and number <= NAMES_MAX:
                name = f"{wanted}{number}"
            elif refused.code == Code.NAME_BAD and not guest.name and wanted != default:
                name = wanted = default
            else:
                raise
            show(refused.text)
            show(texts.say("trying_name", name=name))


def _client(
    guest: LoginRequest, stored: StoredToken, *, name: str | None = None, password: str = ""
) -> Client:
    other: Lang = "en" if guest.lang == "ja" else "ja"
    return Client(
        guest.url,
        name=name,
        tokens=stored,
        password=password or None,
        langs=(guest.lang, other),
        wants={"text", *guest.wants},
        agent=AGENT,
        backoff=guest.backoff,
    )
