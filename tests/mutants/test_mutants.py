"""Is each kind of mistake made, and is it told whether a test has noticed?"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from tests.mutants.__main__ import summary
from tests.mutants.mutations import KINDS, Site, choose, sites
from tests.mutants.runner import Copy, NoBaseline, copied, first_failed

MODEL: Final = dedent(
    '''\
    """A model of a game: the words 1 < 2 and (a and b) of this text are left alone."""

    from __future__ import annotations

    from typing import Annotated, ClassVar

    Owner = Annotated[int, "owner"]
    Public = Annotated[int, "public"]


    class Card:
        sight: ClassVar[str] = "owner"
        hand: Owner


    def fits(height: int, limit: int = 3) -> bool:
        assert limit != 4
        if height < limit and limit:
            return True
        name = f"{height == 1} 円"
        return bool(name) and height == 7


    def score(points: list[int]) -> int:
        total = 0
        for each in points:
            total += each
        return total if total > 1 else 1
    '''
)

TESTS: Final = dedent(
    """\
    from bluebear.rules.toy.model import fits, score


    def test_nothing():
        pass


    def test_score():
        assert score([2, 3]) == 5


    def test_fits():
        assert fits(2)
    """
)

SITES: Final = sites(MODEL, "rules/toy/model.py")


def made(kind: str) -> list[tuple[str, str]]:
    """What is in which function made into what."""
    return [(site.function, site.text) for site in SITES if site.kind == kind]


def test_comparisons_are_flipped() -> None:
    assert made("compare") == [
        ("fits", "height < limit -> (height <= limit)"),
        ("fits", "height == 7 -> (height != 7)"),
        ("score", "total > 1 -> (total >= 1)"),
    ]


def test_numbers_are_one_off() -> None:
    assert made("constant") == [
        ("fits", "7 -> 6"),
        ("fits", "7 -> 8"),
        ("score", "0 -> 1"),
        ("score", "1 -> 0"),
        ("score", "1 -> 2"),
        ("score", "1 -> 0"),
        ("score", "1 -> 2"),
    ]


def test_and_becomes_or() -> None:
    assert made("logic") == [
        ("fits", "height < limit and limit -> (height < limit or limit)"),
        ("fits", "bool(name) and height == 7 -> (bool(name) or height == 7)"),
    ]


def test_statements_are_left_out() -> None:
    assert made("drop") == [("fits", "return True -> pass"), ("score", "total += each -> pass")]


def test_branches_are_swapped() -> None:
    assert made("branch") == [
        ("fits", "height < limit and limit -> (not (height < limit and limit))"),
        ("score", "total > 1 -> (not (total > 1))"),
    ]


def test_markers_are_left_out_or_say_that_all_people_sees_it() -> None:
    assert made("marker") == [
        ("Card", 'sight: ClassVar[str] = "owner" -> pass'),
        ("Card", "hand: Owner -> hand: Public"),
    ]


@pytest.mark.parametrize("site", SITES, ids=lambda site: f"{site.line}-{site.kind}-{site.after}")
def test_a_mistake_changes_its_position_and_nothing_else(site: Site) -> None:
    source = site.made_in(MODEL)
    assert source != MODEL
    ast.parse(source)
    old, new = MODEL.splitlines(), source.splitlines()
    assert [n for n, pair in enumerate(zip(old, new, strict=True), 1) if pair[0] != pair[1]] == [
        site.line
    ]


def test_equal_seeds_choose_equal_mistakes_of_all_kinds() -> None:
    chosen = choose(SITES, 6, "1 toy")
    assert chosen == choose(SITES, 6, "1 toy")
    assert chosen != choose(SITES, 6, "2 toy")
    assert {site.kind for site in chosen} == set(KINDS)


def test_there_are_no_more_than_there_are() -> None:
    chosen = choose(SITES, 1000, "1 toy")
    assert sorted(map(SITES.index, chosen)) == list(range(len(SITES)))


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    """A copy of a tree with one small game and its tests."""
    for folder, name, text in (
        ("rules/toy", "model.py", MODEL),
        ("tests/rules/toy", "test_model.py", TESTS),
    ):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "bluebear").mkdir()
    (tmp_path / "bluebear/__init__.py").touch()
    (tmp_path / "bluebear/rules").symlink_to("../rules")
    (tmp_path / ".git").mkdir()
    with copied(tmp_path) as made:
        yield made


def the(kind: str, text: str) -> Site:
    [site] = [each for each in SITES if (each.kind, each.text) == (kind, text)]
    return site


def test_caught_and_survived_are_distinguished_and_the_copy_is_as_before(copy: Copy) -> None:
    assert copy.sites_of("toy") == SITES
    seconds = copy.baseline(["tests/rules/toy"])
    caught = copy.judge(the("drop", "total += each -> pass"), ["tests/rules/toy"], seconds)
    assert (caught.caught, caught.test) == (True, "tests/rules/toy/test_model.py::test_score")
    missed = copy.judge(the("constant", "7 -> 8"), ["tests/rules/toy"], seconds)
    assert (missed.caught, missed.test) == (False, "")
    assert (copy.root / "rules/toy/model.py").read_text(encoding="utf-8") == MODEL
    assert not (copy.root / ".git").exists()


def test_tests_that_fail_anyway_can_tell_nothing(copy: Copy) -> None:
    (copy.root / "tests/rules/toy/test_model.py").write_text("assert False", encoding="utf-8")
    with pytest.raises(NoBaseline, match=r"test_model\.py"):
        copy.baseline(["tests/rules/toy"])


def test_the_first_failure_is_named() -> None:
    sent = "F.\nFAILED tests/a.py::test_b[x - y] - AssertionError: no\nERROR tests/c.py\n1 failed"
    assert first_failed(sent) == "tests/a.py::test_b[x"
    assert first_failed("ERROR tests/c.py - SyntaxError: bad") == "tests/c.py"


def test_the_summary_has_a_row_for_each_game() -> None:
    mutants = [
        {"kind": "drop", "caught": True},
        {"kind": "drop", "caught": False},
        {"kind": "logic", "caught": True},
    ]
    last = summary({"games": {"toy": {"mutants": mutants}}}).splitlines()[-1]
    assert last == "| toy | 2/3 | - | - | 1/1 | 1/2 | - | - |"
