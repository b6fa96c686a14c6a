"""Commands during a game and after it: moves, undo, votes, giving up, the next game."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.slots import fold
from bluebear.server.commands import answers
from bluebear.server.commands.acts import Write
from bluebear.server.commands.ballots import answers_with, has_questions
from bluebear.server.commands.command import (
    FROZEN,
    NAME,
    OVER,
    PAUSED,
    PLAYING,
    Argument,
    Arguments,
    Command,
    Handler,
    anywhere,
    asks,
    does,
    ends_game,
    entry,
    host,
    near_names,
    room_here,
    seated,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.people.account import Scope
from bluebear.server.room.act import RoomAct
from bluebear.server.room.creation import new_game_facts
from bluebear.server.room.game_flow import Resign
from bluebear.server.room.game_setup import Again, Reset
from bluebear.server.room.votes import Accept, MasterReset, Pause, Refuse, Remove, Resume, Undo
from bluebear.server.store import Json

_VOTE: Final = Argument("vote", "vote", optional=True)


def _undo(scene: Scene, given: Arguments) -> Write:
    """Inside of a turn it is a move of the game, if that knows one; else a matter of the room."""
    room, game, seat = room_here(scene), scene.game, scene.seat
    if game is None or seat is None:
        raise NotAllowed("not_seated")
    what = given.get("what", "")
    move = game.take_back(room.game, seat, what)
    if move is not None:
        return Write((game.grammar.format(move),))
    if what:
        raise NotAllowed("nothing_to_take_back", given=what)
    return entry(scene, Undo(), {"voters": scene.all_to_agree()})


def _remove(scene: Scene, given: Arguments) -> Write:
    name, seats = given["name"], room_here(scene).seats
    for seat, chair in seats.items():
        if fold(chair.name) == fold(name):
            facts: dict[str, Json] = {
                "voters": scene.voters(),
                "spares": True,
                "present": chair.person in scene.here,
                "waited": scene.waited.get(seat, -1),
            }
            return entry(scene, Remove(seat), facts)
    others = [c.name for s, c in seats.items() if c.person is not None and s != scene.seat]
    raise NotAllowed("no_such_player", given=name, candidates=near_names(name, others))


def _new_board(act: RoomAct) -> Handler:
    return lambda scene, given: entry(scene, act, new_game_facts(scene.fresh))


COMMANDS: Final = (
    Command(
        "hand",
        seated(PLAYING, PAUSED, OVER),
        lambda scene, given: answers.look(scene, "hand"),
        names=("手札",),
        needs_area="hand",
    ),
    Command("moves", seated(PLAYING), lambda scene, given: answers.moves(scene), names=("手",)),
    Command(
        "undo",
        seated(PLAYING),
        _undo,
        (Argument("what", "text", optional=True),),
        ("待った", "取り消し"),
    ),
    Command(
        "resign",
        seated(PLAYING, PAUSED),
        does(Resign()),
        names=("投了",),
        whole=True,
        rash=ends_game("rash.resign"),
    ),
    Command(
        "masterreset",
        seated(PLAYING, PAUSED),
        lambda scene, given: entry(scene, MasterReset(), {"voters": scene.all_to_agree()}),
        names=("全中止",),
        whole=True,
        rash=ends_game("rash.masterreset"),
    ),
    Command("pause", seated(PLAYING), asks(Pause()), names=("一時停止",)),
    Command("resume", seated(PAUSED), does(Resume()), names=("再開",)),
    Command("remove", seated(PLAYING, PAUSED) | host(PLAYING, PAUSED), _remove, (NAME,), ("代打",)),
    Command(
        "accept",
        anywhere(),
        answers_with(Accept),
        (_VOTE,),
        ("賛成", "はい", "yes"),
        ("y",),
        of_use=has_questions,
        given_scope=Scope.PLAY,
    ),
    Command(
        "refuse",
        anywhere(),
        answers_with(Refuse),
        (_VOTE,),
        ("反対", "いいえ", "no"),
        ("n",),
        of_use=has_questions,
        given_scope=Scope.PLAY,
    ),
    Command(
        "reset",
        seated(OVER) | host(OVER, FROZEN),
        _new_board(Reset()),
        names=("片付け",),
        whole=True,
    ),
    Command("again", seated(OVER) | host(OVER), _new_board(Again()), names=("もう一度",)),
)
