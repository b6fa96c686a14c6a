"""The secret by which our processes know each other: a file that all of them have."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SECRET_LEAST: Final = 16
"""Bytes of a secret, at least: who can guess it is one of us."""


class NoSecret(Exception):
    """The file of the links' secret is missing, or too short to be one."""


def read_secret(path: Path) -> bytes:
    """The secret that our processes share. Raises NoSecret."""
    try:
        secret = path.read_bytes().strip()
    except OSError as problem:
        raise NoSecret(str(path)) from problem
    if len(secret) < SECRET_LEAST:
        raise NoSecret(str(path))
    return secret
