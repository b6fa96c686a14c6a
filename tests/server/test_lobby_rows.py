"""What a row of the lobby says of a room: clock, options, watchers, age; as data and as text."""

from __future__ import annotations

from typing import Any

from bluebear.server.limits import PRESENCE_SECONDS
from bluebear.server.room.snapshot import dump_room, load_room
from bluebear.server.rooms.loading import line_of, room_line, row_of
from tests.server.fixtures import GAMES, Stage
from tests.server.test_lobby import SOON, seen

LONG = SOON + PRESENCE_SECONDS * 2


def row(stage: Stage, name: str) -> Any:  # Any: a plain tree
    """The row of the room as a client in the lobby has it."""
    return seen(stage, name)["rooms"][stage.room_id]


def test_options_that_are_not_as_usual_stand_in_the_row(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", kind="public")
    stage.play("Ayu", "/option season winter", "/option clock 300+10")
    stage.wait(SOON)
    assert row(stage, "Eva")["options"] == {"season": "winter"}
    assert row(stage, "Eva")["clock"] == "300+10"
    stage.play("Ayu", "/option season summer", "/option clock off")
    stage.wait(SOON)
    assert (row(stage, "Eva")["options"], row(stage, "Eva")["clock"]) == ({}, "")


def test_who_looks_on_is_counted_as_he_joins_and_leaves(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", "Ben", kind="public")
    stage.wait(LONG)
    assert row(stage, "Eva")["watchers"] == 0, "who sits does not watch"
    stage.come("Wen")
    stage.enter("Wen")
    stage.wait(LONG)
    assert row(stage, "Eva")["watchers"] == 1
    stage.drop("Wen")
    stage.wait(LONG)
    assert row(stage, "Eva")["watchers"] == 0


def test_the_list_as_text_says_it_too(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", kind="public")
    stage.play("Ayu", "/option season winter", "/option clock 2d")
    stage.come("Wen")
    stage.enter("Wen")
    stage.wait(3_700)
    reply = stage.say("Eva", "/listroom", lobby=True)["Eva"]
    assert "clock=2d, season=winter, 1 watching, made 1 h 1 min ago" in " ".join(
        " ".join(reply).split()
    )
    stage.say("Eva", "/lang ja", lobby=True)
    reply = stage.say("Eva", "/部屋一覧", lobby=True)["Eva"]
    assert "時計=2日、季節=冬、観戦1人、1時間1分前に作成" in "".join("".join(reply).split())


def test_when_a_room_was_made_is_in_its_snapshot(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "/go mill")
    made = stage.entries()[0].at
    assert stage.room.made == made
    assert load_room(dump_room(stage.room, GAMES), GAMES) == stage.room


def test_a_row_says_what_is_unusual_and_not_who_looks_on(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.play("Ayu", "/option season winter")
    line = room_line(stage.room, GAMES, watchers=3)
    new = row_of(line, 1, None)
    assert line_of(new).options == (("season", "winter"),)
    assert line_of(new).watchers == 0, "who looks on is not kept"
