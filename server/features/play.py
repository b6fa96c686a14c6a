"""Commands of a room: seats, options and the start; looking, moves, votes; the next game."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import Ambiguous, NotAllowed
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands import answers
from bluebear.server.commands.acts import ANSWER_OFFER, NO_FACTS, Act, RunCommand, Write
from bluebear.server.commands.answers import bots
from bluebear.server.commands.arguments import EXPLAIN
from bluebear.server.commands.command import (
    FROZEN,
    OPEN,
    OVER,
    PAUSED,
    PLAYING,
    Arguments,
    Command,
    Handler,
    anywhere,
    does,
    ends_game,
    entry,
    game_here,
    host,
    in_room,
    near_names,
    room_here,
    seated,
)
from bluebear.server.commands.scene import Role, Scene
from bluebear.server.features.feature import Feature
from bluebear.server.people.account import Scope
from bluebear.server.room.creation import new_game_facts
from bluebear.server.room.fold_context import RoomAct
from bluebear.server.room.game_flow import Resign
from bluebear.server.room.game_setup import (
    REMOVE,
    Again,
    Bot,
    GiveSeed,
    Join,
    Leave,
    Reset,
    SetOption,
    Start,
    StartUnrated,
)
from bluebear.server.room.options import find_option, option_text, options_for, seats_of, value_of
from bluebear.server.room.rated_games import RATED
from bluebear.server.room.stand_ins import default_bot
from bluebear.server.room.state import Phase, Room
from bluebear.server.room.votes import Accept, MasterReset, Pause, Refuse, Remove, Resume, Undo
from bluebear.server.store import Json

_EXPLAIN: Final = Lexicon((EXPLAIN,))


def _join(scene: Scene, given: Arguments) -> Write:
    seat = given["seat"] if "seat" in given else _seat_to_join(scene, room_here(scene))
    account = scene.speaker.account
    facts: dict[str, Json] = {"voters": scene.voters(), "account": account}
    return entry(scene, Join(seat, given.get("seed")), facts)


def _seat_to_join(scene: Scene, room: Room) -> Seat:
    """The seat that `/join` means without a number; NotAllowed or Ambiguous if there is none."""
    if scene.seat is not None:
        return scene.seat
    if room.table.phase is Phase.OPEN:
        return _first_free(scene, room)
    vacant = _of_house(room)
    if not vacant:
        raise NotAllowed("game_running")
    if len(vacant) > 1:
        raise Ambiguous("which_seat", candidates=[Join(seat).line for seat in vacant])
    return vacant[0]


def _first_free(scene: Scene, room: Room) -> Seat:
    """The lowest free seat; NotAllowed (room_full) if there is none."""
    most = seats_of(room.table, scene.game.info)[1] if scene.game else 0
    for seat in map(Seat, range(1, most + 1)):
        if seat not in room.table.seats:
            return seat
    raise NotAllowed("room_full", most=most)


def _of_house(room: Room) -> list[Seat]:
    """The seats that no person has."""
    return [seat for seat, chair in room.seats.items() if chair.person is None]


def _check_pin(scene: Scene, option: str, value: str) -> None:
    """NotAllowed (option_pinned) where the configuration fixes another value of an option."""
    pinned = scene.pins.of(room_here(scene).table.game).get(option)
    if pinned not in (None, value):
        raise NotAllowed("option_pinned", option=option, value=pinned)


def _option(scene: Scene, given: Arguments) -> Act:
    room, game = room_here(scene), game_here(scene)
    named = given.get("option", "")
    if not named or _EXPLAIN.exact(fold(named)):
        return answers.options(scene, given.get("value", ""), explain=bool(named))
    options = options_for(game)
    option = find_option(options, named)
    if _EXPLAIN.exact(fold(given.get("value", ""))):
        return answers.options(scene, option.name, explain=True)
    before = value_of(room.table, options, option.name)
    if "value" not in given and option.kind != "switch":
        return answers.options(scene, option.name, explain=True)
    value = option_text(option, given.get("value", "toggle"), before=before)
    _check_pin(scene, option.name, value)
    return entry(scene, SetOption(option.name, value))


def _only_bots(scene: Scene, given: Arguments) -> str:
    """Asks a person back who would start a game of house bots, though a seat is free for them."""
    room = room_here(scene)
    if not scene.speaker.human or scene.seat is not None or scene.game is None:
        return ""
    if not room.seats or len(_of_house(room)) < len(room.seats):
        return ""
    least, most = seats_of(room.table, scene.game.info)
    return "rash.start" if least <= len(room.seats) < most else ""


def _start_unrated(scene: Scene, given: Arguments) -> Write:
    _check_pin(scene, RATED, "off")
    return _begin(scene, StartUnrated())


def _begin(scene: Scene, act: Start) -> Write:
    """The start, or the speaker's part in it where only the host begins."""
    only_ready = scene.host_only and scene.roles.isdisjoint((Role.HOST, Role.OPERATOR))
    return entry(scene, act, {"begins": False} if only_ready else NO_FACTS)


