"""Names that look alike since their keys are made otherwise: nobody loses his."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.bringing import bring_in
from server.journal import MemoryJournal, Named, NotOpened
from server.people.names import SHAPE, exact_key
from server.people.rekeying import new_keys
from tests.server.hashes import QuickHasher, install
from tests.server.scene import Stage

SECRET = "correct horse"
PLACES = {"phone": "Bjørn", "tablet": "Bjorn"}


@pytest.fixture
def hasher(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    return install(monkeypatch)


@pytest.fixture
def alike(hasher: QuickHasher, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """After an older server, at which Bjørn and Bjorn have registered, and Emi is a guest."""
    with Stage() as stage:
        with monkeypatch.context() as older:
            older.setattr("server.people.folding.name_key", str.casefold)
            for name in ("Bjørn", "Bjorn", "Emi"):
                stage.come(name)
            for name in ("Bjørn", "Bjorn"):
                stage.say(name, f"/register {SECRET}", lobby=True)
            # As it was before stores knew of which shape their keys are.
            stage.run(stage.journal.rekey(0, lambda people: {}))
        stage.restart()
        assert stage.run(stage.journal.shape()) == SHAPE
        for guest, name in PLACES.items():
            stage.come(guest)
            heard = stage.say(guest, f"/login {name} {SECRET}", lobby=True)[guest]
            assert heard[-1].startswith("(logged_in)"), heard
        yield stage


def test_two_who_look_alike_both_log_in_by_their_names(alike: Stage) -> None:
    names = [alike.run(alike.app.people.person(alike.people[name].id)) for name in PLACES]
    assert [row and row.name for row in names] == ["Bjørn", "Bjorn"]


def test_whispers_reach_the_one_who_is_called_so(alike: Stage) -> None:
    alike.come("Ayu")
    assert set(alike.say("Ayu", "/tell Bjørn hello", lobby=True)) == {"Ayu", "phone"}
    assert set(alike.say("Ayu", "/tell Bjorn hello", lobby=True)) == {"Ayu", "tablet"}
    alike.drop("tablet")
    assert set(alike.say("Ayu", "/tell bjorn hello", lobby=True)) == {"Ayu", "phone"}


def test_nobody_new_gets_a_name_like_theirs(alike: Stage) -> None:
    for name in ("Bj0rn", "BJORN", "Bjørn", "Erni"):
        assert alike.connect(name, known_as="guest").heard == ["! name_taken"]


async def test_keys_of_a_newer_server_are_not_opened() -> None:
    journal = MemoryJournal()
    await journal.rekey(SHAPE + 1, lambda people: {})
    with pytest.raises(NotOpened, match="shape"):
        await bring_in(journal)


def test_a_shared_key_is_his_who_has_registered_or_else_his_who_was_here_last() -> None:
    people = [
        Named("p-1", "土田", "土田", 30, kept=False),
        Named("p-2", "士田", "士田", 20, kept=True),
        Named("p-3", "Ano", "ano", 10, kept=False),
        Named("p-4", "Anø", "anø", 40, kept=False),
        Named("p-5", "An0", "x", 40, kept=False),
        Named("p-6", "Ben", "ben", 1, kept=False),
    ]
    assert new_keys(people) == {
        "p-1": exact_key("土田"),
        "p-2": new_keys([people[1]]).get("p-2", "士田"),
        "p-3": exact_key("Ano"),
        "p-4": "ano",
        "p-5": exact_key("An0"),
    }
