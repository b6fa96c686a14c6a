"""Reports of a person to the operators: what they have, who gets them, and how many."""

from __future__ import annotations

import pytest

from bluebear.protocol import Note
from bluebear.server.people.audit import AUDIT, act_of
from tests.server.fixtures import Stage
from tests.server.hashes import QuickHasher, install
from tests.server.test_operators import deeds, operator


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


def test_a_report_shows_the_operators_the_last_talk(stage: Stage) -> None:
    operator(stage)
    stage.table("journey", "Ayu", "Ken")
    stage.say("Ken", "fools")
    stage.say("Ken", "/tell Ayu idiot")
    stage.say("Ken", "/tell Ope hidden from Ayu")
    stage.say("Ope", "/tell Ayu hidden from reports", lobby=True)
    [reply] = stage.say("Ayu", "/report Ken insults")["Ayu"]
    assert "/block Ken" in reply
    note = stage.people["Ope"].last(Note)
    assert (note.code, note.text) == (
        "report",
        "Ayu reports Ken: insults (/audit shows what was said)",
    )
    [log] = stage.say("Ope", "/audit", lobby=True)["Ope"]
    assert "Ayu reports Ken (insults)\n    Ken: idiot\n    Ken: fools\n" in log
    assert "hidden" not in log
    assert all(getattr(each, "code", "") != "report" for each in stage.people["Ken"].messages)


def test_what_only_watchers_read_is_in_no_report(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ken")
    stage.say("Ayu", "/option watchchat apart")
    stage.say("Ayu", "/start")
    stage.come("Mia")
    stage.enter("Mia")
    stage.say("Mia", "Ken holds the card")
    stage.say("Ayu", "/report Mia whispers")
    assert act_of(stage.entries(AUDIT)[-1]).talk == ()


def test_a_person_reports_another_one_and_not_all_the_time(stage: Stage) -> None:
    stage.come("Ayu", "Ken")
    assert stage.refused("Ayu", "/report Ayu me", lobby=True) == "list_self"
    assert stage.refused("Ayu", "/report Zoe rude", lobby=True) == "no_such_person"
    assert stage.refused("Ayu", "/report Ken", lobby=True) == "command_missing"
    for _ in range(3):
        stage.say("Ayu", "/report Ken rude", lobby=True)
    assert stage.refused("Ayu", "/report Ken rude", lobby=True) == "too_much"
    stage.wait(601)
    assert "Ayu" in stage.say("Ayu", "/report Ken rude", lobby=True)
    assert [each[1:3] for each in deeds(stage)] == [("report", "Ken")] * 4
