"""What happens on a screen while one types? Nothing torn, nothing lost, no secret shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import pytest
import pytest_asyncio

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Client, RoomId, RoomView
from bluebear.clients.terminal.arrival_text import head_of
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.fullscreen.window import Log
from bluebear.clients.terminal.secret_lines import covered
from bluebear.protocol import Version
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.phrases import Lang
from bluebear.rules.core.visibility import Seat
from tests.clients.fake_server import FakeServer
from tests.clients.terminal.full.glass import Glass, Sitting, sitting
from tests.clients.terminal.full.still import NOW_MS, ROOM, StillClient, moment

PHRASES_OF: Final = "bluebear.clients.terminal"
PHRASES: Final = Texts("en", PHRASES_OF)
MONOCHROME: Final = {"default"}

pytestmark = pytest.mark.slow_loop


@pytest_asyncio.fixture
async def seat() -> AsyncIterator[Sitting]:
    """Ayu in the middle of a game of Manhattan, before a window of 80 to 24."""
    async with at_table() as result:
        yield result


def at_table(**more: Any) -> Any:
    at, reply = moment("manhattan", 4, 40, "en")
    log = Log(ascii_only=False)
    conversation = Conversation(cast(Any, StillClient("manhattan", at, 4, "en")), PHRASES, log)
    conversation.room = ROOM
    for text in reply[-30:]:
        log.show(text)
    return sitting(conversation, log, PHRASES, Glass(80, 24), now=lambda: NOW_MS / 1000, **more)


async def test_a_half_typed_line_stays_while_things_happen(seat: Sitting) -> None:
    seat.type("/build 4 fra")
    await seat.glass.says("* 123456> /build 4 fra")
    seat.log.show("Mika sneezes.")
    seat.resize(100, 30)
    lines = await seat.glass.says("│ >1 Ayu")
    assert lines[-1] == "* 123456> /build 4 fra"
    seat.resize(80, 24)
    lines = await seat.glass.shows(lambda lines: ">1 Ayu 4:05  2" in "".join(lines))
    assert len(lines) == 24
    assert lines[-1] == "* 123456> /build 4 fra"
    assert sum("Mika sneezes." in line for line in lines) == 1


async def test_a_resized_window_asks_for_a_board_that_fits(seat: Sitting) -> None:
    await seat.glass.says("1 2 3  D3    D1")
    seat.resize(80, 40)
    await seat.glass.says("1 2 3  │D3   │D1   │")
    seat.resize(80, 14)
    lines = await seat.glass.shows(lambda lines: lines[-1] == "* 123456>")
    assert len(lines) == 14


async def test_a_tiny_window_shows_what_fits(seat: Sitting) -> None:
    for columns, rows in ((20, 5), (10, 2), (200, 60), (80, 24)):
        seat.resize(columns, rows)
        lines = await seat.glass.shows(lambda lines: lines[-1] == "* 123456>")
        assert len(lines) == rows
        assert seat.glass.widest <= columns


async def test_a_long_text_is_read_on_the_complete_screen(seat: Sitting) -> None:
    await seat.glass.says("Ayu (A) is to build.")
    seat.log.show("\n".join(f"line {number}" for number in range(1, 61)))
    seat.resize(80, 24)
    lines = await seat.glass.says("line 20")
    assert lines[1] == "line 1"
    assert not any("is to build" in line for line in lines)
    seat.type("\x1b[6~\x1b[6~\x1b[6~\x1b[6~")
    await seat.glass.says("line 60")
    seat.type("\r")
    await seat.glass.says("Ayu (A) is to build.")


async def test_the_log_can_be_rolled_back_to(seat: Sitting) -> None:
    for number in range(100):
        seat.log.show(f"event {number}.")
    seat.resize(80, 24)
    await seat.glass.says("event 99.")
    seat.type("\x1b[5~")
    await seat.glass.says("PgDn: newer")
    seat.type("\x1b[6~")
    await seat.glass.says("event 99.")


async def test_a_password_is_covered_while_it_is_typed_and_after(seat: Sitting) -> None:
    seat.type("/password hunter2")
    lines = await seat.glass.says("* 123456> /password *******")
    seat.type("\r")
    lines = await seat.glass.says("> /password ***")
    assert "hunter2" not in "".join(lines) + seat.glass.written
    seat.type("\x1b[A")
    await seat.glass.shows(lambda lines: "hunter" not in "".join(lines))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/password a b", "/password * *"),
        ("/room 12 hunter2", "/room 12 *******"),
        ("/newroom manhattan private 秘密", "/newroom manhattan private **"),
        ("/build 4 fra 5", "/build 4 fra 5"),
    ],
)
def test_what_is_covered_is_as_long_as_it_was(line: str, shown: str) -> None:
    assert covered(line) == shown
    assert len(covered(line)) == len(line)


async def test_seats_have_colours_and_none_without(seat: Sitting) -> None:
    seat.log.show("Ayu waves to Mika.")
    seat.resize(100, 30)
    await seat.glass.says("Ayu waves")
    assert seat.glass.colours("Mika.") != MONOCHROME
    async with at_table(colours=False) as grey:
        grey.log.show("Ayu waves to Mika.")
        grey.resize(100, 30)
        await grey.glass.says("Ayu waves")
        assert grey.glass.colours("Mika.") == MONOCHROME
        assert any(">1 Ayu" in line for line in grey.glass.lines), "a sign besides the colour"


async def test_plain_ascii_has_no_other_signs() -> None:
    async with at_table(ascii_only=True) as seat:
        seat.resize(100, 30)
        await seat.glass.says("| >1 Ayu")
        assert "│ >1" not in "".join(seat.glass.lines)


async def test_terms_of_the_client_are_never_sent(seat: Sitting) -> None:
    seat.type("/set bell off\r/clear\r/set\r")
    lines = await seat.glass.says("/set board on, /set bell off")
    assert sum("Your cards" in line for line in lines) == 0
    seat.type("/quit\r")
    await seat.running
    assert seat.sent_lines == []


@pytest_asyncio.fixture
async def table(server: FakeServer, tmp_path: Path) -> AsyncIterator[tuple[FakeServer, Sitting]]:
    """Ayu in the lobby of a server that can be broken."""
    async with Client(server.url, name="Ayu", wants={"text"}) as client:
        log = Log(ascii_only=False)
        conversation = Conversation(client, PHRASES, log, greets=True)
        glass = Glass(80, 24)
        async with sitting(conversation, log, PHRASES, glass, listen=True) as seat:
            yield server, seat


async def test_a_line_is_stored_while_the_connection_is_lost(
    table: tuple[FakeServer, Sitting],
) -> None:
    server, seat = table
    seat.type("/newroom counting\r")
    await seat.glass.says("counting 1: waiting for players")
    seat.type("/join\r/start\r")
    await seat.glass.says("Your turn")
    seat.type("/add ")
    await server.cut("Ayu")
    await seat.glass.says("The connection is lost.")
    await seat.glass.says("Connected again.")
    seat.type("2\r")
    await seat.glass.says("The count is 2.")
    assert [text for _, _, text in server.sent_lines if text.startswith("/add")] == ["/add 2"]


@pytest.mark.parametrize(
    ("line", "question", "times"),
    [
        ("/login Ken", "Password of Ken", 1),
        ("/logi Ken", "Password of Ken", 1),
        ("/ログイン Ken", "Password of Ken", 1),
        ("/register", "The password that you choose", 2),
        ("/regist", "The password that you choose", 2),
        ("/登録", "The password that you choose", 2),
    ],
)
async def test_the_password_that_a_line_lacks_is_requested_covered(
    table: tuple[FakeServer, Sitting], line: str, question: str, times: int
) -> None:
    server, seat = table
    seat.type(f"{line}\r")
    await seat.glass.says(question)
    for _ in range(times):
        seat.type("/hunter22")
        lines = await seat.glass.says("*********")
        assert "hunter" not in "".join(lines)
        seat.type("\r")
    lines = await seat.glass.says("***")
    seat.type("hello\r")
    lines = await seat.glass.says("lobby: hello")
    assert "hunter" not in "".join(lines)
    sent = [text for _, _, text in server.sent_lines]
    assert sent[-2:] == [f"{line} /hunter22", "hello"]
    assert len(sent) == 2 or sent[0] == line


@pytest.mark.parametrize("keys", ["\r", "hunter22\x03", "\x04"])
async def test_a_password_that_is_not_given_leaves_everything_as_it_was(
    table: tuple[FakeServer, Sitting], keys: str
) -> None:
    server, seat = table
    seat.type(f"/login Ken\r{keys}")
    await seat.glass.says("No password was given. Nothing was sent.")
    seat.type("hello\r")
    await seat.glass.says("lobby: hello")
    assert [text for _, _, text in server.sent_lines] == ["hello"]


async def test_the_bell_rings_at_one_s_turn(table: tuple[FakeServer, Sitting]) -> None:
    _, seat = table
    for line in ("/newroom counting", "/join", "/start"):
        seat.type(f"{line}\r")
    await seat.glass.says("Your turn")
    assert seat.glass.bells == 1


async def test_coming_in_and_going_are_reported(table: tuple[FakeServer, Sitting]) -> None:
    server, seat = table
    seat.type("/newroom counting\r")
    await seat.glass.says("Nobody sits here yet")
    await server.tell_presence("1", ())
    async with Client(server.url, name="Ken", wants={"text"}) as ken:
        await ken.say("/room 1")
        await server.tell_presence("1", ())
        await seat.glass.says("Here now: Ken")
    await server.departure("Ken")
    await server.tell_presence("1", ())
    await seat.glass.says("Gone: Ken")


async def test_a_room_says_what_it_is_to_who_enters(
    table: tuple[FakeServer, Sitting],
) -> None:
    server, seat = table
    async with Client(server.url, name="Ken", wants={"text"}) as ken:
        await ken.say("/newroom counting")
        room = next(iter(ken.mirror.rooms))
        for line in ("/join", "/start", *("hello" for _ in range(20)), "bye"):
            await ken.say(line, room=room)
        seat.type("/room 1\r")
        lines = await seat.glass.says("Ken: bye")
        assert [line for line in lines if line][1:5] == [
            "You are Ayu.",
            "> /room 1",
            "counting 1: playing",
            "Seats: 1 Ken",
        ]
        assert "To move: Ken" in lines
        assert sum("Ken: hello" in line for line in lines) == 5, "the newest events, no more"


@pytest.mark.parametrize(
    ("lang", "delay_text"),
    [("en", "You watch, late by so many moves: 3."), ("ja", "対局は3手遅れて見えます。")],
)
def test_who_enters_to_watch_is_shown_how_late_he_sees_the_game(
    lang: Lang, delay_text: str
) -> None:
    table: dict[str, Any] = {
        "phase": "playing",
        "turn": [],
        "seats": {},
        "options": {"watchdelay": "3"},
    }
    room = RoomView(
        id=RoomId("1"),
        game="counting",
        hash="h",
        version=Version(5),
        view={"room": table},
        eyes=frozenset(),
    )
    phrases = Texts(lang, PHRASES_OF)
    assert head_of(room, {}, phrases)[-1].endswith(delay_text)


async def test_after_a_game_one_is_shown_what_there_is_to_do(
    table: tuple[FakeServer, Sitting],
) -> None:
    _, seat = table
    for line in ("/newroom counting", "/join", "/start", "/add 6"):
        seat.type(f"{line}\r")
    lines = await seat.glass.says("/again plays once more")
    assert sum("/again plays once more" in line for line in lines) == 1


async def test_a_pasted_text_is_sent_line_by_line(table: tuple[FakeServer, Sitting]) -> None:
    server, seat = table
    seat.type("\x1b[200~hello\r\n\r\n/who\nbye\x1b[201~")
    await seat.glass.says("bye")
    assert server.sent_lines == []
    seat.type("\r")
    await seat.glass.says("lobby: bye")
    assert [text for _, _, text in server.sent_lines] == ["hello", "/who", "bye"]
    seat.type("\x1b[A\x1b[A")
    lines = await seat.glass.shows(lambda lines: lines[-1].endswith("/who"))
    assert lines[-1] == "lobby> /who"
    seat.type("\x03\x1b[200~/quit\n/quit\x1b[201~\r")
    await seat.running


@pytest.mark.parametrize(
    ("undo", "undo_text"),
    [
        ({"can": True, "asks": False}, "/undo takes your move back."),
        ({"can": True, "asks": True}, "/undo asks the others."),
        ({"can": False, "asks": False}, ""),
    ],
)
async def test_who_has_moved_is_shown_what_an_undo_would_do(
    undo: dict[str, bool], undo_text: str
) -> None:
    before, _ = moment("manhattan", 4, 40, "en")
    game = games()["manhattan"]
    at = game.play(before.state, Seat(1), game.plain(before.state, Seat(1))[0], FastChance(1))
    assert 1 not in at.to_move
    client = StillClient("manhattan", at, 4, "en")
    client.undo = undo
    log = Log(ascii_only=False)
    conversation = Conversation(cast(Any, client), PHRASES, log)
    conversation.room = ROOM
    async with sitting(conversation, log, PHRASES, Glass(100, 24)) as seat:
        seat.resize(100, 30)
        lines = await seat.glass.says(undo_text or "To move:")
        assert ("/undo" in "".join(lines)) is bool(undo_text)


@pytest.mark.parametrize(("lang", "absent"), [("en", "away"), ("ja", "離席中")])
@pytest.mark.parametrize("by_clock", [True, False])
async def test_who_waits_is_shown_which_players_are_away_and_how_much_time_these_have(
    lang: Lang, absent: str, *, by_clock: bool
) -> None:
    at, _ = moment("railroad_ink", 4, 3, lang)
    at.to_move = frozenset(map(Seat, (2, 3, 4)))
    client, phrases = StillClient("railroad_ink", at, 4, lang), Texts(lang, PHRASES_OF)
    room = cast("dict[str, Any]", client.mirror.rooms[ROOM].view["room"])
    chairs = room["seats"]
    if not by_clock:
        for chair in chairs.values():
            del chair["bank"]
            chair.pop("deadline", None)
    away = replace(client.mirror.rooms[ROOM], away=("けんた", "Jo"))
    client.mirror.rooms[ROOM] = away
    log = Log(ascii_only=False)
    conversation = Conversation(cast(Any, client), phrases, log)
    conversation.room = ROOM
    mark = f"{absent}, 4:05" if by_clock else absent
    async with sitting(
        conversation, log, phrases, Glass(100, 24), now=lambda: NOW_MS / 1000
    ) as seat:
        await seat.glass.says(f": けんた ({mark}), Mika, Jo ({mark})")
