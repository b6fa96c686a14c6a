"""`bluebear play` and `bluebear chat`: read the command line and run the client."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, cast

from bluebear.clients.command_line import UsageError, read_arguments
from bluebear.clients.phrases import Texts, chosen_lang, preferred_lang
from bluebear.clients.sdk import FOREVER, Backoff, HelloRefused, Unreachable
from bluebear.clients.server_url import Address, BadAddressError, read_address
from bluebear.clients.terminal.browser import open_page, page_of
from bluebear.clients.terminal.local_server import (
    NotStartedError,
    data_folder,
    running_server,
    started_server,
)
from bluebear.clients.terminal.login import LoginRequest
from bluebear.clients.terminal.sanitize import printable
from bluebear.clients.terminal.saved_state import Memory, state_folder
from bluebear.clients.terminal.visit import (
    Visit,
    visit_at_terminal,
    visit_on_screen,
    visit_with_pipe,
)
from bluebear.protocol import Lang, Want

OK: Final = 0
NO_SERVER: Final = 2

ENTRY_PASSWORD: Final = "BLUEBEAR_ENTRY_PASSWORD"
"""The environment variable with a server's password for newcomers."""

DUMB: Final = "dumb"
"""The value of TERM for a terminal that cannot move its cursor."""

PATIENT: Final = Backoff(attempts=12)
"""No person watches a pipe to end the program: after 90 s the server counts as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """The parsed command line."""

    play: bool
    address: Address | None
    name: str
    lang: Lang
    ascii_only: bool
    plain: bool
    open_page: bool


def main(argv: Sequence[str]) -> int:
    """Run `bluebear play ...` or `bluebear chat ...`; `argv[0]` says which.

    Returns 0, or 2 with a sentence if no server is available or the command line is wrong.
    """
    texts = Texts(preferred_lang(os.environ), "bluebear.clients.terminal")
    try:
        options = _read(argv, texts.lang)
    except UsageError as error:
        _complain(f"bluebear {argv[0]}: {texts.say(error.key, given=error.given)}")
        _complain(texts.say("usage").strip())
        return NO_SERVER
    if options is None:
        print(texts.say("usage").strip())
        return OK
    texts = Texts(options.lang, "bluebear.clients.terminal")
    # A terminated client still stops the server that it started.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        with _server(options, texts) as address:
            if options.play:
                _show_page(options, address, texts)
            return asyncio.run(_visit(options, address, texts))
    except KeyboardInterrupt:
        return OK
    except BrokenPipeError:
        # The reader has closed the pipe; else the interpreter's last flush would print an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except NotStartedError as error:
        _complain(texts.say("not_started", log=error.log))
        _complain(error.tail)
    except _NoServerError as error:
        _complain(texts.say("no_server", data=error))
    except (Unreachable, HelloRefused) as error:
        is_reachable = error.code != "unreachable"
        _complain(
            error.text if is_reachable else texts.say("unreachable", url=_server_name(options))
        )
    return NO_SERVER


def _server_name(options: _Options) -> str:
    return options.address.url if options.address else str(data_folder(os.environ))


class _NoServerError(Exception):
    """No server runs on the data folder, and none may be started."""


def _leave(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _complain(text: str) -> None:
    print(printable(text), file=sys.stderr)


def _read(argv: Sequence[str], lang: Lang) -> _Options | None:
    """Parse the command line; None if it requests help. Raises UsageError."""
    play = argv[0] == "play"
    arguments = read_arguments(
        argv[1:],
        values=frozenset({"name", "lang"}),
        switches=frozenset({"ascii", "plain", "help"} | ({"no-open"} if play else set())),
        most=0 if play else 1,
    )
    if "help" in arguments.switches:
        return None
    chosen = chosen_lang(arguments, lang)
    try:
        address = read_address(arguments.positional[0]) if arguments.positional else None
    except BadAddressError:
        raise UsageError("bad_address", arguments.positional[0]) from None
    return _Options(
        play=play,
        address=address,
        name=arguments.values.get("name", ""),
        lang=chosen,
        ascii_only="ascii" in arguments.switches,
        plain="plain" in arguments.switches,
        open_page=play and "no-open" not in arguments.switches,
    )


@contextmanager
def _server(options: _Options, texts: Texts) -> Iterator[Address]:
    """The address of the server, which is started if necessary and allowed."""
    if options.address is not None:
        yield options.address
        return
    data = data_folder(os.environ)
    url = running_server(data)
    if url is not None:
        print(texts.say("joined", url=url), flush=True)
        yield read_address(url)
        return
    if not options.play:
        raise _NoServerError(data)

    def stopping() -> None:
        print(texts.say("stopping"), flush=True)

    print(texts.say("starting", data=data), flush=True)
    with started_server(data, stopping=stopping) as started:
        for line in started.output:
            print(printable(line))
        print(texts.say("started", url=started.url), flush=True)
        yield read_address(started.url)


def _show_page(options: _Options, address: Address, texts: Texts) -> None:
    """Print the URL of the server's page, if it has one; open it if there is a display."""
    page = page_of(address.url)
    if page is None:
        return
    print(texts.say("page", page=page), flush=True)
    if options.open_page and sys.stdin.isatty() and sys.stdout.isatty():
        open_page(page, os.environ)


async def _visit(options: _Options, address: Address, texts: Texts) -> int:
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    memory = Memory(state_folder(os.environ))
    visit = Visit(
        guest=LoginRequest(
            url=address.url,
            name=options.name,
            lang=options.lang,
            backoff=FOREVER if at_terminal else PATIENT,
            password=os.environ.get(ENTRY_PASSWORD, ""),
            wants=_boards(options),
        ),
        invite=address.invite,
        play=options.play,
        ascii_only=options.ascii_only,
        colours="NO_COLOR" not in os.environ,
    )
    if at_terminal and not options.plain and os.environ.get("TERM") != DUMB:
        # Output of libraries would garble the screen; it is dropped, as in every program without a
        # log.
        logging.getLogger().addHandler(logging.NullHandler())
        return await visit_on_screen(visit, memory, texts)
    if at_terminal:
        return await visit_at_terminal(visit, memory, texts)
    return await visit_with_pipe(visit, memory, texts, sys.stdin, sys.stdout)


def _boards(options: _Options) -> frozenset[Want]:
    """How the server should render boards."""
    wanted = {"ascii": options.ascii_only, "linear": options.plain}
    return frozenset(cast(Want, want) for want, wished in wanted.items() if wished)


if __name__ == "__main__":
    sys.exit(main(["chat", *sys.argv[1:]]))
