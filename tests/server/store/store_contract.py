"""What every store must keep beside its entries, as scenes; `test_store_model.py` has the rest."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

import pytest

from bluebear.server.store import (
    Answer,
    Append,
    Duplicate,
    Entry,
    Fenced,
    NotSaved,
    Page,
    PersonRow,
    Store,
    StreamId,
    Summary,
    Taken,
    Window,
    Written,
    people,
    person_stream,
    rooms,
    streams,
)
from tests.support import faults, stored_rows

StoreDisk: TypeAlias = Callable[[], Store]
"""Opens a store on one and the same storage, each time as a new server would."""

ROOM = StreamId("r1")
OTHER = StreamId("r2")
POINTS = ("store.before_insert", "store.before_rows", "store.before_commit")

LINE = Summary(
    ROOM,
    1,
    b"\x00body",
    2_000,
    listed=True,
    game="tokai",
    phase="open",
    free=3,
    at=1_000,
    people=("p-ayu", "p-ben"),
    invites=("h-1", "h-2"),
)
AYU = PersonRow("p-ayu", 1, "Ayu", "ayu", True, ("t-ayu",), 1_000)
BEN = PersonRow("p-ben", 1, "Ben", "ben", True, ("t-ben",), 1_000)


def room(row: Summary) -> Append:
    """The entry that makes a room's row true."""
    return Append(Entry(row.stream, row.seq, "p:ayu", "", ("/x",), {}, row.at), row)


def person(row: PersonRow, *, stale_before: int = 0, client_id: str = "") -> Append:
    """The entry that makes a person's row true."""
    entry = Entry(person_stream(row.id), row.seq, "server", client_id, ("@guest",), {}, row.used)
    return Append(entry, None, row, stale_before)


def plain(answers: list[Answer]) -> list[object]:
    """Answers that can be compared: of what was not saved only that."""
    return [NotSaved if isinstance(answer, NotSaved) else answer for answer in answers]


