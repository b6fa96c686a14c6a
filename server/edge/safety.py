"""The headers that every answer by plain HTTP has, whatever it is about."""

from __future__ import annotations

from typing import Final

from websockets.http11 import Response
from websockets.server import ServerProtocol

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SAFETY: Final = (
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    # An invite's address is its key: it goes to nobody else.
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
"""Names and values. HSTS is not among them: it belongs to whoever has the certificate."""


class Core(ServerProtocol):
    """The library's core, whose own refusals have these headers, too."""

    def reject(self, status: int, text: str) -> Response:
        """See `ServerProtocol.reject`."""
        response = super().reject(status, text)
        for name, value in SAFETY:
            response.headers[name] = value
        response.headers["Cache-Control"] = "no-store"
        return response
