"""The contract of a game: what one folder below `rules/` has to bring.

A game is a stateless object. Its state is one frozen tree (`rules.core.vision`, `rules.core.keyed`)
that carries everything, hidden things included; a move is a small frozen dataclass; `play` gives a
new state and the events that tell what happened. No I/O, no clock, no randomness but the chance
that is handed in: the same seed and moves give the same game for ever.

To write a game, make a folder with
    game.toml      key, names, seats, rules version, bounds, options (see `GameInfo`)
    __init__.py    GAME = YourGame(), a subclass of `Game`
    phrases.toml   every sentence, English and Japanese (see `rules.core.phrases`)
    rules.md       numbered paragraphs in both languages (see `rules.core.data.paragraphs`)
and whatever modules the rules want; then run `rules.core.conformance` on it.

What the kit checks and the server relies on:
- `legal` is complete, sorted by canonical line, free of duplicates, at most `legal_bound` long,
  empty for a seat that is not to move, and depends only on what the seat's own view shows.
- `play` raises every NotAllowed before its first draw, leaves its argument untouched, and runs on
  through forced moves and dice to the next real decision, one event for each.
- Every refusal names a paragraph of `rules.md`, e.g. `rule="4.3"`.
- Views, diffs, records, undo, help, completion and bots are generic: a game writes none of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

from rules.core.chance import Chance
from rules.core.data import Table, paragraphs, read_text, read_toml
from rules.core.grammar import Grammar
from rules.core.phrases import Lang, Namer, Phrases, seat_namer
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.slots import Choice
from rules.core.tree import StateTree, tree_of
from rules.core.vision import Event, Eyes, Move, Seat

S = TypeVar("S")

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
"""The options of one game by name, complete; the rules version is the option `rules`."""

RULES_OPTION = "rules"


class Kind(Enum):
    """What sort of legal move it is."""

    PLAIN = "plain"
    TAKE_BACK = "take_back"
    """Undoes own small moves of this turn that are not committed yet."""
    RASH = "rash"
    """Legal, but in all likelihood a mistake: a person confirms it with a trailing `!`.

    The phrase `rash.VERB` says why.
    """


class Outcome(NamedTuple):
    """What `setup` and `play` return."""

    state: Any  # Any: the game's own state class
    events: tuple[Event, ...]


Player = Callable[[Tree, Seat, Sequence[Move], Chance], Move]
"""A house bot: (view of the seat, the seat, its plain legal moves, chance) -> one of the moves."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: a switch (bool), a number, or a choice of words.

    A number goes from `low` to `high` by `step`. `off` says that it may be 0 as well, below its
    range, and that this is written `off`.
    """

    name: str
    kind: str
    default: OptionValue
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    off: bool = False
    step: int = 1

    def read(self, text: str) -> OptionValue | None:
        """The value of a folded text; None if it is no value of this option."""
        if self.kind == "switch":
            return {"on": True, "off": False}.get(text)
        if self.kind == "number":
            if self.off and text == "off":
                return 0
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
            return number if number in range(self.low, self.high + 1, self.step) else None
        return text if text in self.choices else None

    def write(self, value: OptionValue) -> str:
        """The canonical text of a value."""
        if self.kind == "switch":
            return "on" if value else "off"
        return "off" if self.off and not value else str(value)

    def values(self) -> tuple[str, ...]:
        """What may be typed, as words or a range."""
        if self.kind == "switch":
            return ("on", "off")
        if self.kind == "number":
            stepped = f"{self.low}, {self.low + self.step} ... {self.high}"
            listed = stepped if self.step > 1 else f"{self.low}-{self.high}"
            return (listed, *(("off",) if self.off else ()))
        return self.choices


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What `game.toml` says: enough for lists and forms, without the engine.

    `legal_bound` bounds the length of `legal`, `longest` the moves of a game under any options.
    """

    key: str
    en: str
    ja: str
    min_seats: int
    max_seats: int
    minutes: int
    rules: int
    kept_rules: tuple[int, ...]
    legal_bound: int
    longest: int
    credits: tuple[str, ...]
    options: Mapping[str, Option]

    @classmethod
    def from_table(cls, table: Table) -> GameInfo:
        """Read the table of a `game.toml`; KeyError or ValueError name what is wrong."""
        options = {row["name"]: _option(row) for row in table.get("option", ())}
        return cls(
            key=table["key"],
            en=table["name"]["en"],
            ja=table["name"]["ja"],
            min_seats=table["seats"]["min"],
            max_seats=table["seats"]["max"],
            minutes=table["minutes"],
            rules=table["rules"],
            kept_rules=tuple(table.get("kept_rules", (table["rules"],))),
            legal_bound=table["legal_bound"],
            longest=table["longest"],
            credits=tuple(table.get("credits", ())),
            options=options,
        )

    def name(self, lang: Lang) -> str:
        """The game's name in a language."""
        return self.en if lang == "en" else self.ja

    def complete(self, chosen: Options) -> dict[str, OptionValue]:
        """All options with their values: what was chosen, else the defaults; sorted by name."""
        made = {option.name: option.default for option in self.options.values()}
        made.update(chosen)
        made.setdefault(RULES_OPTION, self.rules)
        return dict(sorted(made.items()))


