"""Tokens: each return replaces the used one, and a lost reply locks no person out."""

from __future__ import annotations

import pytest

from bluebear.protocol import Bye, Close, Error, Hello, Note, Welcome
from bluebear.server.runtime import token_hash
from bluebear.server.store import people, person_stream
from tests.server.fixtures import Stage
from tests.server.listener import Listener
from tests.support.simulated_store import Latency, SimulatedStore

NEAR = "(elsewhere) You have logged in with another browser or device, at the same address."
FAR = "(elsewhere) You have come in from another address as well."


def back(stage: Stage, token: str, *, client_name: str = "again", address: str = "") -> Listener:
    """Ayu returns with a token; the name of the earlier connection is dropped."""
    return stage.connect("Ayu", client_name=client_name, token=token, address=address)


def refused(listener: Listener) -> list[str]:
    assert listener.id == "", "somebody who is refused is nobody"
    return listener.received


# Each return gives another one.


def test_a_return_gives_another_token_to_the_same_person(stage: Stage) -> None:
    stage.come("Ayu")
    first = stage.people["Ayu"]
    second = back(stage, first.token)
    third = back(stage, second.token)
    assert first.id == second.id == third.id
    assert len({first.token, second.token, third.token}) == 3


def test_the_token_is_void_when_the_next_one_was_used(stage: Stage) -> None:
    stage.come("Ayu")
    first = stage.people["Ayu"].token
    second = back(stage, first).token
    back(stage, second)
    assert refused(back(stage, first, client_name="late")) == ["! token_replaced"]


def test_who_lost_the_answer_enters_again_and_is_reported_the_same(stage: Stage) -> None:
    """The first token stays good until the second one has been used."""
    stage.come("Ayu")
    first = stage.people["Ayu"].token
    lost = back(stage, first)
    stage.drop("again")
    reply = back(stage, first)
    assert reply.token == lost.token != first
    assert back(stage, reply.token).id == lost.id


def test_that_holds_across_a_restart(stage: Stage) -> None:
    stage.come("Ayu")
    first = stage.people["Ayu"].token
    lost = back(stage, first).token
    stage.restart()
    reply = back(stage, first)
    assert reply.token == lost
    stage.restart()
    assert back(stage, lost).id == reply.id


def test_tabs_that_come_back_at_once_are_reported_the_same() -> None:
    with Stage(SimulatedStore(lambda: Latency(1.0, 0.0))) as stage:
        listener = stage.dial("Ayu")
        stage.throw("Ayu", listener.codec.encode(Hello(name="Ayu", langs=("en",))))
        stage.wait(2)
        tabs = [stage.dial(f"tab {number}") for number in range(3)]
        for tab in tabs:
            hello = Hello(token=listener.token, langs=("en",))
            stage.throw(tab.name, tab.codec.encode(hello))
        stage.wait(9)
        assert len({tab.token for tab in tabs}) == 1
        assert tabs[0].token != listener.token
        [entries] = [stage.entries(person_stream(tabs[0].id))]
        assert [entry.lines for entry in entries] == [("@guest Ayu",), ("@token",)]


def test_a_tab_that_knows_the_newest_token_continues_however_often_other_people_return(
    stage: Stage,
) -> None:
    stage.come("Ayu")
    newest = stage.people["Ayu"].token
    for _ in range(6):
        for tab in ("one", "two"):
            newest = back(stage, newest, client_name=tab).token
            stage.drop(tab)
    assert back(stage, newest).name == "Ayu"


@pytest.mark.expects_log("the disk is full")
def test_where_nothing_can_be_written_the_token_stays_good(stage: Stage) -> None:
    stage.come("Ayu")
    first = stage.people["Ayu"].token
    stage.journal.fail_next(1)
    assert back(stage, first).token == first
    assert back(stage, first).token != first


def test_no_token_is_anywhere_in_what_is_stored(stage: Stage) -> None:
    stage.come("Ayu")
    tokens = [stage.people["Ayu"].token]
    for _ in range(3):
        tokens.append(back(stage, tokens[-1]).token)
    person = stage.people["Ayu"].id
    stored = repr(stage.entries(person_stream(person))) + repr(
        stage.run(stage.journal.read(people.person, person))
    )
    assert token_hash(tokens[-1]) in stored
    assert [token for token in tokens if token in stored] == []


