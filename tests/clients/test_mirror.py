"""Does the mirror show what the server sees, and notice when it does not?"""

from __future__ import annotations

from typing import Any

import pytest

from bluebear.clients.sdk import (
    Entered,
    Happening,
    Left,
    Mirror,
    MirrorError,
    NeedSync,
    Noted,
    Replied,
    RoomId,
    Seat,
    Synced,
    Updated,
    YourMove,
    YourTurn,
)
from bluebear.protocol import (
    Branch,
    Done,
    Error,
    Lobby,
    Moves,
    Note,
    Presence,
    Room,
    RoomNumber,
    Update,
    Version,
    crc,
)

NUMBER = RoomNumber(7)
ID = RoomId("12")
VIEW: dict[str, Any] = {  # Any: a tree written by hand
    "room": {"phase": "playing", "turn": [2]},
    "game": {"count": 0},
}


def snapshot(view: Branch = VIEW, *, version: int = 5, **changes: Any) -> Room:
    fields: dict[str, Any] = {
        "room": NUMBER,
        "id": ID,
        "game": "counting",
        "hash": "h",
        "version": Version(version),
        "view": view,
        "sum": crc(view),
        "eyes": (1,),
    }
    return Room(**{**fields, **changes})


def update(version: int, **changes: Any) -> Update:
    return Update(room=NUMBER, version=Version(version), **changes)


@pytest.fixture
def mirror() -> Mirror:
    made = Mirror()
    made.receive(snapshot())
    return made


def kinds(happened: list[Happening]) -> list[type]:
    return [type(happening) for happening in happened]


def test_a_snapshot_shows_the_room() -> None:
    mirror = Mirror()
    happened = mirror.receive(snapshot())
    room = mirror.rooms[ID]
    assert (kinds(happened), room.view, room.phase) == ([Entered], VIEW, "playing")


def test_a_room_that_was_left_by_another_connection_is_entered_again(mirror: Mirror) -> None:
    """Mirrors of one client share the rooms, and each has numbers of its own."""
    other = Mirror(beside=mirror)
    other.receive(snapshot())
    other.forget(ID)
    assert mirror.unsound() == []
    assert kinds(mirror.receive(snapshot())) == [Entered]
    assert mirror.rooms[ID].sound


def test_an_update_takes_the_view_one_version_on(mirror: Mirror) -> None:
    happened = mirror.receive(update(6, patch={"game": {"count": 3}}, text=("Three.",)))
    assert happened == [Updated(ID, Version(6), ("Three.",), (), None)]
    assert mirror.rooms[ID].view["game"] == {"count": 3}


def test_the_private_section_follows_the_public_one(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"game": {"hand": 4}}, own={"game": {"hand": [1, 2]}}))
    assert mirror.rooms[ID].view["game"] == {"count": 0, "hand": [1, 2]}


def test_an_update_without_patches_is_a_version_too(mirror: Mirror) -> None:
    mirror.receive(update(6, text=("Ayu: hello",)))
    assert mirror.rooms[ID].version == 6


def test_a_gap_asks_for_a_snapshot(mirror: Mirror) -> None:
    assert mirror.receive(update(7, patch={"game": {"count": 3}})) == [NeedSync(NUMBER, ID)]
    assert mirror.rooms[ID].view == VIEW


def test_a_wrong_sum_asks_for_a_snapshot(mirror: Mirror) -> None:
    happened = mirror.receive(update(6, patch={"game": {"count": 3}}, sum=1))
    assert happened == [NeedSync(NUMBER, ID)]


def test_a_right_sum_is_believed(mirror: Mirror) -> None:
    view = {**VIEW, "game": {"count": 3}}
    happened = mirror.receive(update(6, patch={"game": {"count": 3}}, sum=crc(view)))
    assert kinds(happened) == [Updated]


def test_between_gap_and_snapshot_nothing_is_believed(mirror: Mirror) -> None:
    mirror.receive(update(7))
    assert mirror.receive(update(8, patch={"game": {"count": 9}})) == []


