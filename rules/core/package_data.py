"""Reading package data: the only place in `rules/` that opens files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from types import TracebackType
from typing import Final, NamedTuple

OLDER: Final = re.compile(r"rules(?P<number>[1-9][0-9]{0,3})\Z")
"""The name of the folder of an older version of a game's rules."""

ROOMS: Final = ("rules", "text", "bot")
"""The folders into which a larger game sorts its files; a small one has all at its top."""

_PARAGRAPH: Final = re.compile(
    r"(?m)^- \*\*([0-9]+(?:\.[0-9]+)+)\*\* (.+)(?:\n  ([^\s-].*))?((?:\n  - .*|\n    .*)*)"
)
_CHAPTER: Final = re.compile(r"(?m)^## ([0-9]+)\. (.+) / (.+)(?:\n\n> (.+)\n> (.+))?")
_RULING: Final = re.compile(r"(Ruling (\S+) Other reading: .+)\n    (裁定 \2 別の読み方: .+)")


class Chapter(NamedTuple):
    """A chapter of a `rules.md`, in English and Japanese: its title, and a short text or none."""

    title: tuple[str, str]
    text: tuple[str, str]


class LoadError(Exception):
    """A game cannot be loaded; one line says where, and what was expected there.

    `within` is the class that is declared wrongly, if the line does not name a file.
    """

    def __init__(self, what: str, *, within: type | None = None) -> None:
        super().__init__(what)
        self.within = within


class DataError(LoadError, ValueError):
    """A data file is wrong; the text names the file, the line and what was expected."""


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


def package_of(cls: type) -> str:
    """The package of a class's game: the nearest one around its module that has a `game.toml`.

    A class elsewhere that derives from a game has that game's package. DataError if there is none.
    """
    for base in cls.__mro__:
        package = import_module(base.__module__).__package__ or ""
        while package:
            if resources.files(package).joinpath("game.toml").is_file():
                return package
            package = package.rpartition(".")[0]
    raise DataError(f"{cls.__module__}: no folder around it has a game.toml")


def file_of(package: str, name: str) -> str:
    """The name of a package's file in an error: `rules/manhattan/game.toml`."""
    return f"{package.replace('.', '/')}/{name}"


def find_file(package: str, name: str) -> str:
    """The path of a file or folder of a game's package: in one of `ROOMS`, or else at its top."""
    top = resources.files(package)
    found = ((room, top.joinpath(room, name)) for room in ROOMS)
    rooms = (room for room, place in found if place.is_file() or place.is_dir())
    return next((f"{room}/{name}" for room in rooms), name)


def files_in(package: str, folder: str) -> Sequence[str]:
    """The paths of the files in a folder of a game's package, sorted; none if it is not there."""
    place = resources.files(package).joinpath(find_file(package, folder))
    return sorted(f"{folder}/{each.name}" for each in place.iterdir()) if place.is_dir() else ()


def read_text(package: str, name: str, otherwise: str | None = None) -> str:
    """A text file of a package, by its path below the package; `otherwise` if it is not there, or
    DataError.
    """
    where = file_of(package, name)
    try:
        return resources.files(package).joinpath(*name.split("/")).read_text(encoding="utf-8")
    except FileNotFoundError as problem:
        if otherwise is not None:
            return otherwise
        raise DataError(f"{where}: there is no such file") from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"{where}: {problem}") from problem


def code_digest(*packages: str) -> str:
    """A digest of all code in some packages and the folders below them, comments included."""
    found = hashlib.sha256()
    for package in packages:
        for name, text in sorted(_sources(resources.files(package), "")):
            found.update(f"{package}/{name}\n{len(text)}\n".encode() + text)
    return found.hexdigest()[:16]


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each, f"{path}{each.name}/")
        elif each.name.endswith((".py", ".toml")):
            yield f"{path}{each.name}", each.read_bytes()


def paragraphs(text: str, name: str) -> Mapping[str, tuple[str, str]]:
    """The numbered paragraphs of a `rules.md`: number -> (English, Japanese).

    A paragraph is a list item `- **4.3** English.` and an indented line of Japanese. Where the
    original text is open, rulings follow, `  - Ruling 7. Other reading: ...` and
    `    裁定 7. 別の読み方: ...`, which are appended in brackets. DataError names a bad paragraph.
    """
    made: dict[str, tuple[str, str]] = {}
    for match in _PARAGRAPH.finditer(text):
        number, en, ja, below = match.groups()
        at = f"{name} line {text.count(chr(10), 0, match.start()) + 1}: paragraph {number}"
        if ja is None:
            raise DataError(f"{at} has no Japanese line")
        if number in made:
            raise DataError(f"{at} stands twice")
        for each in below.split("\n  - ")[1:]:
            if (ruling := _RULING.fullmatch(each)) is None:
                raise DataError(f"{at} has a ruling that is not in both languages")
            en, ja = f"{en} [{ruling[1]}]", f"{ja} [{ruling[3]}]"
        made[number] = (en, ja)
    return made


def chapters(text: str) -> Mapping[str, Chapter]:
    """The chapters of a `rules.md` by number: `## 4. Turns / 手番`, then `> Text`, `> 本文`."""
    return {each[0]: Chapter(each[1:3], each[3:]) for each in _CHAPTER.findall(text)}
