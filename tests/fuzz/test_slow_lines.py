"""A typed line costs little, whatever it is: work is counted in steps, never in time.

`python -m tests.fuzz.slow_lines` looks for more; what it found is kept in the corpus.
"""

from __future__ import annotations

import sys
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings

from bluebear.rules.core import suggest
from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import FOLDED_MOST, TOKENS_MOST, Choice, Lexicon, fold, tokens_of
from bluebear.rules.core.suggest import nearest
from bluebear.server.commands.arguments import _NAMED
from bluebear.server.limits import LINE_MAX_CHARS
from tests.fuzz.slow_lines import HOSTILE, MOST, Case, cases, counted, steps_of, stored, world
from tests.server.commands.fixtures import GAMES

GROWING = "\ufdfa" * 490
"""490 signs that fold to 8,820."""


@pytest.mark.parametrize("game", GAMES)
def test_the_lines_of_the_corpus_take_few_steps(game: str) -> None:
    taken = {case: steps_of(case) for case in stored() if case.game == game}
    assert {case: steps for case, steps in taken.items() if steps > MOST} == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_line_built_to_cost_much_takes_few_steps(game: str) -> None:
    @settings(
        max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(cases(game))
    def try_one(case: Case) -> None:
        assert steps_of(case) <= MOST

    try_one()


@pytest.mark.parametrize("head", ["go", "rules", "newroom", "look", "help", "tell", "nosuch", ""])
def test_hostile_signs_behind_a_head_take_few_steps(head: str) -> None:
    lines = (f"/{head} {sign * LINE_MAX_CHARS}"[:LINE_MAX_CHARS] for sign in HOSTILE)
    taken = {
        (what, line): steps_of(Case(what, "tokai", 0, line))
        for what, line in product(("say", "complete"), lines)
    }
    assert max(taken.values()) <= MOST


@pytest.mark.parametrize("head", ["/go ", "/dest ", "/rules ", "/tell Ben ", ";", "/"])
def test_a_line_that_outgrows_its_bound_is_refused(head: str) -> None:
    house, name = world("tokai", 0)
    assert house.say(name, head + GROWING).code == "too_long"


def test_talk_may_have_any_signs() -> None:
    house, name = world("manhattan", 0)
    room, stored_entries = house.room, len(house.entries)
    assert house.say(name, GROWING).refusal is None
    house.room = room
    del house.entries[stored_entries:]


@pytest.mark.parametrize("sign", HOSTILE)
def test_what_is_folded_is_bounded(sign: str) -> None:
    assert len(fold(sign * 10_000)) <= FOLDED_MOST


def test_a_line_has_so_many_terms() -> None:
    assert len(tokens_of("a " * TOKENS_MOST)) == TOKENS_MOST
    with pytest.raises(NotUnderstood, match="too_many_words"):
        tokens_of("a," * (TOKENS_MOST + 1))


def test_only_a_short_list_of_names_is_compared_letter_by_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []
    likeness = suggest._similarity

    def counting(given: str, name: str) -> int:
        compared.append(name)
        return likeness(given, name)

    monkeypatch.setattr(suggest, "_similarity", counting)
    names = [f"nagoya{number}" for number in range(2000)]
    assert nearest("nagoya77x", names)[0] == "nagoya77"
    assert len(compared) == suggest.SHORTLIST
    assert nearest("n" * 41, names) == []
    assert len(compared) == suggest.SHORTLIST


def test_a_beginning_is_looked_up_and_not_searched_for() -> None:
    few, many = (
        Lexicon([Choice(f"name{number:05}") for number in range(count)]) for count in (20, 20_000)
    )
    assert counted(lambda: few.prefixed("name00019")) == counted(lambda: many.prefixed("name19999"))


def test_a_long_term_is_attempted_once_as_a_named_argument() -> None:
    assert _NAMED.pattern.startswith("(?<!")
    assert _NAMED.pattern.count("++") == 1
    assert [match.groups() for match in _NAMED.finditer("to seat=2 a=b=c")] == [
        ("seat", "2"),
        ("a", "b=c"),
    ]


def test_counting_leaves_tracing_as_it_was() -> None:
    before = sys.gettrace()
    assert counted(lambda: None) == 1
    assert sys.gettrace() is before
