"""From a typed text to an act: hop 3 of a line's way.

Order: an exact name, an exact short name, a game's shorthand, then an unambiguous prefix; a game's
verbs come before the room's commands. Commands that end or take something want the whole word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from bluebear.rules.core.chance import NoChance, WouldDraw
from bluebear.rules.core.game import Game
from bluebear.rules.core.grammar import Query, Verb
from bluebear.rules.core.refusal import Ambiguous, Confirmation, NotAllowed, NotUnderstood, Refusal
from bluebear.rules.core.slots import outgrows
from bluebear.rules.core.visibility import Move, Seat
from bluebear.server.commands.acts import Act, Interpretation, RunCommand, Tell, Unprepared, Write
from bluebear.server.commands.arguments import (
    FORMS,
    MASKED,
    Form,
    Typed,
    form_of,
    read_arguments,
    take_apart,
)
from bluebear.server.commands.command import (
    COMMANDS,
    Arguments,
    Command,
    heads,
    is_for_host,
    is_for_lessons,
    is_offered,
    may_use,
    phases_of,
    roles_for,
)
from bluebear.server.commands.native import error_span
from bluebear.server.commands.scene import Role, Scene, check_may_talk
from bluebear.server.limits import LINE_MAX_CHARS
from bluebear.server.people.account import Scope
from bluebear.server.room.reducer import Played
from bluebear.server.room.state import Phase, Room


def resolve(scene: Scene, text: str, *, may_be_move: bool = True) -> Interpretation:
    """What a typed text means here and now. Raises Refusal; changes nothing.

    `may_be_move`: unless it is known to be no canonical line of the game.
    """
    try:
        if len(text) > LINE_MAX_CHARS or (
            not text.isascii() and form_of(text) is not Form.TALK and outgrows(text)
        ):
            # Before anything is normalised: that is what is dear about such a text.
            raise NotUnderstood("too_long", most=LINE_MAX_CHARS)
        if may_be_move and scene.room is not None and scene.speaker.may(Scope.PLAY):
            human = scene.speaker.human
            quick = canonical_move(scene.room, scene.game, scene.seat, text, human=human)
            if quick is not None:
                return quick
        typed = take_apart(text)
        match typed.form:
            case Form.TALK:
                return _talk(scene, typed)
            case Form.WHISPER:
                return _whisper(scene, typed)
            case Form.COMMAND:
                return _command(scene, typed, text)
    except Refusal as refusal:
        refusal.span = error_span(refusal, text)
        raise


def canonical_move(
    room: Room, game: Game[Any] | None, seat: Seat | None, text: str, *, human: bool
) -> Write | None:
    """The hot path: the entry of a canonical line of a running game, parsed without a scene.

    None for other lines. Raises NotAllowed without a seat, and for a move that needs confirmation.
    """
    if game is None or room.table.phase is not Phase.PLAYING:
        return None
    if text[:1] != "/" or len(text) > LINE_MAX_CHARS:
        return None
    if not text.isascii() and outgrows(text):
        return None
    try:
        move = game.grammar.parse(text)
    except NotUnderstood:
        return None
    if seat is None:
        raise NotAllowed("not_seated")
    asks = human and game.has_confirmations
    if asks or not game.all_plain:
        _refuse_rash(game, room, seat, (move,), text, asks=asks)
    return Write((text,), played=Played(seat, move))


def _talk(scene: Scene, typed: Typed) -> Act:
    _check_scope(scene, Scope.CHAT)
    if not typed.text:
        raise NotUnderstood("empty_line")
    if scene.room is None:
        return _form(scene, typed)
    line = "/" + typed.text if typed.text.startswith("/") else typed.text
    return Write((line,), {"name": scene.speaker.name})


def _whisper(scene: Scene, typed: Typed) -> Act:
    if scene.room is None:
        raise NotAllowed("not_in_room")
    _check_scope(scene, Scope.CHAT)
    return _form(scene, typed)


def _form(scene: Scene, typed: Typed) -> Act:
    """The act of a feature for chat or a whisper outside of a room's entries."""
    form = FORMS.get(typed.form)
    if form is None:
        raise NotAllowed("not_in_room")
    return form(scene, typed)


