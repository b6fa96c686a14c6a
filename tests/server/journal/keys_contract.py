"""What every store must keep when all names get other keys, as scenes."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from server import faults
from server.journal import Named, NotSaved, PersonRow, Taken, Written
from tests.server.journal.store_contract import AYU, BEN, StoreDisk, person


def _swapped(people: Iterable[Named]) -> Mapping[str, str]:
    """Ayu and Ben change their keys; whoever else is there keeps his."""
    keys = {one.id: one.key for one in people}
    return {"p-ayu": keys["p-ben"], "p-ben": keys["p-ayu"]}


NOBODY = PersonRow("p-nobody", 1, "Nobody", "", True, ("t-no",), 5)
CHIE = PersonRow("p-chie", 1, "Chie", "chie", True, ("t-chie",), 7, kept=True)


class KeysContract:
    """Subclasses give the fixture `store_disk`."""

    async def test_all_names_get_other_keys_in_one_go(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        await store.append([person(AYU), person(BEN), person(CHIE), person(NOBODY)])
        assert await store.shape() == 0
        asked: list[Named] = []

        def rekeying(people: Iterable[Named]) -> Mapping[str, str]:
            asked.extend(people)
            return _swapped(asked)

        assert await store.rekey(7, rekeying) == 2
        assert sorted(asked, key=lambda one: one.id) == [
            Named("p-ayu", "Ayu", "ayu", 1_000, kept=False),
            Named("p-ben", "Ben", "ben", 1_000, kept=False),
            Named("p-chie", "Chie", "chie", 7, kept=True),
        ]
        await store.close()
        store = store_disk()
        assert await store.shape() == 7
        assert await store.person_named("ayu") == replace(BEN, key="ayu")
        assert await store.person("p-ayu") == replace(AYU, key="ben")
        assert await store.person_of_token("t-chie") == CHIE
        assert await store.person("p-nobody") == NOBODY
        newcomer = PersonRow("p-mio", 1, "Mio", "ben", True, ("t-mio",), 1_000)
        later = replace(AYU, seq=2, key="ben")
        assert await store.append([person(newcomer), person(later)]) == [
            Taken("p-ayu"),
            Written(2),
        ]
        await store.close()

    async def test_a_store_without_people_has_a_shape_too(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        assert await store.rekey(3, lambda people: {one.id: "x" for one in people}) == 0
        assert await store.rekey(4, lambda people: {}) == 0
        await store.close()
        store = store_disk()
        assert await store.shape() == 4
        assert await store.append([person(AYU)]) == [Written(1)]
        await store.close()


class KeysOnDisk:
    """For stores whose disk may fail in the middle; subclasses give the fixture `store_disk`."""

    async def test_keys_that_were_not_stored_are_as_they_were(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        await store.append([person(AYU), person(BEN)])
        faults.arm("journal.before_rekey", 1, "raise")
        with pytest.raises(NotSaved):
            await store.rekey(7, _swapped)
        assert faults.waiting() == ()
        assert await store.shape() == 0
        assert await store.person_named("ayu") == AYU
        assert await store.rekey(7, _swapped) == 2
        assert await store.person_named("ayu") == replace(BEN, key="ayu")
        await store.close()
