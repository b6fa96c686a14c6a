"""Commands during a game and after it: looking, moves, undo, votes, giving up, the next game."""

from __future__ import annotations

from bluebear.rules.core.refusal import Ambiguous, NotAllowed
from bluebear.rules.core.slots import Choice, fold
from bluebear.server.commands import answers
from bluebear.server.commands.acts import ANSWER_OFFER, Act, RunCommand, Write
from bluebear.server.commands.command import (
    FROZEN,
    OVER,
    PAUSED,
    PLAYING,
    Arguments,
    Command,
    Handler,
    anywhere,
    asks,
    does,
    ends_game,
    entry,
    host,
    in_room,
    near_names,
    room_here,
    seated,
)
from bluebear.server.commands.scene import Scene
from bluebear.server.features.feature import Feature
from bluebear.server.people.account import Scope
from bluebear.server.room.creation import new_game_facts
from bluebear.server.room.fold_context import RoomAct
from bluebear.server.room.game_flow import Resign
from bluebear.server.room.game_setup import Again, Reset
from bluebear.server.room.votes import Accept, MasterReset, Pause, Refuse, Remove, Resume, Undo
from bluebear.server.store import Json


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
    players = [c.name for s, c in seats.items() if c.person is not None and s != scene.seat]
    raise NotAllowed("no_such_player", given=name, candidates=near_names(name, players))


def _new_board(act: RoomAct) -> Handler:
    return lambda scene, given: entry(scene, act, new_game_facts(scene.fresh))


def has_questions(scene: Scene) -> bool:
    """Whether there is something to answer, or may be in a moment: where the speaker plays."""
    plays = scene.seat is not None and scene.phase in (PLAYING, PAUSED)
    return plays or scene.is_offered_game or bool(scene.ballots(yes=False))


def _done_with(scene: Scene) -> list[int]:
    """The open votes that the speaker has voted in or has opened."""
    room, seat, person = scene.now_room or scene.room, scene.seat, scene.speaker.person
    votes = {} if room is None else room.table.votes
    return [n for n, vote in votes.items() if seat in vote.voters or vote.was_opened_by(person)]


def answers_with(act: type[Accept | Refuse]) -> Handler:
    """A ballot in the vote that is named, else the answer to the only open question."""

    def handle(scene: Scene, given: Arguments) -> Act:
        if "vote" in given:
            return _ballot(scene, act, given["vote"])
        ballots = scene.ballots(yes=act.yes)
        questions = [act(number).line for number in ballots]
        if scene.is_offered_game:
            questions.append(f"/wish {'yes' if act.yes else 'no'}")
        if len(questions) > 1:
            raise Ambiguous("which_vote", candidates=questions)
        if ballots:
            return _ballot(scene, act, ballots[0])
        if scene.room is None or scene.is_offered_game:
            return RunCommand(ANSWER_OFFER, {"yes": act.yes})
        # What is wrong with it the vote itself says.
        for number in _done_with(scene)[:1]:
            return _ballot(scene, act, number)
        raise NotAllowed("no_vote")

    return handle


def _ballot(scene: Scene, act: type[Accept | Refuse], number: int) -> Write:
    if scene.room is None:
        raise NotAllowed("not_in_room")
    if (scene.now_room or scene.room).table.phase not in (PLAYING, PAUSED):
        raise NotAllowed("no_vote")
    return Write.of(act(number))


class Play(Feature):
    """What a room shows; moves and their undo, votes, giving up, the next game."""

    name = "play"
    is_basic = True
    commands = (
        Command(
            "info",
            in_room(),
            answers.info,
            names=("情報",),
            short=("spielinfo",),
        ),
        Command(
            "board form?",
            in_room(),
            lambda scene, given: answers.board(scene, short="form" in given),
            ("盤", "盤面"),
            choices={"form": (Choice("short", ("要点",)),)},
        ),
        Command(
            "look area?",
            in_room(),
            lambda scene, given: answers.look(scene, given.get("area", "")),
            ("眺める",),
            needs_area="",
        ),
        Command("recap", in_room(), answers.recap, names=("振り返り",)),
        Command("votes", in_room(), answers.votes, names=("投票一覧",)),
        Command(
            "hand",
            seated(PLAYING, PAUSED, OVER),
            lambda scene, given: answers.look(scene, "hand"),
            names=("手札",),
            needs_area="hand",
        ),
        Command("moves", seated(PLAYING), answers.moves, names=("手",)),
        Command("undo what:text?", seated(PLAYING), _undo, ("待った", "取り消し")),
        Command(
            "resign",
            seated(PLAYING, PAUSED),
            does(Resign()),
            names=("投了",),
            needs_full_name=True,
            rash=ends_game("rash.resign"),
        ),
        Command(
            "masterreset",
            seated(PLAYING, PAUSED),
            lambda scene, given: entry(scene, MasterReset(), {"voters": scene.all_to_agree()}),
            names=("全中止",),
            needs_full_name=True,
            rash=ends_game("rash.masterreset"),
        ),
        Command("pause", seated(PLAYING), asks(Pause()), names=("一時停止",)),
        Command("resume", seated(PAUSED), does(Resume()), names=("再開",)),
        Command("remove name", seated(PLAYING, PAUSED) | host(PLAYING, PAUSED), _remove, ("代打",)),
        Command(
            "accept vote?",
            anywhere(),
            answers_with(Accept),
            ("賛成", "はい", "yes"),
            ("y",),
            of_use=has_questions,
            given_scope=Scope.PLAY,
        ),
        Command(
            "refuse vote?",
            anywhere(),
            answers_with(Refuse),
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
            needs_full_name=True,
        ),
        Command("again", seated(OVER) | host(OVER), _new_board(Again()), names=("もう一度",)),
    )
