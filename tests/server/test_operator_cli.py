"""`bluebear operator` and what the one it names may do: real processes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from clients.sdk import Client
from rules.core.phrases import LANGS
from server.journal import SqliteJournal
from server.people.standing import AUDIT, deed_of
from server.sentences import say
from tests.load.process import ROOT, ServerProcess, environment

DONE, FAILED, UNUSABLE = 0, 1, 2


async def bluebear(*words: str) -> tuple[int, str]:
    """Run a command; its exit code and what it has said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bluebear", *words),
        cwd=ROOT,
        env=environment(None),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode()


async def test_the_first_operator_is_named_on_the_machine_and_copies_the_journal(
    tmp_path: Path,
) -> None:
    where = ("--data", str(tmp_path))
    async with ServerProcess(tmp_path) as server:
        async with Client(server.url, name="Ope") as ope:
            code, said = await bluebear("operator", "Ope", *where)
            assert code == FAILED
            for lang in LANGS:
                assert say("serve.operator_guest", lang, name="Ope") in said
            assert not (await ope.say("/backup")).ok
            assert (await ope.say("/register correct horse")).ok
            code, said = await bluebear("operator", "ope", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.operators", lang, names="Ope") in said
            assert (await ope.say("/backup")).ok
            assert (await bluebear("operator", "Ken", *where))[0] == FAILED
            code, said = await bluebear("operator", "Ope", "--remove", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.operators_none", lang) in said
            assert not (await ope.say("/backup")).ok
        await server.stop()
    [copy] = (tmp_path / "backups").iterdir()
    journal = SqliteJournal(tmp_path / "bluebear.sqlite")
    deeds = [deed_of(entry) for entry in await journal.load(AUDIT)]
    await journal.close()
    assert [each.kind for each in deeds] == ["operator", "backup", "no_operator"]
    assert deeds[1].why == copy.name


async def test_without_a_server_it_says_so(tmp_path: Path) -> None:
    code, said = await bluebear("operator", "Ope", "--data", str(tmp_path))
    assert code == UNUSABLE
    for lang in LANGS:
        assert say("serve.operator_no_server", lang, path=tmp_path) in said
