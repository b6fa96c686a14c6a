"""Queries of the page: the interpretation of a line, a person's rooms, the log with its events."""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.protocol import Answer, Ask, Error, Hello, Room
from bluebear.protocol.messages import QueryKind, Want
from bluebear.rules.core.text_layout import columns
from bluebear.server.rooms.loading import about_room, room_line
from tests.server.fixtures import GAMES, Stage


def ask(stage: Stage, name: str, what: QueryKind, **args: str | int) -> Any:  # Any: a plain tree
    """The body of the answer, or the code of the refusal."""
    listener = stage.people[name]
    question = Ask(id="q", room=listener.room, what=what, args=args)
    stage.frame(name, listener.codec.encode(question))
    last = listener.messages[-1]
    return last.body if isinstance(last, Answer) else last.code if isinstance(last, Error) else None


def test_a_query_is_answered_with_what_the_line_would_be_reported(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    reply = ask(stage, "Ayu", "query", text="/board")
    assert reply["code"] == "board"
    assert reply["text"]
    assert stage.live.room.version == stage.people["Ayu"].version


def test_a_board_is_requested_in_the_size_of_a_window(stage: Stage) -> None:
    stage.game("manhattan", "Ayu", "Ben")
    for lines, shown in ((18, 18), (8, 8), (-1, 4), (2**40, 22)):
        reply = ask(stage, "Ayu", "query", text="/board short", lines=lines)
        assert len(reply["text"].splitlines()) <= shown
    narrow = ask(stage, "Ayu", "query", text="/board", width=60)["text"]
    assert max(map(columns, narrow.splitlines())) <= 60


def test_boards_are_made_for_the_screen_of_who_looks(stage: Stage) -> None:
    stage.game("manhattan", "Ayu", "Ben")
    wants = frozenset[Want]({"ascii", "linear"})
    watching = stage.dial("Emi")
    stage.frame("Emi", watching.codec.encode(Hello(name="Emi", langs=("en",), wants=wants)))
    stage.enter("Emi")
    assert "+-----+" in ask(stage, "Emi", "query", text="/board short")["text"]
    assert "+-----+" not in ask(stage, "Emi", "query", text="/board")["text"]
    assert "┌─────┬" in ask(stage, "Ayu", "query", text="/board")["text"]


def test_a_sign_of_life_is_given_in_a_room_and_in_the_lobby_at_once(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.come("Emi")
    before = stage.live.room.version
    for name in ("Ayu", "Emi"):
        received = len(stage.people[name].messages)
        assert ask(stage, name, "ping") == {}
        assert len(stage.people[name].messages) == received + 1
    assert stage.live.room.version == before


@pytest.mark.parametrize("line", ["/dig", "hello", "/lobby", "/nick Emi"])
def test_a_line_that_does_more_than_look_is_no_query(stage: Stage, line: str) -> None:
    stage.game("journey", "Ayu", "Ben")
    before = stage.live.room.version
    assert ask(stage, "Ayu", "query", text=line) == "no_such_query"
    assert stage.live.room.version == before


def test_one_s_rooms_say_whether_it_is_one_s_turn(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    [ayus] = ask(stage, "Ayu", "rooms")["rooms"]
    [bens] = ask(stage, "Ben", "rooms")["rooms"]
    assert ayus == {**bens, "turn": True}
    assert bens["turn"] is False
    assert bens["seats"] == ["Ayu", "Ben"]


def test_one_s_rooms_have_the_shortest_time_first(stage: Stage) -> None:
    by_clock = {}
    for clock in ("3d", "1d", "off"):
        stage.game("journey", "Ayu", "Ben", options=[f"clock {clock}"])
        by_clock[clock] = stage.room_id
        stage.say("Ayu", "/lobby")
        stage.say("Ben", "/lobby")
    rooms = ask(stage, "Ayu", "rooms")["rooms"]
    assert [(room["id"], room["turn"]) for room in rooms] == [
        (by_clock[clock], True) for clock in ("1d", "3d", "off")
    ]
    day, now = 86_400_000, stage.now
    assert [room["due"] and room["due"] - now for room in rooms] == [day, 3 * day, 0]
    # Others see how long they may have to wait.
    assert [room["due"] for room in ask(stage, "Ben", "rooms")["rooms"]] != [0, 0, 0]


def test_what_a_room_says_before_one_enters_names_no_person_s_id(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert set(about_room(room_line(stage.room, GAMES))) == {
        "id",
        "game",
        "phase",
        "seats",
        "free",
        "locked",
        "clock",
        "options",
        "watchers",
        "made",
    }


def test_the_log_of_a_snapshot_has_its_events_for_those_who_want_them(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.say("Ayu", "hello")
    watching = stage.dial("Emi")
    hello = Hello(name="Emi", langs=("en",), wants=frozenset({"text", "events"}))
    stage.frame("Emi", watching.codec.encode(hello))
    stage.enter("Emi")
    for name, wanted in (("Emi", True), ("Ben", False)):
        stage.sync(name)
        log = stage.people[name].last(Room).log
        assert [entry.event is not None for entry in log] == [wanted] * len(log)
    sent = watching.last(Room).log[-1].event
    assert sent == {"event": "said", "name": "Ayu", "text": "hello", "apart": False}


def test_a_catalogue_that_one_has_is_not_sent_again(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    first = ask(stage, "Ayu", "catalogue")
    assert first["commands"]
    assert ask(stage, "Ayu", "catalogue", hash=first["hash"]) == {"hash": first["hash"]}
    other = ask(stage, "Ben", "catalogue", hash=first["hash"])
    assert other["hash"] != first["hash"]
    assert other["commands"]


def test_whether_an_undo_would_ask_the_rest_is_reported_before(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert ask(stage, "Ayu", "undo") == {"can": False}
    mover = stage.to_move()
    other = "Ben" if mover == "Ayu" else "Ayu"
    stage.play(mover, "/dig")
    reply = ask(stage, mover, "undo")
    assert reply["can"] is True
    before = stage.live.room.version
    stage.say(mover, "/undo")
    requested = bool(stage.room.table.votes)
    assert reply["asks"] is requested
    assert stage.live.room.version == before + 1
    assert ask(stage, other, "undo") == {"can": False}
