"""Nodes, and who may see which of their fields.

A node is a frozen value with named fields: a part of a state, a move or an event. To derive from
`Node`, `Row`, `Move` or `Event` is the whole declaration:

    class Fighter(Node):
        lives: Public[int]
        plan: Owner[int]

Every field says who sees it. A class with an unmarked field does not load: forgetting is an error,
never a leak.

What is not Public may be missing, since a view is made of the same nodes as the state: there it is
None for those who may not see it. `held` is how rules read it, where it is always there.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, NewType, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import asdict

from bluebear.rules.core.package_data import LoadError

Seat = NewType("Seat", int)
"""A place at a table, numbered from 1."""

Eyes = frozenset[Seat]
"""The seats whose secrets a viewer may see; empty for a spectator."""

SPECTATOR: Eyes = frozenset()


class Visibility(Enum):
    """Who sees a field."""

    PUBLIC = "public"
    OWNER = "owner"
    HIDDEN = "hidden"


T = TypeVar("T")

Public = Annotated[T, Visibility.PUBLIC]
"""Everybody who sees the node sees this field."""

if TYPE_CHECKING:
    Owner = Annotated[T | None, Visibility.OWNER]
    Hidden = Annotated[T | None, Visibility.HIDDEN]
else:
    Owner = Annotated[T, Visibility.OWNER]
    """Only the nearest enclosing seat sees it; for a move the mover, for an event its `seat`."""

    Hidden = Annotated[T, Visibility.HIDDEN]
    """Nobody outside the server sees this field before the game is over."""


class VisibilityError(LoadError, TypeError):
    """A class declares its visibility wrongly; raised when the class is made or its tree built."""


def held(secret: T | None) -> T:
    """A secret as the rules have it: there. TypeError in a view that does not show it."""
    if secret is None:
        raise TypeError("a view does not show this")
    return secret


def sight_of(hint: object) -> Visibility | None:
    """The marker of an annotated type, None where there is none."""
    for marker in getattr(hint, "__metadata__", ()):
        if isinstance(marker, Visibility):
            return marker
    return None


def marked_hints(cls: type) -> dict[str, Any]:  # Any: type hints are of any kind
    """The hints of the fields of a node class, in the order of the fields, markers included."""
    hints = get_type_hints(cls, include_extras=True)
    return {name: hints[name] for name in field_names(cls)}


def field_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a node class, in order."""
    names: tuple[str, ...] = cls.__struct_fields__  # type: ignore[attr-defined]  # of every Struct
    return names


def fields_of(node: Struct) -> dict[str, Any]:  # Any: fields are of any type
    """The fields of a node by name, as a phrase takes its parameters."""
    return asdict(node)


DRAFT: Final = "__draft_of__"
"""Where the class of a draft has the class that it drafts (`bluebear.rules.core.draft`)."""


def _check(cls: type) -> None:
    """Raises VisionError if a node class has an unmarked field or is not plain data."""
    if "__post_init__" in vars(cls):
        raise VisibilityError(
            f"{cls.__name__}: a node is plain data, without __post_init__", within=cls
        )
    hints = get_type_hints(cls, include_extras=True)
    for name in vars(cls).get("__annotations__", {}):
        hint = hints[name]
        if getattr(hint, "__origin__", None) is ClassVar:
            continue
        if sight_of(hint) is None:
            raise VisibilityError(f"{cls.__name__}.{name}: no visibility marker", within=cls)
        if name.startswith("_"):
            what = f"{cls.__name__}.{name}: a field's name begins with a letter"
            raise VisibilityError(what, within=cls)


if TYPE_CHECKING:
    from dataclasses import replace as but

    # Type checkers see a node as something that changes, because its drafts do.
    class Node(Struct): ...

else:
    from msgspec.structs import replace as but  # noqa: F401 - handed on

    # Nodes hold no circles, so the collector need not look into them.
    class Node(Struct, frozen=True, gc=False):
        """Base of all nodes. It is frozen; only its draft inside of a move can be written to."""

        def __init_subclass__(cls, **options):
            super().__init_subclass__(**options)
            if DRAFT not in vars(cls):
                _check(cls)


class Row(Node):
    """Base of small nodes that are shown as an array: their fields in order, without names.

    A row is replaced whole in a patch, so all of it is public and nothing in it may be absent. For
    nodes of which there are many and whose fields are clear from their place.
    """


class Move(Node):
    """Base of the move types of a game.

    `sight` OWNER hides the whole line, verb included, from everybody but the mover. A move that
    `takes_back` undoes own small moves of this turn that are not committed yet.
    """

    sight: ClassVar[Visibility] = Visibility.PUBLIC
    takes_back: ClassVar[bool] = False


class Event(Node):
    """Base of the event types: something that happened, as data.

    `sight` OWNER means that only the event's `seat` learns of it, HIDDEN that nobody does.
    `reveals` is declared by events that show something hidden, and names to whom: OWNER to the
    event's `seat` (a card that it drew), PUBLIC to all who are told (a hand that is laid open).
    What it shows has to stand in its fields: the two-worlds test excuses a difference only for
    those eyes, and only where what they are told by such events differs.
    An event with Owner fields, or OWNER in `sight` or `reveals`, has a public field `seat`.
    """

    sight: ClassVar[Visibility] = Visibility.PUBLIC
    reveals: ClassVar[Visibility | None] = None
