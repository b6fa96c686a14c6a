"""The server's own sentences, and how refusals and events become text for one reader."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import asdict

from bluebear.rules.core.event_text import event_form, event_text, event_view
from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import CONCEALED
from bluebear.rules.core.lessons import lessons_of
from bluebear.rules.core.localized_lines import localized_line
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import JOINED, LANGS, Lang, Namer, Phrases
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Event, Eyes, Visibility
from bluebear.server.room.events import (
    AskedIfThere,
    LessonStep,
    OptionSet,
    Proposed,
    RoomEvent,
    RoomMade,
    Said,
    UndoReach,
    VoteOpened,
)
from bluebear.server.room.options import format_value, option_of

SERVER: Final = Phrases.load(
    "bluebear.server", "phrases.toml", fallback=Phrases.load("bluebear.rules.core", "phrases.toml")
)
"""Every sentence that no game has."""

_SECONDS_SHOWN: Final = 120

AnyGame = Game[Any] | None  # Any: each game has a state class of its own


def say(key: str, lang: Lang, name_of: Namer | None = None, **params: object) -> str:
    """A sentence of the server; KeyError for an unknown key."""
    return SERVER.say(key, lang, params, name_of)


FAILED: Final = 1
UNUSABLE: Final = 2
"""What a program returns that went wrong, or was given what does not do."""


def lang_of(environment: Mapping[str, str]) -> Lang:
    """The language of an environment: Japanese where its locale is, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in names if (value := environment.get(name, ""))), "")
    return "ja" if locale.startswith("ja") else "en"


def print_sentence(code: int, key: str, **params: object) -> int:
    """Print a sentence in all languages, on standard error unless `code` is 0; returns `code`."""
    for lang in LANGS:
        print(say(key, lang, None, **params), file=sys.stderr if code else sys.stdout)
    return code


def away_text(lang: Lang, name: str, text: str) -> str:
    """That a person will not answer for a while, with the text that they have left, if any."""
    if not text:
        return say("answer.is_away", lang, name=name)
    return say("answer.is_away_saying", lang, name=name, text=text)


def refusal_text(
    refusal: Refusal, lang: Lang, game: AnyGame = None, name_of: Namer | None = None
) -> str:
    """A refusal as one sentence, with the candidates that would be right, and the paragraph of the
    rules that it rests on: `/rules 4.3` opens what ends with `(4.3)`.
    """
    phrases = _catalogue_of(refusal, game)
    params = dict(refusal.params)
    slot = str(params.get("slot", ""))
    if slot:
        label = phrases.find(f"slot.{slot}")
        params["slot"] = slot if label is None else label.text(lang)
    if "argument" in params:
        params["argument"] = say(f"argument.{params['argument']}", lang)
    if "reason" in params and game is not None:
        reason = str(params["reason"])
        params["reason"] = (game.phrases if reason in game.phrases else SERVER).say(
            reason, lang, params, name_of
        )
    sentence = phrases.say(f"refusal.{refusal.code}", lang, params, name_of)
    if refusal.candidates:
        shown = [phrases.label(slot, each, lang) if slot else each for each in refusal.candidates]
        sentence += " " + say("refusal_hint", lang, candidates=JOINED[lang].join(shown))
    return sentence if refusal.rule is None else f"{sentence} ({refusal.rule})"


def retry_ms(refusal: Refusal) -> int | None:
    """After what time a refused line may be said again; None where that is of no use."""
    wait = refusal.params.get("retry_ms")
    return wait if isinstance(wait, int) else None


def _catalogue_of(refusal: Refusal, game: AnyGame) -> Phrases:
    """The game's catalogue for what the game refused, which shows by the parameters."""
    phrase = None if game is None else game.phrases.find(f"refusal.{refusal.code}")
    if game is None or phrase is None or not phrase.params("en") <= refusal.params.keys():
        return SERVER
    return game.phrases


def is_shown(event: Event, eyes: Eyes) -> bool:
    """Whether an event is for these eyes at all: watchers' talk may be kept apart."""
    return not (isinstance(event, Said) and event.apart and eyes)


def is_same_for_all(event: Event) -> bool:
    """Whether its sentence is the same for all eyes: that of a game's event that hides nothing."""
    if isinstance(event, RoomEvent) or event.sight is not Visibility.PUBLIC:
        return False
    return not event_form(type(event)).tree.plan.has_secret


