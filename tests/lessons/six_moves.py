"""`python -m tests.lessons.six_moves KEY`: a real game, for readers of the first lesson.

    python -m tests.lessons.six_moves itc --seed 1 --moves lines.txt

It plays the lines of a file (`-`: of the input) against one bot on a server in virtual time, and
prints what the terminal shows. The same lines give the same text, so a reader adds a line and runs
it again. At the end it counts the lines that were moves and those that were refused; a question,
such as `/look`, is neither.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from bluebear.clients.phrases import Texts
from bluebear.clients.terminal.chat import ECHO
from bluebear.protocol import Code, Error, Note, ServerMessage, Update
from bluebear.protocol import Room as Snapshot
from bluebear.rules import games
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands.arguments import Form, take_apart
from bluebear.server.commands.command import heads
from tests.lessons.transcript import LEARNER
from tests.server.fixtures import Stage

RIVAL: Final = "Leo"
BOT: Final = "greedy"
TEXTS: Final = Texts("en", "bluebear.clients.terminal")
DRAWS: Final = 1000
"""More draws than a few moves take: games of two seeds have none in common."""


class RealGame:
    """A game of two that its reader, at the first seat, plays by typing lines.

    `shown` has what the terminal has printed, `moves` and `refused` count the lines.
    """

    def __init__(self, stage: Stage, key: str, seed: int) -> None:
        self.shown: list[str] = []
        self.moves = self.refused = 0
        self._stage = stage
        self._game = stage.games[key]
        self._chance = FastChance(seed)
        stage.come(LEARNER)
        stage.come(RIVAL, bot=True)
        stage.game(key, LEARNER, RIVAL, options=("coach on",))
        self._seat = stage.seat_of(LEARNER)
        self._received = len(stage.people[LEARNER].messages)
        self._go_on()

    def legal(self) -> Sequence[str]:
        """The legal lines of the reader."""
        if self._seat not in self._stage.room.table.turn:
            return ()
        moves = self._game.plain(self._stage.room.game, self._seat)
        return [self._game.grammar.format(move) for move in moves]

    def type(self, line: str) -> None:
        """Type a line; where the game has changed by it the rival goes on."""
        before = self._stage.room
        refusals = [each for each in self._say(line) if isinstance(each, Error)]
        self.refused += any(self._is_wrong_move(line, each) for each in refusals)
        self.moves += self._stage.room.steps > before.steps
        if self._stage.room.game != before.game:
            self._go_on()

    def text(self) -> str:
        """All that was shown, and the counts."""
        counts = f"Lines that were moves: {self.moves}. Refused: {self.refused}."
        return "\n".join([*self.shown, counts]) + "\n"

    def _is_wrong_move(self, line: str, refusal: Error) -> bool:
        """Whether a refused line was meant as a move; one that asks to be confirmed is legal."""
        typed, grammar = take_apart(line), self._game.grammar
        name = grammar.heads.exact(typed.head)
        is_question = name in grammar.queries or (name is None and heads().exact(typed.head))
        return typed.form is Form.COMMAND and refusal.code != Code.RASH and not is_question

    def _go_on(self) -> None:
        """Play the rival's moves until the reader is to move, and show the table to them."""
        stage, game = self._stage, self._game
        while rivals := [Seat(seat) for seat in stage.room.table.turn if seat != self._seat]:
            [seat], state = rivals, stage.room.game
            seen = game.seen(state, frozenset(rivals))
            move = game.bots[BOT](seen, seat, game.plain(state, seat), self._chance)
            stage.play(RIVAL, game.grammar.format(move))
        self._show()
        self._say("/board")
        verbs = dict.fromkeys(line.split()[0] for line in self.legal())
        if verbs:
            self.shown.append(TEXTS.say("your_turn", verbs=", ".join(verbs)))

    def _say(self, line: str) -> Sequence[ServerMessage]:
        self.shown.append(f"{ECHO}{line}")
        self._stage.say(LEARNER, line)
        return self._show()

    def _show(self) -> Sequence[ServerMessage]:
        """Show what the reader has received since the last time, and return it."""
        new = self._stage.people[LEARNER].messages[self._received :]
        self._received += len(new)
        for message in new:
            match message:
                case Update():
                    self.shown += message.text or ()
                case Snapshot():
                    log, version = message.log, message.version
                    self.shown += [each.text for each in log if each.version == version]
                case Error() | Note():
                    self.shown.append(message.text)
                case _:
                    pass
        return new


def main() -> None:
    """Play the lines that are given, and print the game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("key", choices=sorted(games()))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=argparse.FileType("r", encoding="utf-8"), default="-")
    given = parser.parse_args()
    with Stage(drawn=given.seed * DRAWS) as stage:
        game = RealGame(stage, given.key, given.seed)
        for line in filter(None, map(str.strip, given.moves)):
            game.type(line)
        sys.stdout.write(game.text())


if __name__ == "__main__":
    main()
