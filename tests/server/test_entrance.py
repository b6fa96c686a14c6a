"""A server with a password for newcomers: who has to say it, and what guesses cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack
from io import StringIO
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.plain_text import PlainTextOutput

from bluebear.clients.phrases import Texts
from bluebear.clients.sdk import Backoff, Client, HelloRefused
from bluebear.clients.terminal.login import PASSWORD_TRIES, LoginRequest, enter
from bluebear.clients.terminal.saved_state import Memory
from bluebear.clients.terminal.secret_prompt import ask_secret
from bluebear.protocol import Error, Hello, Welcome
from bluebear.server.config import Config, read_config
from bluebear.server.handshake import NoEntryPasswordError, entry_hash
from bluebear.server.net.rate_limits import BOUNDS, Cost
from tests.server.fixtures import Stage
from tests.server.hashes import QuickHasher, install
from tests.server.listener import Listener
from tests.tools.load.live_server import running

SECRET = "swordfish"


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


@pytest.fixture(name="guarded")
def _guarded() -> Iterator[Stage]:
    with Stage(entry_hash=f"hash of {SECRET}") as made:
        yield made


def hello(
    stage: Stage,
    name: str,
    password: str | None = None,
    *,
    token: str | None = None,
    address: str = "192.0.2.1",
) -> Listener:
    """A client connects and sends hello, with a password or without."""
    listener = stage.dial(name, address=address)
    sent = Hello(name=None if token else name, token=token, langs=("en",), password=password)
    stage.frame(name, listener.codec.encode(sent))
    return listener


def refusal(listener: Listener) -> str:
    return str(listener.last(Error).code)


def test_a_newcomer_enters_with_the_password_and_not_without(guarded: Stage) -> None:
    without = hello(guarded, "Ayu")
    assert refusal(without) == "entry_password"
    assert without.last(Error).text == (
        "This server asks newcomers for a password. Its operator can tell you."
    )
    assert refusal(hello(guarded, "Ben", "sword")) == "wrong_entry_password"
    assert hello(guarded, "Chie", SECRET).last(Welcome).name == "Chie"
    assert hello(guarded, "Emi", "ｓｗｏｒｄｆｉｓｈ ").last(Welcome).name == "Emi"


def test_who_was_refused_may_say_hello_again_on_the_same_connection(guarded: Stage) -> None:
    ayu = hello(guarded, "Ayu")
    again = Hello(name="Ayu", langs=("ja",), password=SECRET)
    guarded.frame("Ayu", ayu.codec.encode(again))
    assert ayu.last(Welcome).name == "Ayu"


def test_no_person_who_is_shut_out_takes_a_name(guarded: Stage) -> None:
    hello(guarded, "Ayu", "wrong")
    guarded.drop("Ayu")
    assert hello(guarded, "Ayu", SECRET).last(Welcome).name == "Ayu"


def test_who_is_recognized_returns_by_his_token_alone(guarded: Stage, hasher: QuickHasher) -> None:
    token = hello(guarded, "Ayu", SECRET).token
    guarded.drop("Ayu")
    requests = len(hasher.work)
    assert hello(guarded, "Ayu", token=token).last(Welcome).name == "Ayu"
    assert len(hasher.work) == requests


def test_a_token_that_no_person_has_is_not_requested_the_password(guarded: Stage) -> None:
    assert refusal(hello(guarded, "Ayu", SECRET, token="x" * 40)) == "unauthorized"


def test_a_token_of_a_bot_lets_it_in(guarded: Stage) -> None:
    hello(guarded, "Ayu", SECRET)
    guarded.say("Ayu", "/register correct horse", lobby=True)
    [reply] = guarded.say("Ayu", "/token Robo", lobby=True)["Ayu"]
    token = max(reply.replace(":", " ").split(), key=len)
    assert hello(guarded, "Robo", token=token).last(Welcome).name == "Robo"


def test_wrong_tries_of_an_address_are_bounded_and_the_rest_come_in(guarded: Stage) -> None:
    most = int(BOUNDS.address[Cost.ENTRY].burst)
    codes = [refusal(hello(guarded, f"G{number}", "guess")) for number in range(most + 1)]
    assert codes == ["wrong_entry_password"] * most + ["too_much"]
    late = hello(guarded, "Late", SECRET)
    assert refusal(late) == "too_much"
    assert late.last(Error).retry_ms
    assert hello(guarded, "Ben", SECRET, address="192.0.2.9").last(Welcome)
    guarded.wait(1 / BOUNDS.address[Cost.ENTRY].per_second + 1)
    assert hello(guarded, "Again", SECRET).last(Welcome)


def test_right_tries_cost_nothing(guarded: Stage) -> None:
    most = int(BOUNDS.address[Cost.ENTRY].burst)
    for number in range(most + 5):
        assert hello(guarded, f"G{number}", SECRET).last(Welcome)


def test_guesses_from_everywhere_are_bounded_together(guarded: Stage) -> None:
    most = int(BOUNDS.server[Cost.ENTRY].burst)
    for number in range(most):
        hello(guarded, f"G{number}", "guess", address=f"10.{number // 250}.{number % 250}.1")
    assert refusal(hello(guarded, "Ben", "guess", address="10.9.9.9")) == "too_much"


def test_a_server_without_a_password_lets_all_people_in(stage: Stage, hasher: QuickHasher) -> None:
    assert hello(stage, "Ayu").last(Welcome)
    assert hello(stage, "Ben", "anything").last(Welcome)
    assert not hasher.work


def test_the_page_tells_nothing_of_rooms_and_games_to_who_is_outside(guarded: Stage) -> None:
    hello(guarded, "Ayu", SECRET)
    guarded.say("Ayu", "/newroom duel", lobby=True)
    number = next(iter(guarded.app.engine.live))

    def fetch(path: str) -> bytes:
        return guarded.run(guarded.app.public.about(path))

    assert fetch(f"/about/room/{number}") == fetch("/about/room/1") == b"null\n"
    assert b"bluebear" in fetch("/about")


def test_the_file_has_the_password_in_its_first_line(tmp_path: Path) -> None:
    file = tmp_path / "entry"
    config = read_config(["--entry-password-file", str(file)], {})
    assert config == read_config([], {"BLUEBEAR_ENTRY_PASSWORD_FILE": str(file)})

    def hashed() -> str:
        with Stage() as stage:
            return stage.run(entry_hash(config))

    for wrong in (None, "", "\nlater", "x" * 201):
        if wrong is not None:
            file.write_text(wrong, encoding="utf-8")
        with pytest.raises(NoEntryPasswordError):
            hashed()
    file.write_text(f"{SECRET}\na comment\n", encoding="utf-8")
    assert hashed() == f"hash of {SECRET}"
    unset = read_config([], {"BLUEBEAR_ENTRY_PASSWORD_FILE": ""})
    with Stage() as stage:
        assert stage.run(entry_hash(unset)) == ""


def test_an_option_without_a_file_starts_no_server_that_is_open() -> None:
    variable = {"BLUEBEAR_ENTRY_PASSWORD_FILE": "/etc/entry"}
    for environment in ({}, variable):
        config = read_config(["--entry-password-file", ""], environment)
        with Stage() as stage, pytest.raises(NoEntryPasswordError):
            stage.run(entry_hash(config))


def test_help_shows_one_of_what_may_be_given_several_times(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        read_config(["--help"], {})
    shown = capsys.readouterr().out
    for usage in (
        "--origin ORIGIN",
        "--trusted-proxy TRUSTED_PROXY",
        "--allowed-host ALLOWED_HOST",
        "--notify-host NOTIFY_HOST",
        "--offer GAME",
        "--pin [GAME.]OPTION=VALUE",
    ):
        assert f"[{usage}]" in shown


async def test_a_program_says_it_by_the_sdk(tmp_path: Path) -> None:
    async with running(tmp_path, Config(data=tmp_path), entry_hash=f"hash of {SECRET}") as server:
        with pytest.raises(HelloRefused, match="asks newcomers") as refused:
            async with Client(server.url, name="Ayu", backoff=None):
                pass
        assert refused.value.code == "entry_password"
        async with Client(server.url, name="Ayu", password=SECRET, backoff=None) as client:
            token = client.token
        async with Client(server.url, token=token, backoff=None) as client:
            assert client.name == "Ayu"


class Typist:
    """A person who is prompted for a password, and types what they take for it."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.questions: list[str] = []

    async def ask(self, question: str) -> str:
        self.questions.append(question)
        return self.answers.pop(0)


