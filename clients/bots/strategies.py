"""Which line does a ready-made bot say? The players that need no rules, and those that games bring.

All are choosers (`clients/sdk/bot.py`). `CheckedBot` stands before any of them: what it says is one
of the lines, whatever the bot does.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from bluebear.clients.sdk import Chooser, MoveClock, View, answer_of
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Seat

Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own

RANDOM: Final = "random"
"""The strategy that every game has, since it needs no rules."""

FAILURES: Final[Counter[tuple[str, str]]] = Counter()
"""How often each bot has failed in this process, by game and name."""
_VIEW_SHOWN: Final = 64 * 1024
"""Characters of a view that the log takes: the largest of ours has some 30,000."""

log = logging.getLogger(__name__)


class UnknownStrategyError(Exception):
    """The game of the room has no player of this name."""


class RandomBot:
    """Any of the lines, each as likely as the others."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines, by one draw."""
        return lines[self._chance.pick(len(lines))]


class StrategyBot:
    """The player of a name that the room's game brings; raises UnknownStrategyError."""

    def __init__(self, name: str, games: Games, chance: Chance) -> None:
        self._name = name
        self._games = games
        self._chance = chance

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """What that player chooses among the lines, from the view alone."""
        game = game_of(view, self._games)
        player = None if game is None else game.bots.get(self._name)
        if game is None or player is None:
            raise UnknownStrategyError(f"{view.game} has no player {self._name!r}")
        legal = [game.grammar.parse(line) for line in lines]
        seen = game.read_view(cast(Shaped, view.state))
        return game.grammar.format(player(seen, Seat(view.seat), legal, self._chance))


class FallbackBot:
    """What the room plays for a seat whose time is up; without the game's rules, any line."""

    def __init__(self, games: Games, chance: Chance) -> None:
        self._games = games
        self._otherwise = RandomBot(chance)

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The game's fallback, where it is one of the lines."""
        game = game_of(view, self._games)
        if game is not None:
            seen = game.read_view(cast(Shaped, view.state))
            line = game.grammar.format(game.fallback(seen, Seat(view.seat)))
            if line in lines:
                return line
        return self._otherwise.choose(view, lines, clock)


class CheckedBot:
    """A bot whose answers are checked. Where it fails, is late or says what is not among the lines,
    another one answers: the table does not wait for somebody to mend a bot. It is counted, and the
    log has why, with the view and the lines.
    """

    def __init__(self, bot: Chooser, name: str, otherwise: Chooser) -> None:
        self._bot = bot
        self._name = name
        self._otherwise = otherwise

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines, for certain."""
        try:
            async with asyncio.timeout(clock.move):
                line = await answer_of(self._bot, view, lines, clock)
            if line in lines:
                return line
            log.error(*self._failure(view, lines, f": {line!r:.200} is none of the lines"))
        except TimeoutError:
            log.error(*self._failure(view, lines, f": no line within {clock.move:.1f} s"))
        except Exception:
            log.exception(*self._failure(view, lines))
        return await answer_of(self._otherwise, view, lines, clock)

    def over(self, view: View) -> None:
        """A game has ended."""
        tell_over(self._bot, view)

    def _failure(
        self, view: View, lines: Sequence[str], why: str = ""
    ) -> tuple[str, *tuple[object, ...]]:
        """Count a failure; what the log says of it."""
        FAILURES[view.game, self._name] += 1
        return (
            "%s failed in room %s, version %d, seat %d (%s, failure %d)%s; moves %s; view %s",
            self._name,
            view.room_id,
            view.version,
            view.seat,
            view.game,
            FAILURES[view.game, self._name],
            why,
            " ".join(lines),
            json.dumps(view.state, ensure_ascii=False)[:_VIEW_SHOWN],
        )


def tell_over(bot: Chooser, view: View) -> None:
    """Tell a bot that a game has ended, if it has an `over` to hear it with."""
    hear = getattr(bot, "over", None)
    if hear is not None:
        hear(view)


def game_of(view: View, games: Games) -> Game[Any] | None:
    """The rules by which a view is played; None where we do not have them."""
    newest = games.get(view.game)
    return newest if newest is None or view.rules is None else newest.of_rules(view.rules)


def ready_made(name: str, games: Games, chance: Chance) -> Chooser:
    """A player by its name, as it is."""
    return RandomBot(chance) if name == RANDOM else StrategyBot(name, games, chance)


def strategy(name: str, games: Games, chance: Chance) -> CheckedBot:
    """A player by its name. Where it fails it plays at random."""
    return CheckedBot(ready_made(name, games, chance), name, RandomBot(chance))
