"""The address of a server's page, and whether this machine has a screen to show it."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bluebear.clients.terminal.browser import has_display, page_of


@contextmanager
def answering(status: int, kind: str) -> Iterator[int]:
    """A server on a free port that answers everything alike."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_the_page_stands_where_the_socket_is() -> None:
    with answering(200, "text/html; charset=utf-8") as port:
        assert page_of(f"ws://127.0.0.1:{port}/ws") == f"http://127.0.0.1:{port}/"


@pytest.mark.parametrize(("status", "kind"), [(404, "text/html"), (200, "text/plain")])
def test_a_server_without_a_page_has_none(status: int, kind: str) -> None:
    with answering(status, kind) as port:
        assert page_of(f"ws://127.0.0.1:{port}/ws") is None


def test_a_server_that_does_not_answer_has_none() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert page_of(f"ws://127.0.0.1:{port}/ws") is None
    assert page_of("nonsense") is None


@pytest.mark.parametrize(
    ("environment", "platform", "seen"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({}, "darwin", True),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, "linux", False),
    ],
)
def test_a_page_is_opened_only_where_a_person_sees_it(
    environment: dict[str, str], platform: str, *, seen: bool
) -> None:
    assert has_display(environment, platform) is seen
