"""`/fork`: a finished game goes on from one of its moves, in a room of its own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bluebear.protocol import Error, Note
from bluebear.protocol import Room as Snapshot
from bluebear.rules.core.merge_patch import apply, canonical
from bluebear.rules.core.record import parse_record, verify
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.config import Config
from bluebear.server.features.replays import Replays
from bluebear.server.room.creation import Pins
from bluebear.server.room.state import Phase
from bluebear.server.rooms.loading import keep_room
from tests.server.fixtures import GAMES, Stage
from tests.server.test_lookback import play_on
from tests.server.test_questions import ask


def play_out(stage: Stage, seed: int) -> str:
    """Random legal moves until the game is over; its id."""
    chance = random.Random(seed)
    game = GAMES[stage.room.table.game]
    while stage.room.table.phase is Phase.PLAYING:
        seat = Seat(min(stage.room.table.turn))
        line = game.grammar.format(chance.choice(list(game.plain(stage.room.game, seat))))
        stage.play(stage.room.name_of(seat), line)
    return stage.room.table.game_id


def finished(stage: Stage, game: str = "journey", *, kind: str = "") -> str:
    """A finished game of Ayu and Ben, who have left the room; its id."""
    stage.table(game, "Ayu", "Ben", kind=kind)
    stage.play("Ayu", "/start")
    game_id = play_out(stage, 1)
    for name in ("Ayu", "Ben"):
        stage.play(name, "/lobby")
    return game_id


def fork(stage: Stage, name: str, game_id: str, move: int) -> None:
    """A person forks a game from the lobby; the new room becomes the test's room."""
    stage.say(name, f"/fork {game_id} {move}", lobby=True)
    stage.room_id = str(stage.people[name].last(Snapshot).id)
    assert stage.room.table.phase is Phase.OPEN
    assert stage.room.table.fork is not None


def start(stage: Stage, *names: str) -> None:
    """People take the seats in order, and the first begins."""
    for name in names:
        if stage.people[name].room is None:
            stage.enter(name)
        stage.play(name, "/join")
    stage.play(names[0], "/start")


def positions(stage: Stage, game_id: str) -> list[bytes]:
    """What a replay shows of a finished game, step by step."""
    body = ask(stage, "Ayu", "replay", id=game_id)
    view, made = body["view"], []
    for patch in ({}, *(step["patch"] for step in body["then"])):
        view = apply(patch, view)
        made.append(canonical(view["game"]))
    assert len(made) == body["steps"] + 1
    return made


def record(stage: Stage, name: str, game_id: str) -> str:
    stage.say(name, f"/record {game_id}")
    return str(stage.people[name].last(Note).text)


def refused(stage: Stage, name: str, line: str) -> tuple[str, str]:
    """The code and the sentence with which a line in the lobby is refused."""
    stage.refused(name, line, lobby=True)
    error = stage.people[name].last(Error)
    return str(error.code), str(error.text)


@pytest.mark.parametrize("move", [0, 1, 7])
def test_a_game_continues_from_the_position_and_its_record_proves_itself(
    stage: Stage, move: int
) -> None:
    old = finished(stage)
    were = positions(stage, old)
    fork(stage, "Ben", old, move)
    start(stage, "Ben", "Ayu")
    all_seats = frozenset(stage.room.seats)
    begun = GAMES["journey"].tree.view(stage.room.game, all_seats)
    assert canonical(begun) == were[move]
    new = play_out(stage, 2)
    text = record(stage, "Ben", new)
    assert f"fork {old} at {move}\nchance {old} lines " in text
    assert "joined 1=Ben 2=Ayu\norder 1 2\n" in text
    assert verify(GAMES["journey"], parse_record(text))[-1].state == stage.room.game
    ran = positions(stage, new)
    assert ran[: move + 1] == were[: move + 1]
    assert ran != were


