"""The lists that somebody keeps of others: whom he does not hear, his friends, whom he watches for,
whom he keeps off.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class Kind(StrEnum):
    """Which list."""

    MUTE = "mute"
    FRIENDS = "friends"
    WATCH = "watch"
    BLOCK = "block"


class Other(Struct, frozen=True):
    """Somebody on a list, under the name that he had when he was put there."""

    id: str
    name: str


class Lists(Struct, frozen=True, omit_defaults=True):
    """All lists of one person, each in the order in which it was made.

    Who is blocked is not heard either, and may not whisper, invite or follow.
    """

    mute: tuple[Other, ...] = ()
    friends: tuple[Other, ...] = ()
    watch: tuple[Other, ...] = ()
    block: tuple[Other, ...] = ()

    def of(self, kind: Kind) -> tuple[Other, ...]:
        """One of them."""
        found: tuple[Other, ...] = getattr(self, kind)
        return found

    def has(self, kind: Kind, person: str) -> bool:
        """Whether somebody is on one of them."""
        return any(each.id == person for each in self.of(kind))

    @property
    def unheard(self) -> frozenset[str]:
        """The people whose words do not reach him."""
        return frozenset(each.id for each in (*self.mute, *self.block))

    @property
    def unheard_names(self) -> frozenset[str]:
        """The names under which they were put on the lists."""
        return frozenset(each.name for each in (*self.mute, *self.block))


def with_other(lists: Lists, kind: Kind, other: Other) -> Lists:
    """With somebody on a list, under his present name."""
    kept = tuple(each for each in lists.of(kind) if each.id != other.id)
    return replace(lists, **{kind: (*kept, other)})


def without_other(lists: Lists, kind: Kind, person: str) -> Lists:
    """Without somebody on a list."""
    return replace(lists, **{kind: tuple(e for e in lists.of(kind) if e.id != person)})
