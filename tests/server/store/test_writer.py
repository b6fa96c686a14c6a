"""The group writer: who goes into which commit, and in what order answers come."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from bluebear.server.store import (
    Answer,
    Append,
    Fenced,
    GroupWriter,
    NotSaved,
    StreamId,
    Written,
    streams,
)
from tests.server.store.contract import ROOM, line
from tests.support.simulated_store import SimulatedStore


class Gated(SimulatedStore):
    """Holds every commit until the test lets it through; notes what happens when."""

    def __init__(self, story: list[str]) -> None:
        super().__init__()
        self._story = story
        self._gates: list[asyncio.Future[None]] = []

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        self._story.append("commit " + " ".join(one.entry.stream for one in batch))
        gate = asyncio.get_running_loop().create_future()
        self._gates.append(gate)
        await gate
        return await super().append(batch)

    async def let_through(self) -> None:
        """Let the oldest commit through, and the loop go on until nothing moves."""
        self._gates.pop(0).set_result(None)
        await settled()


async def settled() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


def recorder(story: list[str], name: str) -> Callable[[Answer], None]:
    return lambda answer: story.append(f"{name}: {type(answer).__name__}")


def first_of(name: str) -> Append:
    return line(1, stream=StreamId(name))


async def test_what_is_submitted_in_one_turn_is_one_commit() -> None:
    story: list[str] = []
    journal = Gated(story)
    writer = GroupWriter(journal)
    for name in ("a", "b", "c"):
        writer.submit(first_of(name), recorder(story, name))
    await settled()
    assert story == ["commit a b c"]
    await journal.let_through()
    assert story[1:] == ["a: Written", "b: Written", "c: Written"]
    await writer.close()


async def test_what_arrives_while_a_commit_runs_enters_the_next() -> None:
    story: list[str] = []
    journal = Gated(story)
    writer = GroupWriter(journal)
    for name in ("a", "b", "c"):
        writer.submit(first_of(name), recorder(story, name))
        await settled()
    await journal.let_through()
    await journal.let_through()
    assert story == [
        "commit a",
        "commit b c",  # before any client is notified of the last one
        "a: Written",
        "b: Written",
        "c: Written",
    ]
    await writer.close()


async def test_an_answer_may_submit_the_next_entry() -> None:
    answers: list[Answer] = []
    writer = GroupWriter(SimulatedStore())

    def again(answer: Answer) -> None:
        answers.append(answer)
        if len(answers) < 4:
            writer.submit(line(len(answers) + 1), again)

    writer.submit(line(1), again)
    await writer.drain()
    assert answers == [Written(1), Written(2), Written(3), Written(4)]
    await writer.close()


async def test_every_entry_gets_its_answer() -> None:
    answers: list[Answer] = []
    writer = GroupWriter(SimulatedStore())
    for append in (line(1), line(5), line(2)):
        writer.submit(append, answers.append)
    await writer.drain()
    assert answers == [Written(1), Fenced(1), Written(2)]
    await writer.close()


async def test_a_disk_that_fails_is_an_answer_and_the_next_commit_is_attempted() -> None:
    story: list[str] = []
    journal = SimulatedStore()
    journal.fail_next(1)
    writer = GroupWriter(journal)
    for _ in range(2):
        writer.submit(line(1), recorder(story, "room"))
        await writer.drain()
    assert story == ["room: NotSaved", "room: Written"]
    await writer.close()


async def test_it_says_that_the_disk_fails_until_it_is_back() -> None:
    journal = SimulatedStore()
    journal.fail_next(1)
    writer = GroupWriter(journal)
    failing = []
    for _ in range(2):
        writer.submit(line(1), lambda answer: None)
        await writer.drain()
        failing.append(writer.failing)
    assert failing == [True, False]
    await writer.close()


@pytest.mark.expects_log("a bug is logged")
async def test_a_room_with_a_bug_does_not_keep_the_rest_from_their_answers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    story: list[str] = []
    writer = GroupWriter(SimulatedStore())

    def buggy(answer: Answer) -> None:
        raise LookupError(str(answer))

    writer.submit(first_of("a"), buggy)
    writer.submit(first_of("b"), recorder(story, "b"))
    await writer.drain()
    assert story == ["b: Written"]
    assert [each.exc_info[0] for each in caplog.records if each.exc_info] == [LookupError]
    await writer.close()


class _Broken(SimulatedStore):
    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        raise LookupError("a bug")


@pytest.mark.expects_log("a bug is logged")
async def test_a_journal_with_a_bug_answers_that_it_does_not_know(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answers: list[Answer] = []
    writer = GroupWriter(_Broken())
    writer.submit(line(1), answers.append)
    await writer.drain()
    [answer] = answers
    assert isinstance(answer, NotSaved)
    assert not answer.certain
    assert [each.exc_info[0] for each in caplog.records if each.exc_info] == [LookupError]
    await writer.close()


async def test_closing_waits_for_the_answers_and_takes_nothing_more() -> None:
    story: list[str] = []
    journal = SimulatedStore()
    writer = GroupWriter(journal)
    writer.submit(line(1), recorder(story, "room"))
    await writer.close()
    assert story == ["room: Written"]
    with pytest.raises(RuntimeError, match="closed"):
        writer.submit(line(2), recorder(story, "room"))
    assert len(await journal.read(streams.load, ROOM)) == 1


async def test_commits_and_entries_are_counted() -> None:
    story: list[str] = []
    writer = GroupWriter(SimulatedStore())
    assert writer.commits == 0
    for name in ("a", "b", "c"):
        writer.submit(first_of(name), recorder(story, name))
    await writer.drain()
    writer.submit(first_of("d"), recorder(story, "d"))
    await writer.drain()
    assert (writer.commits, writer.entries) == (2, 4)
    assert writer.commit_times.seconds >= 0
    await writer.close()
