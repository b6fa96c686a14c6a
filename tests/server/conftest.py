"""What the server's tests stand on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from bluebear.server.people import passwords
from tests.server.fixtures import Stage


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords with as little work as argon2 allows: tests need no protection."""
    monkeypatch.setattr(passwords, "_HASHER", PasswordHasher(1, 8, 1))


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A server in virtual time; what must always hold is checked when the scene is over."""
    with Stage() as made:
        yield made
