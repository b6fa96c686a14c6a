"""Is a record one text, can it be edited and replayed, and does nothing forged pass as genuine?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear import rules
from bluebear.rules.core.chance import chance_key, commitment, seat_order
from bluebear.rules.core.conformance.case import read_case
from bluebear.rules.core.game import Game
from bluebear.rules.core.phrases import LANGS, Phrases
from bluebear.rules.core.record import (
    Digested,
    End,
    EndReason,
    Head,
    Hex,
    Moved,
    Record,
    RecordError,
    RecordLine,
    Resigned,
    Seated,
    Undone,
    chance_header,
    conceal,
    explain,
    format_line,
    format_record,
    parse_line,
    parse_record,
    replay,
    verify,
)
from bluebear.rules.core.visibility import Seat
from tests.rules.sample_records import recorded, sealed

GAMES: Final = rules.games(("tests.games",))
DUEL: Final = GAMES["duel"]
JOURNEY: Final = GAMES["journey"]
SEALED: Final = GAMES["sealed"]

# One traveller; nothing is drawn, so nothing needs the seed.
STROLL: Final = """\
bluebear record 1
game journey rules 1
id G7
options days=2 season=summer
joined 1=Ayu
order 1
commit 00
--
1 /go mill ; /go castle
1 /back
1 /rest
@clock 1 /go harbor
@undo 1
1 /go castle
1 /rest
--
end score
result 1=0
"""


def genuine(game: Game[Any], seed: int = 3, options: str = "", *, undoing: bool = False) -> Record:
    """The sealed record of a random game."""
    return recorded(read_case(game, options.split()), seed, undoing=undoing)


def problem(game: Game[Any], text: str, *, verified: bool = False) -> tuple[int, str]:
    """Line and code of what is wrong with a text."""
    with pytest.raises(RecordError) as caught:
        (verify if verified else replay)(game, parse_record(text))
    assert all(explain(caught.value, lang, game) for lang in LANGS)
    return caught.value.line, caught.value.code


numbers = st.integers(1, 999)
seats = numbers.map(Seat)
texts = st.text(
    st.characters(exclude_categories=["Z", "C"], exclude_characters="="), min_size=1, max_size=8
)
hexes = st.binary(min_size=1, max_size=32).map(lambda seed: Hex(seed.hex()))
canonical_lines = st.sampled_from(["/go mill", "/take 4 3 2", "?", "/bid ?"])
record_lines: st.SearchStrategy[RecordLine] = st.one_of(
    st.builds(
        Moved,
        seats,
        st.lists(canonical_lines, min_size=1, max_size=3).map(tuple),
        by_clock=st.booleans(),
    ),
    st.builds(Undone, numbers),
    st.builds(Seated, seats, texts),
    st.builds(Resigned, seats),
    st.builds(Digested, hexes),
)
ends = st.builds(
    End,
    st.sampled_from(EndReason),
    secret=st.none() | hexes,
    scores=st.lists(st.tuples(seats, st.integers(-99, 99)), max_size=3).map(tuple),
    sum=st.none() | hexes,
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record, sensible or not."""
    joined = draw(st.lists(texts, min_size=1, max_size=4))
    head = Head(
        game=draw(texts),
        rules=draw(numbers),
        id=draw(texts),
        options=tuple(draw(st.lists(st.tuples(texts, texts), max_size=3))),
        joined=tuple(joined),
        order=tuple(draw(st.permutations(range(1, len(joined) + 1)))),
        commit=draw(hexes),
        seeds=tuple(draw(st.lists(st.tuples(numbers, hexes), max_size=2))),
    )
    return Record(head, tuple(draw(st.lists(record_lines, max_size=5))), draw(st.none() | ends))


@given(records())
def test_reading_what_was_written_gives_the_record(record: Record) -> None:
    assert parse_record(format_record(record)) == record


@given(record_lines)
def test_one_line_can_be_read_alone(line: RecordLine) -> None:
    assert parse_line(format_line(line)) == line


@given(st.text(alphabet="@=-/ ?123abcdefghijklmnopqrstuvwxyz;\n", max_size=40))
def test_a_changed_text_is_read_as_it_stands_or_not_at_all(changed: str) -> None:
    text = STROLL.replace("@undo 1\n", changed)
    try:
        record = parse_record(text)
    except RecordError:
        return
    assert format_record(record) == text


def test_a_record_reads_like_this() -> None:
    record = parse_record(STROLL)
    assert record.head.joined == ("Ayu",)
    assert record.lines[0] == Moved(Seat(1), ("/go mill", "/go castle"))
    assert record.lines[3:5] == (Moved(Seat(1), ("/go harbor",), by_clock=True), Undone(1))
    assert record.end == End(EndReason.SCORE, scores=((Seat(1), 0),))


