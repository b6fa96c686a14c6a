"""A person must confirm a line that is probably a mistake; a program need not."""

from __future__ import annotations

import pytest

from bluebear.rules.core.visibility import but
from bluebear.rules.itc.data.terms import Die, Route
from tests.rules.itc.example import NA, table
from tests.server.commands.fixtures import House, playing


def landing() -> House:
    """Ayu's 170 is about to land, and pays in North America only; Ben's kind is a program."""
    house = playing("itc")
    room = house.room
    assert room is not None
    state = table(loads={Route.BLUE: {51: "A170"}}, stones={NA: (1, 0)}, die=Die.BLUE, points=1)
    house.room = but(room, game=state, table=but(room.table, turn=(1,)))
    return house


@pytest.mark.parametrize("typed", ["/end", "/e", "/手番終了"])
def test_points_that_would_be_lost_are_prompted_about(typed: str) -> None:
    house = landing()
    refused = house.say("Ayu", typed)
    assert (refused.code, refused.candidates) == ("rash", ("/end !",))
    assert "170 could still land" in refused.text
    assert house.say("Ayu", "/end !").lines == ("/end",)


@pytest.mark.parametrize("typed", ["/land 170 asia", "/land 170 as", "/上陸 170 アジア"])
def test_a_landing_for_little_is_prompted_about_in_the_terms_of_the_game(typed: str) -> None:
    house = landing()
    refused = house.say("Ayu", typed)
    assert (refused.code, refused.candidates) == ("rash", ("/land 170 asia !",))
    assert "North America" in refused.text
    assert house.say("Ayu", "/land 170 asia !").lines == ("/land 170 asia",)


def test_it_is_prompted_within_a_line_of_several_moves_too() -> None:
    house = landing()
    refused = house.say("Ayu", "/land 170 asia drop red")
    assert refused.code == "rash"
    assert house.say("Ayu", refused.candidates[0]).lines == (
        "/drop 170 red",
        "/land 170 asia",
    )


def test_it_is_prompted_in_japanese() -> None:
    house = landing()
    house.enter("Ayu", lang="ja")
    refused = house.say("Ayu", "/終わり")
    assert "まだ170を上陸させられます" in refused.text
    assert "末尾に ! を" in refused.text


@pytest.mark.parametrize("line", ["/end", "/land 170 asia"])
def test_a_program_is_not_prompted(line: str) -> None:
    house = landing()
    house.enter("Ayu", human=False)
    assert house.say("Ayu", line).lines == (line,)


def test_a_house_bot_is_not_prompted() -> None:
    assert landing().say("@1", "/end").lines == ("/end",)


def test_what_is_refused_anyway_is_not_prompted_about() -> None:
    assert landing().say("Ben", "/end").code == "not_your_turn"
