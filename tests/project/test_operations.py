"""Do the pages for hosts have every setting, limit and alert of the server, with its value?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
import yaml

from bluebear.server import limits
from bluebear.server.config import read_config
from bluebear.server.net.rate_limits import BOUNDS, NUDGES, REQUESTS, YELLS, Bound, Cost
from tests.project import tree

DOCS: Final = tree.ROOT / "docs"
LANGS: Final = ("en", "ja")
UNITS: Final = {
    "KiB": 1024,
    "ms": 0.001,
    "ミリ秒": 0.001,
    "s": 1,
    "min": 60,
    "h": 3600,
    "秒": 1,
    "分": 60,
    "時間": 3600,
}
SCOPES: Final = {
    "en": ("an address", "a person", "a room", "a seat", "the server", "a name"),
    "ja": ("アドレス", "人", "部屋", "席", "サーバー", "名前"),
}
BY_SCOPE: Final[tuple[tuple[int, Mapping[Cost, Bound]], ...]] = (
    (0, BOUNDS.address),
    (1, {cost: bound for cost, bound in BOUNDS.person.items() if cost is not Cost.LOGIN}),
    (2, YELLS),
    (3, NUDGES),
    (3, REQUESTS),
    (4, BOUNDS.server),
    (5, {Cost.LOGIN: BOUNDS.person[Cost.LOGIN]}),
)
INTERNAL: Final = frozenset({"--help", "--bench", "--shared-port", "--sockets", "--of-window"})
"""Options that the programs give each other, or that are for measuring."""


def page(name: str, lang: str) -> str:
    return tree.text((DOCS if lang == "en" else DOCS / "ja") / f"{name}.md")


def rows(name: str, lang: str) -> Iterator[list[str]]:
    """The rows of all tables of a page, by cells."""
    for line in page(name, lang).splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def rate(per_second: float, lang: str) -> str:
    """A rate as the table has it: `4`, `1 in 30 s`, `1 in 2 min`."""
    if per_second >= 1:
        return f"{per_second:g}"
    seconds = round(1 / per_second)
    minutes = seconds >= 120 and seconds % 60 == 0
    count = seconds // 60 if minutes else seconds
    if lang == "en":
        return f"1 in {count} {'min' if minutes else 's'}"
    return f"{count} {'分' if minutes else '秒'}に 1"


@pytest.mark.parametrize("lang", LANGS)
def test_every_limit_over_time_is_a_row_with_its_numbers_and_reason(lang: str) -> None:
    expected = sorted(
        [SCOPES[lang][scope], f"{bound.burst:g}", rate(bound.per_second, lang)]
        + ([bound.why] if lang == "en" else [])
        for scope, bounds in BY_SCOPE
        for bound in bounds.values()
    )
    stored = sorted(
        [scope, *numbers] for scope, _, *numbers in wide_rows(lang) if scope in SCOPES[lang]
    )
    assert stored == expected


def wide_rows(lang: str) -> Iterator[list[str]]:
    """The rows of the operations page that have as many cells as the table of limits over time."""
    cells = 5 if lang == "en" else 4
    return (row for row in rows("operations", lang) if len(row) == cells)


def numbers(cell: str) -> list[float]:
    """The numbers of a cell in base units: bytes, seconds."""
    matches = re.findall(
        r"(\d+(?:,\d{3})*(?:\.\d+)?)(?: (KiB|ms|s|min|h|ミリ秒|秒|分|時間)\b)?", cell
    )
    return [float(value.replace(",", "")) * UNITS.get(unit, 1) for value, unit in matches]


@pytest.mark.parametrize("lang", LANGS)
def test_every_other_limit_of_the_page_has_the_value_of_the_server(lang: str) -> None:
    checked = 0
    for row in rows("operations", lang):
        names = re.findall(r"`([A-Z][A-Z_]+)`", row[-1])
        if names and len(row) == 3:
            values = [float(getattr(limits, name)) for name in names]
            assert numbers(row[1]) == pytest.approx(values), row
            checked += len(names)
    assert checked > 50


@pytest.mark.parametrize("lang", LANGS)
def test_every_alert_has_a_row(lang: str) -> None:
    rules = yaml.safe_load(tree.text(DOCS / "alerts.yml"))
    alerts = [rule["alert"] for group in rules["groups"] for rule in group["rules"]]
    assert [
        row[0].strip("`") for row in rows("operations", lang) if "`Bluebear" in row[0]
    ] == alerts


@pytest.mark.parametrize("lang", LANGS)
def test_every_setting_has_a_row_with_its_variable(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        read_config(["--help"], {})
    options = set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    settings = [row for row in rows("hosting", lang) if len(row) == 4]
    named = {option for row in settings for option in re.findall(r"`(--[a-z-]+)`", row[0])}
    assert named == options - INTERNAL
    read: set[str] = set()

    class Environment(dict[str, str]):
        def get(self, name: str, usual: Any = None) -> Any:
            if name.startswith("BLUEBEAR_"):
                read.add(name)
            return usual

    read_config([], Environment())
    shown = {name for row in settings for name in re.findall(r"BLUEBEAR_[A-Z_]+", row[1])}
    assert len(read) > 15
    assert read <= shown
