"""A fuzz target: a client's bytes go in, and only the listed errors may come out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

INPUT_MAX_BYTES: Final = 4096
"""Longer inputs find nothing that shorter ones do not, and take their time."""


@dataclass(frozen=True, slots=True)
class Target:
    """One door of the program.

    `feed` brings an input in, and asserts whatever must hold of what comes of it. It may raise
    only what stands in `allowed`. `seeds` are inputs that mean something; `words` are what the
    door's language is made of, for mutations.
    """

    name: str
    about: str
    feed: Callable[[bytes], None]
    allowed: tuple[type[Exception], ...]
    seeds: Callable[[], Iterable[bytes]]
    terms: Callable[[], Iterable[bytes]] = tuple
    runs: int = 400
    """Mutated inputs in the test suite."""

    def judge(self, data: bytes) -> str:
        """Feed an input; the name of the listed error that came, "" for none.

        Whatever else comes out is raised, with the input in a note.
        """
        try:
            self.feed(data)
        except self.allowed as listed:
            return type(listed).__name__
        except Exception as error:
            error.add_note(f"{self.name} {data!r}")
            raise
        return ""
