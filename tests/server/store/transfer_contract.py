"""What every store must keep of the pages by which it becomes another one, as scenes."""

from collections.abc import Callable
from typing import TypeAlias

from bluebear.server.store import (
    Append,
    Entry,
    PersonRow,
    RatingRow,
    Store,
    Written,
    ratings,
    schema,
)
from bluebear.server.store.schema import ENTRY, PERSON, RATING
from tests.server.store.store_contract import AYU, BEN, ROOM, person

TransferDisk: TypeAlias = Callable[[], Store]
"""Opens a store on one and the same storage, each time as a new server would."""


class TransferContract:
    """Subclasses give the fixture `store_disk`."""

    async def test_people_and_ratings_come_page_by_page(self, store_disk: TransferDisk) -> None:
        store = store_disk()
        chie = PersonRow("p-chie", 1, "Chie", "chie", True, ("t-chie",), 1_000, body=b"\x00c")
        await store.append([person(each) for each in (chie, AYU, BEN)])
        ayu, ben = await store.read(schema.page, PERSON, (), 2)
        assert (ayu["id"], ben["id"]) == (AYU.id, BEN.id)
        [third] = await store.read(schema.page, PERSON, ("p-ben",), 2)
        assert third == {**schema.columns(chie), "tokens": ["t-chie"]}
        assert await store.read(schema.page, PERSON, ("p-chie",), 2) == []
        rows = [
            RatingRow("p-ayu", "tokai", 2, 1, 1_500, b"x"),
            RatingRow("p-ayu", "tokai", 10, 1, None, b"y"),
            RatingRow("p-ben", "itc", 3, 1, -5, b""),
        ]
        entry = Entry(ROOM, 1, "server", "", ("@record",), {}, 50)
        assert await store.append([Append(entry, ratings=(rows[2], rows[0], rows[1]))]) == [
            Written(1)
        ]
        assert await store.read(ratings.after, None, 2) == rows[:2]
        assert await store.read(ratings.after, rows[1].key, 2) == rows[2:]
        page = await store.read(schema.page, RATING, rows[1].key, 2)
        assert page == [schema.columns(rows[2])]
        entries = await store.read(schema.page, ENTRY, ("person:p-ayu", 1), 9)
        assert [schema.key_of(ENTRY, each) for each in entries] == [
            ("person:p-ben", 1),
            ("person:p-chie", 1),
            (ROOM, 1),
        ]
        await store.close()
