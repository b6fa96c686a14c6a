"""Strategies by name: players that need no rules, and those that games provide.

All implement `Chooser` (`clients/sdk/bot.py`). `CheckedBot` wraps any of them and guarantees a
legal line, whatever the bot does.
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
"""The strategy available for every game, since it needs no rules."""

FAILURES: Final[Counter[tuple[str, str]]] = Counter()
"""The number of failures of each bot in this process, by game and name."""
_VIEW_SHOWN: Final = 64 * 1024
"""Maximum number of characters of a view in the log: the largest of ours has about 30,000."""

log = logging.getLogger(__name__)


class UnknownStrategyError(Exception):
    """The room's game has no strategy of this name."""


class RandomBot:
    """Chooses uniformly among the lines."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines, by one draw."""
        return lines[self._chance.pick(len(lines))]


class StrategyBot:
    """The strategy of a name that the room's game provides; raises UnknownStrategyError."""

    def __init__(self, name: str, games: Games, chance: Chance) -> None:
        self._name = name
        self._games = games
        self._chance = chance

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The strategy's choice among the lines, from the view alone."""
        game = game_of(self._games, view.game, view.rules)
        player = None if game is None else game.bots.get(self._name)
        if game is None or player is None:
            raise UnknownStrategyError(f"{view.game} has no player {self._name!r}")
        legal = [game.grammar.parse(line) for line in lines]
        seen = game.tree.load(cast(Shaped, view.state))
        return game.grammar.format(player(seen, Seat(view.seat), legal, self._chance))


class FallbackBot:
    """Plays what the room plays for a seat out of time; without the game's rules, any line."""

    def __init__(self, games: Games, chance: Chance) -> None:
        self._games = games
        self._otherwise = RandomBot(chance)

    def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """The game's fallback if it is one of the lines."""
        if (game := game_of(self._games, view.game, view.rules)) is not None:
            seen = game.tree.load(cast(Shaped, view.state))
            line = game.grammar.format(game.fallback(seen, Seat(view.seat)))
            if line in lines:
                return line
        return self._otherwise.choose(view, lines, clock)


class CheckedBot:
    """Checks the choices of a bot. If the bot fails, is late or chooses an illegal line, another
    bot chooses, so the table does not wait. Failures are counted and logged with the view and the
    lines.
    """

    def __init__(self, bot: Chooser, name: str, otherwise: Chooser) -> None:
        self._bot = bot
        self._name = name
        self._otherwise = otherwise

    async def choose(self, view: View, lines: Sequence[str], clock: MoveClock) -> str:
        """One of the lines, guaranteed."""
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
        """Report the end of a game to the bot."""
        tell_over(self._bot, view)

    def _failure(
        self, view: View, lines: Sequence[str], why: str = ""
    ) -> tuple[str, *tuple[object, ...]]:
        """Count a failure; returns the arguments of the log message."""
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
    """Report the end of a game to a bot if it has a method `over`."""
    if (hear := getattr(bot, "over", None)) is not None:
        hear(view)


def game_of(games: Games, key: str, rules: int | None) -> Game[Any] | None:
    """A game with a version of its rules, None the newest; None if it is not installed."""
    newest = games.get(key)
    return newest if newest is None or rules is None else newest.for_rules_version(rules)


def ready_made(name: str, games: Games, chance: Chance) -> Chooser:
    """A strategy by its name, unchecked."""
    return RandomBot(chance) if name == RANDOM else StrategyBot(name, games, chance)


def strategy(name: str, games: Games, chance: Chance) -> CheckedBot:
    """A strategy by its name; it plays at random if it fails."""
    return CheckedBot(ready_made(name, games, chance), name, RandomBot(chance))
