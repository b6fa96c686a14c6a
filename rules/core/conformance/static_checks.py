"""The checks that need no play: names, phrases, paragraphs, declared bounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, get_args

from bluebear.rules.core.conformance.case import ConformanceError
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import SEAT_PARAMS, SUMMARY, Phrase
from bluebear.rules.core.slots import fold
from bluebear.rules.core.tables import game_file
from bluebear.rules.core.visibility import Event, Seat, Visibility, marked_hints

SUMMARY_MOST: Final = 90, 220
"""English words and Japanese characters of the summary and of chapters: half a minute to read."""
ABOUT_MOST: Final = 160
"""Letters of the text about a thing, in either language."""


def check_catalogue(game: Game[Any]) -> None:  # Any: each game has a state class of its own
    """Check names and phrases. Raises ConformanceError with all faults, one line each."""
    checks = (_numbers, _phrases, _events, _names, _explained, _chapters)
    if wrong := [each for check in checks for each in check(game)]:
        raise ConformanceError("\n".join(f"{game.info.key}: {each}" for each in wrong))


def _numbers(game: Game[Any]) -> Iterator[str]:
    if game.info.key != game.package.rpartition(".")[2]:
        yield f"its folder is {game.package}"
    if not game.rules:
        yield "rules.md has no numbered paragraph"


def _phrases(game: Game[Any]) -> Iterator[str]:
    wanted = [f"option.{name}" for name in game.info.options]
    wanted += [f"proposal.{each.name}" for each in game.info.options.values() if each.proposed]
    for item in game.grammar.items:
        wanted.append(f"verb.{item.name}")
        wanted.extend(f"slot.{slot.name}" for slot in item.slots)
    if (summary := game.phrases.find(SUMMARY)) is not None:
        yield from check_size("the summary", summary, SUMMARY_MOST)
    yield from (f"no phrase {key}" for key in dict.fromkeys(wanted) if key not in game.phrases)


def _chapters(game: Game[Any]) -> Iterator[str]:
    """All chapters have a short text, or none has one."""
    texts = {number: Phrase(*chapter.text) for number, chapter in game.chapters.items()}
    for number, text in texts.items() if any(text.en for text in texts.values()) else ():
        yield from check_size(f"chapter {number}", text, SUMMARY_MOST)


def check_size(name: str, text: Phrase, most: tuple[int, int]) -> Iterator[str]:
    """The fault of a text without or with too many English words or Japanese characters."""
    size = len(text.en.split()), len(text.ja.strip())
    if not all(size) or size[0] > most[0] or size[1] > most[1]:
        yield f"{name} has {size} words and Japanese characters, at most {most}"


def _events(game: Game[Any]) -> Iterator[str]:
    declared = []
    for kind in game.events:
        form = event_form(kind)
        declared.extend([form.key, form.unseen_key])
        if kind.sight is not Visibility.HIDDEN:
            yield from _event_phrase(game, kind, form.key, form.shown + form.owned)
        if form.unseen_key is not None and kind.sight is Visibility.PUBLIC:
            yield from _event_phrase(game, kind, form.unseen_key, form.shown)
        if (kind.sight is Visibility.OWNER or form.owned) and not game.tree.plan.has_secret:
            what = f"no field of {game.state.__name__} is Owner: is one Public by mistake?"
            yield f"{kind.__name__} has something for its seat alone, and {what}"
    for key in game.phrases:
        if key.startswith("event.") and key not in declared:
            yield f"phrase {key} is of no event"


def _event_phrase(
    game: Game[Any], kind: type[Event], key: str, fields: Collection[str]
) -> Iterator[str]:
    """Hearers see all that a phrase names; exactly the seats have names of `SEAT_PARAMS`."""
    if (phrase := game.phrases.find(key)) is None:
        yield f"no phrase {key}"
        return
    hints, listed = marked_hints(kind), ", ".join(sorted(SEAT_PARAMS))
    for name in sorted(phrase.params("en")):
        if name not in fields:
            yield f"phrase {key} names {name}, which the event does not have for its hearers"
        elif _is_seat(hints[name]) != (name in SEAT_PARAMS):
            yield f"phrase {key} says {name}: seats, and nothing else, are called {listed}"


def _is_seat(hint: Any) -> bool:  # Any: type hints are of any kind
    return hint is Seat or any(map(_is_seat, get_args(hint)))


def _explained(game: Game[Any]) -> Iterator[str]:
    """Each thing that `/look` explains has a short text, `Name: sentence`, and nothing else has."""
    keys = [f"about.{thing.value}" for thing in game.texts.explained]
    texts = {key: game.phrases.find(key) for key in game.phrases if key.startswith("about.")}
    yield from (f"no phrase {key}" for key in sorted({*keys} - texts.keys()))
    yield from (f"phrase {key} explains nothing" for key in sorted(texts.keys() - {*keys}))
    for key, phrase in texts.items():
        for text in (phrase.en, phrase.ja) if phrase else ():
            if ": " not in text or len(text) > ABOUT_MOST:
                yield f"phrase {key} has {len(text)} letters, at most {ABOUT_MOST}, or no `Name: `"


def _names(game: Game[Any]) -> Iterator[str]:
    """Each name must have one meaning, and none may be the name of a room command."""
    reserved = game_file(dict[str, list[str]], "bluebear.rules.core", "reserved.toml").value
    taken = {fold(name): "a room command" for name in reserved["names"]}
    for item in game.grammar.items:
        for name in dict.fromkeys(map(fold, (item.name, *item.names, *item.short))):
            if name in taken:
                yield f"{name} of /{item.name} is a name of {taken[name]}"
            taken[name] = f"/{item.name}"
        for slot in item.slots:
            if any(type(value) is not str for value in slot.values()):
                yield f"values of {slot.name} of /{item.name} are no plain strings"
