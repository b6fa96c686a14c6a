"""What a server's configuration fixes: the offered games, options that no host can change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bluebear.protocol import Error
from bluebear.server.app import App
from bluebear.server.config import read_config
from bluebear.server.room.creation import BadPin, Pins, read_pins
from tests.server.fixtures import GAMES, Stage
from tests.support.loop_clock import LoopClock

PINS = read_pins(("duel", "journey"), ("clock=300+10", "duel.rounds=2"), GAMES)


class PinnedStage(Stage):
    """A server whose host has pinned something."""

    pins = PINS

    def _app(self) -> App:
        return App(self.config, self.journal, self.games, LoopClock(), self._bytes, pins=self.pins)


@pytest.fixture
def stage() -> Iterator[PinnedStage]:
    with PinnedStage() as made:
        yield made


def test_new_rooms_begin_with_what_is_fixed(stage: Stage) -> None:
    stage.table("duel", "Ayu", "Ben")
    options = stage.people["Ben"].view["room"]["options"]
    assert options == {"clock": "300+10", "rounds": "2"}


@pytest.mark.parametrize(
    "line", ["/option clock off", "/option clock 60+0", "/オプション clock off"]
)
def test_a_fixed_option_cannot_be_changed(stage: Stage, line: str) -> None:
    stage.table("journey", "Ayu", "Ben")
    assert stage.refused("Ayu", line) == "option_pinned"
    assert stage.people["Ayu"].last(Error).text == (
        "On this server the option clock is always 300+10."
    )


def test_what_is_fixed_may_be_sent_again_and_the_rest_is_free(stage: Stage) -> None:
    stage.table("journey", "Ayu", "Ben")
    stage.play("Ayu", "/option clock 300+10", "/option watchchat off")


def test_a_room_that_is_played_again_keeps_what_is_fixed(stage: Stage) -> None:
    stage.game("duel", "Ayu", "Ben")
    stage.play("Ayu", "/resign!", "/again")
    assert stage.room.table.options["clock"] == "300+10"


def test_rooms_of_other_games_are_not_made_and_old_ones_play_on() -> None:
    with Stage() as before:
        before.game("sealed", "Ayu", "Ben")
        room, token, journal = before.room_id, before.people["Ayu"].token, before.journal
    with PinnedStage(journal=journal) as stage:
        stage.room_id = room
        stage.back("Ayu", token)
        stage.play("Ayu", "/seal 2")
        assert stage.refused("Ayu", "/newroom sealed") == "not_offered"
        assert stage.people["Ayu"].last(Error).candidates == ("duel", "journey")


@pytest.mark.parametrize(
    ("offered", "pinned"),
    [
        (("chess",), ()),
        ((), ("chess.clock=off",)),
        ((), ("cloak=off",)),
        ((), ("clock=soon",)),
        ((), ("duel.rounds=99",)),
        ((), ("clock",)),
    ],
)
def test_what_is_not_there_cannot_be_fixed(
    offered: tuple[str, ...], pinned: tuple[str, ...]
) -> None:
    with pytest.raises(BadPin):
        read_pins(offered, pinned, GAMES)


def test_pins_come_from_the_command_line_and_the_environment() -> None:
    config = read_config(
        ["--offer", "duel", "--pin", "clock=off"],
        {"BLUEBEAR_OFFERED": "journey", "BLUEBEAR_PINNED": "duel.rounds=2, watch=none"},
    )
    assert config.offered == ("duel", "journey")
    assert config.pinned == ("clock=off", "duel.rounds=2", "watch=none")
    pins = read_pins(config.offered, config.pinned, GAMES)
    assert pins.of("duel") == {"clock": "off", "rounds": "2", "watch": "none"}
    assert pins.of("sealed") == {"clock": "off", "watch": "none"}
    assert Pins().offers("anything")
