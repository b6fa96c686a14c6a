"""Ratings by the row of their commands: which games are rated, what they change, /stats, /top."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bluebear.protocol import Answer as Answered
from bluebear.protocol import Ask, Hello
from bluebear.protocol.messages import Want
from bluebear.rules.core.visibility import Seat
from bluebear.server.features.ratings.model import LISTED_GAMES, Rating, rating_of
from bluebear.server.room.events import RatingsChanged
from bluebear.server.room.state import Phase
from bluebear.server.store import Answer, Append, Done, NotSaved, Outrun, RatingRow, ratings
from tests.server.fixtures import Stage
from tests.server.hashes import QuickHasher, install

SECRET = "correct horse"


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


def accounts(stage: Stage, *names: str) -> None:
    """People who keep their names."""
    for name in names:
        if name not in stage.people:
            stage.come(name)
            stage.say(name, f"/register {SECRET}", lobby=True)


def table(stage: Stage, *names: str, kind: str = "public") -> None:
    """A room of journey with people who have accounts."""
    accounts(stage, *names)
    stage.table("journey", *names, kind=kind)
    stage.play(names[0], "/option days 1")


def game(stage: Stage, *names: str) -> None:
    """The same, with a game that has begun."""
    table(stage, *names)
    stage.play(names[0], "/start")


def dig(stage: Stage, *names: str) -> None:
    """The day is over with this, and the game."""
    for name in names:
        stage.play(name, "/dig")


def row(stage: Stage, name: str, seats: int = 2) -> RatingRow | None:
    key = (stage.people[name].id, "journey", seats)
    return stage.run(stage.journal.read(ratings.read, key))


def current_rating(stage: Stage, name: str, seats: int = 2) -> Rating:
    return rating_of(row(stage, name, seats))


# Which games are rated.


def test_a_public_game_between_accounts_is_rated_and_says_so(stage: Stage) -> None:
    table(stage, "Ayu", "Ben")
    assert stage.people["Ben"].view["room"]["rated"] is True
    received = stage.say("Ayu", "/start")
    assert "This game is rated." in received["Ben"]
    assert stage.room.table.rated
    assert "This game is rated." in stage.say("Ben", "/info")["Ben"][0]
    assert stage.people["Ben"].view["room"]["rated"] is True


@pytest.mark.parametrize("kind", ["unlisted", "private"])
def test_a_room_that_is_not_in_the_list_is_not_rated(stage: Stage, kind: str) -> None:
    accounts(stage, "Ayu", "Ben")
    stage.say("Ayu", f"/newroom journey {kind}", lobby=True)
    assert "not rated: the room is not public" in stage.say("Ayu", "/info")["Ayu"][0]


def test_a_game_with_a_guest_is_not_rated_and_accounts_hear_why(stage: Stage) -> None:
    stage.come("Eva")
    table(stage, "Ayu", "Ben", "Eva")
    assert "not rated: Eva has no account" in stage.say("Ben", "/info")["Ben"][0]
    [line] = [each for each in stage.say("Ayu", "/start")["Ben"] if "not rated" in each]
    assert "and Eva is not" in line
    assert not stage.room.table.rated
    assert stage.people["Ben"].view["room"]["rated"] is False
    dig(stage, "Ayu", "Ben", "Eva")
    assert not current_rating(stage, "Ayu", 3).games


def test_guests_among_themselves_hear_nothing_of_ratings(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.table("journey", "Ayu", "Ben", kind="public")
    assert not [each for each in stage.say("Ayu", "/start")["Ben"] if "rated" in each]
    assert "This game is not rated." in stage.say("Ayu", "/info")["Ayu"][0]


def test_a_game_with_a_house_bot_or_a_program_is_not_rated(stage: Stage) -> None:
    table(stage, "Ayu")
    stage.play("Ayu", "/bot")
    assert "is a house bot" in stage.say("Ayu", "/info")["Ayu"][0]
    stage.play("Ayu", "/bot remove 2")
    stage.connect("Robo", bot=True)
    stage.say("Robo", f"/register {SECRET}", lobby=True)
    stage.enter("Robo")
    stage.play("Robo", "/join")
    assert "not rated: Robo is a program" in stage.say("Ayu", "/info")["Ayu"][0]
    stage.play("Ayu", "/start")
    assert not stage.room.table.rated


def test_no_person_is_rated_alone(stage: Stage) -> None:
    table(stage, "Ayu")
    assert "at least two" in stage.say("Ayu", "/info")["Ayu"][0]


def test_who_registers_at_the_table_is_rated_too(stage: Stage) -> None:
    stage.come("Ben")
    table(stage, "Ayu", "Ben")
    stage.say("Ben", f"/register {SECRET}")
    stage.play("Ayu", "/start")
    assert stage.room.table.rated


def test_who_logs_in_is_rated(stage: Stage) -> None:
    accounts(stage, "Ayu", "Ben")
    stage.come("phone")
    stage.say("phone", f"/login Ben {SECRET}", lobby=True)
    stage.table("journey", "Ayu", "phone", kind="public")
    stage.play("Ayu", "/start")
    assert stage.room.table.rated


def test_the_option_rated_and_startnosave_make_a_game_unrated(stage: Stage) -> None:
    table(stage, "Ayu", "Ben")
    stage.play("Ayu", "/option rated off")
    assert stage.people["Ben"].view["room"]["rated"] is False
    assert "the option rated is off" in stage.say("Ayu", "/info")["Ayu"][0]
    stage.play("Ayu", "/start")
    assert not stage.room.table.rated
    dig(stage, "Ayu", "Ben")
    stage.play("Ayu", "/again", "/option rated on", "/startnosave")
    assert not stage.room.table.rated
    dig(stage, "Ayu", "Ben")
    assert not current_rating(stage, "Ayu").games
    stage.play("Ayu", "/again", "/start")
    assert stage.room.table.rated


def test_a_rated_game_is_one_after_a_restart_too(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    tokens = {name: stage.people[name].token for name in ("Ayu", "Ben")}
    stage.restart()
    for name, token in tokens.items():
        stage.back(name, token)
    assert stage.room.table.rated
    dig(stage, "Ayu", "Ben")
    assert current_rating(stage, "Ben").games == 1


# What a game changes.


def test_a_rated_game_tells_how_the_ratings_changed(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/go mill", "/rest")
    stage.play("Ben", "/dig")
    assert stage.people["Ayu"].received[-1] == "Ratings: Ayu 954 (-46), Ben 1085 (+85)"
    ratings = stage.people["Ben"].view["room"]["ending"]["ratings"]
    assert ratings == {"1": {"change": -46, "points": 954}, "2": {"change": 85, "points": 1085}}
    assert current_rating(stage, "Ben").ranks == (1, 0)
    assert current_rating(stage, "Ayu").ranks == (0, 1)


def test_a_tie_changes_no_strength(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    dig(stage, "Ayu", "Ben")
    ending = stage.room.table.ending
    assert ending is not None
    ranks = [ending.places[Seat(seat)].place for seat in (1, 2)]
    if ranks == [1, 1]:
        assert current_rating(stage, "Ayu").mu == current_rating(stage, "Ben").mu == Rating().mu
    assert sum(current_rating(stage, "Ayu").ranks) == 1


def test_who_resigns_has_played_and_is_last(stage: Stage) -> None:
    game(stage, "Ayu", "Ben", "Eva")
    stage.play("Eva", "/resign!")
    dig(stage, "Ayu", "Ben")
    stage.wait(30)
    assert stage.room.table.phase is Phase.OVER
    assert current_rating(stage, "Eva", 3).ranks == (0, 0, 1)
    assert current_rating(stage, "Ayu", 3).games == 1
    assert current_rating(stage, "Eva", 3).left == 0
    ratings = stage.room.log[-1].events[0]
    assert isinstance(ratings, RatingsChanged)
    assert ratings.changes[2].startswith("Eva 930 (")


def test_resigning_a_game_of_two_ends_and_counts_it(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/resign!")
    assert current_rating(stage, "Ben").ranks == (1, 0)
    assert current_rating(stage, "Ayu").left == 0
    assert current_rating(stage, "Ayu").ranks == (0, 1)


def test_a_game_that_ends_by_agreement_gives_no_rating(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/masterreset!")
    stage.play("Ben", "/accept")
    assert stage.room.table.phase is Phase.OVER
    assert not current_rating(stage, "Ayu").games
    assert row(stage, "Ben") is None


def test_who_leaves_is_shown_and_no_person_is_rated(stage: Stage) -> None:
    game(stage, "Ayu", "Ben", "Eva")
    assert "This game is rated." in stage.say("Ayu", "/info")["Ayu"][0]
    stage.play("Eva", "/leave!")
    assert "as it stands no points change" in stage.say("Ayu", "/info")["Ayu"][0]
    stage.play("Ayu", "/masterreset!")
    stage.play("Ben", "/accept")
    assert "as it stands no points change" in stage.say("Ayu", "/info")["Ayu"][0]
    assert current_rating(stage, "Eva", 3).left == 1
    assert current_rating(stage, "Eva", 3).games == 0
    assert row(stage, "Ayu", 3) is None
    [received] = stage.say("Eva", "/stats")["Eva"]
    head, figures = received.split("\n")[1:3]
    assert (head.split()[-1], figures.split()) == ("Left", ["Journey", "3", "0", "1"])


def test_who_is_stood_in_for_at_the_end_has_left(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/dig")
    person = stage.people["Ben"].id
    stage.drop("Ben")
    stage.wait(200)
    assert stage.room.table.phase is Phase.OVER
    removed = stage.run(stage.journal.read(ratings.read, (person, "journey", 2)))
    assert (rating_of(removed).left, rating_of(removed).games) == (1, 0)
    assert not current_rating(stage, "Ayu").games


def test_who_returns_to_his_seat_has_played(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/dig")
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.wait(149)
    assert stage.room.table.phase is Phase.PLAYING
    stage.back("Ben", token)
    stage.play("Ben", "/dig")
    assert current_rating(stage, "Ben").games == current_rating(stage, "Ayu").games == 1


def test_whose_seat_was_taken_by_a_vote_has_not_left(stage: Stage) -> None:
    game(stage, "Ayu", "Ben", "Eva")
    stage.play("Ayu", "/kick Eva!")
    if stage.room.table.votes:
        stage.play("Ben", "/accept")
    stage.play("Ayu", "/masterreset!")
    stage.play("Ben", "/accept")
    assert row(stage, "Eva", 3) is None


def test_an_absent_player_is_prompted_before_a_rated_game_is_undone_or_given_up(
    stage: Stage,
) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/go mill")
    stage.drop("Ben")
    stage.say("Ayu", "/masterreset!")
    assert stage.room.table.phase is Phase.PLAYING
    assert stage.room.table.votes
    stage.wait(61)
    assert stage.room.table.phase is Phase.PLAYING
    assert not stage.room.table.votes


# Nothing is lost, nothing counts twice.


def test_two_games_of_one_person_that_end_at_once_both_count(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.come("phone")
    stage.say("phone", f"/login Ayu {SECRET}", lobby=True)
    game(stage, "phone", "Eva")
    outrun: list[Answer] = []
    append, read = stage.journal.append, stage.journal.read
    ayu, readers, both = stage.people["Ayu"].id, [0], asyncio.Event()

    async def noted(batch: Sequence[Append]) -> list[Answer]:
        answers = await append(batch)
        outrun.extend(each for each in answers if isinstance(each, Outrun))
        return answers

    async def together(query: Any, *given: Any, **more: Any) -> Any:  # Any: see `Store.read`
        """Let no game continue before both have read Ayu's rating."""
        result = await read(query, *given, **more)
        if query is ratings.read_each and any(person == ayu for person, *_ in given[0]):
            readers[0] += 1
            if readers[0] == 2:
                both.set()
            await both.wait()
        return result

    stage.journal.append = noted  # type: ignore[method-assign]
    stage.journal.read = together  # type: ignore[method-assign]
    stage.send("Ben", "/resign!")
    stage.send("Eva", "/resign!")
    stage.settle()
    assert outrun == [Outrun(ayu)], "they did meet"
    assert current_rating(stage, "Ayu").ranks == (2, 0)
    assert current_rating(stage, "Ben").games == current_rating(stage, "Eva").games == 1


