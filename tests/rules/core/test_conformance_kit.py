"""Does the kit find what can be wrong with a game? Each scene breaks a fixture game in one way."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from msgspec import structs

from bluebear import rules
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.conformance.case import ConformanceError, cases, read_case
from bluebear.rules.core.conformance.position_checks import check_plain
from bluebear.rules.core.conformance.random_play import perft, playthrough, start
from bluebear.rules.core.conformance.static_checks import check_catalogue
from bluebear.rules.core.conformance.step_checks import check_case
from bluebear.rules.core.conformance.two_worlds import check_worlds
from bluebear.rules.core.game import Emit, Game, Outcome, Rash, Result
from bluebear.rules.core.grammar import Grammar, Verb
from bluebear.rules.core.phrases import Phrase, Phrases
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import NumberSlot
from bluebear.rules.core.visibility import Event, Eyes, Move, Public, Seat, Visibility, require
from tests.games.journey import JourneyGame, JourneyTexts
from tests.games.journey.state import Back, Lake, Rest
from tests.games.sealed import SealedGame, SealedTexts
from tests.games.sealed.state import Seal, Table
from tests.rules.perft_files import read_perft


def problem(game: Game[Any], options: str = "") -> str:
    """What the kit says of a game."""
    with pytest.raises(ConformanceError) as caught:
        check_case(read_case(game, options.split()), range(1, 5))
    return str(caught.value)


class Unsorted(SealedGame):
    sorted_choices = True

    def choices(self, state: Table, seat: Seat) -> list[Move | Rash]:
        return [*super().choices(state, seat)][::-1]


class Doubled(SealedGame):
    def choices(self, state: Table, seat: Seat) -> list[Move | Rash]:
        return [*super().choices(state, seat), *super().choices(state, seat)]


class OutOfTurn(JourneyGame):
    def legal(self, state: Lake, seat: Seat) -> list[Move]:
        return super().legal(state, state.turn)


class Incomplete(SealedGame):
    def choices(self, state: Table, seat: Seat) -> list[Move | Rash]:
        return [*super().choices(state, seat)][:1]


class Generous(SealedGame):
    def choices(self, state: Table, seat: Seat) -> list[Move | Rash]:
        return [*{Seal(1), *super().choices(state, seat)}]


class Stuck(JourneyGame):
    def choices(self, state: Lake, seat: Seat) -> Iterator[Move | Rash]:
        return (move for move in super().choices(state, seat) if state.turn != 2)


class Narrow(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.info = structs.replace(self.info, legal_bound=5)


class Enormous(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.info = structs.replace(self.info, legal_bound=10_000)


class Endless(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.info = structs.replace(self.info, longest=3)


class Undeclared(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.events = ()


class Hasty(SealedGame):
    def play(self, *given: Any, **named: Any) -> Outcome[Table]:
        given[3].die()
        return super().play(*given, **named)


class Lawless(SealedGame):
    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        refusal = super().why_not(state, seat, move)
        return refusal and NotAllowed(refusal.code, rule="9.9", **refusal.params)


class Wordless(SealedGame):
    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        refusal = super().why_not(state, seat, move)
        return refusal and NotAllowed("because", rule=refusal.rule)


class Mutable(SealedGame):
    def play(self, *given: Any, **named: Any) -> Outcome[Table]:
        made, state = super().play(*given, **named), given[0]
        structs.force_setattr(state, "prize", state.prize + 1)
        return made


class Remembering(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.played = 0

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        super().apply(draft, seat, move, chance, emit)
        self.played += 1
        draft.prize = self.played


class Reckless(JourneyGame):
    def fallback(self, state: Lake, seat: Seat) -> Move:
        return Rest()


class Regretful(JourneyGame):
    def take_back(self, state: Lake, seat: Seat, what: str) -> Move | None:
        return Back()


class VerboseTexts(JourneyTexts):
    def expand(self, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return (Rest(), Rest()) if verb == "rest" else None


class Verbose(JourneyGame):
    texts = VerboseTexts


class Undecided(SealedGame):
    def result(self, state: Table) -> Result | None:
        return None


class Unplaced(SealedGame):
    def result(self, state: Table) -> Result | None:
        result = super().result(state)
        return None if result is None else Result(result.standings[1:])


class Baseless(SealedGame):
    def result(self, state: Table) -> Result | None:
        result = super().result(state)
        if result is None:
            return None
        return replace(
            result, breakdown=tuple(replace(line, rule="9.9") for line in result.breakdown)
        )


class Suspicious(SealedGame):
    def invariants(self, state: Table) -> Iterator[str]:
        if state.round > 1:
            yield "there should be one round"


def texts_of(board: str) -> type[SealedTexts]:
    return type("Texts", (SealedTexts,), {"board": lambda _: board})


class Blank(SealedGame):
    texts = texts_of(" ")


class Broad(SealedGame):
    texts = texts_of("席" * 41)


class Fancy(SealedGame):
    texts = texts_of("│")


class Huge(SealedGame):
    def set_up(self, options: Any, seats: int, chance: Chance, emit: Emit) -> Table:
        return structs.replace(super().set_up(options, seats, chance, emit), prize=2**53 + 1)


class Deaf(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.phrases = Phrases({key: Phrase("{x}", "{x}") for key in self.phrases})


@pytest.mark.parametrize(
    ("broken", "options", "sentence"),
    [
        (Unsorted, "", "the choices of seat 1 are not sorted, against `sorted_choices`"),
        (Doubled, "", "among the legal moves of seat 1 one stands twice"),
        (OutOfTurn, "seats=2", "seat 2 is not to move and has legal moves"),
        (Incomplete, "", "is not in `legal`, and is played"),
        (Generous, "rounds=5", "is legal and refused: not_in_hand"),
        (Stuck, "seats=2", "seat 2 is to move and has no"),
        (Narrow, "", "6 legal moves, `legal_bound` is 5"),
        (Enormous, "", "`legal_bound` times 7 characters is over 65536"),
        (Endless, "", "the game has not ended, its `longest` is 3"),
        (Undeclared, "", "PrizeSet is not listed in `events`"),
        (Hasty, "", "is not in `legal`, and draws"),
        (Lawless, "", "names no paragraph of rules.md: 9.9"),
        (Wordless, "", "refusal.because cannot be said"),
        (Mutable, "", "a move has changed the state that it was played on"),
        (Remembering, "", "copy, dumped and loaded: draw only from `chance`, and remember only in"),
        (Reckless, "", "the fallback /rest is no plain legal move"),
        (Regretful, "", "seat 1 would take back with /back, which is no legal take-back"),
        (Verbose, "", "/rest is taken for a long or a short form of something else"),
        (Undecided, "", "there is a result exactly when nobody is to move"),
        (Unplaced, "", "the result does not place every seat"),
        (Baseless, "", "score prizes rests on 9.9"),
        (Suspicious, "", "invariant: there should be one round"),
        (Blank, "", "the board is empty"),
        (Broad, "", "the board is 82 columns wide, the page 80"),
        (Fancy, "", "the ASCII board has other characters"),
        (Huge, "", "is beyond 2^53"),
        (Deaf, "", "cannot be told"),
    ],
)
def test_what_breaks_the_contract_is_detected(
    broken: Callable[[], Game[Any]], options: str, sentence: str
) -> None:
    assert sentence in problem(broken(), options)


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ({"prize": [None]}, "None is no part of a plain tree"),
        ({"prize": 0.5}, "0.5 is no part of a plain tree"),
        ({"prizes": {3: "gold"}}, "the key 3 is no string"),
        ({"prize": -(2**53) - 1}, "-9007199254740993 is beyond 2^53"),
    ],
)
def test_what_a_client_cannot_read_is_not_shown(tree: object, sentence: str) -> None:
    at = start(read_case(SealedGame(), []), 1)
    check_plain(at, {"seats": [True, 2**53, "x", {}], "open": False})
    with pytest.raises(ConformanceError, match=re.escape(sentence)):
        check_plain(at, tree)


def test_of_many_seats_those_that_wait_are_checked_too() -> None:
    at = start(read_case(SealedGame(), ["seats=4"]), 1)
    many = replace(at, case=replace(at.case, seats=6))
    checked = [replace(many, number=number).seats_in_turn() for number in range(6)]
    assert all(seats[0] in at.movers() for seats in checked)
    assert {seat for seats in checked for seat in seats} == set(many.seats())


class Peeking(SealedGame):
    """A seat may not write down what another one has written down already."""

    def choices(self, state: Table, seat: Seat) -> Iterator[Move | Rash]:
        taken = [
            seat_state.card for seat_state in state.seats.values() if seat_state.card is not None
        ]
        for move in super().choices(state, seat):
            if not (isinstance(move, Seal) and [move.card] == taken[:1]):
                yield move


class Telling(SealedGame):
    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        refusal = super().why_not(state, seat, move)
        cards = [
            seat_state.card for seat_state in state.seats.values() if seat_state.card is not None
        ]
        return refusal and NotAllowed(refusal.code, rule=refusal.rule, card=sum(cards))


class Overheard(Event):
    card: Public[int]


class Loud(SealedGame):
    """An event gives away what was sealed, and does not say so of itself."""

    def __init__(self) -> None:
        super().__init__()
        self.events = (*self.events, Overheard)
        received = {"event.overheard": Phrase("{card}", "{card}")}
        self.phrases = Phrases(received, fallback=self.phrases)

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        super().apply(draft, seat, move, chance, emit)
        assert isinstance(move, Seal)
        emit(Overheard(require(move.card)))


class Seeping(SealedGame):
    """A sealed card changes something that all players see."""

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        super().apply(draft, seat, move, chance, emit)
        assert isinstance(move, Seal)
        draft.prize += require(move.card)


class Guessing(SealedGame):
    def determinize(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        return structs.replace(super().determinize(view, eyes, chance), prize=1 + chance.pick(2))


class Impossible(JourneyGame):
    def determinize(self, view: Lake, eyes: Eyes, chance: Chance) -> Lake:
        dealt = super().determinize(view, eyes, chance)
        return structs.replace(dealt, pile=require(dealt.pile).put(5, 9))


@pytest.mark.parametrize(
    ("broken", "tries", "sentence"),
    [
        (Peeking, 0, "depends on something that it does not see"),
        (Peeking, 1, "sees no difference, but its events have one"),
        (Telling, 3, "something hidden"),
        (Loud, 1, "sees no difference, but its events have one: Overheard.card"),
        (Seeping, 1, "something hidden, and no event says so: Table.prize"),
        (Guessing, 0, "another view than the one it was given"),
        (Impossible, 0, "deal gives an impossible state: treasures of worth 5"),
    ],
)
def test_a_leak_is_detected(broken: Callable[[], Game[Any]], tries: int, sentence: str) -> None:
    case = read_case(broken(), ["seats=2"])
    with pytest.raises(ConformanceError, match=re.escape(sentence)):
        check_worlds(case, range(1, 20), tries=tries)


class Repriced(Event):
    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    prize: Public[int]


class Restless(SealedGame):
    """No world ever looks like another one afterwards, and an event owns up to it each time."""

    def __init__(self) -> None:
        super().__init__()
        self.prizes = itertools.count(100)
        self.events = (*self.events, Repriced)
        reported = {"event.repriced": Phrase("{prize}", "{prize}")}
        self.phrases = Phrases(reported, fallback=self.phrases)

    def apply(self, draft: Table, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
        super().apply(draft, seat, move, chance, emit)
        draft.prize = next(self.prizes)
        emit(Repriced(draft.prize))


def test_a_test_of_worlds_that_never_look_similar_proves_nothing() -> None:
    with pytest.raises(ConformanceError, match="in no pair of worlds"):
        check_worlds(read_case(Restless(), ["seats=2"]), [1])


class Nameless(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        stored = {
            key: phrase
            for key in self.phrases
            if (phrase := self.phrases.find(key)) is not None
            and key not in ("verb.seal", "slot.card", "option.rounds", "event.shown")
        }
        extra = {
            "event.flown": Phrase("x", "y"),
            "event.sealed_unseen": Phrase("{card}", "{card}"),
        }
        self.phrases = Phrases({**stored, **extra})


def test_everything_that_is_wrong_with_names_is_reported_at_once() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(Nameless())
    assert str(caught.value).splitlines() == [
        "sealed: no phrase option.rounds",
        "sealed: no phrase verb.seal",
        "sealed: no phrase slot.card",
        "sealed: phrase event.sealed_unseen names card, which the event does not have for its"
        " hearers",
        "sealed: no phrase event.shown",
        "sealed: phrase event.flown is of no event",
    ]


class Misnumbered(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        self.info = structs.replace(self.info, key="other")
        self.rules = {}


def test_a_game_has_a_folder_and_rules() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(Misnumbered())
    assert [line.removeprefix("other: ") for line in str(caught.value).splitlines()] == [
        "its folder is tests.games.sealed",
        "rules.md has no numbered paragraph",
    ]


class Advising(SealedGame):
    def __init__(self) -> None:
        super().__init__()
        rounds = structs.replace(self.info.options["rounds"], proposed={"3": 2})
        self.info = structs.replace(self.info, option=(rounds,))


def test_advice_must_have_a_reason() -> None:
    with pytest.raises(ConformanceError) as caught:
        check_catalogue(Advising())
    assert str(caught.value).splitlines() == ["sealed: no phrase proposal.rounds"]


class Clashing(SealedGame):
    grammar = Grammar(
        [
            Verb("seal", Seal, (NumberSlot("card", 1, 6),), ("ＢＡＮ", "封印"), ("x",)),
        ]
    )


def test_a_name_of_a_room_command_is_taken() -> None:
    with pytest.raises(ConformanceError, match="ban of /seal is a name of a room command"):
        check_catalogue(Clashing())


def test_an_error_says_what_to_run_to_see_it_again() -> None:
    case = read_case(rules.games(("tests.games",))["duel"], ["seats=3", "rerolls=off"])
    assert str(case.fault("a sentence", 7)).splitlines() == [
        "duel seats=3 rerolls=off rounds=4: a sentence",
        "  again: python -m bluebear.rules.core.conformance check duel seats=3 rerolls=off rounds=4"
        " --package tests.games --first-seed 7 --games 1",
    ]


def test_a_case_can_be_read_from_its_terms() -> None:
    for case in cases(JourneyGame()):
        again = read_case(case.game, case.arguments())
        assert (again.options, again.seats) == (case.options, case.seats)


def test_an_unknown_option_is_no_case() -> None:
    with pytest.raises(ValueError, match="sealed has no option rounds=77"):
        read_case(SealedGame(), ["rounds=77"])


def test_a_perft_counts_lines() -> None:
    case = read_case(SealedGame(), ["seats=2", "rounds=1"])
    assert perft(case, 2) == (12, 72)


def test_a_perft_file_is_read_line_by_line() -> None:
    text = "# heading\n\nsealed seats=2 rounds=1 seed=4: 12 72  # two seats, six cards\n"
    (wanted,) = read_perft(text, {"sealed": SealedGame()})
    assert (str(wanted.case), wanted.seed, wanted.counts) == (
        "sealed seats=2 rounds=1",
        4,
        (12, 72),
    )


def test_a_playthrough_shows_what_all_players_saw() -> None:
    lines = list(playthrough(read_case(SealedGame(), ["rounds=1"]), 1))
    assert lines[0] == "playthrough sealed seats=2 rounds=1 seed=1"
    assert any(re.fullmatch(r"> \d /seal \d   \(others: \?\)", line) for line in lines)
    assert any("(others: Seat 2 seals a card.)" in line for line in lines)
