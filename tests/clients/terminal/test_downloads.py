"""Records and minutes as files of the person who asked for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bluebear.clients.terminal.downloads import save_download

RECORD = "bluebear record 1\ngame duel rules 1\nid g0123456789abcde\n"


def test_a_record_becomes_a_file_with_the_name_of_its_game(tmp_path: Path) -> None:
    path = save_download(tmp_path, "record", RECORD)
    assert path == tmp_path / "g0123456789abcde.record"
    assert path.read_text(encoding="utf-8") == RECORD


def test_minutes_become_a_text_with_a_newline_at_its_end(tmp_path: Path) -> None:
    path = save_download(tmp_path, "minutes", "マンハッタン  g0123456789abcde\n1. ...")
    assert path == tmp_path / "g0123456789abcde.txt"
    assert path.read_text(encoding="utf-8").endswith("...\n")


def test_nothing_is_overwritten_and_nothing_written_twice(tmp_path: Path) -> None:
    first = save_download(tmp_path, "record", RECORD)
    later = save_download(tmp_path, "record", f"{RECORD}--\n1 /attack\n")
    assert (first, later) == (
        tmp_path / "g0123456789abcde.record",
        tmp_path / "g0123456789abcde-2.record",
    )
    assert save_download(tmp_path, "record", RECORD) == first


@pytest.mark.parametrize(
    ("code", "text"), [("board", RECORD), ("record", "no id"), ("record", "id g../../etc/passwd")]
)
def test_other_notes_are_no_downloads(tmp_path: Path, code: str, text: str) -> None:
    assert save_download(tmp_path, code, text) is None
    assert list(tmp_path.iterdir()) == []