def _option(row: Table) -> Option:
    kind = row["type"]
    if kind not in ("switch", "number", "choice"):
        raise ValueError(f"option {row['name']}: type is switch, number or choice, not {kind!r}")
    return Option(
        name=row["name"],
        kind=kind,
        default=row["default"],
        names=tuple(row.get("names", ())),
        low=row.get("low", 0),
        high=row.get("high", 0),
        choices=tuple(row.get("choices", ())),
        off=row.get("off", False),
        step=row.get("step", 1),
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's end: its place from 1 (shared places have the same number) and its score."""

    seat: Seat
    place: int
    score: int


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the breakdown of a score: phrase `score.KEY`, points, the rule it rests on."""

    seat: Seat
    key: str
    points: int
    rule: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: standings by seat, and how the scores came about."""

    standings: tuple[Standing, ...]
    breakdown: tuple[ScoreLine, ...] = ()


def ranking(scores: Mapping[Seat, int]) -> tuple[Standing, ...]:
    """Standings where more is better and equal scores share the place."""
    return tuple(
        Standing(seat, 1 + sum(other > score for other in scores.values()), score)
        for seat, score in sorted(scores.items())
    )


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the game advises before the start: an option's value, and the phrase that says why."""

    option: str
    value: OptionValue
    phrase: str


@dataclass(frozen=True, slots=True)
class Page:
    """What a text is made for: language, width in columns, plain ASCII or not, names of seats."""

    lang: Lang = "en"
    width: int = 80
    ascii: bool = False
    name_of: Namer | None = None

    def seat(self, seat: int) -> str:
        """What a seat is called on this page."""
        return (self.name_of or seat_namer(self.lang))(seat)


class Game(ABC, Generic[S]):
    """One game. `package` is where its data files are; the rest is class data and methods."""

    package: str
    state: type[S]
    moves: tuple[type[Move], ...]
    events: tuple[type[Event], ...]
    grammar: Grammar
    catalogue: type[Phrases] = Phrases
    """The class of `phrases`, where sentences need values said in a way of their own."""
    bots: Mapping[str, Player] = {}
    areas: tuple[Choice, ...] = ()
    """What `/look` can show, `hand` among them where players have hands."""

    def __init__(self) -> None:
        core = Phrases.load("rules.core", "phrases.toml")
        self.info = GameInfo.from_table(read_toml(self.package, "game.toml"))
        self.phrases = self.catalogue.load(self.package, "phrases.toml", fallback=core)
        self.rules = paragraphs(read_text(self.package, "rules.md"), f"{self.package}/rules.md")
        self.tree: StateTree[S] = tree_of(self.state)

    @abstractmethod
    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        """The state before the first decision. `options` are complete; seats are 1 to `seats`."""

    @abstractmethod
    def to_move(self, state: S) -> frozenset[Seat]:
        """Who has a decision to make; several where play is simultaneous; empty when over."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Iterator[Move]:
        """Every legal move of a seat, plain, take-back and rash, sorted by canonical line."""

    @abstractmethod
    def play(self, state: S, seat: Seat, move: Move, chance: Chance) -> Outcome:
        """The outcome of a move; raises NotAllowed, before any draw, if it is not legal."""

    @abstractmethod
    def fallback(self, state: S, seat: Seat) -> Move:
        """A plain legal move for when the clock has run out; the seat is to move."""

    @abstractmethod
    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> S:
        """A state that these eyes cannot tell from the real one, the unseen filled by chance."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        """The table as text, complete enough to play from, for what these eyes see."""

    @abstractmethod
    def invariants(self, state: S) -> Iterator[str]:
        """What does not hold in this state and always should: nothing, if all is well."""

    def kind(self, state: S, seat: Seat, move: Move) -> Kind:
        """What sort of move a legal move is. Asked of any other, it answers and means nothing."""
        return Kind.PLAIN

    def take_back(self, state: S, seat: Seat, what: str) -> Move | None:
        """What `/undo WHAT` means inside a turn; None if there is nothing to take back."""
        return None

    def expand(self, view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """The moves of a long form (a journey by its stations); None if this is not one."""
        return None

    def answer(
        self, query: str, view: Tree, eyes: Eyes, arguments: Mapping[str, Any], page: Page
    ) -> str:
        """The text that a query of the grammar asks for. Raises Refusal."""
        raise NotAllowed("no_such_query", given=query)

    def look(self, area: str, view: Tree, eyes: Eyes, page: Page) -> str:
        """One area of the table as text, in more detail than the board. `area` is one of `areas`.

        The area `hand`, where a game has one, is what `/hand` shows. Raises Refusal.
        """
        raise NotAllowed("no_such_area", given=area)

    def show_moves(self, moves: Sequence[Move], page: Page) -> str:
        """The legal moves as text, grouped so that a person finds his way."""
        return "\n".join(self.grammar.format(move) for move in moves)

    def status(self, view: Tree, eyes: Eyes, page: Page) -> Sequence[str]:
        """Lines for `/info`: where the game stands, scores, what is to be decided."""
        return ()

    def propose(self, options: Options, seats: int) -> Sequence[Proposal]:
        """What the game advises when so many have sat down, options being as they are."""
        return ()

    def static(self) -> Tree:
        """Data that never changes in a game (a map, cards), sent to a client once."""
        return {}

    def plain(self, state: S, seat: Seat) -> list[Move]:
        """The legal moves that bots, fallbacks and random play choose from."""
        return [
            move for move in self.legal(state, seat) if self.kind(state, seat, move) is Kind.PLAIN
        ]
