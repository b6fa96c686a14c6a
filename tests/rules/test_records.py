"""Is every stored record still the game that it was?

A record that fails names a finished game that a change of the rules would have changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.record import Moved, Undone, format_record, parse_record, replay, verify
from bluebear.rules.core.visibility import Event
from tests.rules.game_files import GAMES, HERE, files_named
from tests.rules.write_goldens import read_ends, read_scripts, read_unsaid, write_down

LEAST: Final = 20
ENDS: Final = {
    key: read_ends(path) for key, path in files_named("records.toml").items() if read_ends(path)
}
RECORDS: Final = sorted(HERE.glob("*/records/*.record"))


def label_of(path: Path) -> str:
    """What a record is called in a report: its game and its name."""
    return f"{path.parents[1].name} {path.stem}"


SCRIPTS: Final = {
    HERE / key / "records" / f"{name}.record": script
    for key, path in files_named("records.toml").items()
    for name, script in read_scripts(GAMES[key], path).items()
}


@pytest.mark.parametrize("path", RECORDS, ids=map(label_of, RECORDS))
def test_a_stored_game_is_verified(path: Path) -> None:
    text = path.read_bytes().decode()
    record = parse_record(text)
    verify(GAMES[record.head.game], record)
    assert format_record(record) == text


@pytest.mark.parametrize("path", SCRIPTS, ids=map(label_of, SCRIPTS))
def test_bots_and_draws_play_a_stored_game_again(path: Path) -> None:
    """The scripts are in `records.toml`, the games below `records`."""
    game = GAMES[path.parents[1].name]
    made = format_record(write_down(game, path.stem, SCRIPTS[path]))
    assert made == path.read_bytes().decode()


@pytest.mark.parametrize("key", list(files_named("records.toml")))
def test_every_verb_stands_in_a_stored_game(key: str) -> None:
    """But for those that `records.toml` names."""
    texts = [path.read_text(encoding="utf-8") for path in RECORDS if path.parents[1].name == key]
    lines = [line for text in texts for line in parse_record(text).lines]
    typed = [line for each in lines if isinstance(each, Moved) for line in each.lines]
    sent = {line.split()[0].removeprefix("/") for line in typed}
    assert sent == set(GAMES[key].grammar.verbs) - read_unsaid(files_named("records.toml")[key])


@pytest.mark.parametrize("key", list(ENDS))
def test_twenty_games_are_stored_and_each_route_to_end(key: str) -> None:
    stored = {path.stem: path for path in RECORDS if path.parents[1].name == key}
    assert len(stored) >= LEAST
    for end, name in ENDS[key].items():
        record = parse_record(stored[name].read_bytes().decode())
        last = [moment.events for moment in replay(GAMES[key], record) if moment.events][-1]
        assert end in map(how, last)


def how(event: Event) -> str:
    """An event by name, with the ending that it tells of."""
    return " ".join((event_form(type(event)).name, *filter(None, [getattr(event, "ending", None)])))


@pytest.mark.parametrize("key", list(files_named("records.toml")))
def test_stored_games_have_undone_moves_and_moves_of_the_clock(key: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in RECORDS if path.parents[1].name == key]
    lines = [line for text in texts for line in parse_record(text).lines]
    assert any(isinstance(line, Undone) for line in lines)
    assert any(isinstance(line, Moved) and line.by_clock for line in lines)
