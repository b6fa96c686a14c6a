"""What does the server answer to browsers, by plain HTTP?"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from bluebear.rules import games
from bluebear.server.app import App
from bluebear.server.config import Config
from bluebear.server.net.pages import StaticPages, built_files
from bluebear.server.runtime import SystemClock
from tests.support.simulated_store import SimulatedStore

SCRIPT = b"console.log('bear')" * 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built page of three files."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (tmp_path / "assets" / "index-abc.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(SCRIPT))
    (tmp_path / "assets" / "index-abc.js.br").write_bytes(b"brotli")
    return tmp_path


@pytest.fixture
def page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> StaticPages:
    monkeypatch.setattr("bluebear.server.net.pages.program_files", lambda: built_files(folder))
    return StaticPages()


def get(page: StaticPages, path: str, **headers: str) -> Response | None:
    given = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    return page.response(path, Request(path, given))


@pytest.mark.parametrize("path", ["/", "/lobby", "/room/123", "/r/abc", "/game/g1"])
def test_every_address_of_a_person_is_the_page(page: StaticPages, path: str) -> None:
    response = get(page, path, Accept="text/html,*/*")
    assert response is not None
    assert response.body == b"<!doctype html>"
    assert response.headers["Cache-Control"] == "no-cache"


def test_a_program_that_follows_an_invite_gets_no_page(page: StaticPages) -> None:
    assert get(page, "/r/abc", Accept="*/*") is None


def test_what_is_not_there_is_not_answered(page: StaticPages) -> None:
    for path in ("/assets/other.js", "/../pyproject.toml", "/assets/index-abc.js.br", "/server"):
        assert get(page, path) is None


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [
        ("gzip, br", "br", b"brotli"),
        ("gzip;q=1.0", "gzip", gzip.compress(SCRIPT)),
        ("", None, SCRIPT),
    ],
    ids=["brotli", "gzip", "as it is"],
)
def test_files_go_in_the_best_coding_and_for_ever(
    page: StaticPages, accepted: str, coding: str | None, body: bytes
) -> None:
    response = get(page, "/assets/index-abc.js", Accept_Encoding=accepted)
    assert response is not None
    assert response.headers.get("Content-Encoding") == coding
    assert len(response.body) == len(body)
    assert "immutable" in response.headers["Cache-Control"]
    assert response.headers["Content-Type"].startswith("text/javascript")


def test_who_has_the_page_already_is_informed(page: StaticPages) -> None:
    first = get(page, "/", Accept="text/html")
    assert first is not None
    again = get(page, "/", Accept="text/html", If_None_Match=first.headers["ETag"])
    assert again is not None
    assert (again.status_code, again.body) == (304, b"")


def test_the_page_may_load_nothing_but_its_files(page: StaticPages) -> None:
    response = get(page, "/")
    assert response is not None
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert response.headers["Referrer-Policy"] == "no-referrer"


def test_the_page_may_connect_to_the_nodes_that_the_operator_names() -> None:
    nodes = ("wss://a.example.org", "wss://b.example.org:8443")
    response = get(StaticPages(nodes), "/")
    assert response is not None
    [policy] = response.headers.get_all("Content-Security-Policy")
    assert "; connect-src 'self' wss://a.example.org wss://b.example.org:8443; " in policy


async def test_without_a_name_one_learns_the_games_and_no_unlisted_room(folder: Path) -> None:
    public = App(Config(data=folder), SimulatedStore(), games(), SystemClock()).public
    assert b'"manhattan"' in await public.about("/about")
    for path in ("/about/room/123456", "/about/invite/0123", "/about/else"):
        assert await public.about(path) == b"null\n"


def test_without_a_build_there_is_no_page(tmp_path: Path) -> None:
    assert built_files(tmp_path / "nothing") == {}


def test_the_board_of_a_package_is_served_under_the_policy_of_the_page() -> None:
    boards = {"/boards/dice.0123abcd.js": b"export const board = {};"}
    page = StaticPages((), boards)
    response = get(page, "/boards/dice.0123abcd.js")
    assert response is not None
    assert response.body == b"export const board = {};"
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in response.headers["Cache-Control"]
    assert "script-src 'self';" in response.headers["Content-Security-Policy"]
    assert get(page, "/boards/dice.js") is None
