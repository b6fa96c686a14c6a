"""Is the feature that `docs/features.md` builds one: in few lines, with help and completion?"""

from __future__ import annotations

import re
from pathlib import Path

from tests.server.server_copy import ROOT, copy_server, run

PAGE = ROOT / "docs" / "features.md"
MOST_LINES = 60

SCENE = '''"""What the page promises of its coin beside its own tests."""

from bluebear.server.commands.catalogue import complete
from bluebear.server.rooms.lines import scene_of
from tests.server.fixtures import Stage


def test_help_completion_languages_and_replay() -> None:
    with Stage() as stage:
        stage.come("Ayu")
        stage.come("Ben", lang="ja")
        stage.table("manhattan", "Ayu", watching=["Ben"])
        [text] = stage.say("Ayu", "/help coin")["Ayu"]
        assert "toss a coin for all in the room" in text and "/コイン" in text, text
        assert "/coin" in stage.say("Ayu", "/help")["Ayu"][0]
        received = stage.say("Ben", "/コイン")
        [en], [ja] = received["Ayu"], received["Ben"]
        assert (en, ja) in (
            ("Ben tosses a coin: heads.", "Benがコインを投げました。表です。"),
            ("Ben tosses a coin: tails.", "Benがコインを投げました。裏です。"),
        ), received

        async def completed():
            ayu = next(each for each in stage.live.present.members if each.name == "Ayu")
            scene = scene_of(stage.live.services.resources, ayu, stage.live)
            return complete(scene, "/coi").candidates

        assert stage.run(completed()) == ("/coin",)
        log = stage.room.log
        stage.restart()
        stage.come("Cho")
        stage.enter("Cho")
        assert stage.room.log == log
'''


def blocks(kind: str) -> list[str]:
    """The code of the page, of one language."""
    page = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)


def test_the_coin_of_the_page_is_a_feature(tmp_path: Path) -> None:
    module, test = blocks("python")
    [sentences] = blocks("toml")
    assert module.count("\n") < MOST_LINES
    server = copy_server(tmp_path)
    (server / "features" / "coin.py").write_text(module, encoding="utf-8")
    listing = server / "features" / "__init__.py"
    text = listing.read_text(encoding="utf-8")
    text = text.replace(
        "\n\nFEATURES", "\nfrom bluebear.server.features.coin import Coin\n\nFEATURES"
    )
    listing.write_text(text.replace("] = (\n", "] = (\n    Coin,\n"), encoding="utf-8")
    with (server / "phrases.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + sentences)
    (tmp_path / "test_coin.py").write_text(test, encoding="utf-8")
    (tmp_path / "test_scene.py").write_text(SCENE, encoding="utf-8")
    general = ("tests/server/test_features.py", "tests/server/test_sentences.py")
    # The sentences of this checkout, not of the copy, are those that are requested in its code.
    tests = ("test_coin.py", "test_scene.py", *general, "-k", "not requested")
    run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
