"""What does a pipe get to read? The whole conversation as plain text."""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
from pathlib import Path

import pytest

from bluebear.__main__ import main
from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Backoff, HelloRefused
from bluebear.clients.terminal.login import LoginRequest
from bluebear.clients.terminal.saved_state import Memory
from bluebear.clients.terminal.visit import Visit, visit_with_pipe
from bluebear.protocol import Bye, Close, Lang
from tests.clients.fake_server import FakeServer


class Pipe:
    """A visit through a pipe, and what it printed."""

    def __init__(self, server: FakeServer, folder: Path) -> None:
        self.memory = Memory(folder)
        self.server = server
        self.out = io.StringIO()

    async def send(
        self,
        *lines: str,
        play: bool = True,
        invite: str | None = None,
        name: str = "Ayu",
        lang: Lang = "en",
    ) -> int:
        visit = Visit(
            guest=LoginRequest(
                url=self.server.url,
                name=name,
                lang=lang,
                backoff=Backoff(first_seconds=0, attempts=1),
            ),
            invite=invite,
            play=play,
            ascii_only=False,
        )
        source = io.StringIO("".join(f"{line}\n" for line in lines))
        phrases = Texts(lang, "bluebear.clients.terminal")
        return await visit_with_pipe(visit, self.memory, phrases, source, self.out)

    @property
    def sent_lines(self) -> list[str]:
        return [text for _, _, text in self.server.sent_lines]


@pytest.fixture
def pipe(server: FakeServer, tmp_path: Path) -> Pipe:
    return Pipe(server, tmp_path)


async def test_nothing_to_say_shows_a_complete_game(pipe: Pipe) -> None:
    code = await pipe.send()
    assert (code, pipe.out.getvalue().splitlines()) == (
        0,
        [
            "You are Ayu.",
            "> /newroom manhattan unlisted",
            "Room 1 is new.",
            "> /bot",
            "@random sits down on seat 1.",
            "> /bot",
            "@random sits down on seat 2.",
            "> /start !",
            "The game begins.",
            "The count is 1.",
            "The count is 2.",
            "The count is 3.",
            "The count is 4.",
            "The count is 5.",
            "The count is reached. It is over.",
        ],
    )


async def test_blank_lines_are_nothing_to_say(pipe: Pipe) -> None:
    await pipe.send("", "   ")
    assert "/start !" in pipe.sent_lines


async def test_lines_are_sent_after_room_and_seat(pipe: Pipe) -> None:
    assert await pipe.send("hello", "/start") == 0
    assert [text.split(" seed=")[0] for text in pipe.sent_lines] == [
        "/newroom manhattan unlisted",
        "/join",
        "/option hints on",
        "hello",
        "/start",
    ]


async def test_a_seat_brings_a_separate_seed(pipe: Pipe) -> None:
    await pipe.send("hello")
    [joined] = [text for text in pipe.sent_lines if text.startswith("/join")]
    assert re.fullmatch("/join seed=[0-9a-f]{32}", joined)


async def test_a_seed_that_was_typed_stays(pipe: Pipe) -> None:
    await pipe.send("/newroom counting", "/join seed=0123", play=False)
    assert pipe.sent_lines[-1] == "/join seed=0123"


async def test_a_seat_of_a_running_game_is_requested_without_a_seed(pipe: Pipe) -> None:
    await pipe.send("/start", "/join 2")
    assert pipe.sent_lines[-1] == "/join 2"


async def test_each_line_is_followed_by_what_it_caused(pipe: Pipe) -> None:
    await pipe.send("hello", "/jump", "/who")
    assert pipe.out.getvalue().splitlines()[-6:] == [
        "> hello",
        "Ayu: hello",
        "> /jump",
        "There is no /jump.",
        "> /who",
        "You.",
    ]


async def test_a_refused_line_is_no_failure(pipe: Pipe) -> None:
    assert await pipe.send("/jump") == 0


