"""`/analyse`: who may ask, its limits, what the house bots' process gets, how the job ends."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bluebear.protocol import Note, Think
from bluebear.server.features.analysis import Analyses, read_analysis
from bluebear.server.limits import (
    ANALYSES_OF_ONE,
    ANALYSES_WAITING,
    ANALYSIS_MAX_CHARACTERS,
    ANALYSIS_PATIENCE_SECONDS,
)
from bluebear.server.net.rate_limits import BOUNDS, Cost
from bluebear.server.runtime import COUNTERS
from tests.server.fixtures import Stage
from tests.server.test_lookback import played_out
from tests.server.test_questions import ask

BEGUN = (
    "(analysis) The game is being analysed. That takes a minute or more; the analysis comes here."
)
FAILED = (
    "(analysis) This game could not be analysed."
    " It has no move to judge, or the program that thinks is too busy, is not there, or was"
    " stopped."
)
POINT: dict[str, Any] = {"step": 2, "seat": 2, "lines": ["/walk"], "better": []}  # Any: JSON
REPLY: dict[str, Any] = {  # Any: JSON
    "names": ["Ayu", "Ben"],
    "decisions": True,
    "numbers": True,
    "steps": [1, 2],
    "chances": [[60, 40], [30, 70]],
    "sums": [[9, -21, 3], [0, 21, 3]],
    "worse": [0, 2],
    "points": [{**POINT, "en": "2. Ben: well played.", "ja": "2. Ben: いい手です。"}],
    "text": {"en": "2 moves.\n  Ben wins.", "ja": "2手。\n  Benの勝ち。"},
}


def over(stage: Stage) -> str:
    """A finished game of Ayu and Ben, and the house bots' process. Returns the game's id."""
    stage.connect("house", token=stage.app.engine.house.token, bot=True)
    stage.game("journey", "Ayu", "Ben")
    return played_out(stage)


def analyses(stage: Stage) -> Analyses:
    """What makes the analyses of the server."""
    [result] = [each for each in stage.app.features.features if isinstance(each, Analyses)]
    return result


def last_request(stage: Stage) -> Think:
    """What the child was asked last."""
    question = stage.people["house"].last(Think)
    assert isinstance(question, Think)
    return question


def answers(stage: Stage, number: int, reply: object = REPLY, size: int = 50) -> Any:  # Any: heard
    """The child answers in parts; what is heard at the last one."""
    text = json.dumps(reply, ensure_ascii=False)
    received: Any = {}
    for at in range(0, len(text), size):
        sign = "+" if at + size < len(text) else "."
        line = f"/analysed {number} {sign} {text[at : at + size]}"
        received = stage.say("house", line, lobby=True)
    return received


def test_the_game_just_over_is_analysed_and_who_asks_next_has_it_at_once(stage: Stage) -> None:
    game_id = over(stage)
    assert stage.say("Ayu", "/analyse") == {"Ayu": [BEGUN]}
    question = last_request(stage)
    assert question.record is not None
    assert game_id in question.record
    assert answers(stage, question.number) == {"Ayu": ["(analysis) 2 moves.\n  Ben wins."]}
    stage.play("Ben", "/lang ja")
    assert stage.say("Ben", "/分析") == {"Ben": ["(analysis) 2手。\n  Benの勝ち。"]}
    stage.come("Emi")
    assert stage.say("Emi", f"/analyse {game_id}", lobby=True) == {
        "Emi": ["(analysis) 2 moves.\n  Ben wins."]
    }
    assert last_request(stage) is question, "made once"


def test_a_page_gets_it_as_data(stage: Stage) -> None:
    game_id = over(stage)
    assert ask(stage, "Ben", "analysis", id=game_id) is None, "it is waited for"
    answers(stage, last_request(stage).number)
    body = stage.people["Ben"].messages[-1].body  # type: ignore[union-attr]  # it is the answer
    assert body == {
        "names": ["Ayu", "Ben"],
        "decisions": True,
        "numbers": True,
        "steps": [1, 2],
        "chances": [[60, 40], [30, 70]],
        "sums": [[9, -21, 3], [0, 21, 3]],
        "worse": [0, 2],
        "points": [{**POINT, "en": "2. Ben: well played.", "ja": "2. Ben: いい手です。"}],
        "text": {"en": "2 moves.\n  Ben wins.", "ja": "2手。\n  Benの勝ち。"},
    }


def test_those_who_ask_meanwhile_wait_for_the_same_one(stage: Stage) -> None:
    over(stage)
    stage.say("Ayu", "/analyse")
    question = last_request(stage)
    assert stage.say("Ben", "/analyse") == {"Ben": [BEGUN]}
    assert last_request(stage) is question
    received = answers(stage, question.number)
    assert list(received) == ["Ayu", "Ben"]


def test_a_game_that_is_not_over_or_not_for_the_asker_is_not_analysed(stage: Stage) -> None:
    stage.connect("house", token=stage.app.engine.house.token, bot=True)
    stage.game("journey", "Ayu", "Ben")
    game_id = stage.room.table.game_id
    assert stage.refused("Ayu", "/analyse") == "no_replay"
    assert stage.refused("Ayu", f"/analyse {game_id}") == "no_such_record"
    assert ask(stage, "Ayu", "analysis", id=game_id) == "no_such_record"


def test_a_private_rooms_game_is_for_those_who_may_know_of_the_room(stage: Stage) -> None:
    stage.connect("house", token=stage.app.engine.house.token, bot=True)
    stage.table("journey", "Ayu", kind="private")
    stage.come("Ben")
    stage.play("Ayu", "/invite Ben")
    stage.enter("Ben")
    stage.play("Ben", "/join")
    stage.play("Ayu", "/start")
    game_id = played_out(stage)
    stage.say("Ayu", "/analyse")
    answers(stage, last_request(stage).number)
    stage.come("Emi")
    assert stage.refused("Emi", f"/analyse {game_id}", lobby=True) == "no_such_record"
    assert ask(stage, "Emi", "analysis", id=game_id) == "no_such_record"


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(None, id="none"),
        pytest.param({**REPLY, "more": 1}, id="other fields"),
        pytest.param({**REPLY, "steps": ["a"]}, id="other values"),
        pytest.param("x" * (ANALYSIS_MAX_CHARACTERS + 1), id="too long"),
    ],
)
def test_an_analysis_that_is_none_is_reported_to_have_failed(stage: Stage, reply: object) -> None:
    over(stage)
    stage.say("Ayu", "/analyse")
    assert answers(stage, last_request(stage).number, reply, size=1900) in ({"Ayu": [FAILED]}, {})
    assert stage.people["Ayu"].last(Note).text == FAILED.removeprefix("(analysis) ")
    assert stage.say("Ayu", "/analyse") == {"Ayu": [BEGUN]}, "one may ask again"


def test_without_the_child_or_when_it_moves_it_has_failed(stage: Stage) -> None:
    over(stage)
    stage.say("Ayu", "/analyse")
    assert stage.drop("house") == {"Ayu": [FAILED]}
    assert stage.say("Ayu", "/analyse") == {"Ayu": [BEGUN, FAILED]}
    assert ask(stage, "Ayu", "analysis") == "analysis_failed"


@pytest.mark.expects_log("a bug")
def test_all_who_wait_hear_that_a_bug_has_ended_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> str:
        await all_wait.wait()
        raise RuntimeError("a bug")

    all_wait = asyncio.Event()
    game_id = over(stage)
    monkeypatch.setattr(analyses(stage)._bots, "think", broken)
    before = COUNTERS["bugs"]
    stage.say("Ayu", "/analyse")
    stage.say("Ben", f"/analyse {game_id}")
    all_wait.set()
    assert stage.wait(1) == {"Ayu": [FAILED], "Ben": [FAILED]}
    assert COUNTERS["bugs"] == before + 1
    assert stage.say("Ayu", "/analyse") == {"Ayu": [BEGUN, FAILED]}, "one may ask again"


def test_no_person_waits_for_ever(stage: Stage) -> None:
    over(stage)
    stage.say("Ayu", "/analyse")
    number = last_request(stage).number
    assert stage.wait(ANALYSIS_PATIENCE_SECONDS) == {"Ayu": [FAILED]}
    assert last_request(stage) == Think(number=number), "the child need not think on"
    assert answers(stage, number) == {}, "nobody waits any more"


def test_who_has_left_does_not_end_it_and_finds_it_later(stage: Stage) -> None:
    game_id = over(stage)
    stage.say("Ayu", "/analyse")
    stage.drop("Ayu")
    answers(stage, last_request(stage).number)
    stage.come("Emi")
    assert len(stage.say("Emi", f"/analyse {game_id}", lobby=True)["Emi"]) == 1


def test_one_person_waits_for_few_and_pays_for_new_ones(stage: Stage) -> None:
    game_id = over(stage)
    for _ in range(ANALYSES_OF_ONE):
        stage.say("Ayu", "/analyse")
    assert stage.refused("Ayu", "/analyse") == "analysis_busy"
    answers(stage, last_request(stage).number)
    burst = int(BOUNDS.person[Cost.ANALYSIS].burst)
    for _ in range(burst - 1):
        analyses(stage)._stored.clear()
        stage.say("Ayu", f"/analyse {game_id}")
        answers(stage, last_request(stage).number)
    analyses(stage)._stored.clear()
    assert ask(stage, "Ayu", "analysis", id=game_id) == "too_much"


def test_a_server_makes_so_many_and_no_more(stage: Stage) -> None:
    game_id = over(stage)
    analyses(stage)._making |= {
        f"other{each}": stage.loop.create_future() for each in range(ANALYSES_WAITING)
    }
    for _ in range(2 * int(BOUNDS.person[Cost.ANALYSIS].burst)):
        assert ask(stage, "Ayu", "analysis", id=game_id) == "analysis_busy", "and nobody pays"


def test_what_the_child_says_beside_it_is_passed_over(stage: Stage) -> None:
    over(stage)
    for line in ("/analysed", "/analysed x . {}", "/analysed 99 . {}", "/thought 3 {}"):
        assert stage.say("house", line, lobby=True) == {}


def test_it_is_counted(stage: Stage) -> None:
    over(stage)
    before = COUNTERS["analyses.made"]
    stage.say("Ayu", "/analyse")
    answers(stage, last_request(stage).number)
    assert COUNTERS["analyses.made"] == before + 1
    assert read_analysis(json.dumps(REPLY)) is not None
