"""The operator's own door: a socket in the data folder, for those who may write there.

One line comes (`backup PATH`), one JSON object goes back. The file system says who may open it, so
it needs no password, and no stranger's packet ever gets there. `bluebear operator`, `forgotten`,
`backup` and `restore` use it, or the folder where no server runs.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bluebear.rules.core.refusal import Refusal
from bluebear.server.config import DEFAULT_DATA, Parser
from bluebear.server.runtime import log
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import JournalError, NotOpened
from bluebear.server.store.backup import (
    JOURNAL,
    copy_file,
    copy_path,
    lock_folder,
    restore,
)

SOCKET: Final = "control"
"""The socket's name in the data folder."""
_LINE_MAX: Final = 4 * 1024
"""A order_name and a path."""
_LINE_SECONDS: Final = 10.0

Answer = Mapping[str, object]
Order = Callable[[str], Awaitable[Answer]]
"""What follows the name of the order -> the reply, with `error` if it went wrong, or a Refusal."""


class Control:
    """Answers at a data folder's socket; owned by the server that has the folder's lock."""

    def __init__(self, folder: Path, orders: Mapping[str, Order]) -> None:
        self._path = folder / SOCKET
        self._orders = orders
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen; a socket that a dead server has left is taken away."""
        self._path.unlink(missing_ok=True)
        try:
            opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            opened.bind(str(self._path))
            self._path.chmod(0o600)
            self._server = await asyncio.start_unix_server(
                self._answer, sock=opened, limit=_LINE_MAX
            )
        except (AttributeError, OSError) as problem:
            # Too long a path, or a system without such sockets: everything else works.
            log(logging.WARNING, "no control socket", why=str(problem))

    async def close(self) -> None:
        """Listen no more; what was asked before is answered."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        self._path.unlink(missing_ok=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, TimeoutError, ValueError):
                async with asyncio.timeout(_LINE_SECONDS):
                    line = (await reader.readline()).decode()
                order_name, _, rest = line.strip().partition(" ")
                order = self._orders.get(order_name)
                reply: Answer = {"error": f"no such order: {order_name}"}
                try:
                    if order is not None:
                        reply = await order(rest)
                except Refusal as refusal:
                    reply = {"error": refusal.code}
                writer.write(json.dumps(reply).encode() + b"\n")
                await writer.drain()
        finally:
            writer.close()


def ask(folder: Path, line: str) -> Answer | None:
    """Give an order to the server of a folder, and wait for the answer; None: none listens."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.connect(str(folder / SOCKET))
            door.sendall(f"{line}\n".encode())
            with door.makefile("r", encoding="utf-8") as answer:
                reply = answer.readline()
    except OSError:
        return None
    made: Answer = json.loads(reply) if reply else {"error": "the server has gone"}
    return made


def main(argv: Sequence[str]) -> int:
    """Name an operator, take that back, or list them; let a person set another password; copy the
    journal of a data folder, or put a copy back.

    `argv[0]` is the command. Returns 0; 1 if it went wrong, 2 without what it needs (a running
    server, a file, a folder), with a sentence.
    """
    parser = Parser(argv[0], os.environ)
    parser.setting("data", DEFAULT_DATA, type=Path)
    match argv[0]:
        case "forgotten":
            parser.add("name")
            given = parser.parse_args(argv[1:])
            return _forgotten(given.data, " ".join(given.name.split()))
        case "operator":
            parser.add("name", nargs="?", default="")
            parser.add("--remove", action="store_true")
            given = parser.parse_args(argv[1:])
            sign = "-" if given.remove else "+"
            return _operator(given.data, " ".join(given.name.split()), sign)
        case "restore":
            parser.add("file", type=Path)
            given = parser.parse_args(argv[1:])
            return _restore(given.data, given.file)
        case _:
            parser.add("--to", type=Path, metavar="FILE")
            given = parser.parse_args(argv[1:])
            copy: Path = given.to or copy_path(given.data, time.time_ns() // 1_000_000)
            return _back_up(given.data, copy.absolute())


def _operator(data: Path, name: str, sign: str) -> int:
    code, reply = _order(data, "operator", name, f"operator {sign}{name}" if name else "operator")
    operators = reply.get("operators")
    names = ", ".join(map(str, operators)) if isinstance(operators, list) else ""
    key = "serve.operators" if names else "serve.operators_none"
    return code or print_sentence(0, key, names=names)


def _forgotten(data: Path, name: str) -> int:
    code, reply = _order(data, "forgotten", name, f"forgotten {name}")
    minutes = reply.get("minutes")
    return code or print_sentence(0, "serve.forgotten", name=name, minutes=minutes)


def _order(data: Path, command: str, name: str, line: str) -> tuple[int, Answer]:
    """What the server replies, with 0; else the exit code, after saying why it did not obey."""
    reply = ask(data, line)
    if reply is None:
        return print_sentence(UNUSABLE, "serve.operator_no_server", path=data), {}
    if (error := reply.get("error")) is None:
        return 0, reply
    end = {"no_such_person": "unknown", "register_first": "guest"}.get(str(error))
    key = f"serve.{command}_{end}" if end else "serve.operator_failed"
    return print_sentence(FAILED, key, name=name), {}


def _back_up(data: Path, target: Path) -> int:
    """By the server that runs there, or, if none does, from the file."""
    try:
        if (reply := ask(data, f"backup {target}")) is None:
            with lock_folder(data):
                reply = {"bytes": copy_file(data / JOURNAL, target)}
    except NotOpened as problem:
        return _not_opened(problem, data)
    except (JournalError, OSError) as problem:
        reply = {"error": problem}
    if "error" in reply:
        print(reply["error"], file=sys.stderr)
        return print_sentence(FAILED, "backup.failed", path=target)
    size = f"{int(str(reply['bytes'])) / 2**20:.1f}"
    return print_sentence(0, "backup.done", path=target, size=size)


def _restore(data: Path, file: Path) -> int:
    replaced = data / f"replaced-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock_folder(data):
            old = restore(file, data / JOURNAL, replaced)
    except NotOpened as problem:
        return _not_opened(problem, data if problem.code == "in_use" else file)
    except (JournalError, OSError) as problem:
        print(problem, file=sys.stderr)
        return print_sentence(FAILED, "backup.not_restored", path=str(file))
    key = "backup.restored" if old is None else "backup.replaced"
    return print_sentence(0, key, path=str(file), data=str(data), old=str(old))


def _not_opened(problem: NotOpened, path: Path) -> int:
    print(problem, file=sys.stderr)
    key = "backup.no_journal" if problem.code == "no_journal" else f"serve.{problem.code}"
    return print_sentence(UNUSABLE, key, path=str(path))