def test_only_the_last_newline_may_be_missing() -> None:
    assert parse_record(STROLL.removesuffix("\n")) == parse_record(STROLL)
    assert problem(JOURNEY, STROLL + "\n") == (19, "bad_record_line")


@pytest.mark.parametrize(
    ("line", "text", "code"),
    [
        (1, "bluebear record 2", "no_record"),
        (2, "game journey", "bad_record_line"),
        (3, "id G 7", "bad_record_line"),
        (4, "options  days=2 season=summer", "bad_record_line"),
        (5, "joined 2=Ayu", "bad_record_line"),
        (6, "order 2", "bad_order"),
        (7, "commit XY", "bad_record_line"),
        (8, "seed 1", "bad_record_line"),
        (9, "1 go mill", "bad_record_line"),
        (10, "@undo 0", "bad_record_line"),
        (11, "01 /rest", "bad_record_line"),
        (12, "@shout 1", "bad_record_line"),
        (17, "end well", "bad_record_line"),
        (18, "result 1 = 0", "bad_record_line"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: int, text: str, code: str) -> None:
    lines = STROLL.splitlines()
    lines[line - 1] = text
    assert problem(JOURNEY, "\n".join(lines)) == (line, code)


def test_the_lines_of_the_end_have_an_order() -> None:
    assert problem(JOURNEY, STROLL + "sum 00\nS 00\n") == (20, "bad_record_line")


def test_a_text_that_stops_in_its_head_is_cut_short() -> None:
    assert problem(JOURNEY, "bluebear record 1\ngame journey rules 1\n") == (3, "cut_short")


def test_a_name_of_two_terms_cannot_stand_in_a_record() -> None:
    head = replace(parse_record(STROLL).head, joined=("Ayu Bo",))
    with pytest.raises(ValueError, match="not one word"):
        format_record(Record(head))


def test_a_record_that_draws_nothing_needs_no_seed() -> None:
    moments = replay(JOURNEY, parse_record(STROLL))
    assert [moment.entries for moment in moments] == [0, 1, 2, 3, 4, 3, 4, 5]
    assert moments[5].state == moments[3].state
    assert JOURNEY.result(moments[-1].state) is not None


def test_a_line_that_draws_needs_the_seed() -> None:
    assert problem(JOURNEY, STROLL.replace("1 /rest", "1 /dig", 1)) == (11, "no_seed")


def test_a_setup_that_draws_needs_the_seed() -> None:
    record = genuine(DUEL)
    assert record.end is not None
    bare = replace(record, end=replace(record.end, secret=None, sum=None))
    assert problem(DUEL, format_record(bare)) == (2, "no_seed")


def test_an_edited_line_stops_the_replay_where_it_stands() -> None:
    with pytest.raises(RecordError) as caught:
        replay(JOURNEY, parse_record(STROLL.replace("@clock 1 /go harbor", "@clock 1 /go forest")))
    assert (caught.value.line, caught.value.code) == (12, "refused")
    assert caught.value.refusal is not None
    assert caught.value.refusal.code == "not_next"
    assert explain(caught.value, "en", JOURNEY) == (
        "Line 12: /go forest is not possible here. the forest is not next to where you are."
    )


def test_only_the_last_line_of_an_entry_may_draw() -> None:
    text = STROLL.replace("/go mill ; /go castle", "/dig ; /go castle")
    assert problem(JOURNEY, text) == (9, "draws_too_early")


def test_more_cannot_be_taken_back_than_stands() -> None:
    assert problem(JOURNEY, STROLL.replace("@undo 1", "@undo 5")) == (13, "undone_too_far")


def test_another_game_is_not_replayed() -> None:
    assert problem(DUEL, STROLL) == (2, "other_game")
    assert problem(JOURNEY, STROLL.replace("rules 1", "rules 9")) == (2, "other_game")


def test_an_option_that_the_game_does_not_have_is_named() -> None:
    assert problem(JOURNEY, STROLL.replace("days=2", "days=9")) == (4, "no_option")


def test_too_many_seats_for_the_game_are_refused() -> None:
    text = STROLL.replace("1=Ayu", "1=A 2=B 3=C 4=D").replace("order 1", "order 1 2 3 4")
    assert problem(JOURNEY, text) == (6, "bad_order")


def test_a_seat_that_is_not_there_is_refused() -> None:
    assert problem(JOURNEY, STROLL.replace("@undo 1", "@seat 2 Bo")) == (13, "no_seat")


def test_another_result_is_refused() -> None:
    assert problem(JOURNEY, STROLL.replace("result 1=0", "result 1=9")) == (17, "wrong_result")


def test_a_game_that_continues_has_not_ended_by_score() -> None:
    assert problem(JOURNEY, STROLL.replace("1 /rest\n--", "--")) == (16, "wrong_end")


def test_a_game_that_is_over_was_not_given_up() -> None:
    assert problem(JOURNEY, STROLL.replace("end score", "end void")) == (17, "wrong_end")


def test_a_hidden_line_cannot_be_followed() -> None:
    assert problem(JOURNEY, STROLL.replace("1 /back", "1 ?")) == (10, "concealed")


def test_taking_back_does_not_take_back_the_draw() -> None:
    record = genuine(JOURNEY)
    dig = Moved(Seat(1), ("/dig",))
    again = replace(record, lines=(dig, Undone(1), dig), end=None)
    assert record.end is not None
    open_end = replace(again, end=End(EndReason.VOID, secret=record.end.secret))
    moments = replay(JOURNEY, open_end)
    assert [moment.counter for moment in moments] == [0, 1, 1, 2]


@pytest.mark.parametrize("key", list(GAMES))
@pytest.mark.parametrize("seed", range(17))
def test_a_genuine_record_is_verified(key: str, seed: int) -> None:
    record = genuine(GAMES[key], seed, undoing=True)
    moments = verify(GAMES[key], parse_record(format_record(record)))
    assert GAMES[key].result(moments[-1].state) is not None


@given(at=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_one_flipped_bit_anywhere_is_detected(at: int, bit: int) -> None:
    data = bytearray(format_record(genuine(SEALED)).encode())
    data[at % len(data)] ^= 1 << bit
    with pytest.raises((RecordError, UnicodeDecodeError)):
        verify(SEALED, parse_record(data.decode()))


def _other_secret(record: Record) -> Record:
    assert record.end is not None
    assert record.end.secret is not None
    return replace(record, end=replace(record.end, secret=_flipped(record.end.secret)))


def _other_commit(record: Record) -> Record:
    return replace(record, head=replace(record.head, commit=_flipped(record.head.commit)))


def _other_seat_seed(record: Record) -> Record:
    ((seat, seed),) = record.head.seeds
    return replace(record, head=replace(record.head, seeds=((seat, _flipped(seed)),)))


def _other_id(record: Record) -> Record:
    return replace(record, head=replace(record.head, id="another"))


def _other_option(record: Record) -> Record:
    return replace(record, head=replace(record.head, options=(("rounds", "2"),)))


def _other_line(record: Record) -> Record:
    first = record.lines[0]
    assert isinstance(first, Moved)
    other = "/seal 1" if first.lines != ("/seal 1",) else "/seal 2"
    return replace(record, lines=(replace(first, lines=(other,)), *record.lines[1:]))


def _other_digest(record: Record) -> Record:
    return replace(record, lines=(*record.lines[:-1], Digested(Hex("0" * 32))))


def _no_digest(record: Record) -> Record:
    return replace(record, lines=record.lines[:-1])


def _fewer_lines(record: Record) -> Record:
    return replace(record, lines=record.lines[2:])


def _flipped(text: Hex) -> Hex:
    return Hex(("1" if text[0] == "0" else "0") + text[1:])


@pytest.mark.parametrize(
    "forge",
    [
        _other_secret,
        _other_commit,
        _other_seat_seed,
        _other_id,
        _other_option,
        _other_line,
        _other_digest,
        _no_digest,
        _fewer_lines,
    ],
)
def test_a_forger_who_mends_the_sum_is_detected(forge: Callable[[Record], Record]) -> None:
    forged = sealed(forge(genuine(SEALED)))
    with pytest.raises(RecordError) as caught:
        verify(SEALED, parse_record(format_record(forged)))
    assert caught.value.code != "wrong_sum"


def test_a_secret_of_another_length_is_detected() -> None:
    record = genuine(SEALED)
    assert record.end is not None
    short = sealed(replace(record, end=replace(record.end, secret=Hex("00"))))
    assert problem(SEALED, format_record(short), verified=True) == (7, "wrong_commit")


@pytest.mark.parametrize("missing", ["S", "sum"])
def test_an_open_record_cannot_be_verified(missing: str) -> None:
    lines = format_record(genuine(SEALED)).splitlines()
    stored = [line for line in lines if not line.startswith(f"{missing} ")]
    assert problem(SEALED, "\n".join(stored), verified=True)[1] == "unsealed"


def test_a_running_game_cannot_be_verified() -> None:
    running = replace(genuine(SEALED), end=None)
    assert problem(SEALED, format_record(running), verified=True)[1] == "unsealed"


def test_a_digest_is_due_after_sixteen_entries() -> None:
    record = genuine(JOURNEY, options="seats=3 days=4")
    first = next(at for at, line in enumerate(record.lines) if isinstance(line, Digested))
    assert first == 16
    without = replace(record, lines=record.lines[:16] + record.lines[17:])
    line, code = problem(JOURNEY, format_record(sealed(without)), verified=True)
    assert (line, code) == (without.line_number(16), "digest_missing")


def test_seats_may_be_drawn_and_nothing_else() -> None:
    record = genuine(SEALED, options="seats=3 rounds=1")
    assert record.end is not None
    assert record.end.secret is not None
    secret = bytes.fromhex(record.end.secret)
    options = SEALED.info.complete({"rounds": 1})
    header = chance_header(record.head, options, None)
    drawn = seat_order(secret, header, (1, 2, 3))
    assert drawn != (1, 2, 3)
    played = _with_order(record, drawn)
    assert verify(SEALED, played)
    other = _with_order(record, tuple(reversed(drawn)))
    assert problem(SEALED, format_record(other), verified=True) == (6, "wrong_order")


def _with_order(record: Record, order: tuple[int, ...]) -> Record:
    """The same lines with the seats in another order, digests and result as they come out."""
    head = replace(record.head, order=order)
    lines = tuple(line for line in record.lines if not isinstance(line, Digested))
    assert record.end is not None
    moved = Record(head, lines, replace(record.end, scores=(), sum=None))
    state = replay(SEALED, moved)[-1].state
    digest = Digested(Hex(SEALED.tree.digest(state)))
    return sealed(replace(moved, lines=(*lines, digest)))


def test_the_key_hangs_on_everything_that_was_fixed_at_the_start() -> None:
    head = Head(
        game="sealed",
        rules=1,
        id="G7",
        options=(),
        joined=("Ayu", "Ben"),
        order=(1, 2),
        commit=Hex("00"),
        seeds=((1, Hex("00")),),
    )

    def key(**changes: Any) -> bytes:
        options = changes.pop("options", {"rounds": 3})
        order = changes.pop("order", (1, 2))
        return chance_key(bytes(32), chance_header(replace(head, **changes), options, order))

    keys = [
        key(),
        key(id="G8"),
        key(game="duel"),
        key(rules=2),
        key(options={"rounds": 4}),
        key(joined=("Ayu", "Ben", "Chie")),
        key(order=None),
        key(order=(2, 1)),
        key(seeds=((1, Hex("01")),)),
        key(seeds=((2, Hex("00")),)),
        key(seeds=()),
    ]
    assert len(set(keys)) == len(keys)


def test_the_commitment_is_that_of_the_secret() -> None:
    record = genuine(SEALED)
    assert record.end is not None
    assert record.end.secret is not None
    assert commitment(bytes.fromhex(record.end.secret)) == record.head.commit


def test_other_people_get_a_running_record_without_secrets() -> None:
    record = genuine(SEALED)
    shown = conceal(SEALED, record, frozenset({Seat(1)}))
    of_seat = [line for line in shown.lines if isinstance(line, Moved) and line.seat == 1]
    theirs = [line for line in shown.lines if isinstance(line, Moved) and line.seat != 1]
    assert not any(line.concealed for line in of_seat)
    assert {line.lines for line in theirs} == {("?",)}
    text = format_record(shown)
    assert not re.search("^(=|S|sum|end|result) ", text, re.MULTILINE)
    assert parse_record(text) == shown


def test_every_problem_has_its_sentence() -> None:
    folder = Path(rules.core.record.__path__[0])
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    raised = set(re.findall(r'RecordError\([^()]*(?:\([^()]*\)[^()]*)*?"([a-z_]+)"', source))
    raised |= {"no_seed", "draws_too_early"}  # chosen between by the place in the entry
    phrases = Phrases.load("bluebear.rules.core", "phrases.toml")
    reported = {key.removeprefix("record.") for key in phrases if key.startswith("record.")}
    assert raised == reported


def test_the_names_at_the_table_are_by_seat_and_those_of_house_bots_as_they_are_there() -> None:
    head = replace(
        parse_record(STROLL).head, joined=("bot:club", "Ayu", "bot:club"), order=(2, 3, 1)
    )
    assert head.names == ("Ayu", "@club2", "@club3")