async def test_passwords_are_not_echoed(pipe: Pipe) -> None:
    await pipe.send("/password hunter2")
    assert "> /password ***" in pipe.out.getvalue()
    assert "hunter2" not in pipe.out.getvalue().replace("There is no /password", "")


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "This line was not sent"), ("ja", "この行はパスワードかも")]
)
@pytest.mark.parametrize("line", ["/login Ken", "/logi Ken", "/ログイン Ken", "/register", "/登録"])
async def test_terms_after_a_line_that_lacks_its_password_are_not_reported(
    pipe: Pipe, line: str, lang: Lang, sentence: str
) -> None:
    await pipe.send(line, "hunter22", "hello", play=False, lang=lang)
    assert pipe.sent_lines == [line, "hello"]
    out = pipe.out.getvalue()
    assert f"Type it in one line: {line} PASSWORD." in out
    assert out.count(sentence) == 1
    assert "hunter22" not in out


async def test_a_password_in_the_same_line_ends_the_caution(pipe: Pipe) -> None:
    await pipe.send("/login Ken", "/login Ken hunter22", "hello", play=False)
    assert pipe.sent_lines == ["/login Ken", "/login Ken hunter22", "hello"]


async def test_an_invite_leads_into_its_room(pipe: Pipe) -> None:
    await pipe.send("/who")
    await pipe.send("hello", play=False, invite="T1", name="Bob")
    assert pipe.out.getvalue().splitlines()[-2:] == ["> hello", "Bob: hello"]


async def test_without_invite_a_chat_begins_in_the_lobby(pipe: Pipe) -> None:
    await pipe.send("hello", play=False)
    assert pipe.sent_lines == ["hello"]


async def test_quit_is_not_sent(pipe: Pipe) -> None:
    await pipe.send("/quit", "hello", play=False)
    assert pipe.sent_lines == []


async def test_a_taken_name_gets_a_number(pipe: Pipe) -> None:
    pipe.server.taken |= {"Ayu", "Ayu2"}
    await pipe.send("hello", play=False)
    assert pipe.out.getvalue().splitlines()[:5] == [
        "Ayu is taken.",
        "Trying Ayu2.",
        "Ayu2 is taken.",
        "Trying Ayu3.",
        "You are Ayu3.",
    ]


async def test_names_run_out(pipe: Pipe) -> None:
    pipe.server.taken |= {"Ayu", *(f"Ayu{number}" for number in range(100))}
    with pytest.raises(HelloRefused):
        await pipe.send("hello")


async def test_the_next_visit_is_by_the_same_person(pipe: Pipe) -> None:
    await pipe.send("hello", play=False)
    pipe.server.taken.add("Ayu")
    await pipe.send("hello", play=False)
    assert [name for name, _, _ in pipe.server.sent_lines] == ["Ayu", "Ayu"]


async def test_a_token_that_is_no_longer_good_makes_a_new_guest(pipe: Pipe) -> None:
    await pipe.send("hello", play=False)
    pipe.server.expired.add("token of Ayu")
    pipe.server.taken.add("Ayu")
    await pipe.send("hello", play=False)
    assert pipe.out.getvalue().splitlines()[3:7] == [
        "That token is no longer good.",
        "Ayu is taken.",
        "Trying Ayu2.",
        "You are Ayu2.",
    ]


async def test_an_unfinished_room_is_remembered(pipe: Pipe) -> None:
    await pipe.send("hello")
    assert pipe.memory.recall(pipe.server.url, "Ayu").room == "1"


async def test_a_finished_room_is_forgotten(pipe: Pipe) -> None:
    await pipe.send()
    assert pipe.memory.recall(pipe.server.url, "Ayu").room == ""


async def test_terms_of_the_client_come_in_japanese_too(pipe: Pipe) -> None:
    await pipe.send("hello", play=False, lang="ja")
    assert pipe.out.getvalue().splitlines()[0] == "あなたは Ayu です。"


