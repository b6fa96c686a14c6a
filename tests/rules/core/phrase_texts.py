"""Catalogues of phrases for tests, from texts."""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.phrases import Phrases, _walk
from bluebear.rules.core.tables import DataFile


def phrases_of(text: str, *, fallback: Phrases | None = None) -> Phrases:
    """The catalogue of a text, as `Phrases.load` reads a file."""
    file: DataFile[dict[str, Any]] = DataFile(dict, text, "phrases.toml")  # Any: tables
    return Phrases(dict(_walk(file, file.value, ())), fallback=fallback)
