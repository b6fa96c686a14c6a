"""The content of a disk in memory; it does not know which writer writes when."""

from collections import Counter
from collections.abc import Iterable, Mapping

from bluebear.server.store.judge import Judged
from bluebear.server.store.types import (
    RESTING,
    Outgoing,
    Page,
    PersonRow,
    Place,
    RatingKey,
    RatingRow,
    Snapshot,
    StreamId,
    Summary,
    Window,
)

_SNAPSHOTS_STORED = 2


class MemoryDisk:
    """The entries and rows of one store; a `Known` for the judge. Shared by those who write it.

    Entries are packed, so that what comes back is what a file would give.
    """

    def __init__(self) -> None:
        self.bodies: dict[StreamId, list[bytes]] = {}
        self.rooms: dict[StreamId, Summary] = {}
        self.people: dict[str, PersonRow] = {}
        self.going: dict[str, Outgoing] = {}
        self.senders: dict[str, str] = {}
        """Which node sends what goes out, by its id."""
        self.ratings: dict[RatingKey, RatingRow] = {}
        self.snapshots: dict[StreamId, list[Snapshot]] = {}
        self._client_ids: dict[tuple[str, str], Place] = {}
        self._keys: dict[str, str] = {}
        self._tokens: dict[str, str] = {}

    def head(self, stream: StreamId) -> int:
        """See `Known.head`."""
        return len(self.bodies.get(stream, ()))

    def place(self, actor: str, client_id: str) -> Place | None:
        """See `Known.place`."""
        return self._client_ids.get((actor, client_id))

    def holder_of_key(self, key: str) -> PersonRow | None:
        """See `Known.holder_of_key`."""
        return self.people.get(self._keys.get(key, ""))

    def holder_of_token(self, token: str) -> PersonRow | None:
        """See `Known.holder_of_token`."""
        return self.people.get(self._tokens.get(token, ""))

    def rating_seq(self, key: RatingKey) -> int:
        """See `Known.rating_seq`."""
        result = self.ratings.get(key)
        return 0 if result is None else result.seq

    def store(self, judged: Judged) -> None:
        """Keep what was judged fresh."""
        for append, body in judged.fresh:
            entry = append.entry
            self.bodies.setdefault(entry.stream, []).append(body)
            if entry.client_id:
                self._client_ids[entry.actor, entry.client_id] = (entry.stream, entry.seq)
            for each in append.outgoing:
                self.send_later(each)
        self.rooms |= judged.rooms
        self.ratings |= judged.ratings
        for person in judged.people:
            self._put(person, None)
        for person, row in judged.people.items():
            self._put(person, row)

    def send_later(self, outgoing: Outgoing) -> None:
        """Put it into the outbox, in place of one with its id; no node sends it yet."""
        self.going[outgoing.id] = outgoing
        self.senders.pop(outgoing.id, None)

    def take_out(self, one: str) -> None:
        """It is in the outbox no more."""
        self.going.pop(one, None)
        self.senders.pop(one, None)

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot beside the newest other one."""
        stored = {old.seq: old for old in self.snapshots.get(snapshot.stream, ())}
        stored[snapshot.seq] = snapshot
        newest = [stored[seq] for seq in sorted(stored)]
        self.snapshots[snapshot.stream] = newest[-_SNAPSHOTS_STORED:]

    def rooms_of(self, person: str, since: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        matching = (row for row in self.rooms.values() if person in row.people)
        return _newest_first(row for row in matching if _is_open(row, since))

    def window(self, window: Window) -> Page:
        """See `Store.window`."""
        rows = _newest_first(row for row in self.rooms.values() if _shows(window, row))
        first = window.page * window.size
        return Page(tuple(rows[first : first + window.size]), len(rows))

    def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        counted = Counter(f"listed.{row.phase}" for row in self.rooms.values() if row.listed)
        return {"rooms": len(self.rooms), "people": len(self.people), **counted}

    def due(self, now: int) -> list[StreamId]:
        """All rooms whose deadline is not after `now`, soonest first."""
        waiting = sorted(
            (row.deadline, row.stream)
            for row in self.rooms.values()
            if row.deadline is not None and row.deadline <= now
        )
        return [stream for _, stream in waiting]

    def outbox(self, now: int) -> list[Outgoing]:
        """All that is to be sent by now, soonest first."""
        waiting = sorted((each.due, each.id) for each in self.going.values())
        return [self.going[one] for due, one in waiting if due <= now]

    def _put(self, person: str, row: PersonRow | None) -> None:
        before = self.people.pop(person, None)
        if before is not None:
            self._keys.pop(before.key, None)
            for token in before.tokens:
                self._tokens.pop(token, None)
        if row is not None:
            self.people[person] = row
            if row.key:
                self._keys[row.key] = person
            self._tokens.update(dict.fromkeys(row.tokens, person))


def _is_open(row: Summary, since: int) -> bool:
    return row.phase not in RESTING or row.at >= since


def _shows(window: Window, row: Summary) -> bool:
    return (
        row.listed
        and window.game in ("", row.game)
        and (not window.phases or row.phase in window.phases)
        and (row.free > 0 or not window.free)
        and _is_open(row, window.since)
    )


def _newest_first(rows: Iterable[Summary]) -> list[Summary]:
    return sorted(rows, key=lambda row: (-row.at, row.stream))
