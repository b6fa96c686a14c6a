"""A feature is deleted with its module and its line in the list: the rest of the server stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from bluebear.server.features import FEATURES
from bluebear.server.features.feature import Feature
from tests.server.server_copy import copy_server, run

OTHER_TESTS = ("tests/server/test_features.py", "tests/server/test_lists.py")

DELETABLE = [each for each in FEATURES if not each.is_basic]

START = """
from bluebear.server.features import COMMANDS
from tests.server.fixtures import Stage

gone = {names}
assert not set(gone) & set(COMMANDS), "its commands are there"
with Stage() as stage:
    stage.come("Ayu", "Ben")
    stage.table("journey", "Ayu", "Ben")
    assert stage.say("Ayu", "hello")["Ben"]
    for name in gone:
        assert stage.say("Ayu", "/" + name)["Ayu"][0].startswith("! ")
    stage.say("Ayu", "/yes", lobby=True)
"""


def without(feature: type[Feature], folder: Path) -> Path:
    """A copy of the server without a feature, beside the rest of the repository."""
    features = copy_server(folder) / "features"
    matches = [each for each in features.iterdir() if each.stem == feature.name]
    assert len(matches) == 1, "a feature is one module, called by its name"
    shutil.rmtree(matches[0]) if matches[0].is_dir() else matches[0].unlink()
    listing = features / "__init__.py"
    text = listing.read_text(encoding="utf-8")
    text = re.sub(
        rf"^from \S+\.features\.{feature.name} import \w+\n", "", text, flags=re.MULTILINE
    )
    text = re.sub(rf"\b{feature.__name__}\b,?\s*", "", text)
    listing.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("feature", DELETABLE, ids=lambda each: each.name)
def test_the_server_stands_without_a_feature(feature: type[Feature], tmp_path: Path) -> None:
    folder = without(feature, tmp_path)
    names = [each.name for each in feature.commands]
    run(folder, "-c", START.format(names=names))


@pytest.mark.parametrize("name", ["matchmaking", "replays", "notifications"])
def test_the_tests_of_other_features_pass_without_one(name: str, tmp_path: Path) -> None:
    [feature] = [each for each in FEATURES if each.name == name]
    folder = without(feature, tmp_path)
    run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OTHER_TESTS)
