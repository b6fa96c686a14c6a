"""What the house's child advises, and how that is said to a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import Lang
from bluebear.server.commands.native import line_for
from bluebear.server.sentences import say

_LINES_MAX: Final = 8
"""Lines of a plan that are said: a round."""
_ROUNDED_FROM: Final = 100
"""From so many points on, tenths say nothing."""
_TERMS_MAX: Final = 3

AnyGame = Game[Any]  # Any: each game has a state class of its own


class BadAdvice(Exception):
    """What the child says cannot be told."""


class Advice(Struct, frozen=True, forbid_unknown_fields=True):
    """What the child says, as JSON.

    `kind`: `judged` by imagined games, with `chance` of 100 and the `next` best with its chance,
    `second`, both None in a stage of the game in which chances are not shown as numbers; `plan`,
    with what comes `after`; `sight`, by a first look; `only`, where nothing else is legal;
    `failed`. `equal` are lines as good as `line`. `terms` say by how many tenths of a point `line`
    does better than `other`, by the name of each term; `reply` is what the next other seat did most
    often.
    """

    kind: Literal["judged", "plan", "sight", "only", "failed"]
    line: str = ""
    chance: int | None = None
    next: str = ""
    second: int | None = None
    equal: tuple[str, ...] = ()
    other: str = ""
    terms: tuple[tuple[str, int], ...] = ()
    reply: str = ""
    after: tuple[str, ...] = ()


def read_advice(text: str, lines: tuple[str, ...]) -> Advice:
    """The advice of a JSON text for a seat that has these legal lines. Raises BadAdvice."""
    try:
        advice = msgspec.json.decode(text, type=Advice)
    except (msgspec.DecodeError, UnicodeError):
        raise BadAdvice from None
    named = [advice.line, *advice.equal, *(each for each in (advice.next, advice.other) if each)]
    if advice.kind == "failed" or any(each not in lines for each in named):
        raise BadAdvice
    return advice


def advice_text(advice: Advice, game: AnyGame, lang: Lang) -> str:
    """The advice as sentences, with lines as their reader types them."""
    return (" " if lang == "en" else "").join(_sentences(advice, game, lang))


def _sentences(advice: Advice, game: AnyGame, lang: Lang) -> Iterator[str]:
    line = line_for(advice.line, lang, game)
    match advice.kind:
        case "plan" if advice.after:
            lines = _listed([line_for(each, lang, game) for each in advice.after], lang)
            yield say("note.hint_plan", lang, line=line, lines=lines)
        case "plan":
            yield say("note.hint_plan_end", lang, line=line)
        case "only":
            yield say("note.hint_only", lang, line=line)
        case "judged":
            yield from _judged(advice, line, game, lang)
        case _:
            yield say("note.hint_sight", lang, line=line)


def _judged(advice: Advice, line: str, game: AnyGame, lang: Lang) -> Iterator[str]:
    if advice.equal:
        lines = _listed([line, *(line_for(each, lang, game) for each in advice.equal)], lang)
        if advice.chance is None:
            yield say("note.hint_equal_words", lang, lines=lines)
        else:
            yield say("note.hint_equal", lang, lines=lines, chance=advice.chance)
    else:
        following = line_for(advice.next, lang, game)
        chance, second = advice.chance, advice.second
        if chance is None or second is None:
            yield say("note.hint_better", lang, line=line, next=following)
        else:
            yield say("note.hint", lang, line=line, chance=chance, next=following, second=second)
    known = () if game.thinker is None else game.thinker.named
    terms = [
        say(
            "note.hint_reason",
            lang,
            term=game.phrases.say(f"term.{name}", lang),
            amount=_amount(tenths / 10, game, lang),
        )
        for name, tenths in advice.terms[:_TERMS_MAX]
        if name in known
    ]
    if terms and advice.other:
        other = line_for(advice.other, lang, game)
        yield say("note.hint_reasons", lang, other=other, terms=_listed(terms, lang))
    if advice.reply:
        yield say("note.hint_reply", lang, line=line_for(advice.reply, lang, game))


def _amount(points: float, game: AnyGame, lang: Lang) -> str:
    """So much of what a game counts in: points, or what its phrase `amount.term` says."""
    text = f"{points:+.1f}" if abs(points) < _ROUNDED_FROM else f"{points:+,.0f}"
    if game.phrases.find("amount.term") is not None:
        return game.phrases.say("amount.term", lang, {"points": text})
    return say("note.hint_amount", lang, points=text)


def _listed(parts: list[str], lang: Lang) -> str:
    return (", " if lang == "en" else "、").join(parts[:_LINES_MAX])
