"""Decodes and validates untrusted frames.

Three steps: bytes to a tree, the tree's structure, the message's fields. Each has its own error
(`Unreadable`, `Hostile`, `BadMessage`), and no other error is raised.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgpack
import msgspec
from annotated_types import Ge, Le, MaxLen
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from bluebear.protocol.codes import Close
from bluebear.protocol.limits import (
    CLIENT_ITEMS_MAX,
    CLIENT_NESTING_MAX,
    CLIENT_STRING_MAX_BYTES,
    INTEGER_MAX,
    SERVER_NESTING_MAX,
)
from bluebear.protocol.messages import POSITIONAL, SAY_ID_PATTERN, ClientMessage, Say, ServerMessage

_Read = TypeVar("_Read")


class Unreadable(Exception):
    """The frame is not UTF-8, not JSON or not msgpack: close the connection."""

    close: ClassVar = Close.UNREADABLE


class Hostile(Exception):
    """The frame's structure can only be an attack: close the connection."""

    close: ClassVar = Close.POLICY


class BadMessage(Exception):
    """The frame is readable, but no message: the reply is `error bad_message`.

    `where` is the path of the first wrong field, `reason` a keyword for programs; `id` is the
    message's id for the reply, None if it has no valid one.
    """

    def __init__(self, where: str, reason: str, message_id: str | None = None) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason
        self.id = message_id


# The fields of positional messages, in order; `type` is the number at their head.
FIELDS: Final = {
    tag: tuple(field.name for field in fields(kind) if field.name != "type")
    for tag, kind in POSITIONAL.items()
}
_TYPES: Final = {tag: kind.__name__.lower() for tag, kind in POSITIONAL.items()}


class Names(Protocol):
    """The meaning of short keys (`bluebear.protocol.short_keys`)."""

    def readable(self, tree: Any) -> Any:  # Any: nothing is known about it yet
        """A message's tree with its keys as strings. LookupError for a number without a key."""


class Reader(Generic[_Read]):
    """Decodes the frames of one direction: from clients, or from servers.

    `nesting_max` and the bounds of msgpack's `unpackb` limit the size of a structure.
    """

    def __init__(self, union: object, *, nesting_max: int, **unpack_bounds: int) -> None:
        self._validators: Mapping[str, Callable[[object], _Read]] = {
            kind.__name__.lower(): TypeAdapter(kind).validator.validate_python
            for kind in get_args(union)
        }
        self._nesting_max = nesting_max
        # Extension types (timestamps too) and binary have no place in any message.
        self._bounds = {"max_ext_len": 0, "max_bin_len": 0, **unpack_bounds}

    def msgpack(self, frame: bytes | str, names: Names | None = None) -> _Read:
        """The message in a binary frame. Raises Unreadable, Hostile or BadMessage.

        If `names` is given, keys may be its numbers.
        """
        if isinstance(frame, str):
            raise Unreadable("a text frame")
        unique = _unique if names is None else _unique_numbered
        try:
            tree = msgpack.unpackb(
                frame, object_pairs_hook=unique, strict_map_key=names is None, **self._bounds
            )
        except (UnicodeDecodeError, msgpack.FormatError, msgpack.ExtraData) as error:
            raise Unreadable(type(error).__name__) from None
        except ValueError as error:
            # The other errors: cut short; declared too big; nested too deep; keys no strings.
            if "incomplete" in str(error):
                raise Unreadable("cut short") from None
            raise Hostile(str(error) or type(error).__name__) from None
        _count_keys(tree, self._nesting_max)
        if names is not None:
            tree = _named(tree, names)
        if isinstance(tree, list):
            return self._checked(_by_name(tree))
        if isinstance(tree, dict) and tree.get("type") in _TYPES.values():
            raise BadMessage("type", "not_positional", _id_of(tree))
        return self._checked(tree)

    def json(self, frame: bytes | str) -> _Read:
        """The message in a text frame. Raises Unreadable, Hostile or BadMessage."""
        try:
            data = frame.encode() if isinstance(frame, str) else frame
            tree = from_json(data)
        except ValueError as error:
            if _JSON_HOSTILE.search(str(error)):
                raise Hostile(str(error)) from None
            raise Unreadable(type(error).__name__) from None
        # The parser keeps the last of equal keys. Outside of strings there is one colon for
        # each key that was written, so a key that was dropped shows in the count.
        if _count_keys(tree, self._nesting_max) != _JSON_STRING.sub(b"", data).count(b":"):
            raise Hostile("a key twice")
        return self._checked(tree)

    def _checked(self, tree: Any) -> _Read:  # Any: nothing is known about it yet
        if not isinstance(tree, dict):
            raise BadMessage("", "not_an_object")
        kind = tree.get("type")
        validator = self._validators.get(kind) if isinstance(kind, str) else None
        if validator is None:
            raise BadMessage("type", "unknown_type", _id_of(tree))
        try:
            return validator(tree)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            # Not chained: the validation error quotes the input, passwords too.
            raise BadMessage(where, first["type"], _id_of(tree)) from None


CLIENTS: Final = Reader[ClientMessage](
    ClientMessage,
    nesting_max=CLIENT_NESTING_MAX,
    max_str_len=CLIENT_STRING_MAX_BYTES,
    max_array_len=CLIENT_ITEMS_MAX,
    max_map_len=CLIENT_ITEMS_MAX,
)
"""Frames of clients: bounded so that a small frame cannot reserve much memory."""

