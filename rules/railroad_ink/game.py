"""The contract of a game, kept for Railroad Ink."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from bluebear.rules.core.board_summary import SummaryBlock
from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Game, Player, Result, Tell, TextPage
from bluebear.rules.core.game_info import Options
from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.search_model import SearchModel, greedy_of
from bluebear.rules.core.visibility import Eyes, Move, Seat
from bluebear.rules.railroad_ink import (
    board,
    closeup,
    invariants,
    judging,
    listing,
    longform,
    rounds,
    scoring,
    views,
)
from bluebear.rules.railroad_ink.commands import AREAS, GRAMMAR
from bluebear.rules.railroad_ink.paper import moves_on, paper_of
from bluebear.rules.railroad_ink.pieces import ORIENTATIONS, STATIONS, arms_text
from bluebear.rules.railroad_ink.sheet import Sheet
from bluebear.rules.railroad_ink.squares import EXITS, Square
from bluebear.rules.railroad_ink.state import Table
from bluebear.rules.railroad_ink.thinking import Thinking


class RailroadInk(Game[Table]):
    """Railroad Ink for one to twelve seats, without expansions, rules version 1."""

    state = Table
    grammar = GRAMMAR
    over_rule = "4.4"
    thinker: ClassVar[SearchModel[Table]] = Thinking()
    bots: ClassVar[Mapping[str, Player]] = {"greedy": greedy_of(thinker)}
    areas = AREAS
    sorted_choices = True

    def set_up(self, options: Options, seats: int, chance: Chance, tell: Tell) -> Table:
        return rounds.set_up(options, seats, chance, tell)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return rounds.to_move(state)

    def turn_rule(self, state: Table) -> str:
        return "4.1"

    def out_of_turn(self, state: Table, seat: Seat) -> NotAllowed:
        """Before the end all draw at once: who is not to move is done with the round."""
        return super().out_of_turn(state, seat) if state.over else rounds.already_done(state)

    def choices(self, state: Table, seat: Seat) -> Sequence[Move]:
        return moves_on(paper_of(state.seats[seat], state.dice))

    def why_not(self, state: Table, seat: Seat, move: Move) -> NotAllowed | None:
        return judging.why_not(paper_of(state.seats[seat], state.dice), move)

    def after(self, draft: Table, seat: Seat, move: Move, chance: Chance, tell: Tell) -> None:
        rounds.after(draft, seat, move, tell)

    def run_forced_moves(self, draft: Table, chance: Chance, tell: Tell) -> None:
        rounds.run_forced_moves(draft, chance, tell)

    def take_back(self, state: Table, seat: Seat, what: str) -> Move | None:
        """`/undo`: the last drawing of this round; `/undo C4`: that one."""
        square = longform.square_named(what)
        if what.strip() and square is None:
            return None
        return rounds.take_back(state, seat, square)

    def expand(self, view: Table, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return longform.expand(view, seat, verb, text)

    def deal(self, view: Table, eyes: Eyes, chance: Chance) -> Table:
        return views.deal(view, eyes, chance)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return board.table(Sheet(view, eyes, page, self.phrases))

    def summary_blocks(self, view: Table, eyes: Eyes, page: TextPage) -> Iterator[SummaryBlock]:
        return board.glance(Sheet(view, eyes, page, self.phrases))

    def linear_board(self, view: Table, eyes: Eyes, page: TextPage) -> str:
        return board.reading(Sheet(view, eyes, page, self.phrases))

    def status(self, view: Table, eyes: Eyes, page: TextPage) -> Sequence[str]:
        return board.status(Sheet(view, eyes, page, self.phrases))

    def look(self, area: str, view: Table, eyes: Eyes, page: TextPage) -> str:
        """Round numbers, all pieces, everybody's board, or one seat's board closely."""
        sheet = Sheet(view, eyes, page, self.phrases)
        match area:
            case "rounds":
                return "\n".join(closeup.maps(sheet, sheet.eyes or sheet.seats, rounds=True))
            case "pieces":
                return "\n".join(closeup.pieces(sheet))
            case "all":
                return "\n".join(closeup.maps(sheet, sheet.seats))
            case _:
                return self._close(sheet, Seat(int(area.removeprefix("seat"))))

    def points(self, view: Table, eyes: Eyes) -> Mapping[Seat, int]:
        sheet = Sheet(view, eyes, TextPage(), self.phrases)
        return {seat: sheet.points(seat).total for seat in sheet.seats}

    def show_moves(self, moves: Sequence[Move], page: TextPage) -> str:
        return listing.listing(moves, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Table,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: TextPage,
    ) -> str:
        """`/show SEAT`: a board closely, one's own without a seat; `/fit C4`: what goes there."""
        sheet = Sheet(view, eyes, page, self.phrases)
        match query:
            case "show":
                default = (sheet.eyes or sheet.seats)[0]
                return self._close(sheet, arguments.get("seat", default))
            case "fit":
                return "\n".join(self._fitting(sheet, arguments["square"]))
            case _:
                return super().answer(query, view, eyes, arguments, page)

    def static(self) -> Shaped:
        """The arms of every piece in every turn, N E S W as `HR.`, and the exits, for clients."""
        return {
            "pieces": {
                piece.value: {
                    "station": piece in STATIONS,
                    "turns": {turn: arms_text(arms) for turn, arms in known.items()},
                }
                for piece, known in ORIENTATIONS.items()
            },
            "exits": [[each.square, each.side.name, each.line.value] for each in EXITS],
        }

    def _fitting(self, sheet: Sheet, square: Square) -> list[str]:
        """What may be drawn into a square, by whoever draws."""
        view = sheet.view
        if not sheet.eyes:
            raise NotAllowed("no_board", rule="8.3")
        seat = sheet.eyes[0]
        if seat not in self.to_move(view):
            raise self.out_of_turn(view, seat)
        return listing.fitting(sheet, paper_of(view.seats[seat], view.dice), square)

    def _close(self, sheet: Sheet, seat: Seat) -> str:
        if seat not in sheet.view.seats:
            count = len(sheet.seats)
            raise NotAllowed("nobody_there", rule="4.1", given=seat, count=count)
        return "\n".join(closeup.close(sheet, seat))
