"""Finds and loads games. A broken game is reported in one line and stops no other game.

`Places` names where to look, in this order of search; each place is one of
    a package                 the folders below it that have a `game.toml`: `rules`
    a game's own package      that game: `liars_dice`
    `bluebear.games`          the entry points of this group in all installed packages; the value of
                              an entry point is the module that has GAME
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module, metadata, resources
from typing import Any, Final, NamedTuple

from bluebear.rules.core.game import Game
from bluebear.rules.core.package_data import OLDER, LoadError, file_of, line_of

INSTALLED: Final = "bluebear.games"
"""The group of entry points; also its name in `Places`."""

Places = Sequence[str]


class BrokenGame(NamedTuple):
    """A game that does not load: the name of its folder or entry point, and the reason."""

    name: str
    why: str


class LoadedGames(NamedTuple):
    """The loaded games by key, sorted, and those that do not load."""

    games: Mapping[str, Game[Any]]  # Any: each game has a state class of its own
    broken: Sequence[BrokenGame]


def find_games(places: Places) -> LoadedGames:
    """Load all games of some places; of two games with one key the second is broken."""
    games: dict[str, Game[Any]] = {}
    broken: list[BrokenGame] = []
    for name, package in _listed(places):
        try:
            game = load_game(package)
            first = games.setdefault(game.info.key, game)
            if first.package != game.package:
                where = file_of(game.package, "game.toml")
                raise LoadError(f"{where}: key: {game.info.key} is taken by {first.package}")
        except LoadError as problem:
            broken.append(BrokenGame(name, str(problem)))
    return LoadedGames(dict(sorted(games.items())), tuple(broken))


def _listed(places: Places) -> Iterator[tuple[str, str]]:
    """Names and packages of the games, in the order of the places, then by name."""
    for place in places:
        if place == INSTALLED:
            points = metadata.entry_points(group=INSTALLED)
            yield from sorted({(point.name, point.module) for point in points})
        else:
            yield from _below(place)


def _below(package: str) -> Iterator[tuple[str, str]]:
    """The games of a package: itself, or the folders below it."""
    try:
        here = resources.files(package)
    except Exception:  # noqa: BLE001 - `load_game` reports what its code raised
        yield package, package
        return
    if here.joinpath("game.toml").is_file():
        yield package.rpartition(".")[2], package
        return
    for folder in sorted(here.iterdir(), key=lambda folder: folder.name):
        if folder.is_dir() and folder.joinpath("game.toml").is_file():
            yield folder.name, f"{package}.{folder.name}"


def load_game(package: str) -> Game[Any]:
    """The GAME of a package. Raises LoadError for any fault, with one line that says where."""
    try:
        game = getattr(import_module(package), "GAME", None)
    except Exception as problem:
        raise LoadError(line_of(problem, package)) from problem
    if isinstance(game, Game):
        if not game.is_older:
            game.older = _older(game, package)
        return game
    what = "there is no GAME" if game is None else "GAME is no Game"
    raise LoadError(f"{file_of(package, '__init__.py')}: {what}")


def _older(game: Game[Any], package: str) -> Mapping[int, Game[Any]]:
    """The older versions of a game's rules by number; each is a complete game in `rulesN`."""
    found: dict[int, Game[Any]] = {}
    for folder in resources.files(package).iterdir():
        is_game = folder.joinpath("game.toml").is_file()
        if not is_game or (named := OLDER.match(folder.name)) is None:
            continue
        number, where = int(named["number"]), f"{package}.{folder.name}"
        older = load_game(where)
        wrong = ""
        if older.info.key != game.info.key:
            wrong = f"key: {game.info.key} is expected here"
        elif older.info.playable_rules != (number,):
            wrong = f"rules: {number} is expected in a folder of this name, and none beside it"
        elif number >= game.info.rules or number in game.info.playable_rules:
            wrong = f"rules: {number} is played by {package} itself, or newer than it"
        if wrong:
            raise LoadError(f"{file_of(where, 'game.toml')}: {wrong}")
        found[number] = older
    return dict(sorted(found.items()))
