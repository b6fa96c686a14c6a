"""The example of learning: what it says of a game that there is not."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="the extra `rl` is not installed")

from bluebear.clients.bots.rl.example import main


def test_a_game_that_there_is_not_is_refused_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["nogame"])
    assert "tokugawa" in capsys.readouterr().err