def test_a_line_is_answered_even_by_an_update_that_is_not_believed(mirror: Mirror) -> None:
    mirror.receive(update(7))
    assert kinds(mirror.receive(update(8, done="x1"))) == [Replied]


def test_the_snapshot_makes_the_room_complete_again(mirror: Mirror) -> None:
    mirror.receive(update(7))
    happened = mirror.receive(snapshot(version=8))
    assert kinds(happened) == [Synced]
    assert kinds(mirror.receive(update(9))) == [Updated]


def test_updates_that_a_snapshot_has_overtaken_change_nothing(mirror: Mirror) -> None:
    assert mirror.receive(update(5, patch={"game": {"count": 9}})) == []
    assert mirror.rooms[ID].view == VIEW


def test_a_snapshot_with_a_wrong_sum_is_requested_again() -> None:
    assert Mirror().receive(snapshot(sum=1)) == [NeedSync(NUMBER, ID)]


def test_snapshots_that_never_fit_are_the_end() -> None:
    mirror = Mirror()
    mirror.receive(snapshot(sum=1))
    mirror.receive(snapshot(sum=1))
    with pytest.raises(MirrorError):
        mirror.receive(snapshot(sum=1))


def test_an_update_of_ours_answers_after_it_has_happened(mirror: Mirror) -> None:
    assert kinds(mirror.receive(update(6, done="x1"))) == [Updated, Replied]


def test_a_turn_of_ours_is_shown_when_it_begins(mirror: Mirror) -> None:
    happened = mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    assert happened[-1] == YourTurn(ID, Version(6), frozenset({Seat(1)}))


