"""New keys for the names of a store whose keys were made otherwise.

Names that were different may look alike by the new keys. Nobody loses his name for that: of such
people one has the key they share, so that nobody else gets it, and each of the others the key of
his exact name, by which he is found and logs in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from server.journal import Named
from server.people.names import exact_key, name_key


def new_keys(people: Iterable[Named]) -> Mapping[str, str]:
    """The keys of people who have one, by id, where they differ from what they are.

    The key that several share is his who has registered, or else his who was here last.
    """
    holders: dict[str, Named] = {}
    keys: dict[str, str] = {}
    for one in sorted(people, key=lambda one: (not one.kept, -one.used, one.id)):
        key = name_key(one.name)
        holder = holders.setdefault(key, one)
        keys[one.id] = key if holder is one else exact_key(one.name)
        if keys[one.id] == one.key:
            del keys[one.id]
    return keys
