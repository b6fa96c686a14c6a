"""Passwords are hashed slowly, and guessed slowly."""

from __future__ import annotations

import asyncio

import pytest
from argon2 import PasswordHasher

from bluebear.server.people.passwords import Guesses, Hashing


def test_a_password_fits_its_hash_only() -> None:
    hashed = asyncio.run(Hashing().hash("sesame"))
    assert asyncio.run(Hashing().fits(hashed, "sesame"))
    assert not asyncio.run(Hashing().fits(hashed, "Sesame"))


def test_equal_passwords_have_different_hashes() -> None:
    assert asyncio.run(Hashing().hash("sesame")) != asyncio.run(Hashing().hash("sesame"))


@pytest.mark.parametrize("hashed", ["", "sesame", "$argon2id$broken"])
def test_nothing_fits_what_is_no_hash(hashed: str) -> None:
    assert not asyncio.run(Hashing().fits(hashed, "sesame"))


def test_the_hash_is_argon2() -> None:
    assert asyncio.run(Hashing().hash("sesame")).startswith("$argon2id$")
    assert PasswordHasher().memory_cost >= 19 * 1024, "as OWASP wants"


def test_so_many_wrong_tries_are_free() -> None:
    guesses = Guesses(3)
    for _ in range(3):
        assert guesses.wait("Ayu", 0.0) == 0
        guesses.wrong("Ayu", 0.0)
    assert guesses.wait("Ayu", 0.0) == 60


def test_the_wait_doubles_with_every_further_wrong_try() -> None:
    guesses = Guesses(3)
    for _ in range(3):
        guesses.wrong("Ayu", 0.0)
    now = 0.0
    for expected in (60, 120, 240, 480):
        assert guesses.wait("Ayu", now) == expected
        now += expected
        assert guesses.wait("Ayu", now) == 0
        guesses.wrong("Ayu", now)


def test_the_wait_does_not_grow_for_ever() -> None:
    guesses = Guesses(1)
    for _ in range(100):
        guesses.wrong("Ayu", 0.0)
    assert guesses.wait("Ayu", 0.0) == 60 * 2**10


def test_a_few_wrong_tries_are_forgotten_after_a_minute() -> None:
    guesses = Guesses(3)
    for now in (0.0, 1.0, 62.0, 63.0, 124.0, 125.0):
        guesses.wrong("Ayu", now)
        assert guesses.wait("Ayu", now) == 0


def test_a_right_try_forgives() -> None:
    guesses = Guesses(1)
    guesses.wrong("Ayu", 0.0)
    guesses.right("Ayu")
    assert guesses.wait("Ayu", 0.0) == 0


def test_all_people_are_counted_alone() -> None:
    guesses = Guesses(1)
    guesses.wrong("Ayu", 0.0)
    assert guesses.wait("Ben", 0.0) == 0


def test_who_floods_with_keys_cannot_make_it_grow_without_end() -> None:
    guesses = Guesses(1)
    for number in range(10_050):
        guesses.wrong(number, 0.0)
    assert sum(guesses.wait(number, 0.0) > 0 for number in range(10_050)) == 10_000
