"""What `bluebear serve` says where its settings for several nodes do not go together."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.datastructures import Headers

from bluebear.rules.core.phrases import LANGS
from bluebear.server.__main__ import main
from bluebear.server.cluster.room_leases import chosen
from bluebear.server.config import Config, read_config
from bluebear.server.net.http import RequestPolicy
from bluebear.server.ops.supervisor import STORE_AWAY, plan
from bluebear.server.sentences import UNUSABLE, say
from tests.tools.servers import bluebear

STORE = "postgresql://nobody:secret@127.0.0.1:1/nothing"


@pytest.mark.parametrize("arguments", [["--processes", "2"], ["--node", "a"]])
def test_several_nodes_without_a_database_are_refused_with_a_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--data", str(tmp_path), *arguments]) == UNUSABLE
    output = capsys.readouterr().err.splitlines()
    assert "need a database" in output[0]
    assert len(output) == 2, "in both languages"


@pytest.mark.parametrize("given", ["0", "65", "two", "-1"])
def test_a_number_of_processes_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(SystemExit):
        read_config(["--processes", given], {})


@pytest.mark.parametrize("given", ["Node", "a b", "a/b", "x" * 33])
def test_a_name_that_fits_in_no_path_is_refused(given: str) -> None:
    with pytest.raises(SystemExit):
        read_config(["--node", given], {})


def test_the_environment_says_it_as_well() -> None:
    read = read_config([], {"BLUEBEAR_PROCESSES": "4", "BLUEBEAR_NODE": "a"})
    assert (read.processes, read.node) == (4, "a")


def test_pages_of_a_node_connect_to_nodes_under_other_names() -> None:
    arguments = ["--node-origins", "wss://a.example.org, wss://b.example.org:8443"]
    config = read_config(arguments, {})
    assert config.node_origins == ("wss://a.example.org", "wss://b.example.org:8443")
    policy = RequestPolicy(config, "https://example.org")
    from_a = Headers(Host="b.example.org:8443", Origin="https://a.example.org")
    assert policy.names_this_server(from_a)
    assert policy.is_same_origin(from_a)
    assert not policy.is_same_origin(Headers(Host="b.example.org", Origin="https://c.example.org"))


@pytest.mark.parametrize("text", ["https://a.example.org", "wss://a;script-src *", "wss://a/ws"])
def test_what_is_no_origin_of_a_node_is_refused(text: str) -> None:
    with pytest.raises(SystemExit):
        read_config(["--node-origins", text], {})


def test_nodes_of_one_machine_share_a_port_and_have_separate_folders(tmp_path: Path) -> None:
    config = Config(processes=3, data=tmp_path, metrics="127.0.0.1:9464", store=STORE)
    given = ["--processes", "3", "--store", STORE, f"--store={STORE}"]
    nodes = plan(config, given, tmp_path, 8765)
    assert [each.name for each in nodes] == ["node-1", "node-2", "node-3"]
    read = [read_config(each.argv, {}) for each in nodes]
    assert {each.processes for each in read} == {1}, "no supervisor under a supervisor"
    assert {(each.port, each.sockets) for each in read} == {(8765, tmp_path)}
    assert len({each.metrics for each in read}) == len({each.data for each in read}) == 3
    assert read[0].data == tmp_path, "there `bluebear operator` finds the first node"


def test_no_password_stands_in_a_list_of_processes(tmp_path: Path) -> None:
    config = Config(processes=2, data=tmp_path, store=STORE)
    for node in plan(config, ["--store", STORE, f"--store={STORE}"], tmp_path, 8765):
        assert not [each for each in node.argv if "secret" in each]
        assert node.environment["BLUEBEAR_STORE"] == STORE


def test_few_rooms_change_when_a_node_moves() -> None:
    rooms = [str(number) for number in range(1000)]
    before = {room: chosen(room, ("a", "b", "c", "d")) for room in rooms}
    after = {room: chosen(room, ("a", "b", "d")) for room in rooms}
    moved = [room for room in rooms if before[room] != after[room]]
    assert all(before[room] == "c" for room in moved)
    assert 150 < len(moved) < 350
    assert chosen("1", ()) is None


async def test_a_wrong_setting_of_all_nodes_ends_their_supervisor_with_one_sentence(
    tmp_path: Path,
) -> None:
    arguments = ("--processes", "2", "--store", STORE, "--port", "0", "--pin", "nonsense=1")
    code, output = await bluebear("serve", "--data", str(tmp_path), *arguments)
    assert code == UNUSABLE
    for lang in LANGS:
        assert output.count(say("serve.bad_pin", lang, path="nonsense=1")) == 1


async def test_a_node_whose_database_is_away_ends_with_another_code(tmp_path: Path) -> None:
    arguments = ("--node", "a", "--store", STORE, "--port", "0")
    code, output = await bluebear("serve", "--data", str(tmp_path), *arguments)
    assert code == STORE_AWAY, output
    assert say("serve.journal_unusable", "en", path="postgresql://127.0.0.1:1/nothing") in output
