"""Is the page for players (docs/games/tokai.md and its twin in docs/ja) what really happens?"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

import pytest

from bluebear.rules.core.chance import FastChance, NoChance
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import LANGS, Lang
from bluebear.rules.core.slots import Lexicon, fold
from bluebear.rules.core.visibility import Event
from bluebear.rules.tokai import GAME
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules.state import Auction, Phase, State
from tests.rules.game_files import players_page
from tests.rules.tokai.scene import A, B, all_but, eyes, outcome, table, traveller, typed

PAGE: Final = players_page("tokai")
FENCE: Final = re.compile(r"^```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
BLOCKS: Final = FENCE.findall(PAGE)
SEED: Final = 8
"""The game on the page: Ayu types what stands there, Ben is greedy."""


class Documented(NamedTuple):
    """What Ayu reads and types, and the table when she stops."""

    lines: tuple[str, ...]
    after: State


def name_of(seat: int) -> str:
    return ["", "Ayu", "Ben"][seat]


def block(lang: Lang, number: int) -> list[str]:
    """The lines of the n-th fenced block in one language; there are four in each."""
    lines: list[str] = BLOCKS[LANGS.index(lang) * 4 + number].splitlines()
    return lines


@cache  # bounded: two languages
def documented(lang: Lang) -> Documented:
    """The game, with the lines of Ayu as they stand on the page."""
    chance = FastChance(SEED)
    begun = GAME.setup(GAME.info.complete({}), 2, chance)
    made, received = begun.state, sentences(begun.events, lang)
    lines = [line for line in block(lang, 0) if line.startswith("/")]
    while lines or A not in GAME.to_move(made):
        if A in GAME.to_move(made):
            received.append(lines[0])
            parsed = [GAME.grammar.parse(each) for each in typed(made, A, lines.pop(0))]
            for number, move in enumerate(parsed, 1):
                drawing = chance if number == len(parsed) else NoChance()
                after = GAME.play(made, A, move, drawing)
                made = after.state
                received += sentences(after.events, lang)
        else:
            view = GAME.seen(made, eyes(B))
            move = GAME.bots["greedy"](view, B, GAME.plain(made, B), chance)
            after = GAME.play(made, B, move, chance)
            made = after.state
            received += sentences(after.events, lang)
    return Documented(tuple(received), made)


def sentences(events: tuple[Event, ...], lang: Lang) -> list[str]:
    """What Ayu reads of events."""
    texts = (event_text(GAME.phrases, e, eyes(A), lang=lang, name_of=name_of) for e in events)
    return [f"  {text}" for text in texts if text is not None]


def page(lang: Lang) -> TextPage:
    return TextPage(lang=lang, name_of=name_of)


@pytest.mark.parametrize("lang", LANGS)
def test_the_game_on_the_page_is_what_happens(lang: Lang) -> None:
    assert block(lang, 0) == list(documented(lang).lines)


@pytest.mark.parametrize("lang", LANGS)
def test_board_route_and_fares_on_the_page_are_those_of_the_game(lang: Lang) -> None:
    view = GAME.seen(documented(lang).after, eyes(A))
    assert block(lang, 1) == GAME.text(view, eyes(A), page(lang)).board().splitlines()
    station = {"station": PointId("toki_shi")}
    assert (
        block(lang, 2) == GAME.text(view, eyes(A), page(lang)).answer("route", station).splitlines()
    )
    assert block(lang, 3) == GAME.text(view, eyes(A), page(lang)).answer("fares", {}).splitlines()


def table_of(name: str) -> State:
    """A table on which the forms of a verb or query can be typed."""
    match name:
        case "prebuy":
            begun: State = GAME.setup(GAME.info.complete({}), 2, FastChance(SEED)).state
            return begun
        case "region":
            return table(traveller("nagoya"), phase=Phase.REGION)
        case "dest":
            return table(traveller("nagoya"), phase=Phase.DEST)
        case "buy":
            return table(traveller("nagoya", cash=30), phase=Phase.BUY)
        case "sell":
            owners = {"linimo": A, "johoku": A}
            return table(traveller("nagoya", cash=0), phase=Phase.SELL, owners=owners)
        case _:
            auction = Auction(LineId("linimo"), best=5, by=B, bidders=(A, B))
            return table(
                traveller("nagoya", cash=30),
                phase=Phase.DEAL if name == "deal" else Phase.AUCTION,
                active=A if name == "deal" else B,
                owners=all_but("aonami", owner=B),
                auction=auction,
            )


FORMS: Final = [
    form
    for row in re.findall(r"^\| (`/[^|]*`) \|", PAGE, re.MULTILINE)
    for form in re.findall(r"`(/[^`]*)`", row)
]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_in_the_tables_is_understood(form: str) -> None:
    """Rides have a test of their own, since they depend on where one stands."""
    head, _, rest = form.removeprefix("/").partition(" ")
    result = GAME.grammar.heads.find(fold(head))
    if head in ("look", "眺める", "undo", "待った"):
        assert not rest or Lexicon(GAME.texts.areas).exact(fold(rest)) is not None
        return
    assert len(result) == 1
    if result[0] in GAME.grammar.queries:
        GAME.grammar.arguments(GAME.grammar.queries[result[0]], rest)
    elif result[0] not in ("go", "back"):
        made = table_of(result[0])
        legal = [GAME.grammar.format(move) for move in GAME.legal(made, A)]
        assert typed(made, A, form)[0] in legal


RIDES: Final = [form for form in FORMS if form.startswith(("/go", "/行く"))]
STARTS: Final = [("nagoya", 1), ("nagoya", 7), ("nagoya", 7), ("kamimaezu", 6), ("kamimaezu", 2)]
"""From where and with which roll each of the five rides on the page can be said."""


@pytest.mark.parametrize(("form", "start"), list(zip(RIDES, STARTS * 2, strict=True)))
def test_every_ride_in_the_tables_is_understood(form: str, start: tuple[str, int]) -> None:
    made = table(traveller(start[0], to="yagoto"), roll=start[1])
    for line in typed(made, A, form):
        made = outcome(made, A, line).state
    assert made.seats[A].trail[-1] == (
        "yagoto" if "yagoto" in form or "八事" in form else END[start]
    )


END: Final = {("nagoya", 1): "kanayama", ("kamimaezu", 2): "sakae"}


@pytest.mark.parametrize("name", re.findall(r"/(?:option|オプション) (\S+)", PAGE))
def test_every_option_on_the_page_exists(name: str) -> None:
    registered = {
        term for option in GAME.info.options.values() for term in (option.name, *option.names)
    }
    assert name in registered
