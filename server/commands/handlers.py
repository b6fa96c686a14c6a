"""What each command does: (scene, arguments) -> act. Those that only tell are in `answers`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from rules.core.chance import SEED_BYTES, commitment
from rules.core.phrases import LANGS
from rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from rules.core.slots import fold, nearest
from rules.core.vision import Seat, held
from server.commands import answers, going
from server.commands.acts import Act, FetchRecord, SetLang, SetName, Write
from server.commands.scene import Scene
from server.journal import Json
from server.limits import INVITE_DAYS, INVITE_USES
from server.room.options import find_option, option_text, options_for, value_of
from server.room.standins import default_bot
from server.room.state import Phase, Room
from server.tokens import token_from, token_hash

Arguments = Mapping[str, str]
Handler = Callable[[Scene, Arguments], Act]

_DAY_MS: Final = 24 * 3600 * 1000


def _room(scene: Scene) -> Room:
    if scene.room is None:
        raise NotAllowed("not_in_room")
    return scene.room


def _speaker(scene: Scene) -> dict[str, Json]:
    return {"name": scene.speaker.name, "kind": "human" if scene.speaker.human else "bot"}


def new_game_facts(fresh: bytes) -> dict[str, Json]:
    """The seed of a game's draws, its commitment and the game's id, from 64 fresh bytes."""
    seed = fresh[:SEED_BYTES]
    return {
        "seed": seed.hex(),
        "commit": commitment(seed),
        "game_id": "g" + hashlib.sha256(b"game" + fresh[SEED_BYTES:]).hexdigest()[:15],
    }


def _page(arguments: Arguments) -> int:
    return int(arguments.get("page", "1"))


def _plain(line: str) -> Handler:
    return lambda scene, arguments: Write((line,), _speaker(scene))


def _with_voters(line: str) -> Handler:
    return lambda scene, arguments: Write((line,), {**_speaker(scene), "voters": scene.voters()})


def _lang(scene: Scene, arguments: Arguments) -> Act:
    for lang in LANGS:
        if arguments["lang"] == lang:
            return SetLang(lang)
    raise NotUnderstood("bad_word", argument="lang", given=arguments["lang"], candidates=LANGS)


def _join(scene: Scene, arguments: Arguments) -> Act:
    room = _room(scene)
    facts = {**_speaker(scene), "voters": scene.voters()}
    seat = int(arguments["seat"]) if "seat" in arguments else _seat_to_join(scene, room)
    seed = f" seed={arguments['seed']}" if "seed" in arguments else ""
    return Write((f"/join {seat}{seed}",), facts)


def _seat_to_join(scene: Scene, room: Room) -> int:
    """The seat that `/join` means without a number; NotAllowed or Ambiguous if there is none."""
    if scene.seat is not None:
        return int(scene.seat)
    if room.table.phase is Phase.OPEN:
        most = scene.game.info.max_seats if scene.game else 0
        for number in range(1, most + 1):
            if Seat(number) not in room.seats:
                return number
        raise NotAllowed("room_full", most=most)
    vacant = [int(seat) for seat, chair in room.seats.items() if chair.person is None]
    if not vacant:
        raise NotAllowed("game_running")
    if len(vacant) > 1:
        raise Ambiguous("which_seat", candidates=[f"/join {seat}" for seat in vacant])
    return vacant[0]


def _option(scene: Scene, arguments: Arguments) -> Act:
    room, game = _room(scene), scene.game
    if game is None:
        raise NotAllowed("version_gap", given=room.table.game)
    given = arguments.get("option", "")
    if not given or fold(given) in ("help", "ヘルプ"):
        return answers.options(scene, arguments.get("value", ""), explain=bool(given))
    known = options_for(game)
    option = find_option(known, given)
    before = value_of(room.table, known, option.name)
    if "value" not in arguments and option.kind != "switch":
        return answers.options(scene, option.name, explain=True)
    value = option_text(option, arguments.get("value", "toggle"), before=before)
    return Write((f"/option {option.name} {value}",), _speaker(scene))


def _bot(scene: Scene, arguments: Arguments) -> Act:
    room, game = _room(scene), scene.game
    if game is None:
        raise NotAllowed("version_gap", given=room.table.game)
    strategy = arguments.get("strategy", default_bot(game.bots))
    if strategy == "remove":
        seats = [int(seat) for seat, chair in room.seats.items() if chair.person is None]
        seat = _one_seat(arguments, seats, "/bot remove")
        return Write((f"/bot remove {seat}",), _speaker(scene))
    if room.table.phase is Phase.OPEN:
        most = game.info.max_seats
        free = [number for number in range(1, most + 1) if Seat(number) not in room.seats]
        if not free:
            raise NotAllowed("room_full", most=most)
        seat = int(arguments.get("seat", free[0]))
    else:
        house = [int(seat) for seat, chair in room.seats.items() if chair.person is None]
        seat = _one_seat(arguments, house, f"/bot {strategy}")
    return Write((f"/bot {strategy} {seat}",), _speaker(scene))


def _one_seat(arguments: Arguments, seats: list[int], line: str) -> int:
    if "seat" in arguments:
        return int(arguments["seat"])
    if len(seats) == 1:
        return seats[0]
    if not seats:
        raise NotAllowed("no_bot_there", seat=0)
    raise Ambiguous("which_seat", candidates=[f"{line} {seat}" for seat in seats])


def _undo(scene: Scene, arguments: Arguments) -> Act:
    room, game, seat = _room(scene), scene.game, scene.seat
    if game is None or seat is None:
        raise NotAllowed("not_seated")
    what = arguments.get("what", "")
    move = game.take_back(room.game, seat, what)
    if move is not None:
        return Write((game.grammar.format(move),))
    if what:
        raise NotAllowed("nothing_to_take_back", given=what)
    for past in reversed(room.past):
        if past.seat == seat:
            facts = {**_speaker(scene), "voters": scene.voters()}
            return Write((f"/undo {past.version}",), facts)
    raise NotAllowed("nothing_to_undo")


def _remove(scene: Scene, arguments: Arguments) -> Act:
    room = _room(scene)
    folded = fold(arguments["name"])
    for seat, chair in room.seats.items():
        if fold(chair.name) == folded:
            return Write((f"/remove {seat}",), {**_speaker(scene), "voters": scene.voters()})
    others = [c.name for s, c in room.seats.items() if c.person is not None and s != scene.seat]
    raise NotAllowed(
        "no_such_player", given=arguments["name"], candidates=_near_names(arguments["name"], others)
    )


def _ballot(word: str) -> Handler:
    def handle(scene: Scene, arguments: Arguments) -> Act:
        votes = _room(scene).table.votes
        if "vote" in arguments:
            return Write((f"/{word} {int(arguments['vote'])}",))
        mine = [number for number, vote in votes.items() if scene.seat in vote.voters]
        if not mine:
            raise NotAllowed("no_vote")
        if len(mine) > 1:
            raise Ambiguous("which_vote", candidates=[f"/{word} {number}" for number in mine])
        return Write((f"/{word} {mine[0]}",))

    return handle


def _new_board(line: str) -> Handler:
    return lambda scene, arguments: Write(
        (line,), {**_speaker(scene), **new_game_facts(scene.fresh)}
    )


def _person(scene: Scene, given: str) -> tuple[str, str]:
    """Id and name of somebody who has to do with the room; NotAllowed with the nearest names."""
    room = _room(scene)
    known: dict[str, str] = {**held(room.table.banned), **held(room.table.admitted)}
    known.update((c.person, c.name) for c in room.seats.values() if c.person is not None)
    known.update(scene.here)
    for person, name in known.items():
        if fold(name) == fold(given):
            return person, name
    near = _near_names(given, known.values())
    raise NotAllowed("no_such_person", given=given, candidates=near)


def _near_names(given: str, names: Iterable[str]) -> list[str]:
    folded = {fold(name): name for name in names}
    return [folded[each] for each in nearest(fold(given), folded)]


def _on_person(word: str) -> Handler:
    def handle(scene: Scene, arguments: Arguments) -> Act:
        person, name = _person(scene, arguments["name"])
        return Write((f"/{word} {name}",), {**_speaker(scene), "whom": person})

    return handle


def _host(scene: Scene, arguments: Arguments) -> Act:
    person, name = _person(scene, arguments["name"])
    if person not in scene.here:
        raise NotAllowed("not_here", given=name)
    return Write((f"/host {name}",), {**_speaker(scene), "whom": person})


def _password(scene: Scene, arguments: Arguments) -> Act:
    given = arguments["password"]
    if fold(given) in ("none", "なし"):
        return Write(("/password none",), _speaker(scene))
    going.check_password(given)
    return Write(("/password set",), _speaker(scene), secret=given)


def _invite(scene: Scene, arguments: Arguments) -> Act:
    facts = _speaker(scene)
    if "name" in arguments:
        found = scene.known.person
        if found is None:
            raise NotAllowed("no_such_person", given=arguments["name"])
        person, name = found
        facts.update(guest=person, guest_name=name)
        return Write((f"/invite {name}",), facts)
    token = token_from("invite", scene.fresh)
    expires = scene.now + INVITE_DAYS * _DAY_MS
    facts.update(hash=token_hash(token), uses=INVITE_USES, expires=expires)
    note = answers.invite_note(scene, token, INVITE_USES, INVITE_DAYS)
    return Write(("/invite",), facts, note=note)


def _uninvite(scene: Scene, arguments: Arguments) -> Act:
    given = arguments["token"]
    if fold(given) in ("all", "全部"):
        return Write(("/uninvite all",), {**_speaker(scene), "invite": "all"})
    hashed = token_hash(given.rsplit("/", 1)[-1])
    return Write(("/uninvite one",), {**_speaker(scene), "invite": hashed})


HANDLERS: Final[Mapping[str, Handler]] = {
    "help": lambda scene, arguments: answers.help_text(scene, arguments.get("command", "")),
    "rules": lambda scene, arguments: answers.rules(scene, arguments.get("paragraph", "")),
    "lang": _lang,
    "nick": lambda scene, arguments: SetName(arguments["name"]),
    "who": lambda scene, arguments: answers.who(scene),
    "listroom": lambda scene, arguments: answers.room_list(scene, _page(arguments)),
    "listfree": lambda scene, arguments: answers.room_list(scene, _page(arguments)),
    "lobby": lambda scene, arguments: going.go_lobby(scene),
    "room": going.enter,
    "newroom": going.new_room,
    "myrooms": lambda scene, arguments: answers.my_rooms(scene),
    "tell": going.tell,
    "info": lambda scene, arguments: answers.info(scene),
    "board": lambda scene, arguments: answers.board(scene),
    "look": lambda scene, arguments: answers.look(scene, arguments.get("area", "")),
    "hand": lambda scene, arguments: answers.look(scene, "hand"),
    "moves": lambda scene, arguments: answers.moves(scene),
    "recap": lambda scene, arguments: answers.recap(scene),
    "votes": lambda scene, arguments: answers.votes(scene),
    "record": lambda scene, arguments: FetchRecord(arguments.get("game_id", "")),
    "join": _join,
    "leave": _plain("/leave"),
    "option": _option,
    "seed": lambda scene, arguments: Write((f"/seed {arguments['hex']}",), _speaker(scene)),
    "start": _plain("/start"),
    "startnosave": _plain("/startnosave"),
    "bot": _bot,
    "undo": _undo,
    "resign": _plain("/resign"),
    "masterreset": _with_voters("/masterreset"),
    "pause": _with_voters("/pause"),
    "resume": _plain("/resume"),
    "remove": _remove,
    "accept": _ballot("accept"),
    "refuse": _ballot("refuse"),
    "reset": _new_board("/reset"),
    "again": _new_board("/again"),
    "host": _host,
    "password": _password,
    "invite": _invite,
    "uninvite": _uninvite,
    "kick": _on_person("kick"),
    "ban": _on_person("ban"),
    "unban": _on_person("unban"),
}
"""One handler for each command of the table."""