SERVERS: Final = Reader[ServerMessage](ServerMessage, nesting_max=SERVER_NESTING_MAX)
"""Frames of servers: no declared size may exceed the frame's length."""


def _struct_of(kind: type, tag: int) -> Any:  # Any: its fields are those of the class
    """A positional message as an array-like struct with the bounds of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    listed: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for field in fields(kind):
        if field.name == "type":
            continue
        hint = _bounded(hints[field.name])
        listed.append(
            (field.name, hint) if field.default is MISSING else (field.name, hint, field.default)
        )
    return msgspec.defstruct(
        kind.__name__, listed, array_like=True, tag=tag, forbid_unknown_fields=True, frozen=True
    )


def _bounded(hint: Any) -> Any:  # Any: a type hint
    """A type hint with pydantic's bounds replaced by msgspec's. TypeError for an unknown bound."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return Union[tuple(_bounded(each) for each in get_args(hint))]  # noqa: UP007 - made here
    if origin is not Annotated:
        return getattr(hint, "__supertype__", hint)
    kind, *markers = get_args(hint)
    bounds: dict[str, Any] = {}
    for marker in markers:
        for bound in getattr(marker, "metadata", ()):
            bounds |= _bound(bound)
    kind = _bounded(kind)
    return Annotated[kind, msgspec.Meta(**bounds)] if bounds else kind


def _bound(bound: object) -> dict[str, Any]:  # Any: numbers and texts
    match bound:
        case Ge(ge=least):
            return {"ge": least}
        case Le(le=most):
            return {"le": most}
        case MaxLen(max_length=longest):
            return {"max_length": longest}
        case _ if str(getattr(bound, "pattern", "")).endswith("$"):
            # Python's `$` also matches before a final line break; pydantic's does not.
            return {"pattern": str(getattr(bound, "pattern", ""))[:-1] + r"\Z"}
        case _:
            raise TypeError(f"no bound of a positional message: {bound!r}")


SAY: Final[Callable[[Any], Any]] = msgspec.msgpack.Decoder(_struct_of(Say, 1)).decode
"""A valid positional `say`; it has no nesting and no keys, so it needs no further checks.

Made from the model's bounds, it accepts nothing that they forbid.
"""

# Errors of pydantic's parser: too deep, more digits than a number can have, half a surrogate pair.
_JSON_HOSTILE: Final = re.compile("recursion limit|out of range|hex escape")
_JSON_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_GOOD_ID: Final = re.compile(SAY_ID_PATTERN)


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """A msgpack map. Raises Hostile for a key twice, or a key that is no string."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Hostile("a key twice")
    for key in members:
        if not isinstance(key, str):
            raise Hostile("a key that is no string")
    return members


def _unique_numbered(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """A msgpack map whose keys may be numbers. Raises Hostile for other keys, or a key twice."""
    for key, _ in pairs:
        if type(key) is not str and type(key) is not int:
            raise Hostile("a key that is no string")
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Hostile("a key twice")
    return members


def _named(tree: Any, names: Names) -> Any:  # Any: nothing is known about it yet
    """The tree with its keys as strings. Raises Hostile for a number without a key."""
    try:
        tree = names.readable(tree)
    except LookupError as error:
        raise Hostile(f"a key that is no string: {error}") from None
    level = [tree]
    while level:
        below: list[Any] = []
        for node in level:
            if type(node) is dict:
                if any(type(key) is int for key in node):
                    raise Hostile("a key that is no string")
                below += node.values()
            elif type(node) is list:
                below += node
        level = below
    return tree


def _count_keys(tree: Any, nesting_max: int) -> int:  # Any: nothing is known about it yet
    """The number of keys of all objects in a tree.

    Raises Hostile for nesting over the bound, numbers that are not exact in every reader, and
    values that JSON does not have.
    """
    keys = 0
    level = [tree]
    for depth in range(nesting_max + 1):
        below: list[Any] = []
        for node in level:
            # Decoders make exact types only, and comparing these halves the time.
            kind = type(node)
            if kind is int or kind is float:
                if not -INTEGER_MAX <= node <= INTEGER_MAX:  # so for NaN
                    raise Hostile("a number that not every reader holds")
            elif kind is dict or kind is list:
                if depth == nesting_max:
                    raise Hostile("nested too deep")
                if kind is dict:
                    keys += len(node)
                    below += node.values()
                else:
                    below += node
            elif not (kind is str or kind is bool or node is None):
                raise Hostile(kind.__name__)
        if not below:
            break
        level = below
    return keys


def _by_name(values: list[Any]) -> dict[str, Any]:
    """A positional message with its fields by name; nil is an absent field."""
    tag = values[0] if values else None
    if type(tag) is not int or tag not in FIELDS:
        raise BadMessage("type", "unknown_type")
    if len(values) > 1 + len(FIELDS[tag]):
        raise BadMessage(str(len(values) - 1), "too_many_fields")
    named = zip(FIELDS[tag], values[1:], strict=False)
    return {"type": _TYPES[tag], **{name: value for name, value in named if value is not None}}


def _id_of(tree: dict[str, Any]) -> str | None:
    value = tree.get("id")
    return value if isinstance(value, str) and _GOOD_ID.fullmatch(value) else None
