"""Are the examples in the docstrings true?"""

from __future__ import annotations

import doctest
import pkgutil
from fractions import Fraction
from importlib import import_module

import pytest

import bluebear.rules.core

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(bluebear.rules.core.__path__, "bluebear.rules.core.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name), extraglobs={"Fraction": Fraction})
    assert failed == 0
