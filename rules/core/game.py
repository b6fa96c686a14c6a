"""The contract of a game: what a folder below `rules/`, or a package, has to provide.

A game is a stateless object. Its whole state is one frozen tree (`core.visibility`, `core.keyed`);
a move is a small frozen node. A game does no I/O, reads no clock, and draws only from the argument
`chance`: the same seed and moves always give the same game.

To write a game, make a folder with
    game.toml      key, names, seats, rules version, bounds, options (see `core.game_info`)
    __init__.py    GAME = YourGame(), a subclass of `Game`
    phrases.toml   every sentence, English and Japanese (see `core.phrases`)
    rules.md       numbered paragraphs in both languages (see `core.package_data.paragraphs`)
and further modules as needed; a larger game sorts them into folders `rules`, `text` and `bot`.
Older versions of the rules, for games in progress, are in folders `rulesN`. Then run the kit,
`python -m bluebear.rules.core.conformance check KEY`. See also `docs/tutorial.md`.

A game implements few methods, each the only place for its purpose:
    state, grammar           the class of the whole state; what people type (`core.grammar`)
    set_up(...)              the first state
    to_move(state)           the seats that have a decision to make
    why_not(state, seat, move)   the refusal if a rule forbids a move; None if it is legal
    choices(state, seat)     the legal moves. By default all lines of the grammar that `why_not`
                             allows, which is fast enough if they are few
    apply(draft, ...)        the effect of a legal move: writes to the draft and emits events
    run_forced_moves(draft, ...)  what follows without a decision: forced moves, dice, scoring
    result(state), determinize(view, eyes, chance)
Everything else has a default: fallback, take-backs, invariants. A function of another module may
be a method as it is: `why_not = staticmethod(turns.why_not)`. A game may bring companions: `texts`
(what people read and type: `core.texts`), `thinker` (`core.search_model`), bots.

The core does the rest for all games: it checks whose turn it is, calls `apply` only if `why_not`
returns None, sorts the moves by their canonical lines, and settles the draft: the next state and
its patches (`core.settle`). Views, records, undo, help, completion, random and house bots are
generic. Moves, events and phrases need no registration. A viewer gets a view of a state: a node of
the same class, None in its hidden fields. Board, status, queries and bots are given a view.

The kit checks, and the server relies on, this:
- `choices` are complete, free of duplicates, at most `legal_bound` many, and depend, like refusals,
  only on the seat's view;
- `why_not` refuses exactly the moves that `choices` lacks, and names a paragraph of `rules.md`;
- `apply` and `run_forced_moves` reach the next decision, and each thing that happens has an event;
- an event that shows something hidden has it in its fields, and declares in `reveals` who sees it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar, cast

from msgspec import Struct

from bluebear.rules.core import package_data
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.draft import BASE, freeze
from bluebear.rules.core.event_text import event_form
from bluebear.rules.core.game_info import GameInfo, Options
from bluebear.rules.core.grammar import Grammar
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.phrases import CORE, Phrases
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import LEVELS, SearchModel
from bluebear.rules.core.tables import game_file
from bluebear.rules.core.texts import PAGE, GameTexts, TextPage
from bluebear.rules.core.tree import StateTree, tree_of
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Event, Eyes, Move, Seat, classes_below

S = TypeVar("S")

NO_CHANGES: Final = Changes(None, {}, secret=False)


class Rash(NamedTuple):
    """Marks a legal move among the `choices` as a probable mistake.

    A person confirms it with a trailing `!`; the phrase `rash.VERB` says why.
    """

    move: Move


class Outcome(Struct, Generic[S], gc=False):
    """The result of `setup` and `play`: the next state, its events and the seats to move.

    `changes` are the patches from the state before, by viewer, if `play` was asked for them.
    """

    state: S
    events: tuple[Event, ...]
    to_move: frozenset[Seat]
    changes: Changes | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The rank of a seat from 1 (`place`; equal for a tie) and its score."""

    seat: Seat
    place: int
    score: int


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score's breakdown: phrase `score.KEY`, points, paragraph of the rules."""

    seat: Seat
    key: str
    points: int
    rule: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: standings by seat, and the breakdown of the scores."""

    standings: tuple[Standing, ...]
    breakdown: tuple[ScoreLine, ...] = ()


def ranking(scores: Mapping[Seat, int]) -> tuple[Standing, ...]:
    """Standings by score, more is better; equal scores share a rank."""
    return tuple(
        Standing(seat, 1 + sum(other > score for other in scores.values()), score)
        for seat, score in sorted(scores.items())
    )


def leaders(scores: Mapping[Seat, Any]) -> tuple[Seat, ...]:  # Any: what compares
    """The seats with the highest score."""
    best = max(scores.values())
    return tuple(seat for seat, score in scores.items() if score == best)


@cache  # bounded: the seats of a table
def alone(seat: Seat | None) -> frozenset[Seat]:
    """The seats to move where one of them decides, none at the end of the game."""
    return frozenset() if seat is None else frozenset((seat,))


Emit = Callable[[Event], None]
"""Emits an event; a game calls it in the order in which things happen."""

Player = Callable[[Any, Seat, Sequence[Move], Chance], Move]  # Any: the game's own state class
"""A house bot: (view of the seat, the seat, its plain legal moves, chance) -> one of the moves."""


class Game(ABC, Generic[S]):
    """One game: class data, then the methods that a game implements, then those with a default."""

    state: type[S]
    grammar: Grammar
    over_rule: str
    """The paragraph that says when the game ends."""
    catalogue: type[Phrases] = Phrases
    """The class of `phrases`; a game derives its own to format values differently."""
    bots: ClassVar[Mapping[str, Player]] = {}
    thinker: ClassVar[SearchModel[Any] | None] = None  # Any: the game's own state class
    """The game's part of the search (`core.search_model`); without it playouts are random."""
    texts: type[GameTexts[Any]] = GameTexts  # Any: the game's own state class
    """The game's companion for texts (`core.texts`); without its own a view is shown as data."""
    static: ClassVar[Shaped] = {}
    """Data that never changes in a game (a map, cards), sent to a client once."""
    sorted_choices = False
    """Whether `choices` returns moves sorted by canonical line; the kit checks it."""

    def __init__(self) -> None:
        self.package = package_data.package_of(type(self))
        self.info = game_file(GameInfo, self.package, "game.toml").value
        self.board = {name: package_data.read_text(self.package, name) for name in self.info.board}
        self.phrases = self.catalogue.load(self.package, "phrases.toml", fallback=CORE)
        book = package_data.find_file(self.package, "rules.md")
        text = package_data.read_text(self.package, book)
        self.rules = package_data.paragraphs(text, package_data.file_of(self.package, book))
        self.chapters = package_data.chapters(text)
        self.tree: StateTree[S] = tree_of(self.state)  # type: ignore[arg-type]  # a class is hashable
        moves = [verb.move for verb in self.grammar.verbs.values()]
        self.events = classes_below(Event, self.package)
        for event in self.events:
            event_form(event)
        self._has_rash = any(key.startswith("rash.") for key in self.phrases)
        self._plain = frozenset(move for move in moves if not move.takes_back)
        self.all_plain = not self._has_rash and len(self._plain) == len(moves)
        self.has_confirmations = any(key.startswith("confirm.") for key in self.phrases)
        # Most calls are about the newest state, the seats to move in it and their sorted choices.
        self._newest: tuple[S | None, frozenset[Seat], dict[Seat, list[Move | Rash]]]
        self._newest = None, frozenset(), {}
        self.older: Mapping[int, Game[Any]] = {}  # Any: an older version has a state of its own

    # What every game implements.

    @abstractmethod
    def set_up(self, options: Options, seats: int, chance: Chance, emit: Emit, /) -> S:
        """The first state; `run_forced_moves` then takes it to the first decision.

        `options` are complete; seats are 1 to `seats`.
        """

    @abstractmethod
    def to_move(self, state: S, /) -> frozenset[Seat]:
        """The seats that have a decision to make: several in simultaneous play, none at the end."""

    @abstractmethod
    def turn_rule(self, state: S, /) -> str:
        """The paragraph that says whose turn it is."""

    @abstractmethod
    def why_not(self, state: S, seat: Seat, move: Move, /) -> NotAllowed | None:
        """The refusal of a move of a seat that is to move; None if the move is legal.

        It may depend only on what the seat sees, since the refusal would reveal the rest.
        """

    @abstractmethod
    def apply(self, draft: S, seat: Seat, move: Move, chance: Chance, emit: Emit, /) -> None:
        """Carry out a legal move: write to the draft and emit events."""

    @abstractmethod
    def determinize(self, view: S, eyes: Eyes, chance: Chance, /) -> S:
        """Sample a full state with the same view for these eyes; `chance` fills what is hidden."""

    # What has a default.

    def choices(self, state: S, seat: Seat, /) -> Iterable[Move | Rash]:
        """The legal moves of a seat that is to move, each once; a likely slip as `Rash(move)`."""
        return (move for move in self.grammar.every_move if self.why_not(state, seat, move) is None)

    def run_forced_moves(self, draft: S, chance: Chance, emit: Emit, /) -> None:
        """Carry out what follows the set-up and each move without a decision of a player."""

    def scores(self, state: S, /) -> Mapping[Seat, int]:
        """The points of a finished game; the default `result` ranks the seats by them."""
        raise TypeError(f"{self.info.key} has neither `scores` nor a `result` of its own")

    def breakdown(self, state: S, /) -> Iterable[ScoreLine]:
        """The lines that explain the scores of a finished game."""
        return ()

    def result(self, state: S, /) -> Result | None:
        """The result of a finished game; None while it is played."""
        if self.to_move(state):
            return None
        return Result(ranking(self.scores(state)), tuple(self.breakdown(state)))

    def out_of_turn(self, state: S, seat: Seat, /) -> NotAllowed:
        """The refusal for a seat that has nothing to decide."""
        if not (deciding := self.to_move(state)):
            return NotAllowed("game_over", rule=self.over_rule)
        return NotAllowed("not_your_turn", rule=self.turn_rule(state), other=min(deciding))

    def fallback(self, state: S, seat: Seat, /) -> Move:
        """A plain legal move to play when the clock runs out; the seat is to move."""
        return self.plain(state, seat)[0]

    def take_back(self, state: S, seat: Seat, what: str, /) -> Move | None:
        """The take-back move for `/undo WHAT` inside a turn; None if there is none."""
        return None

    def observation(self, view: S, seat: Seat, /) -> Sequence[int] | None:
        """A view as a vector for learners; None if a hash of its parts says as much."""
        return None

    def invariants(self, state: S, /) -> Iterable[str]:
        """One sentence for each invariant that the state violates."""
        return ()

    # What the core derives from these methods.

    @cached_property
    def code(self) -> str:
        """A digest of the code of this game and of the core; another digest may be other rules."""
        return package_data.code_digest("bluebear.rules.core", self.package)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all house bots: search levels if there is a thinker, `bots`, `random`."""
        levels = () if self.thinker is None else LEVELS
        return tuple(dict.fromkeys((*levels, *self.bots, "random")))

    @property
    def is_older(self) -> bool:
        """Whether this is an older version, used only for games that were started with it."""
        return package_data.OLDER.match(self.package.rpartition(".")[2]) is not None

    def for_rules_version(self, number: int) -> Game[Any] | None:  # Any: its own state class
        """The game for a version of the rules; None if there is none.

        Versions in `playable_rules` are played by this object, which branches on the option
        `rules`; others by the game in the folder `rulesN` of its package.
        """
        return self if number in self.info.playable_rules else self.older.get(number)

    def text(self, view: S, eyes: Eyes, page: TextPage = PAGE) -> GameTexts[S]:
        """The texts about a view of these eyes."""
        return self.texts(self, view, eyes, page)

    def seen(self, state: S, eyes: Eyes) -> S:
        """The view of a state for these eyes, as boards, queries and bots get it."""
        return self.tree.seen(state, eyes)

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome[S]:
        """The outcome of the set-up: the state at the first decision, and the events until then."""
        events: list[Event] = []
        draft = self.tree.draft(self.set_up(options, seats, chance, events.append))
        self.run_forced_moves(draft, chance, events.append)
        return self._outcome(freeze(draft), None, events)

    def _outcome(self, state: S, changes: Changes | None, events: Sequence[Event]) -> Outcome[S]:
        to_move = self.to_move(state)
        self._newest = state, to_move, {}
        return Outcome(state, tuple(events), to_move, changes)

    def _movers(self, state: S) -> frozenset[Seat]:
        """The seats to move; cached for the newest state."""
        newest, movers, _ = self._newest
        return movers if newest is state else self.to_move(state)

    def refusal(self, state: S, seat: Seat, move: Move) -> NotAllowed | None:
        """The refusal of a move of any seat; None if the move is legal."""
        if seat not in self._movers(state):
            return self.out_of_turn(state, seat)
        return self.why_not(state, seat, move)

    def play(
        self, state: S, seat: Seat, move: Move, chance: Chance, *, patches: bool = False
    ) -> Outcome[S]:
        """The outcome of a move, with its patches if asked for: search and bots need none.

        Raises NotAllowed, before any draw, if the move is not legal.
        """
        if (refusal := self.refusal(state, seat, move)) is not None:
            raise refusal
        events: list[Event] = []
        draft = self.tree.draft(state)
        self.apply(draft, seat, move, chance, events.append)
        self.run_forced_moves(draft, chance, events.append)
        made, changes = self.tree.settle(draft, state) if patches else (freeze(draft), None)
        return self._outcome(made, changes, events)

    def sorted(self, state: S, seat: Seat) -> list[Move | Rash]:
        """The choices of a seat, sorted by canonical line; empty if the seat is not to move."""
        newest, movers, listed = self._newest
        if newest is not state:
            movers, listed = self.to_move(state), {}
            if not hasattr(state, BASE):  # a draft changes
                self._newest = state, movers, listed
        if seat not in listed:
            made = self.choices(state, seat) if seat in movers else ()
            listed[seat] = [*made] if self.sorted_choices else sorted(made, key=self._line_of)
        return [*listed[seat]]

    def _line_of(self, choice: Move | Rash) -> str:
        return self.grammar.format(choice.move if isinstance(choice, Rash) else choice)

    def legal(self, state: S, seat: Seat) -> list[Move]:
        """Every legal move of a seat, sorted by canonical line."""
        found = self.sorted(state, seat)
        if not self._has_rash:
            return cast("list[Move]", found)
        return [each.move if isinstance(each, Rash) else each for each in found]

    def plain(self, state: S, seat: Seat) -> list[Move]:
        """The legal moves that bots, fallbacks and random play choose from."""
        found = self.sorted(state, seat)
        if self.all_plain:
            return cast("list[Move]", found)
        is_plain = map(self._plain.__contains__, map(type, found))
        return cast("list[Move]", [*compress(found, is_plain)])

    def is_rash(self, state: S, seat: Seat, move: Move) -> bool:
        """Whether a legal move is marked as `Rash`."""
        return self._has_rash and Rash(move) in self.sorted(state, seat)
