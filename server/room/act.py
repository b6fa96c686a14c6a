"""Acts: what an entry can do in a room beside moves and talk, each declared once.

    class Kick(RoomAct, frozen=True):
        head = "/kick"
        name: str

        def fold(self, step: Step) -> None: ...

An act is a value with typed fields. The journal stores its canonical line: the head, then the
fields in order (`/kick Ben`). Fields that are None are left out; a field in `named` is written as
`seed=VALUE`. Only the server and the clock send acts whose head begins with `@`.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from bluebear.rules.core.refusal import NotUnderstood

if TYPE_CHECKING:
    from bluebear.server.room.fold_context import Step


ACTS: Final[dict[str, type[RoomAct]]] = {}
"""All subclasses of `RoomAct` by head, also those of features."""


class RoomAct(Struct, frozen=True):
    """Base of all acts."""

    head: ClassVar[str]
    named: ClassVar[frozenset[str]] = frozenset()
    makes_room: ClassVar[bool] = False
    """Whether the act is the first entry of a room; it can be no other entry."""

    def __init_subclass__(cls) -> None:
        """Register the act by its head. Raises ValueError if another act has this head."""
        super().__init_subclass__()
        if not cls.makes_room and ACTS.setdefault(cls.head, cls) is not cls:
            raise ValueError(f"{cls.head}: {cls.__name__}, {ACTS[cls.head].__name__}")

    def fold(self, step: Step) -> None:
        """Carry the act out in the room. Raises Refusal if it is not allowed."""
        raise NotImplementedError

    @property
    def line(self) -> str:
        """The canonical line."""
        texts = [self.head]
        for field in _form(type(self)):
            value = getattr(self, field.name)
            if value is not None:
                text = str(value.value if isinstance(value, Enum) else value)
                texts.append(f"{field.name}={text}" if field.is_named else text)
        return " ".join(texts)

    @classmethod
    def read(cls, line: str) -> Self:
        """Parse a canonical line. Raises NotUnderstood (bad_line) for any other line."""
        try:
            act = cls(**_values(_form(cls), line.removeprefix(cls.head).split(" ")[1:]))
        except (TypeError, ValueError):
            raise NotUnderstood("bad_line", given=line) from None
        if act.line != line:
            raise NotUnderstood("bad_line", given=line)
        return act


class _Field(NamedTuple):
    name: str
    kind: type[Any]  # Any: makes a value of whatever type from its text
    """Raises ValueError for a text that is no such value."""
    is_named: bool


@cache
def _form(act: type[RoomAct]) -> Sequence[_Field]:
    """The fields of an act, in order."""
    hints = get_type_hints(act)
    names = [field.name for field in fields(act)]
    return [_Field(name, _kind(hints[name]), name in act.named) for name in names]


def _kind(hint: Any) -> type[Any]:  # Any: type hints are of any kind
    """The type of a field, without None."""
    if isinstance(hint, types.UnionType):
        [hint] = (each for each in get_args(hint) if each is not type(None))
    kind: type[Any] = getattr(hint, "__supertype__", hint)
    return kind


def _values(form: Sequence[_Field], texts: list[str]) -> dict[str, Any]:
    """The values of the fields: `name=value` where a field is named, the others by position.

    Surplus texts belong to the last field, joined with spaces. Raises ValueError for an empty text.
    """
    if "" in texts:
        raise ValueError("two spaces, or one at the end")
    values: dict[str, Any] = {}
    for field in form:
        start = f"{field.name}="
        matches = [text for text in texts if text.startswith(start)] if field.is_named else []
        for text in matches[:1]:
            texts.remove(text)
            values[field.name] = field.kind(text.removeprefix(start))
    positional = [field for field in form if not field.is_named]
    if len(texts) > len(positional) > 0:
        last = len(positional) - 1
        texts = [*texts[:last], " ".join(texts[last:])]
    values.update(
        (field.name, field.kind(text)) for field, text in zip(positional, texts, strict=False)
    )
    return values
