"""The contract of a game: what one folder below `rules/`, or one package, has to bring.

A game is a stateless object. Its state is one frozen tree (`core.visibility`, `core.keyed`) with
everything in it; a move is a small frozen node. No I/O, no clock, no chance but the argument of
that name: the same seed and moves give the same game for ever.

To write a game, make a folder with
    game.toml      key, names, seats, rules version, bounds, options (see `core.game_info`)
    __init__.py    GAME = YourGame(), a subclass of `Game`
    phrases.toml   every sentence, English and Japanese (see `core.phrases`)
    rules.md       numbered paragraphs in both languages (see `core.package_data.paragraphs`)
and whatever modules the rules want, in folders `rulesN` older versions that are still played to
their end (`Game.of_rules`); then run `python -m bluebear.rules.core.conformance check KEY`; see
also `docs/tutorial.md`. `chances.toml` is measured (`core.calibration`).

A game answers few questions, each in one place:
    state, grammar           the class of the whole state; what people type (`core.grammar`)
    set_up(...)              the state before anything has happened
    to_move(state)           who has a decision to make
    why_not(state, seat, move)   the one place where a rule forbids a move; None: it is legal
    choices(state, seat)     the legal moves. Without it they are the lines of the grammar that
                             `why_not` lets pass, which serves where these are few
    after(draft, ...)        what a legal move does; it writes to the draft and tells events
    run_on(draft, ...)       what then happens by itself: forced moves, dice, scoring
    result(state), deal(view, eyes, chance), board(view, eyes, page)
Everything else has a default: fallback, take-backs, invariants, lists, long forms, queries, the
short form of the board for small windows (`glance`), the board as it is heard (`reading`).

What the core does, so that no game does it again: it asks whose turn it is, calls `after` only if
`why_not` has nothing against the move, sorts the moves by their canonical lines, freezes the draft
and works out its patches (`core.draft`). Views, records, undo, help, completion, random and house
bots are generic. Moves, events and phrases are found by being there. What people see of a state is
a view: the same class with None for what they may not see. Board, status, queries and bots get one.

What the kit checks and the server relies on:
- `choices` are complete, free of duplicates, at most `legal_bound` many, and depend, like refusals,
  only on what the seat's own view shows;
- `why_not` refuses exactly what `choices` do not offer, and names a paragraph of `rules.md`;
- `after` and `run_on` get to the next real decision, one event for each thing that happens;
- an event that shows something hidden has it in its fields, and names in `reveals` to whom.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from itertools import compress
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar, cast

from bluebear.rules.core import package_data
from bluebear.rules.core.action_space import ActionSpace
from bluebear.rules.core.board_summary import LINES, WIDTH, SummaryBlock, paragraphs_of, shortened
from bluebear.rules.core.calibration import load_calibration
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.confirmation import Confirmation
from bluebear.rules.core.declarations import check_declared, classes_below
from bluebear.rules.core.draft import now
from bluebear.rules.core.game_info import GameInfo, Options, OptionValue
from bluebear.rules.core.grammar import Grammar
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.observation import tensor_of
from bluebear.rules.core.phrases import Lang, Namer, Phrases, seat_namer
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.result import Result, ScoreLine, Standing, ranking
from bluebear.rules.core.search_model import LEVELS, SearchModel
from bluebear.rules.core.slots import Choice, by_number
from bluebear.rules.core.tree import StateTree, tree_of
from bluebear.rules.core.type_codecs import Changes
from bluebear.rules.core.visibility import Event, Eyes, Move, Seat

__all__ = [
    "NO_CHANGES",
    "Game",
    "Kind",
    "Outcome",
    "Player",
    "Proposal",
    "Rash",
    "Result",
    "ScoreLine",
    "Standing",
    "Tell",
    "TextPage",
    "ranking",
]

S = TypeVar("S")
T = TypeVar("T")

NO_CHANGES: Final = Changes(None, {}, secret=False)


class Kind(Enum):
    """What sort of legal move it is."""

    PLAIN = "plain"
    TAKE_BACK = "take_back"
    """Undoes own small moves of this turn that are not committed yet."""
    RASH = "rash"
    """Legal, but in all likelihood a mistake: a person confirms it with a trailing `!`.

    The phrase `rash.VERB` says why.
    """


class Rash(NamedTuple):
    """A legal move among the `choices` that is a mistake in all likelihood."""

    move: Move


class Outcome(Generic[S]):
    """What `setup` and `play` return: the next state and how it came about."""

    __slots__ = ("_changes", "events", "state", "to_move")

    def __init__(
        self,
        state: S,
        events: tuple[Event, ...],
        to_move: frozenset[Seat],
        changes: Callable[[], Changes] = lambda: NO_CHANGES,
    ) -> None:
        self.state = state
        self.events = events
        self.to_move = to_move
        self._changes = changes

    @property
    def changes(self) -> Changes:
        """What differs from the state before, for whom; after the set-up nothing does.

        Worked out when it is asked for: search and replay do not.
        """
        return self._changes()


Tell = Callable[[Event], None]
"""How a game tells what happens, in order."""

Player = Callable[[Any, Seat, Sequence[Move], Chance], Move]  # Any: the game's own state class
"""A house bot: (view of the seat, the seat, its plain legal moves, chance) -> one of the moves."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the game advises before the start: an option's value, and the phrase that says why."""

    option: str
    value: OptionValue
    phrase: str


