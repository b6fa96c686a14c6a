"""Writes `clients/web/tests/games/liarsDice.json`: a whole game of a package, as its seats see it.

`python -m tests.web.record_package`. The page's tests play it by presses, on the generic board and
on the board that the package brings.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.game import Game
from bluebear.rules.core.visibility import Seat
from bluebear.server.rooms.views import data_of

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "examples" / "liars_dice"
RECORDING: Final = ROOT / "clients" / "web" / "tests" / "games" / "liarsDice.json"
NAMES: Final = ("さくら", "けん")
_LEFT_OUT: Final = ("general", "board")
"""What all games have, and what a test brings."""


def recording() -> str:
    """The game as the file has it. The package has to be on the path."""
    game = games(("liars_dice",))["liars_dice"]
    chance = FastChance(3)
    outcome = game.setup(game.info.complete({"dice": 2}), len(NAMES), chance)
    decisions = []
    while outcome.to_move:
        (seat,) = outcome.to_move
        moves = game.legal(outcome.state, seat)
        move = moves[-1 - chance.pick(min(len(moves), 12))]
        decisions.append(
            {
                **_position(game, outcome.state, seat, (seat,)),
                "lines": [game.grammar.format(each) for each in moves],
                "line": game.grammar.format(move),
            }
        )
        outcome = game.play(outcome.state, seat, move, chance)
    body = {key: value for key, value in data_of(game).body.items() if key not in _LEFT_OUT}
    end = _position(game, outcome.state, 1, ())
    tree = {"game": body, "decisions": decisions, "end": end}
    return json.dumps(tree, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _position(game: Game[Any], state: Any, seat: int, turn: tuple[int, ...]) -> dict[str, Any]:
    """What one seat sees. Any: the state of any game, and a plain tree."""
    eyes = frozenset({Seat(seat)})
    seats = {str(number): {"name": name} for number, name in enumerate(NAMES, 1)}
    phase = "playing" if turn else "over"
    room = {"id": "123", "phase": phase, "seats": seats, "turn": list(turn)}
    return {"seat": seat, "view": {"room": room, "game": game.tree.view(state, eyes)}}


if __name__ == "__main__":
    sys.path.insert(0, str(PACKAGE))
    RECORDING.write_text(recording(), encoding="utf-8")
