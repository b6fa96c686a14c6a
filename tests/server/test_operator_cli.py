"""`bluebear operator` and what the one it names may do: real processes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bluebear.clients.sdk import Client
from bluebear.rules.core.phrases import LANGS
from bluebear.server.journal import SqliteJournal
from bluebear.server.people.standing import AUDIT, deed_of
from bluebear.server.sentences import say
from tests.tools.load.process import ROOT, ServerProcess, environment

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
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


async def test_the_first_operator_is_named_on_the_machine_and_copies_the_journal(
    tmp_path: Path,
) -> None:
    where = ("--data", str(tmp_path))
    async with ServerProcess(tmp_path) as server:
        async with Client(server.url, name="Ope") as ope:
            code, output = await bluebear("operator", "Ope", *where)
            assert code == FAILED
            for lang in LANGS:
                assert say("serve.operator_guest", lang, name="Ope") in output
            assert not (await ope.say("/backup")).ok
            assert (await ope.say("/register correct horse")).ok
            code, output = await bluebear("operator", "ope", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.operators", lang, names="Ope") in output
            assert (await ope.say("/backup")).ok
            assert (await bluebear("operator", "Ken", *where))[0] == FAILED
            code, output = await bluebear("operator", "Ope", "--remove", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.operators_none", lang) in output
            assert not (await ope.say("/backup")).ok
        await server.stop()
    [copy] = (tmp_path / "backups").iterdir()
    journal = SqliteJournal(tmp_path / "bluebear.sqlite")
    deeds = [deed_of(entry) for entry in await journal.load(AUDIT)]
    await journal.close()
    assert [each.kind for each in deeds] == ["operator", "backup", "no_operator"]
    assert deeds[1].why == copy.name


async def test_without_a_server_it_says_so(tmp_path: Path) -> None:
    code, output = await bluebear("operator", "Ope", "--data", str(tmp_path))
    assert code == UNUSABLE
    for lang in LANGS:
        assert say("serve.operator_no_server", lang, path=tmp_path) in output


async def test_who_has_forgotten_his_password_sets_another_once_the_machine_says_so(
    tmp_path: Path,
) -> None:
    where = ("--data", str(tmp_path))
    async with ServerProcess(tmp_path) as server:
        async with Client(server.url, name="Ayu") as ayu:
            code, output = await bluebear("forgotten", "Ayu", *where)
            assert code == FAILED
            for lang in LANGS:
                assert say("serve.forgotten_guest", lang, name="Ayu") in output
            assert (await ayu.say("/register correct horse")).ok
            token = ayu.token
        async with Client(server.url, token=token) as ayu:
            assert (await ayu.say("/register another one")).code == "login_first"
            code, output = await bluebear("forgotten", "ayu", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.forgotten", lang, name="ayu", minutes=60) in output
            assert (await bluebear("forgotten", "Ken", *where))[0] == FAILED
            assert (await ayu.say("/register another one")).ok
        async with Client(server.url, name="Ben") as ben:
            assert not (await ben.say("/login Ayu correct horse")).ok
            assert (await ben.say("/login Ayu another one")).ok
        await server.stop()
    code, _ = await bluebear("forgotten", "Ayu", *where)
    assert code == UNUSABLE
