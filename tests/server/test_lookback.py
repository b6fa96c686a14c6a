"""Replays: every version as it was sent, to each person who saw it; finished games in full."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from bluebear.protocol import Room as Snapshot
from bluebear.rules.core.merge_patch import apply, canonical
from bluebear.rules.core.record import parse_record
from bluebear.rules.core.visibility import SPECTATOR, Eyes, Seat
from bluebear.server.features.replays import courses, pages
from bluebear.server.features.replays.course import Course
from bluebear.server.features.replays.courses import Courses
from bluebear.server.features.replays.pages import STEPS_MAX, replay_page
from bluebear.server.room.reducer import fold
from bluebear.server.room.snapshot import follow
from bluebear.server.room.state import Room
from bluebear.server.rooms.loading import keep_room, read_finished
from bluebear.server.sentences import event_lines
from bluebear.server.store import Append, Entry, streams
from tests.journals import reader
from tests.journals.test_journals import JOURNALS, journals
from tests.server.fixtures import GAMES, Stage
from tests.server.test_questions import ask
from tests.support.simulated_store import SimulatedStore
from tests.support.views import view_of


def eyes_of_all(room: Room) -> list[Eyes]:
    """A spectator's, and those of every seat."""
    return [SPECTATOR, *(frozenset((seat,)) for seat in room.seats)]


def loaded(entries: Sequence[Entry]) -> Room:
    """The room as a server loads it, by the rules that its game began with."""
    made = follow(None, entries, GAMES)
    assert made is not None
    assert not made.problem
    return made.room


def views_of(entries: list[Entry], game_id: str) -> Iterator[dict[Eyes, tuple[int, bytes]]]:
    """The views of every version of a game that were sent to each client."""
    room: Room | None = None
    for entry in entries:
        room = fold(room, entry, GAMES).room
        if room.game is not None and room.table.game_id == game_id:
            game = GAMES[room.table.game]
            yield {
                eyes: (room.version_for(eyes), canonical(view_of(room, game, eyes)))
                for eyes in eyes_of_all(room)
            }


def shown(page: Any) -> Iterator[tuple[int, bytes]]:
    """The versions and views that a client makes of a page."""
    view = page["view"]
    yield page["version"], canonical(view)
    for step in page["then"]:
        view = apply(step["patch"], view)
        yield step["version"], canonical(view)


async def fetch_course(course: Course, eyes: Eyes) -> dict[int, bytes]:
    """All of a course, fetched page by page as a client does."""
    made: dict[int, bytes] = {}
    first, steps = 0, 1
    while first <= steps:
        page = await replay_page(course, eyes, "en", first, "")
        assert page["from"] == first
        assert len(page["then"]) <= STEPS_MAX
        made |= shown(page)
        first, steps = first + 1 + len(page["then"]), page["steps"]
    assert len(made) == steps + 1
    return made


async def filled(stored: reader.Stored) -> SimulatedStore:
    """A journal in memory with the entries of a stored room."""
    journal = SimulatedStore()
    for entry in stored.entries:
        await journal.append([Append(entry)])
    return journal


@pytest.mark.slow_loop
@journals
async def test_a_replay_of_a_stored_journal_shows_what_was_sent_at_every_version(
    packed: Path, tmp_path: Path
) -> None:
    looked = 0
    for stored in await reader.stored(await reader.unpacked(packed, tmp_path)):
        room = loaded(stored.entries)
        if room.game is None:
            continue
        course = await Courses(await filled(stored), GAMES).running(room)
        replays = {eyes: await fetch_course(course, eyes) for eyes in eyes_of_all(room)}
        latest: dict[Eyes, bytes] = {}
        for views in views_of(list(stored.entries), room.table.game_id):
            for eyes, (version, sent) in views.items():
                latest[eyes] = replays[eyes].get(version, latest.get(eyes, b""))
                assert latest[eyes] == sent, f"version {version}, eyes {sorted(eyes)}"
                looked += 1
    assert looked > 0


