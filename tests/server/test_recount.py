"""Ratings played again from the records are those that are stored, whatever was played."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluebear.rules.core.phrases import LANGS
from bluebear.server.features.ratings.model import (
    LISTED_GAMES,
    RECENT_GAMES,
    Rating,
    rated_facts,
    rating_of,
    rows_after,
)
from bluebear.server.features.ratings.queries import compare_ratings, main
from bluebear.server.room.rated_games import RatedGame
from bluebear.server.sentences import say
from bluebear.server.store import (
    RECORD_PREFIX,
    Append,
    Entry,
    Outrun,
    RatingRow,
    SqliteStore,
    Store,
    StreamId,
    Written,
    ratings,
)
from bluebear.server.store.backup import JOURNAL, lock_folder
from tests.support.simulated_store import SimulatedStore

PEOPLE = ("ayu", "ben", "eva", "fay")


@dataclass(frozen=True)
class Played:
    """A game that has ended; whether the rows before it were read too early, once."""

    game: RatedGame
    late: bool


@st.composite
def games(draw: st.DrawFn) -> list[Played]:
    made = []
    for number in range(draw(st.integers(1, 14))):
        players = tuple(draw(st.permutations(PEOPLE)))[: draw(st.integers(2, 4))]
        positions: tuple[int, ...] = ()
        left: tuple[str, ...] = ()
        if draw(st.integers(0, 4)):
            scores = [draw(st.integers(0, 3)) for _ in players]
            positions = tuple(1 + sum(other > score for other in scores) for score in scores)
        else:
            left = tuple(draw(st.sets(st.sampled_from(players), min_size=1)))
        key = draw(st.sampled_from(("itc", "tokai")))
        made.append(
            Played(
                RatedGame(f"g{number}", key, number, players, positions, left), draw(st.booleans())
            )
        )
    return made


async def keep(store: Store, game: RatedGame, early: dict[str, int] | None = None) -> None:
    """Store a game's record as the engine does, again where another game was quicker."""
    while True:
        before = {
            person: await store.read(ratings.read, game.key(person)) for person in game.concerned
        }
        if early is not None:
            before = {p: row and replace(row, seq=row.seq - 1) for p, row in before.items()}
        rows = rows_after(game, before)
        facts = rated_facts(game, rows)
        stream = StreamId(RECORD_PREFIX + game.id)
        entry = Entry(stream, 1, "server", "", ("a record",), facts, game.at)
        [answer] = await store.append([Append(entry, ratings=rows)])
        if answer == Written(1):
            return
        assert isinstance(answer, Outrun)
        early = None


async def play(store: Store, played: Sequence[Played]) -> None:
    for each in played:
        await keep(store, each.game, {} if each.late else None)


@settings(max_examples=60)
@given(games())
def test_ratings_from_records_are_the_stored_ones(played: list[Played]) -> None:
    async def scene() -> None:
        store = SimulatedStore()
        await play(store, played)
        result = await compare_ratings(store)
        assert result.games == len(played)
        assert result.lost == ()
        assert result.different == ()
        counted = {p for each in played for p in each.game.concerned}
        assert {person for person, _, _ in result.rows} == counted

    asyncio.run(scene())


@given(games())
@settings(max_examples=40)
def test_every_game_counts_once_for_all_people(played: list[Played]) -> None:
    async def scene() -> None:
        store = SimulatedStore()
        await play(store, played)
        for person in PEOPLE:
            rows = [rating_of(row) for row in await store.read(ratings.read_of, person, 99)]
            of_seat = [each.game for each in played if person in each.game.concerned]
            assert sum(row.games for row in rows) == sum(bool(game.places) for game in of_seat)
            assert sum(row.left for row in rows) == sum(not game.places for game in of_seat)
            assert all(len(row.recent) <= RECENT_GAMES for row in rows)

    asyncio.run(scene())


def test_the_order_in_which_records_are_read_is_no_matter() -> None:
    """Streams are named by chance: the changes that records tell of put them in order."""

    async def scene() -> None:
        chance = random.Random(7)
        names = [f"{chance.getrandbits(40):010x}" for _ in range(30)]
        store = SimulatedStore()
        for at, name in enumerate(names):
            players = tuple(chance.sample(PEOPLE, 2))
            await keep(store, RatedGame(name, "itc", at, players, (1, 2)))
        result = await compare_ratings(store)
        assert result.different == ()
        assert result.lost == ()

    asyncio.run(scene())


