"""Which games count for ratings, and what their end says.

A game is rated when the option `rated` is on, the room is public, and people with accounts have all
the seats, at least two of them. That is looked at once, at the start. It gives ratings when each of
them has played it to its end, or resigned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.record import EndReason, recorded_name
from bluebear.rules.core.visibility import Seat, require
from bluebear.server.room.state import Chair, Phase, Privacy, Room, Table
from bluebear.server.store import RatingKey

RATED: Final = "rated"
"""The option by which a table decides."""

PEOPLE_LEAST: Final = 2
"""Nobody plays for a rating alone."""

_OWN_SEAT: Final = ""
"""Whose seat was taken from him by a vote: nobody has left there."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """The end of a game. `players` are ids by seat, `places` the ranks of the seats, `names` those
    of the players; a house bot has the id "".

    Without places it changes no rating; then it is only counted for those who `left` it. A game
    that is not `rated` is only listed for its players.
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
        """The people whose rows it changes."""
        if not self.rated:
            return tuple(dict.fromkeys(filter(None, self.players)))
        return self.players if self.places else self.left

    def key(self, person: str) -> RatingKey:
        """The row of a person that it changes."""
        return person, self.game, len(self.players)


def is_rated(room: Room) -> bool:
    """Whether the game that is on the table counts for ratings."""
    return room.table.players is not None


def wants_rating(table: Table) -> bool:
    """Whether the option `rated` is on."""
    return table.options.get(RATED) != "off"


def why_unrated(table: Table) -> tuple[str, str]:
    """Why a game that begins now would not be rated: a word for it, and whose name; or nothing."""
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


def could_mind(table: Table) -> bool:
    """Whether people sit there who would be rated if it were not for others."""
    accounts = (require(chair.account) for chair in table.seats.values())
    return wants_rating(table) and sum(accounts) >= PEOPLE_LEAST


def players_of(seats: Keyed[Seat, Chair]) -> Keyed[Seat, str]:
    """Who plays a rated game, as it begins."""
    return Keyed({seat: chair.person or _OWN_SEAT for seat, chair in seats.items()})


def taken_away(table: Table, seat: Seat) -> None:
    """In the fold: a seat is taken from its owner; no rating for the game, and he has not left."""
    if table.players is not None and seat in table.players and table.phase is not Phase.OVER:
        table.players[seat] = _OWN_SEAT


def given_up(table: Table) -> tuple[int, ...] | None:
    """The seats that those who began a rated game have not played to its end; None: unrated."""
    if table.players is None:
        return None
    return tuple(
        int(seat)
        for seat, chair in table.seats.items()
        if chair.resigned is None and (chair.bot is not None or chair.person != table.players[seat])
    )


def finished_game(room: Room, at: int) -> RatedGame | None:
    """What the end of the room's game says of its players, noted at `at` (ms); None: nothing."""
    table, ending = room.table, room.table.ending
    if ending is None:
        return None
    rated, gone = table.players is not None, ending.given_up or ()
    players = tuple((table.players or players_of(table.seats)).values())
    places: tuple[int, ...] = ()
    if ending.how != EndReason.VOID.value and not gone:
        places = tuple(ending.places[seat].place for seat in table.seats)
    left = tuple(players[seat - 1] for seat in gone if players[seat - 1] != _OWN_SEAT)
    joined = [require(room.head).joined[number - 1] for number in require(room.head).order]
    names = tuple(recorded_name(name, Seat(seat)) for seat, name in enumerate(joined, 1))
    game = RatedGame(table.game_id, table.game, at, players, places, left, names, rated)
    return game if game.concerned and (places or left) else None
