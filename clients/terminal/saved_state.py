"""Tokens and the last room, stored in a file that only this user can read."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

TOKENS: Final = "tokens.json"
HISTORY: Final = "history"
SETTINGS: Final = "settings.json"

_OWNER_ONLY: Final = 0o600


def state_folder(environment: Mapping[str, str]) -> Path:
    """The folder of this user's state (XDG base directories)."""
    named = Path(environment.get("XDG_STATE_HOME", ""))
    base = named if named.is_absolute() else Path.home() / ".local" / "state"
    return base / "bluebear"


@dataclass(frozen=True, slots=True)
class SavedPerson:
    """The stored state of one person on one server."""

    token: str = ""
    room: str = ""
    """The last room, until its game is over."""


class Memory:
    """The file `tokens.json`: server address and `--name` -> token and room.

    Several clients may share it: each change reads the file under a lock and replaces it
    atomically. Writing raises OSError.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = folder / TOKENS

    def recall(self, url: str, name: str) -> SavedPerson:
        """The stored state; empty if there is none."""
        stored = self._read().get(url, {}).get(name, {})
        return SavedPerson(token=stored.get("token", ""), room=stored.get("room", ""))

    def keep_token(self, url: str, name: str, token: str) -> None:
        """Store the token of a new person, without a room."""
        previous = self.recall(url, name)
        if previous.token != token:
            self._write(url, name, SavedPerson(token=token))

    def renew_token(self, url: str, name: str, token: str) -> None:
        """Store the successor of a token of the same person."""
        previous = self.recall(url, name)
        if previous.token != token:
            self._write(url, name, replace(previous, token=token))

    def keep_room(self, url: str, name: str, room: str) -> None:
        """Store the room; an empty one deletes it."""
        previous = self.recall(url, name)
        if previous.room != room:
            self._write(url, name, replace(previous, room=room))

    def _read(self) -> dict[str, dict[str, dict[str, str]]]:
        """Read the file. A damaged file counts as empty: a guest becomes a new guest."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            return {
                str(url): {
                    str(name): {str(key): str(value) for key, value in previous.items()}
                    for name, previous in names.items()
                }
                for url, names in stored.items()
            }
        except (OSError, ValueError, AttributeError):
            return {}

    def _write(self, url: str, name: str, previous: SavedPerson) -> None:
        with self._locked():
            stored = self._read()
            stored.setdefault(url, {})[name] = {"token": previous.token, "room": previous.room}
            self._replace(self.path, stored)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def settings(self) -> dict[str, bool]:
        """The settings stored by `/set`; empty if there are none or the file is damaged."""
        try:
            stored = json.loads((self._folder / SETTINGS).read_text(encoding="utf-8"))
            return {str(name): value for name, value in stored.items() if isinstance(value, bool)}
        except (OSError, ValueError, AttributeError):
            return {}

    def keep_settings(self, settings: Mapping[str, bool]) -> None:
        """Store the settings of `/set`."""
        with self._locked():
            self._replace(self._folder / SETTINGS, settings)

    def _replace(self, path: Path, stored: object) -> None:
        made = path.with_suffix(".new")
        made.unlink(missing_ok=True)
        with os.fdopen(_create(made), "w", encoding="utf-8") as file:
            json.dump(stored, file, ensure_ascii=False, indent=1)
        made.replace(path)

    def history(self) -> Path:
        """The path of the file of typed lines; creates the file, readable by this user only."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / HISTORY
        os.close(os.open(path, os.O_CREAT | os.O_APPEND, _OWNER_ONLY))
        return path


def _create(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
