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

from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Final, Self

from msgspec import Struct, convert

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
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None:
                text = str(value.value if isinstance(value, Enum) else value)
                texts.append(f"{name}={text}" if name in self.named else text)
        return " ".join(texts)

    @classmethod
    def read(cls, line: str) -> Self:
        """Parse a canonical line. Raises NotUnderstood (bad_line) for any other line."""
        texts = line.removeprefix(cls.head).split(" ")[1:]
        try:
            act = convert(_values(cls, texts), cls, strict=False)
        except ValueError:  # also of a lone surrogate
            raise NotUnderstood("bad_line", given=line) from None
        if "" in texts or act.line != line:
            raise NotUnderstood("bad_line", given=line)
        return act


def _values(act: type[RoomAct], texts: list[str]) -> dict[str, str]:
    """The texts of the fields: `name=value` where one is named, the others by position.

    Surplus texts belong to the last field, joined with spaces.
    """
    named = {name: text for name, _, text in (each.partition("=") for each in texts)}
    values = {name: named[name] for name in act.named if name in named}
    rest = [each for each in texts if each.partition("=")[0] not in values]
    positional = [name for name in act.__struct_fields__ if name not in act.named]
    last = len(positional) - 1
    if len(rest) > last >= 0:
        rest = [*rest[:last], " ".join(rest[last:])]
    return {**values, **dict(zip(positional, rest, strict=False))}
