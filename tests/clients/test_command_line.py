"""What do addresses, switches and languages on the command line mean?"""

from __future__ import annotations

import pytest

from bluebear.clients.command_line import Arguments, UsageError, read_arguments, read_number
from bluebear.clients.phrases import Texts, preferred_lang
from bluebear.clients.server_url import Address, BadAddressError, read_address
from bluebear.clients.terminal.login import account_name


@pytest.mark.parametrize(
    ("text", "url", "invite"),
    [
        ("ws://play.example:8765", "ws://play.example:8765/ws", None),
        ("ws://play.example:8765/ws", "ws://play.example:8765/ws", None),
        ("wss://play.example/", "wss://play.example/ws", None),
        ("http://play.example/r/aB-9_z", "ws://play.example/ws", "aB-9_z"),
        ("https://play.example:444/r/T0/", "wss://play.example:444/ws", "T0"),
        ("https://example/games/bluebear/r/T0", "wss://example/games/bluebear/ws", "T0"),
        ("https://example/games/bluebear", "wss://example/games/bluebear/ws", None),
        ("localhost:8765", "ws://localhost:8765/ws", None),
        ("[::1]:8765", "ws://[::1]:8765/ws", None),
    ],
)
def test_an_address_can_be_pasted_as_it_is(text: str, url: str, invite: str | None) -> None:
    assert read_address(text) == Address(url, invite)


@pytest.mark.parametrize("text", ["", "ftp://x", "ws://", "host:notaport", "ws://u:p@host", "[::1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddressError):
        read_address(text)


def test_switches_values_and_terms_may_come_in_any_order() -> None:
    read = read_arguments(
        ["--ascii", "there", "--name", "Ayu"],
        values=frozenset({"name"}),
        switches=frozenset({"ascii"}),
        most=1,
    )
    assert read == Arguments(("there",), {"name": "Ayu"}, frozenset({"ascii"}))


@pytest.mark.parametrize("given", ["0", "17", "-1", "x", "", "9" * 30])
def test_a_number_out_of_bounds_is_refused(given: str) -> None:
    read = read_arguments(
        [f"--count={given}"], values=frozenset({"count"}), switches=frozenset(), most=0
    )
    with pytest.raises(UsageError):
        read_number(read, "count", 1, low=1, high=16)


@pytest.mark.parametrize(
    ("account", "name"),
    [
        ("mika", "mika"),
        ("mika.m", "mikam"),
        ("あゆ", "あゆ"),
        ("root", ""),
        ("...", ""),
        ("a" * 40, "a" * 16),
    ],
)
def test_an_account_becomes_a_name_if_it_can(account: str, name: str) -> None:
    assert account_name(lambda: account) == name


def test_an_account_without_a_name_gives_none() -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 1234")

    assert account_name(nameless) == ""


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP"}, "ja"),
    ],
)
def test_the_language_is_the_machines(environment: dict[str, str], lang: str) -> None:
    assert preferred_lang(environment) == lang


def test_a_sentence_takes_its_parameters() -> None:
    assert Texts("en", "bluebear.clients.terminal").say("you_are", name="Ayu") == "You are Ayu."
