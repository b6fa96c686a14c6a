"""Programs of ours that begin as forks of a process which has imported the server already.

An interpreter that imports the server and its games takes most of a second of processor time
until it serves, and the suite starts hundreds of servers. A fork has the same code, and a pid,
descriptors and an end of its own.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final

from bluebear.rules import find_games

_NUMBER: Final = struct.Struct("q")
_LENGTH: Final = struct.Struct("I")


class ForkedProcess(subprocess.Popen[bytes]):
    """A process that another one has forked for us, and whose end it reports."""

    def __init__(self, args: Sequence[str], reports: int) -> None:
        self.args = args
        self.stdin = self.stdout = self.stderr = None
        self.returncode: int | None = None
        self._reports = reports
        self.pid = self._report()

    def poll(self) -> int | None:
        """See `Popen.poll`."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """See `Popen.wait`."""
        if (code := self._ended(timeout)) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._reports], [], [], timeout)[0]:
            self.returncode = self._report()
            os.close(self._reports)
        return self.returncode

    def _report(self) -> int:
        number: int
        (number,) = _NUMBER.unpack(os.read(self._reports, _NUMBER.size))
        return number

    def __del__(self, *_: object) -> None:
        """Leave a process that still runs to the one that forked it."""
        if self.returncode is None:
            os.close(self._reports)


class ForkServer:
    """Starts programs of ours, each a fork of one process that has imported the server."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._orders, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                (sys.executable, "-m", __name__, str(theirs.fileno())),
                cwd=Path(__file__).parents[2],
                env=environment,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def close(self) -> None:
        """Fork nothing more; what runs goes on."""
        self._orders.close()
        self._process.wait()

    def begin(
        self, command: Sequence[str], environment: Mapping[str, str], log: IO[bytes]
    ) -> ForkedProcess:
        """Start `python -m MODULE ...`, which writes to `log`."""
        reports, reporting = os.pipe()
        order = json.dumps([*command[2:], dict(environment)]).encode()
        try:
            message = _LENGTH.pack(len(order)) + order
            sent = socket.send_fds(self._orders, [message], [log.fileno(), reporting])
            self._orders.sendall(message[sent:])
        finally:
            os.close(reporting)
        return ForkedProcess(command, reports)


def _serve(orders: socket.socket) -> tuple[list[Any], int] | None:  # Any: words, environment
    """Fork for each order. Returns in the fork with its order and its log; None: no more come."""
    woken, waking = socket.socketpair()
    for end in (woken, waking):
        end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([orders, woken], [], [])
        if woken in ready:
            woken.recv(4096)
            _report_ended(running)
        if orders not in ready:
            continue
        message, fds, _, _ = socket.recv_fds(orders, _LENGTH.size, 2)
        if not message:
            return None
        log, reporting = fds
        length = _LENGTH.unpack(message)[0]
        order = json.loads(orders.recv(length, socket.MSG_WAITALL))
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for end in (orders, woken, waking):
                end.close()
            for fd in (reporting, *running.values()):
                os.close(fd)
            return order, log
        os.write(reporting, _NUMBER.pack(pid))
        running[pid] = reporting
        os.close(log)


def _report_ended(running: dict[int, int]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        reporting = running.pop(pid)
        # Where the test is over, no one reads it.
        with suppress(BrokenPipeError):
            os.write(reporting, _NUMBER.pack(os.waitstatus_to_exitcode(status)))
        os.close(reporting)


def _import_server() -> None:
    """Import all that a server imports until it serves."""
    for name in ("asyncpg", "uvloop", "bluebear.server.__main__"):
        import_module(name)
    find_games()
    # What is there is for ever: no fork looks for garbage in it, and its pages stay shared.
    gc.collect()
    gc.freeze()


def main() -> None:
    """Fork what is ordered through the socket that the first argument names, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _import_server()
    served = _serve(socket.socket(fileno=int(sys.argv[1])))
    if served is None:
        return
    (module, *arguments, environment), log = served
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [module, *arguments]
    code: str | int | None = None
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    if isinstance(code, str) or threading.active_count() > 1:
        sys.exit(code)
    # Its handlers run as at any end. To take apart what it shares with other forks it would have to
    # copy that, which takes as long as half of the imports.
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code or 0)


if __name__ == "__main__":
    main()
