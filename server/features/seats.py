"""Commands before a game: seats, options, seeds, house bots, the start."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import Ambiguous, NotAllowed
from bluebear.rules.core.slots import Lexicon, fold
from bluebear.rules.core.visibility import Seat
from bluebear.server.commands import answers
from bluebear.server.commands.acts import NO_FACTS, Act, Write
from bluebear.server.commands.answers import bots
from bluebear.server.commands.arguments import EXPLAIN
from bluebear.server.commands.command import (
    OPEN,
    OVER,
    PAUSED,
    PLAYING,
    Arguments,
    Command,
    does,
    ends_game,
    entry,
    host,
    in_room,
    room_here,
    seated,
)
from bluebear.server.commands.scene import Role, Scene
from bluebear.server.features.feature import Feature
from bluebear.server.people.account import Scope
from bluebear.server.room.game_setup import (
    REMOVE,
    Bot,
    GiveSeed,
    Join,
    Leave,
    SetOption,
    Start,
    StartUnrated,
)
from bluebear.server.room.options import find_option, option_text, options_for, seats_of, value_of
from bluebear.server.room.rated_games import RATED
from bluebear.server.room.stand_ins import default_bot
from bluebear.server.room.state import Phase, Room
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
    room, game = room_here(scene), scene.game
    if game is None:
        raise NotAllowed("version_gap", given=room.table.game)
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
    most = seats_of(room.table, scene.game.info)[1]
    return "rash.start" if len(room.seats) < most else ""


def _start(scene: Scene, given: Arguments) -> Write:
    return _begin(scene, Start())


def _start_unrated(scene: Scene, given: Arguments) -> Write:
    _check_pin(scene, RATED, "off")
    return _begin(scene, StartUnrated())


def _begin(scene: Scene, act: Start) -> Write:
    """The start, or the speaker's part in it where only the host begins."""
    only_ready = scene.host_only and scene.roles.isdisjoint((Role.HOST, Role.OPERATOR))
    return entry(scene, act, {"begins": False} if only_ready else NO_FACTS)


def _bot(scene: Scene, given: Arguments) -> Write:
    room, game = room_here(scene), scene.game
    if game is None:
        raise NotAllowed("version_gap", given=room.table.game)
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
            _start,
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
