"""Which lines are kept out of histories and echoes? Those that may hold a password."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bluebear.clients.terminal import secret_lines
from bluebear.clients.terminal.secret_lines import is_secret, lacks_password, masked
from bluebear.rules.core.kana import reading_of
from bluebear.server.features import COMMANDS

ROOT: Final = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/password hunter2", "/password ***"),
        ("/pass hunter2", "/pass ***"),
        ("／ＰＡＳＳＷＯＲＤ hunter2", "／ＰＡＳＳＷＯＲＤ ***"),
        ("・合言葉 ひらけごま", "・合言葉 ***"),
        ("/パスワード ひらけ ごま", "/パスワード ***"),
        ("/room 12 hunter2", "/room 12 ***"),
        ("/部屋 12 hunter2", "/部屋 12 ***"),
        ("/r 12 hunter2", "/r ***"),
        ("/newroom manhattan private hunter2", "/newroom manhattan private ***"),
        ("/newroom manhattan hunter2", "/newroom manhattan ***"),
        ("/newroom manhattan 非公開 hunter2", "/newroom manhattan 非公開 ***"),
        ("/new manhattan priv hunter2", "/new manhattan priv ***"),
        ("/register hunter2", "/register ***"),
        ("/登録 hunter2", "/登録 ***"),
        ("/とうろく hunter2", "/とうろく ***"),
        ("/しんへや manhattan ひこうかい hunter2", "/しんへや manhattan ひこうかい ***"),
        ("/ヘヤ 12 hunter2", "/ヘヤ 12 ***"),
        ("/ろぐいん あゆ hunter2", "/ろぐいん あゆ ***"),
        ("/login Ayu hunter2", "/login Ayu ***"),
        ("/ログイン あゆ hunter2", "/ログイン あゆ ***"),
    ],
)
def test_passwords_are_masked(line: str, shown: str) -> None:
    assert masked(line) == shown


@pytest.mark.parametrize(
    "line",
    [
        "",
        "/",
        "hello password",
        "/password",
        "/room 12",
        "/login Ayu",
        "/token Robo",
        "/newroom manhattan",
        "/newroom manhattan unlisted",
        "/build 3 frankfurt 5",
        "/take 4 3 2 2 1 1",
        "/option sixrounds on",
    ],
)
def test_other_lines_are_stored(line: str) -> None:
    assert (is_secret(line), masked(line)) == (False, line)


def test_every_secret_command_of_the_server_is_recognized_here() -> None:
    registered = {
        each: is_secret(f"/{each} 1 2 3")
        for command in COMMANDS.values()
        if command.secret
        for name in (command.name, *command.names, *command.short)
        for each in (name, reading_of(name) or name)
    }
    assert all(registered.values()), registered


def test_the_page_keeps_the_same_lines_to_itself() -> None:
    page = (ROOT / "clients" / "web" / "src" / "line" / "secretLines.ts").read_text(
        encoding="utf-8"
    )
    for name, terms in (("ALWAYS", secret_lines._ALWAYS), ("AFTER_ONE", secret_lines._AFTER_ONE)):
        match = re.search(rf"const {name} = \[(.*?)\]", page, re.DOTALL)
        assert match is not None
        assert tuple(re.findall(r'"([^"]+)"', match[1])) == terms


@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ("/login Ken", True),
        ("・ＬＯＧＩＮ Ken", True),
        ("/ログイン けん", True),
        ("/ろぐいん けん", True),
        ("/とうろく", True),
        ("/register", True),
        ("/password", True),
        ("/登録", True),
        ("/login", False),
        ("/login Ken hunter2", False),
        ("/register hunter2", False),
        ("/logi Ken", False),
        ("login Ken", False),
        ("/", False),
        ("", False),
    ],
)
def test_lines_that_lack_their_password_are_recognized(line: str, lacks: bool) -> None:
    assert lacks_password(line) == lacks


def test_every_name_of_an_account_s_commands_is_visible_to_lack_it() -> None:
    for name, terms in (("login", 1), ("register", 0), ("password", 0)):
        for each in (name, *COMMANDS[name].names):
            assert lacks_password(f"/{each}{' Ken' * terms}")