# What a game makes of strength and doubt.


def after(*ranks: int) -> list[Rating]:
    players = PEOPLE[: len(ranks)]
    game = RatedGame("g", "itc", 0, players, ranks)
    return [rating_of(row) for row in rows_after(game, {})]


def test_all_people_begins_with_a_thousand_points() -> None:
    assert (Rating().points, Rating().sureness) == (1000, 0)


def test_who_is_before_the_rest_gains_and_equal_ranks_are_equal() -> None:
    first, second, third = after(1, 1, 3)
    assert first.mu == second.mu > Rating().mu > third.mu
    assert first.sigma < Rating().sigma
    one, two, three, four = after(1, 2, 3, 4)
    assert one.mu > two.mu > three.mu > four.mu


def test_the_order_of_seats_is_no_matter() -> None:
    assert sorted(each.mu for each in after(1, 2, 3)) == sorted(e.mu for e in after(3, 1, 2))


def test_many_games_make_a_rating_sure_and_list_it() -> None:
    registered: dict[str, RatingRow | None] = {}
    listed = []
    for number in range(60):
        winner = number % 2
        game = RatedGame(f"g{number}", "itc", 0, PEOPLE[:2], (1 + winner, 2 - winner))
        registered = {row.person: row for row in rows_after(game, registered)}
        row = registered["ayu"]
        listed.append(row is not None and row.score is not None)
    assert listed.index(True) + 1 == LISTED_GAMES
    assert rating_of(registered["ayu"]).sureness == 3
    assert 1250 < rating_of(registered["ayu"]).points < 1550


# bluebear ratings


def stored(folder: Path, *, wrong: bool = False, lost: bool = False) -> None:
    """A server's journal with four rated games."""

    async def write() -> None:
        store = SqliteStore(folder / JOURNAL)
        for number in range(4):
            game = RatedGame(f"g{number}", "itc", number, PEOPLE[:2], (1, 2))
            if not (lost and number == 0):
                await keep(store, game)
                continue
            rows = rows_after(game, {})
            await store.write(ratings.replace_all, rows)
        if wrong:
            rows_now = await store.read(ratings.after, None, 9)
            await store.write(ratings.replace_all, [replace(rows_now[0], score=7)])
        await store.close()

    asyncio.run(write())


def text_of(key: str, lang: str, **params: object) -> str:
    return say(key, lang, **params)  # type: ignore[arg-type]  # words and numbers


def test_the_command_finds_all_as_it_should_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(tmp_path)
    assert main(["ratings", "--data", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    for lang in LANGS:
        assert text_of("records.ratings_same", lang, count=4, rows=2) in out


def test_the_command_shows_what_differs_and_puts_it_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(tmp_path, wrong=True)
    assert main(["ratings", "--data", str(tmp_path)]) == 1
    output = capsys.readouterr()
    assert "ben itc 2: - -> " in output.out
    assert text_of("records.ratings_differ", "en", count=2, rows=2) in output.err
    assert main(["ratings", "--again", "--data", str(tmp_path)]) == 0
    assert text_of("records.ratings_written", "ja", count=2, rows=2) in capsys.readouterr().out
    assert main(["ratings", "--data", str(tmp_path)]) == 0


def test_the_command_says_when_a_record_is_missing_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(tmp_path, lost=True)
    assert main(["ratings", "--again", "--data", str(tmp_path)]) == 1
    lost = text_of("records.ratings_lost", "en", count=3, games=("g1", "g2", "g3"))
    assert lost in capsys.readouterr().err


def test_the_command_wants_a_stopped_server_with_a_journal(tmp_path: Path) -> None:
    assert main(["ratings", "--data", str(tmp_path / "none")]) == 2
    assert main(["ratings", "--data", str(tmp_path)]) == 2
    stored(tmp_path)
    with lock_folder(tmp_path):
        assert main(["ratings", "--data", str(tmp_path)]) == 2
