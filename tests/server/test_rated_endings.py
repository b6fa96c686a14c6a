"""What do players read at the end of a rated game that changes no points?"""

from __future__ import annotations

from bluebear.server.room.state import Phase
from tests.server.fixtures import Stage
from tests.server.test_ratings import dig, game, table

UNCHANGED = "Ratings: no points change. They do when all play to the end or resign."


def test_a_game_that_one_has_left_tells_that_it_changes_no_points(stage: Stage) -> None:
    game(stage, "Ayu", "Ben", "Eva")
    stage.play("Eva", "/leave!")
    dig(stage, "Ayu", "Ben")
    stage.wait(30)
    assert stage.room.table.phase is Phase.OVER
    assert stage.people["Ayu"].received[-1] == UNCHANGED


def test_a_game_that_ends_by_agreement_tells_so_too(stage: Stage) -> None:
    game(stage, "Ayu", "Ben")
    stage.play("Ayu", "/masterreset!")
    stage.play("Ben", "/accept")
    assert stage.people["Ben"].received[-1] == UNCHANGED


def test_an_unrated_game_tells_nothing_of_points(stage: Stage) -> None:
    table(stage, "Ayu", "Ben")
    stage.play("Ayu", "/startnosave")
    stage.play("Ayu", "/masterreset!")
    stage.play("Ben", "/accept")
    assert UNCHANGED not in stage.people["Ben"].received
