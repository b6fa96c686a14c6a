"""Receivers of the server's webhooks, and their replies."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from bluebear.server.net.http_client import HttpRequest


class Outside:
    """All URLs that can be called; `statuses` are the next replies, after them all are 200."""

    def __init__(self) -> None:
        self.calls: list[HttpRequest] = []
        self.statuses: deque[int] = deque()

    async def receive(self, call: HttpRequest) -> int:
        """See `bluebear.server.net.http_client.send_request`."""
        self.calls.append(call)
        return self.statuses.popleft() if self.statuses else 200

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of all calls."""
        return [json.loads(call.body) for call in self.calls]

    @property
    def ids(self) -> list[str]:
        """The ids of all calls."""
        return [dict(call.headers)["webhook-id"] for call in self.calls]
