"""Figures as the text that Prometheus reads. By hand: the format is three kinds of lines, and all
our figures are there already; the client library would keep a second set of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from bluebear.server.observe import BOUNDS, Times

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"

Labels = Mapping[str, str]
Samples = Mapping[tuple[str, ...], float]
"""Values by the values of their labels."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that is measured: its name without `bluebear_`, and what it is now.

    `kind` is counter (only ever grows; its name ends in `_total`), gauge or histogram.
    """

    name: str
    kind: str
    help: str
    labels: tuple[str, ...] = ()
    samples: Samples | None = None
    times: Times | None = None


def gauge(name: str, text: str, value: float) -> Figure:
    """Something that goes up and down."""
    return Figure(name, "gauge", text, samples={(): value})


def counter(name: str, text: str, value: float) -> Figure:
    """Something that only grows while the server runs."""
    return Figure(f"{name}_total", "counter", text, samples={(): value})


def exposition(figures: Iterable[Figure]) -> str:
    """The text of all figures."""
    return "".join(f"{line}\n" for figure in figures for line in _lines(figure))


def _lines(figure: Figure) -> Iterator[str]:
    name = f"bluebear_{figure.name}"
    yield f"# HELP {name} {figure.help}"
    yield f"# TYPE {name} {figure.kind}"
    for values, number in sorted((figure.samples or {}).items()):
        labels = dict(zip(figure.labels, values, strict=True))
        yield f"{name}{_braced(labels)} {number:.10g}"
    if figure.times is not None:
        yield from _buckets(name, figure.times)


def _buckets(name: str, times: Times) -> Iterator[str]:
    sums = list(accumulate(times.counts))
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), sums, strict=True):
        yield f"{name}_bucket{_braced({'le': bound})} {count}"
    yield f"{name}_sum {times.seconds:.10g}"
    yield f"{name}_count {sums[-1]}"


def _braced(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


_REQUEST_MAX: Final = 8 * 1024
_REQUEST_SECONDS: Final = 5.0
"""One request of a few lines; who asks slower, or more, is no Prometheus."""
_AT_ONCE: Final = 8
"""Askers at a time: one or two are wanted, and making the text takes a millisecond."""


class MetricsPort:
    """Answers `GET /metrics` with a text, anything else with 404; owned by who has opened it."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._asking = 0
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; returns the port. Raises OSError if it is taken."""
        self._server = await asyncio.start_server(self._answer, host, port, limit=_REQUEST_MAX)
        number: int = self._server.sockets[0].getsockname()[1]
        return number

    async def close(self) -> None:
        """Listen no more; who is being answered gets his answer."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._asking += 1
        try:
            with suppress(
                OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
            ):
                async with asyncio.timeout(_REQUEST_SECONDS):
                    if self._asking <= _AT_ONCE:
                        writer.write(self._response(await reader.readuntil(b"\r\n\r\n")))
                        await writer.drain()
        finally:
            self._asking -= 1
            writer.close()

    def _response(self, request: bytes) -> bytes:
        method, _, rest = request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET" or path != b"/metrics":
            return _http("404 Not Found", "text/plain", "not found\n")
        return _http("200 OK", KIND, self._text())


def _http(status: str, kind: str, text: str) -> bytes:
    body = text.encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
