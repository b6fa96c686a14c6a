"""The server of a data folder: is one running there, and if not, run one."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

START_SECONDS: Final = 15.0
"""A server with a big journal is up in a few; beyond this something is wrong."""

STOP_SECONDS: Final = 15.0
"""A server that was told to stop finishes what it writes; then it is no longer asked."""

LOOK_SECONDS: Final = 0.05
ANSWER_SECONDS: Final = 2.0

SERVE: Final = (sys.executable, "-m", "bluebear", "serve")

NOTE: Final = "server.json"
LOG: Final = "server.log"
TAIL_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Started:
    """A server that we have started, and the sentences that it said meanwhile.

    Such as that its port was busy and it took another one.
    """

    url: str
    said: tuple[str, ...]


class NotStartedError(Exception):
    """The server did not come up; `log` is where it says why, `tail` what it said last."""

    def __init__(self, log: Path, tail: str) -> None:
        super().__init__(f"see {log}: {tail}")
        self.log = log
        self.tail = tail


def data_folder(environment: Mapping[str, str]) -> Path:
    """Where a server keeps its games."""
    return Path(environment.get("BLUEBEAR_DATA") or "var")


def running_server(data: Path) -> str | None:
    """The address of the server that runs on a data folder; None if none does."""
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
        return True  # somebody else's, but alive
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
) -> Iterator[Started]:
    """Start a server; stop it at the end. Raises NotStartedError.

    Its log goes to a file in the data folder. It gets a process group of its own, so that the
    keys that interrupt us do not kill it. `stopping` is called just before it is told to stop.
    """
    log = data / LOG
    try:
        data.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as out:
            begin = out.tell()
            server = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, "BLUEBEAR_DATA": str(data)},
                start_new_session=True,
            )
    except OSError as error:
        raise NotStartedError(log, str(error)) from error
    try:
        url = _wait(data, server)
        said = _said_since(log, begin)
        if url is None:
            raise NotStartedError(log, "\n".join(said[-TAIL_LINES:]))
        yield Started(url, tuple(line for line in said if not line.startswith("{")))
        if server.poll() is None:
            stopping()
    finally:
        _stop(server)


def _wait(data: Path, server: subprocess.Popen[bytes]) -> str | None:
    """The address, as soon as the server answers there; None if it does not."""
    latest = time.monotonic() + START_SECONDS
    while time.monotonic() < latest:
        ended = server.poll() is not None
        # Also when ours has ended: another one may have been quicker on the same folder.
        url = running_server(data)
        if url is not None or ended:
            return url
        time.sleep(LOOK_SECONDS)
    return None


def _said_since(log: Path, begin: int) -> list[str]:
    with log.open("rb") as said:
        said.seek(begin)
        return said.read().decode(errors="replace").splitlines()


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
