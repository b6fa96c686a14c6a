"""A person who was admitted to a room stays admitted, also if a password is set later."""

from __future__ import annotations

from pathlib import Path

import pytest

from bluebear.clients.sdk import Backoff, Client, Synced
from bluebear.rules.core.visibility import require
from bluebear.server.limits import DISCONNECTED_SECONDS, LET_IN_MAX
from tests.server.fixtures import Stage
from tests.sim.cluster import cluster
from tests.sim.virtual_loop import virtual
from tests.tools.servers import ServerProcess

QUICK = Backoff(first_seconds=0.05, longest_seconds=0.2)


def is_readmitted(stage: Stage, name: str, token: str) -> bool:
    """Whether a person is admitted again without a password."""
    return "(snapshot)" in stage.back(name, token)[name]


def watched(stage: Stage) -> str:
    """A table of Ayu's that Ben watches, who can come back by this token."""
    stage.table("journey", "Ayu", watching=["Ben"])
    return stage.people["Ben"].token


def test_who_is_inside_when_a_password_is_set_returns_without_it(stage: Stage) -> None:
    token = watched(stage)
    stage.play("Ayu", "/password sesame")
    stage.drop("Ben")
    assert is_readmitted(stage, "Ben", token)


def test_who_has_just_lost_his_connection_returns_without_it(stage: Stage) -> None:
    token = watched(stage)
    stage.drop("Ben")
    stage.wait(DISCONNECTED_SECONDS - 1)
    stage.play("Ayu", "/password sesame")
    assert is_readmitted(stage, "Ben", token)


def test_who_was_away_for_long_needs_it(stage: Stage) -> None:
    token = watched(stage)
    stage.drop("Ben")
    stage.wait(DISCONNECTED_SECONDS)
    stage.play("Ayu", "/password sesame")
    assert not is_readmitted(stage, "Ben", token)


def test_who_has_left_themselves_needs_it(stage: Stage) -> None:
    watched(stage)
    stage.say("Ben", "/lobby")
    stage.play("Ayu", "/password sesame")
    assert stage.refused("Ben", f"/room {stage.room_id}", lobby=True) == "password_wanted"


def test_who_was_sent_out_needs_it(stage: Stage) -> None:
    token = watched(stage)
    stage.play("Ayu", "/password sesame", "/kick Ben")
    stage.drop("Ben")
    assert not is_readmitted(stage, "Ben", token)


def test_who_was_sent_out_while_he_was_while_returning_needs_it(stage: Stage) -> None:
    token = watched(stage)
    stage.play("Ayu", "/password sesame")
    stage.drop("Ben")
    stage.play("Ayu", "/kick Ben", "/password none", "/password sesame")
    assert not is_readmitted(stage, "Ben", token)


def test_who_was_never_inside_needs_it(stage: Stage) -> None:
    watched(stage)
    stage.come("Cem")
    stage.play("Ayu", "/password sesame")
    assert stage.refused("Cem", f"/room {stage.room_id}", lobby=True) == "password_wanted"


def test_a_dead_server_forgets_no_person_who_was_inside(stage: Stage) -> None:
    token = watched(stage)
    stage.play("Ayu", "/password sesame")
    stage.crash()
    assert is_readmitted(stage, "Ben", token)


def test_a_password_names_those_once_who_stay_admitted(stage: Stage) -> None:
    watched(stage)
    stage.play("Ayu", "/password sesame", "/password sesame")
    first, second = (each.facts["inside"] for each in stage.entries(stage.room_id)[-2:])
    assert isinstance(first, dict)
    assert list(first.values()) == ["Ben"]
    assert second == {}


def test_a_large_group_that_is_inside_leaves_room_for_those_who_know_the_password(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bluebear.server.room.hosting.LET_IN_MAX", 3)
    stage.table("journey", "Ayu", watching=["Ben", "Cem", "Dan", "Eva"])
    stage.play("Ayu", "/password sesame")
    assert len(require(stage.room.table.admitted)) == 3
    assert LET_IN_MAX * 2 <= 500


@pytest.mark.slow_loop
async def test_on_real_sockets_a_watcher_is_back_after_a_restart(tmp_path: Path) -> None:
    async with (
        ServerProcess(tmp_path) as server,
        Client(server.url, name="Ayu", backoff=QUICK) as ayu,
        Client(server.url, name="Ben", backoff=QUICK) as ben,
    ):
        room = (await ayu.say("/newroom manhattan")).room
        assert room is not None
        assert (await ben.say(f"/room {room}")).ok
        assert (await ayu.say("/password sesame", room=room)).ok
        await server.kill()
        await server.start()
        async for happening in ben.happenings():
            if isinstance(happening, Synced):
                break
        assert (await ben.say("still here", room=room)).ok


@virtual
async def test_a_node_knows_who_has_left_themselves_at_a_node_and_who_was_cut_off() -> None:
    async with cluster() as made:
        ayu, ben, cem = [await made.person(name) for name in ("Ayu", "Ben", "Cem")]
        assert (await ayu.line("/newroom manhattan public")).ok
        room = ayu.here
        for person in (ben, cem):
            assert (await person.line(f"/room {room}")).ok
        assert (await ben.line("/lobby", room)).ok
        assert cem.wire is not None
        cem.wire.cut()
        assert (await ayu.line("/password sesame")).ok
        assert (await ben.line(f"/room {room}")).code == "password_wanted"
        assert (await cem.line(f"/room {room}")).ok
