"""Joining rooms by number and invite, and what hides private rooms."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bluebear.server.commands.acts import Enter, GoLobby, RunCommand, Tell
from bluebear.server.commands.catalogue import complete
from bluebear.server.commands.scene import RoomLine
from bluebear.server.rooms.loading import room_line
from bluebear.server.store import StreamId
from tests.server.commands.fixtures import GAMES, House, opened


def lobby(*lines: RoomLine) -> House:
    """Ben in the lobby of a server with these rooms."""
    house = House()
    house.meet("Ben")
    house.more_rooms = list(lines)
    return house


def line(number: str, *, privacy: str = "public", game: str = "duel") -> RoomLine:
    """A room of Ayu's as the lobby knows it."""
    room = opened(game, privacy=privacy).room
    assert room is not None
    return replace(room_line(room, GAMES), id=StreamId(number))


def test_a_public_room_is_entered_by_its_number() -> None:
    assert lobby(line("7")).say("Ben", "/room 7").act == Enter("7")


@pytest.mark.parametrize("typed", ["/room #7", "/部屋 ７", "・部屋　＃７"])
def test_a_number_may_be_written_in_many_forms(typed: str) -> None:
    assert lobby(line("7")).say("Ben", typed).act == Enter("7")


def test_an_unlisted_room_is_entered_by_its_number() -> None:
    assert lobby(line("7", privacy="unlisted")).say("Ben", "/room 7").act == Enter("7")


def test_no_person_can_tell_whether_a_private_room_exists() -> None:
    """The two worlds differ in a private room; every answer to a stranger is the same."""
    with_room, without = lobby(line("7", privacy="private")), lobby()
    for typed in ("/room 7", "/room 7 guess", "/who"):
        first, other = with_room.say("Ben", typed), without.say("Ben", typed)
        assert (first.code, first.text) == (other.code, other.text)


def test_nothing_offers_a_room_that_the_speaker_may_not_know_of() -> None:
    house = lobby(line("7", privacy="private"), line("8", privacy="unlisted"), line("9"))
    assert complete(house.scene("Ben"), "/room ").candidates == ("9",)


def test_its_people_find_a_private_room_again() -> None:
    house = opened("duel", privacy="private")
    house.go("Ayu")
    assert house.say("Ayu", "/room 1").act == Enter("1")


def test_a_barred_person_gets_the_answer_of_a_room_that_is_not_there() -> None:
    house = opened()
    house.enter("Ben")
    house.script("Ayu: /ban Ben")
    house.go("Ben")
    barred, nothing = house.say("Ben", "/room 1"), house.say("Ben", "/room 2")
    assert (
        (barred.code, barred.text) == (nothing.code, nothing.text) == ("room_unknown", barred.text)
    )


def test_a_barred_person_is_let_in_by_no_invite() -> None:
    house = opened()
    token = house.say("Ayu", "/invite").text.rsplit("/", 1)[-1]
    house.enter("Ben")
    house.script("Ayu: /ban Ben")
    house.go("Ben")
    assert house.say("Ben", f"/room {token}").code == "room_unknown"


def test_a_person_is_invited_by_name_and_then_knows_the_room() -> None:
    house = opened("duel", privacy="private")
    house.meet("Ben")
    house.script("Ayu: /invite Ben")
    assert house.say("Ben", "/room 1").act == Enter("1")


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("/newroom duel", {"game": "duel"}),
        ("/newroom 決闘 限定公開", {"game": "duel", "privacy": "unlisted"}),
        (
            "/新部屋　マンハッタン　非公開　ひみつ！",
            {"game": "manhattan", "privacy": "private", "password": "ひみつ!"},
        ),
        ("/newroom man unl", {"game": "manhattan", "privacy": "unlisted"}),
    ],
)
def test_a_room_is_made(typed: str, given: dict[str, str]) -> None:
    act = lobby().say("Ben", typed).act
    assert isinstance(act, RunCommand)
    assert (act.command, act.given) == ("newroom", given)


def test_the_lobby_is_left_to() -> None:
    assert opened().say("Ayu", "/ロビー").act == GoLobby()


def test_in_the_lobby_the_lobby_is_where_one_is() -> None:
    act = lobby().say("Ben", "/lobby").act
    assert isinstance(act, Tell)
    assert act.text.startswith("You are in the lobby.")
