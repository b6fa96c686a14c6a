"""Any client may send any text at any time: a random walk through the life of a room.

People connect, disconnect, send lines that fit and lines that do not; time passes, the server
restarts. The stage checks mirrors, journal and replies throughout; here are the promises about
seats and time. One failing seed is run again with `pytest -k 'walk[SEED]'`.
"""

from __future__ import annotations

import random

import pytest

from bluebear.rules.core.record import parse_record, verify
from bluebear.rules.core.visibility import SPECTATOR
from bluebear.server.room.snapshot import record_of
from bluebear.server.room.state import Phase, Room
from tests.server.fixtures import Stage

NAMES = ("Ayu", "Ben", "Cem", "Dua", "Eva")
GAMES = ("journey", "sealed", "duel", "manhattan")
STEPS = 80

LINES = (
    "/join",
    "/join",
    "/join 1",
    "/join 2",
    "/join 2 seed=0123456789abcdef0123456789abcdef",
    "/leave",
    "/leave !",
    "/bot",
    "/bot random 3",
    "/bot remove",
    "/start",
    "/start",
    "/startnosave",
    "/option confirm toggle",
    "/option confirm off",
    "/option drawseat on",
    "/option host off",
    "/option start 2",
    "/option clock 20+5",
    "/option clock off",
    "/option watch none",
    "/option watch all",
    "/option watchchat apart",
    "/option watchdelay 2",
    "/option hints on",
    "/hint",
    "/undo",
    "/undo",
    "/accept",
    "/accept",
    "/refuse",
    "/accept 1",
    "/pause",
    "/resume",
    "/masterreset !",
    "/resign !",
    "/again",
    "/reset",
    "/remove {}",
    "/kick {}",
    "/kick {} !",
    "/ban Eva",
    "/unban {}",
    "/host {}",
    "/invite",
    "/invite {}",
    "/uninvite all",
    "/password sesame",
    "/password none",
    "/record",
    "/info",
    "/board",
    "/moves",
    "/votes",
    "/who",
    "/help",
    "/recap",
    "/nosuch",
    "hello",
    ";{} psst",
    "@clock 1",
    "/go mill castle dig",
    "/seal 3",
    "/bid 1",
)


class Walk:
    """One walk: who is there, whose token is whose, and the dice that decide."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage = stage
        self.dice = random.Random(seed)
        self.proved: set[str] = set()
        stage.come(*NAMES)
        self.tokens = {name: stage.people[name].token for name in NAMES}
        stage.say("Ayu", f"/newroom {self.dice.choice(GAMES)} unlisted", lobby=True)
        [stage.room_id] = stage.live_ids()
        for name in NAMES[1:]:
            stage.enter(name)

    def verify(self, room: Room) -> None:
        """Every finished game leaves a record that proves it."""
        if room.table.ending is not None and room.table.game_id not in self.proved:
            game = self.stage.games[room.table.game]
            last = verify(game, parse_record(record_of(room, game, SPECTATOR)))[-1]
            assert last.state == room.game
            self.proved.add(room.table.game_id)

    def step(self) -> None:
        """Something happens."""
        chance = self.dice.random()
        here = [name for name, each in self.stage.people.items() if each.room is not None]
        if chance < 0.05 and here:
            self.stage.drop(self.dice.choice(here))
        elif chance < 0.15:
            self._come()
        elif chance < 0.25:
            self.stage.wait(self.dice.choice((0.5, 3, 10, 40, 130, 700)))
        elif chance < 0.27:
            self.stage.restart()
        elif chance < 0.6 and here:
            self._go_on(self.dice.choice(here))
        elif here:
            line = self.dice.choice(LINES).format(self.dice.choice(NAMES))
            self.stage.say(self.dice.choice(here), line)

    def _come(self) -> None:
        name = self.dice.choice(NAMES)
        if name in self.stage.people and self.stage.people[name].room is not None:
            return
        if name not in self.stage.people:
            self.stage.connect(name, token=self.tokens[name])
        password = self.dice.choice(("", "sesame"))
        self.stage.say(name, f"/room {self.stage.room_id} {password}".strip(), lobby=True)

    def _go_on(self, name: str) -> None:
        """A person sends a line that advances the room: sit, start, vote, move, play again."""
        room = self.stage.room
        match room.table.phase:
            case Phase.OPEN:
                self.stage.say(name, self.dice.choice(("/join", "/join", "/start", "/bot")))
            case Phase.PLAYING if not room.table.votes or self.dice.random() < 0.5:
                self._move(name)
            case Phase.PLAYING:
                self.stage.say(name, self.dice.choice(("/accept", "/accept", "/refuse")))
            case Phase.PAUSED:
                self.stage.say(name, self.dice.choice(("/resume", "/accept", "hello")))
            case Phase.OVER | Phase.FROZEN:
                self.stage.say(name, self.dice.choice(("/again", "/reset", "/record")))

    def _move(self, name: str) -> None:
        """A player sends a move, a legal one on their turn."""
        room, seat = self.stage.room, self.stage.seat_of(name)
        if seat is None or seat not in room.table.turn:
            return
        game = self.stage.games[room.table.game]
        moves = list(game.legal(room.game, seat))
        self.stage.say(name, f"{game.grammar.format(self.dice.choice(moves))} !")


def check(room: Room) -> None:
    """What holds in every version."""
    table = room.table
    owners = [chair.person for chair in table.seats.values() if chair.person is not None]
    assert len(owners) == len(set(owners)), "nobody has two seats"
    assert set(table.turn) <= set(table.seats)
    assert (room.game is None) == (table.phase is Phase.OPEN)
    if table.phase not in (Phase.PLAYING, Phase.PAUSED):
        assert not table.votes
        assert not table.turn
        assert all(chair.deadline is None for chair in table.seats.values())
    for vote in table.votes.values():
        assert set(vote.voters) <= set(table.seats)
        assert not set(vote.yes) & set(vote.no)


@pytest.mark.parametrize("seed", range(25))
def test_walk(seed: int) -> None:
    with Stage() as stage:
        walk = Walk(stage, seed)
        for _ in range(STEPS):
            walk.step()
            live = stage.app.engine.room(stage.room_id)
            if live is not None:
                check(live.room)
                walk.verify(live.room)
