"""Exceptions of the client library, with one base class."""

from __future__ import annotations


class ClientError(Exception):
    """Base class: the server was not reachable or refused a request. `text` is for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}" if text else code)
        self.code = code
        self.text = text


class Unreachable(ClientError):
    """No server at this address accepts a connection; `text` is for programs, except with `bye`."""


class HelloRefused(ClientError):
    """The server refused the hello, with its code and sentence.

    `temporary`: the next attempt may not be refused.
    """

    def __init__(self, code: str, text: str, *, temporary: bool = False) -> None:
        super().__init__(code, text)
        self.temporary = temporary


class ClientClosed(ClientError):
    """The client has ended: `replaced`, `lost`, `left`, or the server's code."""