def test_a_turn_of_ours_is_reported_once(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    assert kinds(mirror.receive(update(7, text=("Bob: quick!",)))) == [Updated]


def test_a_further_decision_after_our_move_is_reported(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    happened = mirror.receive(update(7, patch={"game": {"count": 1}}, done="x1"))
    assert kinds(happened) == [Updated, YourTurn, Replied]


def test_talk_of_ours_is_no_further_decision(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    assert kinds(mirror.receive(update(7, done="x1"))) == [Updated, Replied]


def test_the_turn_of_the_rest_is_not_notified(mirror: Mirror) -> None:
    assert kinds(mirror.receive(update(6, patch={"room": {"turn": [3]}}))) == [Updated]


def test_legal_lines_are_stored_while_the_seat_is_to_move(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    happened = mirror.receive(
        Moves(room=NUMBER, version=Version(6), seat=1, lines=("/add 1", "/add 2"))
    )
    assert happened == [YourMove(ID, Version(6), Seat(1), ("/add 1", "/add 2"))]
    assert list(mirror.rooms[ID].moves) == [1]


def test_legal_lines_are_forgotten_with_the_turn(mirror: Mirror) -> None:
    mirror.receive(Moves(room=NUMBER, version=Version(5), seat=1, lines=("/add 1",)))
    mirror.receive(update(6, patch={"room": {"turn": [2]}}))
    assert mirror.rooms[ID].moves == {}


def test_legal_lines_are_forgotten_when_the_game_continues(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    mirror.receive(Moves(room=NUMBER, version=Version(6), seat=1, lines=("/add 1",)))
    mirror.receive(update(7))
    assert list(mirror.rooms[ID].moves) == [1]
    mirror.receive(update(8, patch={"game": {"count": 1}}))
    assert mirror.rooms[ID].moves == {}


def test_presence_is_no_version(mirror: Mirror) -> None:
    mirror.receive(Presence(room=NUMBER, here=("Ayu",), away=("Bob",)))
    room = mirror.rooms[ID]
    assert (room.here, room.away, room.version) == (("Ayu",), ("Bob",), 5)


def test_a_note_is_reported_with_its_room(mirror: Mirror) -> None:
    note = Note(code="who", text="You.", room=NUMBER)
    assert mirror.receive(note) == [Noted(ID, "who", "You.")]


def test_a_room_that_we_left_is_removed(mirror: Mirror) -> None:
    assert mirror.receive(Note(code="left", text="Bye.", room=NUMBER)) == [Left(ID, "Bye.")]
    assert (mirror.rooms, mirror.number(ID)) == ({}, None)


def test_a_room_that_we_were_sent_out_of_is_removed(mirror: Mirror) -> None:
    assert mirror.receive(Note(code="kicked", text="Out.", room=NUMBER)) == [Left(ID, "Out.")]
    assert (mirror.rooms, mirror.number(ID)) == ({}, None)


def test_a_room_of_another_connection_waits_for_its_snapshot(mirror: Mirror) -> None:
    mirror.disconnect()
    assert mirror.receive(update(6, patch={"game": {"count": 9}})) == []
    assert mirror.rooms[ID].view == VIEW


def test_a_room_has_the_number_of_the_newest_snapshot(mirror: Mirror) -> None:
    mirror.disconnect()
    mirror.receive(snapshot(version=9, room=RoomNumber(1)))
    assert mirror.number(ID) == 1


def test_a_turn_that_we_knew_is_not_reported_again_after_coming_back(mirror: Mirror) -> None:
    mirror.receive(update(6, patch={"room": {"turn": [1]}}))
    view = mirror.rooms[ID].view
    mirror.disconnect()
    assert kinds(mirror.receive(snapshot(view, version=6))) == [Synced]


def test_an_answer_names_the_room(mirror: Mirror) -> None:
    [replied] = mirror.receive(Done(id="x1", room=NUMBER, version=Version(5)))
    assert isinstance(replied, Replied)
    assert (replied.reply.room, replied.reply.ok) == (ID, True)


def test_a_refusal_has_code_sentence_and_candidates() -> None:
    [replied] = Mirror().receive(
        Error(id="x1", code="rash", text="Sure?", rule="4.3", candidates=("/add 9!",))
    )
    assert isinstance(replied, Replied)
    reply = replied.reply
    assert (reply.ok, reply.code, reply.text, reply.rule, reply.candidates) == (
        False,
        "rash",
        "Sure?",
        "4.3",
        ("/add 9!",),
    )


def test_the_lobby_is_patched() -> None:
    mirror = Mirror()
    mirror.receive(Lobby(version=Version(1), full=True, patch={"rooms": {"1": {"game": "a"}}}))
    mirror.receive(Lobby(version=Version(2), patch={"rooms": {"1": None, "2": {"game": "b"}}}))
    assert mirror.lobby == {"rooms": {"2": {"game": "b"}}}


def test_a_full_lobby_replaces_the_old_one() -> None:
    mirror = Mirror()
    mirror.receive(Lobby(version=Version(1), full=True, patch={"rooms": {"1": {"game": "a"}}}))
    mirror.receive(Lobby(version=Version(5), full=True, patch={"rooms": {}}))
    assert mirror.lobby == {"rooms": {}}


@pytest.mark.parametrize(
    ("eyes", "phase", "options", "late"),
    [
        ((), "playing", {"watchdelay": "3"}, 3),
        ((), "paused", {"watchdelay": "3"}, 3),
        ((), "over", {"watchdelay": "3"}, 0),
        ((), "playing", {"watchdelay": "off"}, 0),
        ((), "playing", {}, 0),
        ((1,), "playing", {"watchdelay": "3"}, 0),
    ],
)
def test_who_watches_knows_how_late_he_sees_the_game(
    eyes: tuple[int, ...], phase: str, options: dict[str, str], late: int
) -> None:
    mirror = Mirror()
    view: dict[str, Any] = {"room": {"phase": phase, "turn": [2], "options": options}, "game": {}}
    mirror.receive(snapshot(view, eyes=eyes))
    assert mirror.rooms[ID].late == late
