"""Commands that look at the room: its state, the table, what happened, votes, the record."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from bluebear.rules.core.refusal import NotUnderstood
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.server.commands import answers
from bluebear.server.commands.acts import FetchRecord, ForkGame, LookBack
from bluebear.server.commands.command import (
    OVER,
    PAUSED,
    PLAYING,
    Argument,
    Arguments,
    Command,
    anywhere,
    in_room,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.people.account import Scope

_DIGITS: Final = 10
"""Numbers of moves are shorter."""

_GAME_ID: Final = Argument("game_id", "game_id", optional=True)
_MOVE: Final = Argument("move", "move", optional=True)

_STEPS: Final = Lexicon(
    [
        Choice("next", ("次", "進む"), ("n",)),
        Choice("back", ("前", "戻る"), ("b",)),
        Choice("first", ("最初",)),
        Choice("last", ("最後",)),
    ]
)


def _look_back(what: Literal["history", "replay", "minutes"], given: Arguments) -> LookBack:
    """What is looked at; a number or a step may stand where the game would."""
    game_id, move = given.get("game_id", ""), given.get("move", "")
    if game_id and not move and (step := _step(game_id)):
        return LookBack(what, move=step)
    step = _step(move)
    if move and not step:
        raise NotUnderstood("bad_word", argument="move", given=move, candidates=_STEPS.values)
    return LookBack(what, game_id, step)


def _step(word: str) -> str:
    """A number or the name of a step; "" for any other word."""
    if word.isascii() and word.isdigit() and len(word) < _DIGITS:
        return word
    found = _STEPS.find(fold(word)) if word else ()
    return found[0] if len(found) == 1 else ""


def _fork(scene: Scene, given: Arguments) -> ForkGame:
    """A finished game goes on from after a move, which is named by its number."""
    move = _step(given["move"])
    if not move.isdigit():
        raise NotUnderstood("bad_word", argument="move", given=given["move"], candidates=("0", "1"))
    return ForkGame(given["game_id"], int(move))


COMMANDS: Final = (
    Command(
        "info",
        in_room(),
        lambda scene, given: answers.info(scene),
        names=("情報",),
        short=("spielinfo",),
    ),
    Command(
        "board",
        in_room(),
        lambda scene, given: answers.board(scene, short="form" in given),
        (Argument("form", "choice", optional=True, choices=(Choice("short", ("要点",)),)),),
        ("盤", "盤面"),
    ),
    Command(
        "look",
        in_room(),
        lambda scene, given: answers.look(scene, given.get("area", "")),
        (Argument("area", "area", optional=True),),
        ("眺める",),
        needs_area="",
    ),
    Command("recap", in_room(), lambda scene, given: answers.recap(scene), names=("振り返り",)),
    Command("votes", in_room(), lambda scene, given: answers.votes(scene), names=("投票一覧",)),
    Command(
        "record",
        anywhere(),
        lambda scene, given: FetchRecord(given.get("game_id", "")),
        (_GAME_ID,),
        ("記録", "棋譜"),
    ),
    Command(
        "minutes",
        anywhere(),
        lambda scene, given: _look_back("minutes", given),
        (_GAME_ID, _MOVE),
        ("対局記録",),
    ),
    Command(
        "history",
        in_room(PLAYING, PAUSED, OVER),
        lambda scene, given: _look_back("history", given),
        (_MOVE,),
        ("履歴",),
    ),
    Command(
        "replay",
        anywhere(),
        lambda scene, given: _look_back("replay", given),
        (_GAME_ID, _MOVE),
        ("再生",),
    ),
    Command(
        "fork",
        anywhere(),
        _fork,
        (replace(_GAME_ID, optional=False), Argument("move", "move")),
        ("分岐",),
        given_scope=Scope.HOST,
    ),
)
