"""Accounts by the rows of their commands: /register, /login, /logout of a stored person."""

from __future__ import annotations

import pytest

from bluebear.protocol import Bye, Error, Welcome
from bluebear.server.limits import (
    DELIVERED_SECONDS,
    PASSWORD_LEAST_CHARS,
    PASSWORD_TRIES,
    TOKEN_DAYS,
)
from bluebear.server.net.rate_limits import BOUNDS, Cost
from bluebear.server.store import person_stream
from tests.server.fixtures import Stage
from tests.server.hashes import QuickHasher, install
from tests.server.listener import Listener

SECRET = "correct horse"
REGISTERED = "(registered) You keep the name Ayu. From anywhere: /login Ayu"


@pytest.fixture(autouse=True)
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


def registered(stage: Stage, name: str = "Ayu") -> Listener:
    stage.come(name)
    received = stage.say(name, f"/register {SECRET}", lobby=True)
    assert received == {
        name: [f"(registered) You keep the name {name}. From anywhere: /login {name}"]
    }
    return stage.people[name]


def login(stage: Stage, guest: str, name: str = "Ayu", password: str = SECRET) -> list[str]:
    return stage.say(guest, f"/login {name} {password}", lobby=True)[guest]


# /register


def test_who_registers_keeps_seat_room_and_history(stage: Stage) -> None:
    stage.game("journey", "Ayu", "Ben")
    before, person = stage.room, stage.people["Ayu"].id
    stage.say("Ayu", f"/register {SECRET}")
    assert stage.room == before
    assert stage.people["Ayu"].id == person
    assert stage.seat_of("Ayu") == 1
    stage.play("Ayu", "/dig")


def test_a_name_that_is_registered_is_stored_for_ever(stage: Stage) -> None:
    person = registered(stage).id
    stage.drop("Ayu")
    stage.wait_days(TOKEN_DAYS + 1)
    assert stage.connect("AYU", client_name="guest").received == ["! name_taken"]
    stage.come("Ben")
    login(stage, "Ben")
    assert stage.people["Ben"].id == person


def test_a_password_is_nowhere_in_what_is_stored(stage: Stage) -> None:
    ayu = registered(stage)
    stored = repr(stage.entries(person_stream(ayu.id)))
    assert stored.replace(f"hash of {SECRET}", "").find(SECRET) == -1


def test_a_password_that_is_missing_or_short_is_reported(stage: Stage) -> None:
    stage.come("Ayu")
    assert stage.refused("Ayu", "/register", lobby=True) == "account_password"
    assert stage.refused("Ayu", "/login Ben", lobby=True) == "account_password"
    short = "x" * (PASSWORD_LEAST_CHARS - 1)
    assert stage.refused("Ayu", f"/register {short}", lobby=True) == "short_password"
    assert stage.refused("Ayu", f"/register {'x' * 65}", lobby=True) == "bad_password"


def test_another_password_sends_all_people_else_away(stage: Stage) -> None:
    ayu = registered(stage)
    stage.come("phone")
    login(stage, "phone")
    stage.say("Ayu", "/register quite another", lobby=True)
    assert stage.people["phone"].last(Bye).why == "logged_out"
    assert ayu.closed is None
    stage.come("Ben")
    assert login(stage, "Ben") == ["! wrong_login"]
    assert stage.connect("", client_name="back", token=ayu.token).id == ayu.id


def test_a_token_alone_changes_no_password(stage: Stage) -> None:
    ayu = registered(stage)
    stage.drop("Ayu")
    thief = stage.connect("", client_name="Ayu", token=ayu.token)
    assert thief.id == ayu.id
    assert stage.refused("Ayu", "/register quite another", lobby=True) == "login_first"
    login(stage, "Ayu")
    assert stage.say("Ayu", "/register quite another", lobby=True)["Ayu"] == [REGISTERED]
    stage.come("Ben")
    assert login(stage, "Ben") == ["! wrong_login"]
    assert "! wrong_login" not in login(stage, "Ben", password="quite another")


