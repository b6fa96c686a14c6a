"""At a keyboard: the person types, and sees the lines that the client types by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Client
from bluebear.clients.terminal.chat import Conversation
from bluebear.clients.terminal.client_commands import change_settings, client_command
from bluebear.clients.terminal.line_editor import LineCompleter, QuietHistory
from bluebear.clients.terminal.prompt_mode import Prompt
from tests.clients.conftest import PATIENCE_SECONDS
from tests.clients.fake_server import FakeServer

PHRASES = Texts("en", "bluebear.clients.terminal")


class Paper:
    """A screen whose lines can be waited for."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.bells = 0
        self._news = asyncio.Event()

    def show(self, text: str) -> None:
        self.lines.append(text)
        self._news.set()

    def bell(self) -> None:
        self.bells += 1

    async def shows(self, text: str, *, times: int = 1) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.lines.count(text) < times:
                self._news.clear()
                await self._news.wait()


@dataclass
class Seat:
    """A person at a keyboard."""

    keyboard: PipeInput
    paper: Paper
    conversation: Conversation
    prompt: Prompt
    running: asyncio.Task[None]


@pytest_asyncio.fixture
async def seat(server: FakeServer, tmp_path: Path) -> AsyncIterator[Seat]:
    paper = Paper()
    with create_pipe_input() as keyboard:
        async with Client(server.url, name="Ayu", wants={"text"}) as client:
            conversation = Conversation(client, PHRASES, paper)
            listening = asyncio.create_task(conversation.listen())
            prompt = Prompt(
                conversation,
                paper,
                PHRASES,
                history=tmp_path / "history",
                keyboard=keyboard,
                display=DummyOutput(),
            )
            running = asyncio.create_task(prompt.run())
            yield Seat(keyboard, paper, conversation, prompt, running)
            for task in (running, listening):
                task.cancel()
            await asyncio.wait((running, listening))


async def test_what_is_typed_is_sent(server: FakeServer, seat: Seat) -> None:
    seat.keyboard.send_text("/newroom counting\r")
    await seat.paper.shows("Room 1 is new.")
    assert [text for _, _, text in server.sent_lines] == ["/newroom counting"]


@pytest.mark.parametrize(
    ("keys", "expected_lines"),
    [
        ("/login Ken\rhunter2 2\r", ["/login Ken hunter2 2"]),
        ("／ＬＯＧＩＮ Ken\r/quit\r", ["／ＬＯＧＩＮ Ken /quit"]),
        ("/ログイン Ken\rhunter22\r", ["/ログイン Ken hunter22"]),
        ("/register\rhunter22\rhunter22\r", ["/register hunter22"]),
        ("/password\rhunter22\rhunter22\r", ["/password hunter22"]),
        ("\x1b[200~/login Ken\nhunter22\nfirst\x1b[201~\r", ["/login Ken hunter22", "first"]),
        ("/登録\rhunter22\rhunter22\r", ["/登録 hunter22"]),
        ("/register\rhunter22\rhunter23\r", []),
        ("/register\rhunter22\r\r", []),
        ("/login Ken\r\r", []),
        ("/login Ken\rhunter22\x03", []),
        ("/login Ken\r\x04", []),
    ],
)
async def test_the_password_that_a_line_lacks_is_requested(
    server: FakeServer, seat: Seat, tmp_path: Path, keys: str, expected_lines: list[str]
) -> None:
    seat.keyboard.send_text(f"{keys}hello\r")
    await seat.paper.shows("lobby: hello")
    assert [text for _, _, text in server.sent_lines] == [*expected_lines, "hello"]
    assert "hunter2" not in (tmp_path / "history").read_text(encoding="utf-8")
    assert "hunter2" not in "".join(seat.paper.lines)
    refused = [line for line in seat.paper.lines if "othing was sent" in line]
    assert len(refused) == (0 if expected_lines else 1)


@pytest.mark.parametrize("line", ["/logi Ken", "/regist", "/room LOCKED"])
async def test_where_the_server_says_that_it_is_lacking_it_is_requested(
    server: FakeServer, seat: Seat, line: str
) -> None:
    # Typed ahead: the second line is there before the first one is answered.
    await asyncio.gather(seat.conversation.type(line), seat.conversation.type("hunter22"))
    assert seat.paper.lines[-1].startswith("This line was not sent")
    seat.keyboard.send_text("hunter22\r" * (2 if line == "/regist" else 1))
    seat.keyboard.send_text("hello\r")
    await seat.paper.shows("lobby: hello")
    assert f"> {line} ***" in seat.paper.lines
    assert [text for _, _, text in server.sent_lines] == [line, f"{line} hunter22", "hello"]
    refused = [shown for shown in seat.paper.lines if shown.startswith("This room has a password")]
    assert len(refused) == (1 if line == "/room LOCKED" else 0)
    assert not any("Type it in one line" in shown for shown in seat.paper.lines)


async def test_a_line_that_takes_no_password_requests_none(server: FakeServer, seat: Seat) -> None:
    await seat.conversation.type("/hook LOCKED")
    await seat.paper.shows("This room has a password.")
    seat.keyboard.send_text("/who\r")
    await seat.paper.shows("lobby: /who")
    assert [text for _, _, text in server.sent_lines] == ["/hook LOCKED", "/who"]


async def test_quit_ends_the_prompt(server: FakeServer, seat: Seat) -> None:
    seat.keyboard.send_text("/quit\r")
    await seat.running
    assert server.sent_lines == []


async def test_the_end_of_input_ends_the_prompt(seat: Seat) -> None:
    seat.keyboard.send_text("\x04")
    await seat.running


async def test_an_interrupted_line_is_not_sent(server: FakeServer, seat: Seat) -> None:
    seat.keyboard.send_text("/start\x03/quit\r")
    await seat.running
    assert server.sent_lines == []