async def test_a_lost_connection_is_reported_and_made_up_for(pipe: Pipe) -> None:
    pipe.server.cut_before_answer = "hello"
    assert await pipe.send("hello", "/who") == 0
    assert pipe.out.getvalue().splitlines()[-6:] == [
        "> hello",
        "Ayu: hello",
        "The connection is lost. Trying to come back ...",
        "Connected again.",
        "> /who",
        "You.",
    ]


async def test_a_server_that_is_removed_for_good_ends_the_visit(pipe: Pipe) -> None:
    async def vanish() -> None:
        await pipe.server.arrival("Ayu")
        await pipe.server.cut("Ayu", code=Close.REPLACED)

    vanishing = asyncio.create_task(vanish())
    pipe.server.deaf.add("hello?")
    code = await pipe.send("hello?", play=False)
    await vanishing
    assert code == 2
    assert pipe.out.getvalue().splitlines()[-1].startswith("You are connected somewhere else")


async def test_a_goodbye_for_good_is_reported_once(pipe: Pipe) -> None:
    async def banish() -> None:
        await pipe.server.arrival("Ayu")
        await pipe.server.cut("Ayu", code=Close.BYE, bye=Bye(why="banished", text="Go away."))

    banishing = asyncio.create_task(banish())
    pipe.server.deaf.add("hello?")
    code = await pipe.send("hello?", play=False)
    await banishing
    assert code == 2
    assert pipe.out.getvalue().count("Go away.") == 1


async def test_the_program_joins_the_server_of_the_data_folder(
    server: FakeServer, tmp_path: Path
) -> None:
    note = f'{{"url": "{server.url}", "pid": {os.getpid()}}}'
    (tmp_path / "server.json").write_text(note, encoding="utf-8")
    out = await run(tmp_path, "play", "--name", "Ayu")
    assert out[0] == 0
    assert out[1].splitlines()[0] == f"Joined the server that runs at {server.url}."
    assert out[1].splitlines()[-1] == "The count is reached. It is over."


async def test_a_chat_without_a_server_says_how_to_start_one(tmp_path: Path) -> None:
    code, _, err = await run(tmp_path, "chat")
    assert code == 2
    assert err.startswith("No server runs in ")
    assert "bluebear serve" in err


async def test_a_note_of_a_server_that_died_is_not_believed(tmp_path: Path) -> None:
    dead = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
    await dead.wait()
    note = f'{{"url": "ws://127.0.0.1:1/ws", "pid": {dead.pid}}}'
    (tmp_path / "server.json").write_text(note, encoding="utf-8")
    assert (await run(tmp_path, "chat"))[0] == 2


async def test_an_address_where_no_person_is_says_so(tmp_path: Path) -> None:
    code, _, err = await run(tmp_path, "chat", "127.0.0.1:1")
    assert (code, err) == (2, "No BlueBear server answers at ws://127.0.0.1:1/ws.\n")


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("chat", "--nmae", "Ayu"), "bluebear chat: there is no switch --nmae."),
        (("chat", "--name"), "bluebear chat: --name wants a value."),
        (("play", "x"), "bluebear play: x is one word too many."),
        (("play", "--lang", "fr"), "bluebear play: fr is no language; there are en and ja."),
        (("chat", "ftp://x"), "bluebear chat: ftp://x is no address of a server."),
    ],
)
def test_a_wrong_command_line_is_explained(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    argv: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert main(argv) == 2
    assert capsys.readouterr().err.startswith(sentence)


async def run(data: Path, *argv: str) -> tuple[int | None, str, str]:
    """Run the program with nothing on its standard input."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bluebear", *argv),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"BLUEBEAR_DATA": str(data), "XDG_STATE_HOME": str(data / "state"), "LANG": "C.UTF-8"},
    )
    out, err = await child.communicate()
    return child.returncode, out.decode(), err.decode()
