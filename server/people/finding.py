"""Who has a name, of all that a store knows."""

from __future__ import annotations

from server.journal import PersonRow, Store
from server.people.names import exact_key, name_key


async def person_named(store: Store, name: str) -> PersonRow | None:
    """Whose name this is, or looks like it; of two that look alike who is called exactly so.

    Two are there only where both were before their names had the same key. Raises NotRead.
    """
    row = await store.person_named(name_key(name))
    if row is not None and exact_key(row.name) == exact_key(name):
        return row
    return await store.person_named(exact_key(name)) or row
