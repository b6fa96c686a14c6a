"""How well people play: `/stats`, `/top`, and whether the game of a room is rated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.refusal import NotAllowed, NotUnderstood
from bluebear.rules.core.slots import Choice, Lexicon, fold
from bluebear.rules.core.text_layout import aligned, columns, flowed
from bluebear.server.commands.acts import Tell
from bluebear.server.commands.command import Argument, Arguments, Command, anywhere
from bluebear.server.commands.needs import RatingList, TopAsked, Wanted
from bluebear.server.commands.scene import Scene
from bluebear.server.journal import Ranked, RatingRow
from bluebear.server.limits import TOP_PAGES, TOP_SHORT, TOP_SIZE
from bluebear.server.people.rating import LISTED_GAMES, Recent, Standing, standing_of
from bluebear.server.room.options import day_of
from bluebear.server.room.rating import PEOPLE_LEAST, is_rated, why_unrated
from bluebear.server.room.state import Phase, Room
from bluebear.server.sentences import say

_WHY_UNRATED: Final = {
    "fork": "answer.unrated_fork",
    "option": "answer.unrated_option",
    "privacy": "answer.unrated_privacy",
    "house_bot": "answer.unrated_house_bot",
    "program": "answer.unrated_program",
    "guest": "answer.unrated_guest",
    "alone": "answer.unrated_alone",
}
_SURENESS: Final = (
    "answer.very_unsure",
    "answer.unsure",
    "answer.fairly_sure",
    "answer.sure",
)
_RECENT_SHOWN: Final = 5
_INDENT: Final = 4
_NAME: Final = "answer.column_name"
_GAME_PLAYED: Final = "answer.column_game"
_RATED: Final = ("answer.column_points", "answer.column_margin", "answer.column_games")
_TOP: Final = ("", _NAME, *_RATED)
_STATS: Final = (
    *(_GAME_PLAYED, "answer.column_seats", *_RATED),
    *("answer.column_places", "answer.column_left"),
)
"""The heads of the columns of tables."""
_WORDS: Final = frozenset((_NAME, _GAME_PLAYED))
"""Columns of words; the others are of numbers."""

Cells = tuple[str, ...]


def rated_line(scene: Scene, room: Room) -> str:
    """Whether the room's game is rated; before it, whether it will be, or why not."""
    lang = scene.speaker.lang
    if room.table.phase is not Phase.OPEN:
        return say("answer.rated" if is_rated(room) else "answer.unrated", lang)
    reason, name = why_unrated(room.table)
    return say(_WHY_UNRATED.get(reason, "answer.will_be_rated"), lang, name=name)


def _game_name(scene: Scene, key: str) -> str:
    game = scene.games.get(key)
    return key if game is None else game.info.name(scene.speaker.lang)


# /stats


def _whom(scene: Scene, given: Arguments) -> tuple[str, str]:
    """Name and game that are asked about; a single word that names a game is that."""
    name, game = given.get("name", ""), given.get("game", "")
    if name and not game:
        known = [Choice(key, (e.info.en, e.info.ja)) for key, e in scene.games.items()]
        exact = Lexicon(known).exact(fold(name))
        if exact:
            return "", exact
    return name, game


def _stats_needs(scene: Scene, given: Arguments) -> Wanted:
    name, _ = _whom(scene, given)
    return Wanted(person=name, standings=True)


def _stats(scene: Scene, given: Arguments) -> Tell:
    name, game = _whom(scene, given)
    person = scene.known.person
    if name and person is None:
        raise NotAllowed("no_such_person", given=name, candidates=scene.known.near)
    called = scene.speaker.name if person is None else person[1]
    rows = [row for row in scene.known.standings if game in ("", row.game)]
    lang = scene.speaker.lang
    if not rows:
        return Tell(
            "stats", say("answer.no_stats", lang, name=called), lambda: _stats_data(called, ())
        )
    lines = [say("answer.stats_of", lang, name=called)]
    told = (line for row in rows for line in flowed(_stats_line(scene, row), scene.width, _INDENT))
    lines += _table(scene, [_stats_cells(scene, row) for row in rows], _STATS) or told
    recent = sorted(
        ((each, row) for row in rows for each in standing_of(row).recent),
        key=lambda each: (-each[0].at, each[0].game_id),
    )
    lines.append(say("answer.last_games", lang))
    lines += [_recent_line(scene, each, row) for each, row in recent[:_RECENT_SHOWN]]
    return Tell("stats", "\n".join(lines), lambda: _stats_data(called, rows))


