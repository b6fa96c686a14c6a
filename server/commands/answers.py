"""Texts about a room that commands show: rules, boards, options. All from the speaker's view."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from bluebear.rules.core.game import Game
from bluebear.rules.core.game_info import Option
from bluebear.rules.core.phrases import LANGS, SUMMARY, called
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.search_model import LEVELS
from bluebear.rules.core.slots import fold
from bluebear.rules.core.suggest import nearest
from bluebear.rules.core.text_layout import flowed
from bluebear.rules.core.visibility import Eyes, Seat
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.arguments import LEVEL_NAMES, game_named
from bluebear.server.commands.command import Arguments, game_here, room_here
from bluebear.server.commands.native import head_for
from bluebear.server.commands.scene import Scene
from bluebear.server.room.fold_context import logged_for
from bluebear.server.room.options import (
    CLOCKS,
    day_of,
    find_option,
    format_value,
    options_for,
    value_of,
)
from bluebear.server.room.rated_games import abandoned_seats, why_unrated
from bluebear.server.room.spectators import peek_of
from bluebear.server.room.state import Phase, Recorded, Room, by_days
from bluebear.server.room.votes import undo_reach
from bluebear.server.sentences import SERVER, event_lines, reach_line, say, span

DESCRIBED_BOTS: Final = (*LEVELS, "greedy", "random")
"""House bots of the server, of which there is a sentence each; a game may bring others, and a
sentence of its own about each bot, `bot.NAME`.
"""

_ABOUT: Final = ("about", "説明")
_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])")
"""Zeros before a number, and a number that may have one: `n007` and `n7` are `n07`."""
_DIGIT: Final = re.compile(r"(?<![0-9])[0-9](?![0-9])")
_NAMES_MAX: Final = 12
"""Names that a text may mean which are listed."""


class Book(Struct, frozen=True):
    """The rules of a game, by number, in the reader's language: what chapters mean on this table;
    with the contents also the titles of chapters, texts for newcomers, and the paragraphs.
    """

    table: Mapping[str, str]
    chapters: Mapping[str, str] | UnsetType = UNSET
    texts: Mapping[str, str] | UnsetType = UNSET
    paragraphs: Mapping[str, str] | UnsetType = UNSET


def rules(scene: Scene, given: str) -> Tell:
    """The contents of a game's rules, or one paragraph: by its number, or by words that it has.

    It is the room's game; in the lobby its name comes first. Each answer has as data what chapters
    mean on the table now, the contents all texts as well. Raises NotAllowed: no_such_paragraph.
    """
    lang, wanted = scene.speaker.lang, given
    head = "/rules" if lang == "en" else "/ルール"
    if scene.room is not None:
        game = game_here(scene)
    elif not given:
        names = tuple(f"{head} {key}" for key in scene.games)
        return Tell("rules", say("answer.rules_of", lang, lines=names))
    else:
        name, _, wanted = given.partition(" ")
        game = scene.games[game_named(scene.games, name)]
        head = f"{head} {game.info.key}"
    side, numbers = LANGS.index(lang), tuple(game.rules)
    view, chapters = scene.view(), game.chapters
    table = game.text(view, scene.eyes, scene.page).on_this_table() if view is not None else {}
    if not wanted:
        book = Book(
            table,
            chapters={number: each.title[side] for number, each in chapters.items()},
            texts={number: each.text[side] for number, each in chapters.items()},
            paragraphs={number: both[side] for number, both in game.rules.items()},
        )
        lines = [f"{number}. {each.title[side]}" for number, each in chapters.items()]
        lines.append(say("answer.rules_contents", lang, line=head))
        return Tell("rules", "\n".join(lines), lambda: book)
    matches = [number for number in numbers if f"{number}.".startswith(f"{wanted}.")]
    more: Sequence[str] = numbers[numbers.index(matches[0]) + 1 :][:1] if matches else ()
    if not matches:
        term = fold(wanted)
        matches = [number for number, both in game.rules.items() if term in fold(both[side])]
        more = matches[1:]
    if not matches:
        raise NotAllowed("no_such_paragraph", given=wanted, candidates=nearest(wanted, numbers))
    text = f"{matches[0]} {game.rules[matches[0]][side]}"
    if wanted in chapters and (short := chapters[wanted].text[side]):
        text, more = f"{wanted}. {chapters[wanted].title[side]}\n{short}", matches[:1]
        if wanted in table:
            text += "\n" + say("answer.on_this_table", lang, text=table[wanted])
    names = tuple(f"{head} {number}" for number in more[:_NAMES_MAX])
    end = say("answer.rules_more", lang, lines=names) if more else ""
    return Tell("rules", f"{text}\n{end}".rstrip(), lambda: Book(table))


def who(scene: Scene) -> Tell:
    """Who is in this room."""
    room, lang = room_here(scene), scene.speaker.lang
    seated = {c.person for c in room.seats.values() if c.person is not None}
    here = {person: name for person, name in scene.here.items() if person not in seated}
    lines = [_seat_line(scene, room, seat) for seat in room.seats]
    if here:
        lines.append(say("answer.watching", lang, names=tuple(sorted(here.values()))))
    lines.append(say("answer.host_is", lang, name=room.table.host))
    return Tell("who", "\n".join(lines))


def _seat_line(scene: Scene, room: Room, seat: Seat) -> str:
    lang, chair = scene.speaker.lang, room.seats[seat]
    marks = []
    if chair.bot is not None:
        marks.append(say("mark.stands_in" if chair.person else "mark.bot", lang))
    elif chair.person not in scene.here:
        marks.append(say("mark.away", lang))
    if chair.away_until is not None and chair.away_until > scene.now:
        marks.append(say("mark.vacation", lang, day=day_of(chair.away_until)))
    if (peek := peek_of(chair, scene.now)) is not None:
        marks.append(say("mark.peek", lang, name=peek.name))
    if chair.resigned is not None:
        marks.append(say("mark.resigned", lang))
    if seat in room.table.turn:
        marks.append(say("mark.turn", lang))
    return " ".join([f"{seat}: {chair.name}", *marks])


def info(scene: Scene, given: Arguments) -> Tell:
    """The room at a glance: game, phase, seats, whose turn, options, clocks."""
    room, lang = room_here(scene), scene.speaker.lang
    game, table = game_here(scene), room.table
    number = say("answer.room_number", lang, number=table.id)
    lines = [f"{game.info.name(lang)} - {number} - {say(f'phase.{table.phase.value}', lang)}"]
    if table.fork is not None:
        lines.append(say("answer.fork_of", lang, id=table.fork.id, move=table.fork.move))
    lines += [_seat_line(scene, room, seat) + _clock(scene, room, seat) for seat in room.seats]
    if room.game is None and SUMMARY in game.phrases:
        lines += flowed(game.phrases.say(SUMMARY, lang), scene.width, 0)
    if room.game is not None:
        texts = game.text(scene.view(), scene.eyes, scene.page)
        lines += texts.status()
        if points := texts.by_seat(texts.points_now()):
            lines += flowed(say("answer.points_now", lang, points=points), scene.width, 4)
    declared = options_for(game)
    for key, is_set in (("answer.options_set", True), ("answer.options_as_usual", False)):
        options = tuple(
            f"{option.typed_name(lang)}={format_value(option, value, lang)}"
            for option in declared.values()
            if ((value := value_of(table, declared, option.name)) != option.write(option.default))
            is is_set
        )
        if options:
            lines += flowed(say(key, lang, options=options), scene.width, 4)
    lines.append(_rated_line(scene, room))
    lines.append(say("answer.commitment", lang, commit=table.commit))
    if table.ending is not None:
        lines.append(say("answer.seed_was", lang, seed=table.ending.seed))
    return Tell("info", "\n".join(lines))


def _rated_line(scene: Scene, room: Room) -> str:
    """Whether the room's game is rated; before it, whether it will be, or why not."""
    lang, table = scene.speaker.lang, room.table
    if table.phase is not Phase.OPEN:
        abandoned = abandoned_seats(table) if table.ending is None else table.ending.given_up
        rated = "answer.abandoned" if abandoned else "answer.rated"
        return say("answer.unrated" if abandoned is None else rated, lang)
    reason, name = why_unrated(table)
    return say(f"answer.unrated_{reason}" if reason else "answer.will_be_rated", lang, name=name)


