"""Is the page for players of a game what really happens?

`tests/rules/KEY/page.toml` says of which stored game the fenced blocks of the pages are, one after
the other in each language, and after how many moves the forms in their tables can be typed:

    pages = ["docs/games/manhattan.md", "docs/ja/games/manhattan.md"]  # or one with both languages
    record = "two_greedy"
    names = ["Ayu", "Ben"]        # of the seats; the first one reads
    forms = { take = 1, build = 5 }
    block = [
        { game = 8 },                           # what is typed and read in the first moves
        { after = 8, line = "/show hongkong" }, # what a board, an area or a query shows
        { after = 27, told = "(5.1)" },         # the sentences of a move that have these words
        { after = 80, last = 3 },               # its last so many sentences
        { after = 10, line = "/show", skip = 20 },  # without so many lines
    ]

`forms` may be left out where the forms depend on more than a stored game has.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from msgspec import Struct

from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import Game, TextPage
from bluebear.rules.core.phrases import LANGS, SUMMARY, Lang
from bluebear.rules.core.record import Moved, parse_record, replay
from bluebear.rules.core.refusal import Ambiguous
from bluebear.rules.core.slots import fold
from bluebear.rules.core.visibility import Seat
from tests.rules.game_files import GAMES, ROOT, files_named

READER: Final = Seat(1)
FENCE: Final = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
ROW: Final = re.compile(r"^\| (`/[^|]*`) \|", re.MULTILINE)


class Block(Struct, forbid_unknown_fields=True):
    """What stands in one fenced block."""

    game: int = 0
    after: int = 0
    line: str = ""
    fragment: str = ""
    last: int = 0
    skip: int = 0


class PageCase(Struct, forbid_unknown_fields=True):
    """What a page is held to."""

    pages: list[str]
    record: str
    names: list[str]
    forms: dict[str, int] = {}
    block: tuple[Block, ...] = ()


class Scene:
    """A page beside the stored game that it shows."""

    def __init__(self, key: str, path: Path) -> None:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        self.case = msgspec.convert(table, PageCase)
        self.game: Game[Any] = GAMES[key]  # Any: each game has a state class of its own
        self.text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in self.case.pages)
        record = path.parent / "records" / f"{self.case.record}.record"
        self.moments = replay(self.game, parse_record(record.read_text(encoding="utf-8")))

    def page(self, lang: Lang) -> TextPage:
        return TextPage(lang=lang, name_of=lambda seat: self.case.names[seat - 1])

    def read(self, lang: Lang, number: int) -> list[str]:
        """What the reader is told of so many moves."""
        texts = (
            event_text(
                self.game.phrases,
                event,
                frozenset({READER}),
                lang=lang,
                name_of=self.page(lang).name_of,
            )
            for event in self.moments[number].events
        )
        return [f"  {text}" for text in texts if text is not None]

    def shown(self, block: Block, lang: Lang) -> list[str]:
        """What a block has to be, but for the lines that the reader types."""
        if block.game:
            return [line for at in range(block.game + 1) for line in self.read(lang, at)]
        if not block.line:
            reported = [line for line in self.read(lang, block.after) if block.fragment in line]
            return reported[-block.last :]
        eyes = frozenset({READER})
        view = self.game.seen(self.moments[block.after].state, eyes)
        head, _, rest = block.line.removeprefix("/").partition(" ")
        page = self.page(lang)
        if head == "board":
            return self.game.text(view, eyes, page).board().splitlines()
        if head == "look":
            return self.game.text(view, eyes, page).look(rest).splitlines()
        query = self.game.grammar.queries[head]
        arguments = self.game.grammar.arguments(query, rest)
        return self.game.text(view, eyes, page).answer(head, arguments).splitlines()[block.skip :]

    def typed(self, text: str, after: int) -> str:
        """The legal line that a text means after so many moves: the reader's, if it can be."""
        grammar, state = self.game.grammar, self.moments[after].state
        movers = self.game.to_move(state)
        seat = READER if READER in movers else min(movers)
        body = text.removeprefix("/")
        head, _, rest = (grammar.expand(body) or body).partition(" ")
        (name,) = grammar.heads.find(fold(head))
        legal = self.game.legal(state, seat)
        view = self.game.seen(state, frozenset({seat}))
        expanded = self.game.text(view, frozenset((seat,))).expand(seat, name, rest)
        if expanded is None:
            move = grammar.understand(grammar.verbs[name], rest, lambda: legal)
        else:
            (move,) = expanded
        assert move in legal, text
        return grammar.format(move)

    def forms(self) -> Iterator[tuple[str, str]]:
        """The forms of verbs in the tables, each with its verb."""
        for row in ROW.findall(self.text):
            for form in re.findall(r"`(/[^`]*)`", row):
                body = form.removeprefix("/")
                head = (self.game.grammar.expand(body) or body).split()[0]
                (name, *_) = (*self.game.grammar.heads.find(fold(head)), "")
                if name in self.case.forms:
                    yield form, name


SCENES: Final = {key: Scene(key, path) for key, path in files_named("page.toml").items()}
BLOCKS: Final = [
    pytest.param(scene, number, lang, id=f"{key} {number} {lang}")
    for key, scene in SCENES.items()
    for number in range(len(scene.case.block))
    for lang in LANGS
]


@pytest.mark.parametrize(("scene", "number", "lang"), BLOCKS)
def test_a_block_of_a_page_is_what_happened(scene: Scene, number: int, lang: Lang) -> None:
    """In a game typed lines begin with a slash; each is what the reader played."""
    block = scene.case.block[number]
    fenced = FENCE.findall(scene.text)[LANGS.index(lang) * len(scene.case.block) + number]
    stored = fenced.splitlines()
    typed = iter([line for line in stored if block.game and line.startswith("/")])
    read = [line for line in stored if not (block.game and line.startswith("/"))]
    assert read == scene.shown(block, lang)
    for at, moment in enumerate(scene.moments[1 : block.game + 1]):
        if isinstance(moment.line, Moved) and moment.line.seat == READER:
            assert (scene.typed(next(typed), at),) == moment.line.lines
    assert list(typed) == []


@pytest.mark.parametrize("key", list(SCENES))
def test_every_form_in_the_tables_of_a_page_is_understood(key: str) -> None:
    scene = SCENES[key]
    forms = list(scene.forms())
    for form, verb in forms:
        after = scene.case.forms[verb]
        try:
            intended: tuple[str, ...] = (scene.typed(form, after),)
        except Ambiguous as several:  # it leaves out what the table does not settle
            intended = several.candidates
        assert all(line.startswith(f"/{verb}") for line in intended)
    assert {verb for _, verb in forms} == scene.case.forms.keys()


@pytest.mark.parametrize("key", sorted(path.stem for path in (ROOT / "docs/games").glob("*.md")))
@pytest.mark.parametrize(("lang", "folder"), [("en", "docs/games"), ("ja", "docs/ja/games")])
def test_a_page_begins_with_the_game_in_a_minute(key: str, lang: Lang, folder: str) -> None:
    page = (ROOT / folder / f"{key}.md").read_text(encoding="utf-8")
    first = page.partition("\n## ")[2].partition("\n\n")[2].partition("\n\n")[0]
    assert first == GAMES[key].phrases.say(SUMMARY, lang)
