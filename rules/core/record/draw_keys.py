"""What a game's draws hang on: the header that goes into their key, defined in this one place.

Server and verifier call the same two functions, so they cannot disagree (reliability: fair dice).
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
    """The header of draw 0, which puts the seats in order: there is no order in it yet.

    `options` are complete. `seat_seeds` are the seats' own parts of the seed in hexadecimal
    digits, by the number that the seat had when it joined.
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
    """The header of all draws of a game. `order`: who joined as what, seat by seat."""
    common = seat_header(game_id, game_key, rules, options, len(order), seat_seeds)
    return {**common, "order": list(order)}
