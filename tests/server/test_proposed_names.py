"""A refused name comes back with one that may be taken."""

from __future__ import annotations

import pytest

from bluebear.protocol import Error
from bluebear.server.limits import NAME_MAX_CHARS, TOKEN_DAYS
from tests.server.fixtures import Stage


def refused_at_the_door(stage: Stage, name: str) -> Error:
    """What a newcomer hears who may not be called so."""
    refusal: Error = stage.connect(name, client_name=f"door {name}").last(Error)
    return refusal


def proposed(refusal: Error) -> str:
    [name] = refusal.candidates
    assert name in refusal.text
    return name


@pytest.mark.parametrize(
    ("name", "code", "begins"),
    [
        ("AYU", "name_taken", "AYU2"),
        ("Αyu", "name_bad", "yu"),
        ("a b", "name_bad", "ab"),
        ("x" * (NAME_MAX_CHARS + 1), "name_bad", "x" * NAME_MAX_CHARS),
        ("server", "name_bad", "Guest"),
        ("!!!", "name_bad", "Guest"),
    ],
)
def test_the_proposed_name_is_like_it_and_is_taken(
    stage: Stage, name: str, code: str, begins: str
) -> None:
    stage.come("Ayu")
    refusal = refused_at_the_door(stage, name)
    free = proposed(refusal)
    assert (refusal.code, free.startswith(begins)) == (code, True)
    assert stage.connect(free, client_name="again").name == free


def test_a_name_at_its_longest_has_room_for_a_number(stage: Stage) -> None:
    stage.come("x" * NAME_MAX_CHARS)
    assert proposed(refused_at_the_door(stage, "x" * NAME_MAX_CHARS)) == "x" * 15 + "2"


def test_of_many_with_one_name_each_is_proposed_a_free_one(stage: Stage) -> None:
    stage.come("Ayu")
    taken = {"Ayu"}
    for number in range(30):
        refusal = stage.connect("Ayu", client_name=f"again {number}").last(Error)
        free = proposed(refusal)
        assert free not in taken
        assert stage.connect(free, client_name=f"free {number}").name == free
        taken.add(free)


def test_the_name_of_a_person_long_absent_is_proposed(stage: Stage) -> None:
    stage.come("Ayu2")
    stage.drop("Ayu2")
    stage.wait_days(TOKEN_DAYS)
    stage.wait(1)
    stage.come("Ayu")
    assert proposed(refused_at_the_door(stage, "AYU")) == "AYU2"


def test_a_new_name_that_is_taken_returns_as_a_line_with_another(stage: Stage) -> None:
    stage.come("Ayu", "Ben")
    stage.say("Ayu", "/nick BEN", lobby=True)
    refusal = stage.people["Ayu"].last(Error)
    assert (refusal.code, refusal.offers, refusal.candidates) == (
        "name_taken",
        "line",
        ("/nick BEN2",),
    )
    assert stage.say("Ayu", refusal.candidates[0], lobby=True) == {
        "Ayu": ["(nick) You are called BEN2 now."]
    }