def test_a_line_that_registered_is_sent_again_and_changes_nothing(stage: Stage) -> None:
    ayu = registered(stage)
    before = stage.entries(person_stream(ayu.id))
    stage.drop("Ayu")
    stage.connect("", client_name="Ayu", token=ayu.token)
    assert stage.say("Ayu", f"/register {SECRET}", lobby=True)["Ayu"] == [REGISTERED]
    after = stage.entries(person_stream(ayu.id))[len(before) :]
    assert not any("@register" in entry.lines[0] for entry in after)


def test_guesses_at_the_password_that_there_is_are_tries(stage: Stage) -> None:
    ayu = registered(stage)
    stage.drop("Ayu")
    stage.connect("", client_name="Ayu", token=ayu.token)
    reported = [
        stage.refused("Ayu", f"/register guess {number:04}", lobby=True)
        for number in range(PASSWORD_TRIES + 1)
    ]
    assert reported == ["login_first"] * PASSWORD_TRIES + ["password_wait"]


def test_who_has_forgotten_his_password_has_an_hour(stage: Stage) -> None:
    ayu = registered(stage)
    stage.drop("Ayu")
    stage.connect("", client_name="Ayu", token=ayu.token)
    assert stage.run(stage.app.features.control["forgotten"]("Ayu")) == {"minutes": 60}
    stage.wait(3601)
    assert stage.refused("Ayu", "/register quite another", lobby=True) == "login_first"
    stage.run(stage.app.features.control["forgotten"]("Ayu"))
    assert stage.say("Ayu", "/register quite another", lobby=True)["Ayu"] == [REGISTERED]


def test_registering_is_bounded_by_address(stage: Stage) -> None:
    most = int(BOUNDS.address[Cost.ACCOUNT].burst)
    stage.connect("Ayu", address="10.0.0.1")
    for _ in range(most):
        stage.say("Ayu", f"/register {SECRET}", lobby=True)
    assert stage.refused("Ayu", f"/register {SECRET}", lobby=True) == "too_much"


@pytest.mark.expects_log("the disk is full")
def test_who_could_not_be_saved_is_not_registered(stage: Stage) -> None:
    stage.come("Ayu")
    stage.journal.fail_next(1)
    assert stage.refused("Ayu", f"/register {SECRET}", lobby=True) == "not_saved"
    stage.come("Ben")
    assert login(stage, "Ben") == ["! wrong_login"]


# /login


def test_a_guest_becomes_who_has_registered_and_hears_it_by_a_welcome(stage: Stage) -> None:
    ayu = registered(stage)
    stage.come("Ben")
    guest = stage.people["Ben"].id
    login(stage, "Ben")
    welcome = stage.people["Ben"].last(Welcome)
    assert (welcome.person, welcome.name) == (ayu.id, "Ayu")
    assert welcome.token not in ("", ayu.token)
    stage.wait(DELIVERED_SECONDS + 1)
    assert stage.connect("Ben", client_name="another").id not in ("", guest)


def test_who_never_received_that_he_is_another_returns_by_the_token_he_has(stage: Stage) -> None:
    ayu = registered(stage)
    stage.come("Ben")
    ben, token = stage.people["Ben"].id, stage.people["Ben"].token
    login(stage, "Ben")
    stage.drop("Ben")
    stage.wait(DELIVERED_SECONDS + 1)
    assert stage.connect("", client_name="Ben", token=token).id == ben
    login(stage, "Ben")
    assert stage.people["Ben"].id == ayu.id
    stage.wait(DELIVERED_SECONDS + 1)
    assert stage.connect("", client_name="late", token=token).received == ["! unauthorized"]


def test_in_a_room_one_leaves_of_it_first(stage: Stage) -> None:
    registered(stage)
    stage.table("journey", "Cem", watching=("Ben",))
    login_reply = stage.say("Ben", f"/login Ayu {SECRET}")
    assert "Ben" not in stage.live.present.here.values()
    assert "Ben" in login_reply
    stage.people["Ben"].room = None
    stage.enter("Ben")
    assert set(stage.live.present.here.values()) == {"Cem", "Ayu"}


def test_lines_after_it_are_those_of_the_other_person(stage: Stage) -> None:
    ayu = registered(stage)
    stage.come("Ben")
    login(stage, "Ben")
    stage.people["Ben"].room = None
    stage.say("Ben", "/newroom journey unlisted", lobby=True)
    [room] = stage.live_ids()
    assert {entry.actor for entry in stage.entries(room)} == {f"p:{ayu.id}"}