def _stats_line(scene: Scene, row: RatingRow) -> str:
    lang, now = scene.speaker.lang, standing_of(row)
    parts = [say("answer.stats_list", lang, game=_game_name(scene, row.game), number=row.seats)]
    if now.games:
        sure = say(_SURENESS[now.sureness], lang)
        parts.append(
            say("answer.stats_points", lang, points=now.points, margin=now.margin, sure=sure)
        )
        places = tuple(
            say("answer.stats_place", lang, place=place, count=count)
            for place, count in enumerate(now.places, 1)
            if count
        )
        parts.append(say("answer.stats_games", lang, count=now.games, places=places))
    if now.left:
        parts.append(say("answer.stats_left", lang, count=now.left))
    return " ".join(parts)


def _stats_cells(scene: Scene, row: RatingRow) -> Cells:
    now = standing_of(row)
    told = (f"{now.points}", f"±{now.margin}") if now.games else ("", "")
    places = "-".join(map(str, now.places)) if now.games else ""
    left = f"{now.left}" if now.left else ""
    return _game_name(scene, row.game), f"{row.seats}", *told, f"{now.games}", places, left


def _table(scene: Scene, rows: Sequence[Cells], heads: Sequence[str]) -> list[str]:
    """Figures below their heads; nothing for who hears them, and where they are too wide."""
    lang = scene.speaker.lang
    head = tuple(say(each, lang) if each else "" for each in heads)
    words = [number for number, each in enumerate(heads) if each in _WORDS]
    lines = [] if scene.linear else aligned([head, *rows], words)
    return lines if max(map(columns, lines), default=0) <= scene.width else []


def _recent_line(scene: Scene, recent: Recent, row: RatingRow) -> str:
    lang = scene.speaker.lang
    return say(
        "answer.game_played" if recent.place else "answer.game_left",
        lang,
        day=day_of(recent.at),
        id=recent.game_id,
        game=_game_name(scene, row.game),
        number=row.seats,
        place=recent.place,
        change=f"{recent.change:+}",
    )


def _stats_data(name: str, rows: Sequence[RatingRow]) -> Shaped:
    """The same as data; strength and its doubt are in millionths, times in ms."""
    return {"name": name, "ratings": [_row_data(row) for row in rows]}


def _row_data(row: RatingRow) -> dict[str, Any]:  # Any: a plain tree
    now = standing_of(row)
    return {
        "game": row.game,
        "seats": row.seats,
        **_points_data(now),
        "places": list(now.places),
        "left": now.left,
        "recent": [
            {"id": e.game_id, "at": e.at, "place": e.place, "points": e.points, "change": e.change}
            for e in now.recent
        ],
    }


def _points_data(now: Standing) -> dict[str, Any]:  # Any: a plain tree
    return {
        "points": now.points,
        "margin": now.margin,
        "mu_millionths": now.mu,
        "sigma_millionths": now.sigma,
        "games": now.games,
    }


# /top


def _asked(scene: Scene, given: Arguments) -> TopAsked | None:
    """Which lists are asked for: of the room's game and number of seats, if nothing else is said.

    None in the lobby without a game. Raises NotUnderstood (bad_word) for seats that a game has not.
    """
    room = scene.room
    key = given.get("game") or ("" if room is None else room.table.game)
    if not key:
        return None
    info = scene.games[key].info
    all_seats = range(max(PEOPLE_LEAST, info.min_seats), info.max_seats + 1)
    here = 0 if room is None or key != room.table.game else len(room.seats)
    seats = given.get("seats") or (here if here in all_seats else 0)
    if seats and seats not in all_seats:
        numbers = f"{all_seats[0]}-{all_seats[-1]}" if len(all_seats) > 1 else f"{all_seats[0]}"
        raise NotUnderstood("bad_word", argument="seats", given=str(seats), candidates=(numbers,))
    page = min(given.get("page", 1), TOP_PAGES) - 1
    if seats:
        return TopAsked(key, (seats,), page * TOP_SIZE, TOP_SIZE)
    return TopAsked(key, tuple(all_seats), 0, TOP_SHORT)


def _top_needs(scene: Scene, given: Arguments) -> Wanted | None:
    asked = _asked(scene, given)
    return None if asked is None else Wanted(top=asked)