def _command(scene: Scene, typed: Typed, text: str) -> Interpretation:
    if not typed.head:
        raise NotUnderstood("empty_line")
    game = scene.game
    item = _exact(scene, typed.head)
    if item is None and game is not None:
        expanded = game.grammar.expand(f"{typed.head} {typed.rest}".strip())
        if expanded is not None:
            head, _, rest = expanded.partition(" ")
            return _game_line(scene, game, game.grammar.verbs[head], rest, typed)
    if item is None:
        item = _prefixed(scene, typed.head)
    if isinstance(item, Command):
        _check_permission(scene, item)
        given = read_arguments(item, typed, scene)
        if item.rash is not None and not typed.confirmed:
            _check_rash(scene, item, given, typed.rest)
        if item.prepare is not None:
            return Unprepared(item.name, given, typed.confirmed, typed.rest)
        made = given if item.handler is None else item.handler(scene, given)
        if isinstance(made, dict):
            return RunCommand(item.name, made, text, scene.width)
        return made
    if game is None:
        raise NotAllowed("not_in_room")
    if item in game.grammar.queries:
        return _query(scene, game, item, typed.rest)
    return _game_line(scene, game, game.grammar.verbs[item], typed.rest, typed)


def carry_out(scene: Scene, call: Unprepared) -> Act:
    """The act of a prepared room command. Raises Refusal; changes nothing."""
    command = COMMANDS[call.command]
    _check_permission(scene, command)
    if not call.confirmed:
        _check_rash(scene, command, call.given, call.rest)
    act = None if command.handler is None else command.handler(scene, call.given)
    if act is None or isinstance(act, dict):
        raise NotAllowed("not_now", command=command.name, when=())
    return act


def _check_rash(scene: Scene, command: Command, given: Arguments, rest: str) -> None:
    """Raise NotAllowed (rash), with the confirming line, for a destructive command."""
    reason = command.rash(scene, given) if command.rash else ""
    if reason:
        line = f"/{command.name} {rest}".rstrip()
        raise NotAllowed("rash", reason=reason, candidates=(f"{line} !",))


def _exact(scene: Scene, head: str) -> Command | str | None:
    """The command, or the name of the game's verb or query, with this head; None if none."""
    if scene.game is not None:
        verb = scene.game.grammar.heads.exact(head)
        if verb is not None:
            return verb
    name = heads().exact(head)
    return None if name is None else COMMANDS[name]


def _prefixed(scene: Scene, head: str) -> Command | str:
    """The usable command or verb with this prefix. Raises Refusal if there is not exactly one."""
    if scene.game is not None and scene.phase is Phase.PLAYING and scene.seat is not None:
        verbs = scene.game.grammar.heads.prefixed(head)
        if len(verbs) == 1:
            return verbs[0]
        if verbs:
            raise Ambiguous(
                "ambiguous_command", given=head, candidates=[f"/{verb}" for verb in verbs]
            )
    names = heads().prefixed(head)
    usable = [name for name in names if is_offered(scene, COMMANDS[name])]
    short = [name for name in usable if not COMMANDS[name].needs_full_name]
    if len(short) == 1:
        return COMMANDS[short[0]]
    if short:
        raise Ambiguous("ambiguous_command", given=head, candidates=[f"/{n}" for n in short])
    if usable:
        raise NotUnderstood("whole_word", given=head, candidates=[f"/{n}" for n in usable])
    if len(names) == 1:
        _check_permission(scene, COMMANDS[names[0]])
    raise NotUnderstood("unknown_command", given=head, candidates=_near(scene, head))


def item_named(scene: Scene, head: str) -> Command | Verb | Query | None:
    """The command, verb or query of a folded head; None if there is not exactly one."""
    try:
        item = _exact(scene, head) or _prefixed(scene, head)
    except Refusal:
        return None
    if isinstance(item, Command) or scene.game is None:
        return item if isinstance(item, Command) else None
    grammar = scene.game.grammar
    return grammar.verbs.get(item) or grammar.queries[item]


def _near(scene: Scene, head: str) -> list[str]:
    """The nearest names that the speaker may use now."""
    near = [name for name in heads().near(head) if is_offered(scene, COMMANDS[name])]
    if scene.game is not None and scene.phase is Phase.PLAYING and scene.seat is not None:
        near = [*scene.game.grammar.heads.near(head), *near]
    return [f"/{name}" for name in dict.fromkeys(near)]


def _check_scope(scene: Scene, scope: Scope) -> None:
    """Raise NotAllowed: token_scope if a bot's token lacks the scope, silenced for chat."""
    scopes = scene.speaker.scopes
    if scopes is not None and scope not in scopes:
        raise NotAllowed("token_scope", scope=scope)
    if scope is Scope.CHAT:
        check_may_talk(scene)


