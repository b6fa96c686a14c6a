"""Who may see which field: the markers, and the decorator that demands them.

Every field of a state, move or event class says who sees it. A class with an unmarked field
does not load: forgetting is an error, never a leak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NewType, TypeVar, get_type_hints

from rules.core.frozen import quick

Seat = NewType("Seat", int)
"""A place at a table, numbered from 1."""

Eyes = frozenset[Seat]
"""The seats whose secrets a viewer may see; empty for a spectator."""

SPECTATOR: Eyes = frozenset()


class Sight(Enum):
    """Who sees a field."""

    PUBLIC = "public"
    OWNER = "owner"
    HIDDEN = "hidden"


T = TypeVar("T")
C = TypeVar("C", bound=type)

Public = Annotated[T, Sight.PUBLIC]
"""Everybody who sees the node sees this field."""

Owner = Annotated[T, Sight.OWNER]
"""Only the nearest enclosing seat sees it; for a move the mover, for an event its `seat`."""

Hidden = Annotated[T, Sight.HIDDEN]
"""Nobody outside the server sees this field before the game is over."""


class VisionError(TypeError):
    """A class declares its visibility wrongly; raised when the class is made or its tree built."""


class _Same(Enum):
    SAME = 0


def sight_of(hint: object) -> Sight | None:
    """The marker of an annotated type, None where there is none."""
    for marker in getattr(hint, "__metadata__", ()):
        if isinstance(marker, Sight):
            return marker
    return None


def marked_hints(cls: type) -> dict[str, Any]:  # Any: type hints are of any kind
    """The hints of the fields of a node class, in the order of the fields, markers included."""
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in fields(cls)}


def state(cls: C) -> C:
    """Check the markers of a frozen slotted dataclass and give it a fast copy.

    To stand above `@dataclass(frozen=True, slots=True)`. Raises VisionError if a field has no
    marker or the class is not frozen and slotted.
    """
    if not is_dataclass(cls) or "__slots__" not in vars(cls):
        raise VisionError(f"{cls.__name__}: a node is a frozen dataclass with slots")
    # The parameters of a dataclass are not part of typeshed's public interface.
    if not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise VisionError(f"{cls.__name__}: a node is a frozen dataclass with slots")
    if hasattr(cls, "__post_init__"):
        raise VisionError(f"{cls.__name__}: a node is plain data, without __post_init__")
    for name, hint in marked_hints(cls).items():
        if sight_of(hint) is None:
            raise VisionError(f"{cls.__name__}.{name}: no visibility marker")
    setattr(cls, "__but__", _fast_copy(cls))  # noqa: B010 - no attribute that a caller may use
    return quick(cls)


def _fast_copy(cls: type) -> Callable[..., object]:
    """A copy with changes, five times as fast as `dataclasses.replace`.

    It fills an unfrozen twin with the same slots and turns it into the frozen class, because a
    frozen dataclass pays for each field in its constructor (docs/performance.md).
    """
    names = [field.name for field in fields(cls)]
    # The same bases, since Python exchanges classes only where the layouts agree.
    twin = type(f"_{cls.__name__}Twin", cls.__bases__, {"__slots__": tuple(names)})
    # The generated code has parameters called like the fields; its own names begin with "_".
    if private := [name for name in names if name.startswith("_")]:
        raise VisionError(f"{cls.__name__}.{private[0]}: a field's name begins with a letter")
    arguments = "".join(f", {name}=_SAME" for name in names)
    body = "".join(
        f"    _made.{name} = _self.{name} if {name} is _SAME else {name}\n" for name in names
    )
    source = (
        f"def but(_self{arguments}):\n    _made = _make(_Twin)\n{body}"
        f"    _made.__class__ = _Class\n    return _made\n"
    )
    scope: dict[str, Any] = {  # Any: the names of generated code
        "_SAME": _Same.SAME,
        "_make": object.__new__,
        "_Twin": twin,
        "_Class": cls,
    }
    exec(source, scope)  # noqa: S102 - the source is made of field names only
    made: Callable[..., object] = scope["but"]
    return made


if TYPE_CHECKING:
    from dataclasses import replace as but
else:

    def but(node, /, **changes):
        """A copy of a node with some fields changed; every other part is shared."""
        return node.__but__(**changes)


class Row:
    """Base of small nodes that are shown as an array: their fields in order, without names.

    A row is replaced whole in a patch, so all of it is public and nothing in it may be absent. For
    nodes of which there are many and whose fields are clear from their place.
    """

    __slots__ = ()


class Move:
    """Base of the move types of a game.

    `sight` OWNER hides the whole line, verb included, from everybody but the mover.
    """

    __slots__ = ()
    sight: ClassVar[Sight] = Sight.PUBLIC


class Event:
    """Base of the event types: something that happened, as data.

    `sight` OWNER means that only the event's `seat` learns of it, HIDDEN that nobody does.
    `reveals` is declared by events that show somebody something he did not know (two-worlds test).
    An event with Owner fields, or OWNER itself, has a field `seat`.
    """

    __slots__ = ()
    sight: ClassVar[Sight] = Sight.PUBLIC
    reveals: ClassVar[bool] = False


__all__ = [
    "SPECTATOR",
    "Event",
    "Eyes",
    "Hidden",
    "Move",
    "Owner",
    "Public",
    "Row",
    "Seat",
    "Sight",
    "VisionError",
    "but",
    "marked_hints",
    "sight_of",
    "state",
]
