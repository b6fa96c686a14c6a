"""Promise C1: what the rules show a viewer depends only on what that viewer may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest

from bluebear.rules.core.conformance.case import cases
from bluebear.rules.core.conformance.two_worlds import Flags, check_flags, check_worlds
from bluebear.rules.core.game import Game
from tests.rules.game_files import GAMES

PLAYED: Final = 10
"""Games at least, and one of each case: a marker taken away is noticed in the first five."""


@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_no_person_is_shown_what_he_may_not_know(
    game: Game[Any], record_property: Callable[[str, object], None]
) -> None:
    listed = list(cases(game))
    total, flags = Counter[str](), Flags(game.events)
    for seed in range(1, max(PLAYED, len(listed)) + 1):
        total += check_worlds(listed[seed % len(listed)], [seed], flags=flags)
    check_flags(game, flags)
    record_property("pairs", str(dict(total)))
    assert total["equal"] > 0