def test_two_positions_are_one_person_with_separate_tokens(stage: Stage) -> None:
    ayu = registered(stage)
    stage.come("Ben")
    login(stage, "Ben")
    phone = stage.people["Ben"]
    stage.say("Ben", "/logout", lobby=True)
    assert phone.last(Bye).why == "logged_out"
    assert ayu.closed is None
    assert stage.connect("", client_name="phone", token=phone.token).received == ["! unauthorized"]
    assert stage.connect("", client_name="home", token=ayu.token).id == ayu.id


def test_all_ranks_go_at_once(stage: Stage) -> None:
    ayu = registered(stage)
    stage.come("Ben")
    login(stage, "Ben")
    stage.say("Ben", "/logout all", lobby=True)
    assert [each.last(Bye).why for each in (ayu, stage.people["Ben"])] == ["logged_out"] * 2
    assert stage.connect("Ayu", client_name="guest").received == ["! name_taken"]


def test_a_guest_that_a_game_waits_for_does_not_become_another(stage: Stage) -> None:
    registered(stage)
    stage.game("journey", "Ben", "Cem")
    assert stage.refused("Ben", f"/login Ayu {SECRET}") == "guest_seated"
    assert stage.seat_of("Ben") == 1


@pytest.mark.parametrize(
    ("name", "password"), [("Ayu", "wrong password"), ("Dan", SECRET), ("Cem", SECRET)]
)
def test_no_person_learns_which_of_the_two_was_wrong(
    stage: Stage, name: str, password: str
) -> None:
    """Dan has no account, Cem is a guest."""
    registered(stage)
    stage.come("Ben", "Cem")
    assert login(stage, "Ben", name, password) == ["! wrong_login"]
    assert stage.people["Ben"].last(Error).text.startswith("No account has this name and this")


@pytest.mark.parametrize("name", ["Ayu", "Dan", "Cem"])
def test_no_person_learns_it_by_the_time_it_takes(
    stage: Stage, hasher: QuickHasher, name: str
) -> None:
    """Where there is nothing to compare with, a hash is made."""
    registered(stage)
    stage.come("Ben", "Cem")
    hasher.work.clear()
    login(stage, "Ben", name, "wrong password")
    assert len(hasher.work) == 1


def test_wrong_passwords_have_to_wait_by_name_and_address(stage: Stage) -> None:
    registered(stage)
    stage.connect("Ben", address="10.0.0.1")
    for _ in range(PASSWORD_TRIES):
        assert login(stage, "Ben", password="wrong password") == ["! wrong_login"]
    assert login(stage, "Ben") == ["! password_wait"]
    assert stage.people["Ben"].last(Error).retry_ms
    stage.connect("Cem", address="10.9.9.9")
    login(stage, "Cem")
    assert stage.people["Cem"].name == "Ayu", "the owner gets in from elsewhere"


def test_one_who_tries_many_names_has_to_wait(stage: Stage) -> None:
    stage.connect("Ben", address="10.0.0.1")
    for number in range(PASSWORD_TRIES):
        login(stage, "Ben", f"Nobody{number}")
    assert login(stage, "Ben", "Another") == ["! password_wait"]


def test_many_addresses_that_guess_at_one_name_are_bounded(stage: Stage) -> None:
    registered(stage)
    codes = []
    for number in range(int(BOUNDS.person[Cost.LOGIN].burst) + 1):
        name = f"Guest{number}x"
        stage.connect(name, address=f"10.0.{number}.1")
        codes += login(stage, name, password="wrong password")
    assert codes == ["! wrong_login"] * (len(codes) - 1) + ["! too_much"]


def test_the_wait_ends_and_the_owner_is_not_locked_out(stage: Stage) -> None:
    registered(stage)
    stage.connect("Ben", address="10.0.0.1")
    for _ in range(PASSWORD_TRIES):
        login(stage, "Ben", password="wrong password")
    stage.wait(61)
    login(stage, "Ben")
    assert stage.people["Ben"].name == "Ayu"
