"""What every store must keep of people for the next server, beside their rows as such."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bluebear.server.people.account import Account, account_of, home_mark
from bluebear.server.people.people import People
from bluebear.server.runtime import SystemClock
from bluebear.server.store import GroupWriter
from tests.server.store.store_contract import StoreDisk

HOME = "203.0.113.7"
OTHER_ADDRESS = "2001:db8:7:1::"


@asynccontextmanager
async def people_of(store_disk: StoreDisk, server: int) -> AsyncIterator[People]:
    """The people of a store, as the server of this number has them until it ends."""
    store = store_disk()
    numbers = itertools.count(server * 100)
    writer = GroupWriter(store)
    yield People(
        *(store, writer, SystemClock()),
        lambda count: hashlib.shake_256(str(next(numbers)).encode()).digest(count),
    )
    await writer.close()
    await store.close()


async def account(people: People) -> Account:
    row = await people.find_by_name("Ayu")
    assert row is not None
    return account_of(row)


class PeopleContract:
    """Subclasses give the fixture `store_disk`."""

    async def test_homes_of_an_owner_are_there_for_the_next_server(
        self, store_disk: StoreDisk
    ) -> None:
        async with people_of(store_disk, 1) as people:
            coming = await people.guest("Ayu", human=True)
            person, token = coming.row.id, coming.token
            await people.register(person, coming.grant.id, "hash", HOME, anew=False)
        marks = home_mark(person, HOME), home_mark(person, OTHER_ADDRESS)
        async with people_of(store_disk, 2) as people:
            assert (await account(people)).homes == marks[:1]
            back = await people.resume(token, OTHER_ADDRESS)
            assert back is not None
        async with people_of(store_disk, 3) as people:
            assert (await account(people)).homes == marks
            assert (await people.log_in(person, HOME)).account.homes == marks
