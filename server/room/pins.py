"""What a server's configuration fixes for new rooms: games that are offered, values of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bluebear.rules.core.game import Game
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.server.room.options import option_text, options_for


class BadPin(ValueError):
    """A configuration names a game, an option or a value that is not there; the text is which."""


@dataclass(frozen=True, slots=True)
class Pins:
    """`offered` are the games of which rooms are made, none meaning all; `options` by game."""

    offered: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def offers(self, game: str) -> bool:
        """Whether rooms of a game are made."""
        return not self.offered or game in self.offered

    def of(self, game: str) -> Mapping[str, str]:
        """The options of a game that are fixed, with their canonical values."""
        return self.options.get(game, {})


NO_PINS: Final = Pins()


def read_pins(
    offered: Iterable[str],
    pinned: Iterable[str],
    games: Mapping[str, Game[Any]],  # Any: each game has a state class of its own
) -> Pins:
    """The pins of a configuration: keys of games, and `OPTION=VALUE` or `GAME.OPTION=VALUE`.

    Without a game an option is fixed wherever a game has it. BadPin where a game, an option or a
    value is not known.
    """
    offers = tuple(offered)
    for key in offers:
        if key not in games:
            raise BadPin(key)
    options: dict[str, dict[str, str]] = {}
    for pin in pinned:
        name, _, text = pin.partition("=")
        game, _, option = name.rpartition(".")
        made = {
            key: _value(each, option, text)
            for key, each in games.items()
            if game in ("", key) and option in options_for(each)
        }
        if not made:
            raise BadPin(pin)
        for key, value in made.items():
            options.setdefault(key, {})[option] = value
    return Pins(offers, options)


def _value(game: Game[Any], option: str, text: str) -> str:
    try:
        return option_text(options_for(game)[option], text, before="")
    except NotUnderstood as refusal:
        raise BadPin(f"{option}={text}") from refusal
