"""The lines that wait in a room while one is on its way to the disk."""

from __future__ import annotations

from collections import Counter, deque

from bluebear.server.engine.job import Job
from bluebear.server.limits import ROOM_QUEUE, ROOM_QUEUE_PER_PERSON


class Queue:
    """In order, and bounded for each person and for the room; owned by a live room.

    Acts of the clock and the server are not counted: there are few, and none may be lost.
    """

    def __init__(self) -> None:
        self.jobs: deque[Job] = deque()
        """The lines that wait, the oldest first."""
        self._waiting: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.jobs)

    def put(self, job: Job) -> bool:
        """Let a line wait; False if too many do."""
        if job.client is not None:
            actor = job.actor.text
            if len(self.jobs) >= ROOM_QUEUE or self._waiting[actor] >= ROOM_QUEUE_PER_PERSON:
                return False
            self._waiting[actor] += 1
        self.jobs.append(job)
        return True

    def pop(self) -> Job:
        """The oldest line."""
        job = self.jobs.popleft()
        if job.client is not None:
            left = self._waiting[job.actor.text] - 1
            if left > 0:
                self._waiting[job.actor.text] = left
            else:
                del self._waiting[job.actor.text]
        return job

    def take_all(self) -> list[Job]:
        """All that wait; nothing does any more."""
        jobs = list(self.jobs)
        self.jobs.clear()
        self._waiting.clear()
        return jobs

    def twin_of(self, job: Job, flying: Job | None) -> Job | None:
        """The same line, said again before it was answered: whoever repeats it gets the answer."""
        if not job.say or job.make is not None or not (flying or self.jobs):
            return None
        under_way = self.jobs if flying is None else (flying, *self.jobs)
        same = (each for each in under_way if each.say == job.say and each.actor == job.actor)
        return next((each for each in same if each.make is None), None)
