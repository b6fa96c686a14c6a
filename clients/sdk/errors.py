"""What can go wrong between a client and a server, as exceptions with one base."""

from __future__ import annotations

from bluebear.clients.sdk.client_events import Reply


class ClientError(Exception):
    """The server could not be reached, or did not want what was asked. `text` is for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}" if text else code)
        self.code = code
        self.text = text


class Unreachable(ClientError):
    """No server at the address that takes us; `text` is for programs unless it said `bye`."""


class HelloRefused(ClientError):
    """The server does not let us in; code and sentence are its own."""


class ClientClosed(ClientError):
    """The client has ended for good: `replaced`, `lost`, `left`, or the server's own code."""


class AskRefused(ClientError):
    """A question was refused; `reply` has all of the answer."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.code, reply.text)
        self.reply = reply
