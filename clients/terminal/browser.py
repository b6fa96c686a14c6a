"""Opens the web page of a server."""

from __future__ import annotations

import http.client
import sys
import webbrowser
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit, urlunsplit

ANSWER_SECONDS: Final = 2.0


def page_of(url: str) -> str | None:
    """The URL of the page of the server with this WebSocket URL; None if it serves no page."""
    parts = urlsplit(url)
    if parts.hostname is None:
        return None
    secure = parts.scheme == "wss"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/", headers={"Accept": "text/html"})
        answer = connection.getresponse()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    if answer.status != http.HTTPStatus.OK:
        return None
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return None
    return urlunsplit(("https" if secure else "http", parts.netloc, "/", "", ""))


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether this machine has a display for the person, who may also be logged in remotely."""
    if "SSH_CONNECTION" in environment:
        return False
    if platform in ("darwin", "win32"):
        return True
    return "DISPLAY" in environment or "WAYLAND_DISPLAY" in environment


def open_page(page: str, environment: Mapping[str, str]) -> None:
    """Open the page in the browser if there is a display."""
    if has_display(environment):
        webbrowser.open(page)
