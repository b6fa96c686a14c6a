"""The map by regions, drawn with letters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.text_layout import columns
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import Region
from bluebear.rules.tokai.rules.network import REGIONS
from tests.rules.tokai.scene import A, table, traveller

ONLY_A = frozenset((A,))


def look(area: str, page: TextPage) -> list[str]:
    made = table(traveller("nagoya", to="toyohashi"), roll=3)
    return GAME.text(GAME.seen(made, ONLY_A), ONLY_A, page).look(area).splitlines()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("area", REGIONS, ids=lambda region: region.id)
def test_a_region_is_drawn_with_all_its_destinations(area: Region, lang: Lang) -> None:
    lines = look(area.id, TextPage(lang))
    assert len(lines) <= 24
    assert max(map(columns, lines)) <= 80
    received = look(area.id, replace(TextPage(lang), linear=True))
    assert lines[-len(received) :] == received
    sketch = "\n".join(lines[: -len(received)])
    for point in area.destinations:
        assert GAME.phrases.label("point", point, lang) in sketch
    assert "-" in sketch


def test_the_map_shows_pawns_and_where_one_may_change() -> None:
    text = "\n".join(look("central", TextPage()))
    assert "Nagoya*[A]" in text
    assert "Kanayama*" in text
    assert "Shinkansen" not in text
    assert "==" in "\n".join(look("mikawa", TextPage("ja")))