class StoreContract:
    """Subclasses give the fixture `store_disk`."""

    @pytest.fixture(autouse=True)
    def points_disarmed(self) -> Iterator[None]:
        faults.disarm()
        yield
        faults.disarm()

    async def test_a_new_store_has_no_rows(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        assert await store.read(rooms.room, ROOM) is None
        assert await store.read(rooms.of_invite, "h-1") is None
        assert await store.read(rooms.rooms_of, "p-ayu", since=0, limit=9) == []
        assert await store.read(rooms.window, Window()) == Page((), 0)
        assert await store.read(people.person, "p-ayu") is None
        assert await store.read(people.named, "ayu") is None
        assert await store.read(people.of_token, "t-ayu") is None
        assert await store.read(stored_rows.counts) == {"rooms": 0, "people": 0}
        assert await store.read(rooms.due, 10**15, 9) == []
        await store.close()

    async def test_a_room_that_is_not_there_is_none(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        rows = [replace(LINE, stream=StreamId(number)) for number in ("300000", "500000")]
        await store.append([room(row) for row in rows])
        for number in ("100000", "299999", "300001", "499999", "500001", "999999", "3"):
            assert await store.read(rooms.room, StreamId(number)) is None
        assert [await store.read(rooms.room, row.stream) for row in rows] == rows
        await store.close()

    async def test_rows_come_back_as_they_were_also_for_the_next_server(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        assert await store.append([room(LINE), person(AYU)]) == [Written(1), Written(1)]
        for _ in range(2):
            assert await store.read(rooms.room, ROOM) == LINE
            assert await store.read(stored_rows.all_rooms) == [LINE]
            assert await store.read(rooms.of_invite, "h-2") == LINE
            assert await store.read(rooms.rooms_of, "p-ben", since=0, limit=9) == [LINE]
            assert await store.read(rooms.window, Window()) == Page((LINE,), 1)
            assert await store.read(rooms.due, 2_000, 9) == [ROOM]
            assert await store.read(people.person, "p-ayu") == AYU
            assert await store.read(people.named, "ayu") == AYU
            assert await store.read(people.of_token, "t-ayu") == AYU
            await store.close()
            store = store_disk()
        await store.close()

    @pytest.mark.parametrize("together", [False, True])
    async def test_a_row_replaces_the_last_one(self, store_disk: StoreDisk, together: bool) -> None:
        store = store_disk()
        after = replace(
            LINE, seq=2, deadline=None, listed=False, people=("p-ben",), invites=("h-2", "h-3")
        )
        for batch in [[room(LINE), room(after)]] if together else [[room(LINE)], [room(after)]]:
            await store.append(batch)
        assert await store.read(rooms.room, ROOM) == after
        assert await store.read(rooms.rooms_of, "p-ayu", since=0, limit=9) == []
        assert await store.read(rooms.of_invite, "h-1") is None
        assert await store.read(rooms.of_invite, "h-3") == after
        assert (await store.read(rooms.window, Window())).total == 0
        assert await store.read(rooms.due, 10**15, 9) == []
        assert await store.read(stored_rows.counts) == {"rooms": 1, "people": 0}
        await store.close()

    async def test_rooms_of_a_person_are_the_newest_that_are_not_closed(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        rows = [
            replace(LINE, stream=StreamId(f"r{number}"), at=number, phase=phase, listed=False)
            for number, phase in enumerate(("open", "playing", "over", "frozen", "paused", "open"))
        ]
        await store.append([room(row) for row in rows])
        result = await store.read(rooms.rooms_of, "p-ayu", since=3, limit=9)
        assert [row.stream for row in result] == ["r5", "r4", "r3", "r1"]
        assert [row.at for row in await store.read(rooms.rooms_of, "p-ayu", since=3, limit=2)] == [
            5,
            4,
        ]
        await store.close()

    async def test_a_touched_room_stays_open_and_nothing_else_changes(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        other = replace(LINE, stream=OTHER, invites=(), at=9_000)
        await store.append([room(LINE), room(other)])
        await store.write(rooms.touch, [ROOM, OTHER, StreamId("never")], 5_000)
        await store.write(rooms.touch, [], 9_999)
        touched = replace(LINE, at=5_000)
        assert await store.read(rooms.window, Window(since=4_000)) == Page((other, touched), 2)
        assert await store.read(rooms.rooms_of, "p-ayu", since=5_000, limit=9) == [other, touched]
        assert await store.read(rooms.of_invite, "h-1") == touched
        assert await store.read(stored_rows.all_rooms) == [touched, other]
        await store.close()

    async def test_due_is_what_is_over_soonest_first(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        for number, deadline in enumerate((50, None, 30, 40, 30)):
            row = replace(LINE, stream=StreamId(f"r{number}"), deadline=deadline, invites=())
            await store.append([room(row)])
        assert await store.read(rooms.due, 40, 9) == ["r2", "r4", "r3"]
        assert await store.read(rooms.due, 40, 2) == ["r2", "r4"]
        assert await store.read(rooms.due, 29, 9) == []
        await store.close()

    async def test_rooms_and_people_are_counted(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        await store.append(
            [room(LINE), room(replace(LINE, stream=OTHER, phase="over")), person(AYU), person(BEN)]
        )
        counted = {"rooms": 2, "people": 2, "listed.open": 1, "listed.over": 1}
        assert await store.read(stored_rows.counts) == counted
        await store.append([room(replace(LINE, seq=2, phase="over"))])
        assert await store.read(stored_rows.counts) == {"rooms": 2, "people": 2, "listed.over": 2}
        await store.close()

    # Names.

    async def test_a_name_that_belongs_to_a_person_is_taken(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        twin = replace(BEN, key="ayu")
        assert await store.append([person(AYU)]) == [Written(1)]
        assert await store.append([person(twin), room(LINE)]) == [Taken("p-ayu"), Written(1)]
        assert await store.read(streams.load, person_stream("p-ben")) == []
        assert await store.read(people.person, "p-ben") is None
        assert await store.append([person(BEN)]) == [Written(1)]
        await store.close()

    async def test_of_two_who_want_a_name_in_one_commit_the_first_gets_it(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        twin = replace(BEN, key="ayu", used=2_000)
        other = replace(BEN, id="p-chie", tokens=("t-chie",))
        batch = [person(AYU), person(twin), person(BEN), person(other, stale_before=500)]
        assert await store.append(batch) == [
            Written(1),
            Taken("p-ayu"),
            Written(1),
            Taken("p-ben"),
        ]
        await store.close()

    async def test_what_follows_a_taken_one_in_its_stream_is_fenced(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        twin = replace(BEN, key="ayu")
        assert await store.append([person(AYU), person(twin), person(replace(twin, seq=2))]) == [
            Written(1),
            Taken("p-ayu"),
            Fenced(0),
        ]
        await store.close()

    async def test_a_name_is_free_when_its_holder_has_another(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        renamed = replace(AYU, seq=2, name="Mio", key="mio")
        twin = replace(BEN, key="ayu")
        await store.append([person(AYU)])
        assert await store.append([person(renamed), person(twin)]) == [Written(2), Written(1)]
        assert await store.read(people.named, "ayu") == twin
        assert await store.read(people.named, "mio") == renamed
        assert await store.read(people.of_token, "t-ayu") == renamed
        await store.close()

    async def test_a_name_left_again_in_the_same_commit_is_free(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        renamed = replace(AYU, seq=2, key="mio", tokens=("t-mio",))
        twin = replace(BEN, key="ayu", tokens=("t-ayu",))
        batch = [person(AYU), person(renamed), person(twin)]
        assert await store.append(batch) == [Written(1), Written(2), Written(1)]
        assert await store.read(people.named, "ayu") == twin
        assert await store.read(people.of_token, "t-mio") == renamed
        await store.close()

    async def test_names_may_go_round_in_one_commit(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        renamed = replace(AYU, seq=2, key="mio", tokens=("t-mio",))
        twin = replace(BEN, seq=2, key="ayu", tokens=("t-ayu",))
        await store.append([person(AYU)])
        assert await store.append([person(BEN), person(renamed), person(twin)]) == [
            Written(1),
            Written(2),
            Written(2),
        ]
        assert (
            await store.read(people.named, "ayu")
            == await store.read(people.of_token, "t-ayu")
            == twin
        )
        assert await store.read(people.named, "mio") == renamed
        assert await store.read(people.named, "ben") is None
        await store.close()

    async def test_a_room_that_is_played_again_is_shown_however_old(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        played = replace(LINE, seq=2, phase="playing")
        for row, shown in ((LINE, 0), (played, 1), (replace(LINE, seq=3), 0)):
            await store.append([room(row)])
            assert (await store.read(rooms.window, Window(since=1_001))).total == shown
            assert len(await store.read(rooms.rooms_of, "p-ayu", since=1_001, limit=9)) == shown
        await store.close()

    async def test_who_has_a_name_may_keep_it(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        seen = replace(AYU, seq=2, used=9_000)
        assert await store.append([person(AYU), person(seen)]) == [Written(1), Written(2)]
        assert await store.read(people.person, "p-ayu") == seen
        assert await store.read(stored_rows.counts) == {"rooms": 0, "people": 1}
        await store.close()

    async def test_a_stale_name_passes_to_who_joins_and_its_holder_is_forgotten(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        twin = replace(BEN, key="ayu")
        await store.append([person(AYU)])
        assert await store.append([person(twin, stale_before=1_000)]) == [Taken("p-ayu")]
        assert await store.append([person(twin, stale_before=1_001)]) == [Written(1)]
        assert await store.read(people.person, "p-ayu") is None
        assert await store.read(people.of_token, "t-ayu") is None
        assert await store.read(people.named, "ayu") == twin
        assert len(await store.read(streams.load, person_stream("p-ayu"))) == 1
        assert await store.read(stored_rows.counts) == {"rooms": 0, "people": 1}
        await store.close()

    async def test_who_lost_his_name_may_come_back_with_another_in_the_same_commit(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        await store.append([person(AYU)])
        twin = replace(BEN, key="ayu")
        back = replace(AYU, seq=2, key="mio")
        assert await store.append([person(twin, stale_before=1_001), person(back)]) == [
            Written(1),
            Written(2),
        ]
        assert await store.read(people.named, "ayu") == twin
        assert await store.read(people.named, "mio") == back
        await store.close()

    async def test_a_repetition_and_a_wrong_number_are_recognised_before_a_taken_name(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        twin = replace(BEN, key="ayu")
        await store.append([person(AYU, client_id="a")])
        assert await store.append(
            [person(twin, client_id="a"), person(replace(twin, seq=3)), person(twin)]
        ) == [Duplicate(person_stream("p-ayu"), 1), Fenced(0), Taken("p-ayu")]
        await store.close()

    async def test_no_person_enters_with_anothers_token(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        thief = replace(BEN, tokens=("t-ayu",))
        batch = [person(AYU), person(thief), person(replace(BEN, key="mio"))]
        assert plain(await store.append(batch)) == [Written(1), NotSaved, Written(1)]
        assert await store.read(people.of_token, "t-ayu") == AYU
        stolen = replace(AYU, id="p-chie")  # also not together with a stale name
        assert plain(await store.append([person(stolen, stale_before=9_000)])) == [NotSaved]
        await store.close()

    async def test_a_person_is_matched_by_each_of_his_tokens_and_no_longer_by_the_rest(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        several = replace(AYU, seq=2, tokens=("t-new", "t-phone"))
        await store.append([person(AYU)])
        await store.append([person(several)])
        for _ in range(2):
            assert await store.read(people.of_token, "t-new") == several
            assert await store.read(people.of_token, "t-phone") == several
            assert await store.read(people.of_token, "t-ayu") is None
            await store.close()
            store = store_disk()
        assert await store.append([person(replace(BEN, tokens=("t-ayu",)))]) == [Written(1)]
        await store.close()

    async def test_a_stored_name_is_never_stale(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        stored = replace(AYU, kept=True, body=b"more")
        twin = replace(BEN, key="ayu")
        await store.append([person(stored)])
        assert await store.append([person(twin, stale_before=9_000)]) == [Taken("p-ayu")]
        await store.close()
        store = store_disk()
        assert await store.append([person(twin, stale_before=9_000)]) == [Taken("p-ayu")]
        assert await store.read(people.named, "ayu") == stored
        await store.close()

    async def test_an_empty_key_or_token_is_nobodys(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        bots = [replace(AYU, id=f"p-bot{number}", key="", tokens=()) for number in range(3)]
        assert await store.append([person(bot) for bot in bots]) == [Written(1)] * 3
        assert await store.read(people.person, "p-bot2") == bots[2]
        assert await store.read(people.named, "") is None
        assert await store.read(people.of_token, "") is None
        await store.close()

    # Trouble.

    async def test_what_is_not_written_changes_no_row(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        await store.append([room(LINE), person(AYU, client_id="a")])
        lie = replace(LINE, phase="over", people=(), invites=("h-9",))
        renamed = replace(AYU, seq=2, key="mio")
        await store.append([room(lie), person(renamed, client_id="a")])
        assert await store.read(rooms.room, ROOM) == LINE
        assert await store.read(rooms.of_invite, "h-9") is None
        assert await store.read(people.person, "p-ayu") == AYU
        await store.close()

    async def test_a_row_that_no_column_holds_fails_alone(self, store_disk: StoreDisk) -> None:
        store = store_disk()
        batch = [
            room(replace(LINE, game="\ud800")),
            room(replace(LINE, people=("\ud800",))),
            room(replace(LINE, at=2**63)),
            room(replace(LINE, deadline=-(2**70))),
            person(replace(BEN, name="\udfff")),
            person(replace(BEN, used=2**64)),
            room(LINE),
        ]
        assert plain(await store.append(batch)) == [NotSaved] * 6 + [Written(1)]
        await store.close()

    @pytest.mark.parametrize("point", POINTS)
    async def test_a_failed_commit_leaves_no_row(self, store_disk: StoreDisk, point: str) -> None:
        store = store_disk()
        await store.append([room(LINE), person(AYU)])
        faults.arm(point, 1, "raise")
        later = replace(LINE, seq=2, phase="over", people=("p-chie",), invites=("h-9",))
        batch = [
            room(later),
            person(BEN),
            person(replace(BEN, id="p-dan", tokens=("t-dan",))),  # taken by what is not there
            person(replace(BEN, id="p-emi", key="ayu", tokens=("t-emi",))),
            person(replace(AYU, seq=2, key="mio")),
        ]
        assert plain(await store.append(batch)) == [
            NotSaved,
            NotSaved,
            NotSaved,
            Taken("p-ayu"),
            NotSaved,
        ]
        assert faults.waiting() == ()
        assert await store.read(rooms.room, ROOM) == LINE
        assert await store.read(rooms.of_invite, "h-9") is None
        assert await store.read(rooms.rooms_of, "p-chie", since=0, limit=9) == []
        assert await store.read(people.person, "p-ben") is None
        assert await store.read(people.person, "p-ayu") == AYU
        assert await store.read(stored_rows.counts) == {"rooms": 1, "people": 1, "listed.open": 1}
        assert await store.append(batch[:2]) == [Written(2), Written(1)]
        assert await store.read(rooms.room, ROOM) == later
        await store.close()

    async def test_rows_of_a_commit_that_fails_after_the_sync_are_there(
        self, store_disk: StoreDisk
    ) -> None:
        store = store_disk()
        faults.arm("store.after_commit", 1, "raise")
        twin = replace(BEN, key="ayu")
        assert await store.append([room(LINE), person(AYU), person(twin)]) == [
            Written(1),
            Written(1),
            Taken("p-ayu"),
        ]
        assert await store.read(rooms.room, ROOM) == LINE
        assert await store.read(people.named, "ayu") == AYU
        await store.close()
