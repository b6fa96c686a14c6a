"""How an event is told: as data and as a sentence, for given eyes.

The name of an event is its class's name in small letters, `RoundScored` -> `round_scored`. Its
phrase is `event.NAME`, filled from its fields; an event with Owner fields has a second one,
`event.NAME_unseen`, for those who may not see them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rules.core.merging import Shaped
from rules.core.phrases import Lang, Namer, Phrases
from rules.core.tree import StateTree, tree_of
from rules.core.vision import Event, Eyes, Sight, VisionError, marked_hints, sight_of

_INNER_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class EventForm(NamedTuple):
    """What is the same for all events of one type."""

    name: str
    sight: Sight
    key: str
    unseen_key: str | None
    shown: tuple[str, ...]
    owned: tuple[str, ...]
    tree: StateTree[Any]  # Any: the event class


_FORMS: dict[type[Event], EventForm] = {}


def event_form(kind: type[Event]) -> EventForm:
    """The form of an event type; VisionError if it hides something and names no seat."""
    made = _FORMS.get(kind)
    if made is None:
        made = _FORMS[kind] = _form(kind)
    return made


def _form(kind: type[Event]) -> EventForm:
    name = _INNER_CAPITAL.sub("_", kind.__name__).lower()
    sights = {field: sight_of(hint) for field, hint in marked_hints(kind).items()}
    owned = tuple(field for field, sight in sights.items() if sight is Sight.OWNER)
    if (owned or kind.sight is Sight.OWNER) and sights.get("seat") is not Sight.PUBLIC:
        what = f"{kind.__name__} hides something and has no public field `seat`"
        raise VisionError(what, within=kind)
    return EventForm(
        name=name,
        sight=kind.sight,
        key=f"event.{name}",
        unseen_key=f"event.{name}_unseen" if owned else None,
        shown=tuple(field for field, sight in sights.items() if sight is Sight.PUBLIC),
        owned=owned,
        tree=tree_of(kind, inside_seat=True),
    )


def event_view(event: Event, eyes: Eyes) -> Shaped | None:
    """What these eyes learn of an event, as data with its name under `event`; None: nothing."""
    form = event_form(type(event))
    owns = _owns(form, event, eyes)
    if form.sight is not Sight.PUBLIC and not owns:
        return None
    made = {"event": form.name, **form.tree.public(event)}
    if owns:
        made.update(form.tree.own(event, event.seat))  # type: ignore[attr-defined]  # owned: has one
    return made


def event_text(
    phrases: Phrases, event: Event, eyes: Eyes, *, lang: Lang, name_of: Namer | None = None
) -> str | None:
    """What these eyes learn of an event, as a sentence; None: nothing."""
    form = event_form(type(event))
    owns = _owns(form, event, eyes)
    if form.sight is not Sight.PUBLIC and not owns:
        return None
    key = form.key if owns or form.unseen_key is None else form.unseen_key
    names = form.shown + form.owned if owns else form.shown
    return phrases.say(key, lang, _params(event, names), name_of)


def _params(event: Event, names: tuple[str, ...]) -> Mapping[str, Any]:  # Any: values of fields
    return {name: getattr(event, name) for name in names}


def _owns(form: EventForm, event: Event, eyes: Eyes) -> bool:
    """Whether the eyes are the owner's; an event without an owner has nothing to own."""
    if form.sight is Sight.HIDDEN or (form.sight is Sight.PUBLIC and not form.owned):
        return False
    return event.seat in eyes  # type: ignore[attr-defined]  # `event_form` has seen to it
