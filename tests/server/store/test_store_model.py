"""Any story of batches, failures and restarts, told to every store and to an obvious model.

The model keeps plain dicts and answers by walking over all of them, one entry after the other.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.server.store import (
    Answer,
    Append,
    Duplicate,
    Entry,
    EntryKey,
    Fenced,
    NotSaved,
    PersonRow,
    SqliteStore,
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
from bluebear.server.store.postgres import PostgresStore
from tests.server.store.conftest import empty
from tests.server.store.store_contract import plain
from tests.support import faults, stored_rows
from tests.support.simulated_store import SimulatedStore

PEOPLE: Final = tuple(f"p{number}" for number in range(3))
KEYS: Final = ("", "ayu", "ben", "chie")
TOKENS: Final = ("t1", "t2", "t3", "t4")
ROOMS: Final = tuple(StreamId(f"r{number}") for number in range(3))
HASHES: Final = ("h1", "h2", "h3")
GAMES: Final = ("itc", "tokai")
PHASES: Final = ("open", "playing", "paused", "over", "frozen")
TIMES: Final = st.integers(0, 9)


@dataclass(frozen=True)
class PlannedEntry:
    """An entry to write: its rows get their number when it is appended."""

    row: Summary | PersonRow
    stale_before: int
    client_id: str
    skip: int
    """How far its number is off."""


@dataclass(frozen=True)
class Commit:
    """Entries of one commit, which fails at a point or at none."""

    planned_entries: Sequence[PlannedEntry]
    fails: str


@dataclass(frozen=True)
class Touch:
    """A person is in these rooms."""

    rooms: Sequence[StreamId]
    at: int


@dataclass(frozen=True)
class Restart:
    """The server is started again."""


Step: TypeAlias = Commit | Touch | Restart

PERSON_ROWS: Final = st.builds(
    PersonRow,
    id=st.sampled_from(PEOPLE),
    seq=st.just(0),
    name=st.just("Name"),
    key=st.sampled_from(KEYS),
    human=st.booleans(),
    tokens=st.lists(st.sampled_from(TOKENS), max_size=2, unique=True).map(tuple),
    used=TIMES,
    kept=st.booleans(),
    body=st.binary(max_size=3),
)
ROOM_ROWS: Final = st.builds(
    Summary,
    stream=st.sampled_from(ROOMS),
    seq=st.just(0),
    body=st.binary(max_size=3),
    deadline=st.none() | TIMES,
    listed=st.booleans(),
    game=st.sampled_from(GAMES),
    phase=st.sampled_from(PHASES),
    free=st.integers(0, 1),
    at=TIMES,
    people=st.lists(st.sampled_from(PEOPLE), max_size=3).map(tuple),
    invites=st.lists(st.sampled_from(HASHES), max_size=2, unique=True).map(tuple),
)
planned_entries: Final = st.builds(
    PlannedEntry,
    row=PERSON_ROWS | ROOM_ROWS,
    stale_before=st.sampled_from((0, 0, 5, 9)),
    client_id=st.sampled_from(("", "", "", "a", "b")),
    skip=st.sampled_from((0,) * 9 + (1,)),
)
points: Final = st.sampled_from(
    ("",) * 6 + ("store.before_insert", "store.before_commit", "store.after_commit")
)
steps: Final = st.one_of(
    st.builds(Commit, st.lists(planned_entries, min_size=1, max_size=6), points),
    st.builds(Touch, st.lists(st.sampled_from(ROOMS), max_size=3), TIMES),
    st.just(Restart()),
)
windows: Final = st.builds(
    Window,
    game=st.sampled_from(("", "", *GAMES, "none")),
    running=st.booleans(),
    free=st.booleans(),
    since=TIMES,
    page=st.integers(0, 3),
    size=st.integers(0, 4),
)


@dataclass
class Model:
    """All that is stored, as dicts."""

    heads: dict[StreamId, int] = field(default_factory=dict)
    client_ids: dict[str, EntryKey] = field(default_factory=dict)
    rooms: dict[StreamId, Summary] = field(default_factory=dict)
    people: dict[str, PersonRow] = field(default_factory=dict)

    def copy(self) -> "Model":
        return Model(dict(self.heads), dict(self.client_ids), dict(self.rooms), dict(self.people))

    def store_entry(self, append: Append) -> Answer:
        """Store one entry, if it may be."""
        entry = append.entry
        if entry.client_id in self.client_ids:
            return Duplicate(*self.client_ids[entry.client_id])
        if entry.seq != self.heads.get(entry.stream, 0) + 1:
            return Fenced(self.heads.get(entry.stream, 0))
        claim = append.person
        if claim is not None:
            rest = [row for row in self.people.values() if row.id != claim.id]
            holders = [row for row in rest if row.key == claim.key != ""]
            for row in holders:
                if row.kept or row.used >= append.stale_before:
                    return Taken(row.id)
            if any(set(row.tokens) & set(claim.tokens) for row in rest):
                return NotSaved("")
            rest = [row for row in rest if row not in holders]
            self.people = {row.id: row for row in [*rest, claim]}
        if append.summary is not None:
            self.rooms[entry.stream] = append.summary
        self.heads[entry.stream] = entry.seq
        if entry.client_id:
            self.client_ids[entry.client_id] = (entry.stream, entry.seq)
        return Written(entry.seq)

    def settled(self, append: Append, answer: Answer) -> Answer:
        """What is said of an entry of a failed commit: what this, which is stored, bears out."""
        entry = append.entry
        head = self.heads.get(entry.stream, 0)
        match answer:
            case Written(seq) if seq <= head:
                return answer
            case Duplicate(stream, seq) if seq <= self.heads.get(stream, 0):
                return answer
            case Fenced() if entry.seq != head + 1:
                return Fenced(head)
            case Taken():
                again = self.copy()
                again.heads[entry.stream] = entry.seq - 1
                again.client_ids.clear()
                reply = again.store_entry(append)
                return reply if isinstance(reply, Taken) else NotSaved("")
            case _:
                return NotSaved("")

    def shown(self, window: Window) -> list[Summary]:
        """All rooms of a window, on whatever page."""
        return self.newest(
            row
            for row in self.open(window.since)
            if row.listed
            and (not window.game or row.game == window.game)
            and (not window.running or row.phase in ("playing", "paused"))
            and (not window.free or row.free)
        )

    def open(self, since: int) -> list[Summary]:
        return [
            row
            for row in self.rooms.values()
            if row.phase in ("playing", "paused") or row.at >= since
        ]

    @staticmethod
    def newest(summaries: Iterable[Summary]) -> list[Summary]:
        return sorted(sorted(summaries, key=lambda row: row.stream), key=lambda row: -row.at)


def batch_of(commit: Commit, model: Model) -> list[Append]:
    """The wishes as entries, each numbered behind those that come before it."""
    made = []
    planned = dict(model.heads)
    for plan in commit.planned_entries:
        row = plan.row
        stream = row.stream if isinstance(row, Summary) else person_stream(row.id)
        seq = planned.get(stream, 0) + 1 + plan.skip
        entry = Entry(stream, seq, "p:x", plan.client_id, ("/x",), {}, 0)
        if isinstance(row, Summary):
            made.append(Append(entry, replace(row, seq=seq)))
        else:
            made.append(Append(entry, None, replace(row, seq=seq), plan.stale_before))
        # What is refused leaves a gap behind: those who come after it are fenced.
        planned[stream] = seq
    return made


async def tell(store: Store, model: Model, commit: Commit) -> Model:
    """Tell store and model of a commit; what is stored then."""
    batch = batch_of(commit, model)
    after = model.copy()
    expected = [after.store_entry(append) for append in batch]
    reached = any(isinstance(answer, Written) for answer in expected)
    if commit.fails and reached:
        faults.arm(commit.fails, 1, "raise")
    got = plain(await store.append(batch))
    if not (commit.fails and reached):
        assert got == plain(expected)
        return after
    assert faults.waiting() == ()
    stored = after if commit.fails == "store.after_commit" else model
    settled = [
        stored.settled(append, answer) for append, answer in zip(batch, expected, strict=True)
    ]
    assert got == plain(settled)
    return stored


async def agree(store: Store, model: Model) -> None:
    """Whatever is looked for is what the model has."""
    stored = await store.read(stored_rows.all_rooms)
    assert stored == [model.rooms[one] for one in sorted(model.rooms)]
    for stream in ROOMS:
        assert await store.read(rooms.room, stream) == model.rooms.get(stream)
        assert len(await store.read(streams.load, stream)) == model.heads.get(stream, 0)
    for hashed in HASHES:
        leading = [row.stream for row in model.rooms.values() if hashed in row.invites]
        result = await store.read(rooms.of_invite, hashed)
        assert result == (model.rooms[min(leading)] if leading else None)
    for one in PEOPLE:
        assert await store.read(people.person, one) == model.people.get(one)
        assert len(await store.read(streams.load, person_stream(one))) == model.heads.get(
            person_stream(one), 0
        )
        owned_items = model.newest(row for row in model.open(4) if one in row.people)
        assert await store.read(rooms.rooms_of, one, since=4, limit=2) == owned_items[:2]
        assert await store.read(rooms.rooms_of, one, since=4, limit=9) == owned_items
    registered = list(model.people.values())
    for key in KEYS:
        named = [row for row in registered if row.key == key != ""]
        assert await store.read(people.named, key) == (named[0] if named else None)
    for token in TOKENS:
        bearing = [row for row in registered if token in row.tokens]
        assert await store.read(people.of_token, token) == (bearing[0] if bearing else None)
    sums = Counter(f"listed.{row.phase}" for row in model.rooms.values() if row.listed)
    sums |= Counter({"rooms": len(model.rooms), "people": len(registered)})
    assert +Counter(await store.read(stored_rows.counts)) == sums
    waiting = [
        (row.deadline, row.stream) for row in model.rooms.values() if row.deadline is not None
    ]
    due = [stream for deadline, stream in sorted(waiting) if deadline <= 5]
    assert await store.read(rooms.due, 5, 9) == due
    assert await store.read(rooms.due, 5, 1) == due[:1]


async def live(
    store: Store, again: Callable[[], Store], story: Sequence[Step], looks: Sequence[Window]
) -> None:
    model = Model()
    for step in story:
        match step:
            case Commit():
                model = await tell(store, model, step)
            case Touch(streams, at):
                await store.write(rooms.touch, streams, at)
                for stream in streams:
                    if stream in model.rooms and model.rooms[stream].at < at:
                        model.rooms[stream] = replace(model.rooms[stream], at=at)
            case Restart():
                await store.close()
                store = again()
        await agree(store, model)
    for window in looks:
        page = await store.read(rooms.window, window)
        shown = model.shown(window)
        first = window.page * window.size
        assert page.total == len(shown)
        assert list(page.rows) == shown[first : first + window.size]
    await store.close()


stories: Final = given(
    st.lists(steps, min_size=6, max_size=16), st.lists(windows, min_size=4, max_size=12)
)


@settings(max_examples=150)
@stories
def test_the_store_in_memory_agrees_with_the_model(
    story: Sequence[Step], looks: Sequence[Window]
) -> None:
    faults.disarm()
    store = SimulatedStore()
    asyncio.run(live(store, lambda: store, story, looks))


@settings(max_examples=60)
@stories
def test_the_store_in_a_file_agrees_with_the_model(
    story: Sequence[Step], looks: Sequence[Window]
) -> None:
    faults.disarm()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"

        def opened() -> Store:
            return SqliteStore(path)

        asyncio.run(live(opened(), opened, story, looks))


@settings(max_examples=10, deadline=None)
@stories
def test_the_store_in_postgresql_agrees_with_the_model(
    server: str, story: Sequence[Step], looks: Sequence[Window]
) -> None:
    faults.disarm()

    def opened() -> Store:
        return PostgresStore(server)

    async def run() -> None:
        await empty(server)
        await live(opened(), opened, story, looks)

    asyncio.run(run())


row_lists: Final = st.lists(ROOM_ROWS, min_size=5, max_size=40)


@settings(max_examples=40)
@given(row_lists, st.lists(windows, min_size=10, max_size=20))
def test_a_window_is_what_a_filter_over_all_rooms_leaves(
    rows: Sequence[Summary], looks: Sequence[Window]
) -> None:
    """Many more rooms than a story has, in both stores."""
    named = [replace(row, stream=StreamId(f"r{number}"), seq=1) for number, row in enumerate(rows)]
    batch = [Append(Entry(row.stream, 1, "p:x", "", ("/x",), {}, 0), row) for row in named]
    model = Model(rooms={row.stream: row for row in named})

    async def look(store: Store) -> None:
        assert set(await store.append(batch)) == {Written(1)}
        for window in looks:
            shown = model.shown(window)
            first = window.page * window.size
            page = await store.read(rooms.window, window)
            assert page.total == len(shown)
            assert list(page.rows) == shown[first : first + window.size]
        await store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(look(SqliteStore(Path(folder) / "journal.db")))
    asyncio.run(look(SimulatedStore()))
