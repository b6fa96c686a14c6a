"""Acts and refusals as bytes: what is said of a line in one process and done in another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood, Refusal
from bluebear.server.commands.acts import Act, Tell, Write

_REFUSALS: Final[Mapping[str, type[Refusal]]] = {
    each.__name__: each for each in (NotUnderstood, NotAllowed, Ambiguous)
}


class _Tell(Struct, array_like=True, frozen=True):
    """What is told, without what makes figures of it: that stays where it was asked for."""

    code: str
    text: str


class _Refused(Struct, array_like=True, frozen=True):
    """A refusal as data."""

    kind: str
    code: str
    rule: str | None
    candidates: tuple[str, ...]
    params: dict[str, Any]  # Any: whatever the phrase of this code names
    place: tuple[int, int] | None


def _members(union: Any) -> dict[str, type]:  # Any: a union has no type of its own
    found: dict[str, type] = {}
    for each in get_args(union):
        found.update(_members(each) if get_args(each) else {each.__name__: each})
    return found


_ACTS: Final = _members(Act)
_REFUSED: Final = msgspec.msgpack.Decoder(_Refused)


@lru_cache
def _decoder(kind: type) -> msgspec.msgpack.Decoder[Any]:  # Any: of whatever act it is
    return msgspec.msgpack.Decoder(_Tell if kind is Tell else kind)


def pack_act(act: Act) -> bytes:
    """An act that is no entry of a room."""
    name = type(act).__name__.encode()
    if isinstance(act, Tell):
        return name + b" " + msgspec.msgpack.encode(_Tell(act.code, act.text))
    if isinstance(act, Write):
        raise TypeError("an entry is written where its room is")
    return name + b" " + msgspec.msgpack.encode(act)


def act_of(body: bytes) -> Act:
    """The act of some bytes. Raises KeyError, msgspec.DecodeError for what is none."""
    name, _, packed = body.partition(b" ")
    kind = _ACTS[name.decode()]
    made = _decoder(kind).decode(packed)
    act: Act = Tell(made.code, made.text) if kind is Tell else made
    return act


def pack_refusal(refusal: Refusal) -> bytes:
    """A refusal with all that its sentence is made of."""
    kinds = (name for name, kind in _REFUSALS.items() if isinstance(refusal, kind))
    made = _Refused(
        next(kinds, NotAllowed.__name__),
        refusal.code,
        refusal.rule,
        refusal.candidates,
        refusal.params,
        refusal.place,
    )
    return msgspec.msgpack.encode(made, enc_hook=str)


def refusal_of(body: bytes) -> Refusal:
    """The refusal of some bytes. Raises KeyError, msgspec.DecodeError for what is none."""
    made = _REFUSED.decode(body)
    params = {name: _plain(value) for name, value in made.params.items()}
    refusal = _REFUSALS[made.kind](made.code, rule=made.rule, candidates=made.candidates, **params)
    refusal.place = made.place
    return refusal


def _plain(value: Any) -> Any:  # Any: what msgpack has made of a parameter
    return tuple(value) if isinstance(value, list) else value
