"""Are draws fair, verifiable and countable?"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bluebear.rules.core.chance import (
    Chance,
    FastChance,
    HmacChance,
    NoChance,
    WouldDraw,
    chance_key,
    commitment,
    seat_order,
)
from tests.rules.scripted_chance import ScriptedChance, ScriptError, every_outcome

KEY = hashlib.sha256(b"a key").digest()
VECTORS = Path(__file__).with_name("chance_vectors.txt")


def vectors(kind: str) -> list[str]:
    """The lines of one kind in the vector file, without their comments."""
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    reply = (line.partition("  #")[0] for line in lines)
    return [line.removeprefix(f"{kind} ") for line in reply if line.startswith(f"{kind} ")]


@pytest.mark.parametrize("vector", vectors("draw"))
def test_a_draw_is_that_of_the_vectors(vector: str) -> None:
    given, _, expected = vector.partition(" = ")
    key, counter, call, *arguments = given.split()
    chance = HmacChance(bytes.fromhex(key), int(counter))
    numbers = list(map(int, arguments))
    match call:
        case "shuffle":
            drawn = list(chance.shuffle(range(numbers[0])))
        case "weighted":
            drawn = [chance.weighted(numbers)]
        case "die":
            drawn = [chance.die(*numbers)]
        case _:
            drawn = [chance.pick(*numbers)]
    assert drawn == list(map(int, expected.split()))
    assert chance.counter == int(counter) + 1


@pytest.mark.parametrize("vector", vectors("dice"))
def test_dice_in_a_row_are_those_of_the_vectors(vector: str) -> None:
    given, _, expected = vector.partition(" = ")
    key, counter, sides = given.split()
    chance = HmacChance(bytes.fromhex(key), int(counter))
    results = list(map(int, expected.split()))
    assert [chance.die(int(sides)) for _ in results] == results


@pytest.mark.parametrize("vector", vectors("commit"))
def test_a_commitment_is_that_of_the_vectors(vector: str) -> None:
    seed, _, expected = vector.partition(" = ")
    assert commitment(bytes.fromhex(seed)) == expected


@pytest.mark.parametrize("vector", vectors("key"))
def test_a_key_is_that_of_the_vectors(vector: str) -> None:
    given, _, expected = vector.partition(" = ")
    seed, _, header = given.partition(" ")
    assert chance_key(bytes.fromhex(seed), json.loads(header)).hex() == expected


def numbers_by_the_book(key: bytes, number: int) -> Iterator[int]:
    """Draw `number` as the scheme is written down: blocks of HMAC(K, u64 i || u32 b)."""
    block = 0
    while True:
        message = number.to_bytes(8, "big") + block.to_bytes(4, "big")
        made = hmac.new(key, message, hashlib.sha256).digest()
        yield from (int.from_bytes(made[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**40), st.integers(1, 2**32))
def test_a_draw_rejects_what_would_make_it_unfair(key: bytes, counter: int, bound: int) -> None:
    fair = (term for term in numbers_by_the_book(key, counter + 1) if term < 2**32 // bound * bound)
    assert HmacChance(key, counter).pick(bound) == next(fair) % bound


def test_draws_are_numbered_whatever_they_return() -> None:
    chance = HmacChance(KEY)
    chance.pick(6)
    chance.shuffle("abcdefghijklmnopqrstuvwxyz")
    chance.shuffle("")
    chance.weighted([1, 2])
    assert chance.counter == 4


def test_a_draw_depends_on_its_number_only() -> None:
    straight = HmacChance(KEY)
    straight.shuffle(range(50))
    assert straight.die(100) == HmacChance(KEY, counter=1).die(100)


def test_another_seed_of_a_seat_gives_other_draws() -> None:
    keys = [chance_key(KEY, {"seeds": {"1": seed}}) for seed in ("00", "01")]
    rows = [[HmacChance(key, at).die(1000) for at in range(8)] for key in keys]
    assert rows[0] != rows[1]


def test_the_seats_are_drawn_before_the_first_draw() -> None:
    header = {"id": "G7"}
    drawn = seat_order(KEY, header, ("a", "b", "c", "d"))
    assert drawn == HmacChance(chance_key(KEY, header), counter=-1).shuffle(("a", "b", "c", "d"))


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
@pytest.mark.parametrize("chance", [HmacChance(KEY), FastChance(1)], ids=["hmac", "fast"])
def test_a_draw_from_nothing_or_too_much_is_an_error(chance: Chance, bound: int) -> None:
    with pytest.raises(ValueError, match="a draw from"):
        chance.pick(bound)


def test_a_pile_without_cards_gives_none() -> None:
    with pytest.raises(ValueError, match="a draw from 0 things"):
        FastChance(1).weighted([0, 0])


def test_nothing_is_drawn_from_an_empty_section_of_a_pile() -> None:
    chance = FastChance(7)
    assert {chance.weighted([0, 3, 0, 1, 0]) for _ in range(200)} == {1, 3}


def chi_square(observed: Sequence[int]) -> float:
    """How far counts are from equal ones."""
    expected = sum(observed) / len(observed)
    return sum((count - expected) ** 2 / expected for count in observed)


# Bounds of the chi-square distribution for p between 0.001 and 0.999, by degrees of freedom.
BOUNDS = {5: (0.21, 20.52), 8: (0.86, 26.12), 23: (7.53, 49.73)}


@pytest.mark.parametrize("make", [HmacChance, FastChance], ids=["hmac", "fast"])
def test_dice_are_even(make: Callable[..., Chance]) -> None:
    chance = make(KEY if make is HmacChance else 11)
    counts = Counter(chance.die() for _ in range(20_000))
    low, high = BOUNDS[5]
    assert low < chi_square([counts[face] for face in range(1, 7)]) < high


@pytest.mark.parametrize("make", [HmacChance, FastChance], ids=["hmac", "fast"])
def test_every_order_of_four_is_as_likely(make: Callable[..., Chance]) -> None:
    chance = make(KEY if make is HmacChance else 12)
    counts = Counter(chance.shuffle("abcd") for _ in range(12_000))
    assert len(counts) == 24
    low, high = BOUNDS[23]
    assert low < chi_square(list(counts.values())) < high


def test_a_pile_gives_each_card_equally() -> None:
    chance = HmacChance(KEY)
    counts = Counter(chance.weighted([5] * 9) for _ in range(18_000))
    low, high = BOUNDS[8]
    assert low < chi_square([counts[index] for index in range(9)]) < high


def test_a_script_gives_what_is_written() -> None:
    chance = ScriptedChance(2, 5, 0, 1)
    assert (chance.pick(3), chance.die(6), chance.weighted([1, 1])) == (2, 6, 0)
    assert chance.left == (1,)


def test_a_script_says_where_a_shuffled_item_moves() -> None:
    assert ScriptedChance(0, 1).shuffle("abc") == ("c", "b", "a")


def test_a_script_refuses_the_impossible() -> None:
    with pytest.raises(ScriptError, match="draw 1: 6 is not below 6"):
        ScriptedChance(6).die(6)


def test_a_script_refuses_to_go_on_past_its_end() -> None:
    with pytest.raises(ScriptError, match="at its end"):
        ScriptedChance().die(6)


def test_sealed_chance_never_draws() -> None:
    with pytest.raises(WouldDraw):
        NoChance(4).die(6)


def test_every_outcome_of_two_dice_has_its_exact_chance() -> None:
    odds: dict[int, Fraction] = {}
    for weight, total in every_outcome(lambda chance: chance.die(6) + chance.die(6)):
        odds[total] = odds.get(total, Fraction(0)) + weight
    assert odds[7] == Fraction(1, 6)
    assert odds[12] == Fraction(1, 36)
    assert sum(odds.values()) == 1


def test_outcomes_may_branch_differently() -> None:
    def reroll(chance: Chance) -> int:
        first = chance.die(2)
        return first if first == 2 else chance.die(3)

    outcomes = list(every_outcome(reroll))
    assert outcomes == [
        (Fraction(1, 6), 1),
        (Fraction(1, 6), 2),
        (Fraction(1, 6), 3),
        (Fraction(1, 2), 2),
    ]


def test_every_order_is_an_outcome_of_a_shuffle() -> None:
    orders = [order for _, order in every_outcome(lambda chance: chance.shuffle("abc"))]
    assert len(set(orders)) == 6