def test_draws_after_the_fork_are_new_ones() -> None:
    """Two rooms fork the same game at the same move and play the same: they draw otherwise."""
    with Stage() as stage:
        old = finished(stage)
        seeds, boards = set(), set()
        for _ in range(4):
            fork(stage, "Ayu", old, 2)
            start(stage, "Ayu", "Ben")
            before = stage.room.counter
            while stage.room.table.phase is Phase.PLAYING:
                play_on(stage)
            assert stage.room.counter > before, "something was drawn"
            assert stage.room.table.ending is not None
            seeds.add(stage.room.table.ending.seed)
            all_seats = frozenset(stage.room.seats)
            boards.add(canonical(GAMES["journey"].tree.view(stage.room.game, all_seats)))
            for name in ("Ayu", "Ben"):
                stage.play(name, "/lobby")
        assert len(seeds) == 4
        assert len(boards) > 1


def test_a_fork_can_be_forked_before_and_after_where_it_began(stage: Stage) -> None:
    old = finished(stage)
    fork(stage, "Ayu", old, 4)
    start(stage, "Ayu", "Ben")
    second = play_out(stage, 2)
    were = positions(stage, second)
    for move, parts in ((2, [old]), (4, [old]), (6, [old, second])):
        for name in ("Ayu", "Ben"):
            stage.play(name, "/lobby")
        fork(stage, "Ayu", second, move)
        start(stage, "Ayu", "Ben")
        third = play_out(stage, 3)
        text = record(stage, "Ayu", third)
        head = parse_record(text).head.fork
        assert head is not None
        assert (head.id, head.move) == (second, move)
        assert [section.id for section in head.parts] == parts
        verify(GAMES["journey"], parse_record(text))
        assert positions(stage, third)[: move + 1] == were[: move + 1]


def test_it_continues_over_restarts_and_after_crashes(stage: Stage) -> None:
    old = finished(stage)
    fork(stage, "Ayu", old, 3)
    room, stage_id = stage.room, stage.room_id
    stage.crash()
    stage.come("Emi")
    stage.enter("Emi", stage_id)
    assert stage.room == room
    stage.play("Emi", "/join", "/bot random", "/start")
    begun = stage.room
    stage.restart()
    stage.come("Chie")
    stage.enter("Chie")
    assert stage.room == begun


def test_the_seats_are_free_and_as_many_as_there_were(stage: Stage) -> None:
    old = finished(stage)
    stage.come("Emi", "Eva")
    fork(stage, "Emi", old, 3)
    fork_of = stage.people["Emi"].view["room"]["fork"]
    assert fork_of == {"id": old, "move": 3, "names": ["Ayu", "Ben"]}
    assert stage.refused("Emi", "/start") == "wrong_seat_count"
    assert stage.refused("Emi", "/join 3") == "no_such_seat"
    stage.play("Emi", "/join 2")
    stage.enter("Eva")
    stage.play("Eva", "/join")
    stage.enter("Ayu")
    assert stage.refused("Ayu", "/join") == "room_full"
    assert stage.refused("Emi", "/bot random 3") == "room_full"
    assert stage.live.room.name_of(Seat(1)) == "Eva"
    stage.play("Emi", "/start")
    assert not stage.room.table.rated