async def test_a_course_is_the_same_when_it_is_taken_further_as_the_game_continues(
    tmp_path: Path,
) -> None:
    [manhattan] = [path for path in JOURNALS if path.name.startswith("manhattan")]
    stored = max(
        await reader.stored(await reader.unpacked(manhattan, tmp_path)),
        key=lambda s: len(s.entries),
    )
    journal, rooms = await filled(stored), list[Room]()
    for entry in stored.entries:
        before = rooms[-1] if rooms else None
        rooms.append(fold(before, entry, GAMES).room)
    playing = [room for room in rooms if room.game is not None]
    lookback = Courses(journal, GAMES)
    for room in playing[:: len(playing) // 5]:
        course = await lookback.running(room)
        assert course.stations[-1].version == room.version
    again = await Courses(journal, GAMES).running(playing[-1])
    course = await lookback.running(playing[-1])
    assert await fetch_course(course, SPECTATOR) == await fetch_course(again, SPECTATOR)


def test_a_snapshot_from_before_the_game_shortens_the_route(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.run(keep_room(stage.journal, GAMES, stage.room))
    stored = stage.room.version
    stage.play("Ayu", "/start")
    play_on(stage)
    assert stage.run(_loaded(stage.journal, stage.room)) == stored
    stage.run(keep_room(stage.journal, GAMES, stage.room))
    assert stage.run(_loaded(stage.journal, stage.room)) == 0, "one in the middle does not serve"


async def _loaded(journal: SimulatedStore, room: Room) -> int:
    """From which entry on a course is made."""
    read, requests = journal.read, list[int]()

    async def noting(query: Any, *given: Any, **more: Any) -> Any:  # Any: see `Store.read`
        if query is streams.load:
            requests.append(given[1])
        return await read(query, *given, **more)

    journal.read = noting  # type: ignore[method-assign]  # looked on
    course = await Courses(journal, GAMES).running(room)
    journal.read = read  # type: ignore[method-assign]
    assert course.stations[-1].version == room.version
    return requests[0]


def test_the_asker_sees_the_versions_as_he_saw_them_and_they_page(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", watching=["Emi"])
    seen: dict[str, dict[int, bytes]] = {name: {} for name in stage.people}

    def note() -> None:
        for name, listener in stage.people.items():
            seen[name][listener.version] = canonical(listener.view)

    note()
    for name, line in [("Ayu", "/seal 3"), ("Ben", "hello"), ("Ben", "/seal 5"), ("Ayu", "/s 1")]:
        stage.say(name, line)
        note()
    for name in stage.people:
        body = ask(stage, name, "replay")
        assert (body["game"], body["hash"] != "") == ("sealed", True)
        for version, view in shown(body):
            assert view == seen[name][version]
        newest = ask(stage, name, "replay", **{"from": 10_000})
        assert newest["from"] == newest["steps"] == len(body["then"])
        assert canonical(newest["view"]) == canonical(stage.people[name].view)


def test_hidden_choices_that_differ_make_equal_replays_for_other_people() -> None:
    """Two worlds differ only in a sealed card: the other members' replays and logs are equal."""
    reported: list[list[bytes]] = []
    for card in (2, 5):
        with Stage() as stage:
            stage.game("sealed", "Ayu", "Ben", "Chie", watching=["Emi"])
            stage.play("Chie", f"/seal {card}")
            reported.append(
                [
                    canonical(ask(stage, name, what, **{"from": 0}))
                    for name in ("Ayu", "Ben", "Emi")
                    for what in ("replay", "history")
                ]
            )
            of_seat = canonical(ask(stage, "Chie", "replay"))
            assert f'"card":{card}'.encode() in of_seat
    assert reported[0] == reported[1]


def test_the_sentences_of_a_game_are_made_once_for_all_who_see_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.game("sealed", "Ayu", "Ben", watching=["Emi", "Fay"])
    stage.play("Ayu", "/seal 3")
    stage.play("Ben", "/seal 5")
    made: list[Eyes] = []

    def counted(events: Any, eyes: Eyes, *more: Any) -> list[str]:  # Any: handed on as they came
        made.append(eyes)
        return event_lines(events, eyes, *more)

    monkeypatch.setattr(pages, "event_lines", counted)
    first = ask(stage, "Emi", "replay")
    assert made == [SPECTATOR] * (first["steps"] + 1)
    assert ask(stage, "Fay", "replay") == first
    assert len(made) == first["steps"] + 1
    ask(stage, "Ayu", "replay")
    assert made[-1] == frozenset((stage.seat_of("Ayu"),))


def play_on(stage: Stage) -> None:
    """The player on turn plays the first legal line."""
    game, seat = GAMES[stage.room.table.game], Seat(min(stage.room.table.turn))
    line = game.grammar.format(game.plain(stage.room.game, seat)[0])
    stage.play(stage.room.name_of(seat), line)


def played_out(stage: Stage) -> str:
    """Play a game to its end; its id."""
    game_id = stage.room.table.game_id
    while stage.room.table.phase == "playing":
        play_on(stage)
    return game_id


def test_a_finished_game_is_replayed_by_its_id_with_all_secrets_after_a_reset(
    stage: Stage,
) -> None:
    stage.game("journey", "Ayu", "Ben")
    game_id = played_out(stage)
    final = GAMES["journey"].tree.view(stage.room.game, frozenset(stage.room.seats))
    were = stage.people["Ayu"].view["room"]["ending"]
    stage.play("Ayu", "/reset")
    stage.come("Emi")
    body = ask(stage, "Emi", "replay", id=game_id)
    assert body["eyes"] == [1, 2]
    *_, (_, last) = shown(body)
    view = apply({}, body["view"])
    for step in body["then"]:
        view = apply(step["patch"], view)
    assert canonical(view) == last
    assert view["game"] == final
    assert view["room"]["phase"] == "over"
    assert view["room"]["ending"] == were
    assert [step["version"] for step in body["then"]] == list(range(1, body["steps"] + 1))
    assert all(step["at"] > 0 for step in body["then"])


def test_every_stored_record_is_replayed_as_its_room_was(tmp_path: Path) -> None:
    """For the finished rooms of the kept journals: each position of the record was on the table."""

    async def look(packed: Path) -> int:
        made = 0
        path = await reader.unpacked(packed, tmp_path)
        for stored in await reader.stored(path):
            room = loaded(stored.entries)
            if room.table.ending is None:
                continue
            text = await reader.stored_record(path, room.table.game_id)
            record = parse_record(text)
            course = await Courses(SimulatedStore(), GAMES).finished(record, ())
            all_seats = frozenset(room.seats)
            tree = GAMES[room.table.game].tree
            ran = [canonical(tree.view(s.state, all_seats)) for s in course.stations]
            sent = await Courses(await filled(stored), GAMES).running(room)
            were = [canonical(tree.view(s.state, all_seats)) for s in sent.stations]
            assert ran[0] == were[0]
            assert ran[-1] == were[-1]
            assert set(ran) <= set(were)
            ended = course.view(course.stations[-1], all_seats)["room"]["ending"]
            were_ended = sent.view(sent.stations[-1], all_seats)["room"]["ending"]
            were_ended.pop("ratings", None)  # of them the room speaks, the record does not
            assert ended == were_ended
            await fetch_course(course, all_seats)
            made += 1
        return made

    assert sum(asyncio.run(look(packed)) for packed in JOURNALS) >= 9


def test_a_page_is_bounded_in_bytes_and_the_next_one_continues(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.game("journey", "Ayu", "Ben")
    began = stage.room.version
    for number in range(20):
        stage.play("Ayu", f"word {number}")
    play_on(stage)
    play_on(stage)
    monkeypatch.setattr(pages, "PAGE_BYTES", 100)
    lines: list[dict[str, Any]] = []  # Any: plain trees
    at: int | None = 0
    while at is not None:
        page = ask(stage, "Ben", "history", **{"from": at})
        assert 0 < len(page["lines"]) < 15
        assert page["first"] == began
        lines, at = lines + page["lines"], page.get("next")
    assert lines == sorted(lines, key=lambda line: int(line["version"]))
    assert [line["text"] for line in lines if line["text"].startswith("Ayu: word")] == [
        f"Ayu: word {number}" for number in range(20)
    ]
    replay = ask(stage, "Ben", "replay")
    assert (replay["steps"], len(replay["then"])) == (2, 1), "at least one step, however large"


def test_the_log_reaches_behind_the_stored_tail_to_where_the_game_began(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    began = stage.room.version
    for number in range(70):
        stage.play("Ayu", f"word {number}")
    stored = ask(stage, "Ben", "history")["lines"]
    assert stored[0]["version"] > began
    page = ask(stage, "Ben", "history", **{"from": began, "count": 200})
    assert page["first"] == began
    assert page["lines"][-len(stored) :] == stored
    assert "next" not in page


def test_a_private_rooms_game_is_for_those_who_may_know_of_the_room(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/newroom journey private", lobby=True)
    stage.room_id = str(stage.people["Ayu"].last(Snapshot).id)
    stage.play("Ayu", "/join", "/invite Ben")
    stage.enter("Ben")
    stage.play("Ben", "/join")
    stage.play("Ayu", "/start")
    game_id = played_out(stage)
    stage.come("Emi")
    assert ask(stage, "Emi", "replay", id=game_id) == "no_such_record"
    assert ask(stage, "Ben", "replay", id=game_id)["id"] == game_id
    assert stage.run(stage.app.public.about(f"/about/game/{game_id}")) == b"null\n"


def test_what_is_sent_of_a_finished_game_to_whoever_has_its_address(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    running = stage.room.table.game_id
    assert stage.run(stage.app.public.about(f"/about/game/{running}")) == b"null\n"
    game_id = played_out(stage)
    result = stage.run(read_finished(stage.journal, game_id))
    about = stage.run(stage.app.look_ups.about_finished(game_id))
    assert result is not None
    assert about == {
        "game": "journey",
        "seats": ("Ayu", "Ben"),
        "steps": ask(stage, "Ayu", "replay", id=game_id)["steps"],
        "ended": result.at,
    }


def test_the_running_game_by_its_id_is_for_the_eyes_of_the_asker(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", "/seal 3")
    body = ask(stage, "Emi", "replay", id=stage.room.table.game_id)
    assert body["eyes"] == []
    stage.come("Finn")
    assert ask(stage, "Finn", "replay", id=stage.room.table.game_id) == "no_such_record"


@pytest.mark.parametrize("wrong", [{"from": "x"}, {"from": ""}])
def test_a_position_that_is_no_number_is_a_bad_message(stage: Stage, wrong: dict[str, Any]) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert ask(stage, "Ayu", "replay", **wrong) == "bad_message"


def test_there_is_nothing_to_look_back_at_before_a_game(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert ask(stage, "Ayu", "replay") == "not_playing"
    stage.come("Emi")
    assert ask(stage, "Emi", "replay") == "not_in_room"
    assert ask(stage, "Emi", "replay", id="g123") == "no_such_record"


def test_a_stranger_who_looks_back_again_and_again_has_to_wait(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben", watching=["Emi"])
    answers = []
    for _ in range(120):
        stage.wait(0.3)  # below the rate of questions
        answers.append(ask(stage, "Emi", "replay"))
    assert "too_much" in answers
    assert ask(stage, "Ayu", "replay")["game"] == "journey"


FOLDED: Final = 300


async def test_other_people_have_their_turn_while_a_long_game_is_folded(tmp_path: Path) -> None:
    [itc] = [path for path in JOURNALS if path.name.startswith("itc")]
    stored = max(
        await reader.stored(await reader.unpacked(itc, tmp_path)), key=lambda s: len(s.entries)
    )
    room = loaded(stored.entries)
    assert room is not None
    turns = 0
    course = asyncio.ensure_future(Courses(await filled(stored), GAMES).running(room))
    while not course.done():
        await asyncio.sleep(0)
        turns += 1
    assert len(stored.entries) > FOLDED
    assert turns > len(stored.entries) // 8


async def test_few_courses_are_stored_and_fewer_long_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [manhattan] = [path for path in JOURNALS if path.name.startswith("manhattan")]
    rooms = []
    journal = SimulatedStore()
    for stored in await reader.stored(await reader.unpacked(manhattan, tmp_path)):
        room = loaded(stored.entries)
        if room.game is not None:
            rooms.append(room)
            for entry in stored.entries:
                await journal.append([Append(entry)])
    assert len(rooms) > 1
    for most, forgotten in ((1_000_000, 0), (1, len(rooms) - 1)):
        monkeypatch.setattr(courses, "_MAX_STATIONS", most)
        stored_data = Courses(journal, GAMES)
        for room in rooms:
            await stored_data.running(room)
        owed = [stored_data.owed(room) for room in rooms]
        assert sum(each > 0 for each in owed) == forgotten
        assert owed[-1] == 0
