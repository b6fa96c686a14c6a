"""The log's tail in memory: the newest entries of each stream, until they lie in segments.

The log table has no index of its own, because keeping one by stream would cost a page per entry
(docs/notes/2026-11-performance.md). It is read when a file is opened;
after that the tail has it in memory.
"""

from dataclasses import dataclass, field

from bluebear.server.store.types import Place, StreamId


@dataclass(slots=True)
class Run:
    """One stream's consecutive entries that lie in the log; owned by a `Tail`.

    `bodies[i]` is entry `first + i`, packed. `row` is the log's row that holds the first of them.
    """

    row: int
    first: int
    head: int
    """The newest entry's number."""
    bodies: list[bytes] = field(default_factory=list)
    said: list[tuple[str, str, int]] = field(default_factory=list)


class Tail:
    """What lies in the log and in no segment yet; owned by one journal.

    A stream leaves the tail with its whole run, so `runs` is always ordered by the runs' first
    rows: the first run holds the oldest row that is still needed. A row is numbered by how many
    entries the log has had when its first one came, so rows also count entries.
    """

    def __init__(self, first_row: int = 1) -> None:
        self.runs: dict[StreamId, Run] = {}
        self.said: dict[tuple[str, str], Place] = {}
        self.first_row = first_row
        """The oldest row in the file, also if all its entries have been moved away since."""
        self.next_row = first_row
        """The row that the next commit writes."""

    def add(self, row: int, place: Place, said: tuple[str, str], body: bytes) -> None:
        """Take note of an entry stored in this row; it follows its stream's newest one.

        `said` is its actor and client id.
        """
        stream, seq = place
        run = self.runs.get(stream)
        if run is None:
            run = self.runs[stream] = Run(row, seq, seq)
        run.head = seq
        run.bodies.append(body)
        if said[1]:
            run.said.append((*said, seq))
            self.said[said] = place

    def oldest(self, at_least: int) -> list[StreamId]:
        """The streams with the oldest rows, so many that they have `at_least` entries."""
        streams: list[StreamId] = []
        entries = 0
        for stream, run in self.runs.items():
            if entries >= at_least:
                break
            streams.append(stream)
            entries += len(run.bodies)
        return streams

    def first_needed(self, moving: list[StreamId]) -> int:
        """The oldest row that is still needed when these streams have been moved away."""
        gone = frozenset(moving)
        needed = (run.row for stream, run in self.runs.items() if stream not in gone)
        return next(needed, self.next_row)

    def forget(self, moved: list[StreamId]) -> None:
        """Take note that these streams lie in segments now and that the log has been trimmed."""
        self.first_row = self.first_needed(moved)
        for stream in moved:
            for actor, client_id, _ in self.runs.pop(stream).said:
                del self.said[actor, client_id]
