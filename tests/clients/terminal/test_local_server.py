"""Is a server started only where none runs, and stopped only by who started it?"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bluebear.clients.terminal.local_server import (
    NotStartedError,
    data_folder,
    running_server,
    started_server,
)

# A server that answers /healthz, writes its note, and says goodbye in its log.
SERVER = """
import http.server, json, os, pathlib, signal, sys

class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *args):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Health)
signal.signal(signal.SIGTERM, lambda *args: sys.exit(print("goodbye")))
note = {"url": f"ws://127.0.0.1:{server.server_port}/ws", "pid": os.getpid()}
path = pathlib.Path(os.environ["BLUEBEAR_DATA"]) / "server.json"
path.with_suffix(".new").write_text(json.dumps(note))
path.with_suffix(".new").replace(path)
server.serve_forever()
"""
COMMAND = (sys.executable, "-c", SERVER)


@pytest.fixture
def printed() -> list[str]:
    return []


@pytest.fixture
def stopping(printed: list[str]) -> Callable[[], None]:
    return lambda: printed.append("stopping")


def test_a_started_server_answers_where_it_says(
    tmp_path: Path, stopping: Callable[[], None]
) -> None:
    with started_server(tmp_path / "new", command=COMMAND, stopping=stopping) as it:
        assert running_server(tmp_path / "new") == it.url


def test_what_it_says_while_starting_is_handed_on(
    tmp_path: Path, stopping: Callable[[], None]
) -> None:
    talkative = (sys.executable, "-c", f"print('The port is busy.', flush=True)\n{SERVER}")
    with started_server(tmp_path, command=talkative, stopping=stopping) as it:
        assert it.output == ("The port is busy.",)


def test_it_is_stopped_at_the_end(
    tmp_path: Path, printed: list[str], stopping: Callable[[], None]
) -> None:
    with started_server(tmp_path, command=COMMAND, stopping=stopping):
        pass
    assert running_server(tmp_path) is None
    assert printed == ["stopping"]


def test_it_is_started_again_when_it_dies(tmp_path: Path, stopping: Callable[[], None]) -> None:
    born = tmp_path / "born"
    os.mkfifo(born)
    tells = f"open({str(born)!r}, 'w').write(f'{{os.getpid()}}\\n')"
    command = (sys.executable, "-c", SERVER.replace("\nserver.serve", f"\n{tells}\nserver.serve"))
    with os.fdopen(os.open(born, os.O_RDWR), "r+b", buffering=0) as births:
        with started_server(tmp_path, command=command, stopping=stopping):
            first = int(births.readline())
            os.kill(first, signal.SIGKILL)
            second = int(births.readline())
            assert second != first
            assert running_server(tmp_path) is not None
        assert running_server(tmp_path) is None


def test_its_log_is_stored(tmp_path: Path, stopping: Callable[[], None]) -> None:
    with started_server(tmp_path, command=COMMAND, stopping=stopping):
        pass
    assert (tmp_path / "server.log").read_text(encoding="utf-8") == "goodbye\n"


def test_it_is_stopped_when_the_conversation_breaks(
    tmp_path: Path, stopping: Callable[[], None]
) -> None:
    server = started_server(tmp_path, command=COMMAND, stopping=stopping)
    with pytest.raises(KeyboardInterrupt), server:
        raise KeyboardInterrupt
    assert running_server(tmp_path) is None


def test_a_server_that_cannot_start_says_why(tmp_path: Path, stopping: Callable[[], None]) -> None:
    command = (sys.executable, "-c", "raise SystemExit('the disk is full')")
    server = started_server(tmp_path, command=command, stopping=stopping)
    with pytest.raises(NotStartedError) as failure, server:
        pytest.fail("there is no server")
    assert (failure.value.log, failure.value.tail) == (tmp_path / "server.log", "the disk is full")


def test_a_data_folder_that_cannot_be_made_is_reported(
    tmp_path: Path, stopping: Callable[[], None]
) -> None:
    (tmp_path / "file").touch()
    server = started_server(tmp_path / "file" / "var", command=COMMAND, stopping=stopping)
    with pytest.raises(NotStartedError), server:
        pytest.fail("there is no server")


@pytest.mark.parametrize(
    "note",
    [
        "",
        "{}",
        "[]",
        '{"url": "ws://127.0.0.1:1/ws", "pid": 0.5}',
        '{"url": "ws://127.0.0.1:1/ws", "pid": OURS}',
        '{"url": "nonsense", "pid": OURS}',
    ],
)
def test_a_note_is_believed_only_if_the_server_answers(tmp_path: Path, note: str) -> None:
    alive = note.replace("OURS", str(os.getpid()))
    (tmp_path / "server.json").write_text(alive, encoding="utf-8")
    assert running_server(tmp_path) is None


@pytest.mark.parametrize(
    ("environment", "folder"),
    [({}, "var"), ({"BLUEBEAR_DATA": ""}, "var"), ({"BLUEBEAR_DATA": "games"}, "games")],
)
def test_the_data_folder_is_var_unless_another_is_named(
    environment: dict[str, str], folder: str
) -> None:
    assert data_folder(environment) == Path(folder)
