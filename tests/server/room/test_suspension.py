"""Rules that changed under a running game: it never continues silently, and is never lost.

The game of these tests is `heap` (tests/versions): by version 1 three stones may be taken and the
player who takes the last one wins; by version 2 it is two, and that player loses.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bluebear.protocol import Game, Room
from bluebear.rules import games
from bluebear.rules.core.record import parse_record, verify
from bluebear.rules.core.visibility import but
from bluebear.rules.discovery import load_game
from bluebear.server.room.snapshot import ANOTHER_DIGEST, follow
from bluebear.server.room.state import Phase
from bluebear.server.rooms import loading
from bluebear.server.store import StreamId, streams
from tests.server.fixtures import Stage

SECOND = games(("tests.versions",))["heap"]
"""Version 2, with version 1 beside it."""
BOTH = {"heap": SECOND}
FIRST_ONLY = {"heap": load_game("tests.versions.heap.rules1")}


class Otherwise(type(SECOND)):  # type: ignore[misc]  # a class that is there at run time only
    """Version 2 without version 1, as if a developer had changed a rule in place."""

    def for_rules_version(self, number: int) -> object:
        return self if number == 2 else None


class Unnumbered(type(FIRST_ONLY["heap"])):  # type: ignore[misc]  # the same
    """Version 1 with a changed order of turns under the same version number."""

    code = "another"

    def apply(self, draft, seat, move, chance, tell):  # type: ignore[no-untyped-def]
        super().apply(draft, seat, move, chance, tell)
        if draft.left:
            draft.mover = seat


SECOND_ONLY = {"heap": Otherwise()}
CHANGED = {"heap": Unnumbered()}


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage(games=FIRST_ONLY) as made:
        yield made


def begin(stage: Stage, *takes: int) -> dict[str, str]:
    """A game of two by version 1; the tokens of those who play it."""
    stage.game("heap", "Ayu", "Ben")
    tokens = {name: each.token for name, each in stage.people.items()}
    for stones in takes:
        stage.play(stage.to_move(), f"/take {stones}")
    return tokens


def back(stage: Stage, tokens: dict[str, str], lang: str = "en") -> dict[str, list[str]]:
    """All clients connect again and join the room. Returns what each received then."""
    received = {}
    for name, token in tokens.items():
        stage.connect(name, token=token, lang="ja" if lang == "ja" else "en")
        received[name] = stage.say(name, f"/room {stage.room_id}", lobby=True)[name]
    return received


# Two versions side by side.


def test_a_game_that_began_by_version_1_continues_by_it(stage: Stage) -> None:
    tokens = begin(stage, 3)
    stage.play_by(BOTH)
    stage.restart()
    back(stage, tokens)
    stage.play("Ben", "/take 3")
    assert stage.people["Ben"].view["game"] == {"left": 6, "mover": 1, "seats": 2}


def test_beside_it_a_new_game_is_played_by_version_2(stage: Stage) -> None:
    tokens = begin(stage, 3)
    old = stage.room_id
    stage.play_by(BOTH)
    stage.restart()
    back(stage, tokens)
    stage.come("Dan", "Eva")
    stage.game("heap", "Dan", "Eva")
    assert stage.refused("Dan", "/take 3") == "too_greedy"
    stage.play("Dan", "/take 2")
    stage.room_id = old
    stage.play("Ben", "/take 3")


def test_both_are_played_to_their_ends_and_their_records_prove_it(stage: Stage) -> None:
    tokens = begin(stage, 3, 3)
    stage.play_by(BOTH)
    stage.restart()
    back(stage, tokens)
    stage.play("Ayu", "/take 3")
    stage.play("Ben", "/take 3")
    assert [position.score for position in stage.room.table.ending.places.values()] == [0, 1]  # type: ignore[union-attr]
    game_id = stage.room.table.game_id
    [entry] = stage.entries(f"record:{game_id}")
    record = parse_record(entry.lines[0])
    assert record.head.rules == 1
    verify(SECOND, record)
    stage.play("Ayu", "/again", "/start")
    for name in ("Ayu", "Ben") * 3:
        stage.play(name, "/take 2")
    [entry] = stage.entries(f"record:{stage.room.table.game_id}")
    assert parse_record(entry.lines[0]).head.rules == 2
    verify(SECOND, parse_record(entry.lines[0]))


def test_after_a_crash_the_same_version_is_folded(stage: Stage) -> None:
    tokens = begin(stage, 3)
    stage.play_by(BOTH)
    stage.crash()
    back(stage, tokens)
    assert stage.room.game.left == 9
    assert not stage.live.suspended


def test_who_plays_by_version_1_is_sent_its_data_unasked(stage: Stage) -> None:
    tokens = begin(stage, 3)
    stage.play_by(BOTH)
    stage.restart()
    back(stage, tokens)
    for listener in stage.people.values():
        data = listener.last(Game)
        assert data.body["rules"] == 1
        assert data.hash == listener.last(Room).hash


# A rule that changed without a new number.


@pytest.mark.expects_log("the rules have changed on purpose")
@pytest.mark.parametrize("stop", ["restart", "crash"])
def test_a_rule_that_changed_in_its_file_holds_the_room(stage: Stage, stop: str) -> None:
    """After a planned stop there is a snapshot of it: then its record is played again."""
    tokens = begin(stage, 3, 1, 1, 1)
    before = stage.room.game
    stage.play_by(CHANGED)
    getattr(stage, stop)()
    received = back(stage, tokens)
    assert "refused" in stage.live.suspended
    assert [live.id for live in stage.app.engine.live.values() if live.suspended] == [stage.room_id]
    if stop == "restart":
        assert stage.room.game == before, "what was dumped is sure"
    for name in tokens:
        assert any("other rules" in line for line in received[name]), received


def test_code_that_changed_without_changing_a_rule_holds_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = begin(stage, 3, 1, 1, 1)
    stage.play("Ayu", "/undo")
    before = stage.room.game
    monkeypatch.setattr(type(FIRST_ONLY["heap"]), "code", "a comment more")
    stage.restart()
    back(stage, tokens)
    assert not stage.live.suspended
    assert stage.room.game == before


def test_without_other_code_nothing_is_played_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = begin(stage, 3, 1)

    def checked(*_: object) -> object:
        raise AssertionError("played again")

    monkeypatch.setattr(loading, "checking", checked)
    stage.restart()
    back(stage, tokens)
    assert not stage.live.suspended


def test_a_digest_that_differs_holds_the_room_at_its_last_sure_position(stage: Stage) -> None:
    stage.game("heap", "Ayu", "Ben")
    begun = stage.room
    for _ in range(4):
        stage.play(stage.to_move(), "/take 3")
    *_, last = entries = stage.entries()
    spoilt = [*entries[:-1], but(last, digest="0" * 16)]
    loaded = follow(None, spoilt, FIRST_ONLY)
    assert loaded is not None
    assert loaded.problem == ANOTHER_DIGEST
    assert loaded.room.game == begun.game
    assert loaded.room.version == stage.room.version


@pytest.mark.expects_log("the rules are missing on purpose")
def test_a_room_whose_version_is_missing_can_be_read_and_says_so(stage: Stage) -> None:
    tokens = begin(stage, 3)
    stage.play_by(SECOND_ONLY)
    stage.restart()
    received = back(stage, tokens)
    assert stage.live.suspended
    assert any("(rules_changed)" in line for line in received["Ben"])
    assert stage.refused("Ben", "/take 1") == "rules_changed"
    assert "(info)" in stage.say("Ben", "/info")["Ben"][0]


@pytest.fixture
def suspended(stage: Stage) -> Stage:
    """A room that is held after a crash, with a move that is sure and two that are not."""
    tokens = begin(stage, 3, 1)
    stage.play_by(CHANGED)
    stage.crash()
    back(stage, tokens)
    assert stage.live.suspended
    return stage


@pytest.mark.expects_log("the rules have changed on purpose")
def test_it_says_so_in_the_language_of_who_enters(suspended: Stage) -> None:
    suspended.connect("Mai", lang="ja")
    received = suspended.say("Mai", f"/room {suspended.room_id}", lobby=True)["Mai"]
    assert any("違う版のルール" in line for line in received), received


@pytest.mark.expects_log("the rules have changed on purpose")
@pytest.mark.parametrize(
    "line", ["/take 1", "/take 3", "/undo", "/resign", "/pause", "/leave", "/start", "/join 1"]
)
def test_nothing_of_the_game_continues_and_each_line_is_shown_why(
    suspended: Stage, line: str
) -> None:
    for name in ("Ayu", "Ben"):
        assert suspended.refused(name, line) == "rules_changed"


@pytest.mark.expects_log("the rules have changed on purpose")
def test_board_log_and_record_can_be_read(suspended: Stage) -> None:
    assert suspended.people["Ayu"].view["room"]["phase"] == "frozen"
    assert suspended.people["Ayu"].view["game"]["left"] == 12
    assert "12" in suspended.say("Ayu", "/board")["Ayu"][0]
    assert "rules 1" in suspended.say("Ben", "/record")["Ben"][0]


@pytest.mark.expects_log("the rules have changed on purpose")
def test_people_can_talk_there_and_their_talk_is_stored(suspended: Stage) -> None:
    assert suspended.say("Ben", "what now?") == {
        "Ayu": ["Ben: what now?"],
        "Ben": ["Ben: what now?"],
    }
    version = suspended.room.version
    suspended.crash()
    suspended.come("Eva")
    suspended.enter("Eva")
    assert suspended.room.version == version
    assert suspended.live.suspended


@pytest.mark.expects_log("the rules have changed on purpose")
def test_only_the_host_ends_it_void_and_its_record_is_stored(suspended: Stage) -> None:
    game_id = suspended.room.table.game_id
    assert suspended.refused("Ben", "/reset") in ("rules_changed", "not_permitted")
    suspended.play("Ayu", "/reset")
    assert suspended.room.table.phase is Phase.OPEN
    assert not suspended.live.suspended
    [entry] = suspended.entries(f"record:{game_id}")
    assert "end void" in entry.lines[0]
    suspended.play("Ayu", "/join")
    suspended.play("Ben", "/join")
    suspended.play("Ayu", "/start", "/take 3")


@pytest.mark.expects_log("the rules have changed on purpose")
def test_what_was_ended_void_stays_so_after_another_start(suspended: Stage) -> None:
    suspended.play("Ayu", "/reset", "/join")
    suspended.play("Ben", "/join")
    suspended.play("Ayu", "/start")
    room = suspended.room
    suspended.crash()
    suspended.come("Eva")
    suspended.enter("Eva")
    assert suspended.room == room


@pytest.mark.expects_log("the rules have changed on purpose")
def test_a_server_with_the_right_rules_finds_the_game_as_it_was(suspended: Stage) -> None:
    suspended.say("Ben", "what now?")
    suspended.play_by(FIRST_ONLY)
    suspended.restart()
    suspended.come("Eva")
    suspended.enter("Eva")
    assert suspended.room.table.phase is Phase.PLAYING
    assert suspended.room.game.left == 8


@pytest.mark.expects_log("the rules have changed on purpose")
def test_no_snapshot_replaces_what_the_room_was(suspended: Stage) -> None:
    suspended.run(suspended.app.engine.sweep())
    suspended.restart()
    newest = suspended.run(suspended.journal.read(streams.snapshot, StreamId(suspended.room_id)))
    assert newest is None


@pytest.mark.expects_log("the rules are missing on purpose")
def test_a_room_whose_version_is_missing_is_ended_void_as_well(stage: Stage) -> None:
    tokens = begin(stage, 3)
    game_id = stage.room.table.game_id
    stage.play_by(SECOND_ONLY)
    stage.restart()
    back(stage, tokens)
    stage.play("Ayu", "/reset")
    assert stage.room.table.phase is Phase.OPEN
    [entry] = stage.entries(f"record:{game_id}")
    assert "end void" in entry.lines[0]