def test_a_full_disk_keeps_record_and_ratings_together(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    game(stage, "Ayu", "Ben")
    writes, submit = stage.journal.append, stage.app.writer.submit
    refused, submitted = list[Append](), list[Append]()

    async def refuses(batch: Sequence[Append]) -> list[Answer]:
        rated = [each for each in batch if each.ratings]
        refused.extend(rated)
        return [NotSaved("full")] * len(batch) if rated else await writes(batch)

    def noted(append: Append, done: Done) -> None:
        submitted.append(append)
        submit(append, done)

    monkeypatch.setattr(stage.journal, "append", refuses)
    monkeypatch.setattr(stage.app.writer, "submit", noted)
    stage.send("Ben", "/resign!")
    stage.wait_only(3)
    assert not current_rating(stage, "Ayu").games
    assert len(refused) > 2
    assert len([each for each in submitted if each.ratings]) == 1, "with the lines of rooms: once"
    monkeypatch.undo()
    stage.wait(3)
    assert current_rating(stage, "Ayu").games == 1
    assert stage.people["Ayu"].received[-1].startswith("Ratings: ")


def test_a_server_that_died_before_it_reported_the_ratings_does_so_later(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    token = stage.people["Ayu"].token
    stage.send("Ben", "/resign!")
    stage.crash()
    stage.back("Ayu", token)
    stage.settle()
    assert current_rating(stage, "Ayu").games == 1
    ending = stage.room.table.ending
    assert ending is not None
    assert ending.ratings is not None
    record = stage.entries(f"record:{stage.room.table.game_id}")
    assert len(record) == 1


# /stats and /top.


def wins(stage: Stage, count: int, *names: str) -> None:
    """The last of them resigns, again and again."""
    game(stage, *names)
    for number in range(count):
        stage.play(names[-1], "/resign!")
        stage.wait(1)
        if number < count - 1:
            stage.play(names[0], "/again", "/start")


def lines_of(stage: Stage, name: str, line: str) -> list[str]:
    [text] = stage.say(name, line, lobby=True)[name]
    return text.split("\n")


def test_stats_tell_games_positions_points_and_the_last_games(stage: Stage) -> None:
    wins(stage, 2, "Ayu", "Ben")
    game_id = stage.room.table.game_id
    lines = lines_of(stage, "Ben", "/stats ayu")
    assert lines[0] == "(stats) Rated games of Ayu:"
    assert lines[1].split() == ["Game", "Seats", "Points", "Margin", "Games", "1st-2nd-...", "Left"]
    assert [lines[2].split()[at] for at in (0, 1, 2, 4, 5)] == ["Journey", "2", "1154", "2", "2-0"]
    assert lines[1].index("Points") + len("Points") == lines[2].index("1154") + len("1154")
    assert f"{game_id} Journey, 2 seats: place 1, +" in lines[-2]
    assert lines_of(stage, "Ben", "/stats")[0] == "(stats) Rated games of Ben:"
    assert lines_of(stage, "Ayu", "/stats Ben duel") == ["(stats) Ben has no rated games yet."]
    assert lines_of(stage, "Ayu", "/stats journey")[0] == "(stats) Rated games of Ayu:"
    assert stage.refused("Ayu", "/stats Nobody", lobby=True) == "no_such_person"


def test_who_hears_the_figures_is_shown_them_in_sentences(stage: Stage) -> None:
    wins(stage, LISTED_GAMES, "Ayu", "Ben")
    listening = stage.dial("Emi")
    wants = frozenset[Want]({"linear"})
    stage.frame("Emi", listening.codec.encode(Hello(name="Emi", langs=("en",), wants=wants)))
    lines = lines_of(stage, "Emi", "/stats Ayu")
    points = current_rating(stage, "Ayu").points
    assert lines[1].startswith(f"Journey, 2 seats: {points} points (")
    assert f"{LISTED_GAMES} games: place 1 x {LISTED_GAMES}." in " ".join(" ".join(lines).split())
    assert lines_of(stage, "Emi", "/top journey 2")[1].startswith("1. Ayu: ")


def test_stats_of_a_person_who_is_long_absent_are_there(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    wins(stage, 1, "Ayu", "Ben")
    stage.drop("Ben")
    monkeypatch.setattr("bluebear.server.people.people.TOKEN_MS", 0)
    assert stage.refused("Ayu", "/friends add Ben", lobby=True) == "no_such_person"
    assert lines_of(stage, "Ayu", "/stats Ben")[0] == "(stats) Rated games of Ben:"


def test_top_lists_who_has_played_enough_the_best_first(stage: Stage) -> None:
    wins(stage, LISTED_GAMES - 1, "Ayu", "Ben")
    no_player = f"Nobody has played {LISTED_GAMES} rated games yet."
    lines = lines_of(stage, "Ayu", "/top journey 2")
    assert lines[:2] == ["(top) Journey, 2 seats", no_player]
    assert lines[2].endswith(
        f"points, {LISTED_GAMES - 1} of the {LISTED_GAMES} games that the list wants."
    )
    stage.play("Ayu", "/again", "/start")
    stage.play("Ben", "/resign!")
    lines = lines_of(stage, "Ben", "/top journey")
    assert lines[0] == "(top) Journey, 2 seats"
    assert lines[1].split() == ["Name", "Points", "Margin", "Games"]
    assert [line.split()[:2] for line in lines[2:4]] == [["1.", "Ayu"], ["2.", "Ben"]]
    assert len({len(line) for line in lines[1:4]}) == 1, "numbers end alike"
    assert lines_of(stage, "Ben", "/top tokai") == [f"(top) {no_player}"]
    assert lines_of(stage, "Ben", "/top")[0].startswith("(top) The best of which game? /top ")
    assert stage.refused("Ben", "/top journey 9", lobby=True) == "bad_word"


def test_top_in_a_room_is_about_its_game_and_seats(stage: Stage) -> None:
    wins(stage, LISTED_GAMES, "Ayu", "Ben")
    [text] = stage.say("Ben", "/top")["Ben"]
    assert text.split()[:10][-2:] == ["1.", "Ayu"]
    [text] = stage.say("Ben", "/top 3")["Ben"]
    assert text.startswith("(top) Journey, 3 seats\nNobody")


def test_ones_row_is_shown_behind_the_page(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bluebear.server.features.ratings.TOP_SIZE", 1)
    wins(stage, LISTED_GAMES, "Ayu", "Ben")
    lines = lines_of(stage, "Ben", "/top journey 2")
    assert lines[2].startswith("1.  Ayu ")
    assert lines[3].startswith("You are at place 2: ")
    assert lines[4] == "More: /top journey 2 2"
    second = lines_of(stage, "Ayu", "/top journey 2 2")
    assert second[2].startswith("2.  Ben ")


def test_who_is_renamed_is_listed_by_his_new_name(stage: Stage) -> None:
    wins(stage, LISTED_GAMES, "Ayu", "Ben")
    stage.play("Ayu", "/nick Ayumi")
    assert lines_of(stage, "Ben", "/top journey 2")[2].startswith("1.  Ayumi ")


def data_of(stage: Stage, name: str, text: str) -> Any:  # Any: a plain tree
    """The data of a query."""
    request = Ask(id=f"ask{len(text)}", what="query", args={"text": text})
    stage.frame(name, stage.people[name].codec.encode(request))
    return stage.people[name].last(Answered).body["data"]


def test_programs_ask_for_the_same_as_data(stage: Stage) -> None:
    wins(stage, LISTED_GAMES, "Ayu", "Ben")

    rank = current_rating(stage, "Ben")
    result = data_of(stage, "Ben", "/stats")
    assert result["name"] == "Ben"
    [rating] = result["ratings"]
    assert (rating["game"], rating["seats"], rating["ranks"]) == ("journey", 2, [0, 5])
    shown = rating["rating"]
    assert (shown["mu_millionths"], shown["points"]) == (rank.mu, rank.points)
    assert len(rating["recent"]) == LISTED_GAMES
    [listed] = data_of(stage, "Ben", "/top journey 2")["lists"]
    assert [(each["rank"], each["name"]) for each in listed["rows"]] == [(1, "Ayu"), (2, "Ben")]
    assert listed["caller"]["points"] == rank.points


def test_in_japanese_the_same_is_reported(stage: Stage) -> None:
    wins(stage, LISTED_GAMES, "Ayu", "Ben")
    stage.say("Ben", "/lang ja", lobby=True)
    lines = lines_of(stage, "Ben", "/順位表 journey 2")
    assert lines[1].split() == ["名前", "点", "誤差", "局数"]
    assert lines[2].startswith("1.  Ayu ")
    assert lines_of(stage, "Ben", "/戦績 Ayu")[0] == "(stats) Ayuのレーティング戦:"
