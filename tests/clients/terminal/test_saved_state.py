"""The saved token: the same person next time, and unreadable to others."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from bluebear.clients.terminal.chat import Settings, settings_of
from bluebear.clients.terminal.saved_state import Memory, SavedPerson, state_folder

URL = "ws://127.0.0.1:8765/ws"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "state" / "bluebear")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_token_is_remembered_by_server_and_name(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    memory.keep_token(URL, "Bob", "t2")
    memory.keep_token("ws://elsewhere/ws", "Ayu", "t3")
    assert [memory.recall(*key).token for key in ((URL, "Ayu"), (URL, "Bob"), (URL, ""))] == [
        "t1",
        "t2",
        "",
    ]


def test_the_file_is_for_its_owner_only(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    assert mode(memory.path) == 0o600


def test_the_folder_is_for_its_owner_only(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    assert mode(memory.path.parent) == 0o700


def test_the_file_is_replaced_completely(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    before = memory.path.stat().st_ino
    memory.keep_room(URL, "Ayu", "12")
    assert memory.path.stat().st_ino != before
    assert sorted(path.name for path in memory.path.parent.iterdir()) == ["lock", "tokens.json"]


def test_what_a_crash_has_left_half_written_is_in_no_persons_route(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    memory.path.with_suffix(".new").write_text("{", encoding="utf-8")
    memory.keep_token(URL, "Ayu", "t2")
    assert memory.recall(URL, "Ayu").token == "t2"


def test_the_room_stays_when_the_token_is_replaced(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    memory.keep_room(URL, "Ayu", "12")
    memory.renew_token(URL, "Ayu", "t2")
    assert memory.recall(URL, "Ayu") == SavedPerson(token="t2", room="12")


def test_the_room_is_remembered_beside_the_token(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    memory.keep_room(URL, "Ayu", "12")
    assert memory.recall(URL, "Ayu") == SavedPerson(token="t1", room="12")


def test_another_person_has_no_room_yet(memory: Memory) -> None:
    memory.keep_token(URL, "Ayu", "t1")
    memory.keep_room(URL, "Ayu", "12")
    memory.keep_token(URL, "Ayu", "t2")
    assert memory.recall(URL, "Ayu") == SavedPerson(token="t2")


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"a": 1}', '{"a": {"b": 2}}', "\x00"])
def test_a_damaged_file_counts_as_empty(memory: Memory, damaged: str) -> None:
    memory.path.parent.mkdir(parents=True)
    memory.path.write_text(damaged, encoding="utf-8")
    assert memory.recall(URL, "Ayu") == SavedPerson()


def test_the_history_is_for_its_owner_only(memory: Memory) -> None:
    assert mode(memory.history()) == 0o600


def test_the_state_lies_where_the_machine_wants_it(tmp_path: Path) -> None:
    assert state_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "bluebear"


@pytest.mark.parametrize("environment", [{}, {"XDG_STATE_HOME": ""}, {"XDG_STATE_HOME": "x/y"}])
def test_else_it_lies_below_the_home_folder(environment: dict[str, str]) -> None:
    assert state_folder(environment) == Path.home() / ".local" / "state" / "bluebear"


def test_what_was_set_stays(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    assert settings_of(memory.settings()) == Settings()
    memory.keep_settings({"board": False, "bell": True})
    assert settings_of(Memory(tmp_path).settings()) == Settings(board=False, bell=True)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"board": "maybe", "colour": true}'])
def test_settings_that_are_damaged_count_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text, encoding="utf-8")
    assert settings_of(Memory(tmp_path).settings()) == Settings()
