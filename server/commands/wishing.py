"""Wishes for a game: `/wish`, `/wishes`, `/unwish`."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.commands.acts import Act, AnswerWish, MakeWish, ShowWishes, Unwish
from bluebear.server.commands.arguments import ANSWER_WORDS, ANSWERS
from bluebear.server.commands.command import Argument, Arguments, Command, anywhere
from bluebear.server.commands.scene import Scene
from bluebear.server.people.account import Scope

_GAME: Final = Argument("game", "game", optional=True)
_WISH: Final = (
    Argument("wish", "wish"),
    Argument("players", "players", optional=True),
    Argument("bots", "choice", optional=True, choices=ANSWER_WORDS),
)


def _wish(scene: Scene, given: Arguments) -> Act:
    wish = given["wish"]
    if wish in ANSWERS:
        return AnswerWish(yes=wish == "yes")
    info = scene.games[wish].info
    least, most = given.get("players", (info.min_seats, info.max_seats))
    most = min(most, info.max_seats)
    if not max(2, info.min_seats) <= max(2, least) <= most:
        raise NotAllowed("no_such_table", least=max(2, info.min_seats), most=info.max_seats)
    return MakeWish(wish, max(2, least), most, bots=given.get("bots", "yes") == "yes")


COMMANDS: Final = (
    Command("wish", anywhere(), _wish, _WISH, ("希望",), given_scope=Scope.PLAY),
    Command("wishes", anywhere(), lambda scene, given: ShowWishes(), names=("希望一覧",)),
    Command(
        "unwish",
        anywhere(),
        lambda scene, given: Unwish(given.get("game", "")),
        (_GAME,),
        ("希望取消",),
        given_scope=Scope.PLAY,
    ),
)
