"""Rooms in memory: created, looked up, joined, evicted; and rooms that are hidden."""

from __future__ import annotations

import asyncio

import pytest

from bluebear.protocol import Error, Lobby, Note, Room
from bluebear.rules.core.merge_patch import Tree, apply
from bluebear.server.commands.scene import RoomLine
from bluebear.server.limits import (
    ROOM_TRIES_PER_MINUTE,
    ROOMS_OPEN_PER_PERSON,
    ROOMS_PER_CONNECTION,
)
from bluebear.server.room.state import Phase
from bluebear.server.rooms import loading
from bluebear.server.rooms.loading import free_number
from bluebear.server.store import Store
from tests.server.fixtures import GAMES, Stage
from tests.support.simulated_store import Latency, SimulatedStore

# Making.


def test_who_makes_a_room_is_in_it_and_its_host(stage: Stage) -> None:
    stage.come("Ayu")
    assert stage.say("Ayu", "/newroom journey", lobby=True) == {"Ayu": ["(snapshot)"]}
    assert stage.people["Ayu"].view["room"]["host"] == "Ayu"


def test_a_room_is_public_unless_one_says_otherwise(stage: Stage) -> None:
    stage.come("Ayu")
    stage.say("Ayu", "/newroom journey", lobby=True)
    assert stage.people["Ayu"].view["room"]["privacy"] == "public"


def test_a_number_has_six_digits(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    assert stage.room_id.isdecimal()
    assert len(stage.room_id) == 6


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/newroom chess", "no_such_game"),
        ("/newroom journey secret", "bad_word"),
        ("/newroom", "command_missing"),
    ],
)
def test_a_room_is_made_of_a_game_that_there_is(stage: Stage, line: str, code: str) -> None:
    stage.come("Ayu")
    assert stage.refused("Ayu", line, lobby=True) == code


def test_no_person_has_more_than_so_many_open_rooms(stage: Stage) -> None:
    stage.come("Ayu")
    for _ in range(ROOMS_OPEN_PER_PERSON):
        stage.say("Ayu", "/newroom journey", lobby=True)
    assert stage.refused("Ayu", "/newroom journey", lobby=True) == "too_many_rooms"


def test_a_room_that_began_makes_room_for_another(stage: Stage) -> None:
    stage.come("Ayu")
    for _ in range(ROOMS_OPEN_PER_PERSON):
        stage.say("Ayu", "/newroom journey", lobby=True)
    stage.play("Ayu", "/join", "/start")
    assert stage.say("Ayu", "/newroom journey", lobby=True) == {"Ayu": ["(snapshot)"]}


def test_who_has_left_before_his_room_is_made_is_not_in_it() -> None:
    with Stage(SimulatedStore(lambda: Latency(1.0, 0.0))) as stage:
        stage.come("Ayu")
        stage.send("Ayu", "/newroom journey", lobby=True)
        stage.drop("Ayu")
        stage.wait(2)
        [room_id] = stage.live_ids()
        assert not stage.app.engine.live[room_id].present.members


# Entering.


