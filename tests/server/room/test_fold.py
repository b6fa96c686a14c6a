"""Folding entries gives the room, wherever one begins; snapshots are bytes and back.

That the journal folds to the live room is checked after every scene of this folder; here are the
cases that no scene ends with.
"""

from __future__ import annotations

import pytest

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import but
from bluebear.server.limits import DIGEST_EVERY, LOG_LINES, SNAPSHOT_EVERY
from bluebear.server.room.reducer import fold
from bluebear.server.room.snapshot import dump_room, load_room
from bluebear.server.room.state import Phase, Room
from bluebear.server.rooms.loading import read_room
from bluebear.server.store import Append, Snapshot, StreamId, streams
from tests.server.fixtures import GAMES, Stage
from tests.support.fold_entries import fold_all
from tests.support.simulated_store import SimulatedStore


def eventful(stage: Stage) -> None:
    """A room that has seen nearly everything, in the middle of two votes."""
    stage.come("Ayu", "Ben", "Cem", "Eva")
    stage.say("Ayu", "/newroom sealed private", lobby=True)
    stage.room_id = stage.live_ids()[0]
    for name in ("Ben", "Cem", "Eva"):
        stage.play("Ayu", f"/invite {name}")
        stage.enter(name)
    for name in ("Ayu", "Ben", "Cem"):
        stage.play(name, "/join")
    stage.play("Ayu", "/option rounds 5", "/option clock 60+5", "/password sesame", "/invite")
    stage.play("Ben", "/seed 0123456789abcdef0123456789abcdef")
    stage.play("Ayu", "/start", "/seal 3", "hello")
    stage.play("Ben", "/seal 2", "/undo")
    stage.play("Cem", "/leave !")
    stage.play("Ayu", "/ban Eva", "/pause")


def test_every_version_of_a_room_is_dumped_and_loaded(stage: Stage) -> None:
    eventful(stage)
    room: Room | None = None
    for entry in stage.entries():
        room = fold(room, entry, GAMES).room
        assert load_room(dump_room(room, GAMES), GAMES) == room


def test_a_room_folds_on_from_any_snapshot(stage: Stage) -> None:
    eventful(stage)
    entries = stage.entries()
    for cut in range(1, len(entries)):
        begun = fold_all(None, entries[:cut], GAMES)
        assert begun is not None
        loaded = load_room(dump_room(begun, GAMES), GAMES)
        assert fold_all(loaded, entries[cut:], GAMES) == stage.room


def test_a_restart_brings_back_seats_options_votes_clocks_and_the_log(stage: Stage) -> None:
    eventful(stage)
    before, tokens = stage.room, {name: each.token for name, each in stage.people.items()}
    stage.restart()
    stage.back("Ayu", tokens["Ayu"])
    after = stage.room
    assert (after.table.seats, after.table.options) == (before.table.seats, before.table.options)
    assert (after.table.votes, after.table.banned) == (before.table.votes, before.table.banned)
    assert after.log == before.log


def test_all_people_get_the_same_view_after_a_restart(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", watching=["Eva"])
    stage.play("Ayu", "/seal 3")
    before = {name: (each.token, each.view) for name, each in stage.people.items()}
    stage.restart()
    for name, (token, view) in before.items():
        stage.back(name, token)
        assert stage.people[name].view == view


def test_a_snapshot_is_saved_every_so_many_entries(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    for number in range(SNAPSHOT_EVERY):
        stage.send("Ayu", f"line {number}")
        if number % 4 == 3:
            stage.settle()
    stored = stage.run(stage.journal.read(streams.snapshot, StreamId(stage.room_id)))
    assert stored is not None
    assert stored.seq == SNAPSHOT_EVERY


@pytest.mark.expects_log("the snapshot is spoilt on purpose")
def test_a_spoilt_snapshot_is_passed_over(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    token = stage.people["Ayu"].token
    room_id, version = StreamId(stage.room_id), stage.room.version
    stage.restart()
    stage.run(stage.journal.write(streams.save_snapshot, Snapshot(room_id, version, b"\x80")))
    assert "(snapshot)" in stage.back("Ayu", token)["Ayu"]


def test_the_log_has_so_many_entries(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    for number in range(LOG_LINES + 5):
        stage.play("Ayu", f"line {number}")
    assert len(stage.room.log) == LOG_LINES


def test_every_sixteenth_move_puts_a_digest_into_its_entry(stage: Stage) -> None:
    stage.game("journey", "Ayu", options=["days 4"])
    for number in range(2 * DIGEST_EVERY):
        stage.play("Ayu", "/back" if number % 2 else "/go mill")
    start, *digests = [entry.seq for entry in stage.entries() if entry.digest]
    assert [seq - start for seq in digests] == [DIGEST_EVERY, 2 * DIGEST_EVERY]


def test_the_last_entry_has_a_digest(stage: Stage) -> None:
    stage.game("journey", "Ayu", options=["days 1"])
    stage.play("Ayu", "/dig")
    assert stage.entries()[-1].digest == stage.games["journey"].tree.digest(stage.room.game)


@pytest.mark.expects_log("the digest is wrong on purpose")
def test_an_entry_that_folds_to_another_state_is_noticed(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.game("journey", "Ayu", options=["days 1"])
    stage.play("Ayu", "/dig")
    other = SimulatedStore()
    spoilt = [but(each, digest="0" * 16 if each.digest else "") for each in stage.entries()]
    stage.run(other.append([Append(each) for each in spoilt]))
    loaded = stage.run(read_room(other, GAMES, stage.room_id))
    assert loaded is not None
    assert loaded.problem == "another digest"
    assert "room held" in caplog.text


def test_a_refused_entry_leaves_the_room_as_it_was(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    room, entry = stage.room, stage.entries()[-1]
    forged = but(entry, seq=room.version + 1, lines=("/go castle",))
    with pytest.raises(NotAllowed):
        fold(room, forged, GAMES)
    assert stage.room is room


def test_a_room_without_people_leaves_memory(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(700)
    assert stage.live_ids() == []


def test_an_open_room_without_people_is_closed_after_six_hours(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.wait(6 * 3600 + 120)
    stage.connect("Ayu", token=token)
    assert stage.refused("Ayu", f"/room {stage.room_id}", lobby=True) == "room_unknown"


def test_an_unfinished_game_sleeps_for_ever(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    token = stage.people["Ayu"].token
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait_days(20)
    stage.back("Ayu", token)
    assert stage.room.table.phase is Phase.PLAYING
