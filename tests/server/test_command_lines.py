"""What do the server's commands say of wrong words and settings, and how do they help?"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bluebear.rules import EVERYWHERE, packages_of
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.server.__main__ import main as serve
from bluebear.server.config import read_config, shown_store
from bluebear.server.features.ratings.queries import main as ratings
from bluebear.server.ops.control import main as control
from bluebear.server.ops.node import main as nodes
from bluebear.server.ops.records import main as records
from bluebear.server.ops.transfer import main as migrate
from bluebear.server.sentences import FAILED, UNUSABLE, lang_of, say
from tests.server.test_sentences import JAPANESE
from tests.tools.servers import ServerProcess, python

Main = Callable[[Sequence[str]], int]
MAINS: dict[str, Main] = {
    "serve": serve,
    "ratings": ratings,
    **dict.fromkeys(("backup", "restore", "operator", "forgotten"), control),
    **dict.fromkeys(("nodes", "drain"), nodes),
    **dict.fromkeys(("verify", "replay"), records),
    "migrate": migrate,
}


@pytest.mark.parametrize("command", MAINS)
@pytest.mark.parametrize("lang", LANGS)
def test_each_argument_is_explained_in_the_language_of_the_environment(
    command: str, lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", f"{lang}_XX.UTF-8")
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        MAINS[command]([command, "--help"])
    assert ended.value.code == 0
    usage, _, arguments = capsys.readouterr().out.partition("\n\n")
    assert usage.startswith("使い方:" if lang == "ja" else "usage:")
    entries = re.split(r"\n  (?! )", arguments)[1:]
    assert len(entries) > 1
    for entry in entries:
        names, _, text = entry.partition("  ")
        assert text.strip(), f"{names} has no help"
        assert (JAPANESE.search(text) is not None) == (lang == "ja"), entry


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("port", "abc"),
        ("port", "99999"),
        ("port", "-1"),
        ("host", "http://localhost"),
        ("trusted-proxy", "nonsense"),
        ("trusted-proxy", "10.0.0.0/99"),
        ("public-url", "play.example.org"),
        ("public-url", "https://play example"),
        ("origin", "nonsense"),
        ("origin", "https://example.org/path"),
        ("allowed-host", "https://example.org/"),
        ("notify-host", "http://"),
        ("drain", "soon"),
        ("drain", "nan"),
        ("drain", "-1"),
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_a_wrong_setting_is_one_line_with_an_example(
    flag: str, value: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_config([f"--{flag}={value}"], {"LANG": f"{lang}_XX"})
    assert ended.value.code == UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert f"--{flag}: {value}" in line
    assert ("例:" if lang == "ja" else "an example:") in line
    assert line.endswith("bluebear serve --help")


def test_variables_are_read_as_strictly_and_an_empty_one_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("PORT", "HOST", "DATA", "DRAIN", "PROCESSES", "GAMES", "STORE", "PUBLIC_URL")
    empty = {f"BLUEBEAR_{name}": "" for name in names}
    assert read_config([], empty) == read_config([], {})
    assert packages_of(empty) == packages_of({}) == EVERYWHERE
    for name, value in (("TRUSTED_PROXIES", "10.0.0.1, here"), ("ORIGINS", "x"), ("PORT", "x")):
        with pytest.raises(SystemExit):
            read_config([], {f"BLUEBEAR_{name}": value})
        assert capsys.readouterr().err.count("\n") == 1
    read = read_config(["--origin=https://a.org"], {"BLUEBEAR_ORIGINS": "https://b.org"})
    assert read.origins == ("https://a.org", "https://b.org")


def test_what_is_right_is_taken() -> None:
    read = read_config(
        [
            *("--trusted-proxy", "10.0.0.5/8", "--trusted-proxy", "fd00::1"),
            *("--public-url", "https://play.example.org:8443/games/", "--port", "65535"),
            *("--notify-host", "http://10.0.0.5:9000", "--notify-host", "hooks.example.org"),
            *("--allowed-host", "[fd00::1]", "--drain", "0.5"),
            *("--store", "postgresql:///bluebear?host=/run/postgresql"),
            *("--host", "fe80::1%eth0", "--notify-host", "https://hooks.example.org/"),
            *("--origin", "capacitor://localhost", "--origin", "https://Example.org:8443"),
        ],
        {},
    )
    assert read.origins == ("capacitor://localhost", "https://example.org:8443")
    assert read.trusted_proxies == ("10.0.0.0/8", "fd00::1/128")
    assert read.public_url == "https://play.example.org:8443/games"
    assert (read.port, read.drain) == (65535, 0.5)
    assert read.store == "postgresql:///bluebear?host=/run/postgresql"


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["restore", "copy"],
        ["operator", "Ope"],
        ["backup"],
        ["ratings"],
    ],
)
def test_a_folder_that_is_none_is_a_sentence(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    for data in (file, file / "below"):
        assert MAINS[arguments[0]]([*arguments, "--data", str(data)]) in (FAILED, UNUSABLE)
        assert JAPANESE.search(capsys.readouterr().err)


def test_a_journal_is_moved_to_a_folder_or_a_database_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("var").mkdir()
    Path("var", "bluebear.sqlite").touch()
    Path("file").touch()
    assert migrate(["migrate", "var", "file"]) == UNUSABLE
    assert say("migrate.not_opened", "ja", place="file") in capsys.readouterr().err
    for arguments in (["var", "me:secret@host/name"], ["mysql://me:secret@host/name", "new"]):
        with pytest.raises(SystemExit):
            migrate(["migrate", *arguments])
        (line,) = capsys.readouterr().err.splitlines()
        assert "secret" not in line
        assert "an example: var, postgresql://USER@HOST/DATABASE" in line
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "var"]


def into_closed_pipe(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as output:
        return subprocess.run(
            python("bluebear", *arguments), stdout=output, stderr=subprocess.PIPE, check=False
        )


async def test_a_closed_pipe_ends_a_command_quietly_its_work_done(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    arguments = ("backup", "--data", str(tmp_path), "--to", str(copy))
    async with ServerProcess(tmp_path):
        ended = await asyncio.to_thread(into_closed_pipe, *arguments)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert copy.exists()


async def test_an_address_of_another_machine_is_a_sentence(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, more=("--host", "192.0.2.1"))
    server.begin()
    code = await server.ended()
    sent = server.log.read_text(encoding="utf-8")
    assert code == UNUSABLE, sent
    assert "BlueBear cannot start: " in sent
    assert "Traceback" not in sent


def test_the_language_is_that_of_the_locale() -> None:
    assert lang_of({}) == lang_of({"LANG": "C", "LC_ALL": ""}) == "en"
    assert lang_of({"LANG": "ja_JP.UTF-8"}) == lang_of({"LC_ALL": "ja", "LANG": "C"}) == "ja"
    assert lang_of({"LC_ALL": "C", "LANG": "ja"}) == "en"


def test_no_password_of_a_database_is_shown() -> None:
    assert shown_store("postgresql://me:secret@host:5433/name") == "postgresql://host:5433/name"
    assert shown_store("postgres://host/name?password=secret") == "postgres://host/name"
    assert shown_store("postgres://host/name?password=sec@ret") == "postgres://"
    assert shown_store("var/data") == "var/data"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+asyncpg://me:secret@host/name",
        "postgres//me:secret@host/name",
        "me:secret@host/name",
        "me:secret",
        "host=name password=secret",
        "postgresql://me:secret",
        "postgresql://[host/name",
        "postgresql://host:99999/name",
        "mysql://host/name?password=secret",
        "postgresql://me:secret/a@host/name",
        "postgresql://me:7/secret@host/name",
        "postgresql://me:secret#a@host/name",
        "postgresql://me:secret@a@host/name",
    ],
)
def test_a_wrong_address_of_a_database_is_a_sentence_without_its_password(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the driver would read another way than it is meant, as a / in a password, is wrong."""
    with pytest.raises(SystemExit):
        read_config([], {"BLUEBEAR_STORE": address})
    (line,) = capsys.readouterr().err.splitlines()
    assert "secret" not in line
    assert "postgresql://USER@HOST/DATABASE" in line


