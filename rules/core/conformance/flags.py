"""Which events that `reveal` something have ever explained a difference between two worlds.

An event whose flag explains nothing is a fault, since a flag excuses: one that says PUBLIC has to
show something to eyes other than its seat's, one that says OWNER to its seat's. Random games may
not come to a rare event, or not in a position where it matters; so the first steps with each event
are kept, and looked at again more closely in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.conformance.random_play import Step
from bluebear.rules.core.event_text import event_form, event_view
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Event, Eyes, Visibility

KEPT = 80
"""So many steps with an event are kept until it has explained something."""
KEPT_OF_A_CASE = 8
"""At most so many of them are of the same case."""


class Flags:
    """The flags of a game that are still to explain something; owned by one run of the kit."""

    def __init__(self, kinds: Sequence[type[Event]]) -> None:
        """`kinds` are the events of the game."""
        self._open: dict[type[Event], list[Step]] = {
            kind: [] for kind in kinds if event_form(kind).reveals is not None
        }

    def meet(self, step: Step) -> None:
        """Keep a step, if it has an event that is still to explain something."""
        happened = frozenset(map(type, step.after.events))
        for kind, kept in self._open.items():
            if kind not in happened or len(kept) == KEPT:
                continue
            of_case = sum(each.before.case is step.before.case for each in kept)
            if of_case < KEPT_OF_A_CASE:
                kept.append(step)

    def compare(self, here: Sequence[Event], there: Sequence[Event], eyes: Eyes) -> None:
        """Note the flags that explain why eyes are told otherwise here than there."""
        if not self._open:
            return
        for kind in [*self._open]:
            if _shown(kind, here, eyes) != _shown(kind, there, eyes):
                del self._open[kind]

    def is_open(self, kind: type[Event]) -> bool:
        """Whether the flag of an event has explained nothing yet."""
        return kind in self._open

    def unexplained(self) -> Iterator[tuple[type[Event], Sequence[Step]]]:
        """The events whose flag has explained nothing, with the steps in which they happened."""
        for kind in [*self._open]:
            if self._open.get(kind):
                yield kind, self._open[kind]

    def unmet(self) -> list[str]:
        """The names of the events that have a flag and did not happen in any game."""
        return [kind.__name__ for kind, steps in self._open.items() if not steps]


NO_FLAGS: Final = Flags(())
"""For looking at worlds without asking what the flags of a game explain: it notes nothing."""


def eyes_of(event: Event, everybody: Sequence[Eyes]) -> Iterator[Eyes]:
    """The eyes that the flag of an event is there for: its seat's, or all but its seat's."""
    for eyes in everybody:
        if _is_for(event, eyes):
            yield eyes


def _is_for(event: Event, eyes: Eyes) -> bool:
    is_owner = getattr(event, "seat", None) in eyes
    return is_owner == (event_form(type(event)).reveals is Visibility.OWNER)


def _shown(kind: type[Event], events: Sequence[Event], eyes: Eyes) -> list[Shaped | None]:
    """What eyes that a flag is there for are told of the events that have it."""
    return [event_view(each, eyes) for each in events if type(each) is kind and _is_for(each, eyes)]
