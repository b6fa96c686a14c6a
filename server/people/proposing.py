"""A name that may be taken, for one that was refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.journal import Store
from bluebear.server.limits import NAME_MAX_CHARS
from bluebear.server.people.names import clean_name, name_key, readable_part
from bluebear.server.tokens import FreshBytes

_DIGITS: Final = (1, 2, 4)
"""How many digits the numbers have that are drawn behind a name, one after the other: each is a
look into the store, and of the last kind nearly all are free.
"""
_FALLBACK: Final = "Guest"
_FALLBACK_DIGITS: Final = 4


async def free_name(
    store: Store, given: str, fresh: FreshBytes, *, stale_before: int
) -> str | None:
    """A good name like the one that was given, which is free now; None where none is found soon.

    `stale_before`: as in `Append`. Raises what the store raises.
    """
    for name in _names_like(given, fresh):
        try:
            clean = clean_name(name)
        except NotAllowed:
            continue
        holder = await store.person_named(name_key(clean))
        if holder is None or holder.is_stale(stale_before):
            return clean
    return None


def _names_like(given: str, fresh: FreshBytes) -> Iterator[str]:
    """What is left of the name without what may not stand in one; then with numbers behind it."""
    name = readable_part(given)
    if name is not None:
        if name != unicodedata.normalize("NFKC", given).strip():
            yield name
        yield _numbered(name, "2")
        for digits in _DIGITS:
            yield _numbered(name, _number(digits, fresh))
    yield _numbered(_FALLBACK, _number(_FALLBACK_DIGITS, fresh))


def _numbered(name: str, number: str) -> str:
    return name[: NAME_MAX_CHARS - len(number)] + number


def _number(digits: int, fresh: FreshBytes) -> str:
    """A number of so many digits, none of which looks like a letter."""
    return "".join(str(2 + byte % 8) for byte in fresh(digits))
