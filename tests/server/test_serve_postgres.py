"""`bluebear serve --store postgresql://...`: the real process over a real database."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bluebear.clients.sdk import Backoff, Client
from bluebear.rules.core.phrases import LANGS
from bluebear.server.config import shown_store
from bluebear.server.sentences import UNUSABLE, say
from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs
from tests.tools.servers import ServerProcess, bluebear

QUICK = Backoff(first_seconds=0.05, longest_seconds=0.2)

pytestmark = pytest.mark.skipif(programs() is None, reason=MISSING)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="bluebear-pg-", dir=IN_MEMORY) as folder,
        private_postgres(Path(folder)) as url,
    ):
        yield url


async def test_a_room_continues_after_the_server_was_killed(tmp_path: Path, database: str) -> None:
    async with (
        ServerProcess(tmp_path, more=("--store", database)) as server,
        Client(server.url, name="Ayu", backoff=QUICK) as ayu,
    ):
        room = (await ayu.say("/newroom manhattan")).room
        assert room is not None
        await ayu.say("/join", room=room)
        before = (await ayu.say("hello", room=room)).version
        await server.kill()
        await server.start()
        after = (await ayu.say("again", room=room)).version
        assert before is not None
        assert after == before + 1
    assert {path for path in os.listdir(tmp_path) if "sqlite" in path} == set()


@pytest.mark.parametrize("change", [("/postgres?", "/nothing?"), ("?", "?nonsense&")])
@pytest.mark.parametrize("processes", ["1", "2"])
async def test_a_server_that_its_database_refuses_ends_with_one_sentence(
    change: tuple[str, str], processes: str, tmp_path: Path, database: str
) -> None:
    address = database.replace(*change)
    data = ("--data", str(tmp_path), "--store", address)
    code, output = await bluebear("serve", "--processes", processes, "--port", "0", *data)
    assert code == UNUSABLE
    for lang in LANGS:
        assert output.count(say("serve.store_refused", lang, path=shown_store(address))) == 1


async def test_a_second_server_on_a_database_says_so_in_both_languages(
    tmp_path: Path, database: str
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    async with ServerProcess(first, more=("--store", database)):
        other = ServerProcess(second, more=("--store", database))
        other.begin()
        assert await other.ended() != 0
        output = other.log.read_text(encoding="utf-8")
        for lang in ("en", "ja"):
            expected = say(
                "serve.journal_in_use", lang, path="postgresql:///postgres", count=0, at=""
            )
            assert expected in output
