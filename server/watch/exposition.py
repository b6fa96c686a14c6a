"""Figures as the text that Prometheus reads. By hand: the format is three kinds of lines, and all
our figures are there already; the client library would keep a second set of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from bluebear.server.times import BOUNDS, Times

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