def _check_permission(scene: Scene, command: Command) -> None:
    if may_use(scene, command):
        if command.scope is Scope.CHAT:
            check_may_talk(scene)
        return
    if not scene.speaker.may(command.scope):
        if command.scope is None:
            raise NotAllowed("not_for_bots", command=command.name)
        _check_scope(scene, command.scope)
    if scene.room is not None and scene.room.table.lesson and not is_for_lessons(command):
        raise NotAllowed("in_lesson", command=command.name, candidates=("/learn", "/learn skip"))
    host_only = is_for_host(scene, command)
    who = roles_for(command, host_only=host_only)
    if scene.room is None and who != (Role.OPERATOR,):
        raise NotAllowed("not_in_room")
    phases = phases_of(command, scene.roles, host_only=host_only)
    if scene.phase is Phase.PAUSED and Phase.PLAYING in phases:
        raise NotAllowed("paused")
    if phases:
        raise NotAllowed("not_now", command=command.name, when=phases)
    raise NotAllowed("not_permitted", command=command.name, who=who)


def _room_and_seat(scene: Scene) -> tuple[Room, Seat]:
    """Where the speaker plays. Raises NotAllowed: not_playing, not_seated, paused, stale, ..."""
    room, seat = scene.room, scene.seat
    if room is None:
        raise NotAllowed("not_in_room")
    _check_scope(scene, Scope.PLAY)
    if seat is None:
        raise NotAllowed("not_seated")
    if scene.is_stale:
        raise NotAllowed("stale")
    if scene.phase is Phase.PAUSED:
        raise NotAllowed("paused")
    if scene.phase is not Phase.PLAYING:
        raise NotAllowed("not_playing")
    return room, seat


def _game_line(scene: Scene, game: Game[object], verb: Verb, rest: str, typed: Typed) -> Write:
    room, seat = _room_and_seat(scene)
    long_form = game.text(scene.view(), scene.eyes).expand(seat, verb.name, rest)
    if not long_form:
        long_form = (_one_move(game, room, seat, verb, rest),)
    lines = tuple(game.grammar.format(move) for move in long_form)
    if not typed.confirmed:
        confirmed = lines[0] if len(lines) == 1 else f"/{verb.name} {rest}"
        asks = scene.speaker.human and game.has_confirmations
        if asks or not game.all_plain:
            _refuse_rash(game, room, seat, long_form, confirmed, asks=asks)
    return Write(lines)


def _one_move(game: Game[object], room: Room, seat: Seat, verb: Verb, rest: str) -> Move:
    try:
        return game.grammar.understand(verb, rest, lambda: game.legal(room.game, seat))
    except NotUnderstood as refusal:
        # Nothing can be filled in out of turn: then that is what is wrong with the line.
        if refusal.code == "missing_argument" and seat not in room.table.turn:
            raise NotAllowed("not_your_turn", seats=room.table.turn) from None
        raise


def _refuse_rash(
    game: Game[Any], room: Room, seat: Seat, moves: Sequence[Move], confirmed: str, *, asks: bool
) -> None:
    """Raise NotAllowed (rash), with the confirming line, if a move needs confirmation.

    `asks`: the game's confirmations count, too. In a lesson the lesson replies to such a move.
    """
    if room.table.lesson is not None:
        return
    state = room.game
    for left, move in enumerate(moves, start=1 - len(moves)):
        doubt = _doubt(game, state, seat, move, asks=asks)
        if doubt is not None:
            raise NotAllowed(
                "rash", reason=doubt.phrase, candidates=(f"{confirmed} !",), **doubt.params
            )
        if not left:
            return
        try:
            state = game.play(state, seat, move, NoChance()).state
        except (Refusal, WouldDraw):
            return


def _doubt(
    game: Game[Any],
    state: Any,  # Any: of the game's own class
    seat: Seat,
    move: Move,
    *,
    asks: bool,
) -> Confirmation | None:
    """Why a move needs confirmation; None for plain moves and for illegal ones."""
    rash = game.is_rash(state, seat, move)
    if not (rash or asks) or move not in list(game.legal(state, seat)):
        return None
    if rash:
        return Confirmation(f"rash.{game.grammar.verb_of(move).name}", {})
    eyes = frozenset((seat,))
    return game.text(game.seen(state, eyes), eyes).confirmation(seat, move)


def _query(scene: Scene, game: Game[object], name: str, rest: str) -> Tell:
    if scene.room is None or scene.room.game is None:
        raise NotAllowed("not_playing")
    arguments = game.grammar.arguments(game.grammar.queries[name], rest)
    texts = game.text(scene.view(), scene.eyes, scene.page)
    make = texts.figures.get(name)
    return Tell(name, texts.answer(name, arguments), make and partial(make, texts, **arguments))


def loggable(text: str) -> str:
    """A text as it may be logged: "" for chat, and no arguments that may be a password."""
    typed = take_apart(text)
    if typed.form is not Form.COMMAND:
        return ""
    names = (*heads().find(typed.head), *heads().near(typed.head))
    if any(COMMANDS[name].secret for name in names):
        return f"/{typed.head} {MASKED}"
    return f"/{typed.head} {typed.text}".rstrip()