def _bot(scene: Scene, given: Arguments) -> Write:
    room, game = room_here(scene), game_here(scene)
    strategy = given.get("strategy", default_bot(game.bots))
    if strategy != REMOVE and room.table.phase is Phase.OPEN:
        free = _first_free(scene, room)
        return entry(scene, Bot(strategy, given.get("seat", free)), {"account": False})
    if "seat" in given:
        return entry(scene, Bot(strategy, given["seat"]))
    bots = [Bot(strategy, seat) for seat in _of_house(room)]
    if not bots:
        raise NotAllowed("no_bot_there", seat=0)
    if len(bots) > 1:
        raise Ambiguous("which_seat", candidates=[bot.line for bot in bots])
    return entry(scene, bots[0])


class Seats(Feature):
    """Seats, options, seeds, house bots and the start."""

    name = "seats"
    is_basic = True
    commands = (
        Command(
            "join seat? seed?",
            in_room(OPEN, PLAYING, PAUSED),
            _join,
            ("参加",),
            given_scope=Scope.PLAY,
        ),
        Command(
            "leave",
            seated(OPEN, PLAYING, PAUSED, OVER),
            does(Leave()),
            names=("退席",),
            needs_full_name=True,
            rash=ends_game("rash.leave"),
        ),
        Command(
            "option option? value:text?",
            seated(OPEN) | host(OPEN),
            _option,
            ("オプション", "設定"),
            host_rule=True,
        ),
        Command(
            "seed hex",
            seated(OPEN),
            lambda scene, given: entry(scene, GiveSeed(given["hex"])),
            ("種",),
        ),
        Command(
            "start",
            seated(OPEN) | host(OPEN),
            lambda scene, given: _begin(scene, Start()),
            names=("開始", "スタート"),
            host_rule=True,
            confirms=True,
            needs_full_name=True,
            rash=_only_bots,
        ),
        Command(
            "startnosave",
            seated(OPEN) | host(OPEN),
            _start_unrated,
            names=("練習開始",),
            host_rule=True,
            confirms=True,
            needs_full_name=True,
            rash=_only_bots,
        ),
        Command(
            "bot strategy? seat?",
            seated(OPEN) | host(OPEN, PLAYING, PAUSED),
            _bot,
            ("ボット",),
            host_rule=True,
        ),
        Command("bots", in_room(), bots, names=("ボット一覧",)),
    )


def _undo(scene: Scene, given: Arguments) -> Write:
    """Inside of a turn it is a move of the game, if that knows one; else a matter of the room."""
    room, game, seat = room_here(scene), scene.game, scene.seat
    if game is None or seat is None:
        raise NotAllowed("not_seated")
    if scene.is_stale:
        raise NotAllowed("stale")
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
        Command("info", in_room(), answers.info, names=("情報",), short=("spielinfo",)),
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
        Command(
            "pause",
            seated(PLAYING),
            lambda scene, given: entry(scene, Pause(), {"voters": scene.voters()}),
            names=("一時停止",),
        ),
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