def test_who_enters_gets_the_room_as_it_is(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.come("Eva")
    assert stage.say("Eva", f"/room {stage.room_id}", lobby=True) == {"Eva": ["(snapshot)"]}
    shot = stage.people["Eva"].last(Room)
    assert (shot.version, shot.eyes, shot.game) == (stage.room.version, (), "journey")


def test_who_leaves_while_the_room_is_looked_up_is_not_in_it(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.come("Eva")
    look_up, disconnected = stage.app.look_ups.room, asyncio.Event()

    async def slowly(number: str, person: str) -> RoomLine | None:
        await disconnected.wait()
        return await look_up(number, person)

    stage.app.look_ups.room = slowly  # type: ignore[method-assign]  # as a busy store
    connection = stage.people["Eva"].connection
    assert connection is not None

    async def disconnect() -> None:
        stage.app.dispatcher.on_disconnect(connection)
        disconnected.set()

    stage.send("Eva", f"/room {stage.room_id}", lobby=True)
    stage.run(disconnect())
    stage.settle()
    assert {each.name for each in stage.live.present.members} == {"Ayu", "Ben"}


def test_the_rest_hear_of_it_within_a_second(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.come("Eva")
    stage.enter("Eva")
    stage.wait(1)
    assert stage.people["Ayu"].here == ("Ayu", "Eva")


def test_who_is_away_is_named(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.drop("Ben")
    stage.wait(1)
    assert (stage.people["Ayu"].here, stage.people["Ayu"].away) == (("Ayu",), ("Ben",))


def test_who_enters_again_gets_another_picture(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.play("Ayu", "hello")
    assert stage.say("Ayu", f"/room {stage.room_id}") == {"Ayu": ["(snapshot)"]}


def test_who_asks_for_it_gets_another_picture(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.sync("Ben") == {"Ben": ["(snapshot)"]}


def test_who_leaves_to_the_lobby_hears_nothing_more_of_the_room(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.say("Ben", "/lobby")
    assert stage.say("Ayu", "anybody?") == {"Ayu": ["Ayu: anybody?"]}


def test_a_connection_is_in_so_many_rooms(stage: Stage) -> None:
    stage.come("Ayu")
    for number in range(ROOMS_PER_CONNECTION):
        host = f"Host{number}x"
        stage.come(host)
        stage.say(host, "/newroom journey unlisted", lobby=True)
        stage.enter("Ayu", stage.people[host].last(Room).id)
    for line in ("/newroom journey", f"/room {stage.live_ids()[0]}"):
        assert stage.refused("Ayu", line, lobby=True) == "too_many_rooms_at_once"


def test_a_line_for_a_room_that_one_is_not_in_is_refused(stage: Stage) -> None:
    stage.come("Ayu")
    stage.people["Ayu"].room = stage.number(7)
    assert stage.refused("Ayu", "hello") == "not_in_room"


def test_two_who_enter_a_sleeping_room_at_once_get_the_same_one(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    stage.restart()
    stage.come("Eva", "Fay")
    for name in ("Eva", "Fay"):
        stage.send(name, f"/room {stage.room_id}", lobby=True)
    stage.settle()
    assert len(stage.live.present.members) == 2


@pytest.mark.expects_log("the game is gone")
def test_a_room_whose_game_is_removed_says_so() -> None:
    journal = SimulatedStore()
    with Stage(journal) as stage:
        stage.game("journey", "Ayu", "Ben")
        room_id = stage.room_id
    rest = {key: game for key, game in GAMES.items() if key != "journey"}
    with Stage(journal, rest, drawn=1000) as stage:
        stage.come("Eva")
        assert stage.refused("Eva", f"/room {room_id}", lobby=True) == "version_gap"


# The lobby.


def lobby_rooms(stage: Stage, name: str) -> dict[str, object]:
    """The rooms in the lobby frames that a client received."""
    tree: Tree = {"rooms": {}}
    for message in stage.people[name].messages:
        if isinstance(message, Lobby):
            tree = apply(message.patch, {} if message.full else tree)
    assert isinstance(tree, dict)
    rooms = tree["rooms"]
    assert isinstance(rooms, dict)
    return dict(rooms)


def test_the_lobby_hears_of_public_rooms(stage: Stage) -> None:
    stage.come("Eva")
    stage.table("journey", "Ayu", kind="public")
    stage.wait(1)
    assert lobby_rooms(stage, "Eva") == {
        stage.room_id: {
            "game": "journey",
            "phase": "open",
            "seats": ["Ayu"],
            "free": 2,
            "locked": False,
            "clock": "",
            "options": {},
            "watchers": 0,
            "made": stage.entries()[0].at,
        }
    }


@pytest.mark.parametrize("kind", ["unlisted", "private"])
def test_the_lobby_hears_of_no_other_rooms(stage: Stage, kind: str) -> None:
    stage.come("Eva")
    before = len(stage.people["Eva"].messages)
    stage.table("journey", "Ayu", kind=kind)
    stage.play("Ayu", "/start", "/resign !")
    stage.wait(10)
    assert len(stage.people["Eva"].messages) == before


def test_who_is_in_a_room_hears_nothing_of_the_lobby(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    before = len(stage.people["Ayu"].messages)
    stage.come("Ben")
    stage.say("Ben", "/newroom journey", lobby=True)
    stage.wait(1)
    assert not any(isinstance(each, Lobby) for each in stage.people["Ayu"].messages[before:])


def test_the_list_of_rooms_survives_a_restart(stage: Stage) -> None:
    stage.table("journey", "Ayu", kind="public")
    stage.restart()
    stage.come("Eva")
    assert list(lobby_rooms(stage, "Eva")) == [stage.room_id]


# No reply tells a private room from none.


def hidden(stage: Stage) -> str:
    """A private room of Ayu and Ben, in which a game runs; Eva is a stranger to it."""
    stage.come("Ayu", "Ben", "Eva")
    stage.say("Ayu", "/newroom journey private", lobby=True)
    stage.room_id = stage.live_ids()[0]
    stage.play("Ayu", "/invite Ben", "/join")
    stage.enter("Ben")
    stage.play("Ben", "/join")
    stage.play("Ayu", "/start")
    return stage.room_id


def replies_to(stage: Stage, line: str, *, secret: str, lobby: bool = True) -> list[str]:
    """All that Eva gets for a line, with the room's number and ids taken out."""
    listener = stage.people["Eva"]
    before = len(listener.messages)
    stage.say("Eva", line, lobby=lobby)
    return [
        repr(each).replace(secret, "NUMBER").replace(str(getattr(each, "id", "")) or "-", "ID")
        for each in listener.messages[before:]
    ]


@pytest.mark.parametrize(
    "line", ["/room {}", "/room #{}", "/room {} password", "/部屋 {}", "/room http://x/r/{}"]
)
@pytest.mark.parametrize("inside", [False, True], ids=["from the lobby", "from a room"])
def test_a_private_room_is_answered_like_none(stage: Stage, line: str, *, inside: bool) -> None:
    number = hidden(stage)
    if inside:
        stage.say("Eva", "/newroom journey unlisted", lobby=True)
    real = replies_to(stage, line.format(number), secret=number, lobby=not inside)
    none = replies_to(stage, line.format("999999"), secret="999999", lobby=not inside)
    assert real == none
    assert stage.people["Eva"].last(Error).code == "room_unknown"


@pytest.mark.parametrize("line", ["/listroom", "/listfree journey", "/myrooms", "/who"])
def test_no_list_has_a_private_room(stage: Stage, line: str) -> None:
    number = hidden(stage)
    stage.say("Eva", line, lobby=True)
    assert number not in stage.people["Eva"].last(Note).text


def test_a_private_rooms_record_is_like_none(stage: Stage) -> None:
    hidden(stage)
    stage.play("Ayu", "/resign !")
    game_id = stage.room.table.game_id
    assert stage.say("Ben", f"/record {game_id}")["Ben"][0].startswith("(record)")
    stage.say("Eva", "/newroom journey unlisted", lobby=True)
    real = replies_to(stage, f"/record {game_id}", secret=game_id, lobby=False)
    none = replies_to(stage, "/record g0000", secret="g0000", lobby=False)  # an id
    assert real == none


def test_what_happens_in_a_private_room_reaches_no_other_person(stage: Stage) -> None:
    hidden(stage)
    before = len(stage.people["Eva"].messages)
    stage.play("Ayu", "/go mill", "hello", "/resign !")
    stage.wait(10)
    assert len(stage.people["Eva"].messages) == before


@pytest.mark.parametrize("inside", [False, True], ids=["from the lobby", "from a room"])
def test_who_guesses_numbers_waits(stage: Stage, *, inside: bool) -> None:
    stage.table("journey", "Ayu")
    stage.come("Eva")
    if inside:
        stage.say("Eva", "/newroom journey unlisted", lobby=True)
    for _ in range(ROOM_TRIES_PER_MINUTE):
        assert stage.refused("Eva", "/room 999999", lobby=not inside) == "room_unknown"
    for number in ("999999", stage.room_id):
        assert stage.refused("Eva", f"/room {number}", lobby=not inside) == "guessed_too_often"
    stage.wait(61)
    stage.enter("Eva")


def test_a_barred_person_is_answered_like_a_stranger(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Eva")
    stage.play("Ayu", "/ban Eva")
    real = replies_to(stage, f"/room {stage.room_id}", secret=stage.room_id)
    none = replies_to(stage, "/room 999999", secret="999999")  # a number
    assert real == none


# Letting go.


def test_rooms_with_people_stay_in_memory(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    stage.wait(10_000)
    assert stage.live_ids() == [stage.room_id]


def test_a_room_returns_as_it_left(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before, token = stage.room, stage.people["Ben"].token
    for name in ("Ayu", "Ben"):
        stage.drop(name)
    stage.wait(1000)
    stage.back("Ben", token)
    assert stage.room == before


def test_a_finished_room_without_people_is_closed_after_six_hours(stage: Stage) -> None:
    stage.game("journey", "Ayu")
    stage.play("Ayu", "/resign !")
    assert stage.room.table.phase is Phase.OVER
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    stage.wait(7 * 3600)
    stage.connect("Ayu", token=token)
    assert stage.refused("Ayu", f"/room {stage.room_id}", lobby=True) == "room_unknown"


def test_the_number_of_a_closed_room_is_not_given_again(stage: Stage) -> None:
    stage.table("journey", "Ayu")
    closed = stage.room_id
    fresh = bytes(56) + (int(closed) - 100_000).to_bytes(8, "big")
    stage.app.engine.live.pop(closed).close()
    assert stage.run(free_number(stage.app.engine.live, stage.app.store, fresh)) != closed


@pytest.mark.expects_log("a room that cannot be folded")
def test_a_room_that_cannot_be_loaded_can_be_retried(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.table("journey", "Ayu")
    token = stage.people["Ayu"].token
    stage.restart()
    stage.connect("Ayu", token=token)
    with monkeypatch.context() as patch:
        patch.setattr(loading, "read_room", broken)
        assert stage.refused("Ayu", f"/room {stage.room_id}", lobby=True) == "internal"
    assert stage.say("Ayu", f"/room {stage.room_id}", lobby=True) == {"Ayu": ["(snapshot)"]}


async def broken(store: Store, games: object, room_id: str) -> None:
    raise ZeroDivisionError(room_id)


def test_a_member_has_so_few_attributes_that_all_share_one_table_of_their_names(
    stage: Stage,
) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/start")
    assert max(len(vars(each)) for each in stage.app.dispatcher.connections) <= 30
