"""The page by plain HTTP: built files from memory, and the form of each HTTP response.

`make page` builds `clients/web` into `server/static`, each file also as `.br` and `.gz`; they are
read once, at the start. What a person opens by address (`/`, `/lobby`, `/room/N`, `/r/TOKEN`,
`/game/ID`, `/me`, `/u/NAME`, `/top/GAME`) is the same page: its script looks at the address.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from functools import cache
from http import HTTPStatus
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

_POLICY_HEADER: Final = "Content-Security-Policy"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src {}; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS: Final = (
    (_POLICY_HEADER, _POLICY.format("'self'")),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    # An invite's address is its key: no other site sees it.
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
"""Names and values. HSTS is not among them: it belongs to the server that has the certificate."""

_INDEX: Final = "/index.html"
_SHELLS: Final = ("/room/", "/r/", "/game/", "/u/", "/top/")
_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
_CODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
"""The best first."""

_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_REVALIDATE: Final = "no-cache"
NO_STORE: Final = "no-store"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A built file in all its codings: "" is the plain one."""

    kind: str
    caching: str
    tag: str
    bodies: Mapping[str, bytes]

    def response(self, accepted: str, cached: str) -> Response:
        """The file in the best coding of `accepted`; 304 if `cached` is its tag."""
        headers = [("ETag", self.tag), ("Vary", "Accept-Encoding")]
        if cached == self.tag:
            return make_response(HTTPStatus.NOT_MODIFIED, b"", self.kind, self.caching, headers)
        accepts = {name.split(";")[0].strip() for name in accepted.split(",")}
        coding = next((name for name, _ in _CODINGS if name in accepts and name in self.bodies), "")
        if coding:
            headers.append(("Content-Encoding", coding))
        return make_response(HTTPStatus.OK, self.bodies[coding], self.kind, self.caching, headers)


def built_files(folder: Traversable | None = None) -> dict[str, StaticFile]:
    """Address -> file of the built page; empty where it was not built."""
    root = resources.files("bluebear.server").joinpath("static") if folder is None else folder
    if not root.is_dir():
        return {}
    files = dict(_walk(root, ""))
    packed = tuple(suffix for _, suffix in _CODINGS)
    return {path: _static_file(path, files) for path in files if not path.endswith(packed)}


@cache
def program_files() -> Mapping[str, StaticFile]:
    """The page of this program, read once."""
    return built_files()


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        below = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, below)
        else:
            yield below, entry.read_bytes()


def _static_file(path: str, files: Mapping[str, bytes]) -> StaticFile:
    body = files[path]
    bodies = {"": body}
    for coding, suffix in _CODINGS:
        if path + suffix in files:
            bodies[coding] = files[path + suffix]
    suffix = "." + path.rsplit(".", 1)[-1]
    return StaticFile(
        kind=_KINDS.get(suffix, "application/octet-stream"),
        # Names of assets have a hash in them: what they name never changes.
        caching=_IMMUTABLE if path.startswith(("/assets/", "/boards/")) else _REVALIDATE,
        tag=f'"{hashlib.sha256(body).hexdigest()[:16]}"',
        bodies=bodies,
    )


class StaticPages:
    """Serves the files of the built page, which may connect to `node_origins` as well, and the
    boards of packages, by address.
    """

    def __init__(
        self, node_origins: Iterable[str] = (), boards: Mapping[str, bytes] = MappingProxyType({})
    ) -> None:
        self._files = {**program_files(), **{path: _static_file(path, boards) for path in boards}}
        self._policy = _POLICY.format(" ".join(("'self'", *node_origins)))

    def response(self, path: str, request: Request) -> Response | None:
        """The page, or one of its files; None: no such."""
        cached = _joined(request, "If-None-Match")
        accepted = _joined(request, "Accept-Encoding")
        if self._is_shell(path, request):
            path = _INDEX
        file = self._files.get(path)
        if file is None:
            return None
        response = file.response(accepted, cached)
        del response.headers[_POLICY_HEADER]
        response.headers[_POLICY_HEADER] = self._policy
        return response

    def _is_shell(self, path: str, request: Request) -> bool:
        if path in ("/", "/lobby", "/me"):
            return True
        # Programs that follow an invite want the plain reply: how to join from a terminal.
        wants_page = "text/html" in _joined(request, "Accept")
        return wants_page and path.startswith(_SHELLS)


def _joined(request: Request, name: str) -> str:
    """A header that may stand several times, as one list."""
    return ", ".join(request.headers.get_all(name))


def pack_json(tree: object) -> bytes:
    """A tree as the body of `json_response`."""
    return (json.dumps(tree, ensure_ascii=False) + "\n").encode()


def json_response(body: bytes) -> Response:
    """A packed tree, which browsers do not cache."""
    return make_response(HTTPStatus.OK, body, "application/json", NO_STORE, ())


def make_response(
    status: HTTPStatus, body: bytes, kind: str, caching: str, more: Iterable[tuple[str, str]]
) -> Response:
    """A response with the headers that each has, and `more`."""
    headers = Headers(
        [
            ("Date", formatdate(usegmt=True)),
            ("Connection", "close"),
            ("Content-Length", str(len(body))),
            ("Content-Type", kind),
            ("Cache-Control", caching),
            *SECURITY_HEADERS,
            *more,
        ]
    )
    return Response(status.value, status.phrase, headers, body)
