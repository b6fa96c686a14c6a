"""What a view shows, read for the texts about it: boards, points, drafts of this round, words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.phrases import Phrases
from bluebear.rules.core.text_layout import fit, flowed, listed, packed
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.rules.railroad_ink.picture import ASCII, LINED, Board, middle
from bluebear.rules.railroad_ink.pieces import ORIENTATIONS, SPECIALS, TURNS, Piece
from bluebear.rules.railroad_ink.scoring import winners
from bluebear.rules.railroad_ink.squares import Line, Side
from bluebear.rules.railroad_ink.state import Drawn, Points, Stroke, Table, special_number
from bluebear.rules.railroad_ink.views import known_drafts

INDENT: Final = 2


class Sheet:
    """One view for given eyes, and the page that texts about it are made for."""

    def __init__(self, view: Table, eyes: Eyes, page: TextPage, phrases: Phrases) -> None:
        self.page = page
        self.eyes = sorted(eyes)
        self.signs = ASCII if page.ascii else LINED
        self.view = view
        self._drafts = {} if view.over else known_drafts(view, eyes)
        self._phrases = phrases

    @property
    def seats(self) -> list[Seat]:
        """All seats."""
        return list(self.view.seats)

    @property
    def waiting(self) -> list[Seat]:
        """The seats that are still drawing."""
        return [seat for seat, part in self.view.seats.items() if not part.done]

    def is_seen(self, seat: Seat) -> bool:
        """Whether these eyes see all that a seat has drawn."""
        return self.view.over or seat in self._drafts

    def strokes(self, seat: Seat) -> tuple[Stroke, ...]:
        """What a seat has drawn this round, as far as these eyes see it."""
        draft = self._drafts.get(seat)
        return draft.strokes if draft else ()

    def points(self, seat: Seat) -> Points:
        """A seat's points, with this round's drawings where they are seen."""
        draft = self._drafts.get(seat)
        return draft.points if draft else self.view.seats[seat].points

    def board(self, seat: Seat) -> Board:
        """A seat's board, with this round's drawings where they are seen."""
        board = dict(self.view.seats[seat].board.items())
        for stroke in self.strokes(seat):
            board[stroke.square] = Drawn(stroke.piece, stroke.turn, self.view.round)
        return dict(sorted(board.items()))

    def specials(self, seat: Seat) -> list[int]:
        """The special routes on a seat's board, by number, as far as these eyes see them."""
        pieces = (mark.piece for mark in self.board(seat).values())
        return sorted(special_number(piece) for piece in pieces if piece in SPECIALS)

    def winners(self) -> tuple[Seat, ...]:
        """Who is first in the end."""
        return winners({seat: self.points(seat) for seat in self.view.seats})

    def glyph(self, piece: Piece) -> str:
        """A piece at rotation 0 as one character."""
        return middle(piece, ORIENTATIONS[piece][TURNS[0]], self.signs)

    def word(self, piece: Piece) -> str:
        """What a piece is called."""
        return self._phrases.word("piece", piece, self.page.lang)

    def score_name(self, part: str) -> str:
        """What a part of the score is called."""
        return self.page.say(self._phrases, f"score.{part}")

    def say(self, key: str, **params: Any) -> str:  # Any: whatever the phrase names
        """A sentence."""
        return self.page.say(self._phrases, f"board.{key}", **params)

    def flowed(self, text: str) -> list[str]:
        """A text in lines of the page."""
        return flowed(text, self.page.width, INDENT)

    def told(self, key: str, **params: Any) -> list[str]:  # Any: whatever the phrase names
        """A sentence in lines of the page."""
        return self.flowed(self.say(key, **params))

    def listed(self, key: str, names: Sequence[str], **params: Any) -> list[str]:
        """A heading and names, in lines of the page."""
        items = [self.say(key, **params) + " ", *listed(names, self.page.lang)]
        return packed(items, self.page.width, INDENT)

    def side(self, side: Side) -> str:
        """What a side is called."""
        return self._phrases.word("details", side.name.lower(), self.page.lang)

    def met(self, line: Line, side: Side) -> str:
        """A line that comes from a side."""
        return self._phrases.word("around", f"{line}_{side.name.lower()}", self.page.lang)

    def name(self, seat: Seat, width: int) -> str:
        """What a seat is called, in so many columns."""
        return fit(self.page.seat(seat), width)
