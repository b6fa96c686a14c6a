"""Every pair of values of general options leads to a game that can begin."""

from __future__ import annotations

from itertools import combinations, product
from typing import Final

import pytest

from bluebear.protocol import Error
from bluebear.server.people.audit import ModerationState
from bluebear.server.room.options import GENERAL
from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage

SEATED: Final = ("Ayu", "Ben")

VALUES: Final = {
    "drawseat": ("on",),
    "host": ("on",),
    "start": ("2", "3"),
    "clock": ("300+10", "3d"),
    "watch": ("invited", "none"),
    "watchchat": ("apart", "off"),
    "watchdelay": ("3",),
    "confirm": ("on",),
    "hints": ("on", "3"),
    "coach": ("on",),
    "rated": ("off",),
}
"""What is tried of each option, which is not its usual value."""

PAIRS: Final = [
    (f"{one} {value}", f"{other} {another}")
    for one, other in combinations(VALUES, 2)
    for value in VALUES[one]
    for another in VALUES[other]
]


def test_every_general_option_is_in_some_pair() -> None:
    assert set(VALUES) == set(GENERAL)


def runs(stage: Stage) -> bool:
    return stage.room.table.phase is Phase.PLAYING


def table(stage: Stage, *options: str, host_sits: bool) -> None:
    """A table that Hal hosts, with Ayu and Ben; the options are set before any player sits."""
    if not stage.people:
        stage.come("Hal", *SEATED)
    before = stage.live_ids()
    stage.say("Hal", "/newroom duel unlisted", lobby=True)
    [stage.room_id] = set(stage.live_ids()).difference(before)
    stage.play("Hal", *(f"/option {each}" for each in options))
    for name in SEATED:
        stage.enter(name)
    for name in (*(("Hal",) if host_sits else ()), *SEATED):
        if not runs(stage):
            stage.play(name, "/join")


def all_start(stage: Stage, *people: str) -> None:
    """Each types `/start` in turn, until the game runs."""
    for name in people:
        if not runs(stage):
            stage.say(name, "/start")


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_a_game_begins_under_each_pair(stage: Stage, pair: tuple[str, str]) -> None:
    """Whether the host plays or watches, and whether the host is the first or the last to press."""
    for host_sits, first in product((True, False), (SEATED, ("Hal", *SEATED))):
        table(stage, *pair, host_sits=host_sits)
        all_start(stage, *first, "Hal")
        assert runs(stage), f"host_sits={host_sits}, first={first}"


# Both `host` and `confirm`.


def test_only_the_host_begins_what_all_have_confirmed(stage: Stage) -> None:
    table(stage, "host on", "confirm on", host_sits=True)
    assert stage.say("Hal", "/start") == stage.to_all("Hal is ready to start.")
    assert stage.say("Ayu", "/start") == stage.to_all("Ayu is ready to start.")
    assert stage.say("Ben", "/start") == stage.to_all(
        "Ben is ready to start.", "Everybody is ready; Hal begins the game with /start."
    )
    assert stage.refused("Ben", "/start") == "host_begins"
    stage.play("Hal", "/start")
    assert runs(stage)


def test_the_host_who_presses_last_begins_at_once(stage: Stage) -> None:
    table(stage, "host on", "confirm on", host_sits=True)
    stage.play("Ayu", "/start")
    stage.play("Ben", "/startnosave")
    stage.play("Hal", "/start")
    assert runs(stage)


def test_a_host_who_watches_begins_when_all_are_ready(stage: Stage) -> None:
    table(stage, "host on", "confirm on", host_sits=False)
    stage.play("Ben", "/start")
    assert stage.refused("Hal", "/start") == "not_all_ready"
    assert "still to press /start: Ayu." in stage.people["Hal"].last(Error).text
    stage.play("Ayu", "/start")
    assert not runs(stage)
    stage.play("Hal", "/start")
    assert runs(stage)


def test_who_only_watches_says_nothing_about_the_start(stage: Stage) -> None:
    table(stage, "host on", "confirm on", host_sits=True)
    stage.come("Eva")
    stage.enter("Eva")
    assert stage.refused("Eva", "/start") == "not_permitted"


def test_an_operator_begins_like_the_host(stage: Stage) -> None:
    table(stage, "host on", "confirm on", host_sits=False)
    stage.play("Ben", "/start")
    connection = stage.people["Ayu"].connection
    assert connection is not None
    stage.app.audit.state = ModerationState(operators={connection.person: "Ayu"})
    stage.play("Ayu", "/start")
    assert runs(stage)
