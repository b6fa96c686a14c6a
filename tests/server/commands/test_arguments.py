"""Missing, superfluous and absurd arguments: one clear refusal each, and nothing has changed."""

from __future__ import annotations

from typing import Final

import pytest
from msgspec.structs import replace

from bluebear.rules import games
from bluebear.server.commands.arguments import game_named
from bluebear.server.commands.command import Topic
from bluebear.server.commands.scene import Role
from bluebear.server.features import COMMANDS
from bluebear.server.room.state import Phase
from tests.fuzz.slow_lines import counted
from tests.server.commands.fixtures import House, opened, playing

MUCH: Final = "9" * 400


@pytest.mark.parametrize("name", [n for n, c in COMMANDS.items() if c.arguments])
def test_a_command_without_its_argument_tells_what_is_missing_or_does_without(name: str) -> None:
    command = COMMANDS[name]
    house = playing("duel") if (Role.SEATED, Phase.PLAYING) in command.allowed else seated()
    wants = [argument for argument in command.arguments if not argument.optional]
    if command.topic is Topic.OPERATOR:
        house.people["ayu"] = replace(house.people["ayu"], operator=True)
    received = house.say("Ayu", f"/{name}")
    assert (received.code == "command_missing") == bool(wants)


def seated() -> House:
    house = opened()
    house.script("Ayu: /join 1")
    return house


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("/join", ""),
        ("/join 0", "no_such_seat"),
        ("/join 5", "no_such_seat"),
        ("/join -1", "bad_word"),
        ("/join 1.5", "bad_word"),
        ("/join one", "bad_word"),
        ("/join ①", ""),
        ("/join ²", ""),
        ("/join 一", "bad_word"),
        ("/join ٣", "bad_word"),
        (f"/join {MUCH}", "bad_word"),
        ("/join 1 2", "extra_argument"),
        ('/join ""', "bad_word"),
        ('/join "', "bad_word"),
        ("/join seed=", "bad_seed"),
        ("/join seed=xyz", "bad_seed"),
        (f"/join seed={'ab' * 17}", "bad_seed"),
        ("/join 1 " + "ab" * 16, "extra_argument"),
        ("/start now", "extra_argument"),
        ("/who cares", "extra_argument"),
        ("/lang", "command_missing"),
        ("/lang fr", "bad_word"),
        ('/lang ""', "bad_word"),
        ("/nick", "command_missing"),
        ("/nick a b", "extra_argument"),
        ("/newroom", "command_missing"),
        ("/newroom chess", "no_such_game"),
        ("/listroom chess", "no_such_game"),
        ("/room", "command_missing"),
        ("/room 0", "room_unknown"),
        (f"/room {MUCH}", "room_unknown"),
        ("/room ../etc/passwd", "room_unknown"),
        ("/room 1' or '1'='1", "room_unknown"),
        ("/tell", "command_missing"),
        ("/tell Ayu", "command_missing"),
        ("/option host maybe", "bad_value"),
        ("/option nothing on", "no_such_option"),
        ("/option start -1", "bad_value"),
        ("/option start 99999999999", "bad_value"),
        ("/option clock 1e9", "bad_value"),
        ("/option clock 999999+1", "bad_value"),
        ("/option watch", ""),
        ("/option", ""),
        ("/bot 9", "no_such_seat"),
        ("/bot greedy x", "bad_word"),
        ("/bot remove", "no_bot_there"),
        ("/bot remove 3", "no_such_seat"),
        ("/bot chess", "bad_word"),
        ("/kick", "command_missing"),
        ("/kick Nobody", "no_such_person"),
        ("/kick Ayu", "not_the_host"),
        ("/ban Ayu", "not_the_host"),
        ("/unban Ayu", "not_banned"),
        ("/host Nobody", "no_such_person"),
        ("/invite Nobody", "no_such_person"),
        ("/uninvite nothing", "no_such_invite"),
        ("/password", "command_missing"),
        (f"/password {MUCH}", "bad_password"),
        ("/rules 99.9", "no_such_paragraph"),
        ("/look hand", "not_playing"),
        ("/help nothing", "unknown_command"),
        ("/", "empty_line"),
        ("", "empty_line"),
        ("/xyzzy", "unknown_command"),
        (f"/{MUCH}", "unknown_command"),
        (f"/{'あ' * 400}", "unknown_command"),
        ("/\u200bjoin", "unknown_command"),
        ("a" * 501, "too_long"),
    ],
)
def test_an_absurd_line_has_one_clear_answer(typed: str, code: str) -> None:
    house = opened()
    before = house.room
    received = house.say("Ayu", typed)
    assert received.code == code
    assert (house.room is before) == (code != "" or not received.lines)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("/join 2", "already_seated"),
        ("/start", "wrong_seat_count"),
        ("/seed", "command_missing"),
        ("/seed 00", "bad_seed"),
        ("/seed " + "zz" * 16, "bad_seed"),
        ("/seed " + "ab" * 16, ""),
        ("/leave", ""),
        ("/leave now", "extra_argument"),
        ("/bot greedy 1", "seat_taken"),
    ],
)
def test_a_person_who_sits(typed: str, code: str) -> None:
    house = seated()
    before = house.room
    assert (house.say("Ayu", typed).code, house.room is before) == (code, code != "")


