"""What every store must keep of the pages by which it becomes another one, as scenes."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from server.journal import Append, Entry, PersonRow, RatingRow, StreamId, WholeStore, Written
from tests.server.journal.store_contract import AYU, BEN, ROOM, person

WholeDisk: TypeAlias = Callable[[], WholeStore]
"""Opens a store on one and the same storage, each time as a new server would."""


class WholeContract:
    """Subclasses give the fixture `store_disk`."""

    async def test_people_and_ratings_come_page_by_page(self, store_disk: WholeDisk) -> None:
        store = store_disk()
        chie = PersonRow("p-chie", 1, "Chie", "chie", True, ("t-chie",), 1_000, body=b"\x00c")
        await store.append([person(each) for each in (chie, AYU, BEN)])
        assert await store.people_after("", 2) == [AYU, BEN]
        assert await store.people_after("p-ben", 2) == [chie]
        assert await store.people_after("p-chie", 2) == []
        rows = [
            RatingRow("p-ayu", "tokai", 2, 1, 1_500, b"x"),
            RatingRow("p-ayu", "tokai", 10, 1, None, b"y"),
            RatingRow("p-ben", "itc", 3, 1, -5, b""),
        ]
        entry = Entry(ROOM, 1, "server", "", ("@record",), {}, 50)
        assert await store.append([Append(entry, ratings=(rows[2], rows[0], rows[1]))]) == [
            Written(1)
        ]
        assert await store.ratings_after(None, 2) == rows[:2]
        assert await store.ratings_after(rows[1].key, 2) == rows[2:]
        await store.close()

    async def test_people_without_an_entry_are_added_beside_those_who_are_there(
        self, store_disk: WholeDisk
    ) -> None:
        store = store_disk()
        await store.append([person(AYU)])
        old = replace(BEN, seq=0, tokens=("t-1", "t-2"), kept=True, body=b"\xff")
        twin = PersonRow("p-twin", 0, "Ayu", "ayu", True, (), 1)
        thief = PersonRow("p-thief", 0, "Thief", "thief", True, ("t-ayu",), 1)
        await store.add_people([old, replace(AYU, name="Other", key="other"), twin, thief])
        await store.add_people([])
        await store.close()
        store = store_disk()
        assert await store.people_after("", 9) == [AYU, old]
        assert await store.person_of_token("t-2") == old
        assert await store.person_of_token("t-ayu") == AYU
        assert (await store.counts())["people"] == 2
        assert await store.load(StreamId("person:p-ben")) == []
        assert await store.append([person(replace(old, seq=1))]) == [Written(1)]
        await store.close()
