"""A refusal as the message that one reader gets."""

from __future__ import annotations

from protocol import Error
from rules.core.phrases import Lang, Namer
from rules.core.refusal import Refusal
from server.commands.native import refusal_told
from server.commands.places import offers_of
from server.sentences import AnyGame, retry_ms


def error_of(
    refusal: Refusal,
    say_id: str | None,
    lang: Lang,
    game: AnyGame = None,
    name_of: Namer | None = None,
) -> Error:
    """The error that answers what was said under an id, in the language of whoever said it."""
    start, end = refusal.place or (None, None)
    return Error(
        id=say_id or None,
        code=refusal.code,
        text=refusal_told(refusal, lang, game, name_of),
        rule=refusal.rule,
        candidates=refusal.candidates,
        retry_ms=retry_ms(refusal),
        start=start,
        end=end,
        offers=offers_of(refusal),
    )
