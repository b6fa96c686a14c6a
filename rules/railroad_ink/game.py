"""The contract of a game, kept for Railroad Ink."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.core.chance import Chance
from rules.core.game import Kind, Page, Player, Result
from rules.core.info import Options
from rules.core.old import OldGame, Outcome
from rules.core.plans import Tree
from rules.core.refusal import NotAllowed
from rules.core.vision import Eyes, Move, Seat
from rules.railroad_ink import (
    board,
    bot,
    closeup,
    invariants,
    listing,
    longform,
    rounds,
    scoring,
    views,
)
from rules.railroad_ink.commands import AREAS, GRAMMAR
from rules.railroad_ink.moves import Erase
from rules.railroad_ink.paper import paper_in
from rules.railroad_ink.pieces import ORIENTATIONS, STATIONS, arms_text
from rules.railroad_ink.sheet import Sheet
from rules.railroad_ink.squares import EXITS, Square
from rules.railroad_ink.state import Table

_BOTS: Final[Mapping[str, Player]] = {"greedy": bot.greedy}


class RailroadInk(OldGame):
    """Railroad Ink for one to twelve seats, without expansions, rules version 1."""

    state = Table
    grammar = GRAMMAR
    bots = _BOTS
    areas = AREAS

    def setup(self, options: Options, seats: int, chance: Chance) -> Outcome:
        return rounds.set_up(options, seats, chance)

    def to_move(self, state: Table) -> frozenset[Seat]:
        return rounds.to_move(state)

    def legal(self, state: Table, seat: Seat) -> Iterator[Move]:
        return iter(rounds.legal(state, seat))

    def play(self, state: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
        return rounds.play(state, seat, move, chance)

    def kind(self, state: Table, seat: Seat, move: Move) -> Kind:
        """Taking back is for the seat alone to decide; nothing is rash."""
        return Kind.TAKE_BACK if isinstance(move, Erase) else Kind.PLAIN

    def take_back(self, state: Table, seat: Seat, what: str) -> Move | None:
        """`/undo`: the last drawing of this round; `/undo C4`: that one."""
        square = longform.square_named(what)
        if what.strip() and square is None:
            return None
        return rounds.take_back(state, seat, square)

    def fallback(self, state: Table, seat: Seat) -> Move:
        return rounds.fallback(state, seat)

    def expand(self, view: Tree, seat: Seat, verb: str, text: str) -> tuple[Move, ...] | None:
        return longform.expand(view, seat, verb, text)

    def deal(self, view: Tree, eyes: Eyes, chance: Chance) -> Table:
        return views.deal(view, eyes, chance)

    def result(self, state: Table) -> Result | None:
        return scoring.result(state)

    def invariants(self, state: Table) -> Iterator[str]:
        return invariants.broken(state)

    def board(self, view: Tree, eyes: Eyes, page: Page) -> str:
        return board.table(Sheet(view, eyes, page, self.phrases))

    def status(self, view: Tree, eyes: Eyes, page: Page) -> Sequence[str]:
        return board.status(Sheet(view, eyes, page, self.phrases))

    def look(self, area: str, view: Tree, eyes: Eyes, page: Page) -> str:
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

    def show_moves(self, moves: Sequence[Move], page: Page) -> str:
        return listing.listing(moves, page, self.phrases)

    def answer(
        self,
        query: str,
        view: Tree,
        eyes: Eyes,
        arguments: Mapping[str, Any],  # Any: values of slots
        page: Page,
    ) -> str:
        """`/show SEAT`: a board closely, one's own without a seat; `/fit C4`: what goes there."""
        sheet = Sheet(view, eyes, page, self.phrases)
        match query:
            case "show":
                default = (sheet.eyes or sheet.seats)[0]
                return self._close(sheet, arguments.get("seat", default))
            case "fit":
                if not sheet.eyes:
                    raise NotAllowed("no_board", rule="8.3")
                return "\n".join(self._fitting(sheet, view, arguments["square"]))
            case _:
                raise NotAllowed("no_such_query", given=query)

    def static(self) -> Tree:
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

    def _fitting(self, sheet: Sheet, view: Tree, square: Square) -> list[str]:
        """What may be drawn into a square, by whoever draws."""
        seat = sheet.eyes[0]
        if sheet.over:
            raise NotAllowed("game_over", rule="4.4")
        if sheet.parts[seat]["done"]:
            raise NotAllowed("already_done", rule="4.3", seats=sheet.waiting)
        return listing.fitting(sheet, paper_in(view, seat), square)

    def _close(self, sheet: Sheet, seat: Seat) -> str:
        if seat not in sheet.parts:
            raise NotAllowed("nobody_there", rule="4.1", given=seat, count=len(sheet.parts))
        return "\n".join(closeup.close(sheet, seat))
