"""Acts: what an entry can do in a room beside moves and talk, each declared once.

    class Kick(RoomAct, frozen=True):
        head = "/kick"
        name: str

        def fold(self, step: Step) -> None: ...

An act is a value with typed fields. The journal stores its canonical line: the head, then the
fields in order (`/kick Ben`); what is None is left out, and a field that is `named` stands as
`seed=VALUE`. A head that begins with `@` is the server's or the clock's.
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
"""What an entry of a room can do beside moves and talk, by the heads of its lines: all subclasses
of `RoomAct`, also those that features bring.
"""


class RoomAct(Struct, frozen=True):
    """Base of all acts."""

    head: ClassVar[str]
    named: ClassVar[frozenset[str]] = frozenset()
    makes_room: ClassVar[bool] = False
    """Whether it is the first entry of a room, and no other."""

    def __init_subclass__(cls) -> None:
        """Note the act by its head. Raises ValueError if another one has that."""
        super().__init_subclass__()
        if not cls.makes_room and ACTS.setdefault(cls.head, cls) is not cls:
            raise ValueError(f"{cls.head}: {cls.__name__}, {ACTS[cls.head].__name__}")

    def fold(self, step: Step) -> None:
        """Do it in the room. Raises Refusal if it is not allowed."""
        raise NotImplementedError

    @property
    def line(self) -> str:
        """The canonical line."""
        words = [self.head]
        for field in _form(type(self)):
            value = getattr(self, field.name)
            if value is not None:
                text = str(value.value if isinstance(value, Enum) else value)
                words.append(f"{field.name}={text}" if field.is_named else text)
        return " ".join(words)

    @classmethod
    def read(cls, line: str) -> Self:
        """The act of a canonical line; NotUnderstood (bad_line) for anything else."""
        try:
            made = cls(**_values(_form(cls), line.removeprefix(cls.head).split(" ")[1:]))
        except (TypeError, ValueError):
            raise NotUnderstood("bad_line", given=line) from None
        if made.line != line:
            raise NotUnderstood("bad_line", given=line)
        return made


class _Field(NamedTuple):
    name: str
    kind: type[Any]  # Any: makes a value of whatever type from its text
    """ValueError if it cannot."""
    is_named: bool


@cache
def _form(act: type[RoomAct]) -> Sequence[_Field]:
    """The fields of an act, in order."""
    hints = get_type_hints(act)
    names = [field.name for field in fields(act)]
    return [_Field(name, _kind(hints[name]), name in act.named) for name in names]


def _kind(hint: Any) -> type[Any]:  # Any: type hints are of any kind
    """The type of a field that may be None."""
    if isinstance(hint, types.UnionType):
        [hint] = (each for each in get_args(hint) if each is not type(None))
    kind: type[Any] = getattr(hint, "__supertype__", hint)
    return kind


def _values(form: Sequence[_Field], words: list[str]) -> dict[str, Any]:
    """The values that words give: `name=value` where a field is named, the others by place.

    What is left over belongs to the last one, which may be a text. ValueError if there is an empty
    word.
    """
    if "" in words:
        raise ValueError("two spaces, or one at the end")
    values: dict[str, Any] = {}
    for field in form:
        start = f"{field.name}="
        found = [word for word in words if word.startswith(start)] if field.is_named else []
        for word in found[:1]:
            words.remove(word)
            values[field.name] = field.kind(word.removeprefix(start))
    placed = [field for field in form if not field.is_named]
    if len(words) > len(placed) > 0:
        last = len(placed) - 1
        words = [*words[:last], " ".join(words[last:])]
    values.update(
        (field.name, field.kind(word)) for field, word in zip(placed, words, strict=False)
    )
    return values
