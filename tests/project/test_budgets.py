"""Does what the project costs only fall? Each table of `budgets.toml` is counted again."""

from __future__ import annotations

import sys
from typing import Final

import pytest

from tests.project import budgets, ratchet

COUNTED_BY: Final = (3, 11)
"""Newer versions of Python make no call for a comprehension, so there are fewer calls."""


@pytest.mark.slow_loop
@pytest.mark.parametrize("table", budgets.TABLES)
def test_nothing_costs_more_than_it_did(table: str) -> None:
    now, bounds = budgets.TABLES[table](), budgets.stored(table)
    worse = sorted(ratchet.risen(now, bounds))
    assert [(*each, now[each[0]][each[1]], bounds.get(each[0])) for each in worse] == []
    behind = ratchet.stale(now, bounds)
    if table != "way" or sys.version_info[:2] == COUNTED_BY:
        assert behind == set(), "run: python -m tests.project.budgets --lower"