def _clock(scene: Scene, room: Room, seat: Seat) -> str:
    chair = room.seats[seat]
    left = chair.bank if chair.deadline is None else max(0, chair.deadline - scene.now)
    if left is None:
        return ""
    if by_days(room.table):
        return "" if chair.deadline is None else f" {span(left, scene.speaker.lang)}"
    return f" {left // 60_000}:{left // 1000 % 60:02}"


def board(scene: Scene, *, short: bool) -> Tell:
    """The table as text: whole, or in few lines what matters most now."""
    room, game = scene.room, game_here(scene)
    if room is None or room.game is None:
        raise NotAllowed("not_playing")
    texts = game.text(scene.view(), scene.eyes, scene.page)
    return Tell("board", texts.short() if short else texts.full())


def look(scene: Scene, given: str) -> Tell:
    """One area of the table in detail, or what a thing of the game is, always behind `about`."""
    game, lang = game_here(scene), scene.speaker.lang
    if given:
        name, _, last = given.rpartition(" ")
        is_about = bool(name) and fold(last) in _ABOUT
        is_played = scene.room is not None and scene.room.game is not None
        view = scene.view() if is_played and not is_about else None
        return Tell("look", look_text(scene, name if is_about else given, view, scene.eyes))
    names = tuple(game.phrases.label("area", area.value, lang) for area in game.texts.areas)
    return Tell("look", say("answer.areas", lang, names=names))