async def come(url: str, folder: Path, typist: Typist | None, password: str = "") -> str:
    """A person connects as the terminal client does. Returns their name."""
    guest = LoginRequest(
        url=url, name="Ayu", lang="en", backoff=Backoff(attempts=1), password=password
    )
    phrases = Texts("en", "bluebear.clients.terminal")
    async with AsyncExitStack() as stack:
        ask = None if typist is None else typist.ask
        client = await enter(guest, Memory(folder), phrases, lambda text: None, stack, ask)
        return client.name


async def test_the_terminal_asks_and_keeps_the_token_alone(tmp_path: Path) -> None:
    data_folder = tmp_path / "state"
    async with running(tmp_path, Config(data=tmp_path), entry_hash=f"hash of {SECRET}") as server:
        typist = Typist("sword", SECRET)
        assert await come(server.url, data_folder, typist) == "Ayu"
        first, second = typist.questions
        assert first.startswith("This server asks newcomers")
        assert second.startswith("That is not this server's password")
        assert second.endswith("Password of the server: ")
        assert await come(server.url, data_folder, None) == "Ayu"
        assert all(SECRET not in file.read_text() for file in data_folder.iterdir())


async def test_the_terminal_gives_up_where_no_person_can_be_prompted_or_knows_it(
    tmp_path: Path,
) -> None:
    data_folder = tmp_path / "state"
    async with running(tmp_path, Config(data=tmp_path), entry_hash=f"hash of {SECRET}") as server:
        for typist in (None, Typist(""), Typist(*["guess"] * PASSWORD_TRIES)):
            with pytest.raises(HelloRefused):
                await come(server.url, data_folder, typist)
            assert typist is None or not typist.answers
        assert await come(server.url, data_folder, None, password=SECRET) == "Ayu"


@pytest.mark.slow_loop
async def test_what_is_typed_is_not_shown() -> None:
    shown = StringIO()
    with create_pipe_input() as source:
        source.send_text(f"{SECRET}\r")
        typed = await ask_secret("Password:", source=source, screen=PlainTextOutput(shown))
    assert typed == SECRET
    assert "Password:" in shown.getvalue()
    assert SECRET not in shown.getvalue()