def test_tokens_are_compared_in_constant_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever query finds the row, the compare that admits a person is the one of `hmac`."""
    stage.come("Ayu")
    token = stage.people["Ayu"].token
    monkeypatch.setattr("bluebear.server.people.account.hmac.compare_digest", lambda *_: False)
    assert refused(back(stage, token)) == ["! unauthorized"]


def test_a_token_that_is_replaced_while_its_owner_is_renamed() -> None:
    """Both entries need the same position in the person's stream; neither is lost."""
    with Stage(SimulatedStore(lambda: Latency(1.0, 0.0))) as stage:
        ben = stage.dial("Ben")
        stage.throw("Ben", ben.codec.encode(Hello(name="Ben", langs=("en",))))
        stage.wait(2)
        again = stage.dial("again")
        stage.send("Ben", "/nick Benno", lobby=True)
        stage.throw("again", again.codec.encode(Hello(token=ben.token, langs=("en",))))
        stage.wait(9)
        lines = [entry.lines for entry in stage.entries(person_stream(ben.id))]
        assert sorted(lines[1:]) == [("@nick Benno",), ("@token",)]
        row = stage.run(stage.journal.read(people.person, ben.id))
        assert row is not None
        assert row.name == "Benno"
        assert token_hash(again.token) in row.tokens


# Who is here hears of it.


def test_a_second_login_is_reported_to_the_first(stage: Stage) -> None:
    stage.connect("Ayu", address="10.0.0.1")
    first = stage.people["Ayu"]
    stage.say("Ayu", "/register open-sesame", lobby=True)
    first.received = []
    stage.connect("phone", address="10.0.0.1")
    stage.say("phone", "/login Ayu open-sesame", lobby=True)
    assert [each.startswith(NEAR) for each in first.received] == [True]


def test_a_tab_of_the_same_browser_is_not_reported_and_a_token_at_another_address_is(
    stage: Stage,
) -> None:
    stage.connect("Ayu", address="10.0.0.1")
    first = stage.people["Ayu"]
    tab = back(stage, first.token, address="10.0.0.1")
    assert (first.received, tab.received) == ([], [])
    back(stage, tab.token, client_name="far", address="10.9.9.9")
    assert [each.startswith(FAR) for each in first.received] == [True]
    assert first.last(Note).code == "elsewhere"


def test_who_joins_alone_is_shown_nothing(stage: Stage) -> None:
    stage.come("Ayu")
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    assert back(stage, token).received == []


def test_an_old_token_that_is_attempted_is_reported_to_its_owner(stage: Stage) -> None:
    stage.come("Ayu")
    first = stage.people["Ayu"].token
    second = back(stage, first, client_name="second")
    third = back(stage, second.token, client_name="third")
    third.received = []
    assert refused(back(stage, first, client_name="thief")) == ["! token_replaced"]
    assert [received[:11] for received in third.received] == ["(old_token)"]


# Logging out.


def test_logging_out_closes_every_tab_at_once_and_makes_the_tokens_void(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    first = stage.people["Ayu"].token
    tab = back(stage, first, client_name="tab")
    began = stage.now
    stage.say("tab", "/logout", lobby=True)
    assert stage.now == began, "no moment has passed"
    for each in (stage.people["Ayu"], tab):
        assert each.last(Bye).why == "logged_out"
        assert each.last(Bye).retry_ms is None
        assert each.closed == Close.BYE
    assert stage.people["Ben"].closed is None
    for token in (first, tab.token):
        assert refused(back(stage, token, client_name="late")) == ["! unauthorized"]


def test_a_guest_who_has_logged_out_leaves_the_name_to_other_people(stage: Stage) -> None:
    stage.come("Ayu")
    before = stage.people["Ayu"].id
    stage.say("Ayu", "/logout", lobby=True)
    stage.drop("Ayu")
    assert stage.connect("Ayu").id not in ("", before)


def test_a_guest_that_a_game_waits_for_is_instructed_to_leave_it_first(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", "/logout") == "guest_seated"
    assert stage.room_id in stage.people["Ayu"].last(Error).text
    stage.play("Ayu", "/leave !")
    assert stage.say("Ayu", "/logout")["Ayu"][-2:] == ["bye logged_out", "closed 4002"]


def test_the_complete_term_is_wanted(stage: Stage) -> None:
    stage.come("Ayu")
    assert stage.refused("Ayu", "/logo", lobby=True) == "whole_word"


@pytest.mark.expects_log("the disk is full")
def test_no_person_is_logged_out_whose_token_could_not_be_made_void(stage: Stage) -> None:
    stage.come("Ayu")
    stage.journal.fail_next(1)
    assert stage.refused("Ayu", "/logout", lobby=True) == "not_saved"
    assert stage.people["Ayu"].closed is None


def test_guesses_expired_and_given_up_tokens_are_refused_equally(stage: Stage) -> None:
    """All but one that was replaced, which only its owner or a thief can have."""
    stage.come("Ayu", "Ben")
    given_up = stage.people["Ayu"].token
    stage.say("Ayu", "/logout", lobby=True)
    old = stage.people["Ben"].token
    stage.drop("Ben")
    stage.wait_days(31)
    frames = []
    for number, token in enumerate((given_up, old, "0" * 32, "")):
        attempts = stage.connect("x", client_name=f"try {number}", token=token or "-")
        frames.append(attempts.messages)
        assert not [each for each in attempts.messages if isinstance(each, Welcome)]
    assert frames == [frames[0]] * 4
