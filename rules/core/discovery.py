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
from types import TracebackType
from typing import Any, Final, NamedTuple

from bluebear.rules.core.game import Game
from bluebear.rules.core.package_data import OLDER, DataError, LoadError, file_of

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


def line_of(problem: Exception, package: str) -> str:
    """One line for a problem while loading: first the place in the package, then the fault."""
    text = " ".join(str(problem).split())
    if isinstance(problem, DataError):
        return text if "/" in text.partition(": ")[0] else f"{file_of(package, text)}"
    if isinstance(problem, SyntaxError):
        inside = (problem.filename or "").replace("\\", "/").rpartition(file_of(package, ""))[2]
        return f"{file_of(package, inside)} line {problem.lineno}: {problem.msg}"
    if not isinstance(problem, LoadError):
        text = f"{type(problem).__name__}: {text}"
    within = problem.within.__module__ if isinstance(problem, LoadError) and problem.within else ""
    return f"{_place(problem.__traceback__, package, within)}: {text}"


def _place(trace: TracebackType | None, package: str, within: str) -> str:
    """The innermost line of a traceback inside the package, or in the module `within` if given."""
    place = f"{within.replace('.', '/')}.py" if within else package.replace(".", "/")
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module == within or (not within and f"{module}.".startswith(f"{package}.")):
            file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
            folder = module if file == "__init__.py" else module.rpartition(".")[0]
            place = f"{file_of(folder, file)} line {trace.tb_lineno}"
        trace = trace.tb_next
    return place
