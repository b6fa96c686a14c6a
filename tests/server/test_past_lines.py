"""`/history`, `/replay`, `/minutes` and `/record`, as people type them."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error, Note
from bluebear.rules.core.phrases import Lang
from bluebear.server.features.replays import RECORD_LINES_A_STEP, RECORD_STEPS, pages
from bluebear.server.net.rate_limits import BOUNDS, Cost
from tests.server.fixtures import Stage
from tests.server.test_lookback import play_on, played_out

WHICH = "Say which game: /replay ID, /analyse ID. The line with which a game begins has its id."


def note(stage: Stage, name: str, line: str, *, lobby: bool = False) -> Note:
    """What a line is told."""
    stage.say(name, line, lobby=lobby)
    result: Note = stage.people[name].last(Note)
    return result


def refused(stage: Stage, name: str, line: str, *, lobby: bool = False) -> str:
    """The sentence with which a line is refused."""
    received = stage.say(name, line, lobby=lobby)
    assert received[name][0].startswith("! "), received
    return str(stage.people[name].last(Error).text)


def test_history_lists_the_moves_and_shows_the_table_of_one(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    begun = note(stage, "Ayu", "/board").text
    play_on(stage)
    stage.play("Ben", "well played")
    play_on(stage)
    listed = note(stage, "Ayu", "/history")
    assert listed.code == "history"
    head, *lines = listed.text.splitlines()
    assert head == "2 moves so far. /history NUMBER shows the table as it was then."
    assert [line.split(".")[0] for line in lines] == ["0", "1", "2"]
    assert "well played" not in listed.text
    assert begun in note(stage, "Ayu", "/history 0").text
    assert note(stage, "Ayu", "/board").text in note(stage, "Ayu", "/履歴 2").text


def test_history_shows_what_my_seat_knew_then_and_no_more(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben", watching=["Emi"])
    stage.play("Ayu", "/seal 3")
    ours, rest = (note(stage, name, "/history 1").text for name in ("Ayu", "Emi"))
    assert ours != rest
    stage.play("Ben", "/seal 5")
    for name in ("Ben", "Emi"):
        later = note(stage, name, "/history 1").text
        assert later.splitlines()[1:] == rest.splitlines()[1:]


def test_replay_is_of_the_rooms_last_game_also_after_another_begins(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    game_id = played_out(stage)
    stage.play("Ayu", "/again")
    assert game_id in note(stage, "Ben", "/replay").text
    stage.play("Ayu", "/start")
    assert game_id in note(stage, "Ayu", "/replay").text


def test_replay_steps_next_and_back_from_anywhere(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    game_id = played_out(stage)
    stage.play("Ayu", "/reset")
    stage.come("Emi")
    first = note(stage, "Emi", f"/replay {game_id}", lobby=True).text
    assert first.startswith("Move 0 of ")
    second = note(stage, "Emi", "/replay next", lobby=True).text
    assert second.startswith("Move 1 of ")
    assert note(stage, "Emi", f"/replay {game_id} 1", lobby=True).text == second
    assert note(stage, "Emi", "/再生 前", lobby=True).text == first
    last = note(stage, "Emi", "/replay last", lobby=True).text
    moves = int(first.splitlines()[0].split()[3])
    assert last.startswith(f"Move {moves} of {moves}")
    assert note(stage, "Emi", f"/replay {moves - 1}", lobby=True).text.startswith(
        f"Move {moves - 1} of"
    )
    assert refused(stage, "Emi", "/replay 99999", lobby=True) == (
        f"There is no move 99999 in this game: the numbers are 0-{moves}."
    )


def test_replay_in_a_room_whose_game_is_over_is_of_that_game(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    played_out(stage)
    assert note(stage, "Ben", "/replay").text.startswith("Move 0 of ")
    assert note(stage, "Ben", "/replay n").text.startswith("Move 1 of ")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/replay", WHICH),
        (
            "/replay next",
            WHICH,
        ),
        ("/replay g0123456789abcde", "There is no record g0123456789abcde that you may read."),
    ],
)
def test_a_replay_of_nothing_says_what_would_be_right(
    stage: Stage, line: str, sentence: str
) -> None:
    stage.come("Emi")
    assert refused(stage, "Emi", line, lobby=True).startswith(sentence)


@pytest.mark.parametrize("wrong", ["fast", "-1", "1.5", "12345678901"])
def test_a_move_that_is_no_number_is_refused_with_what_would_be_right(
    stage: Stage, wrong: str
) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.refused("Ayu", f"/history {wrong}")
    assert stage.people["Ayu"].last(Error).candidates == ("next", "back", "first", "last")


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", ("Journey", "Seats: Ayu, Ben")), ("ja", ("旅", "席順: Ayu、Ben"))],
)
def test_minutes_are_the_game_as_text_in_either_language(
    stage: Stage, lang: Lang, expected: tuple[str, ...]
) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.play("Ayu", "talk is no part of it")
    game_id = played_out(stage)
    stage.come("Emi", lang=lang)
    reply = note(stage, "Emi", f"/minutes {game_id}", lobby=True)
    assert reply.code == "minutes"
    lines = reply.text.splitlines()
    assert all(term in "\n".join(lines[:3]) for term in (*expected, game_id))
    numbers = [line.split(".")[0] for line in lines if line[:1].isdigit()]
    assert numbers == [str(number) for number in range(len(numbers))]
    assert "talk is no part" not in reply.text
    spoken = note(stage, "Ayu", "/minutes").text
    assert len(spoken.splitlines()) == len(lines)


def test_long_minutes_say_how_they_go_on(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.game("journey", "Ayu", "Ben")
    game_id = played_out(stage)
    complete = note(stage, "Ayu", f"/minutes {game_id}").text
    monkeypatch.setattr(pages, "MINUTES_CHARS", 300)
    parts, line = list[str](), f"/minutes {game_id}"
    while line:
        *section, last = note(stage, "Ayu", line).text.splitlines()
        continues = last.startswith("It goes on with ")
        parts += section if continues else [*section, last]
        line = last.removeprefix("It goes on with ") if continues else ""
    assert "\n".join(parts) == complete


def test_a_record_can_be_had_in_the_lobby_by_its_id(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    game_id = played_out(stage)
    stage.play("Ayu", "/reset")
    stage.come("Emi")
    assert f"id {game_id}\n" in note(stage, "Emi", f"/record {game_id}", lobby=True).text
    assert stage.refused("Emi", "/record", lobby=True) == "not_in_room"


def test_records_of_a_running_game_cost_what_they_take(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    for number in range(30):
        stage.play("Ben", f"word {number}")
    connection = stage.people["Ayu"].connection
    assert connection is not None
    everything = BOUNDS.person[Cost.STEPS].burst

    def left_in_ms() -> int:
        who = {"address": connection.address, "person": connection.person}
        return stage.app.budgets.retry_after_ms(
            Cost.STEPS, stage.loop.time(), **who, amount=everything
        )

    assert left_in_ms() == 0
    stage.play("Ayu", "/record")
    spent = 1 + stage.room.version // RECORD_LINES_A_STEP
    assert spent > 2
    assert abs(left_in_ms() - 1000 * spent / BOUNDS.person[Cost.STEPS].per_second) <= 1


def test_records_of_games_that_are_over_are_paid_for(stage: Stage) -> None:
    stage.come("Ayu")
    requested = int(BOUNDS.person[Cost.STEPS].burst) // RECORD_STEPS
    for _ in range(requested):
        assert stage.refused("Ayu", "/record g1", lobby=True) == "no_such_record"
    assert stage.refused("Ayu", "/record g1", lobby=True) == "too_much"
