"""The header in the key of a game's draws.

Server and verifier call these two functions, so they cannot disagree (reliability: fair dice).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bluebear.rules.core.game_info import Options

DrawHeader = Mapping[str, Any]  # Any: a plain tree, hashed in its canonical form


def seat_header(
    game_id: str,
    game_key: str,
    rules: int,
    options: Options,
    seats: int,
    seat_seeds: Mapping[int, str],
) -> DrawHeader:
    """The header of draw 0, which orders the seats; it contains no order yet.

    `options` are complete. `seat_seeds` are the players' contributions to the seed in hexadecimal
    digits, by the seat's number when the player joined.
    """
    return {
        "id": game_id,
        "game": game_key,
        "rules": rules,
        "options": dict(options),
        "seats": seats,
        "seeds": {str(seat): seed for seat, seed in seat_seeds.items()},
    }


def chance_header(
    game_id: str,
    game_key: str,
    rules: int,
    options: Options,
    order: Sequence[int],
    seat_seeds: Mapping[int, str],
) -> DrawHeader:
    """The header of all draws of a game. `order` has the joined number of each final seat."""
    common = seat_header(game_id, game_key, rules, options, len(order), seat_seeds)
    return {**common, "order": list(order)}
