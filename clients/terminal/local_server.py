"""Finds the server of a data folder, or runs one."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

START_SECONDS: Final = 15.0
"""A server with a big journal starts in a few seconds; a longer start means an error."""

STOP_SECONDS: Final = 15.0
"""Time for a server to finish its writes after the signal to stop; then it is killed."""

REVIVALS_MAX: Final = 5
REVIVALS_SECONDS: Final = 60.0
"""If a server ends twice within this time, it is not restarted: a person must look at the log."""

LOOK_SECONDS: Final = 0.05
ANSWER_SECONDS: Final = 2.0

SERVE: Final = (sys.executable, "-m", "bluebear", "serve", "--of-window")

NOTE: Final = "server.json"
LOG: Final = "server.log"
TAIL_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server started by this program, and the sentences that it printed meanwhile.

    For example that its port was busy and it uses another.
    """

    url: str
    output: tuple[str, ...]


class NotStartedError(Exception):
    """The server did not start; `log` is its log file, `tail` the last lines of it."""

    def __init__(self, log: Path, tail: str) -> None:
        super().__init__(f"see {log}: {tail}")
        self.log = log
        self.tail = tail


def data_folder(environment: Mapping[str, str]) -> Path:
    """The folder in which a server stores its games."""
    return Path(environment.get("BLUEBEAR_DATA") or "var")


def running_server(data: Path) -> str | None:
    """The address of the server that runs on a data folder; None if there is none."""
    try:
        note = json.loads((data / NOTE).read_text(encoding="utf-8"))
        url, process = str(note["url"]), int(note["pid"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return url if _is_alive(process) and _answers(url) else None


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # the process of another user
    return True


def _answers(url: str) -> bool:
    parts = urlsplit(url)
    if parts.hostname is None:
        return False
    kind = http.client.HTTPSConnection if parts.scheme == "wss" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def started_server(
    data: Path, *, command: Sequence[str] = SERVE, stopping: Callable[[], None]
) -> Iterator[LocalServer]:
    """Start a server, restart it when it ends, and stop it on leaving. Raises NotStartedError.

    Its log is a file in the data folder. It gets its own process group, so that interrupt keys do
    not kill it. `stopping` is called just before it is signalled to stop.
    """
    log = data / LOG
    try:
        data.mkdir(parents=True, exist_ok=True)
        begin = log.stat().st_size if log.exists() else 0
        supervised = _SupervisedServer(data, log, command)
    except OSError as error:
        raise NotStartedError(log, str(error)) from error
    try:
        url = _wait(data, supervised.server)
        output = _output_since(log, begin)
        if url is None:
            raise NotStartedError(log, "\n".join(output[-TAIL_LINES:]))
        supervised.watch(urlsplit(url).port)
        yield LocalServer(url, tuple(line for line in output if not line.startswith("{")))
        if supervised.server.poll() is None:
            stopping()
    finally:
        supervised.stop()


class _SupervisedServer:
    """A server process that is restarted when it ends. Owned by `started_server`.

    A separate thread waits for its end, since the caller's thread runs the event loop.
    """

    def __init__(self, data: Path, log: Path, command: Sequence[str]) -> None:
        self._data = data
        self._log = log
        self._command = command
        self._turn = threading.Lock()
        self._stops = False
        self._port: int | None = None
        self.server = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "BLUEBEAR_DATA": str(self._data)}
        if self._port is not None:
            environment["BLUEBEAR_PORT"] = str(self._port)
        with self._log.open("ab") as out:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment,
                start_new_session=True,
            )

    def watch(self, port: int | None) -> None:
        """Restart the process from now on, on the same port."""
        self._port = port
        threading.Thread(target=self._watch, name="server", daemon=True).start()

    def _watch(self) -> None:
        revived: list[float] = []
        while True:
            self.server.wait()
            now = time.monotonic()
            revived = [at for at in revived if now - at < REVIVALS_SECONDS]
            with self._turn:
                if self._stops or len(revived) >= REVIVALS_MAX:
                    return
                try:
                    self.server = self._start()
                except OSError:
                    return
            revived.append(now)

    def stop(self) -> None:
        """Stop the process permanently."""
        with self._turn:
            self._stops = True
        _stop(self.server)


def _wait(data: Path, server: subprocess.Popen[bytes]) -> str | None:
    """The address once the server responds; None if it does not."""
    latest = time.monotonic() + START_SECONDS
    while time.monotonic() < latest:
        ended = server.poll() is not None
        # Also if our process has ended: another server may have been faster on the same folder.
        url = running_server(data)
        if url is not None or ended:
            return url
        time.sleep(LOOK_SECONDS)
    return None


def _output_since(log: Path, begin: int) -> list[str]:
    with log.open("rb") as output:
        output.seek(begin)
        return output.read().decode(errors="replace").splitlines()


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
