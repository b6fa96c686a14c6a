"""Home networks: attackers who exhaust a name's login attempts do not lock its owner out there."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable

import msgpack
import pytest

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.limits import HOMES_PER_PERSON
from bluebear.server.net.rate_limits import BOUNDS, Cost, network_of
from bluebear.server.people.account import (
    account_of,
    entry_of,
    folded,
    home_mark,
    log_in,
    new_guest,
    register,
    rotate,
    with_home,
)
from bluebear.server.store import PersonRow, people, person_stream
from tests.server.fixtures import Stage
from tests.server.hashes import install

SECRET = "open-sesame"
WRONG = "open-barley"
HOME = "203.0.113.7"
OTHER_ADDRESS = "203.0.113.8"
HOME_6 = "2001:db8:7:1::5"
SAME_NETWORK_6 = "2001:db8:7:1:abcd::9"
NEWCOMERS = itertools.count(1)
TRIES = int(BOUNDS.person[Cost.LOGIN].burst)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def registered(stage: Stage, address: str = HOME) -> str:
    """Ayu keeps her name and goes; her token."""
    stage.come("Ayu", address=address)
    stage.say("Ayu", f"/register {SECRET}", lobby=True)
    token = stage.people["Ayu"].token
    stage.drop("Ayu")
    return token


def strangers_guess(stage: Stage) -> None:
    """Four addresses guess Ayu's password until no other network may try it."""
    for number in range(4):
        name = f"Guest{number}x"
        stage.connect(name, address=f"198.51.100.{number}")
        for _ in range(TRIES // 4):
            stage.refused(name, f"/login Ayu {WRONG}", lobby=True)
        stage.drop(name)
    stage.connect("Guest8x", address="192.0.2.1")
    assert stage.refused("Guest8x", f"/login Ayu {SECRET}", lobby=True) == "too_much"
    stage.drop("Guest8x")


def gets_in(stage: Stage, address: str) -> bool:
    """Whether the owner's right password lets her in from there."""
    new = f"New{next(NEWCOMERS)}x"
    stage.connect(new, address=address)
    [*_, last] = stage.say(new, f"/login Ayu {SECRET}", lobby=True)[new]
    stage.drop(new)
    return last.startswith("(logged_in)")


def test_an_owner_gets_in_from_where_she_has_registered(stage: Stage) -> None:
    registered(stage)
    strangers_guess(stage)
    assert gets_in(stage, HOME)


def test_an_owner_gets_in_from_where_she_has_come_back(stage: Stage) -> None:
    token = registered(stage, OTHER_ADDRESS)
    stage.connect("", client_name="back", token=token, address=HOME)
    stage.drop("back")
    strangers_guess(stage)
    assert gets_in(stage, HOME)


def test_an_owner_gets_in_from_where_she_has_logged_in(stage: Stage) -> None:
    registered(stage, OTHER_ADDRESS)
    assert gets_in(stage, HOME)
    strangers_guess(stage)
    assert gets_in(stage, HOME)


@pytest.mark.parametrize("ends", [Stage.restart, Stage.crash])
def test_homes_are_recognized_after_the_server_has_started_anew(
    stage: Stage, ends: Callable[[Stage], None]
) -> None:
    registered(stage)
    ends(stage)
    strangers_guess(stage)
    assert not gets_in(stage, OTHER_ADDRESS)
    assert gets_in(stage, HOME)


def test_a_home_is_a_network_of_ipv6(stage: Stage) -> None:
    registered(stage, HOME_6)
    strangers_guess(stage)
    assert gets_in(stage, SAME_NETWORK_6)
    assert not gets_in(stage, "2001:db8:7:2::5")


def test_a_new_password_leaves_the_homes(stage: Stage) -> None:
    token = registered(stage)
    stage.connect("", client_name="back", token=token, address=HOME)
    stage.drop("back")
    stage.connect("Guest7x", address=OTHER_ADDRESS)
    stage.say("Guest7x", f"/login Ayu {SECRET}", lobby=True)
    stage.say("Guest7x", f"/register {SECRET}2", lobby=True)
    stage.drop("Guest7x")
    strangers_guess(stage)
    stage.connect("Guest9x", address=HOME)
    received = stage.say("Guest9x", f"/login Ayu {SECRET}2", lobby=True)["Guest9x"]
    assert received[-1].startswith("(logged_in)")


def test_a_guest_has_no_homes(stage: Stage) -> None:
    stage.come("Ben", address=HOME)
    token, person = stage.people["Ben"].token, stage.people["Ben"].id
    stage.drop("Ben")
    stage.connect("", client_name="back", token=token, address=HOME)
    row = stage.run(stage.app.people.person(person))
    assert row is not None
    assert account_of(row).homes == ()


def test_tries_from_a_home_are_bounded_too_and_are_none_of_the_name(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(stage)
    # The wait after a few wrong tries in a row would come first.
    monkeypatch.setattr("bluebear.server.people.passwords.Guesses.wait", lambda *_: 0.0)
    codes = []
    for number in range(TRIES + 1):
        name = f"Guest{number % 5}x"
        if name not in stage.people:
            stage.connect(name, address=HOME)
        codes.append(stage.refused(name, f"/login Ayu {WRONG}", lobby=True))
    assert codes == ["wrong_login"] * TRIES + ["too_much"]
    assert gets_in(stage, OTHER_ADDRESS)


def test_a_try_from_home_that_is_not_compared_gives_a_name_back_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> bool:
        raise NotAllowed("busy", retry_ms=1)

    registered(stage)
    strangers_guess(stage)
    monkeypatch.setattr(stage.app.engine.hashing, "compare", busy)
    stage.come("Ben", address=HOME)
    for _ in range(TRIES + 5):
        assert stage.refused("Ben", f"/login Ayu {SECRET}", lobby=True) == "busy"
        stage.wait(1)
    monkeypatch.undo()
    budgets, now = stage.app.budgets, stage.loop.time()
    assert budgets.retry_after_ms(
        Cost.LOGIN, now, address=OTHER_ADDRESS, person="name ayu", amount=5
    )


def test_what_is_stored_tells_no_address(stage: Stage) -> None:
    registered(stage)
    person = stage.run(stage.journal.read(people.named, "ayu"))
    assert person is not None
    entries = stage.entries(person_stream(person.id))
    stored = repr((entries, person, msgpack.unpackb(person.body)))
    assert HOME not in stored
    assert hashlib.sha256(HOME.encode()).hexdigest()[:4] not in account_of(person).homes
    [mark] = account_of(person).homes
    rest = (home_mark(person.id, f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}") for n in range(1 << 18))
    assert any(each == mark for each in rest), "an address is one of many with its mark"


# Marks and rows.


def a_row() -> tuple[PersonRow, str]:
    guest = new_guest("Ayu", human=True, fresh=bytes(64))
    row = folded(None, entry_of(guest.id, None, guest.act, 0))
    return folded(row, entry_of(row.id, row, register("h", "g", "aaaa"), 1)), guest.token


def test_marks_differ_by_person_and_by_network_and_the_house_has_none() -> None:
    marks = {
        home_mark(person, network_of(address))
        for person in ("p1", "p2")
        for address in (HOME, OTHER_ADDRESS, HOME_6)
    }
    assert len(marks) == 6
    assert home_mark("p1", network_of(HOME_6)) == home_mark("p1", network_of(SAME_NETWORK_6))
    assert home_mark("p1", "") == ""
    assert with_home(("aaaa",), "") == ("aaaa",)


def test_so_many_homes_are_recognized_and_the_first_is_forgotten() -> None:
    row, token = a_row()
    for number in range(HOMES_PER_PERSON):
        row = folded(row, entry_of(row.id, row, log_in(f"t{number}", f"{number:04}"), 2 + number))
    assert account_of(row).homes == tuple(f"{number:04}" for number in range(HOMES_PER_PERSON))
    grant = account_of(row).grants[0]
    row = folded(row, entry_of(row.id, row, rotate(grant, token, bytes(64), "0003"), 20))
    assert account_of(row).homes == tuple(f"{number:04}" for number in range(HOMES_PER_PERSON))


def test_an_entry_without_a_home_is_written_and_read_as_before() -> None:
    assert set(log_in("t").facts) == {"token"}
    row, _ = a_row()
    after = folded(row, entry_of(row.id, row, log_in("t"), 2))
    assert account_of(after).homes == account_of(row).homes == ("aaaa",)
