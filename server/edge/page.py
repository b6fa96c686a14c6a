"""The page by plain HTTP: built files from memory, and what a landing page shows of a room.

`make page` builds `clients/web` into `server/static`, each file also as `.br` and `.gz`; they are
read once, at the start. What a person opens by address (`/`, `/lobby`, `/room/N`, `/r/TOKEN`,
`/game/ID`) is the same page: its script looks at the address.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from functools import cache, cached_property
from http import HTTPStatus
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.forms import words_of
from bluebear.server.commands.needs import Found, Wanted
from bluebear.server.edge.lobby import about_room
from bluebear.server.edge.safety import SAFETY
from bluebear.server.room.options import options_for
from bluebear.server.tokens import token_hash

_INDEX: Final = "/index.html"
_SHELLS: Final = ("/room/", "/r/", "/game/")
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

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_NEVER: Final = "no-store"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A built file in all its codings: "" is the plain one."""

    kind: str
    caching: str
    tag: str
    bodies: Mapping[str, bytes]

    def answer(self, accepted: str, known: str) -> Response:
        """The file in the best coding that the asker takes; 304 if he has it already."""
        headers = [("ETag", self.tag), ("Vary", "Accept-Encoding")]
        if known == self.tag:
            return _response(HTTPStatus.NOT_MODIFIED, b"", self.kind, self.caching, headers)
        taken = {part.split(";")[0].strip() for part in accepted.split(",")}
        coding = next((name for name, _ in _CODINGS if name in taken and name in self.bodies), "")
        if coding:
            headers.append(("Content-Encoding", coding))
        return _response(HTTPStatus.OK, self.bodies[coding], self.kind, self.caching, headers)


def built_files(folder: Traversable | None = None) -> dict[str, StaticFile]:
    """Address -> file of the built page; empty where it was not built."""
    root = resources.files("bluebear.server").joinpath("static") if folder is None else folder
    if not root.is_dir():
        return {}
    found = dict(_walk(root, ""))
    packed = tuple(suffix for _, suffix in _CODINGS)
    return {path: _static_file(path, found) for path in found if not path.endswith(packed)}


@cache
def own_files() -> Mapping[str, StaticFile]:
    """The page of this program, read once."""
    return built_files()


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        below = f"{path}/{entry.name}"
        if entry.is_dir():
            yield from _walk(entry, below)
        else:
            yield below, entry.read_bytes()


def _static_file(path: str, found: Mapping[str, bytes]) -> StaticFile:
    body = found[path]
    bodies = {"": body}
    for coding, suffix in _CODINGS:
        if path + suffix in found:
            bodies[coding] = found[path + suffix]
    suffix = "." + path.rsplit(".", 1)[-1]
    return StaticFile(
        kind=_KINDS.get(suffix, "application/octet-stream"),
        # Names of assets have a hash in them: what they name never changes.
        caching=_FOR_EVER if path.startswith("/assets/") else _ASK_AGAIN,
        tag=f'"{hashlib.sha256(body).hexdigest()[:16]}"',
        bodies=bodies,
    )


class Page:
    """Answers what browsers ask for by plain HTTP; owned by the transport."""

    def __init__(
        self,
        version: str,
        games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
        fetch: Callable[[Wanted, str], Coroutine[Any, Any, Found]],
        about_game: Callable[[str], Coroutine[Any, Any, dict[str, Any] | None]],
        public_url: Callable[[], str],
        *,
        tells: bool = True,
    ) -> None:
        self._version = version
        self._games = games
        self._fetch = fetch
        self._about_game = about_game
        self.public_url = public_url
        self._tells = tells
        self._files = own_files()

    @property
    def built(self) -> bool:
        """Whether there is a page to serve."""
        return _INDEX in self._files

    def answer(self, path: str, request: Request) -> Response | None:
        """The page, or one of its files; None: no such."""
        known = _listed(request, "If-None-Match")
        accepted = _listed(request, "Accept-Encoding")
        if self._is_shell(path, request):
            path = _INDEX
        found = self._files.get(path)
        return None if found is None else found.answer(accepted, known)

    def _is_shell(self, path: str, request: Request) -> bool:
        if path in ("/", "/lobby"):
            return True
        # Programs that follow an invite want the plain answer: how to join from a terminal.
        wants_page = "text/html" in _listed(request, "Accept")
        return wants_page and path.startswith(_SHELLS)

    async def about(self, path: str) -> Response:
        """What is asked before there is a name: of the server, an invite, a room, an old game."""
        match path.split("/")[2:]:
            case []:
                return _answer(self._about_server)
            case _ if not self._tells:
                # Where newcomers are asked for a password, rooms are told of behind it.
                return _json(None)
            case ["invite", token]:
                wanted = Wanted(invite=token_hash(token))
            case ["room", number]:
                wanted = Wanted(room=number)
            case ["game", game_id]:
                return _json(await self._game(game_id))
            case _:
                return _json(None)
        try:
            line = (await self._fetch(wanted, "")).room
        except NotAllowed:
            line = None
        # By number only what stands in the list: numbers can be guessed, and here nobody counts.
        if line is not None and wanted.room and not line.listed:
            line = None
        # null, not 404: to know nothing of a room is an answer like any other.
        return _json(None if line is None else about_room(line))

    async def _game(self, game_id: str) -> dict[str, Any] | None:  # Any: a plain tree
        try:
            return await self._about_game(game_id)
        except NotAllowed:
            return None

    @cached_property
    def _about_server(self) -> bytes:
        """Packed when the first browser asks: most servers of tests never meet one."""
        games = [
            {
                "key": game.info.key,
                "name": {"en": game.info.en, "ja": game.info.ja},
                "seats": {"min": game.info.min_seats, "max": game.info.max_seats},
                "minutes": game.info.minutes,
                "options": [words_of(option) for option in options_for(game).values()],
            }
            for game in self._games.values()
        ]
        return _packed({"server": self._version, "games": games})


def _listed(request: Request, name: str) -> str:
    """A header that may stand several times, as one list."""
    return ", ".join(request.headers.get_all(name))


def _packed(tree: object) -> bytes:
    return (json.dumps(tree, ensure_ascii=False) + "\n").encode()


def _json(tree: object) -> Response:
    return _answer(_packed(tree))


def _answer(body: bytes) -> Response:
    return _response(HTTPStatus.OK, body, "application/json", _NEVER, ())


def _response(
    status: HTTPStatus, body: bytes, kind: str, caching: str, more: Iterable[tuple[str, str]]
) -> Response:
    headers = Headers(
        [
            ("Date", formatdate(usegmt=True)),
            ("Connection", "close"),
            ("Content-Length", str(len(body))),
            ("Content-Type", kind),
            ("Cache-Control", caching),
            *SAFETY,
            *more,
        ]
    )
    return Response(status.value, status.phrase, headers, body)


__all__ = ["Page", "StaticFile", "built_files"]
