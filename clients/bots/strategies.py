"""Which line does a bot say? Strategies: functions from what a seat knows to one of its lines."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from clients.sdk import RoomView, YourMove
from rules.core.chance import Chance
from rules.core.game import Game
from rules.core.merging import Shaped
from rules.core.vision import Seat

Strategy = Callable[[RoomView, YourMove, Chance], str]
"""(the room as the seat sees it, its legal lines, chance) -> one of the lines."""

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own

RANDOM: Final = "random"
"""The strategy that every game has, since it needs no rules."""

FAILURES: Final[Counter[tuple[str, str]]] = Counter()
"""How often each strategy has failed in this process, by game and name."""
_VIEW_SHOWN: Final = 64 * 1024
"""Characters of a view that the log takes: the largest of ours has some 30,000."""

log = logging.getLogger(__name__)


class UnknownStrategyError(Exception):
    """The game of the room has no player of this name."""


def at_random(room: RoomView, moves: YourMove, chance: Chance) -> str:
    """Any of the lines, each as likely as the others."""
    return moves.lines[chance.pick(len(moves.lines))]


def by_rules(name: str, games: Games) -> Strategy:
    """The player of this name that the room's game brings; raises UnknownStrategyError."""

    def choose(room: RoomView, moves: YourMove, chance: Chance) -> str:
        newest = games.get(room.game)
        game = newest if newest is None or room.rules is None else newest.of_rules(room.rules)
        player = None if game is None else game.bots.get(name)
        if game is None or player is None:
            raise UnknownStrategyError(f"{room.game} has no player {name!r}")
        legal = [game.grammar.parse(line) for line in moves.lines]
        view = game.read_view(cast(Shaped, room.view["game"]))
        move = player(view, Seat(moves.seat), legal, chance)
        return game.grammar.format(move)

    return choose


def strategy(name: str, games: Games) -> Strategy:
    """A strategy by its name. Where it fails it plays at random, since the table does not wait for
    somebody to mend a bot; it is counted, and the log has the view and the moves that made it fail.
    """
    if name == RANDOM:
        return at_random
    chosen = by_rules(name, games)

    def choose(room: RoomView, moves: YourMove, chance: Chance) -> str:
        try:
            return chosen(room, moves, chance)
        except Exception:
            FAILURES[room.game, name] += 1
            log.exception(
                "%s failed in room %s, version %d, seat %d (%s, failure %d); moves %s; view %s",
                name,
                room.id,
                room.version,
                moves.seat,
                room.game,
                FAILURES[room.game, name],
                " ".join(moves.lines),
                json.dumps(room.view.get("game"), ensure_ascii=False)[:_VIEW_SHOWN],
            )
            return at_random(room, moves, chance)

    return choose