@pytest.fixture
def refused_with(
    lang: Lang, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str, list[str]], str]:
    """Runs a command with wrong arguments: the one line that it prints."""

    def run(command: str, arguments: list[str]) -> str:
        monkeypatch.setenv("LC_ALL", f"{lang}_XX.UTF-8")
        with pytest.raises(SystemExit):
            MAINS[command]([command, *arguments])
        (line,) = capsys.readouterr().err.splitlines()
        return line

    return run


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("serve", ["postgresql://me:secret@host/db"]),
        ("serve", ["--stor", "me:secret@host/db"]),
        ("nodes", ["host=db password=secret"]),
        ("drain", ["a", "postgresql:///db?password=secret"]),
        ("backup", ["postgresql://me:secret@host/db"]),
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_the_address_of_a_database_without_its_option_is_not_shown(
    command: str,
    arguments: list[str],
    lang: Lang,
    refused_with: Callable[[str, list[str]], str],
) -> None:
    line = refused_with(command, arguments)
    assert "secret" not in line
    assert say("help.stray" if command == "backup" else "help.stray_store", lang) in line


@pytest.mark.parametrize(
    ("command", "arguments", "key", "given"),
    [
        ("serve", ["--nonsense", "x"], "help.stray_words", "--nonsense x"),
        ("serve", ["--port"], "help.needs_value", "--port"),
        ("serve", ["--accept-older=yes"], "help.has_no_value", "--accept-older"),
        ("serve", ["--port", "abc"], "help.argument", "--port"),
        ("verify", ["--lang", "xx", "a.record"], "help.argument", "--lang"),
        ("verify", [], "help.missing", "files"),
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_what_is_wrong_with_an_argument_is_a_sentence_in_the_language_of_the_reader(
    command: str,
    arguments: list[str],
    key: str,
    given: str,
    lang: Lang,
    refused_with: Callable[[str, list[str]], str],
) -> None:
    line = refused_with(command, arguments)
    assert say(key, lang, given=given) in line
    assert not re.search(r"argument[s ]|expected|invalid|required", line)


@pytest.mark.parametrize("name", ["sslrootcert", "sslcert", "sslkey", "sslcrl"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_file_that_the_address_of_a_database_names_is_named_if_it_is_missing(
    name: str, lang: Lang, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "root.crt"
    address = f"postgresql://me:secret@host/db?sslmode=verify-full&{name}={file}"
    environment = {"LANG": f"{lang}_XX", "BLUEBEAR_STORE": address}
    with pytest.raises(SystemExit):
        read_config([], environment)
    (line,) = capsys.readouterr().err.splitlines()
    assert say("help.no_file", lang, name=name, path=file) in line
    assert "secret" not in line
    file.touch()
    assert read_config([], environment).store == address


@pytest.mark.parametrize(
    "address",
    [
        "postgres://me:pass%2Fword@[::1]:5432,[::2]:5433/name?sslmode=require",
        "postgresql://me:pass word!$&'()*+,;=:@host-1.example.org:5432/name",
        "postgresql://%2Frun%2Fpostgresql/name",
        "postgresql://",
    ],
)
def test_what_the_driver_reads_is_an_address_of_a_database(address: str) -> None:
    assert read_config([], {"BLUEBEAR_STORE": address}).store == address


@pytest.mark.parametrize("query", ["port=abc", "nonsense", "password=sec&ret"])
def test_what_the_driver_does_not_read_behind_an_address_is_a_sentence(
    query: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"postgresql:///name?{query}"
    assert migrate(["migrate", address, str(tmp_path)]) == UNUSABLE
    sent = capsys.readouterr().err
    assert say("migrate.not_opened", "ja", place="postgresql:///name") in sent
    assert "what follows ? in the address is not understood" in sent
    assert query not in sent
    assert nodes(["nodes", "--store", address]) == UNUSABLE


def test_an_option_is_written_out() -> None:
    """A supervisor takes the address of the database away from the words of its nodes."""
    with pytest.raises(SystemExit):
        read_config(["--stor=postgresql://host/name"], {})


@pytest.mark.parametrize("command", ["serve", "ratings", "restore copy", "backup"])
def test_a_folder_without_locks_is_not_taken_for_one_in_use(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*given: object) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    (tmp_path / "bluebear.sqlite").touch()
    arguments = command.split()
    assert MAINS[arguments[0]]([*arguments, "--data", str(tmp_path)]) in (FAILED, UNUSABLE)
    sent = capsys.readouterr().err
    assert "no locks here" in sent
    assert say("serve.in_use", "en", path=str(tmp_path)) not in sent
