"""The finished games of a person, rated or not: the data of /stats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bluebear.server.features.ratings.model import LISTED_GAMES
from bluebear.server.store import Answer, Append, ratings, streams
from tests.server.fixtures import Stage
from tests.server.hashes import install
from tests.server.test_ratings import current_rating, data_of, dig, game, lines_of, wins


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def test_a_finished_game_stays_on_the_list_of_its_players(stage: Stage) -> None:
    wins(stage, 1, "Ayu", "Ben")
    stage.come("Eva")
    stage.table("journey", "Eva", "Ayu")
    stage.play("Eva", "/option days 1", "/start", "/dig")
    stage.play("Ayu", "/dig")
    later, first = data_of(stage, "Ayu", "/stats")["played"]
    assert (later["game"], later["seats"], later["rated"]) == ("journey", 2, False)
    assert later["names"] == ["Eva", "Ayu"]
    assert later["rank"] == later["ranks"][1]
    assert (first["rated"], first["names"], first["rank"]) == (True, ["Ayu", "Ben"], 1)
    assert "not rated" in lines_of(stage, "Ayu", "/stats")[-2]
    # A game of a guest is listed, too, and of a game that was not rated only its players are told.
    [same] = data_of(stage, "Eva", "/stats")["played"]
    assert (same["game_id"], same["rank"]) == (later["game_id"], later["ranks"][0])
    assert lines_of(stage, "Eva", "/stats")[0] == "(stats) Eva has no rated games yet."
    assert data_of(stage, "Ben", "/stats Ayu")["played"] == [first]


def test_the_games_of_a_curve_come_with_the_name_of_the_game(stage: Stage) -> None:
    wins(stage, LISTED_GAMES + 2, "Ayu", "Ben")
    [rating] = data_of(stage, "Ben", "/stats Ayu")["ratings"]
    [curve] = data_of(stage, "Ben", "/stats Ayu journey")["ratings"]
    assert len(rating["recent"]) == LISTED_GAMES
    assert len(curve["recent"]) == LISTED_GAMES + 2
    assert curve["recent"][:LISTED_GAMES] == rating["recent"]
    assert curve["recent"][0]["points"] == rating["rating"]["points"]


def test_a_record_costs_two_queries_and_is_in_a_commit_with_what_other_rooms_say(
    stage: Stage,
) -> None:
    """Each query waits for a turn behind a commit of all rooms: `/again` waits for the record."""
    game(stage, "Ayu", "Ben", "Eva")
    queries: list[Any] = []
    append, read, commits = stage.journal.append, stage.journal.read, [stage.app.writer.commits]

    async def counted(batch: Sequence[Append]) -> list[Answer]:
        commits[0] += 1
        return await append(batch)

    async def noted(query: Any, *given: Any, **more: Any) -> Any:  # Any: see `Store.read`
        queries.append(query)
        return await read(query, *given, **more)

    stage.journal.append = counted  # type: ignore[method-assign]
    stage.journal.read = noted  # type: ignore[method-assign]
    dig(stage, "Ayu", "Ben", "Eva")
    assert stage.people["Ayu"].received[-1].startswith("Ratings: ")
    # The stage itself loads the room, to compare.
    queries = [query for query in queries if query is not streams.load]
    assert queries == [ratings.read_each] * 2, "before the record, and to announce it"
    assert commits[0] == stage.app.writer.commits
    assert current_rating(stage, "Eva", 3).games == 1
