"""Decides which games are rated, and reports their end to the ratings.

A game is rated if at its start the option `rated` is on, the room is public, and all seats, at
least two, belong to humans with accounts. It changes ratings if each of them has played it to its
end or resigned.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import EndReason
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room.state import Chair, Phase, Privacy, Room, Table
from bluebear.server.store import RatingKey

RATED: Final = "rated"
"""The option that switches ratings for a table."""

PEOPLE_LEAST: Final = 2
"""The least number of players of a rated game."""

_TAKEN_SEAT: Final = ""
"""Instead of a player's id: their seat was taken by a vote, so they did not leave the game."""


class RatedGame(Struct, frozen=True):
    """The end of a game, by seat: ids of `players` ("" for a house bot), ranks (`places`), `names`.

    Without `places` it changes no rating and only counts for the players who `left`. A game that is
    not `rated` is only listed for its players. Records store the fields under these names.
    """

    id: str
    game: str
    at: int
    players: tuple[str, ...]
    places: tuple[int, ...] = ()
    left: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    rated: bool = True

    @property
    def concerned(self) -> tuple[str, ...]:
        """Ids of the people whose rows the game changes."""
        if not self.rated:
            return tuple(dict.fromkeys(filter(None, self.players)))
        return self.players if self.places else self.left

    def key(self, person: str) -> RatingKey:
        """The rating row of a person that the game changes."""
        return person, self.game, len(self.players)


def wants_rating(table: Table) -> bool:
    """Whether the option `rated` is on."""
    return table.options.get(RATED) != "off"


Unrated = Literal["", "fork", "option", "privacy", "house_bot", "program", "guest", "alone"]


def why_unrated(table: Table) -> tuple[Unrated, str]:
    """Why a game that starts now is unrated: reason and player's name; ("", "") if it is rated."""
    if table.fork is not None:
        return "fork", ""
    if not wants_rating(table):
        return "option", ""
    if table.privacy is not Privacy.PUBLIC:
        return "privacy", ""
    for chair in table.seats.values():
        if chair.person is None:
            return "house_bot", chair.name
        if not chair.human:
            return "program", chair.name
        if not chair.account:
            return "guest", chair.name
    return ("", "") if len(table.seats) >= PEOPLE_LEAST else ("alone", "")


def could_be_rated(table: Table) -> bool:
    """Whether enough players have accounts for a rated game, without the other players."""
    accounts = (require(chair.account) for chair in table.seats.values())
    return wants_rating(table) and sum(accounts) >= PEOPLE_LEAST


def players_of(seats: Keyed[Seat, Chair]) -> Keyed[Seat, str]:
    """The players' ids at the start of a rated game."""
    return Keyed({seat: chair.person or _TAKEN_SEAT for seat, chair in seats.items()})


def mark_seat_taken(table: Table, seat: Seat) -> None:
    """Note in a draft that a seat was taken from its owner: the game changes no rating."""
    if table.players is not None and seat in table.players and table.phase is not Phase.OVER:
        table.players[seat] = _TAKEN_SEAT


def abandoned_seats(table: Table) -> tuple[int, ...] | None:
    """The seats of a rated game whose first owner neither finished nor resigned; None: unrated."""
    if table.players is None:
        return None
    return tuple(
        int(seat)
        for seat, chair in table.seats.items()
        if chair.resigned is None and (chair.bot is not None or chair.person != table.players[seat])
    )


def finished_game(room: Room, at: int) -> RatedGame | None:
    """The end of the room's game, recorded at `at` (ms); None if it concerns no person."""
    table, ending = room.table, room.table.ending
    if ending is None:
        return None
    rated, abandoned = table.players is not None, ending.given_up or ()
    players = tuple((table.players or players_of(table.seats)).values())
    ranks: tuple[int, ...] = ()
    if ending.how != EndReason.VOID.value and not abandoned:
        ranks = tuple(ending.places[seat].place for seat in table.seats)
    left = tuple(players[seat - 1] for seat in abandoned if players[seat - 1] != _TAKEN_SEAT)
    names = require(room.head).names
    game = RatedGame(table.game_id, table.game, at, players, ranks, left, names, rated)
    return game if game.concerned and (ranks or left) else None
