"""Records which events that declare `reveals` have explained a difference between two worlds.

The declaration (a flag) excuses a difference, so a flag that never explains one is a fault: with
PUBLIC the event must show something to eyes other than its seat's, with OWNER to its seat's.
Random games may miss a rare event, or the positions where it matters. So the first steps with each
event are stored, and replayed in more worlds at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        self.open: dict[type[Event], list[Step]] = {
            kind: [] for kind in kinds if kind.reveals is not None
        }
        """The events whose flag has explained nothing, with steps in which they happened."""

    def meet(self, step: Step) -> None:
        """Store a step if it has an event whose flag is open."""
        for kind in self.open.keys() & set(map(type, step.after.events)):
            stored = self.open[kind]
            of_case = sum(each.before.case is step.before.case for each in stored)
            if len(stored) < STORED and of_case < STORED_OF_A_CASE:
                stored.append(step)

    def compare(self, here: Sequence[Event], there: Sequence[Event], eyes: Eyes) -> None:
        """Close the flags that explain why these eyes get different events here and there."""
        for kind in [*self.open]:
            if _shown(kind, here, eyes) != _shown(kind, there, eyes):
                del self.open[kind]


NO_FLAGS: Final = Flags(())
"""Records nothing: for comparing worlds without checking the flags."""


def concerns(event: Event, eyes: Eyes) -> bool:
    """Whether the flag of an event is about these eyes: its seat's, or all but its seat's."""
    is_owner = getattr(event, "seat", None) in eyes
    return is_owner == (event.reveals is Visibility.OWNER)


def _shown(kind: type[Event], events: Sequence[Event], eyes: Eyes) -> list[Shaped | None]:
    """The events of a kind as these eyes see them, if its flag concerns the eyes."""
    return [
        event_view(each, eyes) for each in events if type(each) is kind and concerns(each, eyes)
    ]