@pytest.mark.parametrize(
    ("name", "typed", "code"),
    [
        ("Ayu", "/join", "already_seated"),
        ("Ayu", "/join 2", "already_seated"),
        ("Wen", "/join", "game_running"),
        ("Wen", "/join 1", "seat_taken"),
        ("Wen", "/join 3", "no_such_seat"),
        ("Wen", "/bid 3", "not_seated"),
        ("Ayu", "/bid", "not_your_turn"),
        ("Ayu", "/bid 7", "bad_argument"),
        ("Ayu", "/bid 1 2", "extra_argument"),
        ("Ayu", f"/bid {MUCH}", "bad_argument"),
        ("Ayu", "/bid 3", "not_your_turn"),
        ("Ben", "/attack 1", "wrong_phase"),
        ("Ayu", "/undo", "nothing_to_undo"),
        ("Ayu", "/undo everything", "nothing_to_take_back"),
        ("Ayu", "/moves", "not_your_turn"),
        ("Ayu", "/accept", "no_vote"),
        ("Ayu", "/accept 1", "no_vote"),
        ("Ayu", "/refuse x", "bad_word"),
        ("Ayu", "/remove Nobody", "no_such_player"),
        ("Ayu", "/remove Wen", "no_such_player"),
        ("Ayu", "/bot", "no_bot_there"),
        ("Ayu", "/bot random 2", "seat_taken"),
        ("Ayu", "/bot random 3", "no_such_seat"),
        ("Ayu", "/resume", "not_now"),
        ("Ayu", "/start", "not_now"),
        ("Ayu", "/option rounds 2", "not_now"),
        ("Ayu", "/hand", "no_such_area"),
        ("Ayu", "/look there", "no_such_area"),
    ],
)
def test_during_a_game_of_duel_in_which_ben_begins(name: str, typed: str, code: str) -> None:
    house = playing("duel")
    assert house.room is not None
    assert house.room.table.turn == (2,)
    before = house.room
    assert (house.say(name, typed).code, house.room is before) == (code, True)


def test_a_full_room_says_so() -> None:
    house = opened("duel")
    house.enter("Ben")
    house.script("Ayu: /bot", "Ayu: /bot", "Ayu: /bot")
    assert (house.say("Ben", "/join").code, house.say("Ayu", "/bot").code) == ("room_full",) * 2


def test_which_bot_is_intended_must_be_reported_when_there_are_several() -> None:
    house = opened("duel")
    house.script("Ayu: /bot", "Ayu: /bot")
    received = house.say("Ayu", "/bot remove")
    assert (received.code, received.candidates) == (
        "which_seat",
        ("/bot remove 1", "/bot remove 2"),
    )


def test_which_vote_is_intended_must_be_reported_when_there_are_several() -> None:
    house = playing("duel", seats=3)
    house.script("Ayu: /pause", "Ayu: /masterreset !")
    received = house.say("Ben", "/accept")
    assert (received.code, received.candidates) == ("which_vote", ("/accept 1", "/accept 2"))


def test_a_ballot_counts_once() -> None:
    house = playing("duel", seats=3)
    house.script("Ayu: /masterreset !", "Ben: /accept")
    assert (house.say("Ben", "/accept 1").code, house.say("Ayu", "/accept 1").code) == (
        "already_voted",
        "already_voted",
    )


def test_one_vote_of_a_kind_at_a_time() -> None:
    house = playing("duel", seats=3)
    house.script("Ayu: /pause")
    assert house.say("Ben", "/pause").text == (
        "A vote on this is open already (pause). Wait for its result; players vote with "
        "/accept or /refuse."
    )


def test_a_host_has_so_many_open_rooms_and_no_more() -> None:
    house = opened()
    house.more_rooms = list(house.rooms()) * 2
    assert house.say("Ayu", "/newroom duel").code == "too_many_rooms"


def test_the_key_of_a_game_is_compared_with_no_other_name() -> None:
    assert game_named(games(), "Manhattan") == "manhattan"
    every_game = games()
    assert counted(lambda: game_named(every_game, "manhattan")) < 10