def event_line(
    event: Event, eyes: Eyes, lang: Lang, game: AnyGame, name_of: Namer | None
) -> str | None:
    """What these eyes learn of an event, as a sentence; None: nothing."""
    if not is_shown(event, eyes):
        return None
    if game is not None and not isinstance(event, RoomEvent):
        return event_text(game.phrases, event, eyes, lang=lang, name_of=name_of)
    if isinstance(event, Proposed) and game is not None:
        reason = game.phrases.say(event.phrase, lang)
        line = _option_line(event.line, lang, game)
        return say("event.proposed", lang, line=line, phrase=reason)
    if isinstance(event, OptionSet):
        option, value = option_labels(event.option, event.value, lang, game)
        return say("event.option_set", lang, option=option, value=value)
    if isinstance(event, LessonStep) and game is not None:
        return lesson_text(game, event.lesson, event.step, lang)
    if isinstance(event, RoomMade) and game is not None:
        return say("event.room_made", lang, name=event.name, game=game.info.name(lang))
    if isinstance(event, VoteOpened | AskedIfThere):
        # What is asked for is worded so differently that one pattern would fit none of them.
        kind = f"vote_opened.{event.kind}" if isinstance(event, VoteOpened) else "asked_if_there"
        time = span(event.seconds * 1000, lang)
        return SERVER.say(f"event.{kind}", lang, {**asdict(event), "time": time})
    if isinstance(event, UndoReach):
        return reach_line(event, eyes, lang, name_of)
    return event_text(SERVER, event, eyes, lang=lang, name_of=name_of)


def lesson_text(game: Game[Any], name: str, at: int, lang: Lang) -> str:
    """A step of a lesson, and what is typed to end it."""
    steps = lessons_of(game.package)[name].steps
    step = steps[at]
    text = say("answer.lesson_step", lang, number=at + 1, count=len(steps), title=step.title)
    key = "answer.lesson_line" if step.shown else "answer.lesson_next"
    line = localized_line(game.grammar, game.phrases, step.shown, lang)
    return "\n".join((text, step.text.text(lang), say(key, lang, line=line)))


def option_labels(name: str, value: str, lang: Lang, game: AnyGame) -> tuple[str, str]:
    """An option and its value as a reader of a language types them."""
    option = option_of(name, game)
    if option is None:
        return name, value
    return option.typed_name(lang), format_value(option, value, lang)


def _option_line(line: str, lang: Lang, game: AnyGame) -> str:
    """The line that sets an option, as a reader of a language types it."""
    _, name, value = line.split()
    option, value = option_labels(name, value, lang, game)
    return say("answer.option_line", lang, option=option, value=value).strip()


def span(ms: int, lang: Lang) -> str:
    """A length of time in its two largest units, seconds only below two minutes."""
    seconds = max(0, ms) // 1000
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return say("span.days", lang, days=days, hours=hours)
    if hours:
        return say("span.hours", lang, hours=hours, minutes=minutes)
    if seconds >= _SECONDS_SHOWN:
        return say("span.minutes", lang, minutes=minutes)
    return say("span.seconds", lang, seconds=seconds)


def reach_line(reach: UndoReach, eyes: Eyes, lang: Lang, name_of: Namer | None) -> str:
    """How far back an undo leads; who made some of these moves reads how many."""
    of_reader = sum(seat in eyes for seat in reach.movers)
    key = "event.undo_reach_mine" if 0 < of_reader < reach.count else "event.undo_reach"
    if reach.line == CONCEALED:
        key = "event.undo_reach_hidden"
    return SERVER.say(key, lang, {**asdict(reach), "mine": of_reader}, name_of)


def event_lines(
    events: Iterable[Event], eyes: Eyes, lang: Lang, game: AnyGame, name_of: Namer | None
) -> list[str]:
    """The sentences of several events, those that these eyes learn of."""
    lines = (event_line(event, eyes, lang, game, name_of) for event in events)
    return [line for line in lines if line is not None]


def event_views(events: Sequence[Event], eyes: Eyes) -> list[Shaped]:
    """The data of several events, as far as these eyes learn of them."""
    views = (event_view(event, eyes) for event in events if is_shown(event, eyes))
    return [view for view in views if view is not None]
