"""Records which events that declare `reveals` have explained a difference between two worlds.

The declaration (a flag) excuses a difference, so a flag that never explains one is a fault: with
PUBLIC the event must show something to eyes other than its seat's, with OWNER to its seat's.
Random games may miss a rare event, or the positions where it matters. So the first steps with each
event are stored, and replayed in more worlds at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.conformance.random_play import Step
from bluebear.rules.core.event_text import event_view
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Event, Eyes, Visibility

STORED = 80
"""The most steps stored for an event that has not explained a difference yet."""
STORED_OF_A_CASE = 8
"""The most of them from one case."""


class Flags:
    """The flags of a game that have not explained a difference yet. Owned by one run of the kit."""

    def __init__(self, kinds: Sequence[type[Event]]) -> None:
        """`kinds` are the events of the game."""
        self._open: dict[type[Event], list[Step]] = {
            kind: [] for kind in kinds if kind.reveals is not None
        }

    def meet(self, step: Step) -> None:
        """Store a step if it has an event whose flag is open."""
        happened = frozenset(map(type, step.after.events))
        for kind, stored in self._open.items():
            if kind not in happened or len(stored) == STORED:
                continue
            of_case = sum(each.before.case is step.before.case for each in stored)
            if of_case < STORED_OF_A_CASE:
                stored.append(step)

    def compare(self, here: Sequence[Event], there: Sequence[Event], eyes: Eyes) -> None:
        """Close the flags that explain why these eyes get different events here and there."""
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
"""Records nothing: for comparing worlds without checking the flags."""


def eyes_of(event: Event, all_eyes: Sequence[Eyes]) -> Iterator[Eyes]:
    """The eyes that the flag of an event concerns: its seat's, or all but its seat's."""
    return (eyes for eyes in all_eyes if _is_for(event, eyes))


def _is_for(event: Event, eyes: Eyes) -> bool:
    is_owner = getattr(event, "seat", None) in eyes
    return is_owner == (event.reveals is Visibility.OWNER)


def _shown(kind: type[Event], events: Sequence[Event], eyes: Eyes) -> list[Shaped | None]:
    """The events of a kind as these eyes see them, if its flag concerns the eyes."""
    return [event_view(each, eyes) for each in events if type(each) is kind and _is_for(each, eyes)]
