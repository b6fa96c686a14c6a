"""A feature is deleted with its module and its line in the list: the rest of the server stands."""

from __future__ import annotations

import json
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
import gc
import json
import os
import sys

import bluebear.server.lookups
from bluebear.rules import find_games

find_games()
gc.freeze()
failed = []
for name, folder, commands in json.loads(sys.argv[1]):
    # No feature is imported yet: what follows is the copy that lacks one.
    assert "bluebear.server.features" not in sys.modules
    if os.fork():
        if os.wait()[1]:
            failed.append(name)
        continue
    bluebear.server.__path__[:] = [folder + "/bluebear/server"]
    from bluebear.server.features import COMMANDS, FEATURES
    from tests.server.fixtures import Stage

    assert sys.modules["bluebear.server.features"].__file__.startswith(folder)
    assert name not in [each.name for each in FEATURES], "it is there"
    assert not set(commands) & set(COMMANDS), "its commands are there"
    with Stage() as stage:
        stage.come("Ayu", "Ben")
        stage.table("journey", "Ayu", "Ben")
        assert stage.say("Ayu", "hello")["Ben"]
        for command in commands:
            assert stage.say("Ayu", "/" + command)["Ayu"][0].startswith("! ")
        stage.say("Ayu", "/yes", lobby=True)
    # To take apart what it shares with the others takes a fork longer than all this.
    os._exit(0)
assert not failed, failed
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


def test_the_server_stands_without_a_feature(tmp_path: Path) -> None:
    """Each in a fork of one process, which has imported the games and all that is below."""
    listed = []
    for feature in DELETABLE:
        folder = tmp_path / feature.name
        folder.mkdir()
        names = [each.name for each in feature.commands]
        listed.append((feature.name, str(without(feature, folder)), names))
    run(tmp_path / DELETABLE[0].name, "-c", START, json.dumps(listed))


@pytest.mark.parametrize("name", ["matchmaking", "replays", "notifications"])
def test_the_tests_of_other_features_pass_without_one(name: str, tmp_path: Path) -> None:
    [feature] = [each for each in FEATURES if each.name == name]
    folder = without(feature, tmp_path)
    run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OTHER_TESTS)
