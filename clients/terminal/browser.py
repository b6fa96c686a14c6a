"""The page of a server, for those who would rather click than type."""

from __future__ import annotations

import http.client
import sys
import webbrowser
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit, urlunsplit

ANSWER_SECONDS: Final = 2.0


def page_of(url: str) -> str | None:
    """The address of the page of the server at a WebSocket address; None if it serves none."""
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
    """Whether somebody sits at a screen of this machine, rather than at the end of a line."""
    if "SSH_CONNECTION" in environment:
        return False
    if platform in ("darwin", "win32"):
        return True
    return "DISPLAY" in environment or "WAYLAND_DISPLAY" in environment


def open_page(page: str, environment: Mapping[str, str]) -> None:
    """Open the page in the browser, where there is a display."""
    if has_display(environment):
        webbrowser.open(page)
