"""A client that stands still in the middle of a game: the table of a game, asked as a server is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bluebear.clients.sdk import Reply, RoomId, RoomView
from bluebear.clients.sdk import Seat as OwnSeat
from bluebear.clients.sdk.mirror import Mirror
from bluebear.protocol import Branch, Game, Lang, Version, Welcome
from bluebear.rules.core.chance import FastChance
from bluebear.rules.core.event_text import event_text
from bluebear.rules.core.game import TextPage
from bluebear.rules.core.visibility import Seat
from tests.rules.game_files import GAMES

NAMES: Final = ("", "Ayu", "けんた", "Mika", "Jo")
ROOM: Final = RoomId("123456")
EYES: Final = frozenset({Seat(1)})
NOW_MS: Final = 1_700_000_000_000


def name_of(seat: int) -> str:
    return NAMES[seat]


def moment(key: str, seats: int, after: int, lang: Lang) -> tuple[Any, list[str]]:
    """The state after some random moves, when seat 1 is to move; and what it has been told."""
    game, chance = GAMES[key], FastChance(1)
    outcome = game.setup(game.info.complete({}), seats, chance)
    reported: list[str] = []
    count = 0
    while count < after or 1 not in outcome.to_move:
        seat = min(outcome.to_move)
        legal = game.plain(outcome.state, seat)
        outcome = game.play(outcome.state, seat, legal[chance.pick(len(legal))], chance)
        lines = (
            event_text(game.phrases, event, EYES, lang=lang, name_of=name_of)
            for event in outcome.events
        )
        reported += [line for line in lines if line is not None]
        count += 1
    return outcome, reported


class StillClient:
    """What a conversation needs of a client: one position, seen from seat 1."""

    def __init__(self, key: str, at: Any, seats: int, lang: Lang) -> None:  # Any: an outcome
        self.game, self.at, self.lang = GAMES[key], at, lang
        self.connected, self.ended, self.name = True, False, NAMES[1]
        self.sent_lines: list[str] = []
        self.undo: dict[str, bool] = {"can": False, "asks": False}
        self.reply = Reply(id="1", ok=True)
        self.mirror = Mirror()
        self.mirror.welcome = Welcome(
            protocol=1, person="p", name="Ayu", token="t", lang=lang, server="s", now=NOW_MS
        )
        info = self.game.info
        self.mirror.games[key] = Game(
            key=key, hash="h", body={"name": {"en": info.names.en, "ja": info.names.ja}}
        )
        chairs: dict[str, dict[str, Any]] = {
            str(seat): {"name": NAMES[seat], "human": True, "bank": 60_000 * (10 + seat)}
            for seat in range(1, seats + 1)
        }
        movers = sorted(at.to_move)
        for seat in movers:
            chairs[str(seat)]["deadline"] = NOW_MS + 245_000
        view: Branch = {
            "room": {"phase": "playing", "turn": movers, "seats": chairs},
            "game": self.game.tree.view(at.state, EYES),
        }
        self.mirror.rooms[ROOM] = RoomView(
            id=ROOM, game=key, hash="h", version=Version(9), view=view, eyes=frozenset({OwnSeat(1)})
        )

    def room(self, room: RoomId) -> RoomView:
        return self.mirror.rooms[room]

    async def say(self, text: str, **_: object) -> Reply:
        self.sent_lines.append(text)
        return self.reply

    async def ask(self, what: str, *, room: RoomId, args: Mapping[str, Any] | None = None) -> Any:
        """The answers of a server: the short board, the verbs of now."""
        given, game = args or {}, self.game
        if what == "query":
            page = TextPage(
                lang=self.lang,
                width=given["width"],
                lines=given["lines"],
                name_of=name_of,
            )
            return {"text": game.text(game.seen(self.at.state, EYES), EYES, page).short()}
        if what == "catalogue":
            kinds = {type(move) for move in game.legal(self.at.state, Seat(1))}
            verbs = [verb for verb in game.grammar.verbs.values() if verb.move in kinds]
            return {
                "commands": [
                    {
                        "kind": "move",
                        "name": verb.name,
                        "names": list(verb.names),
                        "usage": game.grammar.usage(verb.name, game.phrases, self.lang),
                    }
                    for verb in verbs
                ]
            }
        if what == "undo":
            return self.undo
        return {"start": 0, "candidates": []}
