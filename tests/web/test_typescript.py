"""The page's types of what a room and the lobby show, made from the server's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec import convert, to_builtins

from bluebear.protocol.messages import QueryKind
from bluebear.rules import games
from bluebear.rules.tokai.text.queries import Fares, Texts
from bluebear.server.features import FEATURES
from bluebear.server.lookups import ServerInfo
from bluebear.server.room.state import VoteKind
from bluebear.server.rooms.loading import about_room, room_line
from bluebear.server.rooms.views import GameBody, data_of
from bluebear.typescript import game_types, main, pages, table_types
from tests.server.fixtures import GAMES, Stage
from tests.web.record_package import RECORDING, recording

LIARS_DICE = "examples/liars_dice"


def _body(name: str, text: str = "") -> str:
    match = re.search(
        rf"export type {name} = \{{(.*?)^\}};", text or table_types(), re.MULTILINE | re.DOTALL
    )
    assert match is not None
    return match[1]


def test_a_vote_has_every_kind_that_the_server_has() -> None:
    kinds = re.search(r"readonly kind: (.*);", _body("Vote"))
    assert kinds is not None
    assert kinds[1] == " | ".join(f'"{kind.value}"' for kind in VoteKind)


def test_what_hangs_on_a_table_has_separate_names() -> None:
    table = _body("Table")
    for field, kind in (
        ("seats", "{ readonly [key: string]: Chair }"),
        ("votes", "{ readonly [key: string]: Vote }"),
        ("ending?", "Ending"),
        ("fork?", "ForkOf"),
    ):
        assert f"readonly {field}: {kind};" in table
    assert "readonly ratings?: { readonly [key: string]: RatingChange };" in _body("Ending")


def test_what_is_hidden_from_players_is_in_no_type() -> None:
    for hidden in ("secret", "password", "host_person", "asker", "spared", "given_up", "timeouts"):
        assert f"{hidden}:" not in table_types()
        assert f"{hidden}?:" not in table_types()


def test_a_row_has_the_fields_that_the_lobby_sends() -> None:
    with Stage() as stage:
        stage.game("journey", "Ayu", "Ben")
        row = about_room(room_line(stage.room, GAMES))
    (page,) = (text for path, text in pages().items() if path.name == "answers.gen.ts")
    fields = re.findall(r"readonly (\w+): ", _body("RoomLink", page))
    assert sorted(row) == sorted(fields)


@pytest.mark.parametrize("key", GAMES)
def test_the_data_of_a_game_are_sent_in_the_declared_form(key: str) -> None:
    body = data_of(GAMES[key]).body
    assert to_builtins(convert(body, GameBody)) == body


def test_the_server_tells_of_its_games_in_the_declared_form() -> None:
    with Stage() as stage:
        sent = json.loads(stage.run(stage.app.public.about("/about")))
    assert to_builtins(convert(sent, ServerInfo)) == sent
    assert [each["key"] for each in sent["games"]] == [*GAMES]


def _fixed(key: str) -> str:
    (page,) = (text for path, text in pages().items() if path.parent.name == key)
    match = re.search(r"export type Fixed = \{(.*?)^\};", page, re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


def test_the_fixed_data_of_a_game_has_the_type_of_what_it_is() -> None:
    tokai = _fixed("tokai")
    assert "readonly canvas: readonly [number, number];" in tokai
    assert "readonly points: { readonly [key: string]: {" in tokai
    assert "readonly region?: string;" in tokai
    assert "readonly payoffs: readonly (readonly number[])[];" in tokai
    assert "readonly robbed: { readonly [key: string]: number };" in _fixed("itc")
    assert 'readonly terrain: "forest" | "mountain" | "plain";' in _fixed("tokugawa")
    exits = 'readonly [string, "E" | "N" | "S" | "W", "railway" | "road"]'
    assert f"readonly exits: readonly ({exits})[];" in _fixed("railroad_ink")


def test_an_installed_game_has_no_file_in_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    info = tmp_path / "dice-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: dice\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[bluebear.games]\nliars_dice = liars_dice\n")
    monkeypatch.syspath_prepend(LIARS_DICE)
    monkeypatch.syspath_prepend(tmp_path)
    assert "liars_dice" in games()
    assert [path for path in pages() if "liars_dice" in path.parts] == []


def test_a_package_gets_the_types_of_its_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(LIARS_DICE)
    assert main(["--package", "liars_dice"]) == 0
    printed = capsys.readouterr().out
    assert "readonly dice?: readonly number[];" in printed
    assert 'readonly event: "bid_made";' in printed


def test_a_package_without_a_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--package", "json"])
    assert "json has no game that loads" in capsys.readouterr().err


def test_the_recorded_game_of_a_package_is_of_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(LIARS_DICE)
    assert RECORDING.read_text(encoding="utf-8") == recording()


def test_a_field_that_an_answer_gains_makes_the_types_of_the_page_stale(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Longer(Fares, kw_only=True):
        bonus: int

    def made(texts: object) -> Longer:
        raise NotImplementedError

    assert main(["--check"]) == 0
    monkeypatch.setitem(Texts.figures, "fares", made)
    made.__annotations__["return"] = Longer
    assert main(["--check"]) == 1
    assert "tokai" in capsys.readouterr().err


def test_each_answer_of_a_game_has_a_declared_type() -> None:
    for key, game in games(("bluebear.rules",)).items():
        assert "unknown" not in game_types(game).partition("export type Event")[2], key


def test_each_query_has_a_declared_answer() -> None:
    declared = {name for feature in FEATURES for name in feature.answers}
    # The body of a message, a text, that of a command with the data declared for it, and nothing.
    without_fields = {"game", "record", "query", "ping"}
    assert set(get_args(QueryKind)) <= declared | without_fields
