"""How does a person come in? With the token that is remembered, else under a name that is free."""

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
"""Numbers that are tried after a taken name, before a person has to think of one."""

_NO_TOKEN: Final = (Code.UNAUTHORIZED, Code.TOKEN_REPLACED)
"""Refusals after which a person is a new guest."""

_PASSWORD: Final = (Code.ENTRY_PASSWORD, Code.WRONG_ENTRY_PASSWORD)
"""Refusals after which a person is asked for the server's password."""

PASSWORD_TRIES: Final = 3
"""So often a person is asked for it before the program ends."""

Ask = Callable[[str], Awaitable[str]]
"""Has a person type a secret, which is not shown and not kept; "" is none."""

NAME_SIGNS: Final = 16
"""A machine's account may have a longer name than servers take."""

SUPERUSER: Final = "root"
"""Nobody's name, but everybody's account in a container."""

NOBODY: Final = "Player"
"""A name for those whose machine does not know theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginRequest:
    """Who wants to come in, and where."""

    url: str
    name: str
    """As given with `--name`, empty if it was not: what the token is remembered under."""
    lang: Lang
    backoff: Backoff
    password: str = ""
    """What a server asks newcomers for, where the environment has it."""
    wants: frozenset[Want] = frozenset()
    """How boards are to be made: `ascii`, `linear`."""


class KeptToken:
    """The token of one person, in the memory that all terminals of this user share."""

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
        # Where the file cannot be written, the person is told when he comes in.
        with suppress(OSError):
            self._memory.renew_token(self._guest.url, self._guest.name, token)

    def forget(self) -> None:
        """The token that was recalled lets nobody in, and its person is not known any more."""
        token = self.recall()
        self._forgotten = token or ""
        with suppress(OSError):
            self._memory.keep_token(self._guest.url, self._guest.name, "")


def own_name(account: Callable[[], str] = getpass.getuser) -> str:
    """What the machine calls whoever sits at it, as far as that can be a name at a table.

    >>> own_name(lambda: "mika.m"), own_name(lambda: "root")
    ('mikam', 'Player')
    """
    try:
        given = account()
    except (OSError, KeyError):
        return NOBODY
    plain = "".join(sign for sign in given if sign.isalnum())[:NAME_SIGNS]
    return NOBODY if plain in ("", SUPERUSER) else plain


async def enter(
    guest: LoginRequest,
    memory: Memory,
    words: Texts,
    show: Callable[[str], None],
    stack: AsyncExitStack,
    ask: Ask | None = None,
) -> Client:
    """A connected client, closed by the stack. Raises Unreachable or HelloRefused.

    `ask` has a person type the password that the server asks newcomers for, if there is a person.
    """
    kept = KeptToken(memory, guest)
    if kept.recall() is not None:
        try:
            return await stack.enter_async_context(_client(guest, kept))
        except HelloRefused as refused:
            if refused.code not in _NO_TOKEN:
                raise
            show(refused.text)
            kept.forget()
    client = await _as_guest(guest, kept, words, show, stack, ask)
    try:
        memory.keep_token(guest.url, guest.name, client.token or "")
    except OSError:
        show(words.say("not_kept", name=client.name, path=memory.path))
    return client


async def _as_guest(
    guest: LoginRequest,
    kept: KeptToken,
    words: Texts,
    show: Callable[[str], None],
    stack: AsyncExitStack,
    ask: Ask | None,
) -> Client:
    """A new guest, with a number after the name if others have it."""
    wanted = guest.name or own_name()
    name, number = wanted, 1
    password, tries = guest.password, PASSWORD_TRIES if ask else 0
    while True:
        client = _client(guest, kept, name=name, password=password)
        try:
            return await stack.enter_async_context(client)
        except HelloRefused as refused:
            if refused.code in _PASSWORD and ask is not None and tries:
                tries -= 1
                password = await ask(f"{refused.text}\n{words.say('entry_password')} ")
                if not password:
                    raise
                continue
            number += 1
            if refused.code == Code.NAME_TAKEN and number <= NAMES_MAX:
                name = f"{wanted}{number}"
            elif refused.code == Code.NAME_BAD and not guest.name and wanted != NOBODY:
                name = wanted = NOBODY
            else:
                raise
            show(refused.text)
            show(words.say("trying_name", name=name))


def _client(
    guest: LoginRequest, kept: KeptToken, *, name: str | None = None, password: str = ""
) -> Client:
    other: Lang = "en" if guest.lang == "ja" else "ja"
    return Client(
        guest.url,
        name=name,
        tokens=kept,
        password=password or None,
        langs=(guest.lang, other),
        wants={"text", *guest.wants},
        agent=AGENT,
        backoff=guest.backoff,
    )
