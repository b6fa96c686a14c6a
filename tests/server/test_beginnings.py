"""The beginning of a finished game plays by itself, and leads to the same position."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bluebear.rules import games
from bluebear.rules.core.chance import commitment
from bluebear.rules.core.record import (
    Digested,
    End,
    EndReason,
    Fork,
    ForkSection,
    Head,
    Hex,
    Moved,
    Record,
    RecordError,
    Undone,
    conceal,
    format_record,
    parse_record,
    replaying,
    verify,
)
from bluebear.server.features.replays.course import beginning
from tests.rules.sample_records import sealed

GAMES = games(("bluebear.rules", "tests.games"))
_MOST = 120
"""Longer records are left out: the short ones have every kind of line."""
SHORT = {
    path: parse_record(text)
    for path in sorted(Path(__file__).parents[1].glob("rules/*/records/*.record"))
    if (text := path.read_text(encoding="utf-8")).count("\n") <= _MOST
}


def short(kind: type[object]) -> list[Path]:
    """The short stored records that have a line of some kind."""
    return [
        path
        for path, record in SHORT.items()
        if record.head.game in GAMES and any(isinstance(line, kind) for line in record.lines)
    ]


CHOSEN = sorted({*short(Undone)[:3], *short(Moved)[:4]})


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.stem)
def test_any_beginning_of_a_stored_record_leads_to_the_same_position(path: Path) -> None:
    record = SHORT[path]
    game = GAMES[record.head.game]
    complete = list(replaying(game, record))
    for lines in {0, 1, 2, len(record.lines) // 2, len(record.lines) - 2}:
        made = beginning(record, lines, 7)
        assert parse_record(format_record(made)) == made
        *_, last = replaying(game, made)
        there = complete[lines]
        assert (last.state, last.counter) == (there.state, there.counter)
        assert last.entries == there.entries


def test_some_record_of_each_kind_was_attempted() -> None:
    for kind in (Undone, Moved, Digested):
        assert set(short(kind)) & set(CHOSEN), kind


@pytest.fixture(name="made")
def _made() -> Record:
    """A stored game that goes on from its middle as it did: by the chance of before."""
    path = next(path for path in short(Moved) if "manhattan" in str(path))
    return beginning(parse_record(path.read_text(encoding="utf-8")), 5, 5)


def ended(record: Record, secret: str) -> Record:
    """The beginning of a game that goes no further, as a void game of its own."""
    game = GAMES[record.head.game]
    *_, last = replaying(game, record)
    digest = Digested(Hex(game.tree.digest(last.state)))
    order = tuple(range(1, len(record.head.order) + 1))
    commit = Hex(commitment(bytes.fromhex(secret)))
    head: Head = replace(record.head, id="gnew", order=order, commit=commit, seeds=())
    return sealed(Record(head, (*record.lines, digest), End(EndReason.VOID, Hex(secret))))


def test_a_fork_is_verified_without_the_other_game(made: Record) -> None:
    complete = ended(made, "11" * 32)
    game = GAMES[made.head.game]
    assert verify(game, parse_record(format_record(complete)))[-1].entries > 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda section: replace(section, lines=section.lines + 9), "bad_fork"),
        (lambda section: replace(section, order=(1,)), "bad_fork"),
        (lambda section: replace(section, secret=Hex("abc")), "bad_record_line"),
        (lambda section: replace(section, secret=Hex("ab" * 32)), "digest_differs"),
        (lambda section: replace(section, id="gother"), "digest_differs"),
    ],
)
def test_a_fork_that_does_not_say_its_draws_truly_is_detected(
    made: Record, change: object, code: str
) -> None:
    assert callable(change)
    complete = ended(made, "11" * 32)
    fork = complete.head.fork
    assert fork is not None
    [section] = fork.parts
    changed: ForkSection = change(section)
    head = replace(complete.head, fork=replace(fork, parts=(changed,)))
    with pytest.raises(RecordError) as error:
        verify(GAMES[made.head.game], sealed(replace(complete, head=head)))
    assert error.value.code in (code, "refused")


def test_a_fork_without_its_draws_is_no_complete_record(made: Record) -> None:
    complete = ended(made, "11" * 32)
    head = replace(complete.head, fork=Fork("gold", 5))
    with pytest.raises(RecordError, match="bad_fork"):
        verify(GAMES[made.head.game], sealed(replace(complete, head=head)))


def test_a_running_record_does_not_tell_what_was_drawn_with(made: Record) -> None:
    assert made.head.fork is not None
    [section] = made.head.fork.parts
    shown = format_record(conceal(GAMES[made.head.game], made, frozenset()))
    assert section.secret not in shown
    assert f"fork {made.head.fork.id} at 5\n--\n" in shown


def test_a_running_game_has_no_beginning_to_go_on_from(made: Record) -> None:
    with pytest.raises(RecordError, match="unsealed"):
        beginning(made, 2, 2)