def test_its_options_stay_those_of_the_game(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/option days 1", "/start")
    old = play_out(stage, 1)
    for name in ("Ayu", "Ben"):
        stage.play(name, "/lobby")
    fork(stage, "Ayu", old, 1)
    stage.play("Ayu", "/join")
    assert stage.room.table.options["days"] == "1"
    assert stage.refused("Ayu", "/option days 2") == "fork_options"
    assert stage.refused("Ayu", "/option drawseat on") == "fork_options"
    assert old in str(stage.people["Ayu"].last(Error).text)
    stage.play("Ayu", "/option clock 300+10")


def test_undo_does_not_go_back_to_before_the_fork(stage: Stage) -> None:
    old = finished(stage)
    fork(stage, "Ayu", old, 3)
    start(stage, "Ayu", "Ben")
    mover = stage.to_move()
    assert stage.refused(mover, "/undo") in ("nothing_to_undo", "nothing_to_take_back")


def test_moves_that_were_taken_back_and_seats_that_changed_are_in_the_route_of_nothing(
    stage: Stage,
) -> None:
    stage.game("journey", "Ayu", "Ben", "Chie")
    for _ in range(2):
        stage.play(stage.to_move(), "/dig")
    stage.play(stage.room.name_of(Seat(2)), "/undo")
    if stage.room.table.votes:
        stage.play("Ayu", "/accept")
        stage.play("Chie", "/accept")
    stage.play("Chie", "/leave !")
    stage.play("Chie", "/lobby")
    while stage.room.table.phase is Phase.PLAYING:
        if stage.to_move().startswith("@"):
            stage.wait(120)
        else:
            play_on(stage)
    old = stage.room.table.game_id
    text = record(stage, "Ayu", old)
    assert "@undo" in text
    assert "@seat" in text
    for name in ("Ayu", "Ben"):
        stage.play(name, "/lobby")
    were = positions(stage, old)
    move = len(were) - 3
    fork(stage, "Ayu", old, move)
    start(stage, "Ayu", "Ben", "Chie")
    new = play_out(stage, 5)
    text = record(stage, "Ayu", new)
    assert "@undo" in text
    assert "@seat" not in text
    verify(GAMES["journey"], parse_record(text))
    assert were[move] in positions(stage, new)


def test_again_begins_at_the_same_position(stage: Stage) -> None:
    old = finished(stage)
    fork(stage, "Ayu", old, 3)
    start(stage, "Ayu", "Ben")
    begun = stage.room.game
    play_out(stage, 2)
    stage.play("Ayu", "/again", "/start")
    assert stage.room.game == begun
    assert not stage.room.table.rated


def test_a_running_game_is_not_forked(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    game_id = stage.room.table.game_id
    for lobby in (False, True):
        assert stage.refused("Ayu", f"/fork {game_id} 0", lobby=lobby) == "fork_running"
    stage.come("Emi")
    assert refused(stage, "Emi", f"/fork {game_id} 0")[0] == "no_such_record"


def test_wrong_lines_say_what_would_be_right(stage: Stage) -> None:
    old = finished(stage)
    last = len(positions(stage, old)) - 1
    assert refused(stage, "Ayu", f"/fork {old} 999") == (
        "no_such_move",
        f"There is no move 999 in this game: the numbers are 0-{last}.",
    )
    assert refused(stage, "Ayu", f"/fork {old} {last}") == (
        "fork_over",
        f"After move {last} the game is over. Choose an earlier move.",
    )
    assert refused(stage, "Ayu", f"/fork {old}")[0] == "command_missing"
    assert refused(stage, "Ayu", f"/fork {old} next")[0] == "bad_word"
    assert refused(stage, "Ayu", "/fork g0123456789abcde 1")[0] == "no_such_record"


def test_a_game_that_was_given_up_can_be_played_on_from_its_end(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    play_on(stage)
    left = stage.room.game
    stage.play("Ben", "/resign !")
    old = stage.room.table.game_id
    stage.play("Ayu", "/lobby")
    last = len(positions(stage, old)) - 1
    fork(stage, "Ayu", old, last)
    stage.play("Ayu", "/join", "/bot random", "/start")
    assert stage.room.game == left
    assert all(chair.resigned is None for chair in stage.room.seats.values())


def test_those_who_sat_there_are_reported_and_no_other_person(stage: Stage) -> None:
    old = finished(stage)
    stage.come("Emi")
    received = stage.say("Ayu", f"/fork {old} 3", lobby=True)
    number = stage.people["Ayu"].last(Snapshot).id
    assert received["Ben"] == [f"(invited) Ayu invites you. Type: /room {number}"]
    assert "Emi" not in received


def test_who_keeps_a_person_off_or_does_not_hear_him_is_not_reported(stage: Stage) -> None:
    old = finished(stage)
    for line in ("/block add Ayu", "/mute add Ayu"):
        stage.say("Ben", line, lobby=True)
        assert "Ben" not in stage.say("Ayu", f"/fork {old} 3", lobby=True)
        stage.say("Ben", line.replace("add", "delete"), lobby=True)
    assert "Ben" in stage.say("Ayu", f"/fork {old} 3", lobby=True)


def test_the_game_of_a_private_room_stays_private(stage: Stage) -> None:
    stage.come("Emi")
    stage.table("journey", "Ayu", kind="private")
    stage.play("Ayu", "/invite Ben" if "Ben" in stage.people else "/bot random")
    stage.play("Ayu", "/start")
    while stage.room.table.phase is Phase.PLAYING:
        if stage.to_move() == "Ayu":
            play_on(stage)
        else:
            stage.wait(30)
    old = stage.room.table.game_id
    assert refused(stage, "Emi", f"/fork {old} 1")[0] == "no_such_record"
    stage.play("Ayu", "/lobby")
    received = stage.say("Ayu", f"/fork {old} 1", lobby=True)
    stage.room_id = str(stage.people["Ayu"].last(Snapshot).id)
    assert "Emi" not in received
    assert stage.room.table.privacy == "private"
    assert require(stage.room.table.fork).names == ("Ayu", "@random2")
    assert refused(stage, "Emi", f"/room {stage.room_id}")[0] == "room_unknown"


def test_who_played_in_a_private_room_may_come_into_its_fork(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/newroom journey private", lobby=True)
    stage.room_id = str(stage.people["Ayu"].last(Snapshot).id)
    stage.play("Ayu", "/invite Ben", "/join")
    stage.enter("Ben")
    stage.play("Ben", "/join")
    stage.play("Ayu", "/start")
    old = play_out(stage, 1)
    for name in ("Ayu", "Ben"):
        stage.play(name, "/lobby")
    fork(stage, "Ayu", old, 2)
    stage.enter("Ben")


def test_no_person_is_shown_what_the_beginning_was_drawn_with_before_the_end(stage: Stage) -> None:
    stage.game("sealed", "Ayu", "Ben")
    old = play_out(stage, 1)
    ending = stage.room.table.ending
    assert ending is not None
    for name in ("Ayu", "Ben"):
        stage.play(name, "/lobby")
    stage.come("Emi")
    fork(stage, "Ayu", old, 1)
    start(stage, "Ayu", "Ben")
    stage.enter("Emi")
    for name in ("Ayu", "Ben", "Emi"):
        stage.people[name].messages.clear()
        stage.play(name, "/record", "/info", "/history")
        assert ending.seed not in repr(stage.people[name].messages)
        assert f"fork {old} at 1" in repr(stage.people[name].messages)
    view = stage.people["Emi"].view["game"]
    assert view == GAMES["sealed"].tree.view(stage.room.game, frozenset())


def test_a_game_that_is_not_offered_here_is_not_forked() -> None:
    with Stage(config=Config(house=False)) as stage:
        old = finished(stage)
        [replays] = [each for each in stage.app.features.features if isinstance(each, Replays)]
        resources = replace(replays.services.resources, pins=Pins(("duel",)))
        replays.services = replace(replays.services, resources=resources)
        assert refused(stage, "Ayu", f"/fork {old} 1")[0] == "not_offered"


@pytest.mark.expects_log("the snapshot that other code has left is not used")
def test_a_fork_that_other_code_has_left_is_folded_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = finished(stage)
    fork(stage, "Ayu", old, 3)
    room = stage.room
    stage.run(keep_room(stage.journal, GAMES, room))
    monkeypatch.setattr(GAMES["journey"], "code", "another", raising=False)
    stage.crash()
    stage.come("Emi")
    stage.enter("Emi")
    assert stage.room == room
