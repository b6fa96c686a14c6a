"""Do the links of README and docs lead somewhere? Files and headings; the network is left alone."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.project import tree

PAGES: Final = [*sorted(tree.ROOT.glob("*.md")), *tree.files(".md", below="docs")]
LINK: Final = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
FENCE: Final = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
EXTERNAL: Final = ("http://", "https://", "mailto:", "ws://", "wss://")


def targets(text: str) -> Iterator[str]:
    """Where the links of a page lead; code is not prose."""
    prose = re.sub(r"`[^`\n]*`", "``", FENCE.sub("", text))
    for match in LINK.finditer(prose):
        if not match["target"].startswith(EXTERNAL):
            yield match["target"]


def anchors(text: str) -> frozenset[str]:
    """The names of a page's headings, as GitHub makes them."""
    seen: Counter[str] = Counter()
    made: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", FENCE.sub("", text), re.MULTILINE):
        stored = [
            each
            for each in re.sub(r"[*`]", "", heading).lower()
            if each in " -_" or unicodedata.category(each)[0] in "LMN"
        ]
        slug = "".join(stored).replace(" ", "-")
        made.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(made)


@pytest.mark.parametrize("page", PAGES, ids=tree.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    lost: list[str] = []
    for target in targets(tree.text(page)):
        path, _, anchor = target.partition("#")
        goal = page.parent / path if path else page
        if not goal.exists() or (anchor and anchor not in anchors(tree.text(goal))):
            lost.append(target)
    assert lost == []


def test_links_in_code_are_no_links() -> None:
    assert list(targets("`[a](b)` [c](d#e)\n```\n[f](g)\n```\n[h](https://i)")) == ["d#e"]


def test_headings_get_the_names_that_github_gives() -> None:
    assert anchors("# The `say` frame!\n## 遊び方\n## 遊び方\n") == {
        "the-say-frame",
        "遊び方",
        "遊び方-1",
    }
