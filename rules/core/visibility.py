"""Nodes and the visibility of their fields.

A node is a frozen value with named fields: a part of a state, a move or an event. Deriving from
`Node`, `Row`, `Move` or `Event` declares one:

    class Fighter(Node):
        lives: Public[int]
        plan: Owner[int]

Every field is marked with its visibility. A class with an unmarked field does not load, so a
forgotten marker is an error and never a leak.

A view is made of the same nodes as the state, so a field that is not Public may be missing: it is
None in the views that hide it. Rules, whose state always has it, read it with `require`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, NewType, TypeVar, get_type_hints

from msgspec import Struct

from bluebear.rules.core.package_data import OLDER, LoadError

Seat = NewType("Seat", int)
"""A seat at a table, numbered from 1."""

Eyes = frozenset[Seat]
"""The seats whose secrets a viewer may see; empty for a spectator."""

SPECTATOR: Eyes = frozenset()


class Visibility(Enum):
    """The viewers that see a field."""

    PUBLIC = "public"
    OWNER = "owner"
    HIDDEN = "hidden"


T = TypeVar("T")

Public = Annotated[T, Visibility.PUBLIC]
"""A field that every viewer of the node sees."""

if TYPE_CHECKING:
    Owner = Annotated[T | None, Visibility.OWNER]
    Hidden = Annotated[T | None, Visibility.HIDDEN]
else:
    Owner = Annotated[T, Visibility.OWNER]
    """Only the nearest enclosing seat sees it; for a move the mover, for an event its `seat`."""

    Hidden = Annotated[T, Visibility.HIDDEN]
    """A field that no viewer sees before the game is over; it stays on the server."""


class VisibilityError(LoadError, TypeError):
    """A wrong declaration of visibility; raised when a class is made or its tree is compiled."""


def require(secret: T | None) -> T:
    """The value of a secret field. Raises TypeError in a view that hides it."""
    if secret is None:
        raise TypeError("a view does not show this")
    return secret


def visibility_of(hint: object) -> Visibility | None:
    """The visibility marker of an annotated type; None if there is none."""
    return next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Visibility)), None)


def marked_hints(cls: type) -> dict[str, Any]:  # Any: type hints are of any kind
    """The type hints of a node class's fields, in order, markers included."""
    hints = get_type_hints(cls, include_extras=True)
    return {name: hints[name] for name in field_names(cls)}


def field_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a node class, in order."""
    names: tuple[str, ...] = cls.__struct_fields__  # type: ignore[attr-defined]  # of every Struct
    return names


DRAFT: Final = "__draft_of__"
"""The attribute of a draft class that refers to its node class (`bluebear.rules.core.draft`)."""


def _check(cls: type) -> None:
    """Raises VisibilityError if a node class has an unmarked field or is not plain data."""
    if "__post_init__" in vars(cls):
        what = f"{cls.__name__}: a node is plain data, without __post_init__"
        raise VisibilityError(what, within=cls)
    hints = get_type_hints(cls, include_extras=True)
    for name in vars(cls).get("__annotations__", {}):
        hint = hints[name]
        if getattr(hint, "__origin__", None) is ClassVar:
            continue
        if visibility_of(hint) is None:
            raise VisibilityError(f"{cls.__name__}.{name}: no visibility marker", within=cls)
        if name.startswith("_"):
            what = f"{cls.__name__}.{name}: a field's name begins with a letter"
            raise VisibilityError(what, within=cls)


if TYPE_CHECKING:
    from dataclasses import replace as but

    # To type checkers a node is mutable, because its drafts are.
    class Node(Struct): ...

else:
    from msgspec.structs import replace as but  # noqa: F401 - handed on

    # Nodes have no reference cycles, so the garbage collector need not scan them.
    class Node(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
        """Base of all nodes. A node is frozen; only its draft in a move can be written to."""

        def __init_subclass__(cls, **options):
            super().__init_subclass__(**options)
            if DRAFT not in vars(cls):
                _check(cls)


class Row(Node, array_like=True):
    """Base of small nodes that are shown as an array: their fields in order, without names.

    A row is replaced whole in a patch, so all its fields are public and none may be absent. For
    classes with many nodes whose fields are clear from their order.
    """


class Move(Node):
    """Base of the move types of a game.

    `sight` OWNER shows the line, verb included, only to the mover. A move that `takes_back` undoes
    the seat's small moves of this turn that are not committed yet.
    """

    sight: ClassVar[Visibility] = Visibility.PUBLIC
    takes_back: ClassVar[bool] = False


class Event(Node):
    """Base of the event types: something that happened, as data.

    `sight` OWNER announces it only to the event's `seat`, HIDDEN to no viewer.
    `reveals` is declared by events that show something hidden, and says to which viewers: OWNER to
    the event's `seat` (a card that it drew), PUBLIC to all viewers of the event (a hand laid open).
    The event's fields must contain what it shows: the two-worlds test excuses a difference only for
    those viewers, and only if such events differ for them.
    An event with Owner fields, or OWNER in `sight` or `reveals`, has a public field `seat`.
    """

    sight: ClassVar[Visibility] = Visibility.PUBLIC
    reveals: ClassVar[Visibility | None] = None


class SeatEvent(Event):
    """Base of the events that concern one seat, such as what it did or got."""

    seat: Public[Seat]


def classes_below(base: type[T], package: str) -> tuple[type[T], ...]:
    """The subclasses of `base` defined in a package, sorted by name.

    Those in the folders of older rules versions (`rulesN`) are left out.
    """
    found: dict[str, type[T]] = {}
    waiting = [base]
    while waiting:
        for cls in waiting.pop().__subclasses__():
            waiting.append(cls)
            if hasattr(cls, DRAFT):
                continue
            below = cls.__module__.removeprefix(package)
            inside = cls.__module__ == package or below.startswith(".")
            if inside and OLDER.match(below[1:].partition(".")[0]) is None:
                found[cls.__qualname__] = cls
    return tuple(found[name] for name in sorted(found))
