"""The directory: room lines in the summaries and back, invites, what the lobby shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.patch import apply
from server.commands.scene import RoomLine
from server.directory import Directory, LobbyFeed, line_of, needs_summary, room_line, summary_of
from server.journal import StreamId
from server.room.reducer import fold
from tests.server.scene import GAMES, Stage

LINE = RoomLine(
    id=StreamId("123456"),
    game="journey",
    phase="open",
    listed=True,
    private=False,
    locked=False,
    names=("Ayu",),
    persons=("pAyu",),
    turn=(),
    free=2,
    host_person="pAyu",
    admitted=frozenset({"pAyu"}),
    banned=frozenset(),
    invites=frozenset({"hash"}),
    watch="all",
    at=7,
)


class Counting:
    """A directory, and how often the lobby has changed."""

    def __init__(self) -> None:
        self.changes = 0
        self.directory = Directory(self._changed)

    def _changed(self) -> None:
        self.changes += 1


def test_a_summary_is_a_line_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Eva"], options=["watch invited"])
    stage.play("Ayu", "/invite", "/ban Eva")
    line = room_line(stage.room, GAMES)
    assert line_of(summary_of(stage.room, line)) == line


def test_the_journals_summary_is_the_rooms(stage: Stage) -> None:
    """Whatever changes what a summary tells is committed with a summary."""
    stage.game("journey", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/password sesame", "/invite", "/go mill", "hello", "/ban Eva", "/resign")
    [summary] = stage.run(stage.journal.summaries())
    stored, live = line_of(summary), room_line(stage.room, GAMES)
    assert replace(stored, at=live.at, turn=live.turn) == live


def test_a_move_needs_no_summary(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    old = stage.room
    stage.play("Ayu", "/go mill")
    assert not needs_summary(old, stage.room)


@pytest.mark.parametrize("line", ["/invite", "/option days 2", "/leave", "/start", "/host Ben"])
def test_what_a_summary_tells_needs_one(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    old = stage.room
    stage.play("Ayu", line)
    assert needs_summary(old, stage.room)


def test_a_deadline_is_in_the_summary(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", options=["clock 60+0"])
    [summary] = stage.run(stage.journal.summaries())
    assert summary.deadline == stage.now + 60_000


def test_a_new_room_has_a_summary() -> None:
    with Stage() as stage:
        stage.table("journey", "Ayu")
        first = fold(None, stage.entries()[0], GAMES).room
        assert needs_summary(None, first)


# The directory.


def test_an_invite_leads_to_its_room() -> None:
    directory = Counting().directory
    directory.put(LINE)
    assert directory.of_invite("hash") == LINE
    assert directory.of_invite("other") is None


def test_an_invite_that_was_spent_leads_nowhere() -> None:
    directory = Counting().directory
    directory.put(LINE)
    directory.put(replace(LINE, invites=frozenset()))
    assert directory.of_invite("hash") is None


def test_the_invites_of_a_closed_room_lead_nowhere() -> None:
    directory = Counting().directory
    directory.put(LINE)
    directory.drop(LINE.id)
    assert directory.get(LINE.id) is None
    assert directory.of_invite("hash") is None


def test_the_newest_room_comes_first() -> None:
    directory = Counting().directory
    for number, at in (("1", 5), ("2", 9), ("3", 7)):
        directory.put(replace(LINE, id=StreamId(number), at=at, invites=frozenset()))
    assert [line.id for line in directory] == ["2", "3", "1"]


def test_the_lobby_changes_with_listed_rooms_only() -> None:
    counting = Counting()
    counting.directory.put(replace(LINE, listed=False))
    assert counting.changes == 0
    counting.directory.put(LINE)
    counting.directory.put(replace(LINE, listed=False))
    assert counting.changes == 2


def test_the_lobby_shows_listed_rooms_only() -> None:
    directory = Counting().directory
    directory.put(LINE)
    directory.put(replace(LINE, id=StreamId("2"), listed=False, invites=frozenset()))
    assert directory.tree() == {
        "rooms": {
            "123456": {
                "game": "journey",
                "phase": "open",
                "seats": ["Ayu"],
                "free": 2,
                "locked": False,
            }
        }
    }


def test_the_feed_counts_what_changed() -> None:
    feed, directory = LobbyFeed(), Counting().directory
    assert feed.step(directory.tree()) is None
    before = feed.sent
    directory.put(LINE)
    patch = feed.step(directory.tree())
    assert patch is not None
    assert apply(patch, before) == directory.tree()
    assert feed.version == 1
