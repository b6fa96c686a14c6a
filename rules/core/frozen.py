"""Frozen dataclasses that are made fast: a move makes a dozen of them."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def quick(cls: C) -> C:
    """Give a frozen dataclass with slots a constructor that takes half the time.

    The one that Python generates goes through `object.__setattr__` for every field; this one uses
    the slots' own setters. To stand above `@dataclass(frozen=True, slots=True)`.
    """
    arguments: list[str] = []
    named: list[str] = []
    body: list[str] = []
    scope: dict[str, Any] = {}  # Any: the names of generated code
    for field in fields(cls):
        name = field.name
        scope[f"put_{name}"] = getattr(cls, name).__set__
        value = name
        if field.default_factory is not MISSING:
            scope[f"make_{name}"], scope[f"default_{name}"] = field.default_factory, MISSING
            value = f"make_{name}() if {name} is default_{name} else {name}"
        elif field.default is not MISSING:
            scope[f"default_{name}"] = field.default
        optional = f"default_{name}" in scope
        argument = f"{name}=default_{name}" if optional else name
        (named if field.kw_only else arguments).append(argument)
        body.append(f"    put_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    if named:
        arguments += ["*", *named]
    source = [f"def __init__(self, {', '.join(arguments)}):", *(body or ["    pass"])]
    exec("\n".join(source), scope)  # noqa: S102 - the source is made of field names only
    scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    setattr(cls, "__init__", scope["__init__"])  # noqa: B010 - mypy lets nobody assign a method
    return cls


__all__ = ["quick"]
