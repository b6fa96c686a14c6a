"""The reception: connections come and go, are too many, say hello, talk to each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bluebear.protocol import JSON, MSGPACK, Bye, Close, Codec, Error, Hello, Lobby, Note, Welcome
from bluebear.server.config import Config
from bluebear.server.limits import CONNECTIONS_PER_ADDRESS, CONNECTIONS_PER_PERSON, HELLO_SECONDS
from tests.server.fixtures import NO_HOUSE, Stage

# Hello.


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
def test_a_guest_is_welcome_and_sees_the_lobby(stage: Stage, codec: Codec) -> None:
    listener = stage.dial("Ayu", codec=codec)
    stage.frame("Ayu", codec.encode(Hello(name="Ayu", langs=("ja", "en"))))
    welcome, lobby = listener.messages
    assert isinstance(welcome, Welcome)
    assert (welcome.name, welcome.lang, welcome.protocol) == ("Ayu", "ja", 1)
    assert isinstance(lobby, Lobby)
    assert lobby.full


def test_who_names_no_person_is_called_something(stage: Stage) -> None:
    listener = stage.dial("somebody")
    stage.frame("somebody", listener.codec.encode(Hello(langs=("en",))))
    assert listener.name.startswith("Guest")


def test_who_says_nothing_is_cut_off(stage: Stage) -> None:
    listener = stage.dial("Ayu")
    stage.wait(HELLO_SECONDS - 1)
    assert listener.closed is None
    stage.wait(1)
    assert listener.closed == Close.HELLO_TIMEOUT


def test_who_sent_hello_is_not(stage: Stage) -> None:
    stage.come("Ayu")
    stage.wait(100 * HELLO_SECONDS)
    assert stage.people["Ayu"].closed is None


def test_a_client_of_another_protocol_is_informed(stage: Stage) -> None:
    listener = stage.dial("Ayu")
    stage.frame("Ayu", listener.codec.encode(Hello(name="Ayu", langs=("en",), protocol=(7, 9))))
    assert listener.received == ["! wrong_protocol"]
    assert stage.entries("people") == []


def test_a_client_that_speaks_ours_among_the_rest_is_welcome(stage: Stage) -> None:
    listener = stage.dial("Ayu")
    stage.frame("Ayu", listener.codec.encode(Hello(name="Ayu", langs=("en",), protocol=(0, 9))))
    assert listener.last(Welcome).protocol == 1


@pytest.mark.parametrize("token", ["0" * 32, "x", ""])
def test_no_token_is_better_than_another(stage: Stage, token: str) -> None:
    stage.come("Ayu")
    listener = stage.dial("other")
    stage.frame("other", listener.codec.encode(Hello(token=token, langs=("en",))))
    assert listener.received == ["! unauthorized"]


# Too many.


def test_an_address_has_so_many_connections(stage: Stage) -> None:
    for number in range(CONNECTIONS_PER_ADDRESS):
        stage.connect(f"Guest{number}x", address="10.0.0.1")
    late = stage.dial("late", address="10.0.0.1")
    assert late.received == ["bye full_server", f"closed {int(Close.BYE)}"]
    assert stage.dial("elsewhere", address="10.0.0.2").closed is None


def test_who_leaves_makes_room_for_another(stage: Stage) -> None:
    for number in range(CONNECTIONS_PER_ADDRESS):
        stage.connect(f"Guest{number}x", address="10.0.0.1")
    stage.drop("Guest0x")
    assert stage.dial("late", address="10.0.0.1").closed is None


def test_a_server_has_so_many_connections() -> None:
    with Stage(config=Config(house=False, connections=2)) as stage:
        stage.come("Ayu", "Ben")
        late = stage.dial("late")
        assert late.closed == Close.BYE
        assert late.last(Bye).retry_ms is not None


def test_a_person_has_so_many_connections_and_loses_the_oldest(stage: Stage) -> None:
    stage.come("Ayu")
    token = stage.people["Ayu"].token
    for number in range(1, CONNECTIONS_PER_PERSON):
        stage.connect("Ayu", client_name=f"Ayu {number}", token=token)
    assert stage.people["Ayu"].closed is None
    stage.connect("Ayu", client_name="Ayu more", token=token)
    received = stage.people["Ayu"].received[-2:]
    assert received == ["bye replaced", f"closed {int(Close.REPLACED)}"]
    assert stage.people["Ayu 1"].closed is None


# One person, several connections.


def test_all_connections_of_a_person_hear_the_room_they_are_in(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.connect("Ben", client_name="Ben's phone", token=stage.people["Ben"].token)
    stage.enter("Ben's phone")
    assert set(stage.say("Ayu", "hello")) == {"Ayu", "Ben", "Ben's phone"}


def test_a_person_is_away_when_the_last_connection_is(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.connect("Ben", client_name="Ben's phone", token=stage.people["Ben"].token)
    stage.enter("Ben's phone")
    for device, away in (("Ben", []), ("Ben's phone", ["Ben"])):
        stage.drop(device)
        stage.wait(1)
        assert list(stage.people["Ayu"].away) == away


def test_all_connections_of_a_seat_see_its_hand(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.connect("Ayu", client_name="Ayu's phone", token=stage.people["Ayu"].token)
    stage.enter("Ayu's phone")
    stage.play("Ayu", "/dig")
    assert "found" in stage.people["Ayu's phone"].view["game"]["seats"]["1"]


# Words between people.


def test_a_term_reaches_a_person_on_another_node(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.come("Ben", "Eva")
    assert stage.say("Ben", "/tell Ayu psst", lobby=True) == {
        "Ayu": ["(whisper) Ben whispers: psst"],
        "Ben": ["(told) To Ayu alone: psst"],
    }


def test_a_term_to_no_person_names_the_nearest(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    assert stage.refused("Ben", "/tell Ayo psst", lobby=True) == "no_such_person"
    assert stage.people["Ben"].last(Error).candidates == ("Ayu",)


def test_a_whisper_passes_to_a_person_in_the_room_only(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.come("Eva")
    assert stage.refused("Ayu", ";Eva psst") == "nobody_here"


@pytest.mark.parametrize("line", [";Ayu psst", "/start", "/go mill"])
def test_what_belongs_into_a_room_is_refused_in_the_lobby(stage: Stage, line: str) -> None:
    stage.come("Ayu")
    assert stage.refused("Ayu", line, lobby=True) in (
        "not_in_room",
        "unknown_command",
    )


def test_from_now_on_in_another_language(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.say("Ben", "/lang ja")
    assert stage.say("Ayu", "/leave")["Ben"] == ["Ayuが席を立ちました。"]
    stage.say("Ben", "/nosuch")
    assert "コマンド" in stage.people["Ben"].last(Error).text


# The end.


def test_all_people_hears_that_the_server_restarts(stage: Stage) -> None:
    stage.come("Ayu")
    ayu = stage.people["Ayu"]
    stage.restart()
    assert ayu.last(Bye).why == "restart"
    assert ayu.last(Bye).retry_ms == 3000
    assert ayu.closed == Close.BYE


def test_when_the_hosts_window_closes_guests_read_that_and_not_restarts() -> None:
    with Stage(config=replace(NO_HOUSE, of_window=True)) as stage:
        stage.come("Ayu")
        ayu = stage.people["Ayu"]
        stage.restart()
        assert ayu.last(Bye).why == "closed"
        assert ayu.last(Bye).text.startswith("The host has closed the server.")


def test_who_has_left_twice_has_left(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    connection = stage.people["Ben"].connection
    stage.drop("Ben")
    assert connection is not None
    stage.during(lambda: stage.app.dispatcher.on_disconnect(connection))
    assert {stage.app.presence.some(9)[0][0]} == {stage.people["Ayu"].id}


def test_what_is_sent_to_a_person_absent_is_reported_to_no_person(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.drop("Ben")
    assert stage.refused("Ayu", "/tell Ben psst", lobby=True) == "no_such_person"


def test_notes_name_the_room_they_were_prompted_in(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.say("Ayu", "/who")
    assert stage.people["Ayu"].last(Note).room == stage.people["Ayu"].room