@dataclass(frozen=True, slots=True)
class TextPage:
    """What a text is made for: language, width in columns, plain ASCII or not, names of seats.

    `lines` is how many a short form may have. `linear` texts are heard and not seen.
    """

    lang: Lang = "en"
    width: int = WIDTH
    ascii: bool = False
    name_of: Namer | None = None
    lines: int = LINES
    linear: bool = False

    def seat(self, seat: int) -> str:
        """What a seat is called on this page."""
        return (self.name_of or seat_namer(self.lang))(seat)

    def say(
        self,
        phrases: Phrases,
        key: str,
        **params: Any,  # Any: numbers, words, lists of them
    ) -> str:
        """A sentence of a catalogue in the language of the page; KeyError for an unknown key."""
        return phrases.say(key, self.lang, params, self.name_of)


class Game(ABC, Generic[S]):
    """One game: class data, then what every game answers, then what has a default."""

    state: type[S]
    grammar: Grammar
    over_rule: str
    """The paragraph that says when the game ends."""
    catalogue: type[Phrases] = Phrases
    """The class of `phrases`, where sentences need values said in a way of their own."""
    bots: ClassVar[Mapping[str, Player]] = {}
    thinker: ClassVar[SearchModel[Any] | None] = None  # Any: the game's own state class
    """What a search asks (`core.search_model`); without it playouts go on at random."""
    areas: tuple[Choice, ...] = ()
    """What `/look` can show, `hand` among them where players have hands."""
    sorted_choices = False
    """Whether `choices` come sorted by canonical line already; the kit checks it."""

    def __init__(self) -> None:
        self.package = package_data.package_of(type(self))
        self.info = GameInfo.load(self.package)
        self.calibration = load_calibration(self.package, self.info)
        core = Phrases.load("bluebear.rules.core", "phrases.toml")
        self.phrases = self.catalogue.load(self.package, "phrases.toml", fallback=core)
        text = package_data.read_text(self.package, "rules.md")
        self.rules = package_data.paragraphs(text, package_data.file_of(self.package, "rules.md"))
        self.tree: StateTree[S] = tree_of(self.state)
        self.moves = tuple(verb.move for verb in self.grammar.verbs.values())
        self.events = classes_below(Event, self.package)
        check_declared(self.moves, self.events)
        self._has_rash = any(key.startswith("rash.") for key in self.phrases)
        self._plain = frozenset(move for move in self.moves if not move.takes_back)
        self.all_plain = not self._has_rash and len(self._plain) == len(self.moves)
        self.has_doubts = any(key.startswith("confirm.") for key in self.phrases)
        # The latest state that was made, and who is to move in it: it is asked about next, mostly.
        self._latest: tuple[S | None, frozenset[Seat]] = None, frozenset()
        self.older: Mapping[int, Game[Any]] = {}  # Any: an older version has a state of its own

    # What every game answers.

    @abstractmethod
    def set_up(self, options: Options, seats: int, chance: Chance, tell: Tell) -> S:
        """The state before `run_on` takes it to the first decision.

        `options` are complete; seats are 1 to `seats`.
        """

    @abstractmethod
    def to_move(self, state: S) -> frozenset[Seat]:
        """Who has a decision to make; several where play is simultaneous; empty when over."""

    @abstractmethod
    def turn_rule(self, state: S) -> str:
        """The paragraph that says whose turn it is."""

    @abstractmethod
    def why_not(self, state: S, seat: Seat, move: Move) -> NotAllowed | None:
        """What forbids a move of a seat that is to move; None if it is legal.

        It may use only what the seat sees, since a refusal tells of it.
        """

    @abstractmethod
    def after(self, draft: S, seat: Seat, move: Move, chance: Chance, tell: Tell) -> None:
        """Write what a legal move does to the draft and tell of it."""

    @abstractmethod
    def deal(self, view: S, eyes: Eyes, chance: Chance) -> S:
        """A state that these eyes cannot tell from the real one, the unseen filled by chance."""

    @abstractmethod
    def board(self, view: S, eyes: Eyes, page: TextPage) -> str:
        """The table as text, complete enough to play from, for what these eyes see."""

    # What has a default.

    def choices(self, state: S, seat: Seat) -> Iterable[Move | Rash]:
        """The legal moves of a seat that is to move, each once; a mistake as `Rash(move)`."""
        return (
            move for move in self.grammar.every_move() if self.why_not(state, seat, move) is None
        )

    def doubt(self, view: S, seat: Seat, move: Move) -> Confirmation | None:
        """Why a person, but no bot, is asked whether he means this plain move; None: he is not."""
        return None

    def run_on(self, draft: S, chance: Chance, tell: Tell) -> None:
        """What happens by itself after the set-up and after every move."""

    def scores(self, state: S) -> Mapping[Seat, int]:
        """The points of a game that is over, where `result` is the ranking by points."""
        raise TypeError(f"{self.info.key} has neither `scores` nor a `result` of its own")

    def breakdown(self, state: S) -> Iterable[ScoreLine]:
        """How the scores of a game that is over came about."""
        return ()

    def result(self, state: S) -> Result | None:
        """How the game ended; None while it goes on."""
        if self.to_move(state):
            return None
        return Result(ranking(self.scores(state)), tuple(self.breakdown(state)))

    def out_of_turn(self, state: S, seat: Seat) -> NotAllowed:
        """The refusal for a seat that has nothing to decide."""
        deciding = self.to_move(state)
        if not deciding:
            return NotAllowed("game_over", rule=self.over_rule)
        return NotAllowed("not_your_turn", rule=self.turn_rule(state), other=min(deciding))

    def fallback(self, state: S, seat: Seat) -> Move:
        """A plain legal move for when the clock has run out; the seat is to move."""
        return self.plain(state, seat)[0]

    def take_back(self, state: S, seat: Seat, what: str) -> Move | None:
        """What `/undo WHAT` means inside a turn; None if there is nothing to take back."""
        return None

    def invariants(self, state: S) -> Iterable[str]:
        """What does not hold in this state and always should: nothing, if all is well."""
        return ()

    def expand(self, view: S, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        """The moves of a long form (a journey by its stations); None if this is not one."""
        return None

    def answer(
        self,
        query: str,
        view: S,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: TextPage,
    ) -> str:
        """The text that a query of the grammar asks for. Raises Refusal."""
        raise NotAllowed("no_such_query", given=query)

    def figures(
        self,
        query: str,
        view: S,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
    ) -> Shaped | None:
        """The same answer as data, for clients that draw it; None where words are all of it.

        Asked after `answer`, which refuses what there is no answer to.
        """
        return None

    def look(self, area: str, view: S, eyes: Eyes, page: TextPage) -> str:
        """One area of the table as text, in more detail than the board. `area` is one of `areas`.

        The area `hand`, where a game has one, is what `/hand` shows. Raises Refusal.
        """
        raise NotAllowed("no_such_area", given=area)

    def glance(self, view: S, eyes: Eyes, page: TextPage) -> Iterable[SummaryBlock]:
        """The board in parts, of which a short form shows as many as fit
        (`bluebear.rules.core.board_summary`).

        A game whose board is higher than `page.lines` says here what matters most at a glance.
        """
        return paragraphs_of(self.board(view, eyes, page))

    def reading(self, view: S, eyes: Eyes, page: TextPage) -> str:
        """The board as somebody hears it: sentences and lists, no picture, no columns.

        Everything that `board` draws is told. For a board that is read line by line as it is, the
        board itself.
        """
        return self.board(view, eyes, page)

    def show_moves(self, moves: Sequence[Move], page: TextPage) -> str:
        """The legal moves as text, grouped so that a person finds his way."""
        return "\n".join(sorted(map(self.grammar.format, moves), key=by_number))

    def remarks(self, view: S, seat: Seat, page: TextPage) -> Sequence[str]:
        """What is worth knowing of the legal moves before one is chosen: costs, yields, chances."""
        return ()

    def status(self, view: S, eyes: Eyes, page: TextPage) -> Sequence[str]:
        """Lines for `/info`: where the game stands, scores, what is to be decided."""
        return ()

    def points(self, view: S, eyes: Eyes) -> Mapping[Seat, int]:
        """The points of each seat as these eyes know them now; empty where none are counted yet."""
        return {}

    def propose(self, options: Options, seats: int) -> Sequence[Proposal]:
        """What the game advises when so many have sat down, options being as they are."""
        return ()

    def tensor(self, view: S, seat: Seat) -> Sequence[int]:
        """A view as a row of numbers up to `VALUE_MAX`, always as long, as this seat looks."""
        return tensor_of(self.tree.dump(view), seat)

    @cached_property
    def vocabulary(self) -> ActionSpace:
        """Every line of this version of the rules under a number of its own."""
        return ActionSpace(self.grammar, self.info.legal_bound)

    def static(self) -> Shaped:
        """Data that never changes in a game (a map, cards), sent to a client once."""
        return {}

    # What the core makes of the answers.

    @cached_property
    def code(self) -> str:
        """A digest of the code that plays this game: where it differs, the rules may."""
        return package_data.code_digest("bluebear.rules.core", self.package)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all house bots: the levels where there is a thinker, `bots`, `random`."""
        levels = () if self.thinker is None else LEVELS
        return tuple(dict.fromkeys((*levels, *self.bots, "random")))

    @property
    def is_older(self) -> bool:
        """Whether this is an older version, which only games that began by it are played with."""
        return package_data.OLDER.match(self.package.rpartition(".")[2]) is not None

    def of_rules(self, number: int) -> Game[Any] | None:  # Any: an older version's own state class
        """The version of this game that plays by the rules of a number; None if there is none.

        This object itself for the numbers in `kept_rules`, whose difference is an `if` on the
        option `rules`; else the game in the folder `rulesN` of this one's package.
        """
        return self if number in self.info.kept_rules else self.older.get(number)

    def short(self, view: S, eyes: Eyes, page: TextPage) -> str:
        """The table in at most `page.lines` lines."""
        parts = self.glance(view, eyes, page)
        return "\n".join(shortened(parts, page.lines, page.width, self.phrases, page.lang))

    def whole(self, view: S, eyes: Eyes, page: TextPage) -> str:
        """The whole table: the board, or its reading where the page is `linear`."""
        return (self.reading if page.linear else self.board)(view, eyes, page)

    def seen(self, state: S, eyes: Eyes) -> S:
        """What these eyes see of a state: the view that boards, queries and bots get."""
        return self.tree.seen(state, eyes)

    def read_view(self, view: Shaped) -> S:
        """The view that a client holds as a plain tree. Raises what `StateTree.load` raises."""
        return self.tree.load(view)

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome[S]:
        """The game before the first decision, and what was told on the way."""
        events: list[Event] = []
        begun = self.set_up(options, seats, chance, events.append)
        draft = self.tree.draft(begun)
        self.run_on(draft, chance, events.append)
        return self._outcome(now(draft), events)

    def _outcome(
        self, state: S, events: Sequence[Event], changes: Callable[[], Changes] = lambda: NO_CHANGES
    ) -> Outcome[S]:
        to_move = self.to_move(state)
        self._latest = state, to_move
        return Outcome(state, tuple(events), to_move, changes)

    def _movers(self, state: S) -> frozenset[Seat]:
        """Who is to move, worked out once for a state that was just made."""
        latest, movers = self._latest
        return movers if latest is state else self.to_move(state)

    def refusal(self, state: S, seat: Seat, move: Move) -> NotAllowed | None:
        """What forbids a move, whoever makes it; None if it is legal."""
        if seat not in self._movers(state):
            return self.out_of_turn(state, seat)
        return self.why_not(state, seat, move)

    def play(self, state: S, seat: Seat, move: Move, chance: Chance) -> Outcome[S]:
        """The outcome of a move; raises NotAllowed, before any draw, if it is not legal."""
        if (refusal := self.refusal(state, seat, move)) is not None:
            raise refusal
        events: list[Event] = []
        draft = self.tree.draft(state)
        self.after(draft, seat, move, chance, events.append)
        self.run_on(draft, chance, events.append)
        made = now(draft)
        return self._outcome(made, events, partial(self.tree.changes, made, state))

    def sorted(self, state: S, seat: Seat) -> list[Move | Rash]:
        """The choices of a seat, sorted by canonical line; none for one that is not to move."""
        if seat not in self._movers(state):
            return []
        found = self.choices(state, seat)
        return list(found) if self.sorted_choices else sorted(found, key=self._line_of)

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

    def kind(self, state: S, seat: Seat, move: Move) -> Kind:
        """What sort of move a legal move is. Asked of any other, it answers and means nothing."""
        if move.takes_back:
            return Kind.TAKE_BACK
        rash = self._has_rash and Rash(move) in self.sorted(state, seat)
        return Kind.RASH if rash else Kind.PLAIN