async def test_at_ones_turn_bell_and_board_come_by_themselves(seat: Seat) -> None:
    for line in ("/newroom counting", "/join", "/start"):
        await seat.conversation.type(line)
    await seat.paper.shows("> /board")
    assert seat.paper.bells == 1


async def test_board_and_bell_can_be_set_off(server: FakeServer, seat: Seat) -> None:
    seat.keyboard.send_text("/set board off\r／ｓｅｔ bell off\r")
    await seat.paper.shows("/set board off, /set bell off")
    for line in ("/newroom counting", "/join", "/start", "/who"):
        await seat.conversation.type(line)
    assert seat.paper.bells == 0
    assert "/board" not in [text for _, _, text in server.sent_lines]


async def test_typed_lines_are_for_the_position_on_the_screen(
    server: FakeServer, seat: Seat
) -> None:
    for line in ("/newroom counting", "/join", "/start"):
        await seat.conversation.type(line)
    seat.keyboard.send_text("/add 1\rhello\r")
    await seat.paper.shows("Ayu: hello")
    aimed = {text: at for text, at in server.aimed if text in ("/add 1", "hello")}
    assert aimed == {"/add 1": 3, "hello": None}


async def test_who_is_away_is_reported_once(server: FakeServer, seat: Seat) -> None:
    await seat.conversation.type("/newroom counting")
    for away in (("Bob",), ("Bob",), ()):
        await server.tell_presence("1", away)
    await seat.paper.shows("Everybody is back.")
    assert seat.paper.lines.count("Away: Bob") == 1


async def test_who_is_lost_and_played_for_by_a_bot_is_reported_so(
    server: FakeServer, seat: Seat
) -> None:
    await seat.conversation.type("/newroom counting")
    table = server.tables["1"]
    view = {"room": {**table.view["room"], "seats": {"2": {"name": "Bob", "bot": "greedy"}}}}
    await server.change(table, view, "A bot plays for Bob.")
    await server.tell_presence("1", ("Bob", "Cem"))
    await seat.paper.shows("Away: Bob (a house bot plays for them), Cem")


async def test_other_rooms_are_received_with_their_number(server: FakeServer, seat: Seat) -> None:
    await seat.conversation.type("/newroom counting")
    await seat.conversation.type("/newroom counting")
    await server.change(server.tables["1"], server.tables["1"].view, "Somebody sneezes.")
    await seat.paper.shows("[1] Somebody sneezes.")


async def test_leaving_leads_back_to_the_lobby(seat: Seat) -> None:
    await seat.conversation.type("/newroom counting")
    await seat.conversation.type("/lobby")
    assert (seat.paper.lines[-1], seat.conversation.room) == ("You left.", None)


async def test_leaving_one_room_of_two_leads_back_to_the_lobby(seat: Seat) -> None:
    await seat.conversation.type("/newroom counting")
    await seat.conversation.type("/newroom counting")
    await seat.conversation.type("/lobby")
    assert seat.conversation.room is None


async def test_who_requested_sees_the_board_after_the_undo(server: FakeServer, seat: Seat) -> None:
    for line in ("/newroom counting", "/join", "/start"):
        await seat.conversation.type(line)
    await seat.paper.shows("> /board")
    table = server.tables["1"]
    room, game = table.view["room"], table.view["game"]
    vote = {"1": {"kind": "undo", "by": "Ayu"}}
    asking = {"room": {**room, "votes": vote}, "game": game}
    await server.change(table, asking, "Vote 1: Ayu would like to take back a move.")
    await seat.paper.shows("Vote 1: Ayu would like to take back a move.")
    undone = {"room": {**room, "votes": {}}, "game": {**game, "count": -1}}
    await server.change(table, undone, "Ayu took back.")
    await seat.paper.shows("> /board", times=2)


async def test_completion_asks_the_server(seat: Seat) -> None:
    result = await completions(seat, "/add ")
    assert result == [("/add 1", -5)]


async def test_completion_knows_the_terms_of_the_client(seat: Seat) -> None:
    assert ("/quit", -2) in await completions(seat, "/q")


async def test_completion_sends_no_password(server: FakeServer, seat: Seat) -> None:
    await completions(seat, "/password hunt")
    assert server.queries == []


async def test_completion_is_not_for_passwords_that_are_requested(
    server: FakeServer, seat: Seat
) -> None:
    completer = LineCompleter(seat.conversation, hides=lambda: True)
    result = completer.get_completions_async(Document("/hunter"), CompleteEvent())
    assert [each async for each in result] == []
    assert server.queries == []


async def completions(seat: Seat, text: str) -> list[tuple[str, int]]:
    completer = LineCompleter(seat.conversation, hides=lambda: False)
    return [
        (completion.text, completion.start_position)
        async for completion in completer.get_completions_async(Document(text), CompleteEvent())
    ]


def test_the_history_does_not_learn_passwords() -> None:
    stored = InMemoryHistory()
    history = QuietHistory(stored, lambda: False)
    for line in ("/board", "/password hunter2", "/room 12 hunter2"):
        history.append_string(line)
    assert history.get_strings() == ["/board"]
    assert list(stored.load_history_strings()) == ["/board"]


def test_local_terms_are_complete_terms() -> None:
    lines = ("/quit", "/QUIT now", "・終了", "/qui", "quit", "//quit", "/settings")
    assert [client_command(line) is not None for line in lines] == [
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize("line", ["/set x", "/set board", "/set board maybe"])
async def test_a_setting_that_is_none_is_explained(seat: Seat, line: str) -> None:
    assert change_settings(seat.conversation.settings, line, PHRASES).startswith(
        "/set board on|off:"
    )