def _top(scene: Scene, given: Arguments) -> Tell:
    wanted, lists = _asked(scene, given), scene.known.top
    if wanted is None:
        games = tuple(f"/top {key}" for key in scene.games)
        return Tell("top", say("answer.top_of", scene.speaker.lang, lines=games))
    lines: list[str] = []
    for each in lists:
        if each.rows or each.mine is not None or len(lists) == 1:
            lines += _list_lines(scene, wanted, each)
    if not lines:
        lines = [_nobody(scene)]
    return Tell("top", "\n".join(lines), lambda: _top_data(wanted, lists))


def _nobody(scene: Scene) -> str:
    return say("answer.top_nobody", scene.speaker.lang, least=LISTED_GAMES)


def _list_lines(scene: Scene, wanted: TopAsked, found: RatingList) -> list[str]:
    lang = scene.speaker.lang
    game = _game_name(scene, wanted.game)
    lines = [say("answer.top_head", lang, game=game, number=found.seats)]
    ranks = list(zip(_places(found), found.rows, strict=True))
    if ranks:
        told = (_rank_line(scene, place, each) for place, each in ranks)
        lines += _table(scene, [_rank_cells(place, each) for place, each in ranks], _TOP) or told
    else:
        lines.append(_nobody(scene))
    mine = found.mine
    shown = mine is not None and any(each.row.key == mine.key for each in found.rows)
    if mine is not None and not shown:
        lines.append(_own_line(scene, found, mine))
    if len(found.rows) == TOP_SIZE:
        page = wanted.first // TOP_SIZE + 2
        if page <= TOP_PAGES:
            line = f"/top {wanted.game} {found.seats} {page}"
            lines.append(say("answer.top_more", lang, line=line))
    return lines


def _places(found: RatingList) -> list[int]:
    """The places of the rows that are shown: who has the same score has the same place."""
    places: list[int] = []
    for index, each in enumerate(found.rows):
        same = index > 0 and found.rows[index - 1].row.score == each.row.score
        after = found.first + index + 1
        places.append(places[-1] if same else (found.above + 1 if index == 0 else after))
    return places


def _rank_line(scene: Scene, place: int, ranked: Ranked) -> str:
    now = standing_of(ranked.row)
    return say(
        "answer.top_row",
        scene.speaker.lang,
        place=place,
        name=ranked.name or "?",
        points=now.points,
        margin=now.margin,
        count=now.games,
    )


def _rank_cells(place: int, ranked: Ranked) -> Cells:
    now = standing_of(ranked.row)
    return f"{place}.", ranked.name or "?", f"{now.points}", f"±{now.margin}", f"{now.games}"


def _own_line(scene: Scene, found: RatingList, mine: RatingRow) -> str:
    now, above = standing_of(mine), found.above_mine
    key = "answer.top_mine" if above is None else "answer.top_mine_at"
    return say(
        "answer.top_unlisted" if mine.score is None else key,
        scene.speaker.lang,
        place=(above or 0) + 1,
        points=now.points,
        count=now.games,
        least=LISTED_GAMES,
    )


def _top_data(wanted: TopAsked, lists: Sequence[RatingList]) -> Shaped:
    """The same as data: `lists` by seats, each with its `rows`, and one's own as `mine`."""
    made: list[Any] = []  # Any: plain trees
    for found in lists:
        rows: list[Any] = [
            {"place": place, "name": each.name, **_points_data(standing_of(each.row))}
            for place, each in zip(_places(found), found.rows, strict=True)
        ]
        mine = None if found.mine is None else _points_data(standing_of(found.mine))
        made.append(
            {"seats": found.seats, "rows": rows, **({} if mine is None else {"mine": mine})}
        )
    return {"game": wanted.game, "lists": made}


_GAME: Final = Argument("game", "game", optional=True)

COMMANDS: Final = (
    Command(
        "stats",
        anywhere(),
        _stats,
        (Argument("name", "name", optional=True), _GAME),
        ("戦績", "成績"),
        needs=_stats_needs,
        offers=Wanted(online=True),
    ),
    Command(
        "top",
        anywhere(),
        _top,
        (
            _GAME,
            Argument("seats", "number", optional=True),
            Argument("page", "page", optional=True),
        ),
        ("順位表", "ランキング"),
        needs=_top_needs,
    ),
)
