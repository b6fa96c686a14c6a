"""The coach (option `coach`) says once to a person what a new situation of a game asks for.

Situations are data of the game (`rules/core/lessons.py`). What was said is a note to that
person alone, and is remembered with them; no entry has it, so that a replay knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from bluebear.protocol import Note
from bluebear.rules.core.lessons import Situation, situations_of
from bluebear.rules.core.refusal import Refusal
from bluebear.rules.core.visibility import Seat
from bluebear.server.features.feature import Feature, Services
from bluebear.server.limits import SPENDERS_MAX
from bluebear.server.net.rate_limits import put_recent
from bluebear.server.people.account import with_learnt
from bluebear.server.room.fold_context import Folded
from bluebear.server.room.options import COACH, HINTS, choice, is_on
from bluebear.server.room.state import Phase, Room
from bluebear.server.rooms.active_room import ActiveRoom
from bluebear.server.sentences import say
from bluebear.server.store import Entry


class Coach(Feature):
    """Speaks to the players of all rooms of a process that have the option."""

    name = "coach"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._learnt: dict[str, set[str]] = {}
        """What people have learnt, as in their preferences; those spoken to last."""

    def is_on(self, room: str) -> bool:
        """Hook: whether it looks at the moves of a room."""
        live = self.services.rooms.room(room)
        return live is not None and live.exists and _speaks(live.room)

    def entry_committed(self, live: ActiveRoom, entry: Entry, folded: Folded) -> None:
        """Hook: speak to each player who is here, of what is new to them."""
        room = folded.room
        here = {client.person for client in live.present.members} if _speaks(room) else ()
        for seat, chair in room.seats.items():
            if chair.human and chair.person is not None and chair.person in here:
                self.services.tasks.start(self._look(live, folded, seat, chair.person))

    async def _look(self, live: ActiveRoom, folded: Folded, seat: Seat, person: str) -> None:
        """Say the first thing that is new to a person; what cannot be remembered is said again."""
        people, game, room = self.services.people, live.game, folded.room
        with suppress(Refusal):
            if person not in self._learnt:
                learnt = set((await people.preferences(person)).learnt)
                put_recent(self._learnt, person, self._learnt.get(person, learnt), SPENDERS_MAX)
            learnt = self._learnt[person]
            if game is None:
                return
            moves = game.plain(room.game, seat) if seat in room.table.turn else ()
            lines = [*map(game.grammar.format, moves)]
            for name, situation in situations_of(game.package).items():
                key = f"{game.info.key}/{name}"
                points = None if key in learnt else situation.points_at(seat, lines, folded.events)
                if points is not None:
                    learnt.add(key)
                    _say(live, person, situation, points)
                    await people.update_preferences(person, partial(with_learnt, lesson=key))
                    return


def _speaks(room: Room) -> bool:
    table = room.table
    return is_on(table, COACH) and table.phase is Phase.PLAYING and not table.rated


def _say(live: ActiveRoom, person: str, situation: Situation, points: Iterable[str]) -> None:
    """A note to a person on each of their connections in a room, which may offer a hint."""
    hint = "note.coach" if choice(live.room.table, HINTS) == "off" else "note.coach_hint"
    for client in list(live.present.members):
        if client.person == person:
            text = say(hint, client.lang, text=situation.text, rule=situation.rule)
            number = live.number_of(client)
            client.send(Note(room=number, code=COACH, text=text, said="\n".join(points)))
