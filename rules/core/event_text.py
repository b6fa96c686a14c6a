"""Events as data and as sentences, for given eyes.

The name of an event is its class name in snake case, `RoundScored` -> `round_scored`. Its phrase is
`event.NAME`, filled from its fields. An event with Owner fields has a second phrase,
`event.NAME_unseen`, for viewers that may not see them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple, cast

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import Lang, Namer, Phrases
from bluebear.rules.core.tree import StateTree, tree_of
from bluebear.rules.core.visibility import Event, Eyes, Visibility, VisibilityError

_REVEALS: Final[Mapping[Visibility, tuple[Visibility | None, ...]]] = {
    Visibility.PUBLIC: (None, Visibility.OWNER, Visibility.PUBLIC),
    Visibility.OWNER: (None, Visibility.OWNER),
    Visibility.HIDDEN: (None,),
}
"""The values that `reveals` may have, by the event's `sight`."""


class EventForm(NamedTuple):
    """The compiled declaration of an event type: its names, phrases and fields."""

    name: str
    key: str
    unseen_key: str | None
    shown: tuple[str, ...]
    owned: tuple[str, ...]
    tree: StateTree[Any]  # Any: the event class


@cache  # bounded: the events of all games
def event_form(kind: type[Event]) -> EventForm:
    """The form of an event type. VisibilityError if its `sight` or `reveals` is wrong."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()
    tree = tree_of(kind, inside_seat=True)
    sights = {field.name: field.sight for field in tree.plan.listed}
    owned = tuple(field for field, sight in sights.items() if sight is Visibility.OWNER)
    has_owner = bool(owned) or Visibility.OWNER in (kind.sight, kind.reveals)
    if has_owner and sights.get("seat") is not Visibility.PUBLIC:
        what = f"{kind.__name__} has something for its owner and no public field `seat`"
        raise VisibilityError(what, within=kind)
    if kind.reveals not in _REVEALS[kind.sight]:
        what = f"{kind.__name__}.reveals is {kind.reveals}, which no event of {kind.sight} can be"
        raise VisibilityError(what, within=kind)
    return EventForm(
        name=name,
        key=f"event.{name}",
        unseen_key=f"event.{name}_unseen" if owned else None,
        shown=tuple(field for field, sight in sights.items() if sight is Visibility.PUBLIC),
        owned=owned,
        tree=tree,
    )


def event_view(event: Event, eyes: Eyes) -> Shaped | None:
    """The event as data for these eyes, its name under `event`; None if it is hidden from them."""
    form = event_form(type(event))
    seen = _seen(form, event, eyes)
    return None if seen is None else {"event": form.name, **form.tree.dump(seen)}


def _seen(form: EventForm, event: Event, eyes: Eyes) -> Event | None:
    """The event as these eyes see it, None in its hidden fields; None if all of it is hidden."""
    seat = getattr(event, "seat", None)
    is_announced = event.sight is Visibility.PUBLIC or (
        event.sight is Visibility.OWNER and seat in eyes
    )
    return cast(Event, form.tree.seen(event, eyes, seat)) if is_announced else None


def reveals_to(event: Event, eyes: Eyes) -> bool:
    """Whether an event declares that it shows these eyes something hidden."""
    if event.reveals is Visibility.OWNER:
        return event.seat in eyes  # type: ignore[attr-defined]  # `event_form` checks it
    return event.reveals is Visibility.PUBLIC


def revealed(events: Iterable[Event], eyes: Eyes) -> list[Shaped]:
    """The events that reveal something to these eyes, as data."""
    views = (event_view(event, eyes) for event in events if reveals_to(event, eyes))
    return [view for view in views if view is not None]


def event_text(
    phrases: Phrases, event: Event, eyes: Eyes, *, lang: Lang, name_of: Namer | None = None
) -> str | None:
    """The event as a sentence for these eyes; None if it is hidden from them."""
    form = event_form(type(event))
    if (seen := _seen(form, event, eyes)) is None:
        return None
    key = form.key
    if form.unseen_key and event.seat not in eyes:  # type: ignore[attr-defined]  # `event_form` checks it
        key = form.unseen_key
    params = {name: getattr(seen, name) for name in form.shown + form.owned}
    return phrases.say(key, lang, params, name_of)
