"""People: guests, tokens, names, and how long each is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest

from bluebear.protocol import Hello
from bluebear.server.limits import GRANTS_PER_PERSON, NEWCOMERS_A_COMMIT, TOKEN_DAYS
from bluebear.server.people.account import (
    Account,
    Act,
    account_of,
    entry_of,
    folded,
    grant_by,
    new_grant,
    new_guest,
    next_token,
    rotate,
    with_grant,
)
from bluebear.server.runtime import token_hash
from bluebear.server.store import Answer, Append, NotRead, PersonRow, person_stream
from tests.server.fixtures import Stage
from tests.support import stored_rows
from tests.support.simulated_store import Latency, SimulatedStore

DAY = 24 * 3600 * 1000


def fresh(number: int) -> bytes:
    return hashlib.shake_256(str(number).encode()).digest(64)


# Rows.


def a_guest() -> tuple[PersonRow, str]:
    """A new guest at the time 0, and their token."""
    guest = new_guest("Ayu", human=True, fresh=fresh(1))
    return folded(None, entry_of(guest.id, None, guest.act, 0)), guest.token


def test_a_token_is_stored_as_a_hash() -> None:
    guest = new_guest("Ayu", human=True, fresh=fresh(1))
    entry = entry_of(guest.id, None, guest.act, 0)
    assert guest.token not in repr(entry) + repr(folded(None, entry))


def test_the_token_after_it_is_nowhere_either() -> None:
    row, token = a_guest()
    entry = entry_of(row.id, row, rotate(account_of(row).grants[0], token, fresh(2)), 1)
    after = folded(row, entry)
    [grant] = account_of(after).grants
    second = next_token(token, grant.salt)
    assert (grant.token, grant.before) == (token_hash(second), token_hash(token))
    assert second not in repr(entry) + repr(after)


def test_a_token_is_good_for_so_long_after_its_last_use() -> None:
    row, token = a_guest()
    assert grant_by(account_of(row), token_hash(token), TOKEN_DAYS * DAY) is not None
    assert grant_by(account_of(row), token_hash(token), TOKEN_DAYS * DAY + 1) is None


def test_each_change_of_a_person_is_a_separate_entry_stream() -> None:
    row, _ = a_guest()
    [grant] = account_of(row).grants
    named = {"grant": grant.id}
    acts = Act("@nick Aya"), Act("@seen", named), Act("@logout", named)
    seqs = []
    for at, act in enumerate(acts, 1):
        entry = entry_of(row.id, row, act, at)
        assert (entry.stream, entry.lines) == (person_stream(row.id), (act.line,))
        row = folded(row, entry)
        seqs.append(row.seq)
    assert seqs == [2, 3, 4]
    assert (row.name, row.key, row.tokens) == ("Aya", "", ())


def test_an_entry_that_no_person_knows_changes_no_person() -> None:
    row, _ = a_guest()
    with pytest.raises(KeyError, match="@vanish"):
        folded(row, entry_of(row.id, row, Act("@vanish"), 1))


def test_so_many_positions_are_recognized_and_the_one_idle_for_longest_is_forgotten() -> None:
    account = Account()
    for number in range(GRANTS_PER_PERSON + 1):
        account = with_grant(account, new_grant(f"{number:064}"[::-1], number))
    assert [grant.used for grant in account.grants] == list(range(1, GRANTS_PER_PERSON + 1))


# At a server.


def test_a_guest_is_welcome_when_the_entry_is_written(stage: Stage) -> None:
    stage.come("Ayu")
    stream = person_stream(stage.people["Ayu"].id)
    assert [entry.lines for entry in stage.entries(stream)] == [("@guest Ayu",)]


def test_a_guest_is_the_same_person_after_a_restart(stage: Stage) -> None:
    stage.come("Ayu")
    before = stage.people["Ayu"]
    stage.restart()
    after = stage.connect("Ayu", token=before.token)
    assert (after.id, after.name) == (before.id, "Ayu")


def test_no_person_who_has_no_good_token_is_let_in(stage: Stage) -> None:
    stranger = stage.connect("somebody", token="0" * 32)  # no person has this token
    assert stranger.received == ["! unauthorized"]


def test_a_name_that_is_taken_can_be_changed_in_the_next_hello(stage: Stage) -> None:
    stage.come("Ayu")
    other = stage.connect("AYU", client_name="other")
    assert other.received == ["! name_taken"]
    assert other.closed is None


def test_two_hellos_at_once_make_one_guest(stage: Stage) -> None:
    listener = stage.dial("Ayu")
    for name in ("Ayu", "Aya"):
        stage.throw("Ayu", listener.codec.encode(Hello(name=name, langs=("en",))))
    stage.settle()
    assert stage.run(stage.journal.read(stored_rows.counts))["people"] == 1
    assert listener.received == ["! bad_message"]
    assert listener.name == "Ayu"


@pytest.mark.expects_log("the disk is full")
def test_a_guest_who_cannot_be_saved_is_informed(stage: Stage) -> None:
    stage.journal.fail_next(1)
    assert stage.connect("Ayu").received == ["! not_saved"]
    assert stage.connect("Ayu", client_name="again").name == "Ayu"


@pytest.mark.expects_log("the disk is broken")
def test_a_person_who_cannot_be_looked_up_is_an_error_in_the_log(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise NotRead("the disk is broken")

    stage.come("Ayu")
    monkeypatch.setattr(stage.journal, "read", broken)
    assert stage.refused("Ayu", "/login Ben open-sesame", lobby=True) == "not_saved"
    levels = {each.levelname for each in caplog.records if each.msg == "person not looked up"}
    assert levels == {"ERROR"}


def test_a_new_name_is_received_where_one_is(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ben", "/nick Benno") == {
        "Ayu": ["Ben is called Benno now."],
        "Ben": ["(nick) You are called Benno now.", "Ben is called Benno now."],
    }


def test_who_was_renamed_on_another_node_is_called_so_when_he_enters(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    token = stage.people["Ben"].token
    stage.drop("Ben")
    stage.connect("Ben", token=token)
    stage.say("Ben", "/nick Benno", lobby=True)
    received = stage.say("Ben", f"/room {stage.room_id}", lobby=True)
    assert received["Ayu"] == ["Ben is called Benno now."]


@pytest.mark.parametrize(
    ("name", "code"), [("Ben", "name_taken"), ("ＢＥＮ", "name_taken"), ("server", "name_bad")]
)
def test_a_new_name_is_subject_to_the_same_rules(stage: Stage, name: str, code: str) -> None:
    stage.come("Ayu", "Ben")
    assert stage.refused("Ayu", f"/nick {name}", lobby=True) == code


def test_the_name_of_a_person_long_absent_is_free(stage: Stage) -> None:
    stage.come("Ayu")
    first = stage.people["Ayu"]
    stage.drop("Ayu")
    stage.wait_days(TOKEN_DAYS - 1)
    stage.wait(DAY / 1000 - 1)
    assert stage.connect("AYU", client_name="early").received == ["! name_taken"]
    stage.wait(2)
    second = stage.connect("AYU", client_name="late")
    assert (second.name, second.id != first.id) == ("AYU", True)
    assert stage.connect("Ayu", client_name="first", token=first.token).received == [
        "! unauthorized"
    ]


def test_two_who_want_one_name_at_once_do_not_both_get_it() -> None:
    with Stage(SimulatedStore(lambda: Latency(1.0, 0.0))) as stage:
        for registered_as in ("one", "two"):
            listener = stage.dial(registered_as)
            stage.throw(registered_as, listener.codec.encode(Hello(name="Ayu", langs=("en",))))
        stage.wait(4)
        assert [stage.people[each].received for each in ("one", "two")] == [[], ["! name_taken"]]


def test_of_many_who_come_at_once_few_are_in_one_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"Ayu{number}" for number in range(3 * NEWCOMERS_A_COMMIT)]
    sizes: list[int] = []
    append = SimulatedStore.append

    async def noted(self: SimulatedStore, batch: Sequence[Append]) -> list[Answer]:
        sizes.append(len(batch))
        return await append(self, batch)

    monkeypatch.setattr(SimulatedStore, "append", noted)
    with Stage(SimulatedStore(lambda: Latency(1.0, 0.0))) as stage:
        for name in names:
            stage.throw(name, stage.dial(name).codec.encode(Hello(name=name, langs=("en",))))
        stage.wait(20)
        tokens = {name: stage.people[name].token for name in names}
        assert all(tokens.values())
        for name in names:
            stage.drop(name)
        for name, token in tokens.items():
            stage.throw(name, stage.dial(name).codec.encode(Hello(token=token, langs=("en",))))
        stage.wait(20)
        assert all(stage.people[name].token not in {"", tokens[name]} for name in names)
    assert sum(sizes) == 2 * len(names)
    assert 1 < max(sizes) <= NEWCOMERS_A_COMMIT
