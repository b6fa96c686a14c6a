"""Gives the journal of an older server its rows: everybody's, and those that rooms are found by."""

from __future__ import annotations

import logging

from server.engine.summaries import with_columns
from server.journal import PEOPLE, Store
from server.observe import log
from server.people.person import people_of


async def bring_in(store: Store) -> None:
    """Do so where rows are wanted. Raises NotRead and NotSaved."""
    if not store.wants_rows():
        return
    newest = await store.snapshot(PEOPLE)
    entries = await store.load(PEOPLE, 0 if newest is None else newest.seq)
    people = people_of(None if newest is None else newest.body, entries)
    rooms = [with_columns(summary) for summary in await store.summaries()]
    await store.bring_in(rooms, people)
    log(logging.INFO, "rows brought in", rooms=len(rooms), people=len(people))
