"""The error for a wrong record, as data and as a sentence from the catalogue."""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import CORE, Lang
from bluebear.rules.core.refusal import Refusal


class RecordError(Exception):
    """A record is wrong at a line; `code` is the key `record.CODE` of the core's phrases.

    `refusal` is the game's refusal, if a rule forbids the line.
    """

    def __init__(
        self,
        line: int,
        code: str,
        *,
        refusal: Refusal | None = None,
        **params: Any,  # Any: whatever the phrase of this code names
    ) -> None:
        super().__init__(f"line {line}: {code} {params}")
        self.line = line
        self.code = code
        self.refusal = refusal
        self.params = params


def explain(error: RecordError, lang: Lang, game: Game[Any] | None = None) -> str:
    """The error as a sentence; if `game` is given, with the sentence of its refusal."""
    sentence = CORE.say(f"record.{error.code}", lang, {"line": error.line, **error.params})
    if game is None or error.refusal is None:
        return sentence
    why = game.phrases.say(f"refusal.{error.refusal.code}", lang, error.refusal.params)
    return f"{sentence} {why}"
