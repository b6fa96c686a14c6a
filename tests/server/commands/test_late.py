"""A line of a person who sees an older version: replies describe that version alone."""

from __future__ import annotations

from typing import Final

import pytest

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import Interpretation, RunCommand, Tell, Write
from bluebear.server.commands.scene import Scene, as_shown
from bluebear.server.rooms import lines
from bluebear.server.rooms.lines import resolve_late
from tests.server.commands.fixtures import playing

SHOWN: Final = Tell("board", "as it was")
NOW: Final = Tell("board", "as it is")
DOES: Final = Write(("/pause",))
ASKS: Final = RunCommand("peek", {"person": "p-ayu", "name": "Ayu"})
REFUSED: Final = NotAllowed("not_playing")
PAUSED: Final = NotAllowed("paused")


@pytest.mark.parametrize(
    ("shown", "now", "intended"),
    [
        (SHOWN, NOW, SHOWN),
        (SHOWN, PAUSED, SHOWN),
        (REFUSED, NOW, REFUSED),
        (REFUSED, PAUSED, REFUSED),
        (REFUSED, DOES, DOES),
        (DOES, PAUSED, PAUSED),
        (DOES, ASKS, ASKS),
        (ASKS, NOW, ASKS),
    ],
)
def test_what_tells_is_from_the_room_that_is_seen_and_what_does_from_the_room_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
    shown: Interpretation | Refusal,
    now: Interpretation | Refusal,
    intended: object,
) -> None:
    scene = playing().scene("Ayu")
    assert scene.room is not None
    seen = as_shown(scene, scene.room)
    assert seen.seat is None

    def resolve(given: Scene, text: str) -> Interpretation:
        result = now if given is scene else shown
        if isinstance(result, Refusal):
            raise result
        return result

    monkeypatch.setattr(lines, "resolve", resolve)
    if isinstance(intended, Refusal):
        with pytest.raises(Refusal) as refused:
            resolve_late(seen, scene, "/board")
        assert refused.value is intended
    else:
        assert resolve_late(seen, scene, "/board") is intended
