"""Gives the journal of an older server what it has not: rows of everybody, and of rooms; new keys.

Rows are those by which people and rooms are found; keys are the shapes of names that belong to one
person each.
"""

from __future__ import annotations

import logging

from server.engine.summaries import with_columns
from server.journal import PEOPLE, NotOpened, Store
from server.observe import log
from server.people.names import SHAPE
from server.people.person import people_of
from server.people.rekeying import new_keys


async def bring_in(store: Store) -> None:
    """Do so where it is wanted. Raises NotRead, NotSaved, NotOpened for keys of a newer server."""
    await _bring_rows(store)
    shape = await store.shape()
    if shape > SHAPE:
        raise NotOpened("journal_newer", f"names of shape {shape}; this program knows {SHAPE}")
    if shape < SHAPE:
        changed = await store.rekey(SHAPE, new_keys)
        log(logging.INFO, "names given new keys", shape=SHAPE, changed=changed)


async def _bring_rows(store: Store) -> None:
    if not store.wants_rows():
        return
    newest = await store.snapshot(PEOPLE)
    entries = await store.load(PEOPLE, 0 if newest is None else newest.seq)
    people = people_of(None if newest is None else newest.body, entries)
    rooms = [with_columns(summary) for summary in await store.summaries()]
    await store.bring_in(rooms, people)
    log(logging.INFO, "rows brought in", rooms=len(rooms), people=len(people))
