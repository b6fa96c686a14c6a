"""What `bluebear serve` says where its settings for several processes do not go together."""

from __future__ import annotations

from pathlib import Path

import pytest

from bluebear.server.__main__ import CANNOT_START, main
from bluebear.server.config import Config, read_config
from bluebear.server.link.address import advertised_address
from bluebear.server.link.finder import chosen
from bluebear.server.roles import NoSecret, read_secret
from bluebear.server.supervisor import ENGINES_PER_EDGE, plan

STORE = "postgresql://nobody@127.0.0.1:1/nothing"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--processes", "2"], "need a database"),
        (["--role", "edge", "--node", "a"], "need a database"),
        (["--role", "edge", "--store", STORE], "--node"),
        (["--role", "engine", "--node", "a", "--store", STORE], "--listen"),
    ],
)
def test_settings_that_do_not_fit_are_refused_with_a_sentence(
    arguments: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--data", str(tmp_path), *arguments]) == CANNOT_START
    output = capsys.readouterr().err.splitlines()
    assert problem in output[0]
    assert len(output) == 2, "in both languages"


@pytest.mark.parametrize("given", ["0", "65", "two", "-1"])
def test_a_number_of_processes_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(SystemExit):
        read_config(["--processes", given], {})


def test_the_environment_says_it_as_well() -> None:
    read = read_config([], {"BLUEBEAR_PROCESSES": "4", "BLUEBEAR_NODE": "a"})
    assert (read.processes, read.node) == (4, "a")


def test_a_secret_is_long_enough_or_none(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with pytest.raises(NoSecret):
        read_secret(path)
    path.write_text("short\n")
    with pytest.raises(NoSecret):
        read_secret(path)
    path.write_text("x" * 16 + "\n")
    assert read_secret(path) == b"x" * 16


def test_addresses() -> None:
    assert advertised_address("10.0.0.1:7000") == "10.0.0.1:7000"
    assert advertised_address("0.0.0.0:7000").endswith(":7000")
    assert not advertised_address("0.0.0.0:7000").startswith("0.0.0.0")


@pytest.mark.parametrize(("engines", "edges"), [(2, 2), (3, 2), (4, 2), (6, 2), (7, 3)])
def test_there_is_an_edge_for_every_three_engines_and_two_at_least(
    engines: int, edges: int, tmp_path: Path
) -> None:
    config = Config(processes=engines, data=tmp_path, metrics="127.0.0.1:9464")
    made = plan(config, ["--processes", str(engines)], tmp_path, 8765)
    assert [each.name for each in made.engines] == [f"engine-{n + 1}" for n in range(engines)]
    assert [each.name for each in made.edges] == [f"edge-{n + 1}" for n in range(edges)]
    assert ENGINES_PER_EDGE * edges >= engines
    read = [read_config(each.words, {}) for each in (*made.engines, *made.edges)]
    assert {each.processes for each in read} == {1}, "no supervisor under a supervisor"
    assert len({each.metrics for each in read}) == engines + edges
    assert len({each.data for each in read}) == engines + edges
    assert read[engines].data == tmp_path, "there `bluebear operator` finds the first edge"


def test_few_rooms_change_when_an_engine_moves() -> None:
    rooms = [str(number) for number in range(1000)]
    before = {room: chosen(room, ("a", "b", "c", "d")) for room in rooms}
    after = {room: chosen(room, ("a", "b", "d")) for room in rooms}
    moved = [room for room in rooms if before[room] != after[room]]
    assert all(before[room] == "c" for room in moved)
    assert 150 < len(moved) < 350
    assert chosen("1", ()) is None
