"""`bluebear operator` and what the one it names may do: real processes."""

from __future__ import annotations

from pathlib import Path

from bluebear.clients.sdk import Client
from bluebear.rules.core.phrases import LANGS
from bluebear.server.people.audit import AUDIT, act_of
from bluebear.server.sentences import say
from bluebear.server.store import SqliteStore, streams
from tests.tools.servers import ServerProcess, bluebear

DONE, FAILED, UNUSABLE = 0, 1, 2


async def test_the_first_operator_is_named_on_the_machine_and_copies_the_journal(
    tmp_path: Path,
) -> None:
    where = ("--data", str(tmp_path))
    async with ServerProcess(tmp_path) as server:
        async with Client(server.url, name="Ope") as ope:
            code, sent = await bluebear("operator", "Ope", *where)
            assert code == FAILED
            for lang in LANGS:
                assert say("serve.operator_guest", lang, name="Ope") in sent
            assert not (await ope.say("/backup")).ok
            assert (await ope.say("/register correct horse")).ok
            code, sent = await bluebear("operator", "ope", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.operators", lang, names="Ope") in sent
            assert (await ope.say("/backup")).ok
            assert (await bluebear("operator", "Ken", *where))[0] == FAILED
            code, sent = await bluebear("operator", "Ope", "--remove", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.operators_none", lang) in sent
            assert not (await ope.say("/backup")).ok
        await server.stop()
    [copy] = (tmp_path / "backups").iterdir()
    journal = SqliteStore(tmp_path / "bluebear.sqlite")
    deeds = [act_of(entry) for entry in await journal.read(streams.load, AUDIT)]
    await journal.close()
    assert [each.kind for each in deeds] == ["operator", "backup", "no_operator"]
    assert deeds[1].why == copy.name


async def test_without_a_server_it_says_so(tmp_path: Path) -> None:
    code, sent = await bluebear("operator", "Ope", "--data", str(tmp_path))
    assert code == UNUSABLE
    for lang in LANGS:
        assert say("serve.operator_no_server", lang, path=tmp_path) in sent


async def test_who_has_forgotten_his_password_sets_another_once_the_machine_says_so(
    tmp_path: Path,
) -> None:
    where = ("--data", str(tmp_path))
    async with ServerProcess(tmp_path) as server:
        async with Client(server.url, name="Ayu") as ayu:
            code, sent = await bluebear("forgotten", "Ayu", *where)
            assert code == FAILED
            for lang in LANGS:
                assert say("serve.forgotten_guest", lang, name="Ayu") in sent
            assert (await ayu.say("/register correct horse")).ok
            token = ayu.token
        async with Client(server.url, token=token) as ayu:
            assert (await ayu.say("/register another one")).code == "login_first"
            code, sent = await bluebear("forgotten", "ayu", *where)
            assert code == DONE
            for lang in LANGS:
                assert say("serve.forgotten", lang, name="ayu", minutes=60) in sent
            assert (await bluebear("forgotten", "Ken", *where))[0] == FAILED
            assert (await ayu.say("/register another one")).ok
        async with Client(server.url, name="Ben") as ben:
            assert not (await ben.say("/login Ayu correct horse")).ok
            assert (await ben.say("/login Ayu another one")).ok
        await server.stop()
    code, _ = await bluebear("forgotten", "Ayu", *where)
    assert code == UNUSABLE
