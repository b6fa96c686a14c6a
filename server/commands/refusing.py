"""A refusal as the message that one reader gets."""

from __future__ import annotations

from bluebear.protocol import Error
from bluebear.rules.core.phrases import Lang, Namer
from bluebear.rules.core.refusal import Refusal
from bluebear.server.commands.native import refusal_told
from bluebear.server.commands.places import offers_of
from bluebear.server.sentences import AnyGame, retry_ms


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
