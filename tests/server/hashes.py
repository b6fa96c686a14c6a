"""Passwords that are hashed at once: what is compared is the same, and no thread is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from argon2.exceptions import VerifyMismatchError

from bluebear.server.people import passwords

T = TypeVar("T")


class QuickHasher:
    """Stands where argon2 stands, and counts what it is asked to do."""

    def __init__(self) -> None:
        self.work: list[str] = []

    def hash(self, password: str) -> str:
        self.work.append("hash")
        return f"hash of {password}"

    def verify(self, hashed: str, password: str) -> bool:
        self.work.append("verify")
        if hashed != f"hash of {password}":
            raise VerifyMismatchError
        return True


def install(monkeypatch: pytest.MonkeyPatch) -> QuickHasher:
    """Make password hashes cheap for the duration of a test."""

    async def at_once(work: Callable[..., T], *given: str) -> T:
        return work(*given)

    hasher = QuickHasher()
    monkeypatch.setattr(passwords, "_HASHER", hasher)
    monkeypatch.setattr(passwords, "_in_a_thread", at_once)
    return hasher