def look_text(scene: Scene, given: str, view: object, eyes: Eyes) -> str:
    """An area of a view, or what a thing is, which needs none: `view` is None before the game."""
    game = game_here(scene)
    typed, areas = fold("".join(given.split())), [area.value for area in game.texts.areas]
    things, bare = game.texts.things(), _ZEROS.sub("", typed)
    forms = map(things.exact, (typed, bare, _DIGIT.sub(r"0\g<0>", bare)))
    exact = next(filter(None, forms), None)
    matches = things.find(typed) if exact is None else (exact,)
    if len(matches) != 1:
        near = matches or things.near(typed) or areas
        raise NotUnderstood("no_such_area", given=given, candidates=tuple(near)[:_NAMES_MAX])
    if view is not None and matches[0] in areas:
        return game.text(view, eyes, scene.page).look(matches[0])
    if (about := f"about.{matches[0]}") not in game.phrases:
        raise NotAllowed("not_playing")
    return "\n".join(flowed(game.phrases.say(about, scene.speaker.lang), scene.width, 4))


def moves(scene: Scene, given: Arguments) -> Tell:
    """The speaker's legal moves."""
    room, game, seat = scene.room, game_here(scene), scene.seat
    if room is None or seat is None:
        raise NotAllowed("not_seated")
    legal = list(game.legal(room.game, seat))
    if not legal:
        raise NotAllowed("not_your_turn", seats=room.table.turn)
    texts = game.text(scene.view(), scene.eyes, scene.page)
    return Tell("moves", "\n".join([texts.show_moves(legal), *texts.move_info(seat)]))


def recap(scene: Scene, given: Arguments) -> Tell:
    """The visible events since the speaker's last move; all in the log without such a move."""
    room, lang = room_here(scene), scene.speaker.lang
    after = _last_moved(room.recorded, scene.seat)
    lines: list[str] = []
    for logged in logged_for(room):
        if logged.version > after:
            lines += event_lines(logged.events, scene.eyes, lang, scene.game, logged.name_of)
    nothing = say("answer.nothing_since" if after else "answer.nothing_yet", lang)
    return Tell("recap", "\n".join(lines) or nothing)


def _last_moved(recorded: Recorded | None, seat: Seat | None) -> int:
    """The version of a seat's newest move in this game; 0 if there is none.

    Read from the record, since the undo positions also depend on quiet moves.
    """
    while recorded is not None and seat is not None:
        if recorded.line.startswith((f"{seat} ", f"@clock {seat} ")):
            return recorded.version
        recorded = recorded.before
    return 0


def votes(scene: Scene, given: Arguments) -> Tell:
    """The open votes with their tally."""
    room, lang = room_here(scene), scene.speaker.lang
    lines: list[str] = []
    for number, vote in room.table.votes.items():
        line = say(
            "answer.vote",
            lang,
            room.name_of,
            number=number,
            kind=SERVER.label("kind", vote.kind, lang),
            name=vote.by,
            yes=len(vote.yes),
            no=len(vote.no),
            voters=len(vote.voters),
            time=span(vote.deadline - scene.now, lang),
        )
        lines.append(line)
        past = [each for each in room.past if vote.target and each.version >= vote.target]
        if past and scene.game is not None:
            reach = undo_reach(scene.game, past, room.recorded)
            lines.append(f"   {reach_line(reach, scene.eyes, lang, room.name_of)}")
    return Tell("votes", "\n".join(lines) if lines else say("answer.no_votes", lang))


def options(scene: Scene, given: str, *, explain: bool) -> Tell:
    """The options with their values, and with explanations if `explain`."""
    game = game_here(scene)
    declared = options_for(game)
    chosen = [find_option(declared, given)] if given else [*declared.values()]
    return Tell("option", "\n".join(_option_line(scene, game, o, explain=explain) for o in chosen))


def _option_line(scene: Scene, game: Game[object], option: Option, *, explain: bool) -> str:
    lang = scene.speaker.lang
    value = value_of(room_here(scene).table, options_for(game), option.name)
    text = format_value(option, value, lang)
    line = say("answer.option_line", lang, option=option.typed_name(lang), value=text)
    if not explain:
        return line
    key = f"option.{option.name}"
    phrases = game.phrases if key in game.phrases else SERVER
    values = " | ".join(format_value(option, each, lang) for each in option.values() or CLOCKS)
    return f"{line}  ({values}) {phrases.say(key, lang)}"


def bots(scene: Scene, given: Arguments) -> Tell:
    """The house bots of the room's game, with their measured strength."""
    game, lang, lines = game_here(scene), scene.speaker.lang, list[str]()
    for name in game.players:
        text = "" if (phrase := game.phrases.find(f"bot.{name}")) is None else phrase.text(lang)
        if not text and name in DESCRIBED_BOTS:
            text = say(f"answer.bot_{name}", lang)
        shown = called(name, LEVEL_NAMES.get(name, ()), lang)
        lines.append(f"/{head_for('bot', lang, None)} {shown}  {text}".rstrip())
        if (won := game.info.strengths.get(name)) is not None:
            against = called(won.against, LEVEL_NAMES.get(won.against, ()), lang)
            share, games = won.share, won.games
            measured = say("answer.bot_measured", lang, share=share, against=against, games=games)
            lines.append(f"     {measured}")
    return Tell("bots", "\n".join(lines))
