"""What people read of a view and may type beyond the grammar: the companion `Game.texts`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from bluebear.rules.core.grammar import Grammar
from bluebear.rules.core.merge_patch import canonical
from bluebear.rules.core.phrases import Lang, Namer, Phrases, seat_namer
from bluebear.rules.core.refusal import Confirmation, NotAllowed
from bluebear.rules.core.slots import Choice, Lexicon, by_number
from bluebear.rules.core.text_layout import flowed, listed, packed
from bluebear.rules.core.tree import StateTree
from bluebear.rules.core.visibility import Eyes, Move, Seat

S = TypeVar("S")

WIDTH: Final = 80
"""Columns of a page unless the client asks for another width: those of a standard terminal."""
LINES: Final = 20
"""Lines of a short form unless the client asks for another number: four less than a terminal."""


def letter_of(seat: Seat) -> str:
    """The letter of a seat on boards: A for the first."""
    return chr(ord("A") + seat - 1)


def permille(chance: Fraction) -> int:
    """A chance in thousandths, rounded to the nearest."""
    return (2000 * chance.numerator + chance.denominator) // (2 * chance.denominator)


class SummaryBlock(NamedTuple):
    """Lines that are shown together or not at all; lower ranks are taken first."""

    rank: int
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class TextPage:
    """The format of a text: language, width in columns, plain ASCII or not, names of seats.

    `lines` bounds the short form. `linear` texts are for screen readers.
    """

    lang: Lang = "en"
    width: int = WIDTH
    ascii: bool = False
    name_of: Namer | None = None
    lines: int = LINES
    linear: bool = False

    def seat(self, seat: int) -> str:
        """The name of a seat on this page."""
        return (self.name_of or seat_namer(self.lang))(seat)


PAGE: Final = TextPage()
"""The page of a text outside of any room."""


class TextSource(Protocol):
    """What texts ask their game."""

    grammar: Grammar
    phrases: Phrases
    tree: StateTree[Any]  # Any: the game's own state class

    def to_move(self, state: Any, /) -> frozenset[Seat]: ...  # Any: as above

    def out_of_turn(self, state: Any, seat: Seat, /) -> NotAllowed: ...  # Any: as above


class GameTexts(Generic[S]):
    """All texts about one view for these eyes and this page; each has a default."""

    areas: ClassVar[tuple[Choice, ...]] = ()
    """The areas that `/look` can show, `hand` among them if players have hands."""
    explained: ClassVar[tuple[Choice, ...]] = ()
    """What `/look` explains, also before a game: each has a phrase `about.VALUE`."""
    figures: ClassVar[Mapping[str, Callable[..., object]]] = {}
    """By query: what makes its reply as data; the page has the types that it returns."""
    indent: ClassVar[int] = 4
    """The columns by which the further lines of a sentence or a list are indented."""

    def __init__(self, game: TextSource, view: S, eyes: Eyes, page: TextPage) -> None:
        self.game, self.phrases = game, game.phrases
        self.view, self.eyes, self.page = view, eyes, page

    def board(self) -> str:
        """The table, complete enough to play from."""
        return canonical(self.game.tree.dump(self.view)).decode()

    def linear_board(self) -> str:
        """All that `board` draws, for screen readers: sentences and lists, no picture or columns.

        By default the board itself, which is right if it makes sense line by line.
        """
        return self.board()

    def summary_blocks(self) -> Iterable[SummaryBlock]:
        """The board in blocks for the short form: lower ranks first, while there is room.

        By default its paragraphs, which empty lines separate, in their order.
        """
        lines = groupby(self.board().splitlines(), bool)
        blocks = [[*block] for has_text, block in lines if has_text]
        return [SummaryBlock(rank, block) for rank, block in enumerate(blocks)]

    def points_now(self) -> Mapping[Seat, int]:
        """The current points of each seat as these eyes see them; empty if there are none yet."""
        return {}

    def status(self) -> Sequence[str]:
        """Lines for `/info`: progress, scores, the decision to be made."""
        return ()

    def on_this_table(self) -> Mapping[str, str]:
        """What chapters of the rules mean on this table: a sentence, by the chapter's number."""
        found = self.chapter_figures().items()
        return {
            number: self.say(f"chapter_{number}", figures=each) for number, each in found if each
        }

    def chapter_figures(self) -> Mapping[str, tuple[str, ...]]:
        """By chapter: the figures of this position for its phrase `board.chapter_NUMBER`."""
        return {}

    def look(self, area: str) -> str:
        """One of `areas`, in more detail than on the board. Raises Refusal."""
        raise NotAllowed("no_such_area", given=area)

    def answer(self, query: str, arguments: Mapping[str, Any]) -> str:  # Any: values of slots
        """The reply to a query of the grammar. Raises Refusal."""
        raise NotAllowed("no_such_query", given=query)

    def show_moves(self, moves: Sequence[Move]) -> str:
        """The legal moves; a game may group them for people."""
        return "\n".join(sorted(map(self.game.grammar.format, moves), key=by_number))

    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """The moves of a long form (a journey by its stations); None if this is not one."""
        return None

    def confirmation(self, seat: Seat, move: Move) -> Confirmation | None:
        """The question to a person before this plain move; None if none is needed. Not for bots."""
        return None

    @classmethod
    @cache  # bounded: one value for each game
    def things(cls) -> Lexicon:
        """What `/look` finds: areas of the table, and what is explained."""
        return Lexicon((*cls.explained, *cls.areas))

    def move_info(self, seat: Seat) -> Sequence[str]:
        """Lines about the legal moves that help to choose one: costs, gains, probabilities."""
        return ()

    def say(self, key: str, **params: Any) -> str:  # Any: numbers, words, lists of them
        """The sentence `board.KEY` of the game."""
        return self.phrase(f"board.{key}", **params)

    def phrase(self, key: str, **params: Any) -> str:  # Any: as above
        """The sentence of a whole key; KeyError for an unknown one."""
        return self.phrases.say(key, self.page.lang, params, self.page.name_of)

    def by_seat(self, figures: Mapping[Seat, object]) -> tuple[str, ...]:
        """The figures of seats, each after the seat's name."""
        return tuple(f"{self.page.seat(seat)}: {figure}" for seat, figure in figures.items())

    def label(self, slot: str, value: object) -> str:
        """The localized name of a value."""
        return self.phrases.label(slot, value, self.page.lang)

    def lines(self, text: str, indent: int | None = None) -> list[str]:
        """A sentence in lines of the page; all but the first are indented."""
        return flowed(text, self.page.width, self.indent if indent is None else indent)

    def listed(self, head: str, items: Sequence[str]) -> list[str]:
        """A head and a list in lines of the page, with commas between the items."""
        return packed([head, *listed(items, self.page.lang)], self.page.width, self.indent)

    def short(self) -> str:
        """The short form of the table, in at most `page.lines` lines: its blocks, or those of the
        lowest ranks and where the rest is. Blocks of rank 0 are cut if they alone are too long.
        """
        blocks = [each for each in self.summary_blocks() if each.lines]
        room, rest = self.page.lines, list[str]()
        if sum(len(each.lines) for each in blocks) > room:
            rest = self.lines(self.phrase("glance.rest"), 2)[:room]
            room -= len(rest)
        taken: dict[int, Sequence[str]] = {}
        for at, block in sorted(enumerate(blocks), key=lambda each: each[1].rank):
            if len(block.lines) <= room or not block.rank:
                taken[at] = block.lines[:room]
                room -= len(taken[at])
        return "\n".join([*(line for at in sorted(taken) for line in taken[at]), *rest])

    def full(self) -> str:
        """The full table: the board, or its form for screen readers if the page is `linear`."""
        return self.linear_board() if self.page.linear else self.board()
